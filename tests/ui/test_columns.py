"""Columns of tables as the browser takes them: numbers by size, with the digits of their texts."""

from __future__ import annotations

import gc
import re
from collections.abc import Sequence
from typing import Any

import pytest

from facility.files.project.file import default_project
from facility.report.book.record import check_table
from facility.report.sheet.grid import Column, GridValue, SheetTable, TextTable
from facility.report.studies.equipment import PowerTrain
from facility.study.design.design import design
from facility.ui.columns import _CACHE, cached_columns, share_text, shown_column, shown_columns

_UNIT = re.compile(r" \S+$|%$")


def as_browser(format: str, value: float) -> str:
    """Return what Streamlit's sprintf makes of a number."""
    digits = format[-1]
    comma = "," if "," in format else ""
    if digits == "g":
        text = f"{value:{comma}}".removesuffix(".0")
    elif digits == "d":
        text = f"{int(value):{comma}d}"
    else:
        text = f"{value:{comma}.{re.findall(r'[.](.)f', format)[0]}f}"
    return f"+{text}" if "+" in format and value >= 0.0 else text


def format_of(config: Any) -> str:
    found: str = config["type_config"]["format"]
    return found


@pytest.mark.parametrize(
    ("texts", "head", "values"),
    [
        (["9.5 kW", "1,234.0 kW", "-3.0 kW"], "Load (kW)", [9.5, 1234.0, -3.0]),
        (["12", "", "-", "1,000"], "Load", [12.0, None, None, 1000.0]),
        (["+1.5%", "-2.0%"], "Load (%)", [1.5, -2.0]),
        (["4 °C", "10 °C"], "Load (°C)", [4.0, 10.0]),
        (["1.5", "0.125"], "Load", [1.5, 0.125]),
    ],
)
def test_texts_that_are_numbers_of_one_unit_are_numbers(
    texts: Sequence[str], head: str, values: Sequence[float | None]
) -> None:
    column = shown_column("Load", texts)
    assert (column.head, column.cells.to_pylist()) == (head, values)
    for text, value in zip(texts, values, strict=True):
        if value is not None:
            assert as_browser(format_of(column.config), value) == _UNIT.sub("", text)


@pytest.mark.parametrize(
    "texts",
    [
        ["12345678901234567890", "3"],
        ["9" * 400],
        ["1e+999", "3"],
        ["1.5 kW", "2.0 MW"],
        ["210.20", "215.3"],
        ["1,3,5", "2,4,6"],
        ["007", "12"],
        ["12 of 14"],
        ["4 doors", "12 doors"],
        ["1500", "1,500"],
        ["12 kW", "none"],
        ["", "-"],
        [],
    ],
)
def test_texts_that_the_browser_would_write_otherwise_stay_words(texts: Sequence[str]) -> None:
    column = shown_column("What", texts)
    assert (column.head, column.cells.to_pylist()) == ("What", list(texts))


@pytest.mark.parametrize(
    ("texts", "shown"),
    [(["+1.5%", "-2.0%"], ["+1.5", "-2.0"]), (["+1.5%", "0.0%", "-2.0%"], ["1.5", "0.0", "-2.0"])],
)
def test_nought_is_shown_without_a_sign(texts: Sequence[str], shown: Sequence[str]) -> None:
    column = shown_column("Margin", texts)
    assert [as_browser(format_of(column.config), v) for v in column.cells.to_pylist()] == shown
    assert [share_text(v) for v in (0.015, -0.0, 0.0004, -0.02)] == [
        "+1.5%",
        "0.0%",
        "0.0%",
        "-2.0%",
    ]


def test_words_among_numbers_leave_them_in_the_order_of_their_size() -> None:
    column = Column("a", "Highest", 9, "current", unit="kA", number_format="n2", of=lambda a: a)
    table = SheetTable("Currents", (column,))
    rows: list[GridValue] = [9_120.0, "unknown", 108_010.0, 12_500.0, "above the usual"]
    (found,) = shown_columns(table.text(rows))
    space = "\u2007"
    assert found.head == "Highest (kA)"
    assert found.cells.to_pylist() == [
        f"{space * 2}9.12", "unknown", "108.01", f"{space}12.50", "above the usual",
    ]  # fmt: skip


def test_a_unit_that_the_heading_has_is_not_said_twice() -> None:
    assert shown_column("Drop V", ["1.44 V"]).head == "Drop V"
    assert shown_column("Ampacity A, one set", ["380 A"]).head == "Ampacity A, one set"


def test_the_numbers_of_a_design_are_shown_as_their_texts_say() -> None:
    of = design(default_project())
    tables = [*PowerTrain(of).tables("si"), check_table(of.sizing_checks, "si")]
    numbers = 0
    for table in tables:
        for n, column in enumerate(shown_columns(table)):
            if "type_config" not in (column.config or {}):
                continue
            texts = [row[n] for row in table.rows]
            for text, value in zip(texts, column.cells.to_pylist(), strict=True):
                if value is None:
                    assert text in ("", "-"), (table.title, column.head, text)
                    continue
                numbers += 1
                wanted = _UNIT.sub("", text)
                if format_of(column.config).endswith("g") and "." in wanted:
                    wanted = wanted.rstrip("0").rstrip(".")
                assert as_browser(format_of(column.config), value) == wanted, (table.title, text)
    assert numbers > 500


def test_columns_of_a_kept_table_are_worked_out_once_and_go_with_it() -> None:
    table = TextTable("Loads", ("Load",), [("9.5 kW",)])
    gc.collect()  # tables of other tests
    before = len(_CACHE)
    assert cached_columns(table) is cached_columns(table)
    assert len(_CACHE) == before + 1
    del table
    gc.collect()
    assert len(_CACHE) == before
