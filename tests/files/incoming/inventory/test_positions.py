"""U positions and connectors of an inventory: read, kept, updated, overlaps named."""

from __future__ import annotations

import pytest

from facility.files.incoming.inventory.answers import answers_of
from facility.files.incoming.inventory.read import Inventory, read_inventory
from facility.files.incoming.inventory.tables import InventoryFile
from facility.files.rack_list import changes_for, racks_of
from facility.model.inputs.document import Project, as_typed, read_document
from facility.model.inputs.entries import value_at
from facility.model.rack_positions import lowest_unit, unit_conflicts

NEW = read_document({"schema_version": "1", "power": {"redundancy": "2N"}})
HEAD = "Room,Rack,Feeds,U Position,Name,Model,Connector\n"
LIST = HEAD + "".join(
    f"H1,R{rack:02d},A;B,{unit},g{rack}-{unit},DGX H100,{plug}\n"
    for rack in (1, 2)
    for unit, plug in ((1, "C19"), (9, "C13"))
)


@pytest.mark.parametrize(
    ("text", "unit"),
    [
        *(("12", 12.0), ("U12", 12.0), ("RU 12", 12.0), ("12U", 12.0), ("12.0", 12.0)),
        *(("12,5", 12.5), ("12-15", 12.0), ("U15 - U12", 12.0), ("HE 3 bis 4", 3.0)),
        *(("0", None), ("101", None), ("rear", None), ("A-12", None), ("1" * 5000, None)),
    ],
)
def test_lowest_unit_of_a_position(text: str, unit: float | None) -> None:
    assert lowest_unit(text) == unit


@pytest.mark.parametrize(
    ("devices", "units", "conflicts"),
    [
        ([("a", 1.0, 8), ("b", 9.0, 8)], 16, []),
        ([("a", 1.0, 8), ("b", 8.0, 8)], 16, ["a (U1 to U8) and b (U8 to U15) overlap"]),
        ([("a", 10.0, 8)], 16, ["a (U10 to U17) exceeds the 16 U rack"]),
        ([("a", 10.0, 8)], None, []),
        (
            [("a", 1.0, 20), ("b", 2.0, 1), ("c", 5.0, 1), ("d", None, 9)],
            42,
            [f"a (U1 to U20) and {text} overlap" for text in ("b (U2)", "c (U5)")],
        ),
    ],
)
def test_devices_that_overlap(
    devices: list[tuple[str, float | None, int]], units: int | None, conflicts: list[str]
) -> None:
    assert list(unit_conflicts(devices, units)) == conflicts


def read(text: str, project: Project = NEW) -> Inventory:
    found = read_inventory([InventoryFile("list.csv", text)], answers_of(), project)
    assert found.ready, [*found.questions, *found.problems]
    return found


def after(found: Inventory) -> Project:
    assert found.after is not None
    return found.after


def racks(project: Project) -> list[object]:
    listed = value_at(as_typed(project), "it.halls.0.racks")
    assert isinstance(listed, list)
    return list(listed)


def stated(project: Project) -> list[tuple[object, object]]:
    return [
        (one["connector"], one["devices"][0].get("u_positions"))
        for one in racks(project)
        if isinstance(one, dict)
    ]


def test_equal_racks_share_their_positions() -> None:
    found = read(LIST)
    assert not found.unread
    assert stated(after(found)) == [("C13, C19", ["1", "9"])]
    assert not read(LIST, after(found)).update.changes


def test_positions_that_differ_are_kept_rack_by_rack() -> None:
    moved = LIST.replace("A;B,9,g2-9", "A;B,17,g2-9")
    project = after(read(moved))
    assert stated(project) == [("C13, C19", ["1", "9", "1", "17"])]
    again = read(LIST, project)
    assert [(one.subject, one.was, one.now) for one in again.update.differences] == [
        ("R02", "U1, U17", "U1, U9")
    ]
    assert stated(after(again)) == [("C13, C19", ["1", "9"])]
    swapped = LIST.replace(",1,g1-1,", ",9,g1-1,").replace(",9,g1-9,", ",1,g1-9,")
    changed = read(swapped, after(again)).update.differences
    assert [(one.was, one.now) for one in changed] == [("g1-1 U1, g1-9 U9", "g1-1 U9, g1-9 U1")]


def test_a_list_without_positions_keeps_those_of_the_project() -> None:
    bare = "\n".join(
        ",".join(cell for n, cell in enumerate(line.split(",")) if n not in (3, 6))
        for line in LIST.splitlines()
    )
    assert stated(after(read(bare, after(read(LIST))))) == [("C13, C19", ["1", "9"])]


def test_overlaps_and_other_texts_are_noted() -> None:
    notes = read(LIST.replace(",9,g1-9", ",8,g1-9").replace(",9,g2-9", ",rear,g2-9")).notes
    assert "U positions: rack R01: g1-1 (U1 to U8) and g1-9 (U8 to U15) overlap" in notes
    assert "1 position is not in rack units: 'rear', first list.csv!D5" in notes


def test_the_rack_list_has_positions_and_connectors() -> None:
    project = after(read(LIST))
    rows = racks_of(project)
    assert [(row["u_positions"], row["connector"]) for row in rows] == [("1, 9", "C13, C19")]
    assert racks(project.with_(changes_for(rows, project))) == racks(project)
