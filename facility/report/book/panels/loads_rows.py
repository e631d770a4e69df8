"""Rows of the Loads sheet: power, line amperes and trip check of one circuit each.

Formulas are built once per column, with ``#`` for the row, and numbered per circuit.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from functools import cache
from typing import NamedTuple

import numpy as np

from facility.core.rounding import reaches, reaches_in_cells, within
from facility.physics.circuits.currents import line_neutral_current
from facility.physics.circuits.distribution import apparent_of_parts
from facility.physics.circuits.phasor import power_of_pairs, reactive_of_pairs
from facility.power.panels.board.currents import class_power, currents
from facility.power.panels.board.model import Circuit, Panel
from facility.power.panels.design.lost_states import PanelLost
from facility.report.book.panels.live import CONTINUOUS_NAME, RackBasis
from facility.report.sheet.model import Sheet, column_letter


class LoadsColumns:
    """Columns of the Loads sheet, from 1; VA columns are the first of four."""

    CLASS = 7
    TRIP, CONNECTION, VOLTS, FACTOR = 9, 10, 11, 12
    NORMAL_VA, FAILOVER_VA = 13, 17
    POWER_FACTOR, AMPS, MIN_TRIP, VERDICT, OTHER_AMPS = 21, 22, 24, 25, 26
    BASIS = 51


LINES = {LoadsColumns.NORMAL_VA: 27, LoadsColumns.FAILOVER_VA: 33}
PAIRS = {LoadsColumns.NORMAL_VA: 39, LoadsColumns.FAILOVER_VA: 45}
_GROUPS = (LoadsColumns.NORMAL_VA, LoadsColumns.FAILOVER_VA)


_ACTIVE: tuple[str, Callable[[float], float]] = "", lambda pf: 1.0
_REACTIVE: tuple[str, Callable[[float], float]] = (
    "*TAN(ACOS({}))",
    lambda pf: math.tan(math.acos(pf)),
)
_APPARENT: tuple[str, Callable[[float], float]] = "/{}", lambda pf: 1.0 / pf


class CircuitRow(NamedTuple):
    """Circuit with its power and current, in the normal and the failover state.

    `legs` holds the power on A, B, C of a circuit to neutral, else on AB, BC, CA [VA]; `start` is
    the phase of its first pole; `line_a` the largest line current, `other_a` the largest in any
    other state if it exceeds both, else None [A].
    """

    circuit: Circuit
    start: int
    legs: tuple[list[complex], list[complex]]
    line_a: tuple[float, float]
    other_a: float | None


def circuit_rows(
    panel: Panel, failover: int, lost: PanelLost | None = None
) -> Iterator[CircuitRow]:
    """Yield the circuits of a panel by position; circuits without a position come last.

    `failover` is the index of the state shown next to the normal state; `lost` the panel with a
    supply of a rack lost.
    """
    lost_a = (0.0,) * len(panel.circuits) if lost is None else lost.circuit_a
    found = sorted(zip(panel.circuits, lost_a, strict=True), key=_by_position)
    if not found:
        return
    power = np.stack([class_power(c, 0, len(panel.states)) for c, _ in found])
    amperes = np.abs(currents(power, panel.v_ll))[..., :3].max(axis=-1)
    worst = np.maximum(amperes.max(axis=1), [other_a for _, other_a in found])
    shown = [0, failover]
    for (circuit, _), legs, (normal, after), worst_a in zip(
        found, power[:, shown].tolist(), amperes[:, shown].tolist(), worst.tolist(), strict=True
    ):
        start = panel.start(circuit) or 0
        offset = 0 if circuit.connection == "L-N" else 3
        order = [offset + (phase - start) % 3 for phase in range(3)]
        normal_va, after_va = ([state[n] for n in order] for state in legs)
        other_a = worst_a if not within(worst_a, max(normal, after)) else None
        yield CircuitRow(circuit, start, (normal_va, after_va), (normal, after), other_a)


def _by_position(found: tuple[Circuit, float]) -> tuple[bool, int, str]:
    circuit = found[0]
    return circuit.position is None, circuit.position or 0, circuit.id


def write_circuit(
    sheet: Sheet, row: int, panel: Panel, found: CircuitRow, basis: RackBasis | None
) -> None:
    """Write circuit data, power by phase in both states, and power factor.

    `basis` is the power of its rack, None for a circuit without one.
    """
    circuit = found.circuit
    ckt = ",".join(panel.layout.label(n) for n in panel.occupied(circuit))
    texts = (
        panel.tag,
        circuit.id,
        ckt,
        circuit.description,
        circuit.rack,
        circuit.side,
        circuit.class_code,
    )
    sheet.row(row, 1, texts, "listed")
    sheet.put(row, 8, circuit.poles, "number.n0")
    if basis is None:
        sheet.put(row, LoadsColumns.BASIS, None, "pna")
    else:
        sheet.formula(row, LoadsColumns.BASIS, basis.formula, basis.value, "calc.n3")
    if basis is None or not basis.trip:
        sheet.put(row, LoadsColumns.TRIP, circuit.breaker_a, "given.n0")
    else:
        sheet.formula(row, LoadsColumns.TRIP, basis.trip, circuit.breaker_a, "calc.n0")
    sheet.put(row, LoadsColumns.CONNECTION, circuit.connection, "listed")
    for group, legs in zip(_GROUPS, found.legs, strict=True):
        _write_power(sheet, row, group, legs, found, basis)
    total = circuit.total_va()
    if total:
        value = total.real / abs(total)
        sheet.formula(
            row, LoadsColumns.POWER_FACTOR, _power_factor().replace("#", str(row)), value, "calc.n3"
        )
    else:
        sheet.put(row, LoadsColumns.POWER_FACTOR, None, "number.n3")


def write_trip(
    sheet: Sheet, row: int, panel: Panel, found: CircuitRow, factor: float, basis: RackBasis | None
) -> bool:
    """Write line amperes, minimum trip rating and verdict; return whether it passes.

    `factor` is the continuous-load factor: 1 for a panel listed for 100 %.
    """
    number, trip_a = str(row), found.circuit.breaker_a
    sheet.put(row, LoadsColumns.VOLTS, panel.v_ll, "number.n0")
    if panel.listed_100:
        sheet.put(row, LoadsColumns.FACTOR, 1.0, "number.n2")
    else:
        sheet.formula(row, LoadsColumns.FACTOR, CONTINUOUS_NAME, factor, "calc.n2")
    for offset, (group, value) in enumerate(zip(_GROUPS, found.line_a, strict=True)):
        sheet.formula(
            row, LoadsColumns.AMPS + offset, _amperes(group).replace("#", number), value, "calc.a1"
        )
    min_trip, check = (formula.replace("#", number) for formula in _trip())
    _write_scaled(sheet, row, LoadsColumns.OTHER_AMPS, found.other_a, basis, "a1", _APPARENT)
    min_trip_a = factor * (found.other_a or max(found.line_a))
    sheet.formula(row, LoadsColumns.MIN_TRIP, min_trip, min_trip_a, "calc.a1")
    holds = trip_a is None or reaches(trip_a, min_trip_a)
    verdict = "" if trip_a is None else "OK" if holds else "LOW"
    sheet.formula(row, LoadsColumns.VERDICT, check, verdict, "verdict")
    return holds


def _write_power(
    sheet: Sheet,
    row: int,
    group: int,
    legs: list[complex],
    found: CircuitRow,
    basis: RackBasis | None,
) -> None:
    """Write P and Q, schedule VA and line power of one state; cells without load are grey."""
    circuit, number = found.circuit, str(row)
    occupied = [(found.start + pole) % 3 for pole in range(circuit.poles)]
    to_neutral = circuit.connection == "L-N"
    if not to_neutral:
        loaded = occupied if circuit.poles == 3 else [found.start]
        _write_legs(sheet, row, PAIRS[group], legs, loaded, basis)
    else:
        _write_legs(sheet, row, LINES[group], legs, occupied, basis)
    va_total, lines = 0.0, LINES[group]
    for phase in range(3):
        column = group + phase
        if phase not in occupied:
            sheet.blank(row, (column, lines + phase, lines + 3 + phase), "pna")
            continue
        if to_neutral:
            value, formula = abs(legs[phase]), _phase_va(group, phase)
        else:
            value, formula = _write_line(sheet, row, group, phase, legs)
        va_total += value
        sheet.formula(row, column, formula.replace("#", number), value, "calc.va")
    sheet.formula(row, group + 3, _total(group).replace("#", number), va_total, "calc.va")


def _write_legs(
    sheet: Sheet,
    row: int,
    column: int,
    legs: list[complex],
    loaded: list[int],
    basis: RackBasis | None,
) -> None:
    """Write P and Q of the phases or pairs that carry load, in proportion to the rack power."""
    for leg in loaded:
        _write_scaled(sheet, row, column + leg, legs[leg].real, basis, "n0")
        _write_scaled(sheet, row, column + 3 + leg, legs[leg].imag, basis, "n0", _REACTIVE)


def _write_scaled(
    sheet: Sheet,
    row: int,
    column: int,
    value: float | None,
    basis: RackBasis | None,
    number_format: str,
    per_watt: tuple[str, Callable[[float], float]] = _ACTIVE,
) -> None:
    """Write a number of a circuit, in proportion to the power of its rack if it has one.

    `per_watt` is its quantity for each W as formula and function of the power factor.
    """
    if not value or basis is None:
        sheet.put(row, column, value, f"given.{number_format}")
        return
    template, of = per_watt if basis.power_factor else _ACTIVE
    share = f"{value / basis.value / of(basis.pf)!r}*${column_letter(LoadsColumns.BASIS)}{row}"
    share += template.format(basis.power_factor)
    sheet.formula(row, column, share, value, f"calc.{number_format}")


def _write_line(
    sheet: Sheet, row: int, group: int, phase: int, legs: list[complex]
) -> tuple[float, str]:
    """Write P and Q of a line from its two pairs; return its schedule VA and the formula."""
    own, last = legs[phase], legs[(phase - 1) % 3]
    seen = of_pairs(own, last)
    p, q, va = _line(group, phase)
    first = LINES[group] + phase
    sheet.formula(row, first, p.replace("#", str(row)), seen.real, "calc.n0")
    sheet.formula(row, first + 3, q.replace("#", str(row)), seen.imag, "calc.n0")
    return (abs(own) + abs(last)) / 2.0, va


def of_pairs(own: complex, last: complex) -> complex:
    """Return the line power from the pair that starts at the line and the pair that ends at it."""
    parts = own.real, own.imag, last.real, last.imag
    return complex(power_of_pairs.si(*parts), reactive_of_pairs.si(*parts))


def _at(column: int) -> str:
    return f"{column_letter(column)}#"


@cache
def _phase_va(group: int, phase: int) -> str:
    first = LINES[group] + phase
    return apparent_of_parts.in_cells(power_w=_at(first), reactive_var=_at(first + 3))


@cache
def _line(group: int, phase: int) -> tuple[str, str, str]:
    """Return the formulas of P, Q and schedule VA of a line, from the two pairs it is part of."""
    first, before = PAIRS[group], (phase - 1) % 3
    pairs = {
        f"{pair}_{unit}": _at(first + n)
        for pair, at in (("leading", phase), ("lagging", before))
        for unit, n in (("w", at), ("var", 3 + at))
    }
    own, last = (
        apparent_of_parts.in_cells(power_w=pairs[f"{p}_w"], reactive_var=pairs[f"{p}_var"])
        for p in ("leading", "lagging")
    )
    return (
        power_of_pairs.in_cells(**pairs),
        reactive_of_pairs.in_cells(**pairs),
        f"({own}+{last})/2",
    )


@cache
def _total(group: int) -> str:
    return f"SUM({_at(group)}:{_at(group + 2)})"


@cache
def _power_factor() -> str:
    first = LINES[LoadsColumns.NORMAL_VA]
    p, q = (f"SUM({_at(n)}:{_at(n + 2)})" for n in (first, first + 3))
    return f"{p}/{apparent_of_parts.in_cells(power_w=p, reactive_var=q)}"


@cache
def _amperes(group: int) -> str:
    lines = ",".join(_phase_va(group, phase) for phase in range(3))
    phase_v = f"{_at(LoadsColumns.VOLTS)}/SQRT(3)"
    return line_neutral_current.in_cells(apparent_va=f"MAX({lines})", phase_voltage_v=phase_v)


@cache
def _trip() -> tuple[str, str]:
    """Return the formulas of the minimum trip rating and of the verdict on the selected one."""
    trip, min_trip = _at(LoadsColumns.TRIP), _at(LoadsColumns.MIN_TRIP)
    return (
        f"{_at(LoadsColumns.FACTOR)}*MAX({_at(LoadsColumns.AMPS)}:{_at(LoadsColumns.AMPS + 1)},"
        f"{_at(LoadsColumns.OTHER_AMPS)})",
        f'IF({trip}="","",IF({reaches_in_cells(trip, min_trip)},"OK","LOW"))',
    )
