"""The Import page: rows are pasted, questions answered on the page, and become the halls."""

from __future__ import annotations

from streamlit.testing.v1 import AppTest

from tests.ui.helpers import (
    HALL,
    IMPORT,
    assert_sound,
    edit_cells,
    errors,
    go,
    grid,
    opened,
    press,
    session,
)

ROWS = "Rack,Model,Qty\nA01,DGX H100,4\nA02,DGX H100,2\n"
MIXED = (
    "Schrank;Server;Leistung (kW)\nA01;DGX H100;10,2\nA02;Eigenbau 9;38,5\nA03;Eigenbau 9;38,5\n"
    "A04;;12\n"
)


def pasted(rows: str) -> AppTest:
    at = opened()
    go(at, IMPORT)
    at.text_area(key="inventory-text-0").set_value(rows).run()
    assert_sound(at)
    assert not any("--" in one.value for one in at.text)
    return at


def questions(at: AppTest) -> list[str]:
    return [one.value for one in at.text if "(pasted rows!" in one.value]


def racks(at: AppTest) -> list[tuple[str, str, int, float | None]]:
    return [
        (kind.name, one.model, one.count, None if one.power is None else one.power.si)
        for kind in session(at).project.it.halls[0].racks or ()  # type: ignore[index]
        for one in kind.devices or ()
    ]


def test_an_inventory_is_answered_and_opens_in_design() -> None:
    at = pasted(ROWS)
    assert list(grid(at, "inventory-map").value["Field"])[2] == ""
    assert questions(at) == [
        "The heading 'Qty' can mean Number of racks or Number of devices. (pasted rows!C1)"
    ]
    assert at.button(key="inventory-accept").disabled
    press(at, "inventory-map-Qty=devices")
    assert not questions(at)
    summary = "2 racks, 6 servers, 1 model, largest rack 40.8 kW, 1 room"
    assert summary in [info.value for info in at.info]
    assert list(grid(at, "inventory-rows").value["Read as"]) == ["DGX H100", "DGX H100"]
    press(at, "inventory-given-map-Qty")  # withdrawn, and answered in the mapping
    edit_cells(at, "inventory-map", edited_rows={2: {"field": "Number of devices"}})
    assert not questions(at)
    press(at, "inventory-accept")
    assert racks(at) == [("A01", "DGX H100", 4, None), ("A02", "DGX H100", 2, None)]
    assert at.session_state["design-object"] == "Hall 1"
    (imported,) = (one.value for one in at.success)
    assert imported.startswith(f"Imported: {summary}; racks from the list replace ")
    assert "it." not in imported
    go(at, IMPORT)
    assert not at.success
    go(at, HALL)
    assert not at.success
    go(at, IMPORT)
    at.text_area(key="inventory-text-1").set_value(ROWS).run()
    at.checkbox(key="inventory-saved").check().run()
    assert_sound(at)
    assert "The project already contains these values." in [text.value for text in at.text]


def test_unknown_models_and_rows_without_a_model_draw_the_power_of_their_rows() -> None:
    at = pasted(MIXED)
    press(at, "inventory-map-Leistung (kW)=power_limit")
    shown = questions(at)
    assert len(shown) == 2
    assert any("1 row has no model" in one for one in shown)
    assert any("'Eigenbau 9' is not in the catalogue" in one for one in shown)
    first = grid(at, "inventory-rows").value.iloc[0]
    assert first["Missing"].startswith("Not in the catalogue")
    assert first["Power stated"] == "38.5 kW"
    edit_cells(at, "inventory-rows", edited_rows={0: {"model": "DGX B200"}})
    assert any("draws 14.3 kW, and the list states 38.5 kW" in one for one in questions(at))
    press(at, "inventory-given-value-Eigenbau 9")
    press(at, "inventory-all-value")
    assert not questions(at)
    sums = "Sum of the list: 99.2 kW in 4 racks. Hall: 99.2 kW in 4 racks."
    assert sums in [text.value for text in at.text]
    press(at, "inventory-accept")
    assert racks(at) == [
        ("A01", "DGX H100", 1, None),
        ("A02, A03", "Eigenbau 9", 1, 38_500.0),
        ("A04", "Stated rack load", 1, 12_000.0),
    ]


def test_a_table_without_a_model_heading_asks_for_it() -> None:
    at = pasted("Kind,Pieces,Rack\nDGX H100,4,A01\n")
    assert not errors(at)
    assert any("no heading for the model" in one.value for one in at.text)
    press(at, "inventory-map-Kind=model")
    assert list(grid(at, "inventory-map").value["Field"]) == ["Model", "Not read", "Rack"]
    assert not any("--" in one.value for one in at.text)


def test_a_bill_of_materials_asks_for_the_racks() -> None:
    at = pasted("Model,Quantity\nDGX H100,8\n")
    assert any("racks can be formed from the devices" in one for one in questions(at))
    at.text_input(key="inventory-rack_power-40 kW").set_value("45 kW").run()
    assert at.button(key="inventory-given-rack_power-").label == "Rack power: 45 kW"
    assert racks_of(at) == "2 racks, 8 servers, 1 model, largest rack 40.8 kW, 1 room"


def test_a_blank_room_is_entered_or_repeated() -> None:
    at = pasted("Room,Rack,Model,Devices per rack\nH1,A01,DGX H100,4\n,A02,DGX H100,4\n")
    assert questions(at) == ["1 row has no room. (pasted rows!A3)"]
    at.text_input(key="inventory-room-NAME").set_value("H2").run()
    assert racks_of(at) == "2 racks, 8 servers, 1 model, largest rack 40.8 kW, 2 rooms"
    press(at, "inventory-given-room-")
    press(at, "inventory-fill_down-room")
    assert racks_of(at) == "2 racks, 8 servers, 1 model, largest rack 40.8 kW, 1 room"


def racks_of(at: AppTest) -> str:
    assert_sound(at)
    assert not questions(at)
    (summary,) = (one.value for one in at.info if "racks" in one.value)
    return str(summary)


def test_a_hall_with_another_power_than_the_list_is_a_warning() -> None:
    at = pasted("Rack,Model,kW per rack\nR01,DGX H100,36\nR02,DGX H100,40.8\n")
    (question,) = questions(at)
    assert "'DGX H100' draws 10.2 kW" in question
    press(at, "inventory-value-DGX H100 at 36 kW=limit")
    assert not questions(at)
    (warning,) = (one.value for one in at.warning)
    assert warning.endswith("R01 (line 2): 36.0 kW in the list, 10.2 kW in the hall.")
    press(at, "inventory-accept")
    assert racks(at) == [("R01", "DGX H100", 1, None), ("R02", "DGX H100", 4, None)]
