"""Feeder schedule: conductors and overcurrent device of every circuit of the network."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from facility.core.check import Check
from facility.core.errors import FacilityError
from facility.core.rounding import argmax_within_rounding, reaches, rounded, within
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
_MIN_SERVICE_A = 60.0
"""Minimum rating of a service disconnect except dwellings and small loads, NEC 230.79(D)."""

TIGHT = 0.5
"""Share of the permitted voltage drop where it would overload a given device downstream."""

Choose = Callable[..., ConductorChoice]


@dataclass(frozen=True)
class Seen:
    """Results of a previous conductor selection."""

    needs: Mapping[str, Need] = field(default_factory=dict)  # By `overloaded_runs`
    # Circuits with half the permitted voltage drop: their downstream voltage overloads a device
    # that is selected elsewhere.
    tight: frozenset[str] = frozenset()
    # Voltage drop, as a fraction, of circuits whose conductor loss must be lower, by tag.
    drops: Mapping[str, float] = field(default_factory=dict)
    # Maximum fault current, and maximum earth-fault current, by equipment tag [A].
    fault_a: Mapping[str, float] = field(default_factory=dict)
    earth_fault_a: Mapping[str, float] = field(default_factory=dict)
    # Time constant of the DC offset by equipment tag, if it counts (IEC) [s].
    offset_s: Mapping[str, float] = field(default_factory=dict)
    # Largest earth-fault loop impedance by equipment tag [ohm]; None if unknown.
    loop_ohm: Mapping[str, float | None] = field(default_factory=dict)
    trip_multiple: float | None = None  # For final circuits (IEC), if specified
    clearing: Clearing = field(default_factory=Clearing)  # Clearing times of the devices

    def of_all(
        self, demand: CircuitDemand, members: Sequence[PlannedCircuit], criteria: Criteria
    ) -> CircuitDemand:
        """Return the demand with all results of the circuits of a group.

        Half of the drop is permitted if one circuit has tight limits. The ampacity is the current
        in the network; the panel device is large enough: its factor applies to the current at
        nominal voltage.
        """
        if any(m.tag in self.tight for m in members):
            demand = replace(demand, drop_limit=TIGHT * demand.drop_allowed(criteria))
        drops = [self.drops[m.tag] for m in members if m.tag in self.drops]
        if drops:
            drop_limit = min(*drops, demand.drop_allowed(criteria))
            demand = replace(demand, drop_limit=drop_limit)
        carried = [self.needs[m.tag][0] for m in members if self.too_thin(m)]
        min_a = max([demand.min_ampacity_a, *carried])
        return self._of_fault(replace(demand, min_ampacity_a=min_a), members)

    def of_devices(self, plan: NetworkPlan) -> Mapping[str, Need]:
        """Return the required currents that also apply to devices."""
        return {t: need for t, need in self.needs.items() if not self.too_thin(plan.circuits[t])}

    def too_thin(self, circuit: PlannedCircuit) -> bool:
        """Return whether its conductors were overloaded while its panel device was not."""
        device_a, need = circuit.breaker_a, self.needs.get(circuit.tag)
        return need is not None and device_a is not None and within(need[0], device_a)

    def _of_fault(self, demand: CircuitDemand, members: Sequence[PlannedCircuit]) -> CircuitDemand:
        """Return the demand with the maximum supply-end fault current of the circuit group.

        The device of a circuit from a source or a transformer is at its load end: the upstream
        device is on the other side of the transformer, or at the utility, with unknown rating.
        """
        stage, clearing = members[0].stage, self.clearing
        if stage in DEVICE_AT_END or demand.location == "transformer secondary":
            clearing = Clearing(clearing.other_s)
        sources = {m.source for m in members}
        offset_s = max((self.offset_s.get(source, 0.0) for source in sources), default=0.0)
        clearing = replace(clearing, offset_s=offset_s)
        max_a, earth_a = (
            max((by_tag[s] for s in sources & by_tag.keys() if stage != "service"), default=None)
            for by_tag in (self.fault_a, self.earth_fault_a)
        )
        found = replace(demand, fault_a=max_a, earth_fault_a=earth_a, clearing=clearing)
        if stage != "branch" or self.trip_multiple is None:
            return found
        loops = [self.loop_ohm.get(source) for source in sources]
        known = [loop for loop in loops if loop is not None]
        max_ohm = max(known) if len(known) == len(loops) else None
        return replace(found, loop_ohm=max_ohm, trip_multiple=self.trip_multiple)


_NOTHING_SEEN = Seen()


@dataclass(frozen=True)
class Feeder:
    """Network circuit with its load and conductors; represents several identical runs."""

    circuit: PlannedCircuit  # Route of the circuit
    normal_a: float  # Largest line current with all in service [A]
    worst_a: float  # Design current [A]: see `circuit_duties`
    worst_state: str  # Governing state or rating
    power_factor: float  # Power factor of the load in the worst state
    length_m: float | None  # One-way length [m]; None where no stage length is known
    # None for a circuit without load, rejected, or at a voltage outside the tables.
    choice: ConductorChoice | None
    group: int  # Number of the circuit group; circuits of a group are identical
    heaviest: str  # Tag of the governing circuit of the group
    refused: str = ""  # Why no conductors or device fit; empty if they do
    # Clearing time of the upstream device at the maximum fault current, and at a current that may
    # be below its instantaneous trip [s]; None if unknown.
    clearing_s: float | None = None
    below_trip_s: float | None = None
    clearing: Clearing = field(default_factory=Clearing)  # Further data of that device
    # Why its device is larger than required by its load; empty if it is not.
    series: str = ""
    # Current without the continuous-load factor: motors except the largest [A]
    other_a: float = 0.0
    untabulated: str = ""  # Why no ampacity table covers its voltage; empty if one does
    trip: TripUnit | None = None  # Trip functions of its device; None if none

    @property
    def sized_by(self) -> str:
        """Governing state or rating, and why the device is larger."""
        return f"{self.worst_state}; device{self.series}" if self.series else self.worst_state


@dataclass(frozen=True, eq=False)
class FeederSet:
    """Every circuit of the network, in the order of the plan."""

    feeders: tuple[Feeder, ...]  # All circuits
    links: Mapping[str, Link]  # Impedance and rating by circuit tag, for the network
    checks: tuple[Check, ...]  # One of each rule and circuit group

    def with_trip_units(self, trips: Mapping[str, TripUnit]) -> FeederSet:
        """Return the circuits with the trip units of their devices, by tag."""
        feeders = tuple(replace(f, trip=trips.get(f.circuit.tag)) for f in self.feeders)
        return replace(self, feeders=feeders)

    @property
    def device_a(self) -> dict[str, float]:
        """Rating of the overcurrent device of each circuit that has one, by tag [A].

        Medium-voltage circuits have relays instead: `pickup_a`.
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
        """Design load of each circuit as text, by tag."""
        return {f.circuit.tag: f"{f.worst_a:,.0f} A: {f.worst_state}" for f in self.feeders}


