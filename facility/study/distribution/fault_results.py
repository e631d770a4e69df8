"""Results: fault currents by distribution level, and short-circuit ratings."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping

import numpy as np

from facility.core.rounding import argmax_within_rounding, within
from facility.core.sources import DERIVED, PROJECT
from facility.core.table import Value
from facility.core.trace import Trace
from facility.power.faults.device_checks import FaultDevice, StateCurrents
from facility.power.faults.of_network import NetworkFaults
from facility.power.feeders.schedule import Feeder
from facility.power.network.build.plan import NetworkPlan

_LEVELS = (
    ("mv-switchgear", "service"),
    ("lv-board", "board"),
    ("panel", "panel"),
    ("rack-pdu", "rack_pdu"),
)


def _record_fault(key: str, value: float, z1_ohm: complex | None, at: str, trace: Trace) -> None:
    """Record a fault current, with the impedance of three-phase faults."""
    inputs = {}
    if z1_ohm is not None:
        why = "per phase, source and network up to the bus, at bus voltage"
        for name, part_ohm in (("resistance", z1_ohm.real), ("reactance", z1_ohm.imag)):
            inputs[name] = f"{key}.{name}"
            trace.given(inputs[name], part_ohm, "resistance", DERIVED, why)
    words = "bolted fault, impedances of the upstream network"
    if at:
        words += f"; maximum of all sources, three-phase or to ground, at {at}"
    trace.derive(key, value, "current", words, **inputs)


def fault_results(
    plan: NetworkPlan, faults: NetworkFaults, highest: Mapping[str, float], trace: Trace
) -> dict[str, Value]:
    """Return the fault currents of each level, by source; unknown ones are omitted.

    Maximum currents are from the bus with the highest, minimum currents (line-to-line,
    line-to-ground and sustained) from the bus with the lowest.
    """
    found: dict[str, float] = {}
    seen: dict[str, complex] = {}
    tags_of_maximum: dict[str, str] = {}
    for kind, name in _LEVELS:
        tags = [one.tag for one in plan.network.equipment if one.kind == kind]
        if tags and all(tag in highest for tag in tags):
            worst = tags[argmax_within_rounding([highest[tag] for tag in tags])]
            found[f"fault.{name}"], tags_of_maximum[f"fault.{name}"] = highest[worst], worst
        buses = dict.fromkeys(faults.bus_of[tag] for tag in tags)
        for source in ("utility", "generator"):
            for state, currents in faults.states.items():
                rows = [currents.highest.rows[bus] for bus in buses if bus in currents.highest.rows]
                if state.partition(" ")[0] == source and rows:
                    _keep_worst(f"fault.{name}.{source}", currents, rows, found, seen)
    known = {key: value for key, value in found.items() if math.isfinite(value)}
    for key, value in known.items():
        _record_fault(key, value, seen.get(key), tags_of_maximum.get(key, ""), trace)
    return {key: Value(value, "current", "bolted fault") for key, value in known.items()}


def _keep_worst(
    key: str,
    currents: StateCurrents,
    rows: list[int],
    found: dict[str, float],
    seen: dict[str, complex],
) -> None:
    """Update maximum and minimum currents from the rows, and the impedance of the maximum."""
    high, low = currents.highest, currents.lowest
    worst = rows[argmax_within_rounding(high.three_phase_a[rows])]
    maximum = float(high.three_phase_a[worst])
    if not within(maximum, found.get(key, -math.inf)):
        found[key], seen[key] = maximum, complex(high.z1_ohm[worst])
    ground = float(high.line_ground_a[rows].max())
    found[f"{key}.line_ground"] = max(found.get(f"{key}.line_ground", -math.inf), ground)
    lows = np.stack([low.line_line_a, low.line_ground_a, low.sustained_a])
    found[f"{key}.min"] = min(found.get(f"{key}.min", math.inf), float(lows[:, rows].min()))


def chosen_ratings(devices: Mapping[str, FaultDevice], trace: Trace) -> dict[str, Value]:
    """Return ``fault.<level>.rating`` of each type: stated, or the standard rating selected."""
    found = {}
    names = dict(_LEVELS)
    for kind, device in devices.items():
        rating_a = device.interrupting_a
        if rating_a is None or kind == device.tag:
            continue  # One panel with its own rating is in the checks only
        key = f"fault.{names.get(kind, kind).replace('-', '_')}.rating"
        if device.chosen is None:
            trace.given(key, rating_a, "current", PROJECT)
        else:
            words = f"smallest standard rating not below the fault current; {device.tag}"
            trace.choose(key, rating_a, "current", words, device.chosen.source)
        found[key] = Value(rating_a, "current", "short-circuit rating")
    return found


def trip_counts(feeders: Iterable[Feeder]) -> dict[str, Value]:
    """Return the number of devices with electronic trip units, and with ground-fault protection."""
    count = Counter[str]()
    for one in feeders:
        count[one.trip.functions if one.trip else ""] += one.circuit.runs
    return {
        "feeder.electronic_trips": Value(count["LSI"] + count["LSIG"], "count", "devices"),
        "feeder.ground_fault_trips": Value(count["LSIG"], "count", "devices"),
    }
