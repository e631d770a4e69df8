"""The rack table of a project: every problem at its row and column; it becomes the halls."""

from __future__ import annotations

import pytest

from facility.files.project.file import default_project, example_text, parse_project
from facility.files.rack_list import COLUMNS, changes_for, checked, racks_of
from facility.model.inputs.document import as_typed
from facility.model.inputs.entries import fields, value_at, with_entries
from facility.study.design.design import design


def test_a_list_replaces_the_gpus_by_number_and_can_be_designed() -> None:
    rows = [{"rack": "Nodes", "count": "3", "device": "DGX H100", "devices": "4"}]
    project = with_entries(default_project(), changes_for(rows, default_project()))
    assert project.it.gpus is None
    assert design(project).results["load.servers"].si == 12
    assert racks_of(project) == (
        {**dict.fromkeys(COLUMNS, ""), "hall": "Hall 1", "rack": "Nodes", "count": "3",
         "device": "DGX H100", "devices": "4"},
    )  # fmt: skip


def test_the_racks_of_a_project_come_back_the_same() -> None:
    project = parse_project(example_text("mixed-hall"))
    rows = racks_of(project)
    assert len(rows) == 4
    assert not checked(rows, project).problems
    again = with_entries(project, changes_for(rows, project))
    before = value_at(as_typed(project), "it.halls.0.racks.1")
    assert value_at(as_typed(again), "it.halls.0.racks.1") == before
    assert design(again).results["load.it"] == design(project).results["load.it"]


def test_what_a_hall_states_besides_its_racks_is_kept() -> None:
    project = with_entries(
        parse_project(example_text("mixed-hall")), {"it.halls.0.floor_area": "900 m2"}
    )
    again = with_entries(project, changes_for(racks_of(project)[:2], project))
    assert value_at(as_typed(again), "it.halls.0.floor_area") == "900 m2"
    assert len(again.it.halls[0].racks) == 2  # type: ignore[index,arg-type]


def test_names_and_device_fields_stay_while_the_counts_are_unchanged() -> None:
    project = with_entries(
        parse_project(example_text("mixed-hall")), {"it.halls.0.racks.1.devices.0.power": "9 kW"}
    )
    rack = value_at(as_typed(project), "it.halls.0.racks.1")
    assert isinstance(rack, dict)
    names = {"it.halls.0.racks.1.names": [f"R{n}" for n in range(int(rack["count"]))]}
    project = with_entries(project, names)
    rows = [dict(row) for row in racks_of(project)]
    again = with_entries(project, changes_for(rows, project))
    assert as_typed(again)["it"] == as_typed(project)["it"]
    row = next(row for row in rows if row["rack"] == rack["name"])
    row["count"] = "77"
    changed = value_at(
        as_typed(with_entries(project, changes_for(rows, project))), "it.halls.0.racks.1"
    )
    assert isinstance(changed, dict)
    assert (changed["devices"][0]["power"], "names" in changed) == ("9 kW", False)


@pytest.mark.parametrize(
    ("row", "where", "code"),
    [
        ({"rack": "", "device": "DGX H100"}, "row 1, rack", "RACK_LIST_ROW"),
        ({"rack": "R", "device": ""}, "row 1, device", "RACK_LIST_ROW"),
        ({"rack": "R", "device": "DGX H10"}, "row 1, device", "UNKNOWN_MODEL"),
        ({"rack": "R", "device": "DGX H100", "count": "many"}, "row 1, count", "NOT_A_COUNT"),
        ({"rack": "R", "device": "DGX H100", "count": "0"}, "row 1, count", "NOT_A_COUNT"),
        ({"rack": "R", "device": "DGX H100", "purpose": "fun"}, "row 1, purpose", "NOT_ONE_OF"),
        (
            {"rack": "R", "device": "DGX H100", "power_limit": "40"},
            "row 1, power_limit",
            "UNIT_MISSING",
        ),
    ],
)
def test_a_cell_that_is_wrong_is_named_with_row_and_column(
    row: dict[str, str], where: str, code: str
) -> None:
    (problem,) = checked([row], default_project()).problems
    assert (problem.where, problem.code) == (where, code)
    assert problem.hint


def test_rows_of_one_kind_of_rack_must_agree() -> None:
    rows = [
        {"rack": "R", "device": "DGX H100", "count": "3"},
        {"rack": "R", "device": "QM9700", "count": "4"},
    ]
    (problem,) = checked(rows, default_project()).problems
    assert problem.where == "row 2, count"
    assert not checked([rows[0], {"rack": "R", "device": "QM9700"}], default_project()).problems


def test_every_column_is_a_field_of_the_declaration() -> None:
    assert set(COLUMNS.values()) <= set(fields())
