"""Monitoring points of the dynamic load: rack, UPS, generators, utility."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, cast

import numpy as np

from facility.core.kinds import FloatArray
from facility.power.chain.solve import solve_normal
from facility.power.train.results import PowerFlow
from facility.study.studies import StudyContext
from facility.study.transient.load.profile import Profile

PointId = Literal["rack", "it", "ups", "generator", "utility"]


@dataclass(frozen=True, eq=False)
class MonitoringPoint:
    """A monitoring point and its power profile."""

    id: PointId
    title: str
    profile: Profile


def monitoring_points(design: StudyContext, part: Profile) -> Iterator[MonitoringPoint]:
    """Yield the monitoring points of a design, from the largest rack to the utility.

    The cooling power is constant at the design hour: it does not follow within seconds. Power is
    linear between the points of the profile.

    part: IT load relative to the design.
    """
    plan, chain = design.facility.it, design.chain
    rack = max(plan.racks, key=lambda rack: rack.input_w)
    yield MonitoringPoint(
        "rack", f"rack {rack.name}", part.mapped(part.values * rack.input_w * plan.demand_factor)
    )
    yield MonitoringPoint("it", "IT load", part.mapped(part.values * design.it.it_w))
    flow = _flow(design, part)
    yield MonitoringPoint("ups", "UPS input", _of(part, sum(one.input_w for one in flow.systems)))
    plant = chain.generators
    if plant.count:
        on_mv = plant.connection == "MV"
        boards = sum(one.board_w for one in flow.systems)
        power = flow.utility.demand_w if on_mv else boards
        yield MonitoringPoint("generator", "generators, utility out", _of(part, power))
    yield MonitoringPoint("utility", "utility meter", _of(part, flow.utility.demand_w))


def utility_profile(design: StudyContext, part: Profile) -> Profile:
    """Return the utility power for an IT load relative to the design."""
    return _of(part, _flow(design, part).utility.demand_w)


def _flow(design: StudyContext, part: Profile) -> PowerFlow:
    return solve_normal(design.chain, design.point.demand.at_it_fraction(cast(float, part.values)))


def _of(part: Profile, power_w: float | FloatArray) -> Profile:
    return part.mapped(np.broadcast_to(np.asarray(power_w, dtype=float), part.values.shape).copy())
