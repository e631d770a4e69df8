"""Checks of the overcurrent device and conductors of one circuit by the NEC."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from facility.catalogue.articles import article
from facility.core.check import Check, Rule
from facility.core.rounding import reaches, within
from facility.core.sources import Source
from facility.power.feeders.busway import parallel_sets
from facility.power.feeders.let_through import Protection
from facility.power.feeders.nec.ampacity import largest_ocpd, next_size_up_allowed
from facility.power.feeders.nec.candidate import (
    Frame,
    Wires,
    candidate_ampacity,
    final_temperature,
    is_cross_linked,
    neutral_load,
    parallel_allowed,
    voltage_drop,
    withstand,
)
from facility.power.feeders.nec.tables import WireSize, small_conductor_limit, wire_size
from facility.power.feeders.terminals import terminal_check
from facility.power.feeders.types import CircuitDemand, ConductorChoice, let_through_words
from facility.power.panels.board.breakers import standard_breakers
from facility.power.rules import RULES

_LISTED = Source(
    "nema-abp-3", "110.10, 240.4: UL 489 tests breakers with their rated wire", verified="memory"
)
_WITHSTAND_REMEDY = "Use larger conductors or a faster device."
_LOAD_ARTICLES = {
    "branch": ("210.20(A)", "210.19(A)(1)"),
    "service": ("230.90", "230.42(A)"),
    "tap": ("215.3", "240.21(B)"),
    "generator": ("215.3", "445.13(A)"),
    "generator device": ("215.3", "445.13(B), 215.2(A)(1)"),
    "transformer secondary": ("215.3", "240.21(C)"),
}


def load_articles(location: str) -> tuple[str, str]:
    """Return the articles for the overcurrent device and the conductors of a circuit."""
    return _LOAD_ARTICLES.get(location, ("215.3", "215.2(A)(1)"))


def circuit_checks(frame: Frame, wires: Wires, minimum: str, as_built: bool) -> tuple[Check, ...]:
    """Return every check of a circuit; `minimum` names conductors with sufficient ampacity."""
    return (
        *_device(frame),
        *_ampacity(frame, wires, minimum),
        *_arrangement(frame, wires),
        _drop(frame, wires),
        _fill(frame, wires, as_built),
        *_grounding(frame, wires),
    )


def _device(frame: Frame) -> Iterator[Check]:
    device, _ = load_articles(frame.demand.location)
    rule = RULES["NEC-OCPD-RATING"].by(Source("nec-210-20", device, frame.edition))
    yield rule.at_least(frame.where, frame.ocpd_a, frame.required_a, "current")
    standard = frame.ocpd_a in standard_breakers("NEC", frame.edition)
    rule = RULES["NEC-OCPD-STANDARD"].by(article("standard ratings", frame.edition))
    why = f"{frame.ocpd_a:,g} A is {'' if standard else 'not '}a standard rating of a breaker"
    yield rule.verdict(frame.where, standard, why)


def _ampacity(frame: Frame, wires: Wires, minimum: str) -> Iterator[Check]:
    demand, edition = frame.demand, frame.edition
    remedy = f"{minimum} has the ampacity."
    at_terminal, corrected = candidate_ampacity(frame, wires.line, wires.sets)
    _, conductors = load_articles(demand.location)
    termination = replace(
        RULES["NEC-AMPACITY-TERMINATION"], title=f"Ampacity in the {frame.column_c:.0f} degC column"
    ).by(Source("nec-110-14", f"{conductors}, 110.14(C)(1)", edition), remedy)
    yield termination.at_least(frame.where, at_terminal, frame.conductor_a, "current")
    bundled = RULES["NEC-AMPACITY-CORRECTED"].by(article("bundling", edition), remedy)
    carried_a = max(demand.load_a, demand.min_ampacity_a)
    yield bundled.at_least(frame.where, corrected, carried_a, "current")
    next_up = next_size_up_allowed(demand)
    usable = min(at_terminal, corrected)
    subject = "over 800 A" if frame.ocpd_a > 800.0 else "next size up"
    source = article(subject, edition) if next_up else article("conductor protection", edition)
    if demand.cord_and_plug:
        source = article("next size up", edition)
    limit_a = largest_ocpd(usable, next_up, edition)
    yield RULES["NEC-CONDUCTOR-PROTECTION"].by(source, remedy).at_most(
        frame.where, frame.ocpd_a, limit_a, "current",
        f"{frame.ocpd_a:,g} A device, {usable:,.1f} A ampacity; maximum permitted {limit_a:,.1f} "
        f"A, next standard rating up {'allowed' if next_up else 'not allowed'}",
    )  # fmt: skip
    small = small_conductor_limit(wires.line.name, frame.basis.material)
    if small is not None:
        rule = RULES["NEC-SMALL-CONDUCTOR"].by(article("small conductors", edition), remedy)
        yield rule.at_most(frame.where, frame.ocpd_a, small, "current")


def _arrangement(frame: Frame, wires: Wires) -> Iterator[Check]:
    demand = frame.demand
    yield parallel_sets(frame.where, wires.sets, frame.basis)
    yield terminal_check(
        frame.where, "NEC", frame.ocpd_a, wires.sets, wires.line.area_m2,
        stated=demand.size is not None,
    )  # fmt: skip
    if wires.sets > 1:
        rule = RULES["NEC-PARALLEL"].by(article("parallel", frame.edition))
        allowed = parallel_allowed(wires.line, wires.sets)
        yield rule.verdict(frame.where, allowed, f"{wires.sets} sets of {wires.line.label}")
    loaded = demand.neutral != "none" and neutral_load(demand) > 0.0
    if loaded and demand.poles == 3 and demand.nonlinear:
        rule = RULES["NEC-NEUTRAL-COUNTED"].by(article("neutral", frame.edition))
        why = f"most of the load is nonlinear; the neutral is {demand.neutral}"
        yield rule.verdict(frame.where, demand.neutral == "counted", why)


def _drop(frame: Frame, wires: Wires) -> Check:
    demand = frame.demand
    rule = RULES["NEC-VOLTAGE-DROP"].by(article("voltage drop", frame.edition))
    drop = voltage_drop(demand, wires.line, wires.sets, frame.basis)
    if drop is None:
        return rule.not_evaluated(
            frame.where, f"chapter 9, table 9 has no impedance of {wires.line.label}"
        )
    return rule.at_most(
        frame.where,
        drop.drop_v / demand.voltage_v,
        frame.drop_limit,
        "fraction",
        f"{drop.drop_v:.2f} V of {demand.voltage_v:.0f} V over {demand.length_m:.1f} m, "
        f"phasor value {drop.exact_v:.2f} V; limit {frame.drop_limit:.1%}",
    )


def _fill(frame: Frame, wires: Wires, as_built: bool) -> Check:
    conduit = wires.conduit
    rule = RULES["NEC-RACEWAY-FILL"].by(article("fill", frame.edition))
    if conduit.unknown:
        return rule.not_evaluated(frame.where, conduit.unknown)
    if conduit.fill is None:
        words = "as built" if as_built else "selected"
        return rule.verdict(
            frame.where, False, f"the conductors {words} fit no {frame.basis.raceway}"
        )
    return rule.at_most(
        frame.where,
        conduit.fill,
        conduit.limit,
        "fraction",
        f"{conduit.fill:.1%} of {frame.basis.raceway} {conduit.trade_size} in; limit "
        f"{conduit.limit:.0%}",
    )


def group_check(
    subject: str, demand: CircuitDemand, there: int, crowded: str, edition: str
) -> Check:
    """Return whether circuits share a raceway as specified, with the reason if not.

    demand: With the circuits that share it.
    there: Circuits available for grouping: leaving the board, at most as specified.
    """
    shared, stated = demand.grouped_circuits, demand.grouped_stated
    why = f"{shared} of {max(there, stated)} specified circuits share a raceway"
    if there < stated:
        why += f"; {there} leave the board" if shared < there else ", all that leave the board"
    why += f": one more, and {crowded}" if crowded else ""
    rule = RULES["NEC-RACEWAY-GROUP"].by(article("fill", edition))
    return rule.verdict(subject, shared == there, why)


def _grounding(frame: Frame, wires: Wires) -> Iterator[Check]:
    if wires.egc is None:
        rule = RULES["NEC-EGC"].by(article("EGC upsized", frame.edition))
        yield rule.verdict(frame.where, False, "no single conductor has the required area")


def withstand_checks(
    subject: str,
    choice: ConductorChoice,
    fault_a: float | None,
    found: Protection | None,
    insulation_c: float,
    edition: str,
) -> Iterator[Check]:
    """Yield the short-circuit withstand checks of lines and neutral.

    The fault current divides evenly over the sets. The pre-fault conductor temperature is the
    temperature rating of its insulation; cooling during the fault is ignored. The smaller of line
    and neutral is checked.

    fault_a: Symmetrical fault current at the supply end [A]; None if unknown.
    found: Let-through of the upstream device.
    insulation_c: Temperature rating of the insulation [degC].
    """
    rule = RULES["NEC-WITHSTAND"].by(article("withstand", edition), _WITHSTAND_REMEDY)
    if fault_a is None or found is None:
        yield rule.not_evaluated(subject, "the upstream fault current is not known")
        return
    line, neutral = wire_size(choice.size), choice.neutral_size
    smaller = neutral and wire_size(neutral).rank < line.rank
    size = wire_size(neutral) if smaller else line
    rated = reaches(choice.ampacity_term_a, choice.ocpd_a) and not smaller
    if found.listed and rated:
        why = (
            f"{fault_a / 1e3:.2f} kA; a listed breaker of {choice.ocpd_a:,g} A within its"
            f" interrupting rating (FAULT-INTERRUPTING) protects its rated conductor,"
            f" {choice.label}"
        )
        yield rule.by(_LISTED).verdict(subject, True, why)
        return
    yield _withstand(rule, subject, choice, size, fault_a, found, insulation_c)
    if found.duration_s is not None and is_cross_linked(choice.insulation):
        final_c = final_temperature(choice.insulation)
        yield RULES["NEC-WITHSTAND-BASIS"].verdict(
            subject, False, f"{final_c:.0f} degC of cross-linked insulation is unverified"
        )


def grounding_withstand(
    subject: str,
    choice: ConductorChoice,
    fault_a: float | None,
    found: Protection | None,
    insulation_c: float,
    edition: str,
) -> Check:
    """Return the earth-fault withstand check of the equipment grounding conductors.

    The current divides evenly over the sets. A conductor of line size is protected like the line.

    fault_a: Earth-fault current at the supply end [A]; None if unknown.
    found: Let-through of the upstream device.
    """
    source = Source("nec-250-122", "250.4(A)(5), 250.122", edition)
    rule = RULES["NEC-EGC-WITHSTAND"].by(source)
    if fault_a is None or found is None or not choice.egc_size:
        return rule.not_evaluated(subject, "the upstream earth-fault current is not known")
    size = wire_size(choice.egc_size)
    rated = reaches(choice.ampacity_term_a, choice.ocpd_a)
    if found.listed and rated and size.rank >= wire_size(choice.size).rank:
        return rule.verdict(
            subject, True, f"{size.label}, as the line conductor its breaker protects"
        )
    return _withstand(rule, subject, choice, size, fault_a, found, insulation_c)


def _withstand(
    rule: Rule,
    subject: str,
    choice: ConductorChoice,
    size: WireSize,
    fault_a: float,
    found: Protection,
    insulation_c: float,
) -> Check:
    """Return the check of one size; not evaluated if it fails only on an upper limit."""
    material, insulation, sets = choice.material, choice.insulation, choice.sets
    one_s = withstand(size.area_m2, 1.0, material, insulation, insulation_c)
    label = size.label if sets == 1 else f"{sets} x {size.label}"
    bears = let_through_words((sets * one_s) ** 2)
    if found.duration_s is None:
        return rule.not_evaluated(
            subject,
            f"{fault_a / 1e3:.1f} kA upstream of {label}, withstand {bears}; the let-through of the"
            " device is not specified (power.faults.clearing_time, power.faults.let_through)",
        )
    carried_a = sets * withstand(size.area_m2, found.duration_s, material, insulation, insulation_c)
    lasts = found.words if found.known and found.words else f"for {found.duration_s:.3f} s"
    final_c = final_temperature(insulation)
    why = (
        f"{fault_a:,.0f} A symmetrical, {lasts}, on {label}:"
        f" {carried_a:,.0f} A from {insulation_c:.0f} to {final_c:.0f} degC"
    )
    if not found.known and not within(fault_a, carried_a):
        return rule.not_evaluated(
            subject,
            f"{fault_a / 1e3:.2f} kA, protected by {found.words}: the let-through energy is not"
            f" known and must not exceed {bears} on {label} (power.faults.let_through)",
        )
    return rule.at_most(subject, fault_a, carried_a, "current", why)
