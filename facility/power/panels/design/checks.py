"""Checks of panels and branch circuits, per leg: normal, each feed lost, each supply lost."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from facility.catalogue.articles import article
from facility.core.check import Check, Rule
from facility.core.rounding import ROUNDING, argmax_within_rounding, within
from facility.model.facility import Criteria
from facility.model.it import ItPlan
from facility.model.power.hall_distribution import IMBALANCE_LIMIT, PanelBasis
from facility.physics.circuits.currents import continuous_limit, required_rating
from facility.power.it.supplies import check_supply_voltage
from facility.power.panels.board.breakers import standard_breakers
from facility.power.panels.board.currents import PanelLoad, circuit_current, panel_loads
from facility.power.panels.board.layout import PHASES
from facility.power.panels.board.model import STATED_BREAKER, Circuit, Panel
from facility.power.panels.design.groups import Built
from facility.power.panels.design.lost_states import PanelLost
from facility.power.rules import RULES


@dataclass(frozen=True)
class PanelRules:
    """Panel rules of one code and edition."""

    branch: Rule
    panel: Rule
    main: Rule
    imbalance: Rule
    poles: Rule
    breaker: Rule


def panel_rules(code: str, edition: str) -> PanelRules:
    """Return the rules of the code ``"NEC"`` or ``"IEC"`` in an edition."""
    poles = RULES["PANEL-POLES"]
    return PanelRules(
        branch=RULES["BRANCH-LOAD"].by(article("branch load", edition, code)),
        panel=RULES["PANEL-LOAD"].by(article("panel load", edition, code)),
        main=RULES["PANEL-MAIN"].by(article("panel main", edition, code)),
        imbalance=RULES["PANEL-IMBALANCE"],
        poles=poles.by(article("panel poles", edition)) if code == "NEC" else poles,
        breaker=RULES["BREAKER-STANDARD"].by(article("standard ratings", edition, code)),
    )


def check_panel(
    panel: Panel,
    criteria: Criteria,
    lost: PanelLost | None = None,
    imbalance_limit: float = IMBALANCE_LIMIT,
) -> tuple[Check, ...]:
    """Return the checks of one panel, each with its tag and state as the subject.

    imbalance_limit: Imbalance above which advice is given.
    lost: Panel with a rack supply lost, if its states do not cover it.
    """
    rules = panel_rules(criteria.code, criteria.edition)
    factor = 1.0 if panel.listed_100 else criteria.continuous_factor
    loads = panel_loads(panel)
    worst = argmax_within_rounding([load.current_max_a for load in loads])
    states = [0] if worst == 0 and len(loads) == 1 else [0, worst or 1]
    found = [_panel_load(panel, loads, state, factor, rules.panel) for state in states]
    if lost is not None:
        found += _supply_lost(panel, lost, factor, rules)
    if panel.bus_a is not None and panel.main_a is not None:
        found.append(rules.main.at_most(panel.tag, panel.main_a, panel.bus_a, "current"))
    found += _branch_loads(panel, factor, rules.branch)
    found.append(
        rules.imbalance.at_most(
            panel.tag,
            loads[0].imbalance,
            imbalance_limit,
            "fraction",
            f"imbalance {loads[0].imbalance:.1%} (maximum deviation from the mean / mean, "
            f"phasor line currents), {loads[0].imbalance_va:.1%} by VA",
        )
    )
    found.append(
        rules.poles.at_most(
            panel.tag,
            panel.poles_used,
            panel.poles,
            "count",
            f"{panel.poles_used} of {panel.poles} poles used",
        )
    )
    return tuple(found)


def _panel_load(
    panel: Panel, loads: Sequence[PanelLoad], state: int, factor: float, rule: Rule
) -> Check:
    load = loads[state]
    subject = f"{panel.tag}, {load.state}"
    if panel.rating_a is None:
        return rule.not_evaluated(subject, "neither bus nor main rating is specified")
    limit_a = float(continuous_limit.si(panel.rating_a, factor))
    text = (
        f"line {load.worst_line} {load.current_max_a:,.1f} A, limit {limit_a:,.0f} A "
        f"({panel.rating_a:,.0f} A / {factor:g}); "
        f"panel {load.apparent_va / 1e3:.1f} kVA"
    )
    if state:
        text += f", {loads[0].apparent_va / 1e3:.1f} kVA with all feeds alive"
    return rule.at_most(subject, load.current_max_a, limit_a, "current", text)


def _supply_lost(
    panel: Panel, lost: PanelLost, factor: float, rules: PanelRules
) -> Iterable[Check]:
    subject = f"{panel.tag}, {lost.state}"
    line_a = lost.line_a[:3]
    if panel.rating_a is not None:
        limit_a = float(continuous_limit.si(panel.rating_a, factor))
        text = (
            f"line {PHASES[argmax_within_rounding(line_a)]} {line_a.max():,.1f} A, limit "
            f"{limit_a:,.0f} A;"
            f" the other supplies of the device carry its share ({lost.states} such states"
            " evaluated)"
        )
        yield rules.panel.at_most(subject, float(line_a.max()), limit_a, "current", text)
    branch = lost.branch
    if branch is not None:
        limit_a = float(continuous_limit.si(branch.breaker_a, factor))
        text = _on_breaker(branch.circuit, branch.current_a, limit_a, branch.breaker_a, factor)
        given = next((c for c in panel.circuits if branch.circuit in (c.id, c.rack)), None)
        text += _both_sides(given) if branch.current_a > limit_a else ""
        subject = f"{panel.tag}, {branch.state}"
        yield rules.branch.at_most(subject, branch.current_a, limit_a, "current", text)


def _on_breaker(id: str, current_a: float, limit_a: float, breaker_a: float, factor: float) -> str:
    needed_a = float(required_rating.si(current_a, 0.0, factor))
    return (
        f"circuit {id}: {current_a:,.1f} A, limit {limit_a:,.1f} A "
        f"({breaker_a:,g} A breaker; at least {needed_a:,.1f} A required)"
    )


def _both_sides(circuit: Circuit | None) -> str:
    """Return the project fields of a circuit above its breaker; empty if not specified."""
    if circuit is None or not circuit.breaker_given:
        return ""
    return f"; {STATED_BREAKER}"


def _branch_loads(panel: Panel, factor: float, rule: Rule) -> list[Check]:
    rated = [c for c in panel.circuits if c.breaker_a is not None and c.class_code != "SPACE"]
    found = []
    if rated:
        amperes = np.array([circuit_current(circuit, panel.v_ll) for circuit in rated])
        limits = np.array([continuous_limit.si(c.breaker_a or 0.0, factor) for c in rated])
        share = amperes / limits[:, None]
        lost = argmax_within_rounding(share[:, 1:].max(axis=0)) + 1 if len(panel.states) > 1 else 0
        for state in sorted({0, lost}):
            worst = argmax_within_rounding(share[:, state])
            circuit = rated[worst]
            current_a, limit_a = float(amperes[worst, state]), float(limits[worst])
            over = int((share[:, state] > 1.0 + ROUNDING).sum())
            breaker_a = circuit.breaker_a or 0.0
            text = _on_breaker(circuit.id, current_a, limit_a, breaker_a, factor)
            text += f"; {over} of {len(rated)} circuits overloaded" if over else ""
            text += _both_sides(circuit) if over else ""
            found.append(
                rule.at_most(
                    f"{panel.tag}, {panel.states[state]}", current_a, limit_a, "current", text
                )
            )
    unrated = [c.id for c in panel.circuits if c.breaker_a is None and abs(c.total_va()) > 0.0]
    if unrated:
        found.append(
            rule.not_evaluated(
                panel.tag,
                f"no breaker rating specified for {len(unrated)} circuits, first {unrated[0]}",
            )
        )
    return found


def branch_ratings(panel: Panel) -> tuple[Check, ...]:
    """Return the check of the largest branch breaker vs. bus and main, if known.

    A project with such a breaker is rejected; a separate panel file is only checked.
    """
    rating_a = panel.rating_a
    rated = [circuit for circuit in panel.circuits if circuit.breaker_a is not None]
    if rating_a is None or not rated:
        return ()
    largest = rated[argmax_within_rounding([circuit.breaker_a or 0.0 for circuit in rated])]
    above = sum(not within(circuit.breaker_a or 0.0, rating_a) for circuit in rated)
    why = f"circuit {largest.id}: {largest.breaker_a:,g} A breaker, upstream {rating_a:,g} A"
    why += f"; {above} of {len(rated)} breakers exceed it" if above else ""
    rule = RULES["PANEL-BRANCH"]
    return (rule.at_most(panel.tag, largest.breaker_a or 0.0, rating_a, "current", why),)


def set_checks(
    built: Built, plan: ItPlan, basis: PanelBasis, criteria: Criteria
) -> tuple[Check, ...]:
    """Return the checks of all panels; identical panels are checked once."""
    found: list[Check] = []
    for rows in built.identical:
        tags = [built.panels[row].tag for row in rows]
        panel, lost = built.panels[rows[0]], built.lost[rows[0]]
        for check in check_panel(panel, criteria, lost, basis.imbalance_limit):
            subject = check.subject.replace(tags[0], _all_of(tags), 1)
            found.append(replace(check, subject=subject))
    rules = panel_rules(criteria.code, criteria.edition)
    found += _standard_breakers(built, plan, basis, criteria, rules.breaker)
    found += _supply_voltages(plan, basis)
    return tuple(found)


def _all_of(tags: Sequence[str]) -> str:
    return tags[0] if len(tags) == 1 else f"{tags[0]} to {tags[-1]} ({len(tags)} similar)"


def _standard_breakers(
    built: Built, plan: ItPlan, basis: PanelBasis, criteria: Criteria, rule: Rule
) -> Iterable[Check]:
    """Yield the check of each specified rating, and of each selected from a project list."""
    standard = standard_breakers(criteria.code, criteria.edition)
    given = {c.breaker_a for rack in plan.racks for c in rack.circuits if c.breaker_a}
    used = {c.breaker_a for rows in built.identical for c in built.panels[rows[0]].circuits}
    for rating_a in sorted(given | {a for a in used if a is not None and a not in standard}):
        listed, fits = rating_a in standard, rating_a <= basis.bus_a
        why = f"{rating_a:,g} A {'is' if listed else 'is not'} a standard rating"
        why += "" if fits else f"; it exceeds the panel bus, {basis.bus_a:,g} A"
        yield rule.verdict(f"{rating_a:g} A", listed and fits, why)


def _supply_voltages(plan: ItPlan, basis: PanelBasis) -> Iterable[Check]:
    """Yield the check of each device type at each of its supply voltages."""
    seen = set()
    for rack in plan.racks:
        devices = [placed.device for placed in rack.placed for _ in range(placed.count)]
        for supply in rack.supplies:
            device, circuit = devices[supply.device], rack.circuits[supply.circuit]
            three_phase = rack.device_phases[supply.device] == 3
            voltage_v = _voltage(circuit.poles, three_phase, basis)
            if (device.model, voltage_v) not in seen:
                seen.add((device.model, voltage_v))
                subject = f"{device.model} on {basis.system}"
                yield check_supply_voltage(device, voltage_v, subject)


def _voltage(poles: int, three_phase: bool, basis: PanelBasis) -> float:
    if three_phase or poles == 2:
        return basis.v_ll
    return basis.v_ln if poles == 1 else basis.supply_v
