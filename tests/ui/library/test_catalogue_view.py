"""The catalogue is filtered; rows are copied, edited, rejected with their cell, and imported."""

from __future__ import annotations

import pytest
from streamlit.testing.v1 import AppTest

from facility.catalogue import schema, table
from facility.core.errors import FacilityError
from facility.files.project.file import default_project
from facility.model.inputs.document import Project
from facility.study.equipped import project_catalogue
from facility.ui.library.own_tables import copied, own_rows, place_of, tables_with
from tests.ui.helpers import EQUIPMENT, assert_sound, edit_cells, frames, go, opened, press, session

UPS = schema("equipment/ups")


def with_own(rows: list[dict[str, str]], project: Project | None = None) -> Project:
    before = project or default_project()
    return before.with_({"equipment": tables_with(before, UPS, rows) or None})


def a_copy() -> dict[str, str]:
    row = table("equipment/ups").rows[0]
    return copied(row, UPS, [str(row["model"])])


def test_a_copied_row_keeps_its_values_and_source_under_another_name() -> None:
    first = table("equipment/ups").rows[0]
    row = a_copy()
    assert row["model"] == f"{first['model']} own"
    assert row["source"] == first["source"]
    assert float(row["rating_kw"]) == first["rating_kw"]
    assert copied(first, UPS, [row["model"]])["model"] == f"{first['model']} own 2"
    project = with_own([row])
    own = project_catalogue(project).table("equipment/ups")
    assert len(own.rows) == len(table("equipment/ups").rows) + 1


def test_rows_return_as_entered_and_other_tables_stay() -> None:
    row = {name: text for name, text in a_copy().items() if text} | {"notes": 'a "b", c'}
    project = with_own([row])
    assert own_rows(project, "equipment/ups") == [row]
    pdus = schema("equipment/pdus")
    other = copied(table("equipment/pdus").rows[0], pdus, [])
    both = project.with_({"equipment": tables_with(project, pdus, [other])})
    assert own_rows(both, "equipment/ups") == [row]
    assert tables_with(project, UPS, []) == ""


def test_an_error_names_the_cell() -> None:
    with pytest.raises(FacilityError) as error:
        project_catalogue(with_own([a_copy(), a_copy() | {"model": "X", "rating_kw": "many"}]))
    assert place_of(error.value) == (1, "rating_kw")


def page(words: str = "") -> AppTest:
    at = go(opened(), EQUIPMENT)
    if words:
        at.text_input(key="catalogue-words").set_value(words).run()
    assert_sound(at)
    return at


def test_a_row_is_copied_to_the_project_and_the_copy_undone() -> None:
    at = page("9395XR-600")
    assert any(text.value.startswith("1 of ") for text in at.text)
    assert at.button(key="catalogue-copy").disabled
    at.session_state["catalogue-row"] = table("equipment/ups").get("9395XR-600").label
    at.run()
    press(at, "catalogue-copy")
    (row,) = own_rows(session(at).project, "equipment/ups")
    assert row["model"] == "9395XR-600 own"
    press(at, "undo")
    assert session(at).project.equipment is None


def test_a_table_of_a_manufacturer_is_mapped_and_imported() -> None:
    """The heading Label is mapped; a capacity in words is reported with its cell."""
    at = page()
    row = {name: text for name, text in a_copy().items() if text} | {"vendor": "Maker"}
    for rating in ("many", row["rating_kw"]):
        cells = row | {"rating_kw": rating, "model": "Type X"}
        table_text = "\n".join(
            ";".join(line)
            for line in (["Label" if n == "vendor" else n for n in cells], cells.values())
        )
        at.text_area(key=f"own-{UPS.name}-text-0").set_value(table_text).run()
        assert_sound(at)
        edit_cells(at, f"own-{UPS.name}-map", edited_rows={0: {"field": "Manufacturer"}})
        is_wrong = rating == "many"
        assert at.button(key=f"own-{UPS.name}-accept").disabled == is_wrong
        if is_wrong:
            (frame,) = (one.value for one in frames(at) if "Fix" in one.value)
            cell = f"pasted rows!{'ABCDEFGH'[list(cells).index('rating_kw')]}2"
            assert ("'many'" in frame["Reason"][0], frame["Location"][0]) == (True, cell)
    press(at, f"own-{UPS.name}-accept")
    (own,) = own_rows(session(at).project, "equipment/ups")
    assert (own["model"], own["vendor"], own["rating_kw"]) == ("Type X", "Maker", row["rating_kw"])
