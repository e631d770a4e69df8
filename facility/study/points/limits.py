"""Alarm limits by equipment and quantity, each taken from a check, a rating or an input.

`limits.csv` names the check whose limit is an alarm limit; ratings that differ from one unit to
the next (panelboards, branch circuits, racks) are read from the design. A limit that neither has is
absent here, and not stated in the points list.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Literal, cast

from facility.core.check import Check, Rule
from facility.core.rounding import reaches, within
from facility.physics.circuits.currents import continuous_limit
from facility.power.panels.board.model import Circuit, Panel
from facility.power.panels.design.checks import panel_rules
from facility.study.design.design import Design
from facility.study.equipped import equipped

Level = Literal["low-low", "low", "high", "high-high"]
LEVELS: tuple[Level, ...] = ("low-low", "low", "high", "high-high")
OUTER_LEVELS: Mapping[Level, Level] = {"low": "low-low", "high": "high-high"}
"""Level beyond a level."""
_WHILE_RUNNING = ("GENERATOR-MINIMUM-LOAD", "CHILLER-STAGING")
"""Rules with a lower limit of running equipment."""
_STATE = "alarm state of the contact"
_SUPPLIES = ("supply_lost", "supply_unavailable", "transferred")
CONTACTS = (*_SUPPLIES, "on_battery", "fault", "leak", "not_ready")
"""Quantities of contacts, whose alarm state is 1."""
_FAILOVER = {"ups": "UPS-LOADING-FAILURE", "transformer": "TRANSFORMER-LOADING-FAILURE"}
"""Rule of the loading after the design failure by equipment."""
_LOADINGS = ("normal", "failure")
_OF_LOADS = ("panel", "busway", "rack-pdu")
"""Equipment whose voltage is compared with the voltage-drop limit: next to the loads."""


@dataclass(frozen=True)
class AlarmLimit:
    """One alarm limit of a quantity."""

    level: Level
    value: float  # In the SI unit of the quantity; 1 for the alarm state of a contact
    rule: str  # Rule that has the limit; empty for an input or rating without a rule
    source: str  # Clause, input or rating
    delay_s: float | None = None  # Time that the limit must be exceeded; None if not stated
    delay_source: str = ""  # Rule or input of the delay

    @property
    def while_running(self) -> bool:
        """Whether it applies to running equipment only: values above zero."""
        return self.rule in _WHILE_RUNNING

    @property
    def is_upper(self) -> bool:
        """Whether values above it are in alarm."""
        return self.level.startswith("high")


@dataclass(frozen=True)
class LimitSet:
    """The alarm limits of one quantity, equal for some equipment of one class."""

    equipment: str  # Class of equipment: "ups", "hall", "loop-chw"
    quantity: str  # E.g. "loading"
    limits: tuple[AlarmLimit, ...]  # From the lowest to the highest level
    # Tags of the equipment, models of rack PDUs and servers, types of racks; empty for all of the
    # class.
    tags: tuple[str, ...] = ()

    def at(self, level: Level) -> AlarmLimit | None:
        """Return the limit of a level; None if not stated."""
        return next((one for one in self.limits if one.level == level), None)


@dataclass(frozen=True)
class _Row:
    """Row of `limits.csv`."""

    equipment: str
    quantity: str
    level: Level
    rule: str
    subject: str  # Text that the subject of the check contains
    delay: str  # Key of the delay
    reached: bool  # Whether the design itself reaches it in normal operation


@lru_cache(maxsize=1)
def _rows() -> tuple[_Row, ...]:
    text = Path(__file__).with_name("limits.csv").read_text(encoding="utf-8")
    found = csv.DictReader(text.splitlines())
    return tuple(
        _Row(
            row["equipment"],
            row["quantity"],
            cast("Level", row["level"]),
            row["rule"],
            row["subject"],
            row["delay"],
            bool(row["reached"]),
        )
        for row in found
    )


def reached_by_design(limits: LimitSet, limit: AlarmLimit) -> bool:
    """Return whether the design itself reaches a limit in normal operation, see `limits.csv`."""
    named = limits.equipment, limits.quantity, limit.level, limit.rule
    return any(
        row.reached and named == (row.equipment, row.quantity, row.level, row.rule)
        for row in _rows()
    )


@equipped
def alarm_limits(design: Design) -> tuple[LimitSet, ...]:
    """Return all alarm limits of a design; runs its studies.

    Where several checks limit a quantity at one level, the strictest; a warning limit at or beyond
    its alarm limit is dropped.
    """
    sets = (*_of_checks(design), *_of_inputs(design), *_of_panels(design), *_of_racks(design))
    merged: dict[tuple[str, str, tuple[str, ...]], list[AlarmLimit]] = {}
    for one in sets:
        merged.setdefault((one.equipment, one.quantity, one.tags), []).extend(one.limits)
    return tuple(
        LimitSet(equipment, quantity, ordered(limits), tags)
        for (equipment, quantity, tags), limits in merged.items()
    )


def ordered(limits: Iterable[AlarmLimit]) -> tuple[AlarmLimit, ...]:
    """Return the strictest limit of each level, without limits at or above the next level.

    Limits of different delay are all kept.
    """
    found: dict[Level, AlarmLimit] = {}
    for one in limits:
        known = found.get(one.level)
        stricter = known is None or (
            one.value < known.value if one.is_upper else one.value > known.value
        )
        if stricter:
            found[one.level] = one
    for inner, outer in OUTER_LEVELS.items():
        if inner not in found or outer not in found or found[outer].delay_s is not None:
            continue
        limit, value = found[outer], found[inner].value
        if reaches(value, limit.value) if limit.is_upper else within(value, limit.value):
            del found[inner]
    return tuple(found[level] for level in LEVELS if level in found)


def _of_checks(design: Design) -> Iterator[LimitSet]:
    """Yield the limits of `limits.csv` from the checks that have them."""
    by_rule: dict[str, list[Check]] = {}
    for check in design.checks:
        if check.limit is not None:
            by_rule.setdefault(check.rule, []).append(check)
    restart = design.facility.thermal.restart
    delays = {
        "standby_pump": (restart.standby_pump_s, "cooling.thermal.water_pump_start"),
        "changeover": (restart.pump_changeover_s, "cooling.thermal.pump_changeover"),
    }
    for row in _rows():
        sense = "<=" if row.level.startswith("high") else ">="
        contact = row.quantity in CONTACTS
        for check in by_rule.get(row.rule, ()):
            if (not contact and check.sense != sense) or row.subject not in check.subject:
                continue
            limit = AlarmLimit(row.level, float(check.limit or 0.0), row.rule, str(check.source))
            if contact:
                limit = replace(limit, value=1.0, delay_s=check.limit, delay_source=row.rule)
            elif row.delay:
                delay_s, source = delays[row.delay]
                known = delay_s is not None
                limit = replace(limit, delay_s=delay_s, delay_source=source if known else "")
            yield LimitSet(row.equipment, row.quantity, (limit,))
    yield from _voltages(design, by_rule.get("VOLTAGE-IN-STATE", ()))


def _voltages(design: Design, checks: Iterable[Check]) -> Iterator[LimitSet]:
    """Yield the lowest voltage of the equipment next to the loads, by nominal voltage."""
    for check in checks:
        tags: dict[tuple[str, float], list[str]] = {}
        for one in design.distribution.plan.network.equipment:
            if one.kind in _OF_LOADS:
                tags.setdefault((one.kind, one.voltage_v), []).append(one.tag)
        for (kind, nominal_v), of_kind in tags.items():
            value = float(check.limit or 0.0) * nominal_v
            source = f"{check.source}; {float(check.limit or 0.0):.0%} of {nominal_v:g} V"
            limit = AlarmLimit("low", value, check.rule, source)
            yield LimitSet(kind, "voltage", (limit,), tuple(of_kind))


def _normal_loadings(design: Design) -> Iterator[LimitSet]:
    """Yield the highest loading in normal operation that keeps the failover within its limit."""
    found = {check.rule: check for check in design.checks if check.limit is not None}
    results = design.all_results
    for equipment, rule in _FAILOVER.items():
        check, ids = found.get(rule), [f"{equipment}.loading_{name}" for name in _LOADINGS]
        if check is None or not all(id in results and float(results[id].si) for id in ids):
            continue
        normal, failure = (float(results[id].si) for id in ids)
        share = float(check.limit or 0.0) * normal / failure
        source = f"normal operation: limit of {rule} x result {ids[0]} / result {ids[1]}"
        limit = AlarmLimit("high", share, rule, source)
        yield LimitSet(equipment, "loading", (limit,))


def _of_inputs(design: Design) -> Iterator[LimitSet]:
    """Yield limits from inputs without a check, and the alarm state of contacts."""
    capacity_w = design.facility.site.utility_capacity_w
    if capacity_w is not None:
        limit = AlarmLimit("high-high", capacity_w, "", "project, site.utility_capacity")
        yield LimitSet("utility", "active_power", (limit,))
    yield from _normal_loadings(design)
    sets = design.chain.generators
    if sets.count:
        source = f"rating of {sets.model}, derated for the site"
        derated = AlarmLimit("high-high", sets.rating_w * sets.derate, "GENERATOR-CAPACITY", source)
        yield LimitSet("generator-set", "active_power", (derated,))
    unit = design.cooling.chain.crah.unit
    rated = AlarmLimit("high-high", unit.air_flow_m3_s, "CRAH-AIRFLOW", f"rating of {unit.model}")
    yield LimitSet("air-unit", "air_flow", (rated,))
    cdus = design.cooling.cdus
    if cdus is not None:
        rating = cdus.plan.unit
        flow = AlarmLimit(
            "high-high", rating.tcs_flow_m3_s, "CDU-FLOW", f"rating of {rating.model}"
        )
        yield LimitSet("cdu", "flow", (flow,))
    for equipment, quantities in CONTACT_POINTS.items():
        for quantity in quantities:
            yield LimitSet(equipment, quantity, (AlarmLimit("high", 1.0, "", _STATE),))


CONTACT_POINTS: Mapping[str, tuple[str, ...]] = {
    "utility": ("supply_lost",),
    "mv-switchgear": ("supply_lost", "transferred", "not_ready"),
    "ats": ("supply_lost", "transferred", "not_ready", "fault"),
    "sts": ("supply_lost", "transferred", "fault"),
    "lv-board": ("supply_lost", "transferred"),
    "transformer": ("fault",),
    "generator-plant": ("fault",),
    "generator-set": ("not_ready", "fault"),
    "generator-bus": ("not_ready", "fault"),
    "ups": ("on_battery", "fault"),
    "static-bypass": ("supply_lost", "fault"),
    "ups-output": ("supply_lost", "transferred"),
    "pdu": ("supply_lost",),
    "mechanical-board": _SUPPLIES,
    "building-board": _SUPPLIES,
    "panel": ("supply_lost",),
    "busway": ("supply_lost",),
    "rack-pdu": ("supply_lost",),
    "air-unit": ("fault", "leak"),
    "rear-door": ("leak",),
    "cdu": ("fault", "leak"),
    "chiller": ("fault",),
    "compressor": ("fault",),
    "pump": ("fault",),
    "rejection": ("fault",),
    "rack": ("leak",),
}
"""Contacts of each class of equipment, closed in alarm."""


def _of_panels(design: Design) -> Iterator[LimitSet]:
    """Yield line and branch current limits: continuous limit and rating, by equal ratings."""
    criteria = design.facility.criteria
    rules = panel_rules(criteria.code, criteria.edition)
    panels: dict[tuple[str, float, float], list[str]] = {}
    branches: dict[tuple[float, float], list[str]] = {}
    for panel in design.panels.panels:
        factor = 1.0 if panel.listed_100 else criteria.continuous_factor
        if panel.rating_a is not None:
            kind = "busway" if panel.is_busway else "panel"
            panels.setdefault((kind, panel.rating_a, factor), []).append(panel.tag)
        for circuit in metered_branches(panel):
            if circuit.breaker_a is not None:
                rated = circuit.breaker_a, factor
                branches.setdefault(rated, []).append(branch_tag(panel, circuit))
    for (kind, rating_a, factor), tags in panels.items():
        limits = _currents(rating_a, factor, rules.panel, "bus and main")
        yield LimitSet(kind, "current", limits, tuple(tags))
    for (rating_a, factor), tags in branches.items():
        limits = _currents(rating_a, factor, rules.branch, "breaker")
        yield LimitSet("branch", "current", limits, tuple(tags))


def _currents(rating_a: float, factor: float, rule: Rule, rated: str) -> tuple[AlarmLimit, ...]:
    """Return the continuous limit and the rating, as one if equal."""
    limit_a = float(continuous_limit.si(rating_a, factor))
    found = AlarmLimit("high-high", rating_a, rule.id, f"{rated} rating, {rating_a:,g} A")
    return ordered((AlarmLimit("high", limit_a, rule.id, str(rule.source)), found))


def metered_branches(panel: Panel) -> Iterator[Circuit]:
    """Yield the metered branch circuits: circuits with a breaker and a load."""
    return (circuit for circuit in panel.circuits if circuit.class_code not in ("SPACE", "SPARE"))


def branch_tag(panel: Panel, circuit: Circuit) -> str:
    """Return the tag of a branch circuit: its identity, preceded by the panel."""
    return circuit.id if circuit.id.startswith(panel.tag) else f"{panel.tag}-{circuit.id}"


def _of_racks(design: Design) -> Iterator[LimitSet]:
    """Yield limits by rack type: power, coolant flow, and inlet air of its devices."""
    sources = {check.subject: check for check in design.checks if check.rule == "RACK-POWER"}
    source = next((str(check.source) for check in sources.values()), "rack, power limit")
    by_limit: dict[float, list[str]] = {}
    for rack in design.facility.it.racks:
        if rack.power_limit_w is not None:
            by_limit.setdefault(rack.power_limit_w, []).append(rack.name)
    for limit_w, racks in by_limit.items():
        limit = AlarmLimit("high-high", limit_w, "RACK-POWER", source)
        yield LimitSet("rack", "active_power", (limit,), tuple(racks))
    for check in design.checks:
        if check.rule == "RACK-FLOW" and check.limit is not None:
            tags = tuple(one.removeprefix("rack ") for one in (check.subject, *check.alike))
            limit = AlarmLimit("low", check.limit, check.rule, str(check.source))
            yield LimitSet("rack", "coolant_flow", (limit,), tags)
        if check.rule == "RACK-PDU-LOAD" and check.limit is not None:
            models = tuple(one.rpartition(", ")[0] for one in (check.subject, *check.alike))
            limit = AlarmLimit("high", check.limit, check.rule, str(check.source))
            yield LimitSet("rack-pdu", "current", (limit,), models)
    devices = {placed.device for rack in design.facility.it.racks for placed in rack.placed}
    for device in sorted(devices, key=lambda one: one.model):
        found = [
            AlarmLimit(level, value_c, rule, str(device.source))
            for level, value_c, rule in (
                (LEVELS[0], device.inlet_min_c, "INLET-EQUIPMENT-COLD"),
                (LEVELS[-1], device.inlet_max_c, "INLET-EQUIPMENT"),
            )
            if value_c is not None
        ]
        if found:
            yield LimitSet("server", "inlet_temperature", tuple(found), (device.model,))
