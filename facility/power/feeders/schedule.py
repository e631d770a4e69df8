"""The feeder schedule: conductors and overcurrent device of every circuit of the network."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from facility.core.check import Check
from facility.core.errors import FacilityError
from facility.core.rounding import first_largest, rounded, within
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
from facility.power.feeders.iec.choice import choose_iec
from facility.power.feeders.nec.choice import choose_nec
from facility.power.feeders.types import CircuitDemand, ConductorChoice, Location, Neutral
from facility.power.network.build.plan import NetworkPlan, PlannedCircuit
from facility.power.network.graph.types import Link, Network, Outage
from facility.power.panels.board.model import STATED_BREAKER
from facility.power.panels.design.halls import PanelSet
from facility.power.rules import RULES

_LOAD_OF_DEVICE = ("NEC-OCPD-RATING", "IEC-DESIGN-CURRENT")

_LOCATIONS: Mapping[str, Location] = {
    "generator": "generator",
    "transformer": "transformer secondary",
    "branch": "branch",
    "service": "service",
}
DEVICE_AT_END = ("service", "transformer", "generator", "board")
"""Stages whose device stands at the end of the circuit."""

_LEAST_SERVICE_A = 60.0
"""Least rating of a service disconnect of other than dwellings and small loads, NEC 230.79(D)."""

_TIGHT = 0.5
_BUSES = ("lv-board", "ats", "sts", "panel")

Choose = Callable[..., ConductorChoice]


@dataclass(frozen=True)
class Seen:
    """What conductors chosen before showed."""

    needs: Mapping[str, Need] = field(default_factory=dict)  # By `overloaded_runs`
    # Circuits that may drop half of what they are allowed: the voltage behind them overloads a
    # device that is not theirs to choose.
    tight: frozenset[str] = frozenset()
    # Highest fault current, and highest earth-fault current, by tag of the equipment [A].
    fault_a: Mapping[str, float] = field(default_factory=dict)
    earth_fault_a: Mapping[str, float] = field(default_factory=dict)
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
        carried = [self.needs[m.tag][0] for m in members if self.too_thin(m)]
        least_a = max(carried, default=demand.least_ampacity_a)
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
    choice: ConductorChoice | None  # None for a circuit that no table covers (medium voltage)
    alike: int  # Number of the sort of circuit; circuits of one sort are built alike
    heaviest: str  # Tag of the circuit of the sort that decides
    refused: str = ""  # Why no conductors or device fit; empty where they do
    # Clearing time of the device ahead of its conductors at the highest fault current, and where
    # the current may be below its instantaneous trip [s]; None where not known.
    clearing_s: float | None = None
    below_trip_s: float | None = None


@dataclass(frozen=True, eq=False)
class FeederSet:
    """Every circuit of the network, in the order of the plan."""

    feeders: tuple[Feeder, ...]  # All circuits
    links: Mapping[str, Link]  # Impedance and rating by circuit tag, for the network
    checks: tuple[Check, ...]  # One of each rule and sort of circuit


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
    sharing = _sharing(plan)
    sorts: dict[tuple[object, ...], list[PlannedCircuit]] = {}
    for circuit in plan.circuits.values():
        sort = _sort(circuit, duties[circuit.tag], plan, basis)
        sorts.setdefault(sort, []).append(circuit)
    feeders: dict[str, Feeder] = {}
    for number, members in enumerate(sorts.values()):
        heaviest = members[first_largest([duties[one.tag].worst_a for one in members])]
        duty, id = duties[heaviest.tag], f"feeder.{heaviest.tag}"
        length_m = _length(heaviest, plan, basis)
        choice, refused, times_s = None, "", seen.clearing.times_s(None)
        if heaviest.stage != "mv" and length_m is not None and duty.worst_a > 0.0:
            most = max(sharing[m.source, m.stage] for m in members)
            bare = _demand(heaviest, duty, plan, length_m, basis, listed_100, most, nec)
            demand = seen.of_all(bare, members, criteria)
            because = f"largest of network, panel below and unit fed: {duty.because}"
            trace.derive(f"{id}.continuous", duty.worst_a, "current", because)
            try:
                choice = choose(demand, basis, criteria, trace, id)
                times_s = demand.clearing.times_s(choice.ocpd_a)
            except FacilityError as error:
                if error.exit_code != 4:
                    raise
                refused = error.message
        for one in members:
            own = duties[one.tag]
            feeders[one.tag] = Feeder(
                one, own.normal_a, own.worst_a, own.because, own.power_factor, length_m, choice,
                number, heaviest.tag, refused, *times_s,
            )  # fmt: skip
    found = tuple(feeders[tag] for tag in plan.circuits)
    links = {f.circuit.tag: _link(f, f.choice) for f in found if f.choice}
    return FeederSet(found, links, _checks(found))


def _sort(
    circuit: PlannedCircuit, duty: Duty, plan: NetworkPlan, basis: ConductorBasis
) -> tuple[object, ...]:
    """Return what circuits must share to be built alike, for the heaviest of them."""
    target = circuit.target
    if target in plan.network.index:
        target = plan.network[target].kind
    unstated = circuit.stage == "branch" and circuit.breaker_a is None
    size = round(rounded(duty.worst_a)) if unstated else 0
    return (
        circuit.stage,
        plan.network[circuit.source].kind,
        target.rstrip("-0123456789"),
        circuit.voltage_v,
        circuit.poles,
        circuit.neutral,
        circuit.breaker_a,
        circuit.runs,
        _length(circuit, plan, basis),
        size,
    )


def _length(circuit: PlannedCircuit, plan: NetworkPlan, basis: ConductorBasis) -> float | None:
    if circuit.stage == "branch":
        return circuit.length_m if basis.branch_length_m is None else basis.branch_length_m
    behind_pdu = plan.network[circuit.source].kind == "pdu"
    lengths = {
        "transformer": basis.transformer_length_m,
        "generator": basis.generator_length_m,
        "board": basis.transformer_length_m,
        "service": basis.transformer_length_m,
        "ups-input": basis.ups_length_m,
        "bypass": basis.ups_length_m,
        "pdu": basis.feeder_length_m,
        "feeder": basis.panel_length_m if behind_pdu else basis.feeder_length_m,
        "mechanical": basis.mechanical_length_m,
    }
    return lengths.get(circuit.stage)


def _sharing(plan: NetworkPlan) -> Counter[tuple[str, str]]:
    """Return how many circuits of each stage leave each board, every run counted."""
    found: Counter[tuple[str, str]] = Counter()
    for circuit in plan.circuits.values():
        found[circuit.source, circuit.stage] += circuit.runs
    return found


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
    secondary = circuit.stage == "feeder" and plan.network[circuit.source].kind == "pdu"
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
        grouped_circuits=_grouped(basis, sharing, nec),
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
    """Return impedance and rating of all runs: of the conductors or of the device, the lesser.

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
    runs = feeder.circuit.runs
    return Link(
        source=feeder.circuit.source,
        circuit=feeder.circuit.tag,
        resistance_ohm=resistance_ohm / runs,
        reactance_ohm=reactance_ohm / runs,
        rating_a=runs * min(choice.ampacity_a, choice.ocpd_a),
    )


