"""Racks without a known model draw the power of their rows."""

from __future__ import annotations

import pytest

from facility.files.incoming.inventory.answers import answers_of, options_in
from facility.files.incoming.inventory.read import Inventory, read_inventory
from facility.files.incoming.inventory.tables import InventoryFile
from facility.model.inputs.document import read_document
from facility.study.design.design import design
from tests.files.incoming.inventory.test_files import book

PROJECT = read_document({"schema_version": "1"})
GERMAN = "Schrank;Reihe;IT-Leistung [kW];Höhe (HE)\nA01;A;17,5;47\nA02;A;17,5;47\nB01;B;12,25;47\n"
WORKBOOK = book(
    Racks=(("Cabinet", "Power per rack (W)"), ("A01", 17500), ("A02", 17500.0), ("B01", 12250))
)


def read(content: str | bytes, *columns: str, values: tuple[str, ...] = ()) -> Inventory:
    name = "list.xlsx" if isinstance(content, bytes) else "list.csv"
    return read_inventory([InventoryFile(name, content)], answers_of(columns, values), PROJECT)


@pytest.mark.parametrize("content", [GERMAN, WORKBOOK], ids=("german", "workbook"))
def test_a_list_of_rack_powers_is_designed_with_them(content: str | bytes) -> None:
    found = read(content)
    assert found.ready
    assert found.summary == "3 racks, 3 stated loads, 1 model, largest rack 17.5 kW, 1 room"
    assert found.after is not None
    made = design(found.after)
    assert made.results["load.it"].si == pytest.approx(2 * 17_500.0 + 12_250.0)
    assert [(one.name, one.count) for one in made.facility.it.racks] == [
        ("A01, A02", 2),
        ("B01", 1),
    ]


def test_one_answer_is_for_all_rows_with_the_same_unknown_model() -> None:
    rows = "Rack,Model,kW per rack\nA1,Blade 9,20\nA2,Blade 9,30\nA3,DGX H100,10.2\n"
    found = read(rows)
    (question,) = found.questions
    offered = options_in(question.answer)
    assert ("value", "Blade 9=rack power") in offered
    assert ("value", "Blade 9=<catalogue model>") in offered
    found = read(rows, values=("Blade 9=rack power",))
    assert found.ready
    assert found.summary.startswith("3 racks, 2 stated loads, 1 server")


def test_a_rack_with_several_unknown_devices_draws_its_power_once() -> None:
    rows = "Rack,Model,Rack power (kW)\nA1,Blade 9,20\nA1,Blade 9,20\nA1,DGX H100,20\n"
    found = read(rows, values=("Blade 9=rack power",))
    (rack,) = found.racks
    assert [(key, one.count) for key, one in rack.contents.items()] == [
        (("Stated rack load", "20 kW"), 1)
    ]
    assert any("2 further rows of these racks are part of it" in note for note in found.notes)


def test_devices_of_stated_power_add_up() -> None:
    rows = "Rack,Model,Number of devices,Power per device (W)\nA1,Blade 9,4,900\n"
    found = read(rows, "Power per device (W)=input_power", values=("Blade 9=rack power",))
    (rack,) = found.racks
    assert [(key, one.count) for key, one in rack.contents.items()] == [
        (("Stated rack load", "900 W"), 4)
    ]


def test_rows_without_a_model_are_one_question() -> None:
    rows = "Rack,Model,kW per rack\nA1,,20\nA2,,30\nA3,DGX H100,10.2\n"
    (question,) = read(rows).questions
    assert question.text == "2 rows have no model."
    assert options_in(question.answer) == [
        ("fill_down", "model"),
        ("value", "no model=rack power"),
        ("skip", "model"),
    ]
    assert read(rows, values=("no model=rack power",)).ready
