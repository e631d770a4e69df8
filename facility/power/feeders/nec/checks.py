"""Checks of the overcurrent device and conductors of one circuit by the NEC."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from facility.catalogue.articles import article
from facility.core.check import Check
from facility.core.sources import Source
from facility.power.feeders.busway import parallel_sets
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
from facility.power.feeders.nec.tables import small_conductor_limit
from facility.power.feeders.types import CircuitDemand, ConductorChoice
from facility.power.panels.board.breakers import standard_breakers
from facility.power.rules import RULES

_LOAD_ARTICLES = {
    "branch": ("210.20(A)", "210.19(A)(1)"),
    "service": ("230.90", "230.42(A)"),
    "tap": ("215.3", "240.21(B)"),
    "transformer secondary": ("215.3", "240.21(C)"),
}


def load_articles(location: str) -> tuple[str, str]:
    """Return the articles on the overcurrent device and on the conductors of a circuit."""
    return _LOAD_ARTICLES.get(location, ("215.3", "215.2(A)(1)"))


def circuit_checks(frame: Frame, wires: Wires, least: str, as_built: bool) -> tuple[Check, ...]:
    """Return every check of a circuit; `least` names conductors of enough ampacity."""
    return (
        *_device(frame),
        *_ampacity(frame, wires, least),
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
    why = f"{frame.ocpd_a:g} A is {'' if standard else 'not '}a standard rating of a breaker"
    yield rule.verdict(frame.where, standard, why)


def _ampacity(frame: Frame, wires: Wires, least: str) -> Iterator[Check]:
    demand, edition = frame.demand, frame.edition
    remedy = f"{least} has the ampacity."
    at_terminal, corrected = candidate_ampacity(frame, wires.line, wires.sets)
    _, conductors = load_articles(demand.location)
    termination = replace(
        RULES["NEC-AMPACITY-TERMINATION"], title=f"Ampacity in the {frame.column_c:.0f} degC column"
    ).by(Source("nec-110-14", f"{conductors}, 110.14(C)(1)", edition), remedy)
    yield termination.at_least(frame.where, at_terminal, frame.conductor_a, "current")
    bundled = RULES["NEC-AMPACITY-CORRECTED"].by(article("bundling", edition), remedy)
    carried_a = max(demand.load_a, demand.least_ampacity_a)
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
        f"{frame.ocpd_a:g} A on {usable:.1f} A of ampacity; the largest permitted is {limit_a:.1f} "
        f"A, next standard rating up {'allowed' if next_up else 'not allowed'}",
    )  # fmt: skip
    small = small_conductor_limit(wires.line.name, frame.basis.material)
    if small is not None:
        rule = RULES["NEC-SMALL-CONDUCTOR"].by(article("small conductors", edition), remedy)
        yield rule.at_most(frame.where, frame.ocpd_a, small, "current")


def _arrangement(frame: Frame, wires: Wires) -> Iterator[Check]:
    demand = frame.demand
    yield parallel_sets(frame.where, wires.sets, frame.basis)
    if wires.sets > 1:
        rule = RULES["NEC-PARALLEL"].by(article("parallel", frame.edition))
        allowed = parallel_allowed(wires.line, wires.sets)
        yield rule.verdict(frame.where, allowed, f"{wires.sets} sets of {wires.line.label}")
    loaded = demand.neutral != "none" and neutral_load(demand) > 0.0
    if loaded and demand.poles == 3 and demand.nonlinear:
        rule = RULES["NEC-NEUTRAL-COUNTED"].by(article("neutral", frame.edition))
        why = f"the major part of the load is nonlinear; the neutral is {demand.neutral}"
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
        f"{drop.drop_v:.2f} V of {demand.voltage_v:.0f} V over {demand.length_m:.1f} m, exact "
        f"{drop.exact_v:.2f} V; limit {frame.drop_limit:.1%}",
    )


def _fill(frame: Frame, wires: Wires, as_built: bool) -> Check:
    conduit = wires.conduit
    rule = RULES["NEC-RACEWAY-FILL"].by(article("fill", frame.edition))
    if conduit.unknown:
        return rule.not_evaluated(frame.where, conduit.unknown)
    if conduit.fill is None:
        words = "as built" if as_built else "chosen"
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
    """Return whether as many circuits share a raceway as stated, and why not.

    demand: With the circuits that share it.
    there: Circuits that could: those that leave the board, no more than stated.
    """
    shared, stated = demand.grouped_circuits, demand.grouped_stated
    why = f"{shared} of {max(there, stated)} circuits stated share a raceway"
    if there < stated:
        why += f"; {there} leave the board" if shared < there else ", all that leave the board"
    why += f": with one more {crowded}" if crowded else ""
    rule = RULES["NEC-RACEWAY-GROUP"].by(article("fill", edition))
    return rule.verdict(subject, shared == there, why)


def _grounding(frame: Frame, wires: Wires) -> Iterator[Check]:
    if wires.egc is None:
        rule = RULES["NEC-EGC"].by(article("EGC upsized", frame.edition))
        yield rule.verdict(frame.where, False, "no single conductor has the area asked for")


def withstand_checks(
    subject: str,
    choice: ConductorChoice,
    fault_a: float,
    clearing_s: float,
    insulation_c: float,
    edition: str,
) -> tuple[Check, ...]:
    """Return the checks of the short-circuit withstand of the line conductors.

    The fault current divides evenly over the sets. The conductor is taken at the temperature
    rating of its insulation before the fault, without any cooling during it.

    fault_a: Symmetrical fault current at the beginning of the conductors [A].
    clearing_s: Clearing time of the device ahead [s].
    insulation_c: Temperature rating of the insulation [degC].
    """
    material, insulation = choice.material, choice.insulation
    one_a = withstand(choice.area_m2, clearing_s, material, insulation, insulation_c)
    final_c = final_temperature(insulation)
    remedy = "Use larger conductors or a faster device."
    rule = RULES["NEC-WITHSTAND"].by(article("withstand", edition), remedy)
    why = (
        f"{fault_a:.0f} A symmetrical for {clearing_s:.3f} s on {choice.label}:"
        f" {choice.sets * one_a:.0f} A from {insulation_c:.0f} to {final_c:.0f} degC"
    )
    found = rule.at_most(subject, fault_a, choice.sets * one_a, "current", why)
    if not is_cross_linked(insulation):
        return (found,)
    return found, RULES["NEC-WITHSTAND-BASIS"].verdict(
        subject, False, f"{final_c:.0f} degC of cross-linked insulation is recalled, not read"
    )
