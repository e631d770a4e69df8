"""NEC selection of the overcurrent device and conductors of a circuit."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from facility.catalogue.articles import article
from facility.core.errors import FacilityError
from facility.core.sources import DERIVED
from facility.core.trace import SILENT, Trace
from facility.model.facility import Criteria
from facility.model.power.conductors import ConductorBasis
from facility.physics.circuits.currents import required_rating
from facility.power.feeders.busway import choose_busway, may_be_busway
from facility.power.feeders.generator_sets import terminal_note
from facility.power.feeders.nec.ampacity import ambient_subject, derating, termination_column
from facility.power.feeders.nec.candidate import (
    WITHSTAND,
    Frame,
    Wires,
    ampacity_refusal,
    build_wires,
    candidate_ampacity,
    install_refusal,
    parallel_allowed,
    voltage_drop,
    withstand,
    withstand_refusal,
)
from facility.power.feeders.nec.checks import circuit_checks, group_check, load_articles
from facility.power.feeders.nec.steps import QUIET, CircuitSteps
from facility.power.feeders.nec.tables import (
    TABLE_HZ,
    WireSize,
    small_conductor_limit,
    table_ampacity,
    wire_size,
    wire_sizes,
)
from facility.power.feeders.types import (
    OCPD_GIVEN,
    CircuitDemand,
    ConductorChoice,
    let_through_words,
    raised_for_fault,
    series_words,
)
from facility.power.panels.board.breakers import next_breaker, standard_breakers

_MORE_SETS = 2

_BRANCH_FACTOR = 1.25


@dataclass(frozen=True)
class _Found:
    """Line conductors; the minimum for ampacity, and the basis of the grounding conductor."""

    line: WireSize
    sets: int
    minimum: tuple[WireSize, int]
    grounded_by: tuple[WireSize, int]
    governed_by: str


def choose_nec(
    demand: CircuitDemand,
    basis: ConductorBasis,
    criteria: Criteria,
    trace: Trace = SILENT,
    id: str = "",
) -> ConductorChoice:
    """Return the overcurrent device and conductors of a circuit, each with its article.

    As-built values (`demand.ocpd_a`, `size` with `sets`) are used and checked. Otherwise the
    device is the next standard rating, and the conductors are the fewest parallel sets with
    sizes up to `basis.largest_size`, then the smallest size that passes every rule: ampacity at the
    terminations and after correction, protection by the device, conduit fill, voltage drop, and
    withstand of a known fault (left to its check if no size passes). Voltage drop and fill may at
    most double the sets required for ampacity. If `basis.parallel_sets` are not sufficient, a
    three-phase circuit becomes a busway.

    demand: Load, voltage, length, and as-built values.
    basis: Metal, insulation, terminations, ambient, conduit.
    criteria: Edition, continuous factor and limits of the voltage drop.
    trace: Records the device and conductor steps below `id`.
    id: Tag of the circuit, for messages, checks and trace.

    Raises ``NO_BREAKER``, ``NO_CONDUCTOR``, ``AMBIENT_TOO_HOT`` or ``NO_GROUNDING_SIZE`` (no
    feasible solution, with the limit); ``UNKNOWN_SIZE`` for a size outside the tables.
    """
    where, steps = id or "circuit", CircuitSteps(trace, id, criteria.edition)
    there = demand.grouped_circuits
    demand, crowded = _shared(demand, basis, criteria, where)
    frame = _frame(demand, basis, criteria, where, steps)
    try:
        found = _as_built(frame) if demand.size and demand.sets else _searched(frame)
    except FacilityError as error:
        if error.code != "NO_CONDUCTOR" or not may_be_busway(demand, frame.ocpd_a):
            raise
        devices_a = frame.ocpd_a, frame.required_a
        return choose_busway(demand, basis, criteria, *devices_a, trace, where)
    choice = _choice(frame, found, steps)
    if there == 1:
        return choice
    group = group_check(where, demand, there, crowded, criteria.edition)
    return replace(choice, checks=(*choice.checks, group))


def _shared(
    demand: CircuitDemand, basis: ConductorBasis, criteria: Criteria, where: str
) -> tuple[CircuitDemand, str]:
    """Return the demand with the maximum circuits per raceway, and the limit for one more.

    Larger conductors fix neither the fill of the largest raceway nor the factor for many
    conductors.
    """
    crowded = ""
    for groups in range(1 if demand.size else demand.grouped_circuits, 1, -1):
        fewer = replace(demand, grouped_circuits=groups)
        try:
            _searched(_frame(fewer, basis, criteria, where, QUIET))
        except FacilityError as error:
            if error.code != "NO_CONDUCTOR":
                raise
            crowded = error.message
        else:
            return fewer, crowded
    return (replace(demand, grouped_circuits=1), crowded) if crowded else (demand, "")


def _frame(
    demand: CircuitDemand,
    basis: ConductorBasis,
    criteria: Criteria,
    where: str,
    steps: CircuitSteps,
) -> Frame:
    """Return the fixed data before the selection."""
    if not demand.load_a > 0.0 or min(demand.continuous_a, demand.other_a) < 0.0:
        raise FacilityError(
            "NO_LOAD",
            where,
            f"the circuit load is {demand.load_a:,g} A.",
            "Enter a load above zero.",
        )
    if not 0.0 < demand.power_factor <= 1.0 or demand.length_m < 0.0:
        raise FacilityError(
            "OUT_OF_RANGE",
            where,
            f"power factor {demand.power_factor:g}, length {demand.length_m:g} m.",
            "Enter a power factor above 0 and at most 1, and a length of at least zero.",
        )
    required_a, ocpd_a = _device(demand, criteria, where, steps)
    conductor_a = max(required_a, demand.min_ampacity_a)
    if demand.location == "branch":
        of_branch = required_rating.si(demand.continuous_a, demand.other_a, _BRANCH_FACTOR)
        conductor_a = max(conductor_a, float(of_branch))
    return Frame(
        demand,
        basis,
        criteria.edition,
        required_a,
        ocpd_a,
        conductor_a,
        termination_column(ocpd_a, basis),
        derating(demand, basis, where, steps),
        demand.drop_allowed(criteria),
        where,
    )


def _device(
    demand: CircuitDemand, criteria: Criteria, where: str, steps: CircuitSteps
) -> tuple[float, float]:
    """Return the minimum rating of the overcurrent device, and its rating [A]."""
    trace, id = steps.trace, steps.id
    for name, load_a in (("continuous", demand.continuous_a), ("other", demand.other_a)):
        if f"{id}.{name}" not in trace:
            trace.derive(f"{id}.{name}", load_a, "current", f"{name} load of each line")
    required_a = steps.do(
        "required",
        required_rating,
        "",
        continuous_a=steps.link("continuous", demand.continuous_a),
        other_a=steps.link("other", demand.other_a),
        continuous_factor=1.0 if demand.listed_100 else criteria.continuous_factor,
    )
    if demand.ocpd_a is not None:
        return required_a, trace.given(f"{id}.ocpd", demand.ocpd_a, "current", DERIVED, OCPD_GIVEN)
    min_a, standard = required_a, standard_breakers("NEC", criteria.edition)
    if demand.location == "service":
        min_a = max(required_a, demand.min_ampacity_a)
    by_load_a = next_breaker(standard, min_a, where)
    ocpd_a = next_breaker(standard, max(by_load_a, demand.min_device[0]), where)
    by, words = "standard ratings", f"next standard rating{series_words(demand, by_load_a)}"
    steps.choose("ocpd", ocpd_a, "current", words, by, required="required")
    return required_a, ocpd_a


def _candidates(frame: Frame) -> Iterator[tuple[WireSize, int]]:
    """Yield sizes, rising, for one set, two sets, and so on; limited to as-built values."""
    demand = frame.demand
    largest = wire_size(frame.basis.largest_size, "power.conductors.largest_size")
    sizes = [size for size in wire_sizes().values() if size.rank <= largest.rank]
    if demand.size:
        sizes = [wire_size(demand.size, frame.where)]
    for sets in [demand.sets] if demand.sets else range(1, frame.basis.parallel_sets + 1):
        for size in sizes:
            if parallel_allowed(size, sets):
                yield size, sets


def _searched(frame: Frame) -> _Found:
    """Return the candidate that passes every rule; without withstand if none passes it."""
    if frame.demand.fault_known:
        try:
            return _search(frame)
        except FacilityError as error:
            if error.code != "NO_CONDUCTOR":
                raise
        frame = replace(frame, demand=replace(frame.demand, fault_a=None))
    return _search(frame)


def _search(frame: Frame) -> _Found:
    minimum: tuple[WireSize, int] | None = None
    refusal = ""
    for line, sets in _candidates(frame):
        if minimum and sets > _MORE_SETS * minimum[1]:
            break
        refused = ampacity_refusal(frame, line, sets)
        if not refused:
            minimum = minimum or (line, sets)
            wires = build_wires(frame, line, sets, minimum)
            refused = withstand_refusal(frame, line, sets) or install_refusal(frame, wires)
            if not refused:
                decided = refusal or "the smallest size in the table"
                return _Found(line, sets, minimum, minimum, decided)
        refusal = refused
    raise FacilityError(
        "NO_CONDUCTOR",
        frame.where,
        f"no conductors up to {frame.demand.sets or _max_sets(frame, minimum)} x "
        f"{frame.demand.size or frame.basis.largest_size} are sufficient for"
        f" {frame.demand.load_a:,.1f} A over {frame.demand.length_m:.0f} m protected by a"
        f" {frame.ocpd_a:,g} A device: the limit is "
        f"{refusal or 'the smallest size for parallel conductors, 310.10'}.",
        "Divide the load, shorten the run, or raise the voltage or the limit named.",
    )


def _max_sets(frame: Frame, minimum: tuple[WireSize, int] | None) -> int:
    maximum = frame.basis.parallel_sets
    return maximum if minimum is None else min(maximum, _MORE_SETS * minimum[1])


def _as_built(frame: Frame) -> _Found:
    demand = frame.demand
    line, sets = wire_size(demand.size or "", frame.where), demand.sets or 1
    try:
        bare = replace(demand, size=None, sets=None, fault_a=None)
        minimum = _search(replace(frame, demand=bare)).minimum
    except FacilityError as error:
        if error.code != "NO_CONDUCTOR":
            raise
        minimum = (line, sets)
    enough = not ampacity_refusal(frame, line, sets)
    return _Found(line, sets, minimum, minimum if enough else (line, sets), "as built")


def _choice(frame: Frame, found: _Found, steps: CircuitSteps) -> ConductorChoice:
    demand, basis, line, sets = frame.demand, frame.basis, found.line, found.sets
    at_terminal, corrected = candidate_ampacity(frame, line, sets, steps)
    label = line.label if sets == 1 else f"{sets} x {line.label}"
    steps.choose(
        "conductor",
        sets * line.area_m2,
        "cross_section",
        f"{label} {basis.material}, {basis.insulation}; governed by: {found.governed_by}",
        "ampacity",
        required="required",
        ocpd="ocpd",
        corrected="ampacity_corrected",
        termination="ampacity_termination",
    )
    wires = build_wires(frame, line, sets, found.grounded_by, steps)
    drop = voltage_drop(demand, line, sets, basis, steps)
    enough = f"{found.minimum[1]} x {found.minimum[0].label}"
    return ConductorChoice(
        required_a=frame.required_a,
        ocpd_a=frame.ocpd_a,
        size=line.name,
        size_unit=line.unit,
        sets=sets,
        material=basis.material,
        insulation=basis.insulation,
        area_m2=line.area_m2,
        ampacity_term_a=at_terminal,
        ampacity_corrected_a=corrected,
        ampacity_a=min(at_terminal, corrected),
        ambient_factor=frame.factors.ambient,
        bundling_factor=frame.factors.bundling,
        current_carrying=frame.factors.current_carrying,
        neutral_size=wires.neutral.name if wires.neutral else "",
        egc_size=wires.egc.name if wires.egc else "",
        egc_minimum=wires.egc_min.name,
        raceway=basis.raceway,
        trade_size=wires.conduit.trade_size,
        fill=wires.conduit.fill,
        resistance_ohm=None if drop is None else drop.resistance_ohm,
        reactance_ohm=None if drop is None else drop.reactance_ohm,
        drop_v=None if drop is None else drop.drop_v,
        drop_exact_v=None if drop is None else drop.exact_v,
        voltage_v=demand.voltage_v,
        governed_by=found.governed_by,
        articles=articles_of(frame, wires),
        checks=circuit_checks(frame, wires, enough, found.governed_by == "as built"),
        notes=notes_of(frame, wires, found.minimum, found.governed_by),
    )


def articles_of(frame: Frame, wires: Wires) -> tuple[str, ...]:
    """Return the applied articles, numbered as in the edition."""
    demand, factors = frame.demand, frame.factors
    at_terminal_a = wires.sets * (
        table_ampacity(wires.line.name, frame.basis.material, frame.column_c) or 0.0
    )
    applied = {
        "standard ratings": True,
        "termination": True,
        "ampacity": True,
        ambient_subject(frame.basis): factors.ambient != 1.0,
        "bundling": factors.bundling != 1.0,
        "neutral": demand.neutral == "counted" and demand.poles == 3,
        "parallel": wires.sets > 1,
        "next size up": at_terminal_a < frame.ocpd_a <= 800.0,
        "over 800 A": frame.ocpd_a > 800.0,
        "small conductors": small_conductor_limit(wires.line.name, frame.basis.material)
        is not None,
        "neutral load": demand.neutral != "none",
        "jumper": frame.by_jumper,
        "grounded conductor": demand.location == "service",
        "EGC": not frame.by_jumper,
        "EGC upsized": wires.egc is None or wires.egc.rank > wires.egc_min.rank,
        "EGC parallel": wires.sets > 1 and not frame.by_jumper,
        "fill": not wires.conduit.unknown,
    }
    of_subject = [article(name, frame.edition).locator for name, used in applied.items() if used]
    extra = ["645.5(A)"] if demand.location == "branch" and demand.listed_100 else []
    return (*load_articles(demand.location), *extra, *of_subject)


def _without_fault(frame: Frame) -> str:
    """Return the note of the size without the fault, and its permitted let-through energy."""
    found = _search(replace(frame, demand=replace(frame.demand, fault_a=None)))
    basis, one_s = frame.basis, 1.0
    one_a = withstand(
        found.line.area_m2, one_s, basis.material, basis.insulation, basis.insulation_c
    )
    return raised_for_fault(
        f"{found.sets} x {found.line.label}", let_through_words((found.sets * one_a) ** 2 * one_s)
    )


def notes_of(
    frame: Frame, wires: Wires, minimum: tuple[WireSize, int], governed_by: str
) -> tuple[str, ...]:
    """Return the notes of the schedule."""
    demand = frame.demand
    hz = frame.basis.reactance_hz(TABLE_HZ)
    notes = [f"resistance at 75 degC, reactance at {hz:g} Hz; drop at the load without factors"]
    if wires.sets > 1:
        grounding = "jumper by its lines" if frame.by_jumper else "full-size grounding conductor"
        notes.append(
            f"fewest sets with sizes up to {frame.basis.largest_size}; each set in a separate"
            f" raceway with a {grounding}"
        )
    if frame.by_jumper:
        notes.append("supply-side bonding jumper up to the first device, by the lines of a raceway")
    if wires.egc is not None and wires.egc.rank > wires.egc_min.rank:
        notes.append(
            f"grounding conductor increased from {wires.egc_min.label}: lines larger than "
            f"{minimum[1]} x {minimum[0].label}, which have sufficient ampacity"
        )
    if governed_by.startswith(WITHSTAND):
        notes.append(_without_fault(frame))
    if demand.terminals is not None:
        notes.append(terminal_note(demand, "NEC", frame.edition))
    if demand.listed_100:
        notes.append("device and assembly listed for 100 % continuous load: no factor of 1.25")
    if demand.neutral_a == 0.0 and wires.neutral is not None:
        notes.append("grounded conductor to the service disconnect, without load")
    elif wires.neutral is not None and demand.nonlinear and demand.poles == 3:
        notes.append("neutral equal to the lines: no reduction for nonlinear load")
    return tuple(notes)
