"""Tree and checks of the objects of a design, against the network and the halls."""

from __future__ import annotations

from collections import Counter

import pytest

from facility.report.drawings.live.moments import live_state
from facility.report.drawings.live.racks import HallLoads
from facility.report.drawings.one_line.state import find_case
from facility.report.objects.checks import ObjectChecks
from facility.report.objects.objects import IT, POWER, SITE, DesignObjects
from facility.report.objects.tree import MAX_CHILDREN, ObjectTree
from facility.study.design.design import Design
from tests.study.helpers import reference


@pytest.fixture(scope="module")
def design() -> Design:
    return reference("h100-10k")


@pytest.fixture(scope="module")
def objects(design: Design) -> DesignObjects:
    return DesignObjects(design, design.states.network)


@pytest.fixture(scope="module")
def tree(design: Design, objects: DesignObjects) -> ObjectTree:
    network = design.states.network
    case = find_case(network, "loss of MVS-A")
    return ObjectTree(objects, live_state(design.states, HallLoads(network), case, ()))


def test_every_piece_of_equipment_is_one_object(design: Design, objects: DesignObjects) -> None:
    drawn = [one.tag for one in design.states.network.equipment if one.kind != "rack-pdu"]
    found = Counter(tag for tag in drawn if objects[tag].tags == (tag,))
    assert set(found.values()) == {1}
    assert len(found) == 224


def test_lineups_hold_what_feeds_and_is_fed_by_their_ups(objects: DesignObjects) -> None:
    assert objects.path("UPS-B1") == (POWER, "SYSTEM-B", "LINEUP-B1", "UPS-B1")
    assert objects.children("LINEUP-B1") == ("TX-B1", "LVB-B1", "UPS-B1", "LINEUP-B1/panels")
    assert objects.children("UPS-B1") == ("SBP-B1", "MBP-B1", "UPO-B1")
    assert objects.path("MVS-B") == (POWER, "SYSTEM-B", "MVS-B")
    assert objects.path("UTIL") == (POWER, "UTIL")
    panels = objects["LINEUP-B1/panels"].tags
    assert len(panels) == 7
    network = objects.network
    assert network is not None
    assert {network[tag].links[0].source for tag in panels} == {"UPO-B1"}


def test_racks_are_in_the_rows_of_their_hall(objects: DesignObjects) -> None:
    rows = objects.children("Hall 1")
    assert len(rows) == 20
    assert sum(len(objects.children(row)) for row in rows) == 387
    assert objects.path("Compute 045") == (IT, "Hall 1", "Hall 1/row 3", "Compute 045")


def test_a_system_with_one_ups_needs_no_lineup() -> None:
    small = reference("nvl72-hall")
    found = DesignObjects(small, small.states.network)
    listed = ("MVS-A", "TX-A", "ATS-A", "LVB-A", "UPS-A", "SYSTEM-A/panels")
    assert found.children("SYSTEM-A") == listed
    assert "GPB" in found.children(POWER)
    assert found["CDU"].about == "2 installed, 1 on duty"


def test_without_the_network_the_other_objects_are_listed(design: Design) -> None:
    found = DesignObjects(design, None)
    assert found.children(POWER) == ()
    assert {SITE, "Hall 1", "CH", "LOOP-chw"} <= set(found)


def test_figures_are_those_of_the_state(tree: ObjectTree) -> None:
    assert tree.row("SYSTEM-A").figure == "out"
    assert tree.row("TX-A1").look == "off"
    ups = tree.row("UPS-B1")
    assert (ups.figure, ups.look, ups.children) == ("78.0", "ok", 3)
    assert tree.row("Hall 1").figure == "387 racks"
    assert tree.row("CH").figure == "8"
    assert tree.row("GEN").figure == "standby"
    assert tree.row("Compute 045").figure == "40.8 kW"
    assert len(tree.children("Hall 1/row 1")) == 20
    assert len(tree.children()) == 4 <= MAX_CHILDREN


@pytest.mark.parametrize(
    ("id", "rules", "others"),
    [
        (
            "UPS-B1",
            {"UPS-KVA", "BATTERY-AUTONOMY", "FAULT-INTERRUPTING"},
            {"PANEL-LOAD", "LOOP-HEAD"},
        ),
        ("TX-A1", {"TRANSFORMER-DEVICE", "MV-CABLE"}, {"UPS-KVA"}),
        ("RPP-A05", {"PANEL-LOAD", "PANEL-POLES"}, {"UPS-KVA", "TRANSFORMER-DEVICE"}),
        ("Compute 001", {"RACK-POWER", "AIR-DENSITY-LIMIT"}, {"PANEL-LOAD"}),
        ("Hall 1", {"INLET-TEMPERATURE", "RIDE-THROUGH"}, {"UPS-KVA"}),
        ("CH", {"CHILLER-CAPACITY", "MOTOR-DEVICE"}, {"CRAH-CAPACITY"}),
        ("CT", {"REJECTION-CAPACITY", "TOWER-FREEZE"}, {"CHILLER-CAPACITY"}),
        ("LOOP-chw", {"LOOP-HEAD", "VALVE-AUTHORITY"}, {"TOWER-FREEZE"}),
        (POWER, {"SPOF", "CONCURRENTLY-MAINTAINABLE"}, {"PANEL-LOAD"}),
        (SITE, {"PUE-BAND", "MEMORY-DEFAULT"}, {"SPOF"}),
    ],
)
def test_checks_are_those_of_the_subject(
    design: Design, objects: DesignObjects, id: str, rules: set[str], others: set[str]
) -> None:
    found = {check.rule for check in ObjectChecks(objects, design.checks).of(objects[id])}
    assert rules <= found
    assert not others & found


def test_a_range_of_panels_ends_at_its_last(design: Design, objects: DesignObjects) -> None:
    """RPP-A25 has findings of its own range, not those of RPP-A01 to RPP-A24."""
    index = ObjectChecks(objects, design.checks)
    first, later = (
        {check.subject for check in index.of(objects[tag]) if check.rule == "PANEL-LOAD"}
        for tag in ("RPP-A24", "RPP-A25")
    )
    assert first
    assert later
    assert not first & later


def test_nearly_every_check_bears_on_an_object(design: Design, objects: DesignObjects) -> None:
    index = ObjectChecks(objects, design.checks)
    found = {id(check) for one in objects.values() for check in index.of(one)}
    left = {check.rule for check in design.checks if id(check) not in found}
    assert left <= {"BREAKER-STANDARD", "MEMORY-DATA"}
