"""Which outages are studied, and which of them stand for others."""

from __future__ import annotations

from collections import Counter

import pytest

from facility.power.network.graph.types import Outage
from facility.power.network.outages.cases import cases
from facility.power.network.outages.grouping import Grouping
from facility.power.network.outages.lost import bypasses, losses, maintenance, opens_bypasses
from tests.power.network.schemes import SchemeOptions, scheme_network
from tests.study.failures.helpers import board, load, network, source

SCHEMES = ("N", "N+1", "N+2", "2N", "2(N+1)", "3N/2", "4N/3", "block-redundant")
TWO_N = scheme_network("2N", 900e3, SchemeOptions(racks=12))


def test_every_unit_and_every_circuit_is_lost_once() -> None:
    tags = Counter(tag for part in losses(TWO_N) for tag in part.tags)
    units = {tag for one in TWO_N.equipment for tag in one.unit_tags}
    circuits = {link.circuit for _, link in TWO_N.links if link.circuit}
    assert set(tags) == units | circuits
    assert set(tags.values()) == {1}


def test_maintenance_takes_single_units_and_the_bus_they_share() -> None:
    found = {part.name: part for part in maintenance(TWO_N)}
    assert found["UPS-A-1"].tags == ("UPS-A-1",)
    whole = found["all of UPS-A"]
    assert whole.tags == (*TWO_N["UPS-A"].unit_tags, "SBP-A")
    assert whole.equipment == ("UPS-A", "SBP-A")
    assert found["BD-A"].tags == ("BD-A",)
    assert "UTILITY>MVS-A" in found


def test_what_is_not_maintainable_is_left_out_with_its_circuits() -> None:
    net = network(source("U"), board("X", "U", circuits=True), loads=(load("R", "X"),))
    fixed = net.equipment[1].__class__(
        "X", "lv-board", 480.0, net.equipment[1].links, maintainable=False
    )
    assert {p.name for p in maintenance(net)} == {"U", "X", "U>X"}
    kept = network(net.equipment[0], fixed, loads=net.loads)
    assert {p.name for p in maintenance(kept)} == {"U"}


def test_pairs_end_at_the_panels() -> None:
    below = {p.name for p in losses(TWO_N, down_to_panels=True)}
    assert "PNL-A-1" in below
    assert "PDU-A-1>PNL-A-1" in below
    assert not any(name.endswith(">R1") for name in below)


def test_maintenance_bypass_is_closed_by_maintenance_alone() -> None:
    assert bypasses(TWO_N)["MBP-A"] == (("UPS-A", ("SBP-A",)),)
    lost, kept = opens_bypasses(TWO_N)(
        (Outage("loss", lost=("UPS-A-1",)), Outage("work", maintained=TWO_N["UPS-A"].unit_tags))
    )
    assert {"MBP-A", "MBP-B"} <= set(lost.out)
    assert "MBP-A" not in kept.out
    assert "MBP-B" in kept.out


def test_single_utility_is_one_state_of_its_own() -> None:
    kinds = Counter(case.kind for case in cases(TWO_N))
    assert kinds["normal"] == kinds["utility"] == 1
    assert not any(case.outage.id == "loss of UTILITY" for case in cases(TWO_N))
    sets = len(TWO_N["GEN"].unit_tags)
    ungrouped = Counter(case.kind for case in cases(TWO_N, grouped=False))
    assert ungrouped["utility-generator"] == sets


@pytest.mark.parametrize("name", SCHEMES)
@pytest.mark.parametrize("depth", [1, 2])
def test_groups_cover_every_outage_once(name: str, depth: int) -> None:
    net = scheme_network(name, 900e3, SchemeOptions(racks=12))
    grouped, every = list(cases(net, depth)), list(cases(net, depth, grouped=False))
    assert {case.size for case in every} == {1}
    for kind in {case.kind for case in every}:
        mine = [case for case in grouped if case.kind == kind]
        assert sum(case.size for case in mine) == sum(case.kind == kind for case in every)
    names = [name for case in grouped if case.kind == "loss" for name in case.alike]
    assert sorted(names) == sorted(c.component for c in every if c.kind == "loss")
    assert len(grouped) < len(every)


def test_equal_sides_are_one_group_and_unequal_ones_are_not() -> None:
    grouping = Grouping(TWO_N)
    groups = {
        part.name: {p.name for p in group}
        for group in grouping.groups(losses(TWO_N))
        for part in group
    }
    assert groups["BD-A"] == {"BD-A", "BD-B"}
    assert groups["UPS-A-1"] == {u for side in "AB" for u in TWO_N[f"UPS-{side}"].unit_tags}
    lame = network(
        source("U"), board("X", "U"), board("Y", "U"), loads=(load("R1", "X", "Y"), load("R2", "X"))
    )
    separate = {
        part.name: len(group) for group in Grouping(lame).groups(losses(lame)) for part in group
    }
    assert separate == {"U": 1, "X": 1, "Y": 1}


def test_the_part_maintained_splits_its_group() -> None:
    grouping, lost = Grouping(TWO_N), losses(TWO_N)
    (marked,) = (p for p in maintenance(TWO_N) if p.name == "BD-A")
    groups = {
        part.name: {p.name for p in group}
        for group in grouping.groups(lost, marked)
        for part in group
    }
    assert groups["TX-A"] == {"TX-A"}
    assert groups["TX-B"] == {"TX-B"}
    alone = {part.name for group in grouping.groups(lost) if len(group) > 1 for part in group}
    assert {"TX-A", "TX-B"} <= alone
