"""A rack list is read with every problem at its row and column, and becomes the halls."""

from __future__ import annotations

import io

import openpyxl
import pytest

from facility.core.errors import FacilityError
from facility.files.project.file import default_project, example_text, parse_project
from facility.files.rack_list import (
    COLUMNS,
    changes_for,
    checked,
    racks_of,
    read_pasted_racks,
    read_rack_file,
)
from facility.model.inputs.document import as_typed
from facility.model.inputs.entries import fields, value_at, with_entries
from facility.study.design.design import design

LIST = """\
Room,Cabinet,Qty,Server model,Servers per rack,Feed,Owner
One,Nodes,"1,000",DGX H100,4,"A, B, C",me
One,Fabric,2,QM9700,12,"A, B",me
Two,Mixed,1,DGX H100,2,,
Two,Mixed,,QM9700,3,,
"""


def book(*rows: tuple[object, ...]) -> bytes:
    made = openpyxl.Workbook()
    made.active.append(["Racks of the hall"])
    for row in rows:
        made.active.append(row)
    stream = io.BytesIO()
    made.save(stream)
    return stream.getvalue()


def test_headings_are_read_by_their_usual_names() -> None:
    found = read_rack_file(LIST.encode(), "racks.csv")
    assert found.ignored == ("Owner",)
    assert found.rows[0] == {
        "hall": "One", "rack": "Nodes", "count": "1,000", "device": "DGX H100", "devices": "4",
        "feeds": "A, B, C",
    }  # fmt: skip
    assert not checked(found.rows, default_project()).problems
    halls = changes_for(found.rows, default_project())["it.halls"]
    assert halls == [
        {
            "name": "One",
            "racks": [
                {"name": "Nodes", "count": "1000", "feeds": ["A", "B", "C"],
                 "devices": [{"model": "DGX H100", "count": "4"}]},
                {"name": "Fabric", "count": "2", "feeds": ["A", "B"],
                 "devices": [{"model": "QM9700", "count": "12"}]},
            ],
        },
        {
            "name": "Two",
            "racks": [
                {"name": "Mixed", "count": "1",
                 "devices": [{"model": "DGX H100", "count": "2"},
                             {"model": "QM9700", "count": "3"}]},
            ],
        },
    ]  # fmt: skip


def test_a_workbook_and_pasted_rows_say_the_same_as_csv() -> None:
    rows = [("rack", "count", "device", "devices"), ("Nodes", 3, "DGX H100", 4)]
    pasted = "\n".join("\t".join(map(str, row)) for row in rows)
    expected = ({"rack": "Nodes", "count": "3", "device": "DGX H100", "devices": "4"},)
    assert read_rack_file(book(*rows), "racks.xlsx").rows == expected
    assert read_pasted_racks(pasted).rows == expected


def test_a_list_replaces_the_gpus_by_number_and_can_be_designed() -> None:
    rows = read_pasted_racks("rack;count;device;devices\nNodes;3;DGX H100;4\n").rows
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


@pytest.mark.parametrize(
    ("content", "name", "code"),
    [
        (b"a,b\n1,2\n", "racks.csv", "RACK_LIST_COLUMN"),
        (b"", "racks.csv", "FILE_EMPTY"),
        (b"PK not a book", "racks.xlsx", "NOT_A_WORKBOOK"),
        (b'rack,device\n"R,DGX H100\n', "racks.csv", "RACK_LIST_ROW"),
        (b"rack,device\n" + b"R,DGX H100\n" * 2001, "racks.csv", "FILE_TOO_LARGE"),
    ],
)
def test_a_file_that_lists_no_racks_is_refused(content: bytes, name: str, code: str) -> None:
    with pytest.raises(FacilityError) as caught:
        read_rack_file(content, name)
    assert caught.value.code == code


def test_every_column_is_a_field_of_the_declaration() -> None:
    assert set(COLUMNS.values()) <= set(fields())
