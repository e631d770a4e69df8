"""Devices of the circuits as the design has them: rating, type, and poles in a panel."""

from __future__ import annotations

from functools import cached_property

from facility.core.views import show
from facility.study.design.design import Design


class DeviceData:
    """Texts of the devices of one design."""

    def __init__(self, design: Design) -> None:
        feeders = design.distribution.feeders
        self.design, self._planned = design, design.distribution.plan.circuits
        self._device_a, self._pickup_a = feeders.device_a, feeders.pickup_a
        self._trips = {
            f.circuit.tag: f.trip.functions for f in feeders.feeders if f.trip is not None
        }

    @cached_property
    def poles(self) -> dict[str, str]:
        """Pole positions of each branch circuit that is placed in its panel."""
        return {
            circuit.id: "-".join(map(str, panel.occupied(circuit)))
            for panel in self.design.panels.panels
            for circuit in panel.circuits
            if panel.occupied(circuit)
        }

    @cached_property
    def hall(self) -> dict[str, str]:
        """Hall of each equipment and load inside a hall."""
        network = self.design.distribution.plan.network
        halls = {one.tag: one.hall for one in network.equipment}
        halls |= {load.tag: load.hall for load in network.loads}
        return {tag: hall for tag, hall in halls.items() if hall}

    def device(self, circuit: str) -> str:
        """Return rating and type of the device of a circuit; "rating not stated" without one."""
        planned = self._planned.get(circuit)
        if circuit in self._pickup_a:
            pickup = show(self._pickup_a[circuit], "current", digits=0)
            return f"MV breaker, relay pickup {pickup}"
        rating_a = self._device_a.get(circuit) or (planned.breaker_a if planned else None)
        if rating_a is None:
            return "rating not stated"
        runs = f"{planned.runs} x " if planned is not None and planned.runs > 1 else ""
        words = f"{runs}{show(rating_a, 'current', digits=0)}"
        return f"{words} {self._trips[circuit]}" if circuit in self._trips else words

    def location(self, at: str, circuits: tuple[str, ...]) -> str:
        """Return where devices are: equipment, hall, and the poles of branch circuits."""
        places = [at, self.hall.get(at, "")]
        poles = [self.poles[tag] for tag in circuits if tag in self.poles]
        if poles:
            places.append(f"poles {' '.join(poles)}")
        return ", ".join(part for part in places if part)
