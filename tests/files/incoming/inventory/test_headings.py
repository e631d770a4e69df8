"""Headings in any order and by any synonym give the same project or a question, never another."""

from __future__ import annotations

from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from facility.core.errors import FacilityError
from facility.files.incoming.columns import vocabulary
from facility.files.incoming.inventory.answers import Answers, answers_of, options_in
from facility.files.incoming.inventory.read import read_inventory
from facility.files.incoming.inventory.tables import InventoryFile
from facility.model.inputs.document import as_typed, read_document

WORDS = vocabulary("inventory")
PROJECT = read_document({"schema_version": "1", "power": {"redundancy": "N+1"}})
CELLS = {
    "room": ("H1", "H1", "H2"),
    "rack": ("R1", "R2", "R3"),
    "name": ("n1", "n2", "n3"),
    "model": ("Box", "Box", "DGX H100"),
    "devices": ("3", "3", "4"),
    "device_units": ("2", "2", "8"),
    "max_power": ("900 W", "900 W", "10.2 kW"),
    "supplies": ("2", "2", "6"),
    "purpose": ("storage", "storage", "compute"),
    "feeds": ("A", "B", "A+B"),
    "rack_units": ("42", "42", "48"),
    "power_limit": ("40 kW", "40 kW", "45 kW"),
    "mass": ("30 kg", "30 kg", "130 kg"),
}
SYNONYMS = {
    name: [text for text, meant in WORDS.by_heading.items() if name in meant] for name in CELLS
}
STYLES = (str, str.title, str.upper, lambda text: text.replace(" ", "_"))
CANONICAL = {
    name: next(text for text in texts if WORDS.by_heading[text] == (name,))
    for name, texts in SYNONYMS.items()
}


def project_of(headings: dict[str, str], order: tuple[str, ...]) -> object:
    """Return the project of the inventory under these headings; None for a question."""
    table = "\n".join(
        "\t".join((headings[name], *cells)[row] for name, cells in CELLS.items() if name in order)
        for row in range(4)
    )
    columns = [name for name in CELLS if name in order]
    rows = [line.split("\t") for line in table.split("\n")]
    text = "\n".join("\t".join(row[columns.index(name)] for name in order) for row in rows)
    try:
        found = read_inventory([InventoryFile("list.tsv", text)], Answers(), PROJECT)
    except FacilityError:
        return None
    return as_typed(found.after) if found.ready and found.after is not None else None


@cache
def expected(columns: frozenset[str]) -> object:
    return project_of(CANONICAL, tuple(name for name in CELLS if name in columns))


@settings(max_examples=60, deadline=None, derandomize=True)
@given(st.data())
def test_synonyms_and_order_give_the_same_project_or_a_question(data: st.DataObject) -> None:
    extra = data.draw(st.sets(st.sampled_from(sorted(set(CELLS) - {"rack", "model"})), min_size=3))
    columns = extra | {"rack", "model", "device_units", "max_power"}
    order = tuple(data.draw(st.permutations(sorted(columns))))
    headings = {
        name: data.draw(st.sampled_from(STYLES))(data.draw(st.sampled_from(SYNONYMS[name])))
        for name in sorted(columns)
    }
    found = project_of({**CANONICAL, **headings}, order)
    assert found is None or found == expected(frozenset(columns))


def test_the_canonical_headings_are_no_question() -> None:
    assert expected(frozenset(CELLS)) is not None


RACKS = "{};Reihe;Modell;IT-Leistung (kW)\nR01;A;DGX H100;10,2\nR02;A;DGX H100;10,2\n"


@pytest.mark.parametrize("heading", ["Schrankname", "Rackname", "Schrank-Nr.", "Schrank Nummer"])
def test_usual_headings_of_racks_are_recognized(heading: str) -> None:
    found = read_inventory([InventoryFile("a.csv", RACKS.format(heading))], Answers(), PROJECT)
    assert [rack.name for rack in found.racks] == ["R01", "R02"]


def test_a_missing_rack_column_is_the_first_question() -> None:
    """Before those on other columns; the columns are offered with their first values."""
    text = RACKS.format("Stellplatz").replace("IT-Leistung", "Leistung")
    source = [InventoryFile("a.csv", text)]
    (question,) = read_inventory(source, Answers(), PROJECT).questions
    assert question.code == "INVENTORY_RACKS"
    assert question.text.endswith("Columns that can name the racks: 'Stellplatz' (R01, R02).")
    assert options_in(question.answer) == [
        ("map", "Stellplatz=rack"),
        ("rack_power", "40 kW"),
        ("rack_units", "48"),
    ]
    found = read_inventory(source, answers_of(["Stellplatz=rack"]), PROJECT)
    (question,) = found.questions
    assert "'Leistung (kW)' can mean" in question.text
