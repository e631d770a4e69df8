"""Candidate conductors and conduit of a circuit under the NEC."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from facility.core.rounding import reaches, within
from facility.model.power.conductors import ConductorBasis
from facility.physics.circuits.conductors import conduit_fill, withstand_current
from facility.power.feeders.drop import Drop, drop_along
from facility.power.feeders.let_through import Protection, protection
from facility.power.feeders.nec.ampacity import (
    Derating,
    ampacities,
    largest_ocpd,
    next_size_up_allowed,
)
from facility.power.feeders.nec.grounding import bonding_jumper, installed_egc, table_egc
from facility.power.feeders.nec.steps import QUIET, CircuitSteps
from facility.power.feeders.nec.tables import (
    TABLE_HZ,
    WireSize,
    conduits,
    impedance_per_metre,
    insulated_area,
    small_conductor_limit,
    wire_sizes,
)
from facility.power.feeders.types import CircuitDemand

_LIMITS = {1: 0.53, 2: 0.31}
_OVER_TWO = 0.40
_NIPPLE = 0.60


@dataclass(frozen=True)
class Raceway:
    """Conduit with its fill.

    `trade_size` is empty and `fill` None if the fit is `unknown` (with the reason); both are empty
    without a reason if no conduit of the type is large enough.
    """

    trade_size: str
    fill: float | None
    limit: float
    unknown: str = ""

    @property
    def fits(self) -> bool:
        """Whether a conduit was found, or the fit is unknown."""
        return bool(self.trade_size or self.unknown)


def fill_limit(conductors: int, nipple: bool = False) -> float:
    """Return the permitted fill of a raceway, chapter 9, table 1 and note 4."""
    return _NIPPLE if nipple else _LIMITS.get(conductors, _OVER_TWO)


def smallest_conduit(
    raceway: str, insulation: str, conductors: Mapping[str, int], nipple: bool = False
) -> Raceway:
    """Return the smallest trade size of a conduit type for a set of conductors.

    raceway: Conduit type, e.g. ``"EMT"``.
    insulation: Insulation type, also of the grounding conductor.
    conductors: Number of conductors by size.
    nipple: Whether the raceway is at most 24 in long.
    """
    limit = fill_limit(sum(conductors.values()), nipple)
    area_m2 = 0.0
    for size, count in conductors.items():
        one_m2 = insulated_area(size, insulation)
        if one_m2 is None:
            reason = f"chapter 9, table 5 (as included) has no {insulation} of size {size}"
            return Raceway("", None, limit, reason)
        area_m2 += count * one_m2
    known = conduits(raceway)
    if not known:
        return Raceway("", None, limit, f"chapter 9, table 4 (as included) has no {raceway}")
    for trade_size, inner_m2 in known:
        fill = float(conduit_fill.si(area_m2, inner_m2))
        if within(fill, limit):
            return Raceway(trade_size, fill, limit)
    return Raceway("", None, limit)


_PARALLEL_FROM = "1/0"
_NEUTRAL_FULL_TO_A = 200.0
_NEUTRAL_DEMAND = 0.7
_METAL = {"cu": (0.0297, 234.0), "al": (0.0125, 228.0)}
_THERMOPLASTIC_C, _CROSS_LINKED_C = 150.0, 250.0
WITHSTAND = "short-circuit withstand, 110.10"
"""Governing criterion of a size above the ampacity requirement."""


@dataclass(frozen=True)
class Frame:
    """Fixed data of a circuit before conductor selection.

    `required_a` is the minimum device rating for the load, `conductor_a` the minimum ampacity at
    the terminations, `drop_limit` the permitted voltage drop as a fraction.
    """

    demand: CircuitDemand
    basis: ConductorBasis
    edition: str
    required_a: float
    ocpd_a: float
    conductor_a: float
    column_c: float
    factors: Derating
    drop_limit: float
    where: str

    @property
    def by_jumper(self) -> bool:
        """Whether a supply-side bonding jumper is used: from a source to its first device."""
        return self.demand.location in ("transformer secondary", "service")

    @cached_property
    def of_fault(self) -> Protection | None:
        """Fault let-through of the device to the lines; None if the fault current is unknown."""
        demand, device_a = self.demand, self.ocpd_a
        return protection(demand.clearing, device_a, demand.fault_a, demand.v_ll)

    @cached_property
    def of_earth_fault(self) -> Protection | None:
        """Earth-fault let-through of the device to the equipment grounding conductor."""
        demand, device_a = self.demand, self.ocpd_a
        faults_a = demand.fault_a, demand.v_ll, demand.earth_fault_a
        return protection(demand.clearing, device_a, *faults_a)


@dataclass(frozen=True)
class Wires:
    """Line conductors, grounding conductor, neutral and conduit of one candidate.

    On a transformer secondary `egc` is the supply-side bonding jumper. It is None if no single
    conductor has the area required by the upsized lines.
    """

    line: WireSize
    sets: int
    egc: WireSize | None
    egc_min: WireSize
    neutral: WireSize | None
    conduit: Raceway


def candidate_ampacity(
    frame: Frame, line: WireSize, sets: int, steps: CircuitSteps = QUIET
) -> tuple[float, float]:
    """Return the ampacity at the terminations and after the factors, of all sets [A]."""
    basis = frame.basis
    return ampacities(
        line.name, sets, basis.material, basis.insulation_c, frame.column_c, frame.factors, steps
    )


def ampacity_refusal(frame: Frame, line: WireSize, sets: int) -> str:
    """Return the rule that rejects the ampacity or protection of conductors; empty if accepted."""
    at_terminal, corrected = candidate_ampacity(frame, line, sets)
    if not reaches(at_terminal, frame.conductor_a):
        return "ampacity at the terminations, 110.14(C)"
    if not reaches(corrected, max(frame.demand.load_a, frame.demand.min_ampacity_a)):
        return "ampacity after ambient and bundling"
    limit = small_conductor_limit(line.name, frame.basis.material)
    if limit is not None and frame.ocpd_a > limit:
        return "overcurrent protection of small conductors, 240.4(D)"
    allowed = next_size_up_allowed(frame.demand)
    usable = min(at_terminal, corrected)
    if not within(frame.ocpd_a, largest_ocpd(usable, allowed, frame.edition)):
        return "overcurrent protection, " + (
            "240.4(C)" if frame.ocpd_a > 800.0 else "240.4(B)" if allowed else "240.21"
        )
    return ""


def parallel_allowed(line: WireSize, sets: int) -> bool:
    """Return whether this number of parallel conductors is permitted for a size, 310.10."""
    return sets == 1 or line.rank >= wire_sizes()[_PARALLEL_FROM].rank


def build_wires(
    frame: Frame,
    line: WireSize,
    sets: int,
    minimum: tuple[WireSize, int],
    steps: CircuitSteps = QUIET,
) -> Wires:
    """Return all conductors and the conduit of one candidate.

    line, sets: Line conductor and number of sets.
    minimum: Minimum size and sets with sufficient ampacity; larger lines increase the grounding
        conductor.
    steps: Record the grounding conductor and the fill.
    """
    demand, basis = frame.demand, frame.basis
    egc_min, egc = _grounding(frame, line, sets, minimum, steps)
    neutral = None if demand.neutral == "none" else _neutral(frame, line, sets, egc_min)
    counts: dict[str, int] = {}
    groups = demand.grouped_circuits
    grounding = (egc, 1)
    for size, count in ((line, demand.poles * groups), (neutral, groups), grounding):
        if size is not None:
            counts[size.name] = counts.get(size.name, 0) + count
    conduit = smallest_conduit(basis.raceway, basis.insulation, counts, demand.nipple)
    if conduit.fill is not None:
        words = f"{basis.raceway} {conduit.trade_size} in, the smallest that fits"
        steps.choose("fill", conduit.fill, "fraction", words, "fill")
    return Wires(line, sets, egc, egc_min, neutral, conduit)


def _grounding(
    frame: Frame, line: WireSize, sets: int, minimum: tuple[WireSize, int], steps: CircuitSteps
) -> tuple[WireSize, WireSize | None]:
    """Return the minimum and the installed grounding conductor of each raceway.

    From a transformer or the utility to the first device: the supply-side bonding jumper by the
    lines of the raceway, 250.102(C); downstream: the equipment grounding conductor by the device,
    250.122.
    """
    material = frame.basis.material
    if frame.by_jumper:
        jumper = bonding_jumper(line.area_m2, material, frame.where)
        words = f"{jumper.label} in each raceway of {line.label}: bonding jumper up to"
        words += " the first device"
        area_m2, kind = jumper.area_m2, "cross_section"
        steps.choose("egc", area_m2, kind, words, "jumper", lines="conductor")
        return jumper, jumper
    egc_min = table_egc(frame.ocpd_a, material, frame.edition, frame.where)
    words = f"{egc_min.label} for {frame.ocpd_a:,g} A, Table 250.122"
    areas = (sets * line.area_m2, minimum[1] * minimum[0].area_m2)
    egc = installed_egc(egc_min, line, material, sets, *areas, steps, words)
    if egc is not None:
        egc = _egc_for_fault(frame, egc, line, sets)
        words, kind = f"{egc.label} in each raceway", "cross_section"
        of = {"least": "egc_area", "ocpd": "ocpd"}
        steps.choose("egc", egc.area_m2, kind, words, "EGC upsized", **of)
    return egc_min, egc


def _egc_for_fault(frame: Frame, egc: WireSize, line: WireSize, sets: int) -> WireSize:
    """Return the grounding conductor, or the next size up to the line that withstands the fault.

    The circuit of a generator set has no upstream device.
    """
    fault_a, found = frame.demand.earth_fault_a, frame.of_earth_fault
    of_generator = frame.demand.terminals is not None
    if fault_a is None or found is None or not found.known or of_generator:
        return egc
    for size in wire_sizes().values():
        if egc.rank <= size.rank < line.rank and _bears(frame, size, sets, fault_a, found):
            return size
    return line if line.rank > egc.rank else egc


def neutral_load(demand: CircuitDemand) -> float:
    """Return the neutral load [A], 220.61.

    The largest unbalance; in a four-wire circuit the part above 200 A counts 70 %, except for
    nonlinear load.
    """
    unbalance = demand.load_a if demand.neutral_a is None else demand.neutral_a
    if demand.nonlinear or demand.poles < 3 or unbalance <= _NEUTRAL_FULL_TO_A:
        return unbalance
    return _NEUTRAL_FULL_TO_A + _NEUTRAL_DEMAND * (unbalance - _NEUTRAL_FULL_TO_A)


def _neutral(frame: Frame, line: WireSize, sets: int, egc_min: WireSize) -> WireSize:
    """Return the neutral of one set: equal to the lines for nonlinear load and two-wire circuits.

    The neutral of a service without neutral load equals its bonding jumper, the last argument.
    """
    demand = frame.demand
    load_a = neutral_load(demand)
    if load_a > 0.0 and (demand.nonlinear or demand.poles < 3):
        return line
    for size in wire_sizes().values():
        if size.rank < egc_min.rank or not parallel_allowed(size, sets):
            continue
        if size.rank >= line.rank:
            break
        enough = reaches(min(candidate_ampacity(frame, size, sets)), load_a)
        if enough and not withstand_refusal(frame, size, sets):
            return size
    return line


def voltage_drop(
    demand: CircuitDemand,
    line: WireSize,
    sets: int,
    basis: ConductorBasis,
    steps: CircuitSteps = QUIET,
) -> Drop | None:
    """Return the voltage drop; None if chapter 9, table 9 has no row for the size.

    Resistance at 75 degC, reactance at the frequency of the site.
    """
    per_metre = impedance_per_metre(line.name, basis.material, basis.raceway)
    if per_metre is None:
        return None
    resistance_ohm, reactance_ohm = (value * demand.length_m for value in per_metre)
    reactance_ohm *= basis.reactance_factor(TABLE_HZ)
    of = steps.trace, steps.id, steps.locator("drop")
    return drop_along(demand, sets, resistance_ohm, reactance_ohm, *of)


def is_cross_linked(insulation: str) -> bool:
    """Return whether an insulation is cross-linked; otherwise it is thermoplastic."""
    return insulation.startswith(("XHHW", "MV-"))


def final_temperature(insulation: str) -> float:
    """Return the maximum short-circuit temperature of a conductor [degC]."""
    return _CROSS_LINKED_C if is_cross_linked(insulation) else _THERMOPLASTIC_C


def withstand(
    area_m2: float, clearing_s: float, material: str, insulation: str, insulation_c: float
) -> float:
    """Return the fault current that one conductor withstands [A].

    The pre-fault temperature is the temperature rating of the insulation.
    """
    final_c = final_temperature(insulation)
    return float(
        withstand_current.si(area_m2, clearing_s, insulation_c, final_c, *_METAL[material])
    )


def withstand_refusal(frame: Frame, size: WireSize, sets: int) -> str:
    """Return the withstand criterion that lines or a neutral fail; empty if they pass.

    A listed breaker protects its rated conductor.
    """
    fault_a, found = frame.demand.fault_a, frame.of_fault
    if fault_a is None or found is None or not (found.known or found.listed):
        return ""
    at_terminal, _ = candidate_ampacity(frame, size, sets)
    if found.listed and reaches(at_terminal, frame.ocpd_a):
        return ""
    return "" if _bears(frame, size, sets, fault_a, found) else WITHSTAND


def _bears(frame: Frame, size: WireSize, sets: int, fault_a: float, found: Protection) -> bool:
    """Return whether conductors withstand the fault let-through of their device, if known."""
    if found.duration_s is None:
        return True
    basis = frame.basis
    one_a = withstand(
        size.area_m2, found.duration_s, basis.material, basis.insulation, basis.insulation_c
    )
    return within(fault_a, sets * one_a)


def install_refusal(frame: Frame, wires: Wires) -> str:
    """Return the installation rule that rejects a candidate; empty if accepted."""
    if wires.egc is None:
        return "area of the equipment grounding conductor, 250.122(B)"
    if not wires.conduit.fits:
        return f"fill of the largest {frame.basis.raceway}"
    drop = voltage_drop(frame.demand, wires.line, wires.sets, frame.basis)
    if drop is None:
        return "no impedance in chapter 9, table 9"
    limit_v = frame.drop_limit * frame.demand.voltage_v
    return "voltage drop" if not within(drop.drop_v, limit_v) else ""
