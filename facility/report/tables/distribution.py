"""Neutral tables of the power distribution: UPS shortlist, batteries, faults, feeders."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from facility.core.table import Results
from facility.core.views import System, show
from facility.power.faults.of_network import NetworkFaults
from facility.power.feeders.schedule import Feeder, FeederSet
from facility.power.feeders.types import ConductorChoice
from facility.power.network.graph.types import Network
from facility.power.train.types import UpsOption

Row = tuple[str, ...]
UPS_HEADS = (
    "Module",
    "Modules",
    "Installed",
    "Loading, normal",
    "After failure",
    "Margin",
    "Efficiency, normal",
    "After failure, efficiency",
    "Loss, normal",
    "Loss curve",
    "Source",
)
BATTERY_HEADS = ("Quantity", "Value", "Basis")
FAULT_HEADS = (
    "Bus",
    "Alike",
    "Voltage",
    "Highest, utility",
    "Highest, generators",
    "Highest, inverters",
    "Lowest",
    "X/R, utility",
    "Must interrupt",
    "Rating stated",
)
FEEDER_HEADS = (
    "Heaviest circuit",
    "Stage",
    "Circuits",
    "Normal",
    "Must carry",
    "In state, or rating",
    "Device",
    "Line conductors",
    "Neutral",
    "Grounding",
    "Raceway",
    "Ampacity",
    "Length",
    "Drop",
    "Decided by",
)

_BATTERY = {
    "battery.technology": "Technology",
    "battery.model": "Block",
    "battery.blocks_per_string": "Blocks in series",
    "battery.strings.per_set": "Strings of a set",
    "battery.strings": "Strings",
    "battery.cabinets": "Cabinets",
    "battery.mass": "Mass",
    "battery.autonomy_required": "Autonomy wanted",
    "battery.autonomy_failure": "Autonomy after the designed failure",
    "battery.autonomy_normal": "Autonomy, all in service",
    "battery.ride_through": "Ride-through until the generators carry",
    "battery.charging_power": "Charging power of a set",
    "battery.hydrogen_airflow": "Ventilation against hydrogen",
}
_UNKNOWN = "not known"


def ups_rows(options: tuple[UpsOption, ...], system: System = "si") -> Iterator[Row]:
    """Yield the modules of the shortlist, the chosen one first, under `UPS_HEADS`."""
    for one in options:
        fractions = (one.loading_normal, one.loading_failure, one.margin)
        efficiencies = (one.efficiency_normal, one.efficiency_failure)
        yield (
            one.model,
            f"{one.modules:,}",
            show(one.installed_w, "active_power", system, digits=0),
            *(show(value, "fraction", system) for value in fractions),
            *(f"{value:.2%}" for value in efficiencies),
            show(one.loss_normal_w, "active_power", system),
            one.curve,
            str(one.source),
        )


def battery_rows(results: Results, system: System = "si") -> Iterator[Row]:
    """Yield the summary of the batteries, under `BATTERY_HEADS`."""
    for key, label in _BATTERY.items():
        if key in results:
            yield label, results[key].shown(system), results[key].basis


def fault_rows(
    network: Network, faults: NetworkFaults, ratings_a: Mapping[str, float], system: System = "si"
) -> Iterator[Row]:
    """Yield the fault currents by sort of bus, upstream first, under `FAULT_HEADS`.

    Parameters
    ----------
    network : Network
        The network that was studied.
    faults : NetworkFaults
        Its currents. The highest is the larger of three-phase and line-to-ground; the lowest
        that of any source and sort of fault, not known where one source's is not.
    ratings_a : Mapping[str, float]
        Interrupting rating by kind of equipment, where stated [A].
    system : {"si", "ip"}
        Unit system.
    """
    sorts: dict[tuple[str, ...], list[str]] = {}
    numbers: dict[tuple[str, ...], _Bus] = {}
    for one in network.equipment:
        found = _bus(faults, faults.bus_of[one.tag])
        key = (one.kind, f"{one.voltage_v:g}", *(_kiloamperes(value) for value in found))
        sorts.setdefault(key, []).append(one.tag)
        numbers.setdefault(key, found)
    for key, tags in sorts.items():
        found = numbers[key]
        fed = [value for value in found[:3] if value is not None]
        unknown = not fed or any(math.isnan(value) for value in fed)
        yield (
            tags[0],
            f"{len(tags):,}",
            show(float(key[1]), "line_voltage", system),
            *key[2:6],
            f"{found.x_over_r:.1f}" if math.isfinite(found.x_over_r) else _UNKNOWN,
            _kiloamperes(math.nan if unknown else max(fed)),
            _kiloamperes(ratings_a[key[0]]) if key[0] in ratings_a else "not stated",
        )


class _Bus(NamedTuple):
    """Highest currents by source, None where it does not feed the bus; the lowest; X/R."""

    utility: float | None
    generator: float | None
    inverter: float | None
    lowest: float
    x_over_r: float


def _bus(faults: NetworkFaults, bus: str) -> _Bus:
    highest: dict[str, float] = {}
    lowest, x_over_r = [], math.nan
    for name, state in faults.states.items():
        if bus not in state.highest.tags:
            continue
        row, source = state.highest.index(bus), name.partition(" ")[0]
        highest[source] = float(state.highest.available_a[row])
        if source == "utility":
            x_over_r = float(state.highest.x_over_r[row])
        low, row = state.lowest, state.lowest.index(bus)
        sorts = (low.three_phase_a, low.line_line_a, low.line_ground_a)
        known = [float(values[row]) for values in sorts if math.isfinite(values[row])]
        lowest.append(min(known, default=math.nan))
    unknown = not lowest or any(math.isnan(value) for value in lowest)
    return _Bus(
        highest.get("utility"),
        highest.get("generator"),
        highest.get("inverter"),
        math.nan if unknown else min(lowest),
        x_over_r,
    )


def _kiloamperes(value: float | None) -> str:
    if value is None:
        return "not fed"
    return f"{value / 1e3:,.2f} kA" if math.isfinite(value) else _UNKNOWN


def feeder_rows(feeders: FeederSet, system: System = "si") -> Iterator[Row]:
    """Yield one row by sort of circuit, the heaviest of each, under `FEEDER_HEADS`."""
    count: dict[int, int] = {}
    for feeder in feeders.feeders:
        count[feeder.alike] = count.get(feeder.alike, 0) + feeder.circuit.runs
    for feeder in feeders.feeders:
        if feeder.circuit.tag == feeder.heaviest:
            length = feeder.length_m
            yield (
                feeder.heaviest,
                feeder.circuit.stage,
                f"{count[feeder.alike]:,}",
                show(feeder.normal_a, "current", system, digits=0),
                show(feeder.worst_a, "current", system, digits=0),
                feeder.worst_state,
                *_conductors(feeder, system)[:6],
                "" if length is None else show(length, "length", system, digits=1),
                *_conductors(feeder, system)[6:],
            )


def _conductors(feeder: Feeder, system: System) -> Row:
    """Return device, conductors, neutral, grounding, raceway, ampacity, drop and what decides."""
    choice: ConductorChoice | None = feeder.choice
    if choice is None:
        return ("", "not sized: no table covers it", "", "", "", "", "", "")
    several = f"{choice.sets} x " if choice.sets > 1 else ""

    def named(size: str) -> str:
        return f"{several}{size}" if size else ""

    line = f"{choice.size} {choice.size_unit} {choice.material}, {choice.insulation}"
    drop = "" if choice.drop_v is None else show(choice.drop_v / choice.voltage_v, "fraction")
    return (
        show(choice.ocpd_a, "current", system, digits=0),
        named(line),
        named(choice.neutral_size),
        named(choice.egc_size),
        named(f"{choice.trade_size} {choice.raceway}".strip()),
        show(choice.ampacity_a, "current", system, digits=0),
        drop,
        choice.governed_by,
    )
