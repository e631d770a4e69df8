"""Computation of the cases of ``reference/cases``."""

from __future__ import annotations

import re
from collections.abc import Mapping
from importlib import import_module
from typing import cast

from facility.catalogue import Row, table, table_names
from facility.core.equation import EQUATIONS
from facility.core.errors import FacilityError, unknown
from facility.core.kinds import KINDS, value_in
from facility.study.verification import design_cases, load_cases, tariff_cases
from facility.study.verification.cooling import (
    air_cases,
    energyplus_cases,
    exchanger_cases,
    plant_cases,
    ride_through_cases,
    water_cases,
    weather_cases,
)
from facility.study.verification.inputs import CaseFunction, CaseFunctions, values_of
from facility.study.verification.outcome import CaseOutcome, PublishedCase, Status
from facility.study.verification.power import (
    circuit_cases,
    conductor_cases,
    fault_cases,
    oracle_cases,
    panel_cases,
    power_cases,
)

_HINTS: dict[str, Status] = {
    "covered": "pass",
    "explained": "explained",
    "not_covered": "not_covered",
}
_FOLDER = "cases/"
_PARTS = ("cases/projects", "cases/networks")
"""Tables with the inputs of cases."""


def case_tables() -> tuple[str, ...]:
    """Return the names of the reference tables with cases."""
    names = (name for name in table_names() if name.startswith(_FOLDER))
    return tuple(name for name in names if name not in _PARTS)


def read_cases() -> tuple[PublishedCase, ...]:
    """Return all cases of the manual, in the order of the tables.

    Raises for a table that violates its schema, or an unknown status.
    """
    return tuple(_case(row) for name in case_tables() for row in table(name).rows)


def run_cases() -> list[CaseOutcome]:
    """Compute the verification manual: one outcome per case, in order.

    A case that cannot be computed fails with the reason, without ending the run.
    """
    return [run_case(case) for case in read_cases()]


def run_case(case: PublishedCase) -> CaseOutcome:
    """Compute and evaluate one case."""
    if case.status == "not_covered":
        return case.evaluated(None)
    try:
        return case.evaluated(evaluate(case.compute, case.inputs, case.unit))
    except (
        FacilityError,
        ArithmeticError,
        AttributeError,
        LookupError,
        TypeError,
        ValueError,
    ) as error:
        return case.evaluated(None, f"could not be computed: {type(error).__name__}: {error}")


def _case(row: Row) -> PublishedCase:
    where = row.label
    hint = row.text("status")
    if hint not in _HINTS:
        raise FacilityError(
            "CASE_STATUS",
            where,
            f"status {hint!r} is not one of {', '.join(_HINTS)}.",
            "Correct reference/cases.",
        )
    number = row["expected"]
    return PublishedCase(
        id=row.text("id"),
        title=row.text("title"),
        compute=row.text("compute"),
        inputs=values_of(row.text("inputs"), where),
        expected=row.text("expected_text") if number is None else cast("float", number),
        unit=row.text("unit"),
        tolerance=_tolerance(row),
        status=_HINTS[hint],
        reason=row.text("reason"),
        source=row.source.title,
    )


def _tolerance(row: Row) -> float | None:
    """Return the larger of the absolute and the relative tolerance, in the unit of the case."""
    absolute, relative, expected = (
        cast("float | None", row[name]) for name in ("tolerance_abs", "tolerance_rel", "expected")
    )
    if expected is None or (absolute is None and relative is None):
        return None
    return max(absolute or 0.0, (relative or 0.0) * abs(expected))


TEXT = "text"
"""Kind of case functions that return a text: a size, a verdict."""

FUNCTIONS: CaseFunctions = {
    **air_cases.FUNCTIONS,
    **exchanger_cases.FUNCTIONS,
    **plant_cases.FUNCTIONS,
    **circuit_cases.FUNCTIONS,
    **panel_cases.FUNCTIONS,
    **power_cases.FUNCTIONS,
    **conductor_cases.FUNCTIONS,
    **fault_cases.FUNCTIONS,
    **oracle_cases.FUNCTIONS,
    **energyplus_cases.FUNCTIONS,
    **ride_through_cases.FUNCTIONS,
    **water_cases.FUNCTIONS,
    **weather_cases.FUNCTIONS,
    **design_cases.FUNCTIONS,
    **tariff_cases.FUNCTIONS,
    **load_cases.FUNCTIONS,
}

_EQUATION = re.compile(r"(physics(?:\.\w+)+)\.\w+")


def evaluate(compute: str, inputs: Mapping[str, float | str], unit: str) -> float | str:
    """Return the number or text computed from `inputs`, in `unit`.

    compute: Name of an equation (``physics.air.sensible.air_flow_for_heat``) or of a case function.
    inputs: Arguments by name, in SI.
    unit: A unit of the kind of the result; empty for a text.

    Raises ``UNKNOWN_EQUATION`` for a name that is neither, ``UNIT_UNKNOWN`` for a unit of another
    kind, and the errors of the equation.
    """
    if compute in FUNCTIONS:
        kind_name, function = FUNCTIONS[compute]
    else:
        kind_name, function = _equation(compute)
    if kind_name == TEXT:
        return str(function(**inputs))
    kind = KINDS[kind_name]
    if unit not in kind.units:
        raise unknown(
            "UNIT_UNKNOWN",
            compute,
            f"{unit!r} is not a unit of {kind_name}.",
            unit,
            filter(None, kind.units),
        )
    return float(value_in(kind, float(function(**inputs)), unit))


def _equation(name: str) -> tuple[str, CaseFunction]:
    match = _EQUATION.fullmatch(name)
    if match:
        import_module(f"facility.{match[1]}")
    if name not in EQUATIONS:
        raise unknown(
            "UNKNOWN_EQUATION",
            name,
            "no equation and no case function has this name.",
            name,
            [*EQUATIONS, *FUNCTIONS],
        )
    found = EQUATIONS[name]
    return found.returns[0], found.si
