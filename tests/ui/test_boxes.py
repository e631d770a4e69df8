"""Keys of the inputs that edit the project."""

from __future__ import annotations

from streamlit.testing.v1 import AppTest

from facility.files.project.file import dump_project
from tests.ui.helpers import box, opened, press, session, type_in

TARIFF = "site.tariff"


def prices(at: AppTest) -> str:
    return str(at.text_input(key=box(at, TARIFF)).value)


def test_an_input_stays_itself_while_it_is_typed_in() -> None:
    at = opened()
    first = box(at, TARIFF)
    for text in ("0.10 USD/kWh", "cheap", ""):
        type_in(at, "Tariff", text)
        assert (box(at, TARIFF), prices(at)) == (first, text)


def test_an_input_is_made_anew_where_its_value_was_changed_elsewhere() -> None:
    at = opened()
    before, first = prices(at), box(at, TARIFF)
    type_in(at, "Tariff", "0.10 USD/kWh")
    press(at, "undo")
    assert (prices(at), box(at, TARIFF) != first) == (before, True)
    press(at, "redo")
    assert prices(at) == "0.10 USD/kWh"
    assert "0.10 USD/kWh" in dump_project(session(at).project)
