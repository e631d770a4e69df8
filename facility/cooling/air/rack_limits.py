"""Limits of cooling methods: rack air flow from room or door, in-row coolers per row.

Single definition of these limits, used by the air path check and the comparison.
"""

from __future__ import annotations

from collections.abc import Iterator

from facility.catalogue import table
from facility.cooling.rules import RULES
from facility.core.check import Check, Rule
from facility.core.rounding import argmax_within_rounding
from facility.core.sources import Source
from facility.core.views import show
from facility.model.cooling.chain import CoolingChain, RackAir

MAX_COOLERS_PER_RACK = 2.0
"""In-row coolers per rack: one on each side."""

AIR_DENSITY_W = 30e3
"""Rack heat above which room air cooling is doubtful."""

RACK_LIMIT_RULES = frozenset({"AIR-PER-RACK", "COOLERS-PER-RACK", "DOOR-AIRFLOW"})
"""Rule ids of this module."""


def densest_air() -> tuple[float, Source, str]:
    """Return the airflow of the densest published air-cooled rack, its source and name."""
    rows = [
        row
        for row in table("equipment/cabinets").select(cooling="air")
        if row.si_or_none("airflow_cfm") is not None
    ]
    row = max(rows, key=lambda row: row.si("airflow_cfm"))
    return row.si("airflow_cfm"), row.cite("airflow_cfm"), str(row["layout"])


def rack_limit_checks(chain: CoolingChain, duty: int) -> Iterator[Check]:
    """Yield the limit of the hall units, for the rack with the maximum air flow.

    duty: Duty units of the halls.
    """
    if not chain.racks:
        return
    worst = chain.racks[argmax_within_rounding([rack.airflow_m3_s for rack in chain.racks])]
    if worst.airflow_m3_s <= 0.0:
        return
    path = chain.crah.path
    if path.door is not None:
        rule, rated_m3_s = RULES["DOOR-AIRFLOW"].by(path.door.source), path.door.air_flow_m3_s
        yield _airflow_check(rule, worst, rated_m3_s, f"rated: {path.door.model}")
    elif path.terminal == "in-row":
        racks = sum(rack.count for rack in chain.racks if rack.air_w > 0.0)
        yield RULES["COOLERS-PER-RACK"].at_most(
            f"{duty} {chain.crah.unit.model} for {racks:,.0f} racks",
            duty / racks,
            MAX_COOLERS_PER_RACK,
            "ratio",
            f"{duty / racks:.2f} per rack (maximum {MAX_COOLERS_PER_RACK:g}): coolers of "
            f"{show(chain.crah.unit.air_flow_m3_s, 'air_flow')} with "
            f"{chain.chilled_water.supply_c:g} degC water (cooling.plant.chilled_water_supply) "
            f"for racks drawing up to {show(worst.airflow_m3_s, 'air_flow')} (it)",
        )
    else:
        flow, source, layout = densest_air()
        rule = RULES["AIR-PER-RACK"].by(source)
        yield _airflow_check(rule, worst, flow, f"densest published: {layout}")


def _airflow_check(rule: Rule, rack: RackAir, limit: float, words: str) -> Check:
    """Return the check of a rack against a published air flow, both as standard air."""
    subject, flow = f"rack {rack.name}", rack.standard_m3_s
    found = rule.at_most(subject, flow, limit, "air_flow")
    why = f"{found.why} ({words}), {rack.air_w / 1e3:.1f} kW in air"
    return rule.at_most(subject, flow, limit, "air_flow", why)
