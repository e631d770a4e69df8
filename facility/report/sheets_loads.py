"""The Loads sheet: one row per circuit, its power in the normal and the failover state.

The inputs are P and Q on each phase or pair of phases. From them the sheet computes, live, the
schedule VA of every pole and the power each line sees at its own phase voltage; the panel
schedules refer to these cells.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from facility.power.panel_currents import PanelLoad, circuit_current, class_power, panel_power
from facility.power.panel_model import Circuit, Panel
from facility.report.panel_places import PHASE_NAMES
from facility.report.sheet_cells import Ref, Span, column_letter
from facility.report.sheet_model import Conditional, Sheet
from facility.report.sheet_tables import Furniture, write_heading

HEAD_ROW = 5
_HEADS = (
    "Panel", "Circuit", "Ckt", "Description", "Rack", "Feed", "Class", "Poles", "Trip A",
    "Conn.", "V L-L", "Factor",
)  # fmt: skip
CONTINUOUS_NAME = "Continuous_Factor"
_VOLTS, _FACTOR = 11, 12
NORMAL_VA, FAILOVER_VA = 13, 17
_POWER_FACTOR, _AMPS, _MIN_TRIP, _VERDICT = 21, 22, 24, 25
_LINES = {NORMAL_VA: 27, FAILOVER_VA: 33}
_PAIRS = {NORMAL_VA: 39, FAILOVER_VA: 45}
_LAST = 50
_INV_2SQRT3 = 1.0 / (2.0 * math.sqrt(3.0))


@dataclass(frozen=True)
class ScheduledPanel:
    """A panel as the workbook shows it, with its loads by state."""

    panel: Panel
    loads: tuple[PanelLoad, ...]

    @cached_property
    def power(self) -> NDArray[np.complex128]:
        """Power on AN, BN, CN, AB, BC, CA by state."""
        return panel_power(self.panel)

    @property
    def shown_failover(self) -> PanelLoad:
        """Load in the state that `failover` names."""
        return self.loads[self.failover]

    @cached_property
    def failover(self) -> int:
        """Index of the state with the largest line current after a loss; 0 where none is known."""
        lost = range(1, len(self.loads))
        return max(lost, key=lambda s: (self.loads[s].current_max_a, -s), default=0)


@dataclass(frozen=True)
class LoadsPlaces:
    """Where the circuits stand on the Loads sheet.

    `rows` maps (panel tag, circuit id) to a row; `spans` a panel tag to its first and last row;
    `low_trips` holds the circuits whose trip rating is below the least one.
    """

    sheet: str
    rows: dict[tuple[str, str], int]
    spans: dict[str, tuple[int, int]]
    low_trips: frozenset[tuple[str, str]]
    normal: int = NORMAL_VA
    failover: int = FAILOVER_VA

    def pole_va(self, tag: str, circuit: str, phase: int) -> str:
        """Return the formula of the schedule VA of a circuit on a phase, in the normal state."""
        return f"{self.sheet}!${column_letter(NORMAL_VA + phase)}{self.rows[tag, circuit]}"

    def trip_verdict(self, tag: str, circuit: str) -> str:
        """Return the address of the verdict on the trip rating of a circuit."""
        return f"{self.sheet}!${column_letter(_VERDICT)}{self.rows[tag, circuit]}"

    def worst_current(self, tag: str, circuit: str) -> str:
        """Return the formula of the larger line current of a circuit, normal or failover."""
        row = self.rows[tag, circuit]
        first, last = column_letter(_AMPS), column_letter(_AMPS + 1)
        return f"MAX({self.sheet}!${first}{row}:${last}{row})"

    def total(self, tag: str, group: int, phase: int, part: str) -> str:
        """Return the sum over a panel of ``"va"``, ``"p"`` or ``"q"`` of one phase."""
        offset = {"va": group, "p": _LINES[group], "q": _LINES[group] + 3}[part]
        letter = column_letter(offset + phase)
        first, last = self.spans[tag]
        return f"SUM({self.sheet}!${letter}${first}:${letter}${last})"


def loads_sheet(
    name: str, panels: Sequence[ScheduledPanel], continuous_factor: float, furniture: Furniture
) -> tuple[Sheet, LoadsPlaces]:
    """Return the sheet of all circuits, and where each of them stands on it.

    `continuous_factor` is the value of the workbook's name ``Continuous_Factor``.
    """
    sheet = Sheet(name, freeze=(HEAD_ROW + 1, 5))
    write_heading(
        sheet, "Loads",
        "One row per circuit. Normal: all feeds live. Failover: the worst single loss for that "
        "panel, named in its schedule. The two are never added.",
    )  # fmt: skip
    _write_heads(sheet, PHASE_NAMES[panels[0].panel.numbering if panels else "US"])
    rows: dict[tuple[str, str], int] = {}
    spans: dict[str, tuple[int, int]] = {}
    low: set[tuple[str, str]] = set()
    row = HEAD_ROW + 1
    for scheduled in panels:
        first = row
        for circuit in _in_order(scheduled.panel):
            rows[scheduled.panel.tag, circuit.id] = row
            factor = 1.0 if scheduled.panel.listed_100 else continuous_factor
            _write_circuit(sheet, row, scheduled, circuit)
            if not _write_trip(sheet, row, scheduled, circuit, factor):
                low.add((scheduled.panel.tag, circuit.id))
            row += 1
        spans[scheduled.panel.tag] = (first, max(first, row - 1))
    _set_columns(sheet)
    last = max(row - 1, HEAD_ROW + 1)
    area = Span(1, 1, last, _VERDICT)
    sheet.page = furniture.page(large=True, repeat_rows=(HEAD_ROW - 1, HEAD_ROW), area=area)
    sheet.filter_span = Span(HEAD_ROW, 1, last, _LAST)
    return sheet, LoadsPlaces(sheet.quoted, rows, spans, frozenset(low))


def _in_order(panel: Panel) -> list[Circuit]:
    return sorted(panel.circuits, key=lambda c: (c.position is None, c.position or 0, c.id))


def _write_heads(sheet: Sheet, phases: tuple[str, str, str]) -> None:
    top = HEAD_ROW - 1
    sheet.row(HEAD_ROW, 1, _HEADS, "head")
    pairs = [phases[x] + phases[(x + 1) % 3] for x in range(3)]
    groups = (
        (NORMAL_VA, "Normal, schedule VA per phase", [f"{x} VA" for x in phases] + ["Total VA"]),
        (FAILOVER_VA, "Failover, schedule VA per phase",
         [f"{x} VA" for x in phases] + ["Total VA"]),
        (_LINES[NORMAL_VA], "Normal, at the phase voltage of each line (L-N: input)",
         [f"P {x} W" for x in phases] + [f"Q {x} var" for x in phases]),
        (_LINES[FAILOVER_VA], "Failover, at the phase voltage of each line (L-N: input)",
         [f"P {x} W" for x in phases] + [f"Q {x} var" for x in phases]),
        (_PAIRS[NORMAL_VA], "L-L circuits only: input, normal",
         [f"P {x} W" for x in pairs] + [f"Q {x} var" for x in pairs]),
        (_PAIRS[FAILOVER_VA], "L-L circuits only: input, failover",
         [f"P {x} W" for x in pairs] + [f"Q {x} var" for x in pairs]),
    )  # fmt: skip
    for column, title, heads in groups:
        sheet.merge(Span(top, column, top, column + len(heads) - 1), title, "head")
        sheet.row(HEAD_ROW, column, heads, "head")
    checks = ("PF", "Line A normal", "Line A failover", "Min trip A", "Trip")
    sheet.row(HEAD_ROW, _POWER_FACTOR, checks, "head")
    sheet.heights[HEAD_ROW] = 28


def _write_circuit(sheet: Sheet, row: int, scheduled: ScheduledPanel, circuit: Circuit) -> None:
    panel = scheduled.panel
    ckt = ",".join(panel.layout.label(n) for n in panel.occupied(circuit))
    texts = (panel.tag, circuit.id, ckt, circuit.description, circuit.rack, circuit.side,
             circuit.class_code)  # fmt: skip
    sheet.row(row, 1, texts, "listed")
    sheet.put(row, 8, circuit.poles, "number.n0")
    sheet.put(row, 9, circuit.breaker_a, "number.n0")
    sheet.put(row, 10, circuit.connection, "listed")
    start = panel.layout.phase(circuit.position) if circuit.position else 0
    power = class_power(circuit, start, len(scheduled.loads))
    offset = 0 if circuit.connection == "L-N" else 3
    for group, state in ((NORMAL_VA, 0), (FAILOVER_VA, scheduled.failover)):
        legs = [complex(power[state, offset + leg]) for leg in range(3)]
        _write_power(sheet, row, group, legs, circuit, start)
    total = abs(circuit.total_va())
    if total:
        first = _LINES[NORMAL_VA]
        p, q = Span(row, first, row, first + 2), Span(row, first + 3, row, first + 5)
        sheet.formula(
            row, _POWER_FACTOR, f"SUM({p})/SQRT(SUM({p})^2+SUM({q})^2)",
            circuit.total_va().real / total, "calc.n3",
        )  # fmt: skip
    else:
        sheet.put(row, _POWER_FACTOR, None, "number.n3")


def _write_trip(
    sheet: Sheet, row: int, scheduled: ScheduledPanel, circuit: Circuit, factor: float
) -> bool:
    """Write line amperes, the least trip rating and the verdict; return whether it is held."""
    panel = scheduled.panel
    sheet.put(row, _VOLTS, panel.v_ll, "number.n0")
    if panel.listed_100:
        sheet.put(row, _FACTOR, 1.0, "number.n2")
    else:
        sheet.formula(row, _FACTOR, CONTINUOUS_NAME, factor, "calc.n2")
    amperes = circuit_current(circuit, panel.v_ll)
    volts = Ref("", row, _VOLTS).here
    worst = 0.0
    for offset, (group, state) in enumerate(((NORMAL_VA, 0), (FAILOVER_VA, scheduled.failover))):
        first = _LINES[group]
        lines = ",".join(
            f"SQRT({Ref('', row, first + x).here}^2+{Ref('', row, first + 3 + x).here}^2)"
            for x in range(3)
        )
        value = float(amperes[state])
        worst = max(worst, value)
        sheet.formula(row, _AMPS + offset, f"MAX({lines})*SQRT(3)/{volts}", value, "calc.a1")
    least = f"{Ref('', row, _FACTOR).here}*MAX({Span(row, _AMPS, row, _AMPS + 1)})"
    sheet.formula(row, _MIN_TRIP, least, factor * worst, "calc.a1")
    trip, minimum = Ref("", row, 9).here, Ref("", row, _MIN_TRIP).here
    held = circuit.breaker_a is None or circuit.breaker_a * (1 + 1e-9) >= factor * worst
    verdict = "" if circuit.breaker_a is None else "OK" if held else "LOW"
    formula = f'IF({trip}="","",IF({trip}*(1+1E-9)>={minimum},"OK","LOW"))'
    sheet.formula(row, _VERDICT, formula, verdict, "verdict")
    return held


def _write_power(
    sheet: Sheet, row: int, group: int, legs: list[complex], circuit: Circuit, start: int
) -> None:
    """Write inputs, schedule VA and line power of one state; cells without load stay blank."""
    occupied = {(start + pole) % 3 for pole in range(circuit.poles)}
    to_neutral = circuit.connection == "L-N"
    if not to_neutral:
        loaded = occupied if circuit.poles == 3 else {start}
        _write_pairs(sheet, row, _PAIRS[group], legs, loaded)
    va_total, lines = 0.0, _LINES[group]
    for phase in range(3):
        if phase not in occupied:
            for column in (group, lines, lines + 3):
                sheet.put(row, column + phase, None, "pna")
            continue
        p, q = Ref("", row, lines + phase), Ref("", row, lines + 3 + phase)
        if to_neutral:
            value, formula = abs(legs[phase]), f"SQRT({p.here}^2+{q.here}^2)"
            sheet.put(row, p.column, legs[phase].real, "input.n0")
            sheet.put(row, q.column, legs[phase].imag, "input.n0")
        else:
            value, formula = _write_line(sheet, p, q, _PAIRS[group], phase, legs)
        va_total += value
        sheet.formula(row, group + phase, formula, value, "calc.va")
    span = Span(row, group, row, group + 2)
    sheet.formula(row, group + 3, f"SUM({span})", va_total, "calc.va")


def _write_pairs(
    sheet: Sheet, row: int, column: int, legs: list[complex], loaded: set[int]
) -> None:
    """Write P and Q on the pairs AB, BC, CA that carry load."""
    for leg in sorted(loaded):
        sheet.put(row, column + leg, legs[leg].real, "input.n0")
        sheet.put(row, column + 3 + leg, legs[leg].imag, "input.n0")


def _write_line(
    sheet: Sheet, p: Ref, q: Ref, pairs: int, phase: int, legs: list[complex]
) -> tuple[float, str]:
    """Write P and Q that a line sees of its two pairs; return its schedule VA and the formula.

    A pair starting at the line (AB for A) is seen turned by -30 degrees over sqrt(3), the pair
    ending at it (CA for A) turned by +30 degrees.
    """
    before = (phase - 1) % 3
    own, last = legs[phase], legs[before]
    p1, q1, p2, q2 = (
        Ref("", p.row, pairs + column).here for column in (phase, 3 + phase, before, 3 + before)
    )
    seen_w = (own.real + last.real) / 2.0 + (own.imag - last.imag) * _INV_2SQRT3
    seen_var = (own.imag + last.imag) / 2.0 - (own.real - last.real) * _INV_2SQRT3
    sheet.formula(p.row, p.column, f"({p1}+{p2})/2+({q1}-{q2})/(2*SQRT(3))", seen_w, "calc.n0")
    sheet.formula(q.row, q.column, f"({q1}+{q2})/2-({p1}-{p2})/(2*SQRT(3))", seen_var, "calc.n0")
    formula = f"(SQRT({p1}^2+{q1}^2)+SQRT({p2}^2+{q2}^2))/2"
    return (abs(own) + abs(last)) / 2.0, formula


def _set_columns(sheet: Sheet) -> None:
    sheet.set_widths(15, 15, 10, 34, 14, 6, 9, 6, 7, 7, 7, 7)
    for column in range(NORMAL_VA, _LAST + 1):
        sheet.widths[column] = 10
    sheet.widths[_POWER_FACTOR] = 7
    sheet.widths[_VERDICT + 1] = 3
    last = max(row for row, _ in sheet.cells)
    span = Span(HEAD_ROW + 1, _VERDICT, max(last, HEAD_ROW + 1), _VERDICT)
    first = Ref("", HEAD_ROW + 1, _VERDICT).here
    sheet.conditionals.append(Conditional(span, f'{first}="LOW"', "bad"))
