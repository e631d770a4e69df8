"""The wiring of a design once more: losses, drops, loadings, and the ratings of its boards.

Each figure is taken from the flow through the network, one circuit or piece of equipment at a
time; branches are as long as the mean route of their hall for the loss.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from facility.core.check import Check
from facility.power.feeders.circuit_currents import sizing_outages
from facility.power.network.flow.solve import solve
from facility.power.network.graph.types import Equipment
from facility.study.design.design import Design
from facility.study.distribution.wiring import Sizing, _drops_for_losses

SQRT3 = math.sqrt(3.0)
CLOSE = 1e-6
_MAINS = ("generator-bus", "lv-board", "ats", "sts", "ups-output")


def _same(name: str, found: float | None, wanted: float) -> Iterator[str]:
    if found is None or not abs(found - wanted) <= CLOSE * max(abs(found), abs(wanted), 1e-9):
        yield f"{name}: {found!r}, by hand {wanted!r}"


def wiring_of_the_network(found: Design) -> Iterator[str]:
    """Loss of all conductors beside the assumed one, largest drop, and what is loaded most."""
    checks: dict[str, list[Check]] = defaultdict(list)
    for check in found.distribution.checks:
        checks[check.rule].append(check)
    yield from _losses(found, *checks["CONDUCTOR-LOSS"])
    yield from _drops(found, *checks["VOLTAGE-DROP-TOTAL"])
    yield from _loadings(found, checks)
    for one in found.distribution.plan.network.equipment:
        if one.kind in _MAINS and one.rating_a is not None:
            yield from _same(f"rating of {one.tag}", one.rating_a, _main(found, one))


def _losses(found: Design, check: Check) -> Iterator[str]:
    made, flow = found.distribution, found.point.flow
    low_w = sum(_of_links(found).values()) + sum(one.loss_w for one in made.mechanical.circuits)
    medium_w = sum(
        float(np.nan_to_num(made.normal.circuit_loss_w[n, 0]))
        for n, (_, link) in enumerate(made.plan.network.links)
        if link.circuit in made.plan.circuits and made.plan.circuits[link.circuit].stage == "mv"
    )
    assumed_w = sum(flow.part(id).loss_w for id in ("branch", "feeder", "lv_board"))
    yield from _same("conductor loss", check.value, low_w)
    yield from _same("assumed loss of conductors", check.limit, assumed_w)
    yield from _same("feeder.loss", float(made.results["feeder.loss"].si), low_w)
    if "feeder.loss_mv" in made.results:
        yield from _same("feeder.loss_mv", float(made.results["feeder.loss_mv"].si), medium_w)


def _of_links(found: Design) -> dict[str, float]:
    """Return the loss of each circuit at low voltage; branches with the mean route of a hall."""
    made, lost = found.distribution, defaultdict[str, float](float)
    routes = {hall.name: (hall.route_mean_m, hall.route_max_m) for hall in found.facility.it.halls}
    own_length = found.facility.electrical.conductors.branch_length_m is not None
    halls = {one.tag: one.hall for one in made.plan.network.equipment if one.kind == "rack-pdu"}
    for n, (target, link) in enumerate(made.plan.network.links):
        circuit = made.plan.circuits.get(link.circuit)
        if circuit is not None and circuit.stage == "mv":
            continue
        part = 1.0
        if target in halls and not own_length and routes[halls[target]][1] > 0.0:
            mean_m, longest_m = routes[halls[target]]
            part = mean_m / longest_m
        lost[link.circuit] += part * float(np.nan_to_num(made.normal.circuit_loss_w[n, 0]))
    return lost


def _drops(found: Design, check: Check) -> Iterator[str]:
    made = found.distribution
    volts = {
        load.tag: float(made.normal.load_voltage_pu[n, 0])
        for n, load in enumerate(made.plan.network.loads)
        if load.kind.critical
    }
    lowest = min(volts.values())
    yield from _same("largest drop", check.value, 1.0 - lowest)
    yield from _same("feeder.drop_max", float(made.results["feeder.drop_max"].si), 1.0 - lowest)
    yield from _same("permitted drop", check.limit, found.facility.criteria.voltage_drop_total)
    if volts[check.subject] > lowest * (1.0 + CLOSE):
        yield f"largest drop: {check.subject} at {volts[check.subject]}, {lowest} elsewhere"


def _loadings(found: Design, checks: dict[str, list[Check]]) -> Iterator[str]:
    """The fullest of each sort of equipment and circuit, in the states that size conductors."""
    plan = found.distribution.plan
    outages = sizing_outages(plan.network, found.panels)
    flow = solve(plan.with_fixed_load_shares.compiled, outages)
    most: dict[tuple[str, str], float] = defaultdict(float)
    for n, one in enumerate(plan.network.equipment):
        fullest = float(np.nan_to_num(flow.loading[n]).max())
        most["NETWORK-LOADING", one.kind] = max(most["NETWORK-LOADING", one.kind], fullest)
    for n, (_, link) in enumerate(plan.network.links):
        circuit = plan.circuits.get(link.circuit)
        if circuit is not None:
            fullest = float(np.nan_to_num(flow.circuit_loading[n]).max())
            key = "CIRCUIT-LOADING", f"{circuit.stage} circuit"
            most[key] = max(most[key], fullest)
    for (rule, sort), wanted in most.items():
        own = [c for c in checks[rule] if c.subject.endswith(f", most loaded {sort}")]
        if bool(own) != (wanted > 0.0):
            yield f"{rule} of {sort}: {len(own)} checks, loaded {wanted}"
        for check in own:
            yield from _same(f"{rule} of {sort}", check.value, wanted)


def _main(found: Design, board: Equipment) -> float:
    """Return the largest device, or devices in parallel, that feeds a board; a way without one
    passes on what feeds its source; a generator bus is at least what it feeds."""
    made = found.distribution
    plan, device_a = made.plan, made.feeders.device_a
    ways = [0.0]
    for link in board.links:
        source = plan.network[link.source]
        if link.circuit in device_a:
            ways.append(plan.circuits[link.circuit].runs * device_a[link.circuit])
        elif not link.circuit and source.kind != "ups":
            ways.append(_main(found, source))
    if board.kind == "generator-bus":
        ways += [a for tag, a in device_a.items() if plan.circuits[tag].source == board.tag]
    return max(ways)


def larger_for_losses(found: Design) -> Iterator[str]:
    """Less loss assumed than found: sorts that lose most are enlarged by 1.6 until it is met."""
    made, circuits = found.distribution, found.distribution.plan.circuits
    lost_w = _of_links(found)
    found_w = sum(lost_w.values()) + sum(unit.loss_w for unit in made.mechanical.circuits)
    feeders = [one for one in made.feeders.feeders if one.choice is not None]
    sorts: dict[int, float] = defaultdict(float)
    for one in feeders:
        sorts[one.group] += lost_w.get(one.circuit.tag, 0.0)
    for part in (1.0, 0.95, 0.7):
        left_w, larger = (1.0 - part) * found_w, set[int]()
        for sort, loss_w in sorted(sorts.items(), key=lambda item: -item[1]):
            if left_w > 1e-9 * found_w:
                larger.add(sort)
                left_w -= loss_w * 0.6 / 1.6
        wanted = {
            one.circuit.tag: one.choice.drop / 1.6
            for one in feeders
            if one.group in larger and one.choice is not None and one.choice.drop
        }
        parts = tuple(
            replace(one, loss_w=part * found_w if one.id == "feeder" else 0.0)
            for one in found.point.flow.parts
        )
        sizing = Sizing(
            found.facility, found.chain, found.panels, found.point.demand,
            replace(found.point.flow, parts=parts), (0.0, ""), found.trace,
            found.electrical_units,
        )  # fmt: skip
        shown = _drops_for_losses(sizing, made.plan, made.feeders, made.normal)
        if found.chain.chain.wiring.losses_stated:
            wanted = {}
        if shown.keys() != wanted.keys():
            apart = sorted(shown.keys() ^ wanted.keys())
            yield f"enlarged at {part:.0%} of the loss: {apart[:4]} of {len(circuits)}"
            continue
        for tag, drop in wanted.items():
            yield from _same(f"drop of {tag} at {part:.0%} of the loss", shown[tag], drop)
