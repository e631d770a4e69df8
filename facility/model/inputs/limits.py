"""One table of limits: the most a project may ask for, looked at before anything is built.

A design grows with what is counted here, so that a short file could ask for any memory and any
time. The limits lie above every plant that stands or is announced; what is beyond them is refused
by its place in the file. The ranges of efficiencies and factors are those of machines that exist:
outside them a result would be a figure that physics does not allow.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType

from facility.core.errors import FacilityError
from facility.core.kinds import KINDS
from facility.core.parse import Measured
from facility.model.inputs.scalars import Section

MOST_CIRCUITS = 50_000
"""Rack circuits of a project: some 480,000 GPUs in racks of four servers."""

_RACK = "it.halls[].racks[]"

COUNTS: Mapping[str, int] = MappingProxyType(
    {
        "it.gpus": 10_000_000,
        "it.servers": 10_000_000,
        "it.servers_per_rack": 100,
        "it.rack_units": 100,
        "it.cords.per_feed": 24,
        "it.network.radix": 4096,
        "it.network.ports_per_gpu": 32,
        "it.network.rails": 128,
        "it.network.planes": 64,
        "it.network.leaf": 20_000,
        "it.network.spine": 20_000,
        "it.network.core": 20_000,
        "it.network.other_switches": 20_000,
        "it.storage.count": 100_000,
        "it.management.count": 100_000,
        "it.devices[].gpus": 2_000,
        "it.devices[].supplies.count": 200,
        "it.devices[].supplies.needed": 200,
        "it.devices[].rack_units": 100,
        "it.halls[].rows": 1_000,
        f"{_RACK}.count": 50_000,
        f"{_RACK}.rack_units": 100,
        f"{_RACK}.devices[].count": 100,
        f"{_RACK}.devices[].supplies{{}}": 200,
        "power.blocks": 64,
        "power.systems": 64,
        "power.ups.modules_per_system": 500,
        "power.ups.buses": 500,
        "power.distribution.pdus": 10_000,
        "power.distribution.panel_poles": 252,
        "power.transformer.count": 1_000,
        "power.transformer.harmonics[].order": 100,
        "power.transformer.it_harmonics[].order": 100,
        "power.generator.count": 1_000,
        "power.generator.running_sets": 1_000,
        "power.battery.cells_per_block": 600,
        "power.battery.blocks_per_string": 600,
        "power.battery.strings": 1_000,
        "power.battery.blocks_per_cabinet": 600,
        "power.battery.start_attempts": 20,
        "power.conductors.grouped_circuits": 100,
        "power.conductors.trays": 20,
        "power.conductors.parallel_sets": 20,
        "power.dc.sets": 100,
        "panels.cords[].circuit": 1_000,
        "panels.boards[].circuits[].circuit": 1_000,
        "panels.boards[].circuits[].position": 1_000,
        "panels.boards[].spares[].position": 1_000,
        "cooling.crah.count": 10_000,
        "cooling.crah.electrical_count": 10_000,
        "cooling.cdu.count": 50_000,
        "cooling.facility_water.rejection.count": 10_000,
        "cooling.plant.chiller.count": 1_000,
        "cooling.plant.rejection.count": 10_000,
        "house.people": 100_000,
    }
)
"""Most of what a field counts, by its place in the project."""

LISTS: Mapping[str, int] = MappingProxyType(
    {
        "project.revisions": 1_000,
        "it.feeds": 8,
        "it.devices": 500,
        "it.halls": 200,
        "it.halls[].racks": 500,
        f"{_RACK}.devices": 50,
        f"{_RACK}.devices[].supplies": 8,
        f"{_RACK}.feeds": 8,
        f"{_RACK}.circuits": 48,
        "power.feeds": 8,
        "power.distribution.breakers": 100,
        "power.transformer.harmonics": 100,
        "power.transformer.it_harmonics": 100,
        "power.generator.steps": 50,
        "power.battery.points": 1_000,
    }
)
"""Most entries of a list; what is not here is bounded by the size of the file."""

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
        "carbon_intensity": 1.0,
        "thermal_conductance": 1e10,
        "temperature": 1000.0,
    }
)
"""Largest value of a kind of quantity, in its SI unit, where the field itself has no bound."""

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

_EFFICIENCY = (0.5, 1.0)
RANGES: Mapping[str, tuple[float, float]] = MappingProxyType(
    {
        "it.demand_factor": (0.01, 1.0),
        "it.diversity": (0.01, 1.0),
        "it.load_factor": (0.01, 1.0),
        "it.rack_pdu_loss": (0.0, 0.5),
        "it.network.oversubscription": (1.0, 100.0),
        "it.devices[].supplies.power_factor": (0.3, 1.0),
        "power.ups.efficiency_25": _EFFICIENCY,
        "power.ups.efficiency_50": _EFFICIENCY,
        "power.ups.efficiency_75": _EFFICIENCY,
        "power.ups.efficiency_100": _EFFICIENCY,
        "power.ups.eco_efficiency": _EFFICIENCY,
        "power.ups.output_power_factor": (0.5, 1.0),
        "power.ups.input_power_factor": (0.5, 1.0),
        "power.ups.max_loading": (0.05, 1.0),
        "power.transformer.max_loading": (0.05, 1.0),
        "power.generator.max_loading": (0.05, 1.0),
        "power.generator.derate": (0.05, 1.0),
        "power.battery.ageing": (1.0, 3.0),
        "power.battery.design_margin": (1.0, 3.0),
        "cooling.crah.design_fraction": (0.05, 1.0),
        "cooling.cdu.design_fraction": (0.05, 1.0),
    }
)
"""What a factor may be, by its place in the project; the ends are allowed."""


def limit_problems(project: Section) -> Iterator[FacilityError]:
    """Yield what of `project` is beyond the limits, as errors ``LIMIT`` and ``OUT_OF_RANGE``."""
    yield from _of_section(project, "", "")


def _of_section(section: Section, pattern: str, place: str) -> Iterator[FacilityError]:
    dot = "." if pattern else ""
    for name in type(section).model_fields:
        if name in section.model_fields_set:
            value = getattr(section, name)
            yield from _of_value(value, f"{pattern}{dot}{name}", f"{place}{dot}{name}")


def _of_value(value: object, pattern: str, place: str) -> Iterator[FacilityError]:
    if isinstance(value, Section):
        yield from _of_section(value, pattern, place)
    elif isinstance(value, Measured):
        yield from _of_quantity(value, pattern, place)
    elif isinstance(value, list | tuple | dict):
        yield from _of_collection(value, pattern, place)
    elif isinstance(value, int) and value > COUNTS.get(pattern, value):
        yield _beyond(place, f"{value:,}", COUNTS[pattern])


def _of_collection(
    values: list[object] | tuple[object, ...] | dict[str, object], pattern: str, place: str
) -> Iterator[FacilityError]:
    most = LISTS.get(pattern, len(values))
    if len(values) > most:
        yield _beyond(place, f"{len(values):,} entries", most)
    elif isinstance(values, dict):
        for name, value in values.items():
            yield from _of_value(value, f"{pattern}{{}}", f"{place}.{name}")
    else:
        for index, value in enumerate(values):
            yield from _of_value(value, f"{pattern}[]", f"{place}[{index}]")


def _of_quantity(value: Measured, pattern: str, place: str) -> Iterator[FacilityError]:
    si = KINDS[value.kind].si
    low, high = RANGES.get(pattern, (None, HIGHEST.get(value.kind, abs(value.si))))
    if low is None and value.si and abs(value.si) < SMALLEST.get(value.kind, 0.0):
        low = SMALLEST[value.kind]
    if low is not None and value.si < low:
        yield _out_of_range(place, value, f"at least {low:g} {si}".rstrip())
    elif abs(value.si) > high:
        yield _out_of_range(place, value, f"at most {high:g} {si}".rstrip())


def _out_of_range(place: str, value: Measured, bound: str) -> FacilityError:
    return FacilityError(
        "OUT_OF_RANGE",
        place,
        f"{value.text!r} is out of range.",
        f"The {value.kind.replace('_', ' ')} must be {bound} here.",
    )


def _beyond(place: str, found: str, most: int) -> FacilityError:
    return FacilityError(
        "LIMIT",
        place,
        f"{found} are beyond the limit of {most:,}.",
        f"Give at most {most:,}, or design the plant in parts.",
    )
