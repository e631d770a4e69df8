"""What a year asks of a design: what is held, what is carried, and why it is not."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np
import pytest

import facility
from facility.core.check import Outcome
from facility.files.project.file import load_project
from facility.model.inputs.document import Project
from facility.study.annual.result import AnnualStudy, LimitExceedance
from facility.study.annual.study import annual
from facility.study.design.design import Design
from facility.study.loop import Sized, operate
from facility.study.ranges.sample import as_built, with_inputs
from tests.study.helpers import PROJECTS, SHORTEST, design_of, reference

RULES = ("ANNUAL-SETPOINT", "ANNUAL-LIMIT", "ANNUAL-LOADING", "ANNUAL-WEATHER")
CURVES = "cooling.plant.chiller.performance=curves"
PHOENIX = ("site.station=phoenix", "site.design_dry_bulb=30 degC")


@cache
def year_of(found: Design) -> AnnualStudy:
    return annual(found)


def one(study: AnnualStudy, name: str, bound: str) -> LimitExceedance:
    (found,) = (held for held in study.exceedances if (held.name, held.bound) == (name, bound))
    return found


@pytest.mark.parametrize("name", PROJECTS)
def test_a_reference_project_holds_its_year(name: str) -> None:
    study = year_of(reference(name))
    assert not [check for check in study.checks if check.rule in RULES and check.failed]
    assert study.results["annual.hours_beyond"].si == 0.0
    assert all(0.0 < carried.load <= 1.0 for carried in study.peak_loads)


@pytest.mark.parametrize("station", ["ashburn", "chicago", "fargo"])
def test_machines_without_a_spare_carry_a_year_of_full_load(station: str) -> None:
    """Thin air of some hours asks 0.1 % more than the design hour, which is no shortage.

    Without outdoor air in the halls, which asks for more at design than in any hour.
    """
    place, full = f"site.station={station}", "it.load_factor=100 %"
    sets = ("cooling.plant.chiller.redundancy=N", "cooling.air.ventilation=0 m3/s")
    found = reference("h100-10k", place, full, *sets)
    checks = [one for one in found.checks if one.rule in ("ANNUAL-CAPACITY", "ANNUAL-LOADING")]
    assert checks
    assert not [one for one in checks if one.failed and one.subject.startswith("chille")]
    close = [one for one in checks if "air density below" in one.why]
    assert close
    assert all((one.value or 0.0) > (one.limit or 0.0) / 1.002 for one in close), "never hidden"
    assert not [one for one in close if "UPS" in one.subject or "transformer" in one.subject]


def test_a_hall_of_an_easier_climate_is_told_for_how_long_it_is_too_warm() -> None:
    found = reference("nvl72-hall", *PHOENIX, "cooling.facility_water.source=dry_cooler")
    study = year_of(found)
    hours, flow = study.year.hours, study.year.balance.cooling
    water = one(study, "facility water", "set point")
    assert water.limit_c == 40.0
    assert water.hours == np.count_nonzero(hours.spread(flow.fws_supply_c) > 40.01)
    assert water.hours == water.explained > 2000
    assert study.results["annual.hours_beyond"].si == water.hours
    failed = {(check.rule, check.subject) for check in study.checks if check.failed}
    assert failed >= {
        ("ANNUAL-SETPOINT", "facility water, set point"),
        ("ANNUAL-LIMIT", "facility water, class W40"),
        ("ANNUAL-LIMIT", "coolant, limit of the equipment"),
        ("ANNUAL-WEATHER", "dry bulb"),
    }
    assert ("ANNUAL-WEATHER", "wet bulb") not in failed


def test_the_warmest_hour_is_that_of_the_facility_solved_at_its_weather_alone() -> None:
    found = reference("nvl72-hall", *PHOENIX)
    study = year_of(found)
    water = one(study, "facility water", "set point")
    coolant = one(study, "coolant", "set point")
    index = water.hour - 1
    at = operate(
        found.facility,
        found.it,
        Sized(found.chain, found.cooling),
        study.year.outdoors(index),
        float(study.year.load[index]),
    )
    assert at.cooling.fws_supply_c == pytest.approx(water.highest_c, abs=1e-6)
    assert at.cooling.tcs_supply_c == pytest.approx(coolant.highest_c, abs=1e-6)


def test_hours_hotter_than_the_design_are_counted_in_the_record() -> None:
    found = reference("nvl72-hall", *PHOENIX)
    dry_c = year_of(found).year.hours.air.dry_bulb_c
    (check,) = (
        check
        for check in year_of(found).checks
        if check.rule == "ANNUAL-WEATHER" and check.subject == "dry bulb"
    )
    assert check.value == dry_c.max()
    assert check.limit == 30.0
    assert f"exceeded in {np.count_nonzero(dry_c > 30.0):,} of 8,760 hours" in check.why
    assert "(stated)" in check.why


def test_chilled_water_is_missed_where_the_chillers_together_are_short() -> None:
    sets = "it.gpus=256", "it.demand_factor=30 %", "power.distribution.rack_system=415Y/240"
    nominal = design_of(SHORTEST, *sets)
    built = as_built(nominal)
    sample = with_inputs(built, built.project.with_({"it.demand_factor": "100 %"}))
    study = year_of(sample)
    water = one(study, "chilled water", "set point")
    assert water.hours > 0.0
    assert water.explained == 0.0
    assert water.highest_c is None
    (check,) = (check for check in study.checks if check.subject == "chilled water, set point")
    assert check.outcome is Outcome.FAIL
    assert "none with outdoor air above the design weather" in check.why
    assert one(year_of(nominal), "chilled water", "set point").hours == 0.0


def test_chillers_with_curves_give_what_their_condenser_water_lets_them() -> None:
    chilled = design_of(SHORTEST, CURVES).cooling.chilled
    assert chilled.capacity_at(chilled.leaving_c) == pytest.approx(chilled.capacity_w)
    warm, cold = (chilled.capacity_at(chilled.leaving_c + k) for k in (1.0, -5.0))
    assert warm < chilled.capacity_w < cold
    assert 0.0 < max(each.load for each in year_of(design_of(SHORTEST, CURVES)).peak_loads) <= 1.0


def test_ranges_read_the_loads_of_the_year() -> None:
    spread = {"ranges": [{"field": "it.demand_factor", "range": "60 .. 80 %"}]}
    project: Project = design_of(SHORTEST).project.with_(spread)
    study = facility.ranges(project, samples=2)
    built = [check for check in study.checks if check.rule == "RANGE-BUILT"]
    carried = year_of(facility.design(project)).peak_loads
    assert [check.subject for check in built] == [each.name for each in carried]
    for check, each in zip(built, carried, strict=True):
        assert check.why.endswith(f"nominal design {each.load:.1%}")


def test_air_handlers_too_few_for_their_heat_are_short_in_the_year() -> None:
    """Six class CRACs move the air of the year; a coil takes 109.8 kW, its gross rating."""
    sets = ("cooling.air.terminal=crac", "cooling.crah.count=6", "site.station=phoenix")
    found = reference("h100-10k", "it.gpus=512", *sets)
    (check,) = [c for c in found.checks if c.rule == "ANNUAL-CAPACITY" and c.subject == "CRACs"]
    assert check.failed
    assert check.kind == "heat_flow"
    assert check.limit is not None
    assert check.limit <= 6 * 109.8e3
    assert year_of(found).results["annual.short.heat"].si > 0.0
    enough = reference("h100-10k", "it.gpus=512", *sets[::2])
    assert not [c for c in enough.checks if c.rule == "ANNUAL-CAPACITY" and c.failed]


def test_an_hour_without_it_is_not_short(tmp_path: Path) -> None:
    """The fans run at their least speed; the coils take the heat of lights and fans from their air.

    With air for that heat alone, four air handlers of 150 kW were short of 0.4 kW.
    """
    hours = [f"{hour},{0.0 if hour == 4000 else 80.0}" for hour in range(1, 8761)]
    (tmp_path / "load.csv").write_text("\n".join(["hour,load_kw", *hours]), "utf-8")
    (tmp_path / "project.yaml").write_text(
        "schema_version: 1\nsite: {station: phoenix}\npower: {redundancy: N+1}\n"
        "it: {gpu_model: H100 SXM5, gpus: 256, load_profile: {file: load.csv}}\n"
        "cooling: {method: air}\n"
    )
    study = annual(facility.design(load_project(tmp_path / "project.yaml")))
    assert study.results["annual.short.hours"].si == 0.0
    assert not [check for check in study.checks if check.rule == "ANNUAL-CAPACITY" and check.failed]
