"""Load letter to the utility, and the studies by others with their inputs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from facility.core.views import show
from facility.power.service_load import ServiceLoad
from facility.report.issue.content import Block, Paragraph, SheetContent, TableBlock
from facility.report.issue.electrical.facts import ElectricalFacts
from facility.report.issue.electrical.printed import NOT_STATED
from facility.report.issue.electrical.service import calculated
from facility.report.issue.one_line import parallel_switchgear
from facility.report.sheet.grid import TextTable

_Line = tuple[str, str, str, str]
"""Label, value, basis and key of a quantity."""
_SERIES = 300
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


@dataclass(frozen=True, eq=False)
class UtilityLetter:
    """Lines of the load letter: label, value, basis, key."""

    facts: ElectricalFacts

    @cached_property
    def load(self) -> ServiceLoad:
        """Calculated load of the service."""
        return calculated(self.facts)

    def results(self, named: tuple[tuple[str, str], ...]) -> Iterator[_Line]:
        """Yield the results of the design that exist, by key."""
        found = self.facts.design.all_results
        for key, label in named:
            value = found.get(key)
            if value is not None:
                ramp = value.kind == "power_ramp"
                words = value.short(self.facts.system) if ramp else value.shown(self.facts.system)
                yield label, words, value.basis, key

    def connected(self) -> Iterator[_Line]:
        """Yield connected and calculated load, and growth."""
        system = self.facts.system
        connected_w = sum(one.connected_w for one in self.load.lines)
        basis = "units on duty at their ratings, battery recharge included"
        yield (
            "Connected load",
            show(connected_w, "active_power", system),
            basis,
            "service:connected",
        )
        sized = show(self.load.total_va, "apparent_power", system)
        basis = f"load calculation, {self.facts.edition}"
        yield "Calculated service load", sized, basis, "service:total_kva"
        growth = self.facts.design.facility.criteria.growth
        words = f"{100 * growth:.0f} %" if growth else "none stated"
        yield "Growth", words, "of IT and cooling load", "criteria.growth"

    def motors(self) -> Iterator[_Line]:
        """Yield the largest motor and its start."""
        load = self.load
        if load.largest_motor:
            rated = show(load.largest_motor_va, "apparent_power", self.facts.system)
            yield "Largest motor on the service", rated, load.largest_motor, "service:motor"
        operation = self.facts.design.chain.chain.generator.operation
        for label, value, basis, key in self.results(_STARTING):
            how = f"{operation.motor_start} start, {operation.starting_current:g} x rated current"
            yield label, value, f"{basis}; {how}", key

    def parallel(self) -> Iterator[_Line]:
        """Yield the operation of generators with the utility."""
        network = self.facts.design.distribution.plan.network
        switches = [one.tag for one in network.equipment if one.kind == "ats"]
        if switches:
            listed = ", ".join(switches[:6]) + (" ..." if len(switches) > 6 else "")
            basis = f"transfer switches {listed}; closed transition is not part of the design"
            yield "Parallel operation with the utility", "none", basis, "generator:parallel"
        elif shared := parallel_switchgear(network):
            listed = ", ".join(shared[:6]) + (" ..." if len(shared) > 6 else "")
            basis = f"interlocked mains of {listed}; closed transition is not part of the design"
            yield "Parallel operation with the utility", "none", basis, "generator:parallel"

    def fault_level(self) -> Iterator[_Line]:
        """Yield the fault level used."""
        site = self.facts.design.facility.site
        level, ratio = site.fault_level_va, site.x_over_r
        system = self.facts.system
        words = NOT_STATED if level is None else show(level, "apparent_power", system)
        basis = "maximum, to be confirmed"
        yield "Fault level used", words, basis, "site:fault_level"
        yield "X/R used", NOT_STATED if ratio is None else f"{ratio:g}", "at the maximum", "site:xr"


def utility_letter(facts: ElectricalFacts) -> SheetContent:
    """Return the load letter to the utility."""
    letter = UtilityLetter(facts)
    rows: list[_Line] = []
    keys: list[str] = []
    groups = (
        ("Connected load", letter.connected()),
        ("Demand", letter.results(_DEMAND)),
        ("Motors", letter.motors()),
        ("Generators", (*letter.results(_GENERATORS), *letter.parallel())),
        ("Training load", letter.results(_SWINGS)),
        ("Power quality", letter.results(_QUALITY)),
        ("Fault level", letter.fault_level()),
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


def studies_by_others(facts: ElectricalFacts) -> tuple[Block, ...]:
    """Return the studies not included in the set, and the location of their inputs."""
    found = facts.design.distribution
    rows = (
        ("Selective coordination", "by others", f"{len(facts.feeders):,} circuits"),
        ("Arc-flash incident energy", "by others", f"{len(found.arc_flash):,} bus states"),
        ("Short-circuit currents", "in this set", "this sheet and the panel schedules"),
    )
    table = TextTable("Protection studies", ("Study", "Status", "Inputs or result"), rows)
    return TableBlock(table), Paragraph(_BY_OTHERS), Paragraph(_LABELLING, "warning")
