"""What must hold for every project that designs, and what may be refused.

`examine` designs one project with all its studies and returns what is wrong with it, as short
texts that start with the name of the property broken. A refusal is no fault by itself; its code
is counted, and the test limits how many there may be.
"""

from __future__ import annotations

import math
import traceback
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from facility.core.check import Severity
from facility.core.errors import FacilityError
from facility.files.project.file import parse_project
from facility.power.chain.sizing import solve_chain
from facility.power.feeders.circuit_currents import sizing_outages
from facility.power.network.flow.solve import compile_network, solve
from facility.power.panels.board.currents import panel_loads
from facility.power.panels.design.lineups import pdu_peak
from facility.study.design.design import Design, design
from facility.study.explained import explain_result
from facility.study.failures.study import failures
from facility.study.transient.study import transient
from tests.results.second import differences
from tests.soak.stated import no_spare_set, of_stated_fields

CLOSED = 1e-9
LEAST_OF_SIZING = 0.75
"""The sizing takes the fullest phase of any state for that of the worst one."""
NEAR = 0.015
"""The network knows the conductors chosen, the sizing reckons with a stated part of the load.

What those lose beyond that part, which CONDUCTOR-LOSS says, comes on top.
"""
NEAR_BEHIND_DROPS = 0.05
"""A PDU is loaded by current, which rises as the voltage ahead of it falls: 5 % at most.

What it takes itself when idle comes on top: next to nothing but for a PDU that is all but idle.
"""
NO_FEASIBLE_DESIGN = 4


@dataclass
class Outcome:
    """What came of one project: the code of its refusal, or what is broken in its design."""

    refused: str = ""
    message: str = ""
    exit_code: int = 0
    broken: list[str] = field(default_factory=list)


def _closed(name: str, left: float, right: float, scale: float) -> Iterator[str]:
    if not abs(left - right) <= CLOSED * max(abs(scale), 1.0):
        yield f"{name}: {left!r} is not {right!r}"


def energy_closes(found: Design, tree: dict[str, Any]) -> Iterator[str]:
    """Facility = IT + losses + cooling + house; air + liquid = IT; UPS input = output + losses."""
    r = found.results.values_by_key
    load = {
        part: float(r[f"load.{part}"].si)
        for part in ("it", "losses", "cooling", "house", "facility")
    }
    parts = load["it"] + load["losses"] + load["cooling"] + load["house"]
    yield from _closed("energy", parts, load["facility"], parts)
    heat = float(r["heat.air"].si) + float(r["heat.liquid"].si)
    yield from _closed("heat", heat, load["it"], heat)
    if not float(r["pue.design"].si) >= 1.0:
        yield f"pue below 1: {r['pue.design'].si}"


def numbers_are_finite(found: Design, tree: dict[str, Any]) -> Iterator[str]:
    """No NaN and no infinity in any result or check."""
    for key, value in found.all_results.values_by_key.items():
        if isinstance(value.si, float) and not math.isfinite(value.si):
            yield f"not finite: {key} = {value.si}"
    for check in found.checks:
        for side in (check.value, check.limit):
            if side is not None and not math.isfinite(side):
                yield f"not finite: {check.rule} {check.subject} {side}"


def violations_are_asked_for(found: Design, tree: dict[str, Any]) -> Iterator[str]:
    """No VIOLATION comes from a field left open: each names stated fields that conflict."""
    for check in found.checks:
        serious = check.failed and check.severity is Severity.VIOLATION
        if serious and not of_stated_fields(check, tree):
            yield f"violation: {check.rule} {check.subject}: {check.why[:160]}"


def nothing_is_overloaded(found: Design, tree: dict[str, Any]) -> Iterator[str]:
    """No outage that the design is made for overloads a component."""
    for state in failures(found).states:
        for tag, loading in state.overloads:
            if no_spare_set(tag, tree) and "and GEN" in state.case.outage.id:
                continue
            yield f"overload: {state.case.outage.id}: {tag} at {loading:.4f}"
            return


def cooling_is_left_where_its_heat_is(found: Design, tree: dict[str, Any]) -> Iterator[str]:
    """What a loss in the power train leaves of the cooling is what it leaves of its heat.

    In the end: until the battery is empty, IT runs on it without the cooling of its train.
    """
    try:
        study = transient(found)
    except FacilityError:
        return
    for one in study.cases:
        power = one.case.power
        if not one.case.id.startswith("power_") or power.restored_s < math.inf:
            continue
        heats = [(0.0, power.it_air)]
        if study.plant.has_liquid:
            heats.append((1.0, power.it_liquid))
        for coolant, it in heats:
            cooling = min(power.cooling(ups, coolant)[1] for ups in (False, True))
            if cooling < it[1] - NEAR_BEHIND_DROPS:
                yield f"disagree: {one.case.title}: {cooling} of the cooling, {it[1]} of its heat"


def figures_are_found_again(found: Design, tree: dict[str, Any]) -> Iterator[str]:
    """Every figure is that of a second calculation, by other formulas."""
    yield from (f"second: {line}" for line in differences(found))


