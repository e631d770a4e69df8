"""Groups of an existing panel: possible positions of the moved breakers of its runs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import product

from facility.power.panels.balance.units import ALL_ORDERS_UP_TO, run_positions
from facility.power.panels.board.constraints import groups
from facility.power.panels.board.model import Panel

Positions = tuple[int, ...]


class PlacedGroups:
    """Groups of one panel among its movable circuits.

    panel: Panel with every circuit placed.
    """

    def __init__(self, panel: Panel) -> None:
        self._panel = panel
        loads = {c.id: k for k, c in enumerate(c for c in panel.circuits if not c.fixed)}
        self._load_index = [loads.get(circuit.id) for circuit in panel.circuits]
        self._runs = list(groups(panel.circuits, "together").values())
        self._apart = groups(panel.circuits, "apart")
        self._blocked = {n for c in panel.circuits if c.fixed for n in panel.occupied(c)}
        self._known: dict[tuple[int, Positions], list[Positions]] = {}

    @property
    def any(self) -> bool:
        """Whether there are any groups."""
        return bool(self._runs or self._apart)

    @property
    def all_orders(self) -> bool:
        """Whether every order of every run is evaluated."""
        return all(len(members) <= ALL_ORDERS_UP_TO for members in self._runs)

    def _position(self, index: int, positions: Positions) -> int:
        load = self._load_index[index]
        return (self._panel.circuits[index].position or 1) if load is None else positions[load]

    def arranged(
        self, positions: Positions, moving: Mapping[int, int], taken: set[int]
    ) -> Iterator[dict[int, int]]:
        """Yield new positions of the moving circuits of `together` groups.

        positions: Present positions of the movable circuits.
        moving: New start phase of each moving circuit.
        taken: Positions of the circuits that do not move.
        """
        touched = [
            number
            for number, members in enumerate(self._runs)
            if any(self._load_index[i] in moving for i in members)
        ]
        each = [self._ways(number, positions, moving, taken) for number in touched]
        for ways in product(*each):
            there = {load: position for way in ways for load, position in way.items()}
            poles = [n for load, at in there.items() for n in self._occupied(load, at)]
            if len(poles) == len(set(poles)):
                yield there

    def _occupied(self, load: int, position: int) -> tuple[int, ...]:
        index = self._load_index.index(load)
        return self._panel.layout.occupied(position, self._panel.circuits[index].poles)

    def _ways(
        self, number: int, positions: Positions, moving: Mapping[int, int], taken: set[int]
    ) -> list[dict[int, int]]:
        """Return the arrangements of the moving circuits of a run next to its other circuits."""
        members = self._runs[number]
        pinned = {
            k: self._position(index, positions)
            for k, index in enumerate(members)
            if self._load_index[index] not in moving
        }
        found = []
        for arrangement in self._arrangements(number, members, pinned):
            there = {
                load: position
                for index, position in zip(members, arrangement, strict=True)
                if (load := self._load_index[index]) is not None and load in moving
            }
            phases = all(self._panel.layout.phase(at) == moving[k] for k, at in there.items())
            if phases and not any(
                taken.intersection(self._occupied(k, at)) for k, at in there.items()
            ):
                found.append(there)
        return found

    def _arrangements(
        self, number: int, members: Sequence[int], pinned: Mapping[int, int]
    ) -> list[Positions]:
        key = (number, tuple(pinned.get(k, 0) for k in range(len(members))))
        if key not in self._known:
            circuits = [self._panel.circuits[index] for index in members]
            own = {n for c in circuits if c.fixed for n in self._panel.occupied(c)}
            poles = [circuit.poles for circuit in circuits]
            self._known[key] = list(run_positions(self._panel, poles, pinned, self._blocked - own))
        return self._known[key]
