"""Limits of cooling methods: air per rack, coolers per row, air through a rear door."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from facility.cooling.air.air_side import supply_air
from facility.cooling.air.rack_limits import (
    MAX_COOLERS_PER_RACK,
    RACK_LIMIT_RULES,
    densest_air,
    rack_limit_checks,
)
from facility.cooling.chain.flow import CoolingDesign, CoolingFlow
from facility.cooling.parts.loads import HeatLoad
from facility.cooling.room.racks import floor_tile, rack_rows
from facility.cooling.room.study import room_air
from facility.core.check import Check, Severity
from facility.core.sources import RULE
from facility.core.trace import Findings, Trace
from facility.model.facility import Facility
from facility.study.compare.variants import OptionName

_FROM_THE_ROOM = ("air", "hybrid", "liquid")


def assume_limits(trace: Trace) -> None:
    """Record the limits of the comparison among the assumptions."""
    flow, source, layout = densest_air()
    trace.assume(
        "compare.air_per_rack",
        flow,
        "air_flow",
        f"maximum airflow of a published room-cooled rack: {layout}",
        source,
    )
    trace.assume(
        "compare.coolers_per_rack",
        MAX_COOLERS_PER_RACK,
        "ratio",
        "one in-row cooler on each side of a rack",
        RULE,
    )


def limit_checks(name: OptionName, facility: Facility, cooling: CoolingDesign) -> Iterator[Check]:
    """Yield the limit checks of the racks of `cooling`, possibly a subset of the halls."""
    chain = cooling.chain
    if name in _FROM_THE_ROOM and any(rack.airflow_m3_s > 0.0 for rack in chain.racks):
        findings = Findings(Trace())
        air = supply_air(chain, facility.site.pressure_pa, findings.trace)
        tile = floor_tile(chain, facility.it, air, findings)
        if tile is not None:
            rack_rows(chain, air, None, 0.0, tile, findings)
        yield from findings.checks
    yield from rack_limit_checks(chain, cooling.crah.duty)


def option_checks(
    name: OptionName,
    facility: Facility,
    cooling: CoolingDesign,
    flow: CoolingFlow,
    heat: HeatLoad,
    checked: CoolingDesign | None = None,
) -> tuple[Check, ...]:
    """Return the limit checks of a cooling method: racks, cooling, air path.

    checked: Cooling with only the racks whose limits are checked; None for all racks.
    """
    limits = limit_checks(name, facility, checked or cooling)
    covered = RACK_LIMIT_RULES | ({"AIR-TILES"} if name in _FROM_THE_ROOM else set())
    room = (c for c in room_air(facility, cooling, flow, heat).checks if c.rule not in covered)
    return (*limits, *cooling.checks, *flow.checks, *room)


def broken_limit(checks: Iterable[Check]) -> Check | None:
    """Return the first check that makes a cooling method infeasible; None if feasible.

    Violations do, and coolant so close to the dew point that water condenses in the racks.
    """
    for check in checks:
        condensing = check.rule == "DEW-POINT" and check.subject == "coolant"
        if check.failed and (check.severity is Severity.VIOLATION or condensing):
            return check
    return None


def reason_of(check: Check) -> str:
    """Return the limit of a check, with its numbers."""
    numbers = check.comparison()
    stated = not numbers or numbers in check.why
    return f"{check.rule}: {check.subject}: {check.why}" + ("" if stated else f" ({numbers})")
