"""A second import updates racks by their names, keeps manual edits and never duplicates."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from facility.core.errors import FacilityError
from facility.files.incoming.inventory.answers import answers_of
from facility.files.incoming.inventory.read import Inventory, read_inventory
from facility.files.incoming.inventory.tables import InventoryFile
from facility.model.inputs.document import Project, as_typed, read_document
from facility.model.inputs.entries import value_at
from facility.model.rack_names import names_of, runs_of

HEAD = "Room,Rack,Name,Model\n"
NEW = read_document({"schema_version": "1", "power": {"redundancy": "N+1"}})


def rows(*racks: int, each: int = 2, room: str = "H1") -> str:
    return "".join(
        f"{room},R{rack:02d},n{rack:02d}-{number},DGX H100\n"
        for rack in racks
        for number in range(1, each + 1)
    )


def imported(text: str, project: Project, **choices: str) -> Inventory:
    found = read_inventory([InventoryFile("list.csv", text)], answers_of(choices=choices), project)
    assert found.ready, [*found.questions, *found.problems]
    return found


def after(found: Inventory) -> Project:
    assert found.after is not None
    return found.after


def types(project: Project, hall: int = 0) -> list[tuple[object, ...]]:
    racks = value_at(as_typed(project), f"it.halls.{hall}.racks")
    assert isinstance(racks, list)
    return [(one["name"], one["count"], one.get("names")) for one in racks]


def changes(found: Inventory) -> list[tuple[str, ...]]:
    return [(one.change, one.subject, one.was, one.now) for one in found.update.differences]


@pytest.fixture(scope="module")
def first() -> Project:
    return after(imported(HEAD + rows(1, 2, 3), NEW))


def test_equal_racks_are_one_type_with_their_names(first: Project) -> None:
    assert types(first) == [("R01..R03", "3", ["R01..R03"])]
    devices = value_at(as_typed(first), "it.halls.0.racks.0.devices")
    names = ["n01-1", "n01-2", "n02-1", "n02-2", "n03-1", "n03-2"]
    assert devices == [{"model": "DGX H100", "count": "2", "names": names}]


def test_the_same_inventory_again_changes_nothing(first: Project) -> None:
    again = imported(HEAD + rows(1, 2, 3), first)
    assert not again.update.changes
    assert not again.update.differences
    assert as_typed(after(again)) == as_typed(first)


def test_names_in_other_letters_are_found_again(first: Project) -> None:
    listed = rows(1, 2, 3).replace("R02", "r02").replace("n03-1", "N03-1")
    again = imported(HEAD + listed, first)
    assert not again.update.changes
    note = "names that differ from the project only in capitalization: r02 is R02, N03-1 is n03-1"
    assert note in again.notes


def test_racks_and_devices_added_changed_moved_and_removed(first: Project) -> None:
    text = HEAD + rows(1) + rows(3, each=1) + rows(4) + "H1,R03,n02-2,DGX H100\n"
    found = imported(text, first)
    assert changes(found) == [
        ("added", "R04", "", "2 x DGX H100"),
        ("removed", "R02", "2 x DGX H100", ""),
        ("moved", "n02-2", "H1, R02", "H1, R03"),
        ("added", "n04-1", "", "device in R04"),
        ("added", "n04-2", "", "device in R04"),
        ("removed", "n02-1", "device in R02", ""),
        ("removed", "n03-2", "device in R03", ""),
    ]
    assert types(after(found)) == [("R01 and 2 more", "3", ["R01", "R03", "R04"])]
    changed = imported(HEAD + rows(1, 2) + rows(3, each=3), first)
    assert changes(changed)[0] == ("changed", "R03", "2 x DGX H100", "3 x DGX H100")
    assert types(after(changed)) == [("R01, R02", "2", ["R01", "R02"]), ("R03", "1", None)]


def test_manual_edits_stay_with_their_racks(first: Project) -> None:
    edited = first.with_(
        {
            "it.halls.0.floor_area": "300 m2",
            "it.halls.0.racks.0.name": "Training",
            "it.halls.0.racks.0.power_limit": "45 kW",
            "it.halls.0.racks.0.devices.0.power": "9 kW",
        }
    )
    assert not imported(HEAD + rows(1, 2, 3), edited).update.changes
    found = imported(HEAD + rows(1, 2, 3, 4), edited)
    assert changes(found)[0] == ("added", "R04", "", "2 x DGX H100")
    hall = value_at(as_typed(after(found)), "it.halls.0")
    assert isinstance(hall, dict)
    assert hall["floor_area"] == "300 m2"
    (rack,) = hall["racks"]
    assert (rack["name"], rack["names"], rack["count"]) == ("Training", ["R01..R04"], "4")
    assert (rack["power_limit"], rack["devices"][0]["power"]) == ("45 kW", "9 kW")
    assert found.update.notes[0] == (
        "new racks join the identical type 'Training' and its manual edits"
    )


def test_a_hall_that_is_not_listed_is_a_question(first: Project) -> None:
    text = HEAD + rows(7, room="H2")
    asked = read_inventory([InventoryFile("list.csv", text)], answers_of(), first)
    assert [question.code for question in asked.questions] == ["INVENTORY_HALL"]
    kept = after(imported(text, first, other_halls="keep"))
    assert (types(kept), types(kept, 1)) == (types(first), [("R07", "1", None)])
    assert types(after(imported(text, first, other_halls="remove"))) == [("R07", "1", None)]


def test_switches_that_the_project_also_designs_are_a_question() -> None:
    project = NEW.with_({"it.network": {"topology": "fat-tree"}})
    text = HEAD + rows(1) + "H1,R02,sw1,QM9700\n"
    asked = read_inventory([InventoryFile("list.csv", text)], answers_of(), project)
    assert [question.code for question in asked.questions] == ["INVENTORY_DESIGNED"]
    assert after(imported(text, project, designed="keep")).it.network is not None
    assert after(imported(text, project, designed="remove")).it.network is None


def test_one_site_of_several_is_found_again() -> None:
    head = "Site,Room,Rack,Model\n"
    lines = [f"DC{n},Room 1,R1,DGX H100\n" for n in (1, 2)]
    both = after(imported(head + "".join(lines), NEW))
    assert not imported(head + lines[1], both, other_halls="keep").update.changes


def test_own_devices_keep_the_fields_that_the_list_does_not_state() -> None:
    head = "Rack,Model,Device height,Device max power (W)\n"
    answers = answers_of(["Device height=device_units"])
    source = InventoryFile("list.csv", head + "R1,Box,2,900\n")
    project = after(read_inventory([source], answers, NEW))
    project = project.with_({"it.devices.0.airflow": "100 cfm"})
    source = InventoryFile("list.csv", head + "R1,Box,2,950\n")
    found = after(read_inventory([source], answers, project))
    assert value_at(as_typed(found), "it.devices.0") == {
        "model": "Box", "maximum_power": "950 W", "rack_units": "2", "airflow": "100 cfm",
    }  # fmt: skip


@pytest.mark.parametrize(
    "names", [["R1", "R2", "R3"], ["A09", "A10", "A11", "B1"], ["x", "x"], [], ["a1..a3", "b"]]
)
def test_runs_of_names_are_read_back(names: list[str]) -> None:
    assert list(names_of(runs_of(names))) == list(names_of(names))


COLUMNS = {
    "Room": ("H1", "H2"),
    "Rack": ("R1", "R2", "R3"),
    "Model": ("DGX H100", "QM9700"),
    "Devices per rack": ("1", "2"),
    "Feeds": ("A", "B"),
    "Breaker (A)": ("60",),
    "Poles": ("3",),
    "Input power": ("900 W", "1 kW"),
    "Rack height": ("48",),
}
ROWS = st.lists(st.tuples(*map(st.sampled_from, COLUMNS.values())), min_size=1, max_size=6)


def whole(listed: list[tuple[str, ...]], project: Project) -> Inventory:
    text = "\n".join("\t".join(row) for row in [tuple(COLUMNS), *listed])
    answers = answers_of(choices={"other_halls": "remove"})
    return read_inventory([InventoryFile("list.tsv", text)], answers, project)


def contents(project: Project) -> dict[tuple[str, str], str]:
    found: dict[tuple[str, str], str] = {}
    for hall in value_at(as_typed(project), "it.halls"):  # type: ignore[attr-defined]
        for rack in hall["racks"]:
            names = names_of(rack.pop("names", [rack["name"]]))
            assert len(names) == int(rack.pop("count"))
            devices = sorted(map(str, rack.pop("devices")))
            rest = {key: value for key, value in rack.items() if key != "name"}
            for name in names:
                assert (hall["name"], name) not in found
                found[hall["name"], name] = f"{devices} {rest}"
    return found


@settings(max_examples=40, deadline=None, derandomize=True)
@given(ROWS, ROWS, st.randoms(use_true_random=False))
def test_an_update_gives_what_a_first_import_gives(
    listed: list[tuple[str, ...]], later: list[tuple[str, ...]], random: Random
) -> None:
    one, other = whole(listed, NEW), whole(later, NEW)
    if one.after is None or other.after is None or one.problems or other.problems:
        return
    random.shuffle(listed)
    assert not whole(listed, one.after).update.changes
    updated = whole(later, one.after).after
    assert updated is not None
    assert contents(updated) == contents(other.after)
    assert not whole(later, updated).update.changes


@pytest.mark.parametrize(
    "stated", [{"columns": ["Qty=count", "qty=ignore"]}, {"values": ["box=compute", "Box=storage"]}]
)
def test_a_second_answer_never_replaces_the_first(stated: dict[str, list[str]]) -> None:
    with pytest.raises(FacilityError, match="is specified as") as caught:
        answers_of(**stated)
    assert caught.value.code == "TABLE_ANSWER"
    same = {key: [texts[0], texts[0]] for key, texts in stated.items()}
    assert len(answers_of(**same).columns | answers_of(**same).values) == 1
