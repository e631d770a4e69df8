"""All equations of the project, worked examples of them, and sensible arguments for each."""

from __future__ import annotations

import csv
import importlib
import pkgutil
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from facility.core.equation import EQUATIONS, AnyEquation
from facility.core.kinds import CURRENCIES, KINDS, kind_in
from facility.core.parse import parse_quantity

WORKED = Path(__file__).resolve().parents[1] / "data" / "worked"
_HEADER = ["equation", "inputs", "expected", "tolerance", "why", "source"]
_WINGS = ("physics", "cooling", "power")
_FORMULAS = Path(__file__).resolve().parents[1] / "formulas"

_DOLLARS = {
    "money": 1.0e5,
    "energy_price": 2.5e-8,
    "reactive_price": 1.0e-8,
    "volume_price": 1.5,
    "hour_price": 7e-4,
    "demand_price": 0.015,
    "apparent_price": 0.015,
}
"""The same in each currency."""

# One sensible value of each kind, in its SI unit: what an argument is given when no worked example
# names it. Arguments of one kind are kept apart by a few per cent, in the order they are declared.
SENSIBLE = {
    "active_power": 5.0e4,
    "apparent_power": 6.0e4,
    "reactive_power": 2.0e4,
    "heat_flow": 5.0e4,
    "energy": 3.6e9,
    "reactive_energy": 3.0e9,
    "temperature": 24.0,
    "rating_temperature": 75.0,
    "temperature_difference": 8.0,
    "line_voltage": 415.0,
    "phase_voltage": 240.0,
    "dc_voltage": 480.0,
    "current": 50.0,
    "joule_integral": 8.0e4,
    "resistance": 0.02,
    "frequency": 50.0,
    "length": 30.0,
    "area": 4.0,
    "volume": 2.0,
    "mass": 100.0,
    "time": 600.0,
    "charge": 3.6e5,
    "power_ramp": 1e6,
    "swing_frequency": 0.5,
    "mass_flow": 4.0,
    "air_flow": 5.0,
    "liquid_flow": 0.004,
    "pressure": 9.5e4,
    "density": 1020.0,
    "specific_volume": 0.85,
    "specific_heat": 3900.0,
    "specific_enthalpy": 5.0e4,
    "viscosity": 1.5e-3,
    "thermal_conductivity": 0.5,
    "thermal_conductance": 2.0e4,
    "thermal_resistance": 0.05,
    "velocity": 2.0,
    "power_density": 1000.0,
    "specific_fan_power": 900.0,
    "flow_per_power": 3.0e-5,
    "water_per_energy": 4.0e-10,
    "heat_capacity": 8.0e6,
    "fraction": 0.6,
    "ratio": 0.9,
    "count": 4.0,
    "humidity_ratio": 0.008,
    "degrees": 40.0,
    **{kind_in(kind, c): value for kind, value in _DOLLARS.items() for c in CURRENCIES},
    "carbon_intensity": 1.0e-7,
    "resistivity": 2.0e-8,
    "cross_section": 4.0e-4,
}

# By name, where the kind alone would make no sense: losses against ratings, wet against dry bulb.
SENSIBLE_NAMED = {
    "wet_bulb_c": 17.0,
    "cold_in_c": 18.0,
    "evaporating_c": 8.0,
    "condensing_c": 42.0,
    "cop": 5.5,
    "cop_limit": 12.0,
    "reference_cop": 6.0,
    "reference_w": 8.0e4,
    "liquid_w": 3.0e4,
    "no_load_w": 200.0,
    "load_loss_w": 900.0,
    "impedance": 0.06,
    "share": 0.5,
    "lost": 0.25,
    "load_low": 0.5,
    "load_high": 0.75,
    "vapor_pressure_pa": 1500.0,
}


@lru_cache(maxsize=1)
def all_equations() -> dict[str, AnyEquation]:
    """Import physics, the wings and the formulas of tests, and return every equation by name."""
    for wing in _WINGS:
        package = importlib.import_module(f"facility.{wing}")
        for found in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            importlib.import_module(found.name)
    for path in sorted(_FORMULAS.glob("[!t]*.py")):
        importlib.import_module(f"tests.formulas.{path.stem}")
    of = (*(f"{wing}." for wing in _WINGS), "tests.formulas.")
    return {name: e for name, e in sorted(EQUATIONS.items()) if name.startswith(of)}


@dataclass(frozen=True)
class Worked:
    """One worked example: inputs and expected results in SI, each with a tolerance in SI."""

    where: str
    equation: str
    inputs: dict[str, float]
    expected: tuple[float, ...]
    tolerance: tuple[float, ...]
    why: str
    source: str


def _si(text: str, kind: str) -> float:
    return parse_quantity(text, kind).si


def _tolerance(text: str, kind: str, expected: float) -> float:
    """Return an absolute tolerance: ``0.1 %`` is relative, ``0.05 K`` is in the unit given."""
    if text.endswith("%"):
        return _si(text, "fraction") * abs(expected)
    return _si(text, "temperature_difference" if kind == "temperature" else kind)


@lru_cache(maxsize=1)
def worked_examples() -> tuple[Worked, ...]:
    """Return every row of ``tests/data/worked/*.csv``.

    Columns: ``equation`` (registry name), ``inputs`` (``name=quantity; name=quantity``),
    ``expected`` and ``tolerance`` (one for each result, parted by ``|``), ``why`` the tolerance is
    what it is, and ``source`` of the expected value.
    """
    found = []
    for path in sorted(WORKED.glob("*.csv")):
        with path.open(newline="", encoding="utf-8") as stream:
            reader = csv.DictReader(stream, strict=True)
            assert reader.fieldnames == _HEADER, f"{path.name}: header must be {_HEADER}"
            found.extend(_worked(row, f"{path.name}:{reader.line_num}") for row in reader)
    return tuple(found)


def _worked(row: dict[str, str], where: str) -> Worked:
    assert row["equation"] in all_equations(), f"{where}: no equation {row['equation']}"
    equation = all_equations()[row["equation"]]
    pairs = [pair.partition("=") for pair in row["inputs"].split(";")]
    inputs = {n.strip(): _si(text, equation.arguments[n.strip()]) for n, _, text in pairs}
    texts = [text.strip() for text in row["expected"].split("|")]
    expected = tuple(_si(t, kind) for t, kind in zip(texts, equation.returns, strict=True))
    tolerances = [text.strip() for text in row["tolerance"].split("|")] * (
        1 if "|" in row["tolerance"] else len(expected)
    )
    return Worked(
        where,
        equation.name,
        inputs,
        expected,
        tuple(map(_tolerance, tolerances, equation.returns, expected)),
        row["why"],
        row["source"],
    )


def sample_arguments(equation: AnyEquation) -> dict[str, float]:
    """Return SI arguments that make sense for `equation`: a worked example, else `SENSIBLE`."""
    for worked in worked_examples():
        if worked.equation == equation.name:
            return dict(worked.inputs)
    chosen: dict[str, float] = {}
    for index, (name, kind) in enumerate(equation.arguments.items()):
        step = 0.0 if kind == "count" else 0.03 * index
        scaled = SENSIBLE[kind] * (1.0 - step if KINDS[kind].is_plain else 1.0 + step)
        chosen[name] = SENSIBLE_NAMED.get(name, scaled)
    return chosen


def parts(result: Any) -> tuple[Any, ...]:
    """Return the result of ``equation.si`` as a tuple, one item for each declared return."""
    return result if isinstance(result, tuple) else (result,)
