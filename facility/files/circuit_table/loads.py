"""Loads of a circuit as its table writes them: whole, by leg or by phase; in VA, W or A."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from facility.core.errors import FacilityError
from facility.core.parse import parse_number
from facility.files.circuit_table.headings import LEG_FIELDS, PHASE_FIELDS
from facility.files.circuit_table.lines import LoadAmount
from facility.files.circuit_table.rows import Cells
from facility.model.power.hall_distribution import Connection
from facility.physics.circuits.currents import reactive_power
from facility.power.panels.board.layout import PHASES

_ROUNDED_VA = 1.0
"""Difference of the poles of one line-to-line load that rounding explains [VA]."""
_UNEQUAL = 1e-6


@dataclass(frozen=True)
class Loads:
    """What the rows of a circuit say of its load.

    `whole` is its total; `legs` those of the panel CSV, in pole order; `phases` by phase, 0 to 2.
    """

    whole: LoadAmount | None
    legs: Sequence[LoadAmount]
    phases: Mapping[int, LoadAmount]
    power_factor: float | None

    @property
    def amounts(self) -> tuple[LoadAmount, ...]:
        """Every amount."""
        return tuple(a for a in (self.whole, *self.legs, *self.phases.values()) if a is not None)

    @property
    def is_zero(self) -> bool:
        """Whether no load is written, or zero."""
        return not any(one.value for one in self.amounts)


def power_factor(row: Cells) -> float | None:
    """Return the power factor of a row; None without one.

    Raises ``PANEL_CSV_CELL`` or ``NOT_A_NUMBER``.
    """
    text = row.text("pf").casefold().removesuffix("lagging").removesuffix("lag").strip()
    if not text:
        return None
    where, percent = row.location("pf"), text.endswith("%")
    bare = text.rstrip("% ")
    # A power factor has no thousands.
    value = parse_number(bare.replace(",", ".") if "." not in bare else bare, where)
    value = value / 100.0 if percent else value
    if not 0.0 < value <= 1.0:
        message = f"{row.text('pf')[:40]!r} is not a power factor."
        raise row.refused("pf", message, "Enter a value above 0, at most 1.")
    return value


def loads_of(
    amounts: Sequence[Mapping[str, LoadAmount]], given: float | None, cells: Cells
) -> Loads:
    """Return the loads of a circuit from the amounts of its rows, the row of its number first.

    Raises ``PANEL_CSV_CELL`` for a load stated twice.
    """
    phases: dict[int, LoadAmount] = {}
    for row in amounts:
        for phase, name in enumerate(PHASE_FIELDS):
            if name in row and (phase not in phases or not phases[phase].value):
                phases[phase] = row[name]
            elif name in row and row[name].value:
                message = f"second load on phase {PHASES[phase]} of the circuit."
                raise FacilityError("PANEL_CSV_CELL", row[name].where, message)
    whole = [row["va"] for row in amounts if "va" in row]
    legs = [amounts[0][name] for name in LEG_FIELDS[1:] if name in amounts[0]]
    if legs and (len(legs) != 2 or not whole):
        raise cells.refused(
            "va_b",
            "va_b and va_c are required together, on a 3-pole row.",
            "Enter all three legs, or only va for the whole circuit.",
        )
    if legs:
        return Loads(None, (whole[0], *legs), phases, given)
    # One number a pole, in a single column of loads.
    if len(whole) > 1 and sum(one.value > 0.0 for one in whole) > 1:
        return Loads(None, whole, phases, given)
    return Loads(
        next((a for a in whole if a.value), whole[0] if whole else None), (), phases, given
    )


def legs_of(
    loads: Loads, poles: int, start: int | None, v_ll: float, row: Cells
) -> tuple[Connection, tuple[complex, ...]]:
    """Return connection and power of the legs [VA] of a circuit.

    start: Phase of its first pole; None if not placed.
    v_ll: Line-to-line voltage [V].
    row: Cells of the row of its number.

    Raises ``PANEL_CSV_CELL`` for a load on a phase that the circuit does not have, for unequal
    poles of one line-to-line load, and for watts without a power factor.
    """
    values = _values(loads, poles, start, row)
    stated = row.text("connection").upper()
    connection: Connection = "L-L" if poles == 2 else "L-N"
    if stated and not (stated == connection or (stated == "L-L" and poles == 3 and loads.legs)):
        raise row.refused(
            "connection",
            f"{stated[:40]!r} does not match {poles} poles.",
            "1-pole is L-N, 2-pole L-L; a 3-pole row with three legs is L-N or L-L.",
        )
    connection = "L-L" if stated == "L-L" else connection
    volts = v_ll if connection == "L-L" else v_ll / math.sqrt(3.0)
    factor = loads.power_factor
    found = []
    for amount, share in values:
        if amount.kind == "W" and factor is None and amount.value:
            raise FacilityError(
                "PANEL_POWER_FACTOR",
                amount.where,
                "the load is in W, but no power factor is stated.",
                "Add --power-factor, e.g. 0.95, or a pf column.",
            )
        own = factor or 1.0
        va = {"VA": 1.0, "W": 1.0 / own, "A": volts}[amount.kind] * amount.value * share
        found.append(complex(va * own, float(reactive_power.si(va * own, own))))
    return connection, tuple(found)


def _values(
    loads: Loads, poles: int, start: int | None, row: Cells
) -> list[tuple[LoadAmount, float]]:
    """Return the load of each leg, and its share of the total."""
    if loads.legs:
        if len(loads.legs) != poles or (poles != 3 and row.cells.get("va_b")):
            raise row.refused(
                "va_b",
                f"{len(loads.legs)} loads for {poles} poles.",
                "Enter a load for each pole, or only va for the whole circuit.",
            )
        return _of_poles(list(loads.legs), poles)
    by_phase = _on_poles(loads, poles, start, row) if loads.phases else []
    if loads.whole is None:
        return _of_poles(by_phase, poles)
    whole = loads.whole
    summed = sum(one.value for one in by_phase)
    if by_phase and whole.kind != "A" and abs(whole.value - summed) > _ROUNDED_VA + whole.step:
        message = f"{whole.value:,.0f} {whole.kind} is not the sum of the phases, {summed:,.0f}."
        raise FacilityError("PANEL_CSV_CELL", whole.where, message, "Correct one of them.")
    if by_phase:
        return _of_poles(by_phase, poles)
    # Amperes are those of each line.
    return [(whole, 1.0 if whole.kind == "A" else 1.0 / 3.0)] * 3 if poles == 3 else [(whole, 1.0)]


def _of_poles(amounts: list[LoadAmount], poles: int) -> list[tuple[LoadAmount, float]]:
    """Return the legs of loads by pole: both poles of a 2-pole circuit carry one L-L load."""
    if poles != 2:
        return [(amount, 1.0) for amount in amounts]
    first, second = amounts
    close = max(
        _UNEQUAL * first.value, _ROUNDED_VA if first.kind != "A" else first.step, first.step
    )
    if first.kind != second.kind or abs(first.value - second.value) > close:
        raise FacilityError(
            "PANEL_CSV_CELL",
            second.where,
            f"the two poles of a line-to-line load must have equal loads, not {first.value:,.6g} "
            f"and {second.value:,.6g} {second.kind}.",
            "Enter half of the load on each pole, or two 1-pole circuits.",
        )
    if first.kind == "A":
        return [(first, 1.0)]
    both = LoadAmount(first.value + second.value, first.kind, first.where, first.step)
    return [(both, 1.0)]


def _on_poles(loads: Loads, poles: int, start: int | None, row: Cells) -> list[LoadAmount]:
    """Return the loads by phase in pole order."""
    if start is None:
        found = [loads.phases[phase] for phase in sorted(loads.phases)]
        if len(found) != poles:
            found = [one for one in found if one.value]
        required = set(loads.phases)
    else:
        order = [(start + pole) % 3 for pole in range(poles)]
        required = set(order)
        found = [loads.phases[phase] for phase in order if phase in loads.phases]
    for phase, amount in sorted(loads.phases.items()):
        if phase not in required and amount.value:
            mine = "".join(PHASES[one] for one in sorted(required))
            raise FacilityError(
                "PANEL_CSV_CELL",
                amount.where,
                f"load on phase {PHASES[phase]}, but the poles are on {mine}.",
                "Enter it in the column of its phase, or correct the circuit number and poles.",
            )
    if len(found) != poles:
        first = found[0].where if found else row.location("phase_a")
        raise FacilityError(
            "PANEL_CSV_CELL",
            first,
            f"{len(found)} loads for {poles} poles.",
            "Enter a load for each pole (0 for none), or correct the poles.",
        )
    return found
