"""The year over ranges: closed forms, seeds, samples against single years, refusals."""

from __future__ import annotations

import json
from functools import cache

import numpy as np
import pytest

import facility
from facility.core.check import Check
from facility.core.errors import FacilityError
from facility.model.inputs.document import Project
from facility.report.book.ranges import ranges_sheets
from facility.report.sheet.tables import PageSetup
from facility.report.studies.ranges import Ranges
from facility.study.annual.study import annual
from facility.study.design.design import Design, design
from facility.study.ranges.result import RangesStudy
from facility.study.ranges.sample import as_built, with_inputs
from facility.study.ranges.study import tolerated
from tests.study.helpers import SHORTEST, design_of

TARIFF = ("site.tariff", "0.04 .. 0.06 USD/kWh")
LOAD = ("it.load_factor", "70 .. 90 %")
PUMP = ("cooling.plant.pump.efficiency", "triangular(55, 65, 70 %)")
GROWTH = ("criteria.growth", "0 .. 30 %")


def spread(*rows: tuple[str, str], sets: tuple[str, ...] = ()) -> Design:
    words = (
        word
        for index, (field, text) in enumerate(rows)
        for word in (f"ranges.{index}.field={field}", f"ranges.{index}.range={text}")
    )
    return design_of(SHORTEST, *sets, *words)


@cache
def latin() -> tuple[Design, RangesStudy]:
    found = spread(TARIFF, LOAD, PUMP)
    return found, facility.ranges(found, samples=24, seed=7)


def failed(study: RangesStudy, rule: str) -> list[Check]:
    return [check for check in study.checks if check.rule == rule and check.failed]


def test_quantiles_of_a_linear_case_are_the_closed_form() -> None:
    found = spread(TARIFF)
    study = facility.ranges(found, samples=200)
    energy_kwh = float(annual(found).results["energy.annual"].si) / 3.6e6
    (figure,) = (figure for figure in study.figures if figure.key == "cost.annual")
    stratum = 0.02 * energy_kwh / 200
    for value, part in ((figure.p5, 0.05), (figure.p50, 0.5), (figure.p95, 0.95)):
        assert value == pytest.approx(energy_kwh * (0.04 + 0.02 * part), abs=1.5 * stratum)
    assert figure.mean == pytest.approx(0.05 * energy_kwh, abs=0.5 * stratum)
    (matter,) = study.matters_to("cost.annual")
    assert (matter.low, matter.high) == pytest.approx((0.041 * energy_kwh, 0.059 * energy_kwh))
    assert matter.correlation == pytest.approx(1.0, abs=1e-12)


def test_every_sample_is_a_year_of_its_own_project() -> None:
    found, study = latin()
    built = as_built(found)
    for sample in (0, 13, 23):
        values = zip(study.inputs, study.drawn[sample], strict=True)
        changes = {ranged.path: ranged.spread.typed(value) for ranged, value in values}
        alone = annual(with_inputs(built, built.project.with_(changes))).results
        for key, outcome in study.found.items():
            assert outcome[sample] == alone[key].si, key


def test_a_seed_gives_the_same_bytes_and_another_seed_does_not() -> None:
    found, study = latin()
    again, other = (facility.ranges(found, samples=24, seed=seed) for seed in (7, 8))

    def text(of: RangesStudy) -> str:
        shown = Ranges(found, of)
        return json.dumps([shown.results, shown.lists()])

    assert text(again) == text(study)
    assert text(other) != text(study)


def test_what_matters_most_comes_first_and_moves_as_it_must() -> None:
    _, study = latin()
    energy, cost = study.matters_to("energy.annual"), study.matters_to("cost.annual")
    assert [matter.path for matter in energy] == [LOAD[0], PUMP[0], TARIFF[0]]
    assert energy[0].correlation is not None
    assert energy[0].correlation > 0.98
    assert energy[1].low is not None
    assert energy[1].high is not None
    assert energy[1].low > energy[1].high, "better pumps take less"
    assert energy[2].swing == 0.0
    assert [matter.path for matter in cost] == [TARIFF[0], LOAD[0], PUMP[0]]
    assert all(figure.low <= figure.p5 <= figure.p50 <= figure.p95 <= figure.high
               for figure in study.figures)  # fmt: skip
    assert not [check for check in study.checks if check.failed]