def results_explain_themselves(found: Design, tree: dict[str, Any]) -> Iterator[str]:
    """Every result answers how it came about."""
    for key in found.all_results.values_by_key:
        try:
            if not explain_result(found, key):
                yield f"explain: {key} says nothing"
        except FacilityError as error:
            yield f"explain: {key}: {error.code}"


def studies_agree(found: Design, tree: dict[str, Any]) -> Iterator[str]:
    """A fact that two studies know is one fact.

    The feeder of a panel carries what the panel draws in its worst state, and its device too; the
    feeder of a UPS module its input rating; outages count the racks that the IT study placed; what
    the year rests on is the load of the design; UPS sizing and network load the fullest UPS alike.
    """
    yield from _loadings_agree(found)
    panels = {panel.tag: panel for panel in found.panels.panels}
    r = found.results.values_by_key
    for feeder in found.distribution.feeders.feeders:
        panel = panels.get(feeder.circuit.target)
        rating = feeder.choice.ocpd_a if feeder.choice is not None else None
        if panel is not None:
            worst = max(load.current_max_a for load in panel_loads(panel))
            if feeder.worst_a < worst * (1.0 - CLOSED):
                yield f"disagree: feeder of {panel.tag} {feeder.worst_a} A, panel {worst} A"
        if rating is not None and rating < feeder.worst_a * (1.0 - 1e-6):
            yield f"disagree: {feeder.circuit.tag} device {rating} A carries {feeder.worst_a} A"
    systems = {"ups.systems": "ups.modules", "ups.modules.duty": "ups.modules"}
    for fewer, more in systems.items():
        if fewer in r and float(r[fewer].si) > float(r[more].si):
            yield f"disagree: {fewer} {r[fewer].si} over {more} {r[more].si}"
    racks = int(r["load.racks"].si)
    placed = sum(rack.count for rack in found.facility.it.racks)
    if racks != placed:
        yield f"disagree: load.racks {racks}, racks placed {placed}"


def _loadings_agree(found: Design) -> Iterator[str]:
    """No UPS and no PDU is loaded higher in the network than in its sizing.

    The network reckons with what the altitude leaves of the rating, sizing with the rating.
    """
    network = found.distribution.plan.with_fixed_load_shares.network
    flow = solve(compile_network(network), sizing_outages(network, found.panels))
    chain, grown = found.chain, solve_chain(found.chain, found.point.demand)
    sized = {"ups": (float(grown.ups.most_loaded_phase), NEAR)}
    if chain.pdus is not None:
        peak = pdu_peak(chain.chain, chain.pdus.per_carrier)
        idle = chain.pdus.unit.no_load_w / chain.pdus.unit.rating_va
        by_load = float(grown.pdus.failure) * peak
        sized["pdu"] = by_load, NEAR_BEHIND_DROPS + idle / by_load
    more = sum(
        max(0.0, (check.value or 0.0) - (check.limit or 0.0)) / found.point.demand.it_w
        for check in found.checks
        if check.rule == "CONDUCTOR-LOSS"
    )
    left = {"ups": chain.chain.ups.rating_left, "pdu": chain.chain.wiring.pdu_rating_left}
    for kind, (of_rating, near) in sized.items():
        by_sizing = of_rating / left[kind]
        rows = [row for row, one in enumerate(network.equipment) if one.kind == kind]
        seen = float(np.nanmax(flow.loading[rows]))
        if seen > by_sizing * (1.0 + near + more):
            yield f"disagree: {kind} loaded to {seen:.4f} in the network, {by_sizing:.4f} by sizing"
        # Sizing has servers at full load where the states of outages have them run capped.
        capped = any(check.rule == "PSU-REDUNDANCY" and check.failed for check in found.checks)
        spare = chain.chain.scheme.spare_units
        if seen < by_sizing * LEAST_OF_SIZING and not spare and not capped:
            yield f"disagree: {kind} sized on {by_sizing:.4f}, {seen:.4f} in the network"


PROPERTIES: tuple[Callable[[Design, dict[str, Any]], Iterator[str]], ...] = (
    energy_closes,
    studies_agree,
    numbers_are_finite,
    violations_are_asked_for,
    nothing_is_overloaded,
    cooling_is_left_where_its_heat_is,
    results_explain_themselves,
    figures_are_found_again,
)


def examine(text: str, tree: dict[str, Any]) -> Outcome:
    """Design the project in `text`, whose mapping is `tree`, and return what came of it."""
    outcome = Outcome()
    try:
        found = design(parse_project(text))
        for holds in PROPERTIES:
            outcome.broken += [f"{line}" for line in holds(found, tree)]
    except FacilityError as error:
        outcome.refused, outcome.message = error.code, f"{error.where}: {error.message}"
        outcome.exit_code = error.exit_code
    except Exception as error:
        last = traceback.extract_tb(error.__traceback__)[-1]
        outcome.broken.append(
            f"internal: {type(error).__name__} in {last.name}:{last.lineno}: {str(error)[:120]}"
        )
    return outcome
