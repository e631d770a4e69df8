"""Motor feeders by the NEC: conductors by 430.24, devices by 430.62."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from facility.core.rounding import reaches, within
from facility.model.facility import Criteria
from facility.physics.circuits.currents import required_rating
from facility.physics.machines.motor_circuits import motor_conductor_current
from facility.power.feeders.types import CircuitDemand
from facility.power.network.build.plan import PlannedCircuit
from facility.power.panels.board.breakers import standard_breakers
from facility.power.panels.board.motor_devices import CONDUCTOR_FACTOR


def with_motors(
    demand: CircuitDemand, members: Sequence[PlannedCircuit], criteria: Criteria
) -> CircuitDemand:
    """Return the demand of a motor feeder: 125 % of the largest motor, 100 % of the others.

    Other circuits, and feeders by the IEC, use their full current.

    The conductors have the ampacity of 430.24 after all factors. If the device exceeds 430.62(A),
    as the next standard rating can, they match its rating, 430.62(B).
    """
    groups = [one.motors for one in members if one.motors is not None]
    if not groups or criteria.code != "NEC":
        return demand
    load_a = demand.load_a
    largest_a = min(max(group.largest_a for group in groups), load_a)
    rest_a, factor = load_a - largest_a, 1.0 if demand.listed_100 else criteria.continuous_factor
    required_a = float(required_rating.si(largest_a, rest_a, factor))
    min_a = max(required_a, demand.min_device[0], demand.min_ampacity_a)
    standard = standard_breakers(criteria.code, criteria.edition)
    device_a = next((a for a in standard if reaches(a, min_a)), min_a)
    conductor_a = motor_conductor_current.si(largest_a, rest_a, CONDUCTOR_FACTOR)
    if not within(device_a, min(group.max_device_a for group in groups)):
        conductor_a = max(conductor_a, device_a)
    return replace(
        demand,
        continuous_a=largest_a,
        other_a=rest_a,
        min_ampacity_a=max(demand.min_ampacity_a, float(conductor_a)),
    )