def test_sobol_indices_of_a_sum_are_its_parts_of_the_variance() -> None:
    """The energy follows the load factor nearly in proportion; its cost is a product."""
    study = facility.ranges(spread(TARIFF, LOAD), samples=32, method="sobol")
    assert study.samples == 32 * 4
    energy = {matter.path: matter for matter in study.matters_to("energy.annual")}
    assert energy[LOAD[0]].total == pytest.approx(1.0, abs=0.02)
    assert energy[TARIFF[0]].total == pytest.approx(0.0, abs=1e-12)
    cost = {matter.path: matter for matter in study.matters_to("cost.annual")}
    relative = {TARIFF[0]: (0.02 / 0.05) ** 2 / 12.0, LOAD[0]: (0.2 / 0.8) ** 2 / 12.0}
    for path, variance in relative.items():
        expected = variance / sum(relative.values())
        assert cost[path].first == pytest.approx(expected, abs=0.1)


def test_what_decides_sizes_alone_moves_nothing_and_is_said() -> None:
    found = spread(GROWTH, LOAD)
    study = facility.ranges(found, samples=4)
    (check,) = failed(study, "RANGE-MOVES")
    assert check.subject == GROWTH[0]
    assert all(matter.swing == 0.0 for matter in study.matters if matter.path == GROWTH[0])


def test_a_result_that_the_range_alone_brings_is_kept() -> None:
    """Electricity times a carbon that only the samples have: its own closed form."""
    key = "carbon.annual"
    row = ("site.grid_carbon", "0.3 .. 0.5 kg/kWh")
    found = spread(row, sets=("site.station=fargo",))
    study = facility.ranges(found, samples=4)
    assert key not in study.nominal
    figure = next(figure for figure in study.figures if figure.key == key)
    energy_j = float(annual(found).results["energy.annual"].si)
    (values,) = study.drawn.T
    assert study.found[key] == pytest.approx(values * energy_j, rel=1e-6)
    assert figure.nominal is None
    assert study.matters_to(key)[0].swing > 0.0
    assert not failed(study, "RANGE-MOVES")
    shown = Ranges(found, study)
    assert shown.lists()["ranges"]
    assert list(shown.tables("si"))
    assert ranges_sheets(study, PageSetup("", "", "", False))


def test_samples_designed_anew_are_designs_of_their_own() -> None:
    found = spread(GROWTH)
    study = facility.ranges(found, samples=2, resize=True)
    assert study.resized
    assert not failed(study, "RANGE-MOVES")
    value = study.inputs[0].spread.typed(study.drawn[1, 0])
    alone = annual(design(found.project.with_({GROWTH[0]: value}))).results
    assert study.found["energy.annual"][1] == alone["energy.annual"].si


def test_equipment_that_a_sample_passes_is_named_with_how_far() -> None:
    sets = ("it.demand_factor=40 %", "power.distribution.rack_system=415Y/240")
    found = spread(("it.demand_factor", "30 .. 100 %"), sets=sets)
    study = facility.ranges(found, samples=8)
    passed = {check.subject: check.why for check in failed(study, "RANGE-BUILT")}
    # The towers are built for 40 %; the chillers are the smallest made, which carry 100 %.
    assert "of 8 samples above 100 %, maximum" in passed["heat rejection of the chillers"]
    assert "chillers on duty" not in passed


def test_other_equipment_ends_the_study() -> None:
    with pytest.raises(FacilityError) as caught:
        facility.ranges(spread(("it.gpus", "64 .. 128")), samples=4)
    assert caught.value.code == "RANGE_EQUIPMENT"


def test_samples_that_are_refused_are_counted_and_left_out() -> None:
    sets = ("cooling.plant.delta_t=8 K", "cooling.plant.pumping.scheme=primary-secondary")
    row = ("cooling.plant.pumping.primary_head", "20 .. 400 kPa")
    found = spread(row, sets=(*sets, "cooling.plant.pumping.primary_head=60 kPa"))
    study = facility.ranges(found, samples=10)
    (check,) = failed(study, "RANGE-REFUSED")
    assert check.subject == "PUMPING_CONTRADICTION"
    assert 0 < len(study.refused) < 10
    assert f"{len(study.refused)} of 10 samples" in check.why
    known = np.isnan(study.found["energy.annual"])
    assert set(np.flatnonzero(known)) == set(study.refused)
    (figure,) = (figure for figure in study.figures if figure.key == "energy.annual")
    assert np.isfinite(figure.p95)


