"""Device duties: short-circuit rating against available fault current at each location."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from facility.core.rounding import within
from facility.power.faults.device_checks import short_circuit_duty
from facility.report.book.panels.supply import available_fault
from facility.report.issue.content import SheetContent
from facility.report.issue.electrical.equipment import IEC_KINDS, KINDS
from facility.report.issue.electrical.facts import ElectricalFacts
from facility.report.issue.electrical.printed import NOT_KNOWN, NOT_STATED, listing
from facility.report.sheet.grid import Column, GridValue, SheetTable
from facility.report.tables.names import tag_list

_SERIES = 200
_RESULTS: Mapping[str, str] = {
    "mv-switchgear": "mv_switchgear",
    "generator-plant": "generator_plant",
    "generator-bus": "generator_bus",
    "ats": "ats",
    "lv-board": "board",
    "ups-output": "ups_output",
    "sts": "sts",
    "pdu": "pdu",
    "panel": "panel",
    "busway": "busway",
}
"""Equipment with devices, and the part of its result key ``fault.<part>.rating``."""
_NOTE = (
    "Rating: interrupting rating of the devices and short-circuit rating of the assembly, as "
    "stated, or selected by the design: the next standard rating for the duty. Duty: available "
    "current of the source with the largest one, raised for the DC offset where the X/R exceeds "
    "that of the test (NEC), or by the making capacity (IEC). No series rating is assumed. Equal "
    "locations are in one row."
)


@dataclass(frozen=True)
class DeviceDuty:
    """Location, or equal locations, with rating and duty."""

    kind: str
    tags: tuple[str, ...]
    voltage_v: float
    devices: int  # Devices leaving one location
    rating_a: float | None
    basis: str
    fault_a: float | None
    source: str
    x_over_r: float | None
    duty_a: float | None

    @property
    def location(self) -> str:
        """First and last tag."""
        return self.tags[0] if len(self.tags) == 1 else f"{self.tags[0]} to {self.tags[-1]}"

    @property
    def verdict(self) -> str:
        """Whether the rating covers the duty."""
        if self.duty_a is None or self.rating_a is None:
            return NOT_KNOWN
        return "OK" if within(self.duty_a, self.rating_a) else "CHECK"


def _kiloamperes(key: str, head: str, width: float) -> Column[DeviceDuty]:
    def of(duty: DeviceDuty) -> GridValue:
        value = getattr(duty, key)
        return value if value is not None else NOT_STATED if key == "rating_a" else NOT_KNOWN

    return Column(key, head, width, "current", unit="kA", number_format="n1", of=of)


DUTIES: SheetTable[DeviceDuty] = SheetTable(
    "Device duties",
    (
        Column("location", "Location", 40, of=lambda d: tag_list(d.tags)),
        Column("kind", "Equipment", 34),
        Column("count", "Locations", 16, "count", of=lambda d: len(d.tags)),
        Column("devices", "Devices at each", 16, "count", of=lambda d: d.devices or None),
        Column("voltage", "Voltage", 16, "line_voltage", of=lambda d: d.voltage_v),
        _kiloamperes("rating_a", "Interrupting rating", 20),
        Column("basis", "Rating is", 20),
        _kiloamperes("fault_a", "Available fault", 18),
        Column("source", "On", 22),
        Column(
            "xr",
            "X/R",
            11,
            "ratio",
            number_format="n1",
            of=lambda d: NOT_KNOWN if d.x_over_r is None else d.x_over_r,
        ),
        _kiloamperes("duty_a", "Duty", 14),
        Column("verdict", "Verdict", 18),
    ),
)


def duty_table(facts: ElectricalFacts) -> SheetContent:
    """Return the rating of the devices at every location with the fault current there."""
    rows = list(device_duties(facts))
    block = listing(DUTIES, rows, facts.system, _NOTE, keys=[row.location for row in rows])
    return SheetContent("E", _SERIES, "Device duties and protection studies", (block,))


def device_duties(facts: ElectricalFacts) -> Iterator[DeviceDuty]:
    """Yield the locations with devices in the order of supply, equal ones together."""
    groups: dict[tuple[object, ...], DeviceDuty] = {}
    leaving: dict[str, int] = {}
    for feeder in facts.feeders:
        source = feeder.circuit.source
        leaving[source] = leaving.get(source, 0) + feeder.circuit.runs
    for one in facts.design.distribution.plan.network.equipment:
        if one.kind not in _RESULTS:
            continue
        rating_a, basis = _rating(facts, one.kind, one.tag)
        fault_a, source, ratio, duty_a = _fault(facts, one.tag, rating_a)
        devices = leaving.get(one.tag, 0)
        rounded_values = [None if x is None else f"{x:.6g}" for x in (rating_a, fault_a, ratio)]
        key = (one.kind, devices, basis, source, one.voltage_v, *rounded_values)
        tags = groups[key].tags if key in groups else ()
        groups[key] = DeviceDuty(
            (KINDS if facts.nec else IEC_KINDS)[one.kind],
            (*tags, one.tag),
            one.voltage_v,
            devices,
            rating_a,
            basis,
            fault_a,
            source,
            ratio,
            duty_a,
        )
    yield from groups.values()


def _rating(facts: ElectricalFacts, kind: str, tag: str) -> tuple[float | None, str]:
    """Return the short-circuit rating of a location [A], and whether it is stated."""
    if kind == "panel" and tag in facts.supplies:
        own = next(
            (b for b in facts.design.project.panels.boards or () if b.tag == tag and b.sccr), None
        )
        if own is not None:
            return facts.supplies[tag].sccr_a, "stated"
    found = facts.design.distribution.results.get(f"fault.{_RESULTS[kind]}.rating")
    stated = kind in facts.design.facility.electrical.faults.ratings_a
    if found is None:
        return None, ""
    return float(found.si), "stated" if stated else "selected"


def _fault(
    facts: ElectricalFacts, tag: str, rating_a: float | None
) -> tuple[float | None, str, float | None, float | None]:
    """Return fault current, its source, X/R, and the duty on a rating."""
    faults = facts.design.distribution.faults
    fault_a, source = available_fault(faults, tag)
    if fault_a is None:
        return None, "", None, None
    highest = faults.states[source].highest
    row = highest.index(faults.bus_of[tag])
    ratio = float(highest.x_over_r[row])
    known = ratio if math.isfinite(ratio) else None
    if rating_a is None:
        return fault_a, source, known, None
    criteria = facts.design.facility.criteria
    return fault_a, source, known, short_circuit_duty(rating_a, fault_a, highest, row, criteria)
