"""Limits of project inputs, checked before the design.

Design effort grows with the counts below, so that a short file could require any memory and any
time. The limits exceed every existing or announced plant; values above them are rejected with their
path in the file. The declaration states the maximum count of a field (`max_count`) and the range of
a factor (`within`); a list is compared with its `max_count` before its entries are read
(`Section`). The ranges of efficiencies and factors are those of existing machines: outside them a
result would be physically impossible.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from types import MappingProxyType

from facility.core.errors import FacilityError
from facility.core.parse import Measured
from facility.core.rounding import reaches
from facility.model.inputs.declare import Declared, declared
from facility.model.inputs.scalars import Section, beyond_limit, bound_text

MAX_CIRCUITS = 50_000
"""Rack circuits of a project: about 480,000 GPUs in racks of four servers."""

HIGHEST: Mapping[str, float] = MappingProxyType(
    {
        "active_power": 1e10,
        "apparent_power": 1e10,
        "reactive_power": 1e10,
        "heat_flow": 1e10,
        "current": 1e6,
        "line_voltage": 1.2e6,
        "length": 1e6,
        "area": 1e8,
        "air_flow": 1e6,
        "liquid_flow": 1e4,
        "volume": 1e7,
        "mass": 1e8,
        "pressure": 1e8,
        "heat_capacity": 1e13,
        "time": 1e10,
        "charge": 1e9,
        "ratio": 1e4,
        "energy_price": 1.0,
        "demand_price": 1e4,
        "apparent_price": 1e4,
        "reactive_price": 1.0,
        "volume_price": 1e6,
        "money": 1e15,
        "carbon_intensity": 1.0,
        "thermal_conductance": 1e10,
        "temperature": 1000.0,
        "rating_temperature": 1000.0,
    }
)
"""Largest value of a kind of quantity, in its SI unit, where the field has no bound.

The dollar value applies to the same kind in every currency."""

SMALLEST: Mapping[str, float] = MappingProxyType(
    {
        "active_power": 1e-3,
        "apparent_power": 1e-3,
        "heat_flow": 1e-3,
        "current": 1e-3,
        "line_voltage": 1.0,
        "length": 1e-6,
        "area": 1e-6,
        "air_flow": 1e-9,
        "liquid_flow": 1e-9,
        "volume": 1e-9,
        "mass": 1e-6,
        "heat_capacity": 1e3,
        "charge": 1.0,
    }
)
"""Smallest value of a kind that is not zero, in its SI unit."""


def limit_problems(project: Section) -> Iterator[FacilityError]:
    """Yield the limit violations of `project`, as errors ``LIMIT`` and ``OUT_OF_RANGE``."""
    yield from _of_section(project, "")


def _of_section(section: Section, where: str) -> Iterator[FacilityError]:
    dot = "." if where else ""
    for name, field in type(section).model_fields.items():
        if name in section.model_fields_set:
            yield from _of_value(getattr(section, name), declared(field), f"{where}{dot}{name}")


def _of_value(value: object, declaration: Declared, where: str) -> Iterator[FacilityError]:
    if isinstance(value, Section):
        yield from _of_section(value, where)
    elif isinstance(value, Measured):
        yield from _of_quantity(value, declaration.within, where)
    elif isinstance(value, list | tuple | dict):
        yield from _of_collection(value, declaration, where)
    elif (
        isinstance(value, int)
        and declaration.max_count is not None
        and value > declaration.max_count
    ):
        yield beyond_limit(where, f"{value:,}", declaration.max_count)


def _of_collection(
    values: list[object] | tuple[object, ...] | dict[str, object], declaration: Declared, where: str
) -> Iterator[FacilityError]:
    of_each = replace(declaration, max_count=declaration.each)
    if isinstance(values, dict):
        for name, value in values.items():
            yield from _of_value(value, of_each, f"{where}.{name}")
    else:
        for index, value in enumerate(values):
            yield from _of_value(value, of_each, f"{where}[{index}]")


def _of_quantity(
    value: Measured, within: tuple[float, float] | None, where: str
) -> Iterator[FacilityError]:
    kind = value.kind if value.kind in HIGHEST else value.kind.rpartition("_")[0]
    low, high = within or (None, HIGHEST.get(kind, abs(value.si)))
    if low is None and value.si and abs(value.si) < SMALLEST.get(value.kind, 0.0):
        low = SMALLEST[value.kind]
    if low is not None and not reaches(value.si, low):
        yield _out_of_range(where, value, f"at least {bound_text(value, low)}")
    elif not reaches(high, abs(value.si)):
        yield _out_of_range(where, value, f"at most {bound_text(value, high)}")


def _out_of_range(where: str, value: Measured, bound: str) -> FacilityError:
    return FacilityError(
        "OUT_OF_RANGE",
        where,
        f"{value.text!r} is out of range.",
        f"The {value.kind.replace('_', ' ')} must be {bound} here.",
    )
