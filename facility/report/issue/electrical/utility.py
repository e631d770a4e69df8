"""Load letter to the utility, and the studies by others with their inputs."""

from __future__ import annotations

from collections.abc import Iterator

from facility.core.table import Results
from facility.core.views import show
from facility.power.service_load import ServiceLoad
from facility.report.issue.content import Paragraph, SheetContent, TableBlock
from facility.report.issue.electrical.facts import ElectricalFacts
from facility.report.issue.electrical.printed import NOT_STATED
from facility.report.issue.electrical.service import calculated
from facility.report.sheet.grid import TextTable

_Line = tuple[str, str, str, str]
"""Label, value, basis and key of a quantity."""
_SERIES = 300
_STUDIES_SERIES = 400
_DEMAND = (
    ("utility.demand", "Maximum demand, design hour"),
    ("utility.demand_kva", "Maximum demand, design hour"),
    ("utility.power_factor", "Power factor at the meter"),
    ("utility.current", "Current at the service voltage"),
    ("annual.peak", "Peak demand of a typical year"),
    ("annual.peak_kva", "Peak demand of a typical year"),
    ("annual.load_factor", "Annual load factor"),
    ("energy.annual", "Annual energy"),
)
_STARTING = (("generator.starting_kva", "Starting power on the generators"),)
_GENERATORS = (
    ("generator.count", "Generator sets"),
    ("generator.rating", "Rating of one set"),
    ("generator.rating_kva", "Rating of one set"),
    ("generator.voltage", "Voltage of the sets"),
    ("generator.connection", "Connection"),
    ("generator.load", "Plant load with recharge"),
)
_SWINGS = (
    ("swing.step", "Step while the training job runs"),
    ("swing.utility", "Peak to peak, job start to stop"),
    ("swing.utility.ramp", "Fastest change"),
    ("swing.frequency", "Strongest periodic component, frequency"),
    ("swing.amplitude", "Strongest periodic component, amplitude"),
    ("swing.after.running", "Step with storage"),
    ("swing.after.ramp", "Fastest change with storage"),
)
_QUALITY = (
    ("transformer.thd", "Current distortion (THD) at the transformers"),
    ("transformer.k_factor", "K factor of the transformer current"),
)
_REQUESTS = (
    "Requested of the utility: maximum and minimum available fault current with X/R at the point "
    "of connection, service voltage range, short-circuit duty for switchgear, metering and "
    "protection requirements, flicker, ramp and harmonic limits."
)
_BY_OTHERS = (
    "Selective coordination, protective device settings and arc-flash incident energy are by "
    "others. This design provides the inputs: study-buses.csv (fault currents, X/R, clearing "
    "times by bus and source) and study-devices.csv (devices, trip functions and pickups, "
    "conductors, lengths, impedances by circuit), both written by facility export csv."
)
_LABELLING = (
    "Arc-flash labels follow the study by others; no incident energy or working distance is "
    "stated in this set."
)


def utility_letter(facts: ElectricalFacts) -> SheetContent:
    """Return the load letter to the utility."""
    found, load = facts.design.all_results, calculated(facts)
    rows: list[_Line] = []
    keys: list[str] = []
    groups = (
        ("Connected load", tuple(_connected(facts, load))),
        ("Demand", tuple(_rows(facts, found, _DEMAND))),
        ("Motors", tuple(_motors(facts, load))),
        ("Generators", (*_rows(facts, found, _GENERATORS), *_parallel(facts))),
        ("Training load", tuple(_rows(facts, found, _SWINGS))),
        ("Power quality", tuple(_rows(facts, found, _QUALITY))),
        ("Fault level", tuple(_fault_level(facts))),
    )
    for name, lines in groups:
        for n, (label, value, basis, key) in enumerate(lines):
            rows.append((name if not n else "", label, value, basis))
            keys.append(key)
    heads = ("Subject", "Quantity", "Value", "Basis")
    table = TextTable("Load information for the utility", heads, rows, keys=keys)
    identity = facts.design.facility.identity
    words = f"Project {identity.name}, number {identity.number or NOT_STATED}, {identity.status}."
    blocks = (Paragraph(words), TableBlock(table, (30, 70, 40, 113)), Paragraph(_REQUESTS))
    return SheetContent("E", _SERIES, "Load letter to the utility", blocks)


def _rows(
    facts: ElectricalFacts, found: Results, named: tuple[tuple[str, str], ...]
) -> Iterator[_Line]:
    for key, label in named:
        value = found.get(key)
        if value is not None:
            yield label, value.shown(facts.system), value.basis, key


def _connected(facts: ElectricalFacts, load: ServiceLoad) -> Iterator[_Line]:
    connected_w = sum(one.connected_w for one in load.lines)
    connected = show(connected_w, "active_power", facts.system)
    basis = "units on duty at their ratings, battery recharge included"
    yield "Connected load", connected, basis, "service:connected"
    sized = show(load.total_va, "apparent_power", facts.system)
    basis = f"load calculation, {facts.edition}"
    yield "Calculated service load", sized, basis, "service:total_kva"
    growth = facts.design.facility.criteria.growth
    words = f"{100 * growth:.0f} %" if growth else "none stated"
    yield "Growth", words, "of IT and cooling load (criteria.growth)", "criteria.growth"


def _motors(facts: ElectricalFacts, load: ServiceLoad) -> Iterator[_Line]:
    if load.largest_motor:
        rated = show(load.largest_motor_va, "apparent_power", facts.system)
        yield "Largest motor on the service", rated, load.largest_motor, "service:largest motor"
    yield from _rows(facts, facts.design.all_results, _STARTING)


def _parallel(facts: ElectricalFacts) -> Iterator[_Line]:
    network = facts.design.distribution.plan.network
    switches = [one.tag for one in network.equipment if one.kind == "ats"]
    if switches:
        shown = ", ".join(switches[:6]) + (" ..." if len(switches) > 6 else "")
        basis = f"transfer switches {shown}; closed transition is not part of the design"
        yield "Parallel operation with the utility", "none", basis, "generator:parallel"


def _fault_level(facts: ElectricalFacts) -> Iterator[_Line]:
    site = facts.design.facility.site
    level = site.fault_level_va
    words = NOT_STATED if level is None else show(level, "apparent_power", facts.system)
    yield "Fault level used", words, "maximum, to be confirmed (site.fault_level)", "site:level"
    ratio = "" if site.x_over_r is None else f"{site.x_over_r:g}"
    yield "X/R used", ratio or NOT_STATED, "site.x_over_r", "site:x_over_r"


def studies_by_others(facts: ElectricalFacts) -> SheetContent:
    """Return what is not part of the set, and where its inputs are."""
    found = facts.design.distribution
    rows = (
        ("Selective coordination", "by others", f"{len(facts.feeders):,} circuits"),
        ("Arc-flash incident energy", "by others", f"{len(found.arc_flash):,} bus states"),
        ("Short-circuit currents", "in this set", "sheets Device duties and panel schedules"),
    )
    table = TextTable("Protection studies", ("Study", "Status", "Inputs or result"), rows)
    blocks = (TableBlock(table), Paragraph(_BY_OTHERS), Paragraph(_LABELLING, "warning"))
    return SheetContent("E", _STUDIES_SERIES, "Protection studies by others", blocks)
