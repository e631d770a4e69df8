"""The failures of a designed project, and its failure and repair times."""

from __future__ import annotations

from dataclasses import replace
from functools import cache, partial
from typing import get_args

import pytest

from facility.model.inputs.power.reliability import ReliabilitySection
from facility.power.battery.sizing import autonomy_s
from facility.power.network.graph.types import EquipmentKind
from facility.study.failures.study import FailureStudy, failures
from tests.study.helpers import SHORTEST, design_of

KINDS = tuple(ReliabilitySection.model_fields)


designed = partial(design_of, SHORTEST)


def times(**worse: tuple[str, str]) -> tuple[str, ...]:
    found = []
    for kind in KINDS:
        mtbf, mttr = worse.get(kind, ("100000 h", "10 h"))
        found += [f"power.reliability.{kind}.mtbf={mtbf}", f"power.reliability.{kind}.mttr={mttr}"]
    return tuple(found)


@cache
def studied(*sets: str) -> FailureStudy:
    return failures(designed(*sets))


def test_every_field_names_a_kind_of_the_network() -> None:
    known = {*get_args(EquipmentKind), "circuit"}
    resolved = designed(*times()).facility.electrical.reliability.times
    assert set(resolved) <= known
    assert len(resolved) == len(KINDS)
    assert known - set(resolved) == {"maintenance-bypass"}
    assert resolved["ups"] == (1e5 * 3600.0, 36e3)
    assert not designed().facility.electrical.reliability.times


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("field", ["mtbf", "mttr"])
def test_every_field_moves_the_availability_of_what_the_network_has(kind: str, field: str) -> None:
    study = studied(*times())
    network_kind = {"generator": "generator-plant"}.get(kind, kind.replace("_", "-"))
    worse = ("50000 h", "10 h") if field == "mtbf" else ("100000 h", "20 h")
    changed = designed(*times(**{kind: worse})).facility.electrical.reliability.times
    plain = designed(*times()).facility.electrical.reliability.times
    assert {k for k in plain if plain[k] != changed[k]} == {network_kind}
    if any(
        network_kind in {study.network[t].kind for t in cut if t in study.network.index}
        for one in study.availability
        for cut in one.cuts
    ):
        after = studied(*times(**{kind: worse})).results["down_time.worst"].si
        assert after > study.results["down_time.worst"].si


def test_availability_is_reported_by_load_with_its_contributors() -> None:
    study = studied(*times())
    it = [load.tag for load in study.network.loads if load.kind.critical]
    assert sorted(tag for one in study.availability for tag in one.loads) == sorted(it)
    for one in study.availability:
        assert one.missing == ()
        assert sum(part for _, part in one.contributors) == pytest.approx(1.0)
        assert one.exact is None or one.exact <= (one.unavailability or 0.0)
    assert study.results["availability.worst"].si == pytest.approx(
        1.0 - study.results["down_time.worst"].si / (8760 * 3600.0)
    )


def test_states_of_a_design_close_with_its_loads() -> None:
    study = studied()
    """What the loads lose without power is the IT load, without the loss of their rack PDUs."""
    design_w = designed().it.it_w
    critical = sum(load.kind.total_w for load in study.network.loads if load.kind.critical)
    assert critical == pytest.approx(design_w, rel=1e-6)
    assert study.results["load_dropped.max"].si == pytest.approx(critical)
    assert study.loading.shape == (len(study.network.equipment), len(study.states))


def test_batteries_of_the_design_last_what_their_table_says() -> None:
    found = next(s for s in studied().states if s.case.outage.id == "loss of utility")
    batteries, buses = designed().electrical.batteries, designed().chain.ups.buses
    per_bus = designed().chain.ups.modules_per_system // buses
    times = [float(autonomy_s(batteries, w * buses, per_bus * buses)) for _, w in found.riding]
    assert found.battery_s == pytest.approx(min(times))
    assert found.battery_reason == ""


def test_a_study_is_made_once_for_a_design_and_anew_for_another() -> None:
    found = designed()
    first = failures(found)
    assert failures(found) is first
    assert failures(found, grouped=False).grouped is False
    assert failures(found, depth=2).depth == 2
    assert failures(found) is first
    other = replace(found)
    assert failures(other) is not first
    assert failures(other).results.values_by_key == first.results.values_by_key
