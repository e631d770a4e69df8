"""Blocks of a page, as data: numbers, charts, tables, text, and blocks side by side.

User text is displayed only where it is not interpreted as markup: `st.text`, dataframe cells, and
texts that a component sets as text.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

import streamlit as st

from facility.core.table import Results, Value
from facility.core.views import System, readable_unit, show, show_short
from facility.report.drawings.charts.kit.chart import Chart
from facility.report.sheet.grid import TextTable
from facility.report.why.known import Known
from facility.study.figures import FIGURES
from facility.ui.grid.model import GridContents
from facility.ui.session import scenario
from facility.ui.why import navigation

Look = Literal["", "ok", "tight", "over"]
"""How a value relates to its limit: 15 % margin or more, less, exceeded."""
_TIGHT = 0.15
_DIGITS, _MAX_DIGITS = 3, 4
_PLAIN = ("", "count", "ratio")
_OPEN = "Not evaluated"
_LABELS = {row.key: row.label for row in reversed(FIGURES) if row.label}
"""The first label of each result."""
Colour = Literal["red", "orange", "green", "blue", "grey"]
COLOURS: Mapping[str, Colour] = {"over": "red", "tight": "orange", "ok": "green", "": "grey"}
ExplainCell = Callable[[int, str], navigation.WhyRequest | None]
"""The result to explain for a cell, by row and column heading."""
Kpi = tuple[str, str, str, str]
"""Title and key of a result, key of the secondary result, and its text; no title: its label."""


@dataclass(frozen=True)
class NumberCell:
    """Number: value, unit, and its margin or limit."""

    label: str
    value: str
    unit: str = ""
    note: str = ""
    look: Look = ""
    why: str = ""  # Result that explains it


@dataclass(frozen=True)
class Numbers:
    """Numbers in an even grid; `page` explains the numbers that a page calculated."""

    cells: Sequence[NumberCell]
    key: str
    page: Known | None = None


@dataclass(frozen=True)
class ChartChoice:
    """A selection that a chart shows with its title."""

    label: str
    names: Mapping[str, str]
    key: str

    @property
    def value(self) -> str:
        """The selected name; the first one if nothing valid is selected."""
        found = st.session_state.get(self.key)
        return str(found) if found in self.names else next(iter(self.names))


@dataclass(frozen=True)
class ChartBlock:
    """A chart with its title; `alt` is its text for screen readers.

    If `picked` is set, a click passes the key of the mark or the index of the cell; otherwise
    marks open the explanation of their key, unless `explains` is false. `page` has the results that
    the page itself calculated; if it is a function of a name, the name follows the key.
    """

    title: str
    figure: Chart
    key: str
    alt: str
    remark: str = ""
    page: navigation.Page = None
    choice: ChartChoice | None = None
    picked: Callable[[int], None] | None = None
    chosen: int | None = None  # Index of the selected cell
    explains: bool = True


@dataclass(frozen=True)
class DisplayTable:
    """A table, scrolling if it is long, and its footnotes.

    A numeric cell opens its explanation: that of `explain`, else the one that the table names,
    where `page` has the results that the page itself calculated. With `chosen`, which receives the
    index of a selected row, rows are selected instead.
    """

    table: TextTable | GridContents
    key: str
    page: Known | None = None
    explain: ExplainCell | None = None
    chosen: Callable[[int], None] | None = None
    selected: int | None = None


@dataclass(frozen=True)
class Tabs:
    """Tables in tabs."""

    tables: Sequence[TextTable]
    key: str
    page: Known | None = None


@dataclass(frozen=True)
class TextBlock:
    """Lines of text; with a title, in a frame."""

    lines: str
    title: str = ""
    look: Look = ""


@dataclass(frozen=True)
class Beside:
    """Blocks next to each other."""

    blocks: Sequence[Block]


@dataclass(frozen=True)
class Controls:
    """Widgets of a page, drawn where the block is."""

    draw: Callable[[], None]


Block = Numbers | ChartBlock | DisplayTable | Tabs | TextBlock | Beside | Controls


@dataclass(frozen=True)
class SharedUnits:
    """Unit of each kind of quantity, so that all numbers of a grid have one scale."""

    system: System
    units: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, values: Iterable[Value], system: System) -> SharedUnits:
        """Return the scale of the largest value of each kind."""
        largest: dict[str, float] = {}
        for one in values:
            if one.kind not in _PLAIN and not isinstance(one.si, str | bool):
                largest[one.kind] = max(largest.get(one.kind, 0.0), abs(float(one.si)))
        units = {
            kind: show_short(si, kind, system).rpartition(" ")[2]
            for kind, si in largest.items()
            if readable_unit(si, kind, system)
        }
        return cls(system, units)

    def text(self, value: Value) -> str:
        """Return a value in the unit of its kind, with the digits of a headline."""
        own, unit = value.short(self.system), self.units.get(value.kind, "")
        if not unit or own.endswith(f" {unit}") or isinstance(value.si, str | bool):
            return own
        texts = (
            show(float(value.si), value.kind, self.system, digits=digits, unit=unit)
            for digits in range(_MAX_DIGITS)
        )
        # A value that is too small for the common unit keeps its own.
        exact = [text for text in texts if _fits(text) or not value.si]
        return exact[0] if exact else own


def _fits(text: str) -> bool:
    """Return whether a number has the digits of a headline, none far behind the point."""
    number = text.partition(" ")[0]
    significant = sum(map(str.isdigit, number.lstrip("-0.,")))
    return significant == _DIGITS and len(number.partition(".")[2]) < _MAX_DIGITS


def parts(text: str) -> tuple[str, str]:
    """Return number and unit of a formatted value; words have no unit."""
    if text.endswith("%"):
        return text.removesuffix("%").rstrip(), "%"
    number, _, unit = text.partition(" ")
    return (number, unit) if number[:1].isdigit() or number[1:2].isdigit() else (text, "")


def cell(label: str, text: str, note: str = "", *, look: Look = "", why: str = "") -> NumberCell:
    """Return the cell of a formatted value."""
    value, unit = parts(text)
    return NumberCell(label, value, unit, note, look, why)


def loading(labels: Iterable[str], key: str) -> Numbers:
    """Return the grid of numbers that are not yet known."""
    return Numbers([NumberCell(label, "") for label in labels], key)


def look_of(margin: float | None) -> Look:
    """Return how a margin, as a fraction of its limit, is shown."""
    if margin is None:
        return ""
    return "over" if margin < 0.0 else "tight" if margin < _TIGHT else "ok"


def cells_of(results: Results, kpis: Iterable[Kpi], system: System) -> list[NumberCell]:
    """Return results as cells, each with its secondary result, all powers in one unit."""
    listed = list(kpis)
    named = (results[id] for _, *ids, _ in listed for id in ids if id in results)
    scale = SharedUnits.of(named, system)
    missing = "No tariff" if "pue.estimate" in results else "No hourly weather"
    found = []
    for title, key, below, note in listed:
        remark = note.format(scale.text(results[below])) if below in results else ""
        text = missing if key == "cost.month_estimate" else _OPEN
        if key in results:
            text = scale.text(results[key])
            remark = scenario.change(key, results[key], system) or remark
        found.append(cell(title or _LABELS[key], text, remark, why=key if key in results else ""))
    return found
