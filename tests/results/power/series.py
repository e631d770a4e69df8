"""Devices in series and levels of a network, worked once more by walking it link by link."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from facility.power.feeders.series import Series, series_checks
from facility.power.network.graph.validate import levels
from facility.study.design.design import Design
from tests.results.second import differs


def devices_in_series(found: Design) -> Iterator[str]:
    """The largest device that a circuit feeds without another between, at its own voltage."""
    plan, chance = found.distribution.plan, Random(6)
    network, series = plan.network, Series(plan)
    device_a = {tag: chance.choice([20.0, 60.0, 400.0, 1600.0]) for tag in plan.circuits}
    levels_ = levels(network)
    memo: dict[str, int] = {}

    def level(tag: str) -> int:
        if tag not in memo:
            memo[tag] = max((level(one.source) + 1 for one in network[tag].links), default=0)
        return memo[tag]

    for one in network.equipment:
        wanted = level(one.tag)
        if (levels_[network.index[one.tag]], series.level(one.tag)) != (wanted, wanted):
            yield f"level of {one.tag}: {levels_[network.index[one.tag]]}, by hand {wanted}"
    worst: dict[str, float] = {}
    for circuit in plan.circuits.values():
        fed = list(series.fed_by(circuit))
        largest = max(
            (device_a[one.tag] * one.voltage_v / circuit.voltage_v for one in fed), default=0.0
        )
        shown, _ = series.largest_fed(circuit, device_a)
        yield from differs(f"largest device fed by {circuit.tag}", shown, largest)
        least, _ = series.min_device(circuit, device_a)
        if circuit.motors is None:
            yield from differs(f"least device of {circuit.tag}", least, largest / circuit.duty_runs)
        for one in fed:
            if one.source != circuit.target and not _without_device(
                found, circuit.target, one.source
            ):
                yield f"{one.tag} is not fed by {circuit.tag} directly"
        if fed and largest > 0.0:
            at = max(fed, key=lambda one: device_a[one.tag] * one.voltage_v)
            kind = network[at.source].kind
            ratio = largest / (circuit.duty_runs * device_a[circuit.tag])
            worst[kind] = max(worst.get(kind, 0.0), ratio)
    load = dict.fromkeys(plan.circuits, "load")
    checks = list(series_checks(plan, device_a, load))
    shown_ratios = sorted((c.value or 0.0) / (c.limit or 1.0) for c in checks)
    for shown, wanted in zip(shown_ratios, sorted(worst.values()), strict=True):
        yield from differs("largest ratio of devices in series", shown, wanted, 1e-6)


def _without_device(found: Design, start: str, end: str) -> bool:
    """Return whether links without circuits lead from one piece of equipment to another."""
    network, reached = found.distribution.plan.network, {start}
    while True:
        more = {
            one.tag
            for one in network.equipment
            for link in one.links
            if not link.circuit and link.source in reached
        }
        if more <= reached:
            return end in reached
        reached |= more
