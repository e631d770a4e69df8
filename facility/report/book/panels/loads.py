"""The Loads sheet: one row per circuit, its power in the normal and the failover state.

The inputs are P and Q on each phase or pair of phases. From them the sheet computes, live, the
schedule VA of every pole and the power each line sees at its own phase voltage; the panel
schedules refer to these cells.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from facility.core.errors import FacilityError
from facility.core.rounding import argmax_within_rounding
from facility.power.panels.board.currents import PanelLoad, panel_power
from facility.power.panels.board.layout import PHASE_NAMES
from facility.power.panels.board.model import Panel
from facility.power.panels.design.lost_states import PanelLost
from facility.report.book.panels.live import NO_BASES, RackBases
from facility.report.book.panels.loads_rows import (
    LINES,
    PAIRS,
    LoadsColumns,
    circuit_rows,
    write_circuit,
    write_trip,
)
from facility.report.sheet.model import Conditional, Ref, Sheet, Span, column_letter
from facility.report.sheet.tables import PageSetup, write_heading

HEAD_ROW = 5
_HEADS = (
    "Panel",
    "Circuit",
    "Ckt",
    "Description",
    "Rack",
    "Feed",
    "Class",
    "Poles",
    "Trip A",
    "Conn.",
    "V L-L",
    "Factor",
)
_LAST = LoadsColumns.BASIS


@dataclass(frozen=True)
class ScheduledPanel:
    """A panel as the workbook shows it, with its loads by state, and with a supply lost.

    Raises ``SCHEDULE_BUSWAY``.
    """

    panel: Panel
    loads: tuple[PanelLoad, ...]
    lost: PanelLost | None = None

    def __post_init__(self) -> None:
        if self.panel.is_busway:
            raise FacilityError(
                "SCHEDULE_BUSWAY",
                self.panel.tag,
                "a busway has tap-offs, not poles: no schedule form applies.",
                "Export it as CSV.",
            )

    @cached_property
    def power(self) -> NDArray[np.complex128]:
        """Power on AN, BN, CN, AB, BC, CA by state."""
        return panel_power(self.panel)

    @property
    def shown_failover(self) -> PanelLoad:
        """Load in the state with index `failover`."""
        return self.loads[self.failover]

    @cached_property
    def failover(self) -> int:
        """Index of the state with the largest line current after a failure; 0 if unknown."""
        lost = [load.current_max_a for load in self.loads[1:]]
        return 1 + argmax_within_rounding(lost) if lost else 0


@dataclass(frozen=True)
class LoadsCells:
    """Cells of the circuits on the Loads sheet.

    `rows` maps (panel tag, circuit id) to a row; `spans` a panel tag to its first and last row;
    `low_trips` contains the circuits with a trip rating below the minimum, `worst_a` the largest
    line current of each in any state [A].
    """

    loads: Sheet
    rows: dict[tuple[str, str], int]
    spans: dict[str, tuple[int, int]]
    low_trips: frozenset[tuple[str, str]]
    worst_a: dict[tuple[str, str], float]
    normal: int = LoadsColumns.NORMAL_VA
    failover: int = LoadsColumns.FAILOVER_VA

    @property
    def sheet(self) -> str:
        """Sheet name as written in formulas."""
        return self.loads.quoted

    def trip(self, tag: str, circuit: str) -> str:
        """Return the address of the trip rating of a circuit."""
        return f"{self.sheet}!${column_letter(LoadsColumns.TRIP)}{self.rows[tag, circuit]}"

    def pole_va(self, tag: str, circuit: str, phase: int) -> str:
        """Return the formula of the schedule VA of a circuit on a phase, in the normal state."""
        column = column_letter(LoadsColumns.NORMAL_VA + phase)
        return f"{self.sheet}!${column}{self.rows[tag, circuit]}"

    def trip_verdict(self, tag: str, circuit: str) -> str:
        """Return the address of the verdict on the trip rating of a circuit."""
        return f"{self.sheet}!${column_letter(LoadsColumns.VERDICT)}{self.rows[tag, circuit]}"

    def worst_current(self, tag: str, circuit: str) -> tuple[str, float]:
        """Return the largest line current of a circuit in any state, as formula and number [A]."""
        row, columns = (
            self.rows[tag, circuit],
            (LoadsColumns.AMPS, LoadsColumns.AMPS + 1, LoadsColumns.OTHER_AMPS),
        )
        first, last, other = (f"${column_letter(column)}{row}" for column in columns)
        formula = f"MAX({self.sheet}!{first}:{last},{self.sheet}!{other})"
        return formula, self.worst_a[tag, circuit]

    def total(self, tag: str, group: int, phase: int, part: str) -> str:
        """Return the sum over a panel of ``"va"``, ``"p"`` or ``"q"`` of one phase."""
        offset = {"va": group, "p": LINES[group], "q": LINES[group] + 3}[part]
        letter = column_letter(offset + phase)
        first, last = self.spans[tag]
        return f"SUM({self.sheet}!${letter}${first}:${letter}${last})"

    def to_neutral(self, tag: str, group: int, phase: int) -> str:
        """Return the sum over a panel of the VA between one phase and neutral."""
        va, connection = column_letter(group + phase), column_letter(LoadsColumns.CONNECTION)
        first, last = self.spans[tag]
        summed, connections = (f"{self.sheet}!${x}${first}:${x}${last}" for x in (va, connection))
        return f'SUMIFS({summed},{connections},"L-N")'


def loads_sheet(
    name: str,
    panels: Sequence[ScheduledPanel],
    continuous_factor: float,
    page_setup: PageSetup,
    bases: RackBases = NO_BASES,
) -> tuple[Sheet, LoadsCells]:
    """Return the sheet of all circuits and the cells of each.

    continuous_factor: Value of the input ``criteria.continuous_factor``.
    bases: Power and trip of the circuits of each rack as inputs state them.
    """
    sheet = Sheet(name, freeze=(HEAD_ROW + 1, 5), protected=True)
    write_heading(
        sheet,
        "Loads",
        "One row per circuit. Normal: all feeds live. Failover: the worst single failure for the "
        "panel, named in its schedule. The two are never added. Other failure: the largest line "
        "current with any other feed or supply lost, where it exceeds both.",
    )
    _write_heads(sheet, PHASE_NAMES[panels[0].panel.numbering if panels else "US"])
    rows: dict[tuple[str, str], int] = {}
    spans: dict[str, tuple[int, int]] = {}
    low: set[tuple[str, str]] = set()
    worst_a: dict[tuple[str, str], float] = {}
    row = HEAD_ROW + 1
    for scheduled in panels:
        first = row
        panel = scheduled.panel
        factor = 1.0 if panel.listed_100 else continuous_factor
        for found in circuit_rows(panel, scheduled.failover, scheduled.lost):
            key = (panel.tag, found.circuit.id)
            rows[key], worst_a[key] = row, found.other_a or max(found.line_a)
            basis = bases.of(found.circuit)
            write_circuit(sheet, row, panel, found, basis)
            if not write_trip(sheet, row, panel, found, factor, basis):
                low.add(key)
            row += 1
        spans[panel.tag] = (first, max(first, row - 1))
    _set_columns(sheet)
    last = max(row - 1, HEAD_ROW + 1)
    area = Span(1, 1, last, LoadsColumns.OTHER_AMPS)
    sheet.page = page_setup.page(large=True, repeat_rows=(HEAD_ROW - 1, HEAD_ROW), area=area)
    sheet.filter_span = Span(HEAD_ROW, 1, last, _LAST)
    return sheet, LoadsCells(sheet, rows, spans, frozenset(low), worst_a)


def _write_heads(sheet: Sheet, phases: tuple[str, str, str]) -> None:
    top = HEAD_ROW - 1
    sheet.row(HEAD_ROW, 1, _HEADS, "head")
    pairs = [phases[x] + phases[(x + 1) % 3] for x in range(3)]
    groups = (
        (LoadsColumns.NORMAL_VA, "Normal, schedule VA per phase",
         [f"{x} VA" for x in phases] + ["Total VA"]),
        (LoadsColumns.FAILOVER_VA, "Failover, schedule VA per phase",
         [f"{x} VA" for x in phases] + ["Total VA"]),
        (LINES[LoadsColumns.NORMAL_VA], "Normal, at the phase voltage of each line",
         [f"P {x} W" for x in phases] + [f"Q {x} var" for x in phases]),
        (LINES[LoadsColumns.FAILOVER_VA],
         "Failover, at the phase voltage of each line",
         [f"P {x} W" for x in phases] + [f"Q {x} var" for x in phases]),
        (PAIRS[LoadsColumns.NORMAL_VA], "L-L circuits only, normal",
         [f"P {x} W" for x in pairs] + [f"Q {x} var" for x in pairs]),
        (PAIRS[LoadsColumns.FAILOVER_VA], "L-L circuits only, failover",
         [f"P {x} W" for x in pairs] + [f"Q {x} var" for x in pairs]),
    )  # fmt: skip
    for column, title, heads in groups:
        sheet.merge(Span(top, column, top, column + len(heads) - 1), title, "head")
        state = ", failover" if "ailover" in title else ""  # Headings of a table are unique
        sheet.row(HEAD_ROW, column, [f"{head}{state}" for head in heads], "head")
    checks = (
        "PF",
        "Line A normal",
        "Line A failover",
        "Min trip A",
        "Trip",
        "Line A other failure",
    )
    sheet.row(HEAD_ROW, LoadsColumns.POWER_FACTOR, checks, "head")
    sheet.row(HEAD_ROW, LoadsColumns.BASIS, ("Rack basis kW",), "head")
    sheet.heights[HEAD_ROW] = 28


def _set_columns(sheet: Sheet) -> None:
    sheet.set_widths(15, 15, 10, 34, 14, 6, 9, 6, 7, 7, 7, 7)
    for column in range(LoadsColumns.NORMAL_VA, _LAST + 1):
        sheet.widths[column] = 10
    sheet.widths[LoadsColumns.POWER_FACTOR] = 7
    last = max(row for row, _ in sheet.cells)
    span = Span(HEAD_ROW + 1, LoadsColumns.VERDICT, max(last, HEAD_ROW + 1), LoadsColumns.VERDICT)
    first = Ref("", HEAD_ROW + 1, LoadsColumns.VERDICT).here
    sheet.conditionals.append(Conditional(span, f'{first}="LOW"', "bad"))
