"""Computes a case by the name of an equation or of a case function.

A case function leads the inputs of a case through several equations, or through the designs of the
wings; it holds no physics of its own.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from importlib import import_module

from facility.core.equation import EQUATIONS
from facility.core.errors import unknown
from facility.core.kinds import KINDS, value_in
from facility.study.verification import design_cases, load_cases, tariff_cases
from facility.study.verification.cooling import (
    air_cases,
    air_path_cases,
    energyplus_cases,
    exchanger_cases,
    liquid_cases,
    plant_cases,
    ride_through_cases,
    water_cases,
    weather_cases,
)
from facility.study.verification.power import (
    circuit_cases,
    conductor_cases,
    failure_cases,
    fault_cases,
    harmonic_cases,
    oracle_cases,
    panel_cases,
    power_cases,
)

CaseFunction = Callable[..., float | str]
"""Takes the inputs of a case by name and returns a number in the SI unit of its kind, or a text."""

TEXT = "text"
"""Stands for the kind where a case function returns a text: a size, a verdict."""

FUNCTIONS: Mapping[str, tuple[str, CaseFunction]] = {
    **air_cases.FUNCTIONS,
    **air_path_cases.FUNCTIONS,
    **exchanger_cases.FUNCTIONS,
    **plant_cases.FUNCTIONS,
    **circuit_cases.FUNCTIONS,
    **panel_cases.FUNCTIONS,
    **power_cases.FUNCTIONS,
    **conductor_cases.FUNCTIONS,
    **fault_cases.FUNCTIONS,
    **harmonic_cases.FUNCTIONS,
    **failure_cases.FUNCTIONS,
    **oracle_cases.FUNCTIONS,
    **energyplus_cases.FUNCTIONS,
    **ride_through_cases.FUNCTIONS,
    **water_cases.FUNCTIONS,
    **liquid_cases.FUNCTIONS,
    **weather_cases.FUNCTIONS,
    **design_cases.FUNCTIONS,
    **tariff_cases.FUNCTIONS,
    **load_cases.FUNCTIONS,
    "load.shown": (TEXT, design_cases.swing_shown),
}
"""Kind of the result, and the function, by name."""

_EQUATION = re.compile(r"(physics(?:\.\w+)+)\.\w+")


def evaluate(compute: str, inputs: Mapping[str, float | str], unit: str) -> float | str:
    """Return the number or text that `compute` makes of `inputs`, in `unit`.

    compute: Name of an equation (``physics.air.sensible.air_flow_for_heat``) or of a case function.
    inputs: Arguments by name, in SI.
    unit: A unit of the kind of the result; empty for a text.

    Raises ``UNKNOWN_EQUATION`` for a name that is neither, ``UNIT_UNKNOWN`` for a unit of another
    kind, and whatever the equation refuses.
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
