"""Ampacity and overcurrent device of a circuit by the NEC."""

from __future__ import annotations

from dataclasses import dataclass

from facility.catalogue import table
from facility.core.errors import FacilityError
from facility.core.rounding import reaches
from facility.model.power.conductors import ConductorBasis
from facility.physics.circuits.conductors import ambient_factor, corrected_ampacity
from facility.power.feeders.nec.steps import QUIET, CircuitSteps
from facility.power.feeders.nec.tables import table_ampacity
from facility.power.feeders.types import CircuitDemand
from facility.power.panels.board.breakers import standard_breakers

_BASE_C = 30.0
"""Ambient of Table 310.16 [degC]."""

_LOW_TERMINATION_C, _HIGH_TERMINATION_C = 60.0, 75.0
_LOW_TERMINATION_TO_A = 100.0
_NEXT_SIZE_UP_TO_A = 800.0
_NO_NEXT_SIZE_UP = ("tap", "transformer secondary")


@dataclass(frozen=True)
class Derating:
    """Ampacity factors of the insulation, with their basis."""

    current_carrying: int
    ambient: float
    bundling: float


def derating(
    demand: CircuitDemand, basis: ConductorBasis, where: str = "", steps: CircuitSteps = QUIET
) -> Derating:
    """Return the factors for ambient and bundling of a circuit.

    The ambient factor is from the bands of Table 310.15(B)(1), or from the equation if the project
    specifies it. The number of conductors does not count in a nipple.

    Raises ``AMBIENT_TOO_HOT`` if the table permits no ampacity.
    """
    carrying = current_carrying(demand) * demand.grouped_circuits
    bundling = 1.0 if demand.nipple else _bundling(carrying)
    ambient = _ambient_factor(basis, where, steps)
    words = f"{carrying} current-carrying conductors in a raceway"
    words += ", a nipple" if demand.nipple else ""
    steps.choose("bundling_factor", bundling, "ratio", words, "bundling")
    return Derating(carrying, ambient, bundling)


def current_carrying(demand: CircuitDemand) -> int:
    """Return the number of current-carrying conductors of a circuit, counted neutral included.

    The neutral of a two-wire circuit, and of two lines of a wye, always counts.
    """
    if demand.neutral == "none":
        return max(demand.poles, 2)
    counts = demand.neutral == "counted" or demand.poles < 3
    return demand.poles + (1 if counts else 0)


def ambient_subject(basis: ConductorBasis) -> str:
    """Return the article subject of the ambient factor."""
    return "ambient" if basis.ambient_by_table else "ambient equation"


def _ambient_factor(basis: ConductorBasis, where: str, steps: CircuitSteps) -> float:
    """Return the ambient factor, by band or equation.

    No credit applies below the lowest band.
    """
    column = f"factor_{basis.insulation_c:.0f}c"
    row = table("electrical/nec_310_15_b1_temperature").above("ambient_max_c", basis.ambient_c)
    factor = None if row is None else row.si_or_none(column)
    if row is None or factor is None:
        raise FacilityError(
            "AMBIENT_TOO_HOT",
            where,
            f"conductors rated {basis.insulation_c:.0f} degC have no ampacity at an ambient of "
            f"{basis.ambient_c:.0f} degC.",
            "Select another insulation or a cooler route.",
        )
    if basis.ambient_by_table:
        lower = row["ambient_min_c"]
        band = f"{'up to' if lower is None else f'{lower:g} to'} {row.require('ambient_max_c'):g}"
        words = f"band of {band} degC, conductors of {basis.insulation_c:.0f} degC"
        return steps.choose("ambient_factor", factor, "ratio", words, ambient_subject(basis))
    coldest = min(r.si("ambient_max_c") for r in table(row.schema.name).rows)
    return steps.do(
        "ambient_factor",
        ambient_factor,
        f"by the equation, {steps.locator(ambient_subject(basis))}",
        conductor_c=basis.insulation_c,
        ambient_c=max(basis.ambient_c, coldest),
        base_c=_BASE_C,
    )


def _bundling(conductors: int) -> float:
    for row in table("electrical/nec_310_15_c1_bundling").rows:
        last = row["ccc_max"]
        if last is None or conductors <= int(last):
            return row.si("factor")
    raise AssertionError("the last row has no upper end")


def termination_column(ocpd_a: float, basis: ConductorBasis) -> float:
    """Return the temperature column of the terminations [degC], 110.14(C)(1).

    Terminations rated 60 degC determine the column up to 100 A; above that equipment is rated
    75 degC. The insulation rating may be lower.
    """
    low = basis.termination_c == _LOW_TERMINATION_C and ocpd_a <= _LOW_TERMINATION_TO_A
    column = _LOW_TERMINATION_C if low else _HIGH_TERMINATION_C
    return min(column, basis.insulation_c)


def ampacities(
    size: str,
    sets: int,
    material: str,
    insulation_c: float,
    column_c: float,
    factors: Derating,
    steps: CircuitSteps = QUIET,
) -> tuple[float, float]:
    """Return the ampacity of all sets at the terminations, and after the factors [A].

    Both are zero for a size that the table does not list for the metal.
    """
    at_terminal = table_ampacity(size, material, column_c)
    of_insulation = table_ampacity(size, material, insulation_c)
    if at_terminal is None or of_insulation is None:
        at_terminal = of_insulation = 0.0
    corrected = steps.do(
        "ampacity_corrected",
        corrected_ampacity,
        f"{insulation_c:.0f} degC column of {steps.locator('ampacity')}",
        table_a=of_insulation,
        sets=sets,
        ambient=steps.link("ambient_factor", factors.ambient),
        bundling=steps.link("bundling_factor", factors.bundling),
    )
    words = f"{sets} x the {column_c:.0f} degC column, {steps.locator('termination')}"
    at = f"{steps.id}.ampacity_termination"
    return steps.trace.derive(at, sets * at_terminal, "current", words), corrected


def next_size_up_allowed(demand: CircuitDemand) -> bool:
    """Return whether 240.4(B) applies: not for taps, secondaries and portable cord loads."""
    return demand.location not in _NO_NEXT_SIZE_UP and not demand.cord_and_plug


def largest_ocpd(ampacity_a: float, next_up: bool, edition: str) -> float:
    """Return the largest overcurrent device that protects conductors of an ampacity [A].

    The next standard rating above the ampacity up to 800 A where `next_up`, 240.4(B); otherwise
    the ampacity itself, 240.4(C).
    """
    if not next_up:
        return ampacity_a
    above = [a for a in standard_breakers("NEC", edition) if reaches(a, ampacity_a)]
    return max(above[0], ampacity_a) if above and above[0] <= _NEXT_SIZE_UP_TO_A else ampacity_a