def size_feeders(  # noqa: PLR0913 - each from another study
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

    outages: All states for circuit sizing, the normal one first.
    basis: Material, insulation, lengths.
    listed_100: Whether assemblies and devices are listed for 100 % continuous load.
    panels: Panels, for their states with a rack supply lost.
    seen: Results of the previous conductor selection.

    Circuits without a fitting device or conductor have none, no impedance, and a VIOLATION.

    Raises errors for project values outside the tables, e.g. ``UNKNOWN_SIZE``.
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
        heaviest = members[argmax_within_rounding([duties[one.tag].worst_a for one in members])]
        duty, id = duties[heaviest.tag], f"feeder.{heaviest.tag}"
        length_m = circuit_length(heaviest, plan, basis)
        choice, refused, follows, untabulated = None, "", "", ""
        clearing, other_a, relayed = seen.clearing, 0.0, heaviest.stage == "mv"
        if length_m is not None and duty.worst_a > 0.0:
            max_sharing = max(sharing[m.source, m.stage] for m in members)
            bare = _demand(heaviest, duty, plan, length_m, basis, listed_100, max_sharing, nec)
            min_device = _min_device(series, members, device_a, plan, criteria)
            bare = at_terminals(replace(bare, min_device=min_device), heaviest, criteria, trace, id)
            demand = with_motors(seen.of_all(bare, members, criteria), members, criteria)
            because = f"largest of network load, downstream panel and unit fed: {duty.because}"
            if any(one.tag in seen.drops for one in members):
                because += "; conductors larger, for the losses assumed in the design"
            trace.derive(f"{id}.continuous", demand.continuous_a, "current", because)
            clearing, other_a = demand.clearing, demand.other_a
            by = choose_mv if relayed else choose
            choice, refused, untabulated = _attempt(by, demand, basis, criteria, trace, id)
            if choice is not None and not relayed:
                # Why the device is larger than required by its load; empty if it is not
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
    """Return a choice, or the reason for none: no suitable cable, or no table for the voltage."""
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
    """Return the numbered circuit groups from the racks upstream.

    No device is smaller than a downstream device, which is therefore selected first. Circuits of
    one group are identical, sized for the most loaded.
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


def _min_device(
    series: Series,
    members: Sequence[PlannedCircuit],
    device_a: Mapping[str, float],
    plan: NetworkPlan,
    criteria: Criteria,
) -> Need:
    """Return the minimum device rating of a circuit group besides its load [A], and why.

    The largest single downstream device, and downstream of an MV/LV transformer the standard rating
    up to its rated current. A transformer specified in the project may permit less.
    """
    needs = [series.min_device(one, device_a) for one in members]
    min_a, why = needs[argmax_within_rounding([need[0] for need in needs])]
    code = criteria.code, criteria.edition
    for one in members:
        source = plan.network[one.source]
        if source.kind == "transformer" and one.stage != "mv":
            whole_a = largest_standard(rated_current(source, one.runs), *code)
            if whole_a > min_a:
                min_a, why = whole_a, f"by the rated current of {source.tag}"
            primary_v = plan.network[source.links[0].source].voltage_v
            max_a, _ = largest_main(source, one.runs, primary_v, *code)
            min_a = min(min_a, largest_standard(max_a, *code))
    return min_a, why


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
    """Return the conductor demand of a circuit; `sharing` circuits share its route.

    The grounded conductor of an NEC service runs to its disconnect, with or without load.

    Circuits with rack current, bypasses included, count as nonlinear: their neutral is not
    reduced.
    """
    downstream_transformer = plan.network[circuit.source].kind in ("pdu", "transformer")
    secondary = circuit.stage in ("feeder", "set") and downstream_transformer
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
        min_ampacity_a=_MIN_SERVICE_A if service else 0.0,
        third_harmonic=circuit.third_harmonic,
    )


def _grouped(basis: ConductorBasis, sharing: int, nec: bool) -> int:
    """Return the circuits on a route; a raceway (NEC) has identical circuits if possible."""
    stated = basis.grouped_circuits
    return sharing if stated is None else min(stated, sharing) if nec else stated


def _link(feeder: Feeder, choice: ConductorChoice) -> Link:
    """Return impedance of all runs, and rating of the duty runs, of conductors or device.

    Raises ``CONDUCTOR_IMPEDANCE`` for a size without a tabulated impedance.
    """
    resistance_ohm, reactance_ohm = choice.group_resistance_ohm, choice.group_reactance_ohm
    if resistance_ohm is None or reactance_ohm is None:
        raise FacilityError(
            "CONDUCTOR_IMPEDANCE",
            feeder.circuit.tag,
            f"{choice.label} has no impedance in the tables.",
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
    """Return the checks of each circuit group once, with the most loaded circuit as subject."""
    found: list[Check] = []
    count = Counter(feeder.group for feeder in feeders)
    for feeder in feeders:
        if feeder.circuit.tag != feeder.heaviest:
            continue
        others = count[feeder.group] - 1
        subject = f"{feeder.heaviest} and {others} similar" if others else feeder.heaviest
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


def max_upstream_fault(
    feeders: Iterable[Feeder], available_a: Mapping[str, float]
) -> dict[int, float]:
    """Return the maximum supply-end fault current of each circuit group, by its number.

    Omitted if unknown for one of its circuits.

    available_a: Fault current by equipment tag, if known [A].
    """
    sources: dict[int, set[str]] = {}
    for one in feeders:
        sources.setdefault(one.group, set()).add(one.circuit.source)
    return {
        sort: max(available_a[tag] for tag in tags)
        for sort, tags in sources.items()
        if tags <= available_a.keys()
    }


def _named(check: Check, subject: str, given: bool) -> Check:
    """Return a check of a circuit group; a too small specified device includes its fields.

    `given`: whether the project specifies the device.
    """
    if given and check.failed and check.rule in _LOAD_OF_DEVICE:
        why = f"{check.why}; {STATED_BREAKER}" if check.why else STATED_BREAKER
        return replace(check, subject=subject, why=why)
    return replace(check, subject=subject)
