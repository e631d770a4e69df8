"""Mechanical boards: distribution of the cooling units, and feeder loads.

The units of a lineup number are on mechanical boards, each fed from the boards of that number of
two systems through a transfer switch. The network includes the feeders; the boards downstream are
a schedule, so the cooling load of the network is defined only in the power chain.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from facility.core.rounding import OVER, argmax_within_rounding, argmin_within_rounding, within
from facility.model.power.mechanical import CoolingUnits
from facility.physics.circuits.currents import apparent_power, three_phase_current
from facility.power.panels.board.breakers import standard_breakers
from facility.power.panels.board.motor_devices import MotorDevice, MotorGroup, motor_device
from facility.power.train.types import ChainDesign

_PAIR = 2
"""Number of supply boards of each mechanical board, if several systems supply cooling."""


@dataclass(frozen=True, slots=True)
class UnitCircuit:
    """Circuit of each unit of one type: current at rated input, and device."""

    units: CoolingUnits
    current_a: float
    device: MotorDevice


@dataclass(frozen=True, eq=False)
class MechanicalBoard:
    """Mechanical board with its units."""

    tag: str
    load: str  # Tag of the network load that includes it
    sources: tuple[str, ...]  # Supply boards, the normal one first
    units: tuple[tuple[UnitCircuit, int], ...]  # Circuits, and the number of each
    # Loads with unknown units, each with its share [A].
    other: tuple[tuple[CoolingUnits, float], ...]

    @cached_property
    def motors(self) -> MotorGroup:
        """Simultaneous motors: of each type at most the units for its load, 430.26."""
        other_a = sum(current_a for _, current_a in self.other)
        running = [(one, min(count, one.units.duty)) for one, count in self.units]
        load_a = other_a + sum(count * one.current_a for one, count in running)
        if not self.units:
            return MotorGroup(load_a, 0.0, MotorDevice(0.0, 0.0))
        largest = max((one for one, _ in self.units), key=lambda one: one.current_a)
        return MotorGroup(load_a, largest.current_a, largest.device)


@dataclass(frozen=True)
class CoolingSupply:
    """Cooling supply at one voltage: LV boards, or UPS outputs."""

    on_ups: bool
    systems: tuple[tuple[str, ...], ...]  # Board tags of each bus number, by system
    powers_w: tuple[float, ...]  # Load of each bus number


class MechanicalBoards:
    """The mechanical boards of a design."""

    def __init__(
        self,
        design: ChainDesign,
        units: Sequence[CoolingUnits],
        largest_device_a: float,
        code: str,
        edition: str,
        *,
        one_out: bool = False,
    ) -> None:
        """Store the units, and the largest permitted feeder device of a board [A].

        one_out: Whether the units without one board must carry the cooling load.
        """
        sizes_a = standard_breakers(code, edition)
        self._chain = design.chain
        self._largest_a, self._sizes_a = largest_device_a, sizes_a
        self._one_out = one_out
        self._known = [u for u in units if u.installed]
        self._other = [u for u in units if not u.installed]
        self._circuits = {
            u.tag: UnitCircuit(
                u, a := self.current(u.rated_w), motor_device(u.drive, a, code, sizes_a)
            )
            for u in self._known
        }
        self.boards: list[MechanicalBoard] = []

    def current(self, power_w: float) -> float:
        """Return the current of a cooling load on the LV boards or the UPS [A]."""
        power_va = apparent_power.si(power_w, self._chain.mechanical_power_factor)
        return float(three_phase_current.si(power_va, self._chain.wiring.lv_voltage_v))

    def feeders(
        self, supply: CoolingSupply, tags: Sequence[str]
    ) -> list[tuple[int, MotorGroup | None]]:
        """Return the number of feeders of each board of a bus number, and their loads.

        The minimum number of mechanical boards for the largest feeder device, at least two if two
        systems supply cooling; a unit with a device near that limit permits the next rating above
        it. If units are unknown there is one feeder for the load.

        tags: Load of each bus number.
        """
        known = [u for u in self._known if u.on_ups == supply.on_ups]
        if not known or not any(supply.powers_w):
            return [(1, None)] * len(tags)
        shares = {u.tag: self._by_bus(u, supply) for u in known}
        unit_a = max(self._circuits[u.tag].device.rating_a for u in known)
        above_a = next((a for a in self._sizes_a if a > unit_a * OVER), unit_a)
        limit_a = max(self._largest_a, above_a)
        ring = max(len(systems) for systems in supply.systems)
        # A single board for a whole site would stop all cooling with its bus.
        fewest = 2 if ring == _PAIR and sum(w > 0.0 for w in supply.powers_w) == 1 else 1
        if self._one_out:
            fewest = max(fewest, self._boards_of_spares(shares, ring if ring > _PAIR else 1))
        for number in range(fewest, max(fewest, *(sum(found) for found in shares.values())) + 1):
            found = [
                self._of_bus(supply, shares, bus, tag, number * (ring if ring > _PAIR else 1))
                for bus, tag in enumerate(tags)
            ]
            boards = [board for of_bus in found for board in of_bus]
            alone = all(sum(n for _, n in board.units) <= 1 for board in boards)
            if alone or all(within(b.motors.min_device_a, limit_a) for b in boards):
                break
        self.boards += [
            board
            for of_bus, power_w in zip(found, supply.powers_w, strict=True)
            for board in of_bus
            if power_w > 0.0 and (board.units or board.other)
        ]
        each = number * (_PAIR if ring > _PAIR else 1)
        groups = [self._heaviest(of_bus) for of_bus in found]
        return [(each, group if group.largest_a else None) for group in groups]

    @staticmethod
    def _heaviest(boards: Sequence[MechanicalBoard]) -> MotorGroup:
        groups = [board.motors for board in boards]
        return groups[argmax_within_rounding([group.min_device_a for group in groups])]

    def _boards_of_spares(self, shares: Mapping[str, Sequence[int]], rings: int) -> int:
        """Return the boards of each bus, over `rings`, with at most the spare units on each."""
        needed = (
            math.ceil(max(shares[u.tag]) / (u.installed - u.duty) / rings)
            for u in self._known
            if u.tag in shares and u.installed > u.duty
        )
        return max(needed, default=1)

    def _weights(self, units: CoolingUnits, supply: CoolingSupply) -> list[float]:
        parts = zip(self._chain.bus_air, self._chain.bus_coolant, supply.powers_w, strict=True)
        coolant = units.coolant
        weights = [((1.0 - coolant) * air + coolant * wet) * (w > 0.0) for air, wet, w in parts]
        total = sum(weights)
        if total > 0.0:
            return [weight / total for weight in weights]
        loaded = [float(w > 0.0) for w in supply.powers_w]
        return [one / sum(loaded) for one in loaded]

    def _by_bus(self, units: CoolingUnits, supply: CoolingSupply) -> list[int]:
        """Return the installed units of each bus number, whole units, by largest remainder."""
        exact = [units.installed * weight for weight in self._weights(units, supply)]
        found = [math.floor(value) for value in exact]
        order = sorted(range(len(exact)), key=lambda bus: (found[bus] - exact[bus], bus))
        for bus in order[: units.installed - sum(found)]:
            found[bus] += 1
        return found

    def _of_bus(
        self, supply: CoolingSupply, shares: dict[str, list[int]], bus: int, load: str, boards: int
    ) -> list[MechanicalBoard]:
        """Return the mechanical boards of a bus number.

        Units of a type are distributed evenly, the largest type first, each unit to the least
        loaded of the boards with fewest of its type: no board has all units of a plant.
        """
        other = tuple(self._parts(supply, bus, boards))
        counts: list[dict[str, int]] = [{} for _ in range(boards)]
        loads_a = [0.0] * boards
        for tag in sorted(shares, key=lambda tag: -self._circuits[tag].current_a):
            for _ in range(shares[tag][bus]):
                fewest = min(found.get(tag, 0) for found in counts)
                open_a = [
                    load_a if found.get(tag, 0) == fewest else math.inf
                    for found, load_a in zip(counts, loads_a, strict=True)
                ]
                emptiest = argmin_within_rounding(open_a)
                loads_a[emptiest] += self._circuits[tag].current_a
                counts[emptiest][tag] = fewest + 1
        return [
            MechanicalBoard(
                f"{load}.{number + 1}" if boards > 1 else load,
                load,
                _pair(supply.systems[bus], number),
                tuple((self._circuits[tag], count) for tag, count in found.items()),
                other,
            )
            for number, found in enumerate(counts)
        ]

    def _parts(
        self, supply: CoolingSupply, bus: int, boards: int
    ) -> Iterator[tuple[CoolingUnits, float]]:
        """Yield the loads with unknown units, with the share of a board [A]."""
        for units in self._other:
            if units.on_ups == supply.on_ups:
                whole_a = self.current(units.hour_w)
                yield units, float(whole_a * self._weights(units, supply)[bus] / boards)


def _pair(systems: tuple[str, ...], number: int) -> tuple[str, ...]:
    """Return the supply boards of a mechanical board: adjacent pairs in turn, to use all."""
    count = len(systems)
    return tuple(dict.fromkeys(systems[(number + k) % count] for k in range(min(_PAIR, count))))
