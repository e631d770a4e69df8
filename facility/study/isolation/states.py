"""Electrical state after every switching step: load dropped, redundant feeds left, overloads."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from facility.core.errors import FacilityError
from facility.power.network.flow.transfer import route
from facility.power.network.graph.types import Network, Outage
from facility.power.network.outages.cases import Case
from facility.power.network.outages.lost import opens_bypasses
from facility.power.network.outages.states import Figure, OutageState, StateSolver
from facility.study.isolation.actions import RouteView

_BATCH = 512


@dataclass(frozen=True, slots=True)
class StateEffect:
    """Effect of one state compared with the normal state."""

    racks: tuple[Figure, ...] = ()  # IT loads without power, with the power lost [W]
    dropped_w: float = 0.0  # IT load dropped [W]
    others: tuple[Figure, ...] = ()  # Cooling and building load dropped [W]
    not_redundant: tuple[Figure, ...] = ()  # IT loads that the loss of one more cord would stop [W]
    unprotected_w: float = 0.0  # IT load served without an upstream UPS [W]
    overloads: tuple[Figure, ...] = ()  # Components above their rating, with loading
    moves: tuple[str, ...] = ()  # Transfers of the state, as text
    generator_w: float = 0.0  # IT load whose feeds are all on generators [W]
    highest: Figure | None = None  # Component with the highest loading; None without a rating
    refusal: str = ""  # Why the state is not evaluated, and the input that would decide it

    @property
    def not_redundant_w(self) -> float:
        """IT load without a redundant feed [W]."""
        return sum(power_w for _, power_w in self.not_redundant)


class StateEffects:
    """Solver of the states of many isolations; each distinct state is solved once."""

    def __init__(self, solver: StateSolver) -> None:
        self.solver, self.network = solver.fresh(), solver.network
        self.compiled = solver.compiled
        self._opened = opens_bypasses(self.network)
        self.start = self.views([Outage("normal")])[0]
        loads = self.network.loads
        self._critical = np.array([load.kind.critical for load in loads], dtype=bool)
        self._total_w = np.array([load.kind.total_w for load in loads])
        self._vulnerable = _vulnerable(self.network, self.compiled.cords.load_table)
        self._unrated = {
            link.circuit for _, link in self.network.links if link.circuit and link.rating_a is None
        }

    def views(self, outages: Sequence[Outage], *, batteries: bool = False) -> list[RouteView]:
        """Return live elements and supplies in use in each state."""
        found = []
        for first in range(0, len(outages), _BATCH):
            part = outages[first : first + _BATCH]
            routes = route(self.compiled, self._opened(part), batteries)
            found += [RouteView(self.compiled, routes, n) for n in range(len(part))]
        return found

    def solve(self, outages: Iterable[Outage]) -> dict[tuple[str, ...], StateEffect]:
        """Return the effect of each state, by the equipment out of service."""
        distinct = {key_of(one): one for one in outages}
        found: dict[tuple[str, ...], StateEffect] = {}
        for first in range(0, len(distinct), _BATCH):
            keys = list(distinct)[first : first + _BATCH]
            states = [distinct[key] for key in keys]
            views = self.views(states)
            for key, state, effect in zip(keys, self._solved(states), views, strict=True):
                if isinstance(state, FacilityError):
                    found[key] = StateEffect(refusal=f"NOT_EVALUATED: {state}")
                else:
                    found[key] = self._effect(state, effect)
        return found

    def _solved(self, outages: Sequence[Outage]) -> Iterator[OutageState | FacilityError]:
        """Yield the solved states; one without a solution by itself, with its error."""
        cases = [Case(one, "maintenance") for one in outages]
        try:
            yield from [s for columns in self.solver.columns(iter(cases)) for s in columns.states]
        except FacilityError as error:
            if len(outages) == 1:
                yield error
            else:
                for one in outages:
                    yield from self._solved([one])

    def _effect(self, state: OutageState, view: RouteView) -> StateEffect:
        cords, pattern = self.compiled.cords, view.pattern
        rows = cords.load_table + pattern
        served = ~cords.off[rows]
        changed = pattern != self.start.pattern
        last = np.flatnonzero(self._critical & served & changed & self._vulnerable[rows])
        gone = np.flatnonzero(~self._critical & (cords.dropped_w[rows] > 0.0))
        return StateEffect(
            state.racks,
            state.dropped_w,
            tuple((self.network.loads[n].tag, float(cords.dropped_w[rows[n]])) for n in gone),
            tuple((self.network.loads[n].tag, float(self._total_w[n])) for n in last),
            state.unprotected_w,
            state.overloads,
            state.transfers,
            self._generator_w(view),
            state.worst_loading,
            self._undecided(view, changed) if self._unrated else "",
        )

    def _generator_w(self, view: RouteView) -> float:
        """Return the IT load whose live feeds are all supplied by generators [W]."""
        network, taken = self.network, view.taken
        if not np.any(view.live & (taken != self.start.taken)):
            return 0.0
        plants = np.array([one.kind == "generator-plant" for one in network.equipment])
        on_plant = plants.copy()
        for row in self.compiled.order.tolist():
            if taken[row] >= 0:
                source = network.equipment[row].links[int(taken[row])].source
                on_plant[row] = on_plant[network.index[source]]
        total = 0.0
        for number in np.flatnonzero(self._critical).tolist():
            live = int(view.pattern[number])
            rows = [
                network.index[cord.link.source]
                for n, cord in enumerate(network.loads[number].cords)
                if live >> n & 1
            ]
            if rows and all(on_plant[row] for row in rows):
                total += float(self._total_w[number])
        return total

    def _undecided(
        self, view: RouteView, changed: np.ndarray[tuple[int], np.dtype[np.bool_]]
    ) -> str:
        """Return the circuit without a rating that carries transferred load; empty if none."""
        network, taken = self.network, view.taken
        moved = np.flatnonzero(view.live & (taken != self.start.taken)).tolist()
        pending = [network.equipment[row].tag for row in moved]
        for number in np.flatnonzero(changed).tolist():
            load = network.loads[number]
            live = [c.link for n, c in enumerate(load.cords) if int(view.pattern[number]) >> n & 1]
            pending += [link.source for link in live]
            found = self._unrated.intersection(link.circuit for link in live)
            if found:
                return _without_rating(min(found))
        seen = set[str]()
        while pending:
            tag = pending.pop()
            if tag in seen:
                continue
            seen.add(tag)
            row = network.index[tag]
            if taken[row] >= 0:
                link = network.equipment[row].links[int(taken[row])]
                if link.circuit in self._unrated:
                    return _without_rating(link.circuit)
                pending.append(link.source)
        return ""


def key_of(outage: Outage) -> tuple[str, ...]:
    """Return the identity of a state: equipment out of service, and equipment under maintenance."""
    return (*sorted({*outage.lost}), "", *sorted({*outage.maintained}))


def _without_rating(circuit: str) -> str:
    return (
        f"NOT_EVALUATED: {circuit} has no rating, so that its overload cannot be detected; a"
        " conductor for it (power.feeders) would decide it"
    )


def _vulnerable(
    network: Network, load_table: np.ndarray[tuple[int], np.dtype[np.intp]]
) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    """Return for each load kind and set of live cords whether one more lost cord stops it."""
    parts: dict[int, np.ndarray[tuple[int], np.dtype[np.bool_]]] = {}
    for load, start in zip(network.loads, load_table.tolist(), strict=True):
        if start not in parts:
            off = load.kind.off
            sets = np.arange(off.size)
            lost = [
                off[sets & ~(1 << bit)] & (sets >> bit & 1 == 1) for bit in range(load.kind.cords)
            ]
            parts[start] = np.logical_or.reduce(lost)
    return np.concatenate([np.zeros(0, dtype=bool), *(parts[start] for start in sorted(parts))])
