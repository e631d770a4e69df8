"""The Import page: rows are pasted, mapped and answered, confirmed, and become the halls."""

from __future__ import annotations

from tests.ui.helpers import (
    IMPORT,
    assert_sound,
    edit_cells,
    errors,
    frames,
    go,
    grid,
    opened,
    press,
    session,
)

ROWS = "Rack,Model,Qty\nA01,DGX H100,4\nA02,DGX H100,2\n"


def test_an_inventory_is_mapped_confirmed_and_imported() -> None:
    at = opened()
    go(at, IMPORT)
    assert_sound(at)
    at.text_area(key="inventory-text-0").set_value(ROWS)
    press(at, "inventory-read-rows")
    assert list(grid(at, "inventory-map").value["Field"])[2] == ""
    questions = next(d.value for d in frames(at) if "Code" in d.value)
    assert list(questions["Fix"]) == ["Set field of 'Qty': Number of racks or Number of devices."]
    assert at.button(key="inventory-accept").disabled
    edit_cells(at, "inventory-map", edited_rows={2: {"field": "Number of devices"}})
    summary = "2 racks, 6 servers, 1 model, largest rack 40.8 kW, 1 room"
    assert summary in [info.value for info in at.info]
    press(at, "inventory-accept")
    assert [one.value for one in at.success] == [f"Imported: {summary}."]
    hall = session(at).project.it.halls[0]  # type: ignore[index]
    assert [(rack.name, rack.count) for rack in hall.racks or ()] == [("A01", 1), ("A02", 1)]
    assert "inventory-open-design" in [button.key for button in at.button]
    at.text_area(key="inventory-text-1").set_value(ROWS).run()
    assert not at.success
    at.checkbox(key="inventory-saved").check().run()
    assert_sound(at)
    assert "The project already contains these values." in [text.value for text in at.text]


def test_what_cannot_be_read_says_what_to_do_on_this_page() -> None:
    at = opened()
    go(at, IMPORT)
    at.text_area(key="inventory-text-0").set_value("Kind,Pieces,Rack\nDGX H100,4,A01\n").run()
    assert_sound(at)
    assert errors(at) == ["Not read: INVENTORY_COLUMNS"]
    (words,) = (one.value for one in at.text if "no heading for the model" in one.value)
    assert "Enter the heading of the model column below" in words
    assert not any("--" in one.value for one in at.text)
    at.text_input(key="inventory-model").set_value("Kind").run()
    assert not errors(at)
    assert list(grid(at, "inventory-map").value["Field"]) == ["Model", "Not read", "Rack"]
    assert not any("--" in one.value for one in at.text)
