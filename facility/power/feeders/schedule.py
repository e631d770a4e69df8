"""The feeder schedule: conductors and overcurrent device of every circuit of the network."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from facility.core.check import Check
from facility.core.errors import FacilityError
from facility.core.rounding import first_largest, reaches, rounded, within
from facility.core.trace import Trace
from facility.model.facility import Criteria
from facility.model.power.conductors import ConductorBasis
from facility.model.power.faults import Clearing
from facility.power.feeders.duties import (
    Duty,
    Need,
    UnitCurrents,
    circuit_duties,
    voltage_allowance,
)
from facility.power.feeders.generator_sets import at_terminals, terminal_checks
from facility.power.feeders.iec.choice import choose_iec
from facility.power.feeders.lengths import circuit_length, sharing_by_stage
from facility.power.feeders.mains import largest_main, largest_standard, rated_current
from facility.power.feeders.motors.feeders import with_motors
from facility.power.feeders.mv.choice import choose_mv
from facility.power.feeders.nec.choice import choose_nec
from facility.power.feeders.series import Series
from facility.power.feeders.trip_units import TripUnit
from facility.power.feeders.types import (
    CircuitDemand,
    ConductorChoice,
    Location,
    Neutral,
    series_words,
)
from facility.power.network.build.plan import DEVICE_AT_END, NetworkPlan, PlannedCircuit
from facility.power.network.graph.types import Link, Outage
from facility.power.panels.board.breakers import standard_breakers
from facility.power.panels.board.model import STATED_BREAKER
from facility.power.panels.design.halls import PanelSet
from facility.power.rules import RULES

_LOAD_OF_DEVICE = ("NEC-OCPD-RATING", "IEC-DESIGN-CURRENT")

_LOCATIONS: Mapping[str, Location] = {
    "transformer": "transformer secondary",
    "branch": "branch",
    "service": "service",
}
_LEAST_SERVICE_A = 60.0
"""Least rating of a service disconnect of other than dwellings and small loads, NEC 230.79(D)."""

_TIGHT = 0.5

Choose = Callable[..., ConductorChoice]


@dataclass(frozen=True)
class Seen:
    """What conductors chosen before showed."""

    needs: Mapping[str, Need] = field(default_factory=dict)  # By `overloaded_runs`
    # Circuits that may drop half of what they are allowed: the voltage behind them overloads a
    # device that is not theirs to choose.
    tight: frozenset[str] = frozenset()
    # Voltage drop, as a fraction, of circuits whose conductors must lose less, by tag.
    drops: Mapping[str, float] = field(default_factory=dict)
    # Highest fault current, and highest earth-fault current, by tag of the equipment [A].
    fault_a: Mapping[str, float] = field(default_factory=dict)
    earth_fault_a: Mapping[str, float] = field(default_factory=dict)
    # Time constant of the offset of the fault current likewise, where it counts (IEC) [s].
    offset_s: Mapping[str, float] = field(default_factory=dict)
    # Largest earth-fault loop likewise [ohm]; None where not known.
    loop_ohm: Mapping[str, float | None] = field(default_factory=dict)
    trip_multiple: float | None = None  # Of final circuits (IEC), where stated
    clearing: Clearing = field(default_factory=Clearing)  # Clearing times of the devices

    def of_all(
        self, demand: CircuitDemand, members: Sequence[PlannedCircuit], criteria: Criteria
    ) -> CircuitDemand:
        """Return the demand with all that was seen of the circuits of a sort.

        Half of the drop is allowed where one of them is tight. The ampacity is what the current in
        the network asks for; the device of the panels is large enough: its factor is on the current
        at nominal voltage.
        """
        if any(m.tag in self.tight for m in members):
            demand = replace(demand, drop_limit=_TIGHT * demand.drop_allowed(criteria))
        drops = [self.drops[m.tag] for m in members if m.tag in self.drops]
        if drops:
            drop_limit = min(*drops, demand.drop_allowed(criteria))
            demand = replace(demand, drop_limit=drop_limit)
        carried = [self.needs[m.tag][0] for m in members if self.too_thin(m)]
        least_a = max([demand.least_ampacity_a, *carried])
        return self._of_fault(replace(demand, least_ampacity_a=least_a), members)

    def of_devices(self, plan: NetworkPlan) -> Mapping[str, Need]:
        """Return the needs that devices are chosen for too."""
        return {t: need for t, need in self.needs.items() if not self.too_thin(plan.circuits[t])}

    def too_thin(self, circuit: PlannedCircuit) -> bool:
        """Return whether its conductors were overloaded, and its device, of the panels, not."""
        device_a, need = circuit.breaker_a, self.needs.get(circuit.tag)
        return need is not None and device_a is not None and within(need[0], device_a)

    def _of_fault(self, demand: CircuitDemand, members: Sequence[PlannedCircuit]) -> CircuitDemand:
        """Return the demand with the highest fault current that a circuit of the sort begins at.

        The device of what leaves a source or a transformer stands at the end: ahead of it is one
        beyond the transformer, or of the utility, whose rating is not known here.
        """
        stage, clearing = members[0].stage, self.clearing
        if stage in DEVICE_AT_END or demand.location == "transformer secondary":
            clearing = Clearing(clearing.other_s)
        sources = {m.source for m in members}
        offset_s = max((self.offset_s.get(source, 0.0) for source in sources), default=0.0)
        clearing = replace(clearing, offset_s=offset_s)
        most_a, earth_a = (
            max((by_tag[s] for s in sources & by_tag.keys() if stage != "service"), default=None)
            for by_tag in (self.fault_a, self.earth_fault_a)
        )
        found = replace(demand, fault_a=most_a, earth_fault_a=earth_a, clearing=clearing)
        if stage != "branch" or self.trip_multiple is None:
            return found
        loops = [self.loop_ohm.get(source) for source in sources]
        known = [loop for loop in loops if loop is not None]
        most_ohm = max(known) if len(known) == len(loops) else None
        return replace(found, loop_ohm=most_ohm, trip_multiple=self.trip_multiple)


_NOTHING_SEEN = Seen()


@dataclass(frozen=True)
class Feeder:
    """One circuit of the network with its load and its conductors; of several equal runs one."""

    circuit: PlannedCircuit  # Where it runs
    normal_a: float  # Largest line current with all in service [A]
    worst_a: float  # What it must carry [A]: see `circuit_duties`
    worst_state: str  # The state or the rating that asks for it
    power_factor: float  # Power factor of the load in the worst state
    length_m: float | None  # One-way length [m]; None where no stage length is known
    # None for a circuit without load, refused, or at a voltage that no table covers.
    choice: ConductorChoice | None
    alike: int  # Number of the sort of circuit; circuits of one sort are built alike
    heaviest: str  # Tag of the circuit of the sort that decides
    refused: str = ""  # Why no conductors or device fit; empty where they do
    # Clearing time of the device ahead of its conductors at the highest fault current, and where
    # the current may be below its instantaneous trip [s]; None where not known.
    clearing_s: float | None = None
    below_trip_s: float | None = None
    clearing: Clearing = field(default_factory=Clearing)  # What else is known of that device
    # Why its device is larger than its load asks for; empty where it is not.
    series: str = ""
    # Part of the current sized on without the factor on continuous load: motors but the largest [A]
    other_a: float = 0.0
    untabulated: str = ""  # Why no ampacity table covers its voltage; empty where one does
    trip: TripUnit | None = None  # Trip functions of its device; None where it has none

    @property
    def sized_by(self) -> str:
        """The state or rating that asks for the current, and why the device is larger still."""
        return f"{self.worst_state}; device{self.series}" if self.series else self.worst_state


@dataclass(frozen=True, eq=False)
class FeederSet:
    """Every circuit of the network, in the order of the plan."""

    feeders: tuple[Feeder, ...]  # All circuits
    links: Mapping[str, Link]  # Impedance and rating by circuit tag, for the network
    checks: tuple[Check, ...]  # One of each rule and sort of circuit

    def with_trip_units(self, trips: Mapping[str, TripUnit]) -> FeederSet:
        """Return the circuits with the trip units of their devices, by tag."""
        feeders = tuple(replace(f, trip=trips.get(f.circuit.tag)) for f in self.feeders)
        return replace(self, feeders=feeders)

    @property
    def device_a(self) -> dict[str, float]:
        """Rating of the overcurrent device of each circuit that has one, by tag [A].

        Circuits at medium voltage have relays instead: `pickup_a`.
        """
        return {f.circuit.tag: f.choice.ocpd_a for f in self._chosen(False) if f.choice}

    @property
    def pickup_a(self) -> dict[str, float]:
        """Pickup of the relay of each circuit at medium voltage, by tag [A]."""
        return {f.circuit.tag: f.choice.ocpd_a for f in self._chosen(True) if f.choice}

    def _chosen(self, mv: bool) -> Iterator[Feeder]:
        return (f for f in self.feeders if (f.circuit.stage == "mv") is mv)

    @property
    def load(self) -> dict[str, str]:
        """What each circuit must carry, in words, by tag."""
        return {f.circuit.tag: f"{f.worst_a:,.0f} A: {f.worst_state}" for f in self.feeders}


def size_feeders(  # noqa: PLR0913 - each of another study
    plan: NetworkPlan,
    outages: Sequence[Outage],
    basis: ConductorBasis,
    criteria: Criteria,
    listed_100: bool,
    units: UnitCurrents,
    trace: Trace,
    panels: PanelSet | None = None,
    seen: Seen = _NOTHING_SEEN,
) -> FeederSet:
    """Return conductors and overcurrent devices for the worst current of every circuit.

    outages: All states that the circuits must carry, the normal one first.
    basis: Material, insulation, lengths.
    listed_100: Whether assemblies and devices are listed for 100 % continuous load.
    panels: Panels, for their states with a supply of a rack lost.
    seen: What conductors chosen before showed.

    Circuits that no device or conductor fits have none, no impedance, and a VIOLATION.

    Raises what the project says and no table has, e.g. ``UNKNOWN_SIZE``.
    """
    nec = criteria.code == "NEC"
    choose: Choose = choose_nec if nec else choose_iec
    factor = 1.0 if listed_100 else criteria.continuous_factor
    allowance = voltage_allowance(factor, criteria.sized_drop)
    duties = circuit_duties(plan, outages, units, panels, seen.of_devices(plan), allowance)
    sharing, series = sharing_by_stage(plan), Series(plan)
    feeders: dict[str, Feeder] = {}
    device_a: dict[str, float] = {}
    for number, members in _upward(plan, duties, basis, series):
        heaviest = members[first_largest([duties[one.tag].worst_a for one in members])]
        duty, id = duties[heaviest.tag], f"feeder.{heaviest.tag}"
        length_m = circuit_length(heaviest, plan, basis)
        choice, refused, follows, untabulated = None, "", "", ""
        clearing, other_a, relayed = seen.clearing, 0.0, heaviest.stage == "mv"
        if length_m is not None and duty.worst_a > 0.0:
            most = max(sharing[m.source, m.stage] for m in members)
            bare = _demand(heaviest, duty, plan, length_m, basis, listed_100, most, nec)
            least = _least_device(series, members, device_a, plan, criteria)
            bare = at_terminals(replace(bare, least_device=least), heaviest, criteria, trace, id)
            demand = with_motors(seen.of_all(bare, members, criteria), members, criteria)
            because = f"largest of network, panel below and unit fed: {duty.because}"
            if any(one.tag in seen.drops for one in members):
                because += "; conductors larger, for the losses that the design assumes"
            trace.derive(f"{id}.continuous", demand.continuous_a, "current", because)
            clearing, other_a = demand.clearing, demand.other_a
            by = choose_mv if relayed else choose
            choice, refused, untabulated = _attempt(by, demand, basis, criteria, trace, id)
            if choice is not None and not relayed:
                # Why the device is larger than its load asks for; empty where it is not
                standard = standard_breakers(criteria.code, criteria.edition)
                by_load_a = next(
                    (a for a in standard if reaches(a, choice.required_a)), choice.ocpd_a
                )
                follows = series_words(demand, by_load_a)
                device_a |= dict.fromkeys((one.tag for one in members), choice.ocpd_a)
        times_s = clearing.times_s(None if choice is None or relayed else choice.ocpd_a)
        for one, own in ((one, duties[one.tag]) for one in members):
            feeders[one.tag] = Feeder(
                one, own.normal_a, own.worst_a, own.because, own.power_factor, length_m, choice,
                number, heaviest.tag, refused, *times_s, clearing, follows, other_a, untabulated,
            )  # fmt: skip
    found = tuple(feeders[tag] for tag in plan.circuits)
    links = {f.circuit.tag: _link(f, f.choice) for f in found if f.choice}
    return FeederSet(found, links, _checks(found, criteria))


def _attempt(choose: Choose, *of: object) -> tuple[ConductorChoice | None, str, str]:
    """Return a choice, or why nothing fits, or why no table covers the voltage."""
    try:
        return choose(*of), "", ""
    except FacilityError as error:
        if error.exit_code != 4:
            raise
        outside = error.code == "MV_VOLTAGE"
        return None, "" if outside else error.message, error.message if outside else ""


def _upward(
    plan: NetworkPlan, duties: Mapping[str, Duty], basis: ConductorBasis, series: Series
) -> list[tuple[int, list[PlannedCircuit]]]:
    """Return the numbered sorts of circuits from the racks up.

    No device is smaller than one that it feeds, which is therefore chosen before. Circuits of one
    sort are built alike, for the heaviest of them.
    """
    sorts: dict[tuple[object, ...], list[PlannedCircuit]] = {}
    for circuit in plan.circuits.values():
        target = circuit.target
        if target in plan.network.index:
            target = plan.network[target].kind
        unstated = circuit.stage == "branch" and circuit.breaker_a is None
        size = round(rounded(duties[circuit.tag].worst_a)) if unstated else 0
        sort = (
            circuit.stage,
            plan.network[circuit.source].kind,
            target.rstrip("-0123456789"),
            circuit.voltage_v,
            circuit.poles,
            circuit.neutral,
            circuit.breaker_a,
            circuit.runs,
            circuit.motors is None,
            circuit_length(circuit, plan, basis),
            size,
        )
        sorts.setdefault(sort, []).append(circuit)
    return sorted(enumerate(sorts.values()), key=lambda one: -series.level(one[1][0].source))


def _least_device(
    series: Series,
    members: Sequence[PlannedCircuit],
    device_a: Mapping[str, float],
    plan: NetworkPlan,
    criteria: Criteria,
) -> Need:
    """Return the least rating that circuits of a sort have beside that of their load [A], and why.

    That of the largest single device downstream, and behind an MV/LV transformer the standard
    rating up to its rated current. A transformer that the project states may permit less.
    """
    needs = [series.least_device(one, device_a) for one in members]
    least_a, why = needs[first_largest([need[0] for need in needs])]
    code = criteria.code, criteria.edition
    for one in members:
        source = plan.network[one.source]
        if source.kind == "transformer" and one.stage != "mv":
            whole_a = largest_standard(rated_current(source, one.runs), *code)
            if whole_a > least_a:
                least_a, why = whole_a, f"by the rated current of {source.tag}"
            primary_v = plan.network[source.links[0].source].voltage_v
            most_a, _ = largest_main(source, one.runs, primary_v, *code)
            least_a = min(least_a, largest_standard(most_a, *code))
    return least_a, why


def _demand(
    circuit: PlannedCircuit,
    duty: Duty,
    plan: NetworkPlan,
    length_m: float,
    basis: ConductorBasis,
    listed_100: bool,
    sharing: int,
    nec: bool,
) -> CircuitDemand:
    """Return what a circuit asks of its conductors; `sharing` circuits share its way.

    The grounded conductor of a service of the NEC runs to its disconnect, load on it or not.

    All that carries the current of the racks, on the bypasses too, counts as nonlinear: its
    neutral is not reduced.
    """
    behind_transformer = plan.network[circuit.source].kind in ("pdu", "transformer")
    secondary = circuit.stage in ("feeder", "set") and behind_transformer
    v_ln = circuit.voltage_v / 3.0**0.5
    counted: Neutral = "counted" if basis.neutral_counted else "not counted"
    service = circuit.stage == "service" and nec
    grounded_only = service and not circuit.neutral
    return CircuitDemand(
        continuous_a=duty.worst_a,
        other_a=0.0,
        poles=3 if circuit.poles == 3 else 2 if circuit.poles == 2 else 1,
        voltage_v=v_ln if circuit.poles == 1 else circuit.voltage_v,
        v_ln=v_ln,
        neutral="not counted" if grounded_only else counted if circuit.neutral else "none",
        length_m=length_m,
        power_factor=min(1.0, duty.power_factor),
        nonlinear=circuit.stage != "mechanical",
        listed_100=listed_100,
        location="transformer secondary" if secondary else _LOCATIONS.get(circuit.stage, "feeder"),
        neutral_a=0.0 if grounded_only else None,
        ocpd_a=circuit.breaker_a,
        grouped_circuits=sharing if circuit.stage == "mv" else _grouped(basis, sharing, nec),
        grouped_stated=basis.grouped_circuits or 1,
        groups_split=basis.grouped_circuits is None,
        least_ampacity_a=_LEAST_SERVICE_A if service else 0.0,
        third_harmonic=circuit.third_harmonic,
    )


def _grouped(basis: ConductorBasis, sharing: int, nec: bool) -> int:
    """Return how many circuits share a way; a raceway (NEC) has equal ones, as far as there are."""
    stated = basis.grouped_circuits
    return sharing if stated is None else min(stated, sharing) if nec else stated


def _link(feeder: Feeder, choice: ConductorChoice) -> Link:
    """Return impedance of all runs, and rating of those on duty, of conductors or device.

    Raises ``CONDUCTOR_IMPEDANCE`` for a size that no impedance table has.
    """
    resistance_ohm, reactance_ohm = choice.group_resistance_ohm, choice.group_reactance_ohm
    if resistance_ohm is None or reactance_ohm is None:
        raise FacilityError(
            "CONDUCTOR_IMPEDANCE",
            feeder.circuit.tag,
            f"{choice.label} is in no table of impedances.",
            "Use another size.",
        )
    runs, on_duty = feeder.circuit.runs, feeder.circuit.duty_runs
    return Link(
        source=feeder.circuit.source,
        circuit=feeder.circuit.tag,
        resistance_ohm=resistance_ohm / runs,
        reactance_ohm=reactance_ohm / runs,
        rating_a=on_duty * min(choice.ampacity_a, choice.ocpd_a),
    )


def _checks(feeders: Sequence[Feeder], criteria: Criteria) -> tuple[Check, ...]:
    """Return the checks of each sort of circuit once, by the name of the heaviest of them."""
    found: list[Check] = []
    count = Counter(feeder.alike for feeder in feeders)
    for feeder in feeders:
        if feeder.circuit.tag != feeder.heaviest:
            continue
        others = count[feeder.alike] - 1
        subject = f"{feeder.heaviest} and {others} alike" if others else feeder.heaviest
        if feeder.choice is not None:
            given = feeder.circuit.breaker_given
            found += terminal_checks(subject, feeder.circuit, feeder.choice, criteria)
            found += [_named(check, subject, given) for check in feeder.choice.checks]
        elif feeder.refused:
            rule = "MV-CABLE" if feeder.circuit.stage == "mv" else "CIRCUIT-TOO-LARGE"
            found.append(RULES[rule].verdict(subject, False, feeder.refused))
        elif feeder.untabulated:
            found.append(RULES["MV-CABLE"].not_evaluated(subject, feeder.untabulated))
    return tuple(found)


def most_ahead(feeders: Iterable[Feeder], available_a: Mapping[str, float]) -> dict[int, float]:
    """Return the highest current that circuits of each sort begin at, by the number of the sort.

    Left out where that of one of them is not known.

    available_a: Fault current by tag of the equipment, where known [A].
    """
    sources: dict[int, set[str]] = {}
    for one in feeders:
        sources.setdefault(one.alike, set()).add(one.circuit.source)
    return {
        sort: max(available_a[tag] for tag in tags)
        for sort, tags in sources.items()
        if tags <= available_a.keys()
    }


def _named(check: Check, subject: str, given: bool) -> Check:
    """Return a check of a sort of circuits; one whose stated device is too small names its fields.

    `given` says whether the project states the device.
    """
    if given and check.failed and check.rule in _LOAD_OF_DEVICE:
        why = f"{check.why}; {STATED_BREAKER}" if check.why else STATED_BREAKER
        return replace(check, subject=subject, why=why)
    return replace(check, subject=subject)
