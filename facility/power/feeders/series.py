"""Overcurrent devices in series: none is smaller than a single downstream device.

Currents are referred to one voltage; devices downstream of one bus are not added. The devices of
motors and compressors (NEC 430.52, 440.22) on a mechanical board may exceed their current: its
feeder device is at least the largest of them plus the current of the other running motors, the sum
of 430.62(A). Taps (240.21(B)) do not occur in these circuits.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from types import MappingProxyType

from facility.core.check import Check
from facility.core.rounding import within
from facility.power.network.build.plan import NetworkPlan, PlannedCircuit
from facility.power.network.graph.types import EquipmentKind
from facility.power.rules import RULES

EXEMPT: Mapping[str, str] = MappingProxyType(
    {
        "set": "generator sets: the duty sets carry the worst state together",
        "ups": "an inverter limits its own current; the bypasses count",
        "mv": "at medium voltage the relay pickup, not the breaker frame, provides protection",
    }
)
"""Equipment kinds and circuit stages whose devices are not compared, with the reason.

Identical parallel circuits, to the static switches of several modules, count together.
"""


class Series:
    """Supply relation of circuits through equipment without an intermediate device."""

    def __init__(self, plan: NetworkPlan) -> None:
        self._network = plan.network
        self._level: dict[str, int] = {}
        self._passed_to: dict[str, list[str]] = defaultdict(list)
        for one in plan.network.equipment:
            for link in one.links:
                if not link.circuit and plan.network[link.source].kind not in EXEMPT:
                    self._passed_to[link.source].append(one.tag)
        self._leaving: dict[str, list[PlannedCircuit]] = defaultdict(list)
        for circuit in plan.circuits.values():
            self._leaving[circuit.source].append(circuit)

    def fed_by(self, circuit: PlannedCircuit) -> Iterator[PlannedCircuit]:
        """Yield the circuits whose devices are the next downstream of a device."""
        if circuit.target not in self._network.index or circuit.stage in EXEMPT:
            return
        waiting = [circuit.target]
        while waiting:
            tag = waiting.pop()
            if self._network[tag].kind not in EXEMPT:
                yield from self._leaving[tag]
                waiting += self._passed_to[tag]

    def largest_fed(
        self, circuit: PlannedCircuit, device_a: Mapping[str, float]
    ) -> tuple[float, str]:
        """Return the largest downstream device of a circuit, at its voltage [A], and its circuit.

        device_a: Ratings by tag, for the devices selected so far.
        """
        found = 0.0, ""
        for one in self.fed_by(circuit):
            if one.tag in device_a:
                referred_a = device_a[one.tag] * one.voltage_v / circuit.voltage_v
                if not within(referred_a, found[0]):
                    found = referred_a, one.tag
        return found

    def min_device(
        self, circuit: PlannedCircuit, device_a: Mapping[str, float]
    ) -> tuple[float, str]:
        """Return the minimum device rating of a circuit by its downstream devices [A]; why."""
        if circuit.motors is not None:
            rating_a, rest_a = circuit.motors.device.rating_a, circuit.motors.rest_a
            why = f"largest motor device {rating_a:,.0f} A plus {rest_a:,.0f} A of other motors"
            return circuit.motors.min_device_a, why
        fed_a, tag = self.largest_fed(circuit, device_a)
        return fed_a / circuit.duty_runs, f"as the largest downstream device, {tag}"

    def level(self, tag: str) -> int:
        """Return the number of equipment levels upstream of a piece of equipment."""
        if tag not in self._level:
            levels = (self.level(link.source) for link in self._network[tag].links)
            self._level[tag] = 1 + max(levels, default=-1)
        return self._level[tag]


def series_checks(
    plan: NetworkPlan, device_a: Mapping[str, float], load: Mapping[str, str]
) -> Iterator[Check]:
    """Yield, for each kind of board and switch, the worst downstream-to-upstream device ratio.

    device_a: Rating of the device of each circuit, by tag.
    load: Load of each circuit as text, by tag.
    """
    series, network = Series(plan), plan.network
    worst: dict[EquipmentKind, tuple[float, float, str, str]] = {}
    for upstream in plan.circuits.values():
        if upstream.tag not in device_a:
            continue
        referred_a, tag = series.largest_fed(upstream, device_a)
        if not tag:
            continue
        kind = network[plan.circuits[tag].source].kind
        ratio = referred_a / (upstream.duty_runs * device_a[upstream.tag])
        if kind not in worst or not within(ratio, worst[kind][0]):
            worst[kind] = ratio, device_a[tag] / ratio, tag, upstream.tag
    for _, limit_a, tag, name in worst.values():
        number = plan.circuits[name].duty_runs
        counted = (
            f"{number} x {device_a[name]:,.0f} A" if number > 1 else f"{device_a[name]:,.0f} A"
        )
        upstream_v, downstream_v = (plan.circuits[one].voltage_v for one in (name, tag))
        if upstream_v != downstream_v:
            counted += f" at {upstream_v:,.0f} V, {limit_a:,.0f} A at {downstream_v:,.0f} V,"
        why = (
            f"{device_a[tag]:,.0f} A device ({load[tag]}); upstream {counted} of {name}"
            f" ({load[name]}); largest ratio of its equipment type"
        )
        yield RULES["DEVICE-SERIES"].at_most(tag, device_a[tag], limit_a, "current", why)
