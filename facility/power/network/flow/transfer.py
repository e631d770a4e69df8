"""What is alive in each state, and by which of its links: the transfer of switches and bypasses."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from hashlib import blake2b

import numpy as np
from numpy.typing import NDArray

from facility.core.errors import unknown
from facility.power.network.flow.compile import Compiled
from facility.power.network.graph.types import Outage

Bools = NDArray[np.bool_]
Ints = NDArray[np.intp]
_KEYED = 256


@dataclass(frozen=True, eq=False)
class OutOfService:
    """What each state takes out, sorted by state: pairs of state and place, each tag once."""

    pairs: dict[str, NDArray[np.intp]]

    def part(self, what: str, lo: int, hi: int) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """Return places and states (counted from `lo`) of one sort for states `lo` to `hi`."""
        pairs = self.pairs[what]
        begin, end = np.searchsorted(pairs[:, 0], [lo, hi])
        return pairs[begin:end, 1], pairs[begin:end, 0] - lo


@dataclass(frozen=True, eq=False)
class Routes:
    """Transfer in a range of states: equipment by row, cords in compiled order.

    Attributes
    ----------
    units : ndarray, int, shape (rows, states)
        Units in service.
    live, on_battery, protected : ndarray, bool, shape (rows, states)
        Energised; running from its battery; with a converter between it and the sources.
    taken : ndarray, int8, shape (rows, states)
        Link in use, -1 for dead equipment and for sources.
    cord_live : ndarray, bool, shape (cords, states)
        Whether the cord is alive.
    pattern : ndarray, int, shape (loads, states)
        Set of live cords of each load.
    """

    units: NDArray[np.int32]
    live: Bools
    on_battery: Bools
    protected: Bools
    taken: NDArray[np.int8]
    cord_live: Bools
    pattern: NDArray[np.int32]

    def part(self, rows: Ints, cords: Ints, states: Ints) -> Routes:
        """Return some rows, cords and states; of all loads."""
        kept = np.ix_(rows, states)
        by_row = {one.name: getattr(self, one.name)[kept] for one in fields(self)[:5]}
        cord_live = self.cord_live[np.ix_(cords, states)]
        return replace(self, **by_row, cord_live=cord_live, pattern=self.pattern[:, states])


def islands(compiled: Compiled, routes: Routes, rows: Ints, states: Ints) -> Ints:
    """Return what each row hangs on in its state: a converter, else a source or a dead row."""
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
    """Return for each row and state whether what hangs on it is not as in the one state of `base`.

    It is told of converters, whose output voltage depends on nothing above them. What hangs on a
    converter draws the same as in `base` where all of it is alive by the same links, with the same
    units, and the same cords of its loads are alive, whether or not the cords are its own.
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


def read_outages(compiled: Compiled, outages: Sequence[Outage]) -> OutOfService:
    """Look up the tags of all outages.

    Raises
    ------
    FacilityError
        ``NETWORK_TAG`` for a tag that is neither a unit, nor equipment, nor a circuit.
    """
    found: dict[str, list[tuple[int, int]]] = {"unit": [], "row": [], "branch": [], "cord": []}
    for state, outage in enumerate(outages):
        tags = dict.fromkeys(outage.out)
        if not tags.keys() <= compiled.tags.keys():
            tag = next(tag for tag in tags if tag not in compiled.tags)
            raise unknown(
                "NETWORK_TAG",
                outage.id,
                f"{tag!r} is no unit, equipment or circuit.",
                tag,
                compiled.tags,
            )
        for what, place in map(compiled.tags.__getitem__, tags):
            found[what].append((state, place))
    return OutOfService(
        {what: np.array(places, dtype=np.intp).reshape(-1, 2) for what, places in found.items()}
    )


def route(compiled: Compiled, out: OutOfService, lo: int, hi: int, batteries: bool) -> Routes:
    """Transfer states `lo` to `hi`: each takes the first of its links that is alive.

    A static transfer switch prefers a link behind a running converter to one on bypass.

    Parameters
    ----------
    compiled : Compiled
        The network.
    out : OutOfService
        From `read_outages`.
    lo, hi : int
        Range of states.
    batteries : bool
        Whether a converter whose input is dead runs from its battery, or stands still.
    """
    rows, states = compiled.order.size, hi - lo
    units = np.repeat(compiled.units[:, None].astype(np.int32), states, axis=1)
    np.subtract.at(units, out.part("unit", lo, hi), 1)
    units[out.part("row", lo, hi)] = 0
    closed = np.ones((compiled.branches.row.size, states), dtype=bool)
    closed[out.part("branch", lo, hi)] = False
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
    return Routes(units, live, on_battery, protected, taken, *_cords(compiled, out, live, lo, hi))


def route_keys(
    compiled: Compiled, out: OutOfService, states: int, *, batteries: bool
) -> list[bytes]:
    """Return a key of the transfer of each state: states of one key have the same power flow.

    It is a digest of all that the flow depends on: units in service of what is alive, links
    taken, converters on battery, and live cords.

    Parameters
    ----------
    compiled, out, batteries
        As `route`.
    states : int
        Number of states.
    """
    keys: list[bytes] = []
    for lo in range(0, states, _KEYED):
        found = route(compiled, out, lo, min(states, lo + _KEYED), batteries)
        parts = (np.where(found.live, found.units, 0), found.taken, found.on_battery, found.pattern)
        rows = [np.ascontiguousarray(part.T) for part in parts]
        for state in range(found.live.shape[1]):
            digest = blake2b(digest_size=16)
            for part in rows:
                digest.update(part[state])
            keys.append(digest.digest())
    return keys


def _supply(
    compiled: Compiled,
    rows: slice,
    closed: Bools,
    live: Bools,
    taken: NDArray[np.int8],
    protected: Bools,
) -> None:
    """Let a level take the first live link; `live` says before which rows have units.

    A static transfer switch looks for a link behind a running converter first.
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


def _cords(
    compiled: Compiled, out: OutOfService, live: Bools, lo: int, hi: int
) -> tuple[Bools, NDArray[np.int32]]:
    cords = compiled.cords
    cord_live = live[cords.source]
    cord_live[out.part("cord", lo, hi)] = False
    pattern = np.zeros((cords.load_table.size, hi - lo), dtype=np.int32)
    for bit, (side, loads) in enumerate(cords.sides):
        pattern[loads] |= cord_live[side].astype(np.int32) << bit
    return cord_live, pattern
