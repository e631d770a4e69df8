"""Where a way of cooling ends: air for each rack, coolers that fit a row, air through a door."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from facility.catalogue import table
from facility.cooling.air_side import supply_air
from facility.cooling.design import CoolingDesign
from facility.cooling.flow import CoolingFlow
from facility.cooling.loads import HeatLoad
from facility.cooling.room_air import room_air
from facility.cooling.room_findings import Findings
from facility.cooling.room_racks import floor_tile, rack_rows
from facility.core.check import Check, Rule, Severity
from facility.core.sources import Source
from facility.core.trace import Trace
from facility.model.cooling_chain import CoolingChain, RackAir
from facility.model.facility import Facility
from facility.study.compare_cooling_variants import OptionName

_RULE = Source("planning-rule", "default of this program", verified="computed")
_MOST_COOLERS = 2.0
_FROM_THE_ROOM = ("air", "hybrid", "liquid")

COOLERS_PER_RACK = Rule(
    "COOLERS-PER-RACK", "In-row coolers for each rack", Severity.VIOLATION, _RULE,
    "Choose larger coolers, rear doors or liquid.",
)  # fmt: skip


def _air_rule(source: Source) -> Rule:
    return Rule(
        "AIR-PER-RACK", "Air a rack draws from the room", Severity.VIOLATION, source,
        "Prove the air path of this hall, spread the servers over more racks, or use coolant.",
    )  # fmt: skip


def _door_rule(source: Source) -> Rule:
    return Rule(
        "DOOR-AIRFLOW", "Air of a rack against the rated air of its rear door", Severity.VIOLATION,
        source, "Choose a larger door, spread the servers over more racks, or use coolant.",
    )  # fmt: skip


def assume_limits(trace: Trace) -> None:
    """Record the limits of the comparison among the assumptions."""
    flow, source, layout = densest_air()
    trace.assume(
        "compare.air_per_rack", flow, "air_flow",
        f"most air that a published rack cooled by room air draws: {layout}", source,
    )  # fmt: skip
    trace.assume(
        "compare.coolers_per_rack", _MOST_COOLERS, "ratio",
        "a rack has two sides: an in-row cooler at each", _RULE,
    )  # fmt: skip


def densest_air() -> tuple[float, Source, str]:
    """Return the air of the densest published rack that room air cools, its source and name."""
    rows = [
        row for row in table("equipment/cabinets").select(cooling="air")
        if row.si_or_none("airflow_cfm") is not None
    ]  # fmt: skip
    row = max(rows, key=lambda row: row.si("airflow_cfm"))
    return row.si("airflow_cfm"), row.cite("airflow_cfm"), str(row["layout"])


def limit_checks(name: OptionName, facility: Facility, cooling: CoolingDesign) -> Iterator[Check]:
    """Yield the checks that only a comparison makes, for the rack with the most air."""
    chain, crah = cooling.chain, cooling.crah
    worst = max(chain.racks, key=lambda rack: rack.airflow_m3_s, default=None)
    if worst is None or worst.airflow_m3_s <= 0.0:
        return
    if name in _FROM_THE_ROOM:
        yield from _tile_checks(facility, chain)
        flow, source, layout = densest_air()
        yield _against(_air_rule(source), worst, flow, f"densest published: {layout}")
    elif name == "in_row":
        racks = sum(rack.count for rack in chain.racks if rack.air_w > 0.0)
        yield COOLERS_PER_RACK.compare(
            f"{crah.duty} coolers for {racks:,.0f} racks", crah.duty / racks, "<=", _MOST_COOLERS,
            "ratio",
        )  # fmt: skip
    elif chain.crah.path.door is not None:
        door = chain.crah.path.door
        yield _against(_door_rule(door.source), worst, door.air_flow_m3_s, f"rated: {door.model}")


def room_checks(
    name: OptionName, facility: Facility, cooling: CoolingDesign, flow: CoolingFlow, heat: HeatLoad
) -> tuple[Check, ...]:
    """Return the checks of the air path, without those of tiles that `limit_checks` asks for."""
    tiles = name not in _FROM_THE_ROOM
    found = room_air(facility, cooling, flow, heat).checks
    return tuple(check for check in found if tiles or check.rule != "AIR-TILES")


def _tile_checks(facility: Facility, chain: CoolingChain) -> tuple[Check, ...]:
    """Return the checks of the floor tiles; none without a raised floor."""
    findings = Findings(Trace())
    air = supply_air(chain, facility.site.pressure_pa, findings.trace)
    tile = floor_tile(chain, facility.it, air, findings)
    if tile is not None:
        rack_rows(chain, air, None, 0.0, tile, findings)
    return tuple(findings.checks)


def _against(rule: Rule, rack: RackAir, limit: float, words: str) -> Check:
    subject, flow = f"rack {rack.name}", rack.airflow_m3_s
    found = rule.compare(subject, flow, "<=", limit, "air_flow")
    why = f"{found.why} ({words}), {rack.air_w / 1e3:.1f} kW in air"
    return rule.compare(subject, flow, "<=", limit, "air_flow", why)


def broken_limit(checks: Iterable[Check]) -> Check | None:
    """Return the first check that makes a way of cooling infeasible, None where none does.

    Violations do, and coolant so near the dew point that water condenses in the racks.
    """
    for check in checks:
        condensing = check.rule == "DEW-POINT" and check.subject == "coolant"
        if check.failed and (check.severity is Severity.VIOLATION or condensing):
            return check
    return None


def reason_of(check: Check) -> str:
    """Return the limit a check names, with its numbers."""
    numbers = check.comparison().replace(check.sense, f"is not {check.sense}", 1)
    told = not numbers or f"is not {check.sense}" in check.why
    return f"{check.rule}: {check.subject}: {check.why}" + ("" if told else f" ({numbers})")
