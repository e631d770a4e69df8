"""Branch circuits of cooling units: devices and conductors."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from facility.catalogue.articles import article
from facility.core.check import Check
from facility.core.errors import FacilityError
from facility.core.trace import SILENT
from facility.model.facility import Criteria
from facility.model.power.electrical import Electrical
from facility.physics.machines.motor_circuits import motor_conductor_current
from facility.power.feeders.iec.choice import choose_iec
from facility.power.feeders.nec.choice import choose_nec
from facility.power.feeders.nec.grounding import table_egc
from facility.power.feeders.nec.tables import wire_size
from facility.power.feeders.schedule import Feeder
from facility.power.feeders.types import CircuitDemand, ConductorChoice
from facility.power.network.build.mechanical import MechanicalBoard, UnitCircuit
from facility.power.network.build.plan import NetworkPlan
from facility.power.panels.board.motor_devices import CONDUCTOR_FACTOR
from facility.power.rules import RULES

_OF_FEEDERS = (
    "NEC-OCPD-RATING",
    "NEC-OCPD-STANDARD",
    "NEC-CONDUCTOR-PROTECTION",
    "NEC-SMALL-CONDUCTOR",
    "IEC-DESIGN-CURRENT",
    "IEC-UNVERIFIED",
)
"""Rules replaced by the motor rules, and rules already reported for the feeders."""


@dataclass(frozen=True, eq=False)
class MechanicalCircuit:
    """Circuit of each unit of one type: all units have identical circuits."""

    unit: UnitCircuit
    voltage_v: float
    conductor_a: float  # Minimum ampacity [A]
    choice: ConductorChoice | None  # None if nothing fits
    egc: str  # Equipment grounding (protective) conductor for the unit device
    device_words: str  # Type of the device
    articles: str
    refused: str = ""  # Why nothing fits

    @property
    def loss_w(self) -> float:
        """Loss of all circuits at the design hour, shared by the loaded units [W]."""
        units, choice = self.unit.units, self.choice
        if choice is None or choice.group_resistance_ohm is None or not units.duty:
            return 0.0
        each_a = self.unit.current_a * units.hour_w / (units.duty * units.rated_w)
        return units.duty * 3.0 * each_a**2 * choice.group_resistance_ohm


@dataclass(frozen=True, eq=False)
class MechanicalSchedule:
    """Mechanical boards, their unit circuits, and checks."""

    boards: tuple[MechanicalBoard, ...]
    circuits: tuple[MechanicalCircuit, ...]
    checks: tuple[Check, ...]


def mechanical_schedule(
    plan: NetworkPlan,
    feeders: Sequence[Feeder],
    bases: Electrical,
    criteria: Criteria,
    fault_a: Mapping[str, float],
) -> MechanicalSchedule:
    """Return device and conductors of the circuit of every cooling unit.

    feeders: All circuits, including mechanical-board feeders.
    fault_a: Maximum fault current by equipment tag, if known [A]; a mechanical board has the value
        of its sources.

    A check rejects circuits for which nothing fits.
    """
    boards = plan.boards
    feeder_of = {f.circuit.target: f for f in feeders if f.circuit.motors is not None}
    found: dict[str, MechanicalCircuit] = {}
    for board in boards:
        for unit, _ in board.units:
            tag = unit.units.tag
            if tag not in found and board.load in feeder_of:
                known = [fault_a.get(source) for source in _sources(boards, tag)]
                max_a = None if None in known else max(a for a in known if a is not None)
                demand = _demand(unit, feeder_of[board.load], bases, max_a, criteria.code)
                nec = criteria.code == "NEC"
                choose: Callable[..., ConductorChoice] = choose_nec if nec else choose_iec
                choice, egc, refused = None, "", ""
                try:
                    choice = choose(demand, bases.conductors, criteria, SILENT, unit.units.tag)
                    egc = _egc(unit, choice, criteria) if nec else choice.egc_size
                except FacilityError as error:
                    if error.exit_code != 4:
                        raise
                    refused = error.message
                found[tag] = MechanicalCircuit(
                    unit,
                    demand.voltage_v,
                    max(demand.min_ampacity_a, demand.load_a),
                    choice,
                    egc,
                    _device_words(unit, criteria),
                    _articles(unit, criteria),
                    refused,
                )
    circuits = tuple(found.values())
    checks = (*_unit_checks(circuits, criteria), *_feeder_checks(feeders, criteria))
    return MechanicalSchedule(boards, circuits, checks)


def _sources(boards: Sequence[MechanicalBoard], tag: str) -> list[str]:
    """Return the source boards of the mechanical boards with units of a type."""
    on = (b for b in boards if any(unit.units.tag == tag for unit, _ in b.units))
    return list(dict.fromkeys(source for board in on for source in board.sources))


def _demand(
    unit: UnitCircuit, feeder: Feeder, bases: Electrical, fault_a: float | None, code: str
) -> CircuitDemand:
    nec, current_a, voltage_v = code == "NEC", unit.current_a, feeder.circuit.voltage_v
    conductor_a = float(motor_conductor_current.si(current_a, 0.0, CONDUCTOR_FACTOR))
    return CircuitDemand(
        continuous_a=current_a,
        other_a=0.0,
        poles=3,
        voltage_v=voltage_v,
        v_ln=voltage_v / 3.0**0.5,
        neutral="none",
        length_m=bases.conductors.unit_length_m,
        power_factor=feeder.power_factor,
        location="branch",
        # A compressor circuit device may exceed the ampacity of its conductors, which its overload
        # protection covers, 240.4(G).
        ocpd_a=None if nec else unit.device.rating_a,
        min_ampacity_a=conductor_a if nec else 0.0,
        fault_a=fault_a,
        clearing=bases.faults.clearing,
    )


def _egc(unit: UnitCircuit, choice: ConductorChoice, criteria: Criteria) -> str:
    """Return the grounding conductor for the unit device; at most the line size."""
    if choice.is_busway or not choice.egc_size:
        return choice.egc_size
    by_device = table_egc(unit.device.rating_a, choice.material, criteria.edition, unit.units.tag)
    line, chosen = wire_size(choice.size), wire_size(choice.egc_size)
    needed = min(by_device, line, key=lambda size: size.rank)
    return max(needed, chosen, key=lambda size: size.rank).name


def _device_words(unit: UnitCircuit, criteria: Criteria) -> str:
    name = "inverse-time breaker" if criteria.code == "NEC" else "circuit-breaker"
    if unit.units.drive == "compressor":
        return f"{name}, starts the compressor"
    return f"{name}, upstream of the drive"


def _articles(unit: UnitCircuit, criteria: Criteria) -> str:
    if criteria.code != "NEC":
        return "IEC 60364-4-43, 433.1: Ib <= In <= Iz"
    kind = "compressor" if unit.units.drive == "compressor" else "drive"
    found = [article(f"{kind} {what}", criteria.edition) for what in ("conductors", "device")]
    return ", ".join(one.locator for one in found)


def _unit_checks(circuits: Sequence[MechanicalCircuit], criteria: Criteria) -> Iterator[Check]:
    for one in circuits:
        units, device = one.unit.units, one.unit.device
        subject = f"{units.tag}, {units.installed} circuits of {units.name}"
        if one.choice is None:
            yield RULES["CIRCUIT-TOO-LARGE"].verdict(subject, False, one.refused)
            continue
        yield from (c for c in one.choice.checks if c.rule not in _OF_FEEDERS)
        if criteria.code != "NEC":
            continue
        kind = "compressor" if units.drive == "compressor" else "drive"
        by = article(f"{kind} device", criteria.edition)
        yield (
            RULES["MOTOR-DEVICE"]
            .by(by)
            .at_most(
                subject,
                device.rating_a,
                device.max_a,
                "current",
                f"{one.unit.current_a:,.1f} A each",
            )
        )
        by = article(f"{kind} conductors", criteria.edition)
        yield (
            RULES["MOTOR-CONDUCTOR"]
            .by(by)
            .at_least(subject, one.choice.ampacity_a, one.conductor_a, "current", one.choice.label)
        )


def _feeder_checks(feeders: Sequence[Feeder], criteria: Criteria) -> Iterator[Check]:
    """Yield the feeder device check of each mechanical-board type."""
    if criteria.code != "NEC":
        return
    rule = RULES["MOTOR-FEEDER-DEVICE"].by(article("motor feeder device", criteria.edition))
    for one in feeders:
        motors, choice = one.circuit.motors, one.choice
        if motors is None or choice is None or one.circuit.tag != one.heaviest:
            continue
        why = (
            f"{motors.device.max_a:,.0f} A, the largest permitted branch-circuit rating, and"
            f" {motors.rest_a:,.0f} A of other motors; conductor ampacity"
            f" {choice.ampacity_a:,.0f} A"
        )
        limit_a = max(motors.max_device_a, choice.ampacity_a)
        yield rule.at_most(one.circuit.tag, choice.ocpd_a, limit_a, "current", why)
