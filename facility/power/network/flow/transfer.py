"""Live equipment and links in use in each state: transfer of switches and bypasses."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import blake2b

import numpy as np
from numpy.typing import NDArray

from facility.core.errors import unknown
from facility.power.network.flow.compile import Compiled
from facility.power.network.graph.types import Outage

Bools = NDArray[np.bool_]
Ints = NDArray[np.intp]


@dataclass(frozen=True, eq=False)
class Routes:
    """Transfer in a range of states: equipment by row, cords in compiled order."""

    units: NDArray[np.int32]  # Units in service; shape (rows, states)
    live: Bools  # Energised; shape (rows, states)
    on_battery: Bools  # Running from its battery; shape (rows, states)
    protected: Bools  # With an upstream converter; shape (rows, states)
    # Link in use, -1 for dead equipment and for sources; shape (rows, states).
    taken: NDArray[np.int8]
    cord_live: Bools  # Whether the cord is alive; shape (cords, states)
    pattern: NDArray[np.int32]  # Set of live cords of each load; shape (loads, states)

    def of_states(self, states: Ints | slice) -> Routes:
        """Return some states."""
        return Routes(**{name: one[:, states] for name, one in vars(self).items()})

    def part(self, rows: Ints, cords: Ints) -> Routes:
        """Return some rows and cords; of all loads."""
        return Routes(
            units=self.units[rows],
            live=self.live[rows],
            on_battery=self.on_battery[rows],
            protected=self.protected[rows],
            taken=self.taken[rows],
            cord_live=self.cord_live[cords],
            pattern=self.pattern,
        )


def islands(compiled: Compiled, routes: Routes, rows: Ints, states: Ints) -> Ints:
    """Return the supply of each row in its state: a converter, otherwise a source or dead row."""
    at = rows.copy()
    holds = np.zeros(compiled.order.size, dtype=bool)
    holds[compiled.converters] = True
    while True:
        taken = routes.taken[at, states]
        up = np.flatnonzero((taken >= 0) & ~holds[at])
        if not up.size:
            return at
        at[up] = compiled.branches.source[compiled.branches.first[at[up]] + taken[up]]


def touched(compiled: Compiled, base: Routes, routes: Routes) -> Bools:
    """Return for each row and state whether its downstream network differs from `base`.

    Evaluated for converters, whose output voltage does not depend on anything upstream. The network
    downstream of a converter draws the same as in `base` if all of it is alive by the same links,
    with the same units, and the same cords of its loads are alive, including cords on other
    converters.
    """
    other = (routes.taken != base.taken) | (routes.live & (routes.units != base.units))
    other[compiled.converters] = False
    rows, states = np.nonzero(other | (routes.live != base.live))
    cords, cord_states = np.nonzero((routes.pattern != base.pattern)[compiled.cords.load])
    rows = np.concatenate([rows, compiled.cords.source[cords]])
    states = np.concatenate([states, cord_states])
    found = np.zeros(routes.live.shape, dtype=bool)
    found[islands(compiled, base, rows, np.zeros_like(states)), states] = True
    found[islands(compiled, routes, rows, states), states] = True
    return found


def _out_of_service(compiled: Compiled, outages: Sequence[Outage]) -> dict[str, tuple[Ints, ...]]:
    """Return the units, rows, branches and cords out of service, each tag of a state once.

    Each type is a pair of indices and states.
    """
    found: list[tuple[str, int]] = []
    counts = []
    for outage in outages:
        tags = dict.fromkeys(outage.out)
        if not tags.keys() <= compiled.tags.keys():
            tag = next(tag for tag in tags if tag not in compiled.tags)
            raise unknown(
                "NETWORK_TAG",
                outage.id,
                f"{tag!r} is not a unit, equipment or circuit of the network.",
                tag,
                compiled.tags,
            )
        found += map(compiled.tags.__getitem__, tags)
        counts.append(len(tags))
    sorts = np.array([what for what, _ in found], dtype=np.str_)
    indices = np.array([index for _, index in found], dtype=np.intp)
    states = np.repeat(np.arange(len(counts)), counts)
    return {
        what: (indices[sorts == what], states[sorts == what])
        for what in ("unit", "row", "branch", "cord")
    }


def route(compiled: Compiled, outages: Sequence[Outage], batteries: bool) -> Routes:
    """Transfer the states of outages: equipment uses the first of its links that is alive.

    A static transfer switch prefers a link downstream of a running converter to one on bypass.

    batteries: Whether a converter with a dead input runs from its battery, or is off.

    Raises ``NETWORK_TAG`` for a tag that is not a unit, equipment or circuit.
    """
    rows, states = compiled.order.size, len(outages)
    out = _out_of_service(compiled, outages)
    units = np.repeat(compiled.units[:, None].astype(np.int32), states, axis=1)
    np.subtract.at(units, out["unit"], 1)
    units[out["row"]] = 0
    closed = np.ones((compiled.branches.row.size, states), dtype=bool)
    closed[out["branch"]] = False
    live = units > 0
    taken = np.full((rows, states), -1, dtype=np.int8)
    protected = np.zeros((rows, states), dtype=bool)
    on_battery = np.zeros((rows, states), dtype=bool)
    for level in compiled.levels[1:]:
        _supply(compiled, slice(level.lo, level.hi), closed, live, taken, protected)
        converters = level.special + level.converters
        if converters.size:
            fed = taken[converters] >= 0
            in_service = units[converters] > 0
            on_battery[converters] = in_service & ~fed & batteries
            live[converters] = in_service & (fed | batteries)
            protected[converters] = live[converters]
    cords = compiled.cords
    cord_live = live[cords.source]
    cord_live[out["cord"]] = False
    pattern = np.zeros((cords.load_table.size, live.shape[1]), dtype=np.int32)
    for bit, (side, loads) in enumerate(cords.sides):
        pattern[loads] |= cord_live[side].astype(np.int32) << bit
    return Routes(units, live, on_battery, protected, taken, cord_live, pattern)


def route_keys(base: Routes, routes: Routes) -> list[bytes]:
    """Return a key of the transfer of each state: states with one key have the same power flow.

    It is a digest of the differences from `base` in everything that affects the flow: units in
    service of live equipment, links in use, converters on battery, and live cords.
    """
    other = (routes.taken != base.taken) | (routes.on_battery != base.on_battery)
    other |= (routes.live != base.live) | (routes.live & (routes.units != base.units))
    (rows, states), (loads, load_states) = _indices(other), _indices(routes.pattern != base.pattern)
    table = np.zeros((rows.size + loads.size, 4), dtype=np.intp)
    table[: rows.size, 0] = rows
    table[: rows.size, 1] = np.where(routes.live[rows, states], routes.units[rows, states], 0)
    table[: rows.size, 2] = routes.taken[rows, states]
    table[: rows.size, 3] = routes.on_battery[rows, states]
    table[rows.size :, 0] = len(other) + loads
    table[rows.size :, 1] = routes.pattern[loads, load_states]
    state = np.concatenate([states, load_states])
    by_state = np.argsort(state, kind="stable")
    ends = np.searchsorted(state[by_state], np.arange(1, routes.live.shape[1]))
    parts = np.split(table[by_state], ends)
    return [blake2b(part.tobytes(), digest_size=16).digest() for part in parts]


def _indices(found: Bools) -> tuple[Ints, Ints]:
    """Return the rows and states with a True value."""
    return np.divmod(np.flatnonzero(found), found.shape[1])


def _supply(
    compiled: Compiled,
    rows: slice,
    closed: Bools,
    live: Bools,
    taken: NDArray[np.int8],
    protected: Bools,
) -> None:
    """Transfer a level to the first live link; `live` initially marks rows with units.

    A static transfer switch first selects a link downstream of a running converter.
    """
    numbers = np.arange(rows.start, rows.stop)
    fed = np.zeros((numbers.size, live.shape[1]), dtype=bool)
    count = np.diff(np.append(compiled.branches.first, compiled.branches.row.size))[rows]
    switches = compiled.switches[rows]
    for guarded in (True, False) if switches.any() else (False,):
        looking = switches if guarded else np.ones_like(switches)
        for choice in range(int(count.max())):
            have = np.flatnonzero((count > choice) & looking)
            branch = compiled.branches.first[numbers[have]] + choice
            source = compiled.branches.source[branch]
            use = live[source] & closed[branch] & live[numbers[have]] & ~fed[have]
            if guarded:
                use &= protected[source]
            fed[have] |= use
            taken[numbers[have]] = np.where(use, np.int8(choice), taken[numbers[have]])
            protected[numbers[have]] |= use & protected[source]
    live[rows] = fed
