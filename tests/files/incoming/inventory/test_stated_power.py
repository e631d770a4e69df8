"""Racks without a known model draw the power of their rows."""

from __future__ import annotations

import pytest

from facility.files.incoming.inventory.answers import answers_of, options_in
from facility.files.incoming.inventory.read import Inventory, read_inventory
from facility.files.incoming.inventory.tables import InventoryFile
from facility.model.inputs.document import read_document
from facility.power.panels.design.groups import rack_names
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
    assert made.facility.it.halls[0].rows == (2 if content is GERMAN else 1)
    assert found.sums == "Sum of the list: 47.2 kW in 3 racks. Hall: 47.2 kW in 3 racks."
    assert not found.warning


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
    assert [(key, one.count) for key, one in rack.contents.items()] == [(("Blade 9", "20 kW"), 1)]
    assert any("2 further rows of these racks are part of it" in note for note in found.notes)


def test_devices_of_stated_power_add_up() -> None:
    rows = "Rack,Model,Number of devices,Power per device (W)\nA1,Blade 9,4,900\n"
    found = read(rows, "Power per device (W)=input_power", values=("Blade 9=rack power",))
    (rack,) = found.racks
    assert [(key, one.count) for key, one in rack.contents.items()] == [(("Blade 9", "900 W"), 4)]


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


OWNER = (
    "Schrankname;Reihe;Modell;Leistung (kW)\nR01;A;GB200 NVL72;132,0\nR02;A;GB200 NVL72;132,0\n"
    "R03;A;DGX H100;40,8\nR04;B;DGX H100;40,8\nR05;B;FooStore X99;8,4\nR06;B;AcmeNet 7750;8,4\n"
)


def test_the_number_of_servers_follows_from_the_power_of_the_rack() -> None:
    found = read(
        OWNER,
        "Leistung (kW)=power_limit",
        values=("FooStore X99=rack power", "AcmeNet 7750=rack power"),
    )
    assert found.ready
    assert not found.warning
    assert found.sums == "Sum of the list: 362.4 kW in 6 racks. Hall: 362.4 kW in 6 racks."
    contents = {
        rack.name: [(m, one.count) for (m, _), one in rack.contents.items()] for rack in found.racks
    }
    assert contents["R01"] == [("GB200 NVL72", 1)]
    assert contents["R03"] == contents["R04"] == [("DGX H100", 4)]
    assert contents["R05"] == [("FooStore X99", 1)]
    assert contents["R06"] == [("AcmeNet 7750", 1)]
    assert found.after is not None
    made = design(found.after)
    assert [name for name, _ in rack_names(made.facility.it)] == [f"R0{n}" for n in range(1, 7)]
    assert made.facility.it.halls[0].rows == 2
    assert made.results["load.it"].si == pytest.approx(362_400.0)


def test_a_power_that_is_not_that_of_whole_servers_is_asked_once() -> None:
    rows = "Rack,Model,kW per rack\nA1,DGX H100,36\nA2,DGX H100,36\nA3,DGX H100,20.5\n"
    (question,) = read(rows).questions
    assert question.text == "'DGX H100' draws 10.2 kW, and the list states 36 kW for its rack."
    assert options_in(question.answer) == [
        ("value", "DGX H100 at 36 kW=4"),
        ("value", "DGX H100 at 36 kW=limit"),
        ("value", "DGX H100 at 36 kW=rack power"),
    ]
    for answer, power in (("4", "40.8 kW"), ("limit", "10.2 kW")):
        found = read(rows, values=(f"DGX H100 at 36 kW={answer}",))
        assert found.ready
        assert found.warning == (
            "The power of the hall differs from the list. "
            f"A1 (line 2), A2 (line 3): 36.0 kW in the list, {power} in the hall."
        )
        assert not any("--value" in note for note in found.notes)
    found = read(rows, values=("DGX H100 at 36 kW=rack power",))
    assert found.ready
    assert not found.warning
    assert found.racks[2].values == {"power_limit": "20.5 kW"}
    assert found.after is not None
    made = design(found.after)
    assert made.results["load.gpus"].si == 2 * 4 * 8 + 2 * 8  # the models stay
    assert made.results["load.it"].si == pytest.approx(36e3 + 36e3 + 20.4e3)


def test_a_limit_by_its_heading_is_not_a_load() -> None:
    found = read("Rack,Model,Rack power limit (kW)\nA1,DGX H100,45\n")
    assert found.ready
    assert found.sums == "Sum of the list: no rack power. Hall: 10.2 kW in 1 rack."
