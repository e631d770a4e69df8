"""Checks that need both wings: energy balance, plausibility, recalled data."""

from __future__ import annotations

from collections.abc import Iterator

from facility.core.check import Check
from facility.core.rounding import ROUNDING
from facility.core.trace import Trace
from facility.model.facility import Facility
from facility.power.it.load import ItLoad
from facility.study.loop import OperatingPoint
from facility.study.rules import RULES


def study_checks(
    facility: Facility, it: ItLoad, point: OperatingPoint, trace: Trace
) -> Iterator[Check]:
    """Yield the checks of a design that need both wings."""
    yield _balance("facility", point.flow.utility.demand_w, point.facility_w)
    yield _balance("IT heat", it.air_w + it.liquid_w, it.it_w)
    yield _balance("cooling", point.cooling.collected_w, point.heat.total_w)
    agreed_w = facility.site.utility_capacity_w
    if agreed_w is not None:
        demand_w = point.flow.utility.demand_w
        yield RULES["UTILITY-CAPACITY"].at_most("utility", demand_w, agreed_w, "active_power")
    yield from _cold_inlets(it, point)
    if facility.cooling.method == "liquid":
        yield RULES["METHOD-LIQUID"].verdict(
            "IT heat",
            it.air_w <= ROUNDING * it.it_w,
            f"{it.air_w / 1e3:,.1f} kW of {it.it_w / 1e3:,.1f} kW leave in air",
        )
    yield from _memory_defaults(trace)


def _cold_inlets(it: ItLoad, point: OperatingPoint) -> Iterator[Check]:
    limits = {d.device.model: d.device.inlet_min_c for d in it.devices}
    for model, least_c in limits.items():
        if least_c is not None:
            air_c = point.cooling.supply_air_c
            yield RULES["INLET-EQUIPMENT-COLD"].at_least(model, air_c, least_c, "temperature")


def _balance(subject: str, one_w: float, other_w: float) -> Check:
    difference = abs(one_w - other_w) / max(abs(one_w), abs(other_w))
    return RULES["ENERGY-BALANCE"].at_most(
        subject,
        difference,
        ROUNDING,
        "ratio",
        f"{one_w / 1e3:,.3f} kW against {other_w / 1e3:,.3f} kW",
    )


def _memory_defaults(trace: Trace) -> Iterator[Check]:
    recalled = [a.id for a in trace.ledger if a.source.verified == "memory" and a.status == "open"]
    if recalled:
        yield RULES["MEMORY-DEFAULT"].verdict(
            f"{len(recalled)} assumptions",
            False,
            "rest on figures from memory: " + ", ".join(recalled),
        )
