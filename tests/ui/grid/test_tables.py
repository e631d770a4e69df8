"""Tables as grids: one unit and one count of decimals in a column, numbers by size."""

from __future__ import annotations

import pytest

from facility.report.sheet.grid import Amount, Column, GridValue, SheetTable, TextTable, Values
from facility.ui.grid.tables import table_grid, values_grid

COLUMNS: SheetTable[Values] = SheetTable(
    "Loads", (Column("name", "Name", 0), Column("load", "Load (kW)", 0, "active_power"))
)


def shown(table: TextTable, column: int = 1) -> tuple[str, list[object], list[str]]:
    grid = table_grid(table)
    values = [row.values[column] for row in grid.rows]
    return grid.columns[column].unit, values, list(grid.texts.get(grid.columns[column].key, ()))


@pytest.mark.parametrize(
    ("values", "unit", "texts"),
    [
        ([14_864_000.0, 2_500.0, None], "kW", ["14,864", "2.5", ""]),
        ([99_000.0, 45.0], "kW", ["99.0", "0.045"]),
        ([0.0, 7_000.0], "kW", ["0.0", "7.0"]),
    ],
)
def test_a_column_has_the_unit_and_decimals_of_its_largest_number(
    values: list[GridValue], unit: str, texts: list[str]
) -> None:
    rows = [{"name": str(n), "load": value} for n, value in enumerate(values)]
    found, numbers, displayed = shown(COLUMNS.text(rows))
    assert (found, displayed) == (unit, texts)
    assert numbers == [None if one is None else float(one) / 1e3 for one in values]  # type: ignore[arg-type]


def test_words_among_numbers_stay_and_many_of_them_make_a_text() -> None:
    rows = [("a", Amount(60.0, "time")), ("b", "not known")]
    assert shown(TextTable.of("", ("Of", "Lasts"), rows)) == (
        "s",
        [60.0, "not known"],
        ["60.0", "not known"],
    )
    rows += [("c", "not known")]
    assert shown(TextTable.of("", ("Of", "Lasts"), rows))[2] == []


def test_numbers_of_several_kinds_are_texts() -> None:
    rows = [("a", Amount(60.0, "time")), ("b", Amount(1.0, "length"))]
    unit, values, _ = shown(TextTable.of("", ("Of", "Value"), rows))
    assert (unit, values) == ("", ["60.0 s", "1.00 m"])


def test_text_that_looks_like_a_number_is_no_number() -> None:
    (column,) = values_grid("", {"Breaker": ["100", "225"]}).columns
    assert column.kind == "text"


def test_named_cells_open_their_explanation() -> None:
    keys = [{"Value": "load.it"}, {"Value": ""}]
    rows = [("a", Amount(60.0, "time")), ("b", Amount(1.0, "length"))]
    grid = table_grid(TextTable.of("", ("Of", "Value"), rows, keys=keys), why=True)
    assert [bool(row.marks) for row in grid.rows] == [True, False]
