"""Availability by minimal cut sets, from the network graph.

Only supply continuity counts: equipment is alive while enough of its units are in service and
something alive supplies it. Units in parallel are one component that is down with fewer units than
the load requires, in the normal state or, for a generator plant, after the loss of the utility.
Components fail independently; planned maintenance, common causes, failures to start and the
battery are excluded, and a maintenance bypass carries no load after a failure.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, combinations, islice
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from facility.core.rounding import rounded
from facility.physics.facility.metrics import SECONDS_PER_YEAR
from facility.physics.facility.reliability import (
    cut_unavailability,
    expected_down_time,
    rare_event_sum,
    too_few_units,
)
from facility.power.network.graph.types import Equipment, Load, Network

Cut = tuple[str, ...]
"""Tags of equipment and circuits whose simultaneous failure stops a load."""

_CHUNK = 4096
_MAX_EXACT = 16


@dataclass(frozen=True, slots=True)
class LoadAvailability:
    """Availability of the loads of one class."""

    loads: tuple[str, ...]  # Tags of the loads, all identical
    cuts: tuple[Cut, ...]  # Minimal cut sets up to the order studied
    # Sum over the cut sets; None if times of `missing` kinds are unknown, or if no cut set of the
    # order studied exists, as the contribution of larger ones is unknown.
    unavailability: float | None
    # Unavailability without the rare-event approximation; None above sixteen components.
    exact: float | None
    down_s: float | None  # Expected annual time without power [s]
    # Cut sets by their contribution to the unavailability, largest first; equal ones together.
    contributors: tuple[tuple[str, float], ...]
    missing: tuple[str, ...]  # Component kinds whose required times are not specified


class Liveness:
    """Loss of supply of one load, for many sets of failures at once.

    network: Network graph.
    """

    def __init__(self, network: Network, load: Load) -> None:
        self.load = load
        self._equipment, self.kinds = _above(network, (load,))

    @property
    def components(self) -> tuple[str, ...]:
        """Tags of all equipment and circuits upstream of the load."""
        return tuple(self.kinds)

    def stopped(self, out: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """Return in which columns some equipment of the load stops.

        out: Failed components, shape (components, sets), bool.
        """
        row = {tag: n for n, tag in enumerate(self.kinds)}
        alive: dict[str, NDArray[np.bool_]] = {}
        none = np.zeros(out.shape[1], dtype=bool)

        def fed(source: str, circuit: str) -> NDArray[np.bool_]:
            live = alive.get(source, none)
            return live & ~out[row[circuit]] if circuit in row else live

        for one in self._equipment:
            live = ~out[row[one.tag]]
            if one.links:
                ways = [fed(link.source, link.circuit) for link in one.links]
                live &= np.logical_or.reduce(ways)
            alive[one.tag] = live
        pattern = np.zeros(out.shape[1], dtype=np.int64)
        for bit, cord in enumerate(self.load.cords):
            pattern |= fed(cord.link.source, cord.link.circuit).astype(np.int64) << bit
        return np.asarray(self.load.kind.off[pattern])


def kinds_above(network: Network, loads: Iterable[Load]) -> set[str]:
    """Return the kinds of all components that can stop some of the loads."""
    return set(_above(network, loads)[1].values())


def _above(network: Network, loads: Iterable[Load]) -> tuple[list[Equipment], dict[str, str]]:
    """Return equipment upstream of the loads, and the kind of each and of its circuits.

    Maintenance bypasses are closed by hand: they do not transfer load.
    """
    by_hand = {one.tag for one in network.equipment if one.kind == "maintenance-bypass"}
    cords = [cord.link for load in loads for cord in load.cords]
    pending = {link.source for link in cords} - by_hand
    for one in reversed(network.equipment):
        if one.tag in pending:
            pending.update(link.source for link in one.links)
            pending -= by_hand
    equipment = [one for one in network.equipment if one.tag in pending]
    kinds: dict[str, str] = {}
    for one in equipment:
        kinds[one.tag] = one.kind
        ways = (link for link in one.links if link.source not in by_hand)
        kinds |= {link.circuit: "circuit" for link in ways if link.circuit}
    kinds |= {link.circuit: "circuit" for link in cords if link.circuit}
    return equipment, kinds


def minimal_cuts(live: Liveness, order: int = 2) -> tuple[Cut, ...]:
    """Return the minimal cut sets of a load, single components first.

    live: Load and its part of the graph.
    order: Maximum number of components in a cut set.

    It is one empty set if the load does not run with all in service.
    """
    tags = live.components
    if live.stopped(np.zeros((len(tags), 1), dtype=bool)).any():
        return ((),)
    found: list[tuple[int, ...]] = []
    for size in range(1, order + 1):
        left = [n for n in range(len(tags)) if (n,) not in found]
        sets = combinations(left, size)
        hits: list[tuple[int, ...]] = []
        while chunk := list(islice(sets, _CHUNK)):
            out = np.zeros((len(tags), len(chunk)), dtype=bool)
            out[np.array(chunk).T, np.arange(len(chunk))] = True
            hits += [chunk[n] for n in np.flatnonzero(live.stopped(out))]
        smaller = [frozenset(cut) for cut in found if len(cut) > 1]
        found += [hit for hit in hits if not any(cut <= set(hit) for cut in smaller)]
    return tuple(tuple(tags[n] for n in cut) for cut in found)


def exact_unavailability(cuts: Sequence[Cut], down: Mapping[str, float]) -> float:
    """Return the probability that at least one of the cut sets is down, over all states.

    down: Unavailability of each component in them.

    Raises
    ------
    ValueError
        Above sixteen components.
    """
    tags = tuple(dict.fromkeys(chain.from_iterable(cuts)))
    if len(tags) > _MAX_EXACT:
        raise ValueError(f"{len(tags)} components have too many states to enumerate")
    sets = np.arange(2 ** len(tags))
    out = {tag: (sets >> n) & 1 == 1 for n, tag in enumerate(tags)}
    weight = np.ones(len(sets))
    for tag in tags:
        weight *= np.where(out[tag], down[tag], 1.0 - down[tag])
    cut_down = [np.logical_and.reduce([out[tag] for tag in cut]) for cut in cuts]
    stopped = np.logical_or.reduce(cut_down) if cut_down else np.zeros(len(sets), dtype=bool)
    return float(weight[stopped].sum())


def load_availability(
    network: Network,
    classes: Sequence[Sequence[Load]],
    needed: Mapping[str, int],
    unavailability: Mapping[str, float],
    runs: Mapping[str, int] = MappingProxyType({}),
) -> Iterator[LoadAvailability]:
    """Yield the availability of each class of loads.

    classes: Identical loads; the first represents all.
    needed: Required units by tag of equipment, or of a circuit with several runs; default
        one.
    unavailability: Unavailability of one unit by component kind; may be incomplete.
    runs: Runs by circuit tag, one to each generator set, that fail individually.
    """
    units = {one.tag: len(one.unit_tags) for one in network.equipment} | dict(runs)
    for loads in classes:
        live = Liveness(network, loads[0])
        cuts = minimal_cuts(live)
        tags = tuple(load.tag for load in loads)
        missing = sorted({live.kinds[t] for cut in cuts for t in cut} - set(unavailability))
        if missing or not cuts:
            yield LoadAvailability(tags, cuts, None, None, None, (), tuple(missing))
        else:
            down = {
                tag: _down(units.get(tag, 1), needed.get(tag, 1), unavailability[live.kinds[tag]])
                for cut in cuts
                for tag in cut
            }
            total = 0.0
            parts: dict[str, float] = defaultdict(float)
            members: dict[str, list[Cut]] = defaultdict(list)
            for cut in cuts:
                both = 1.0
                for tag in cut:
                    both = float(cut_unavailability.si(both, down[tag]))
                total = float(rare_event_sum.si(total, both))
                name = " and ".join(sorted(live.kinds[tag] for tag in cut))
                parts[name] += both
                members[name].append(cut)
            few = len(down) <= _MAX_EXACT
            ranked = sorted(parts.items(), key=lambda item: (-rounded(item[1]), item[0]))
            yield LoadAvailability(
                loads=tags,
                cuts=cuts,
                unavailability=total,
                exact=exact_unavailability(cuts, down) if few else None,
                down_s=float(expected_down_time.si(total, SECONDS_PER_YEAR)),
                contributors=tuple(
                    (_named(name, members[name]), value / total if total else 0.0)
                    for name, value in ranked
                ),
                missing=(),
            )


def _down(units: int, needed: int, unit: float) -> float:
    """Return the unavailability of equipment or of a circuit from one unit's value."""
    return float(too_few_units.si(units, needed, unit)) if units > 1 else unit


def _named(name: str, cuts: Sequence[Cut]) -> str:
    first = " and ".join(cuts[0])
    return f"{name} ({first})" if len(cuts) == 1 else f"{len(cuts)} x {name}, e.g. {first}"
