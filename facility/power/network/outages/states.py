"""Effect of each outage: dropped load, loadings, voltages, transfers, battery operation.

The final state has exhausted batteries and started generators; it determines the load dropped. The
ride-through state precedes it: batteries supply, generators have not started. A UPS whose
remaining modules cannot carry its load transfers to its static bypass. Overloads trip nothing.

Outages that leave the same equipment alive on the same routes (a board and the circuit to it) have
one power flow: it is solved and evaluated once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from copy import copy
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import islice
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from facility.core.rounding import (
    OVER,
    argmax_within_rounding,
    argmin_within_rounding,
    rounded,
    within,
)
from facility.power.network.flow.compile import Compiled
from facility.power.network.flow.solve import (
    Flow,
    FlowOutcome,
    base_state,
    solve,
    solve_from,
    with_batteries,
)
from facility.power.network.flow.transfer import route, route_keys
from facility.power.network.graph.types import Outage
from facility.power.network.outages.cases import Case
from facility.power.network.outages.grouping import Grouping
from facility.power.network.outages.lost import opens_bypasses

Autonomy = Callable[[str, float, int], float]
"""Battery autonomy [s] from UPS tag, load [W] and units in service."""

Figure = tuple[str, float]
_UNKNOWN = "the autonomy of the batteries is not known"
_BEYOND = "a battery load exceeds the highest power of its discharge table"
_OF_RESTING = ("loading", "output_w", "output_va", "current_a", "loss_w")
"""Flow columns of running generators that standby generators do not have."""
_CHUNK_ELEMENTS = 4_194_304
_MAX_CHUNK = 2048
_CACHED_ELEMENTS = 33_554_432
_Sent = tuple[tuple[int, float], ...]
_Found = TypeVar("_Found")


@dataclass(frozen=True, slots=True)
class CappedPower:
    """IT load that runs capped in a state: neither served in full nor dropped."""

    load_w: float = 0.0  # Power at full load [W]
    drawn_w: float = 0.0  # Capped power [W]
    conflict: bool = False  # Whether published figures of its capped mode conflict


@dataclass(frozen=True, slots=True)
class OutageState:
    """Effect of one outage."""

    case: Case  # Outage, and the number it represents
    dropped_w: float  # IT load not served in the final state [W]
    capped: CappedPower  # IT load that runs capped in the final state
    other_dropped_w: float  # Other load not served in the final state [W]
    interrupted_w: float  # IT load served in the final state, not before generators start [W]
    unprotected_w: float  # IT load served without an upstream converter [W]
    racks: tuple[Figure, ...]  # IT loads that lose power, with the power lost [W]
    unprotected: tuple[str, ...]  # IT loads served without an upstream converter
    overloads: tuple[Figure, ...]  # Components above their rating, worst first, with loading
    # Component with the highest loading; None if none has a rating or carries load.
    worst_loading: Figure | None
    lowest_voltage: Figure | None  # Load with the lowest voltage [pu]; None if none is served
    transfers: tuple[str, ...]  # Transfers that lead to the final state, as text
    riding: tuple[Figure, ...]  # UPS on battery until the generators start, with load [W]
    battery_s: float | None  # Minimum autonomy among them [s]
    battery_reason: str  # Why the autonomy is unknown; empty if known or not applicable


@dataclass(frozen=True, eq=False)
class _Ride:
    """Load off before the generators start [W], and the UPS on battery."""

    dropped_w: NDArray[np.float64]
    riding: tuple[Figure, ...]


@dataclass(frozen=True, eq=False)
class _Final:
    """Final state, common to all outages that lead to it; see `OutageState` and `Columns`.

    `live` and `running` mark live equipment and loaded generator plants, `too_few` the overloaded
    UPS with a live static bypass, `moved` the transfers.
    """

    loading: NDArray[np.float64]
    live: NDArray[np.bool_]
    dropped_w: NDArray[np.float64]
    capped: CappedPower
    running: tuple[int, ...]
    too_few: tuple[int, ...]
    unprotected_w: float
    racks: tuple[Figure, ...]
    unprotected: tuple[str, ...]
    overloads: tuple[Figure, ...]
    worst_loading: Figure | None
    lowest_voltage: Figure | None
    moved: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class Columns:
    """States solved together, with the results of every component."""

    states: tuple[OutageState, ...]
    # Loading of the equipment relative to its rating (nan without one) in each state; for a UPS
    # that transfers to static bypass, the loading that causes the transfer; one array for equal
    # states.
    loading: tuple[NDArray[np.float64], ...]


@dataclass(frozen=True, eq=False)
class CarriedLoads:
    """Load loss in an outage, in the final state and before the generators start."""

    dropped_w: NDArray[np.float64]  # Off in the final state, by load [W]
    # Off before the generators start, by load [W]; None if nothing waits for them.
    before_w: NDArray[np.float64] | None
    battery_s: float | None  # Minimum battery autonomy [s]
    on_generators: bool = False  # Whether generators run in the final state


class StateSolver:
    """Solver for the outages of one network, many at once.

    compiled: The network.
    autonomy: Battery autonomy; None if unknown.
    """

    def __init__(self, compiled: Compiled, autonomy: Autonomy | None = None) -> None:
        self.compiled = compiled
        self.network = network = compiled.network
        self._autonomy = autonomy
        self._opened = opens_bypasses(network)
        self.normal: Flow = solve(self.compiled, self._opened([Outage("normal")]))
        kinds = [one.kind for one in network.equipment]
        self._ups = np.array([kind == "ups" for kind in kinds], dtype=bool)
        self._plants = [n for n, kind in enumerate(kinds) if kind == "generator-plant"]
        self._tags = np.array([one.tag for one in network.equipment])
        self._circuits = np.array([link.circuit or link.source for _, link in network.links])
        self._loads = [load.tag for load in network.loads]
        self._critical = np.array([load.kind.critical for load in network.loads], dtype=bool)
        self._total_w = np.array([load.kind.total_w for load in network.loads], dtype=np.float64)
        self._static = self._static_bypasses()
        self._plant_step_ups = {n: self._loaded_step_ups(n) for n in self._plants}
        self._always_running = self._running(self.normal, 0)
        rest = base_state(self.compiled)
        self._bases = (rest, with_batteries(rest))
        self._known_finals: dict[bytes, _Final] = {}
        self._known_rides: dict[bytes, _Ride] = {}

    @cached_property
    def grouping(self) -> Grouping:
        """Groups of equivalent components of the network."""
        return Grouping(self.network)

    def fresh(self) -> StateSolver:
        """Return a solver of the same network that has solved only the normal state.

        States solved together differ within the tolerance from the same states in other
        combinations; a study with a separate solver does not depend on previous requests.
        """
        self.grouping  # noqa: B018 - calculated once for both
        found = copy(self)
        found._known_finals, found._known_rides = {}, {}
        return found

    def _static_bypasses(self) -> dict[int, tuple[int, ...]]:
        """Return for each UPS, by index, its outputs that a static bypass feeds too."""
        index, found = self.network.index, dict[int, tuple[int, ...]]()
        for number, one in enumerate(self.network.equipment):
            kinds = {link.source: self.network[link.source].kind for link in one.links}
            if "static-bypass" in kinds.values():
                for tag, kind in kinds.items():
                    if kind == "ups":
                        found[index[tag]] = (*found.get(index[tag], ()), number)
        return found

    def _loaded_step_ups(self, plant: int) -> list[int]:
        """Return step-up transformers with the output of a generator plant, or the plant."""
        nodes, tag = self.network.equipment, self.network.equipment[plant].tag
        loaded = [n for n, one in enumerate(nodes) if tag in (link.source for link in one.links)]
        step_ups = [n for n in loaded if nodes[n].kind == "transformer"]
        return step_ups if loaded == step_ups and loaded else [plant]

    def columns(self, cases: Iterator[Case]) -> Iterator[Columns]:
        """Yield the states of `cases`, in order, some hundred at a time."""
        size = max(64, min(_MAX_CHUNK, _CHUNK_ELEMENTS // max(1, len(self._tags))))
        while chunk := list(islice(cases, size)):
            yield self._solve(chunk)

    def carried(self, outage: Outage) -> CarriedLoads:
        """Return the load loss in one outage, without the flow calculated by `settled`."""
        (opened,) = self._opened([outage])
        (first,) = self._finals([opened])
        last = first
        if first.too_few:
            (last,) = self._finals([self._bypassed(opened, first.too_few)])
        ride = self._rides([opened])[0] if self._waits(first, opened) else None
        if ride is None or not (ride.riding or last.running):
            return CarriedLoads(last.dropped_w, None, None)
        battery_s = self._battery(outage, ride.riding)[0]
        return CarriedLoads(last.dropped_w, ride.dropped_w, battery_s, bool(last.running))

    def settled(self, outage: Outage) -> Flow:
        """Return the final state of one outage, with the switched elements out in addition."""
        outages = self._opened([outage])
        flow = solve(self.compiled, outages)
        failed = self._too_few(flow, 0)
        if failed:
            flow = solve(self.compiled, [self._bypassed(outages[0], failed)])
        resting, changed = self._resting(self._running(flow, 0)), {}
        for name in _OF_RESTING if resting else ():
            changed[name] = getattr(flow, name).copy()
            changed[name][resting] *= 0.0  # keeps nan for elements without a rating
        return replace(flow, **changed)

    def before_transfer(self, outage: Outage) -> Flow:
        """Return the final state of one outage before overloaded UPS transfer to static bypass."""
        return solve(self.compiled, self._opened([outage]))

    def riding(self, outage: Outage) -> Flow:
        """Return the state of one outage on battery, before the generators start."""
        (before,) = self._without_plants(self._opened([outage]))
        return solve(self.compiled, [before], batteries=True)

    def _without_plants(self, outages: Sequence[Outage]) -> list[Outage]:
        plants = tuple(tag for n in self._plants for tag in self.network.equipment[n].unit_tags)
        return [replace(outage, lost=(*outage.lost, *plants)) for outage in outages]

    def _finals(self, outages: Sequence[Outage]) -> list[_Final]:
        return self._distinct(outages, self._known_finals, self._final, batteries=False)

    def _rides(self, outages: Sequence[Outage]) -> list[_Ride]:
        """Return served load and UPS on battery before the generators start."""
        before = self._without_plants(outages)
        return self._distinct(before, self._known_rides, self._ride, batteries=True)

    def _distinct(
        self,
        outages: Sequence[Outage],
        known: dict[bytes, _Found],
        read: Callable[[FlowOutcome, int], _Found],
        *,
        batteries: bool,
    ) -> list[_Found]:
        """Return the result of `read` for the flow of each outage, solving each flow once."""
        if not outages:
            return []
        base = self._bases[batteries]
        routes = route(self.compiled, outages, batteries)
        keys = route_keys(base.routes, routes)
        if len(known) * len(self._tags) > _CACHED_ELEMENTS:
            known.clear()
        new: dict[bytes, int] = {}
        for state, key in enumerate(keys):
            if key not in known:
                new.setdefault(key, state)
        needed, numbers = list(new), list(new.values())
        requested = [outages[state] for state in numbers]
        own = routes.of_states(np.array(numbers, dtype=np.intp))
        for states, flow in solve_from(base, requested, own):
            known.update((needed[n], read(flow, column)) for column, n in enumerate(states))
        return [known[key] for key in keys]

    def _solve(self, chunk: Sequence[Case]) -> Columns:
        outages = self._opened(case.outage for case in chunk)
        first = self._finals(outages)
        waits = [n for n, outage in enumerate(outages) if self._waits(first[n], outage)]
        rides = self._rides([outages[n] for n in waits])
        before = dict(zip(waits, rides, strict=True))
        again = [n for n, found in enumerate(first) if found.too_few]
        moved = [self._bypassed(outages[n], first[n].too_few) for n in again]
        second = dict(zip(again, self._finals(moved), strict=True))
        last = [second.get(n, found) for n, found in enumerate(first)]
        loading = [found.loading for found in last]
        states = []
        for n, case in enumerate(chunk):
            failed = list(first[n].too_few)
            failed_loading = first[n].loading[failed]
            if failed:
                loading[n] = loading[n].copy()
                loading[n][failed] = failed_loading
            sent = tuple(zip(failed, failed_loading.tolist(), strict=True))
            states.append(self._state(case, last[n], before.get(n), sent))
        return Columns(tuple(states), tuple(loading))

    def _waits(self, final: _Final, outage: Outage) -> bool:
        """Return whether a generator runs in the final state, or a UPS in service has no input."""
        if final.running:
            return True
        dead = np.flatnonzero(self._ups & ~final.live).tolist()
        return any(not set(self.network.equipment[n].unit_tags) <= set(outage.out) for n in dead)

    def _ride(self, flow: FlowOutcome, column: int) -> _Ride:
        riding = flow.on_battery[:, column] & (flow.output_w[:, column] > 0.0)
        return _Ride(
            flow.dropped_w[:, column].copy(),
            tuple(
                (str(self._tags[n]), float(flow.output_w[n, column]))
                for n in np.flatnonzero(riding)
            ),
        )

    def _too_few(self, flow: FlowOutcome, column: int) -> tuple[int, ...]:
        """Return the overloaded UPS with a live static bypass."""
        with np.errstate(invalid="ignore"):
            over = np.flatnonzero(self._ups & (flow.loading[:, column] > OVER)).tolist()
        return tuple(
            ups
            for ups in over
            if any(self._has_bypass(flow, column, output) for output in self._static.get(ups, ()))
        )

    def _has_bypass(self, flow: FlowOutcome, column: int, output: int) -> bool:
        return any(
            self.network[link.source].kind == "static-bypass"
            and bool(flow.live[self.network.index[link.source], column])
            for link in self.network.equipment[output].links
        )

    def _bypassed(self, outage: Outage, failed: tuple[int, ...]) -> Outage:
        units = (tag for ups in failed for tag in self.network.equipment[ups].unit_tags)
        return replace(outage, lost=(*outage.lost, *units))

    def _final(self, flow: FlowOutcome, column: int) -> _Final:
        dropped_w = flow.dropped_w[:, column].copy()
        hit = np.flatnonzero(self._critical & ((dropped_w > 0) | flow.off[:, column]))
        bare = np.flatnonzero(
            self._critical & flow.unprotected[:, column] & (dropped_w < self._total_w)
        )
        running, loading = self._running(flow, column), flow.loading[:, column].copy()
        loading[self._resting(running)] *= 0.0
        return _Final(
            loading=loading,
            live=flow.live[:, column].copy(),
            dropped_w=dropped_w,
            capped=self._capped(flow, column),
            running=running,
            too_few=self._too_few(flow, column),
            unprotected_w=float((self._total_w - dropped_w)[bare].sum()),
            racks=tuple((self._loads[n], float(dropped_w[n])) for n in hit),
            unprotected=tuple(self._loads[n] for n in bare),
            overloads=self._overloads(flow, column),
            worst_loading=self._worst(flow, column),
            lowest_voltage=self._lowest(flow, column),
            moved=tuple(self._moved(flow, column)),
        )

    def _capped(self, flow: FlowOutcome, column: int) -> CappedPower:
        cords = self.compiled.cords
        if cords.capped is None:
            return CappedPower()
        rows = cords.load_table + flow.pattern[:, column]
        return CappedPower(
            float(cords.capped.load_w[rows].sum()),
            float(cords.capped.drawn_w[rows].sum()),
            bool(cords.capped.conflict[rows].any()),
        )

    def _resting(self, running: Sequence[int]) -> list[int]:
        """Return the generator plants without load, and their step-up transformers.

        The network treats them as alive, so that a transfer finds them; they start after the
        transfer.
        """
        still = (plant for plant in self._plant_step_ups if plant not in running)
        return sorted({row for plant in still for row in (plant, *self._plant_step_ups[plant])})

    def _running(self, flow: FlowOutcome, column: int) -> tuple[int, ...]:
        """Return the generator plants that carry load.

        Magnetising an idle step-up transformer does not count as load.
        """
        return tuple(
            plant
            for plant, step_ups in self._plant_step_ups.items()
            if flow.output_w[plant, column] > 0.0 and (flow.output_w[step_ups, column] > 0.0).any()
        )

    def _state(self, case: Case, final: _Final, ride: _Ride | None, sent: _Sent) -> OutageState:
        riding = ride.riding if ride is not None else ()
        battery_s, reason = self._battery(case.outage, riding)
        return OutageState(
            case=case,
            dropped_w=float(final.dropped_w[self._critical].sum()),
            capped=final.capped,
            other_dropped_w=float(final.dropped_w[~self._critical].sum()),
            interrupted_w=self._interrupted(case, ride, final.dropped_w),
            unprotected_w=final.unprotected_w,
            racks=final.racks,
            unprotected=final.unprotected,
            overloads=final.overloads,
            worst_loading=final.worst_loading,
            lowest_voltage=final.lowest_voltage,
            transfers=tuple(self._transfers(final, riding, sent)),
            riding=riding,
            battery_s=battery_s,
            battery_reason=reason,
        )

    def _loadings(self, flow: FlowOutcome, column: int) -> Iterator[tuple[NDArray[np.str_], Any]]:
        yield self._tags, flow.loading[:, column]
        yield self._circuits, flow.circuit_loading[:, column]

    def _overloads(self, flow: FlowOutcome, column: int) -> tuple[Figure, ...]:
        found: dict[str, float] = {}
        for tags, values in self._loadings(flow, column):
            with np.errstate(invalid="ignore"):
                over = np.flatnonzero(values > OVER)
            for n in over:
                tag = str(tags[n])
                found[tag] = max(found.get(tag, 0.0), float(values[n]))
        return tuple(sorted(found.items(), key=lambda item: (-rounded(item[1]), item[0])))

    def _worst(self, flow: FlowOutcome, column: int) -> Figure | None:
        worst: Figure | None = None
        for tags, values in self._loadings(flow, column):
            if not (values > 0.0).any():
                continue
            n = argmax_within_rounding(values)
            if worst is None or not within(values[n], worst[1]):
                worst = str(tags[n]), float(values[n])
        return worst

    def _lowest(self, flow: FlowOutcome, column: int) -> Figure | None:
        seen = flow.load_voltage_pu[:, column]
        served = np.where(seen > 0.0, seen, np.inf)
        if not len(served) or not np.isfinite(served).any():
            return None
        n = argmin_within_rounding(served)
        return self._loads[n], float(served[n])

    def _interrupted(self, case: Case, ride: _Ride | None, dropped_w: NDArray[np.float64]) -> float:
        """Return the IT load off until the generators run; planned work starts them first."""
        if ride is None or case.kind in ("normal", "maintenance"):
            return 0.0
        return float(np.maximum(ride.dropped_w - dropped_w, 0.0)[self._critical].sum())

    def _battery(self, outage: Outage, riding: tuple[Figure, ...]) -> tuple[float | None, str]:
        if not riding:
            return None, ""
        if self._autonomy is None:
            return None, _UNKNOWN
        out = set(outage.out)
        times = [
            self._autonomy(tag, w, len(set(self.network[tag].unit_tags) - out)) for tag, w in riding
        ]
        if any(np.isnan(time) for time in times):
            return None, _UNKNOWN
        return (min(times), "") if min(times) > 0.0 else (None, _BEYOND)

    def _transfers(self, final: _Final, riding: tuple[Figure, ...], sent: _Sent) -> Iterator[str]:
        index, equipment = self.network.index, self.network.equipment
        sent_tags = {equipment[n].tag for n, _ in sent}
        back = [t for t, _ in riding if t in sent_tags or final.live[index[t]]]
        gone = [tag for tag, _ in riding if tag not in back]
        if back:
            yield f"{', '.join(back)} on battery until input returns"
        if gone:
            yield f"{', '.join(gone)} on battery, input does not return"
        for n in final.running:
            if n not in self._always_running:
                yield f"{equipment[n].tag} starts"
        for n, loading in sent:
            yield f"{equipment[n].tag} to static bypass (loading {loading:.1%} of rating)"
        yield from final.moved

    def _moved(self, flow: FlowOutcome, column: int) -> Iterator[str]:
        """Yield the transfers from the normal state."""
        moved = np.flatnonzero(
            flow.live[:, column]
            & self.normal.live[:, 0]
            & (flow.taken[:, column] != self.normal.taken[:, 0])
        )
        for row in moved.tolist():
            one = self.network.equipment[row]
            if one.links:
                yield f"{one.tag} to {one.links[int(flow.taken[row, column])].source}"
