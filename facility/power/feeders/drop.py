"""Voltage drop of one circuit, independent of the conductor code."""

from __future__ import annotations

import math
from dataclasses import dataclass

from facility.core.trace import SILENT, Trace
from facility.physics.circuits.voltage_drop import (
    effective_impedance,
    voltage_drop_exact,
    voltage_drop_three_phase,
    voltage_drop_two_wire,
)
from facility.power.feeders.types import CircuitDemand


@dataclass(frozen=True)
class Drop:
    """R and X of one conductor [ohm]; approximate and exact voltage drop [V]."""

    resistance_ohm: float
    reactance_ohm: float
    drop_v: float
    exact_v: float


def drop_along(
    demand: CircuitDemand,
    sets: int,
    resistance_ohm: float,
    reactance_ohm: float,
    trace: Trace = SILENT,
    id: str = "",
    clause: str = "",
) -> Drop:
    """Return the voltage drop at the load without factors; three-phase circuits are balanced.

    sets: Conductors in parallel for each line.
    resistance_ohm, reactance_ohm: Of one conductor over the length [ohm].
    trace: Records ``<id>.impedance``, with the clause of its formula, and ``<id>.voltage_drop``.
    """
    current_a, power_factor = demand.load_a / sets, demand.power_factor
    three = demand.poles == 3
    impedance_ohm = trace.do(
        f"{id}.impedance",
        effective_impedance,
        clause,
        resistance_ohm=resistance_ohm,
        reactance_ohm=reactance_ohm,
        power_factor=power_factor,
    )
    drop_v = trace.do(
        f"{id}.voltage_drop",
        voltage_drop_three_phase if three else voltage_drop_two_wire,
        current_a=current_a,
        impedance_ohm=trace.link(f"{id}.impedance", impedance_ohm),
    )
    source_v, lines, ways = demand.v_ln, math.sqrt(3.0), 1.0
    if not three:
        source_v, lines, ways = demand.voltage_v, 1.0, 2.0
    exact_v = lines * voltage_drop_exact.si(
        source_v, current_a, ways * resistance_ohm, ways * reactance_ohm, power_factor
    )
    return Drop(resistance_ohm, reactance_ohm, float(drop_v), float(exact_v))