def test_a_study_of_refused_samples_alone_is_refused() -> None:
    sets = ("cooling.plant.pumping.scheme=primary-secondary",)
    found = spread(("cooling.plant.pumping.primary_head", "900 .. 1900 kPa"), sets=sets)
    with pytest.raises(FacilityError) as caught:
        facility.ranges(found, samples=3)
    assert caught.value.code == "PUMPING_CONTRADICTION"


def test_progress_is_told_and_a_study_can_be_cancelled() -> None:
    told: list[tuple[int, int]] = []

    def progress(done: int, whole: int) -> None:
        told.append((done, whole))

    found = spread(TARIFF)
    facility.ranges(found, samples=3, progress=progress)
    assert told == [(done, 5) for done in range(1, 6)]
    with pytest.raises(FacilityError) as caught:
        facility.ranges(found, samples=3, progress=progress, cancel=lambda: len(told) > 7)
    assert caught.value.code == "RANGE_CANCELLED"
    assert len(told) == 8


def test_a_project_is_designed_and_one_without_ranges_is_refused() -> None:
    few = {"schema_version": 1, "it": {"gpu_model": "H100 SXM5", "gpus": 64}}
    rows = [{"field": TARIFF[0], "range": TARIFF[1]}]
    project: Project = facility.project({**few, "ranges": rows})
    assert facility.ranges(project, samples=2).samples == 2
    with pytest.raises(FacilityError) as caught:
        facility.ranges(facility.project(few), samples=2)
    assert caught.value.code == "RANGE_NONE"


def test_assumptions_are_spread_by_how_well_they_are_known() -> None:
    """Price: 0.05 USD/kWh, known from a second source."""
    found = design_of(SHORTEST, "tolerances.secondary=10 %")
    assert all(a.source.verified != "read" for a in found.ledger if a.id == "site.tariff")
    spread_of = {one.path: one.spread for one in tolerated(found, ())}
    price = spread_of["site.tariff"]
    assert (3.6e6 * price.low, 3.6e6 * price.high) == pytest.approx((0.045, 0.055), rel=1e-12)
    assert "it.demand_factor" not in spread_of
    study = facility.ranges(found, samples=40)
    energy_kwh = float(annual(found).results["energy.annual"].si) / 3.6e6
    (matter,) = (m for m in study.matters_to("cost.annual") if m.path == "site.tariff")
    assert (matter.low, matter.high) == pytest.approx((0.0455 * energy_kwh, 0.0545 * energy_kwh))
    kept = {one.path for one in study.inputs}
    tolerances = [c for c in study.checks if c.rule == "RANGE-TOLERANCE"]
    named = " ".join(check.why for check in tolerances)
    assert all((path in kept) != (path in named.replace(",", "").split()) for path in spread_of)


def test_a_range_stands_before_a_tolerance_and_what_is_stated_has_none() -> None:
    known = spread(TARIFF, sets=("tolerances.secondary=10 %", "tolerances.computed=10 %"))
    paths = [one.path for one in tolerated(known, known.project.spread)]
    assert "site.tariff" not in paths
    assert "it.diversity" in paths
    stated = spread(TARIFF, sets=("tolerances.computed=10 %", "it.diversity=0.9"))
    assert "it.diversity" not in [one.path for one in tolerated(stated, ())]
    (diversity,) = (x.spread for x in tolerated(known, ()) if x.path == "it.diversity")
    assert (diversity.low, diversity.high) == pytest.approx((0.9, 1.0))


def test_an_assumption_that_cannot_be_stated_so_is_left_out_and_named() -> None:
    study = facility.ranges(design_of(SHORTEST, "tolerances.secondary=10 %"), samples=4)
    deciding, refused = failed(study, "RANGE-TOLERANCE")
    assert "it.network.rack_power" in deciding.why
    assert "it.halls.0.rack_pitch" in refused.why


def test_ranges_change_no_design() -> None:
    plain, ranged = design_of(SHORTEST), spread(TARIFF, GROWTH)
    assert dict(ranged.results) == dict(plain.results)
    assert ranged.sha256 != plain.sha256