def _checks(feeders: Sequence[Feeder]) -> tuple[Check, ...]:
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
            found += [_named(check, subject, given) for check in feeder.choice.checks]
        elif feeder.refused:
            found.append(RULES["CIRCUIT-TOO-LARGE"].verdict(subject, False, feeder.refused))
        elif feeder.circuit.stage == "mv":
            found.append(
                RULES["CIRCUIT-CONDUCTORS"].not_evaluated(
                    subject, "no sourced ampacity table of MV cable is held"
                )
            )
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


def series_checks(feeders: Sequence[Feeder], network: Network) -> Iterator[Check]:
    """Yield, for each kind of board and switch, the largest device behind a smaller one ahead.

    The smallest of the ways into a board counts; a way without a circuit of its own, from a
    transfer switch to its board, passes on what is ahead of the switch.
    """
    device = {f.circuit.tag: f.choice.ocpd_a for f in feeders if f.choice is not None}
    duty = {f.circuit.tag: f"{f.worst_a:,.0f} A: {f.worst_state}" for f in feeders}

    def ahead(tag: str) -> list[tuple[float, str]]:
        found = []
        for link in network[tag].links:
            if link.circuit in device:
                found.append((device[link.circuit], link.circuit))
            elif not link.circuit:
                found += ahead(link.source)
        return found

    worst: dict[str, tuple[float, float, str, str]] = {}
    for feeder in feeders:
        kind, tag = network[feeder.circuit.source].kind, feeder.circuit.tag
        if kind not in _BUSES or tag not in device:
            continue
        for ahead_a, name in ahead(feeder.circuit.source):
            ratio = device[tag] / ahead_a
            if kind not in worst or not within(ratio, worst[kind][0]):
                worst[kind] = ratio, ahead_a, tag, name
    for place, (_, ahead_a, tag, name) in worst.items():
        why = (
            f"{device[tag]:,.0f} A ({duty[tag]}) behind {ahead_a:,.0f} A of {name} ({duty[name]});"
            f" the most of all {place}s"
        )
        yield RULES["DEVICE-SERIES"].at_most(tag, device[tag], ahead_a, "current", why)
