"""A list of the JSON contract is made of the columns of its table."""

from __future__ import annotations

from typing import NamedTuple

from facility.report.sheet.grid import Amount, Column, Grid, SheetTable
from facility.report.sheet.model import Sheet


class _Row(NamedTuple):
    name: str
    power: float
    share: float | None
    price: Amount
    units: int


_TABLE: SheetTable[_Row] = SheetTable(
    "Rows",
    (
        Column("name", "Name", 10, json="id"),
        Column("power", "Power W", 10, "active_power", unit="W", json="power"),
        Column("share", "Share", 10, "fraction", json="share"),
        Column("price", "Price", 10, json="price"),
        Column("units", "", 0, "count", door="json", json="count"),
        Column("doubled", "Twice", 10, "ratio", of=lambda row: 2.0 * row.units),
    ),
)
_ROW = _Row("A", 1500.0, None, Amount(0.25, "fraction"), 3)


def test_objects_have_numbers_in_the_unit_of_their_kind() -> None:
    (found,) = _TABLE.objects([_ROW])
    assert list(found) == ["id", "power", "share", "price", "count"]
    assert found == {"id": "A", "power": 1.5, "share": None, "price": 25.0, "count": 3}


def test_a_column_of_the_json_alone_is_on_no_sheet_and_in_no_text() -> None:
    heads = ["Name", "Power W", "Share", "Price", "Twice"]
    grid = Grid(Sheet("Rows"), 1, _TABLE.columns)
    assert [column.head for column in grid.columns] == heads
    assert list(_TABLE.text([_ROW]).heads) == ["Name", "Power", "Share", "Price", "Twice"]
