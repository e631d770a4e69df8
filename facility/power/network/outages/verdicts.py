"""Verdicts over the states: single points of failure, maintainability, fault tolerance.

They speak of IT load and of the power network alone. A load left without a UPS during maintenance
is named but does not decide whether the network is concurrently maintainable.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from facility.core.rounding import first_largest, rounded
from facility.core.views import show
from facility.power.network.flow.solve import Flow
from facility.power.network.graph.types import Network
from facility.power.network.outages.states import Figure, OutageState

_FAILURES = ("loss", "utility")


@dataclass(frozen=True, slots=True)
class Verdict:
    """A verdict and the state that decides it."""

    holds: bool
    because: str  # State, component and figure that decide it
    component: str
    unprotected: tuple[str, ...] = ()  # Ids of the states in which IT load is left without a UPS


@dataclass(frozen=True, slots=True)
class SinglePoint:
    """A component whose loss alone stops IT load."""

    component: str
    kind: str
    alike: tuple[str, ...]  # All components of which the same is true, itself first
    lost_w: float  # IT load that one of them drops [W]
    racks: tuple[str, ...]  # IT loads that lose power with the first


@dataclass(frozen=True, slots=True)
class LoadGroup:
    """IT loads that hang on the same UPS systems."""

    systems: tuple[str, ...]  # Tags of the UPS in the normal state; empty for load without one
    loads: int  # Number of loads
    load_w: float  # Their power [W]
    # The most loaded of the systems over all single outages, its loading, and the state.
    worst: tuple[str, float, str] | None


def single_points(states: Iterable[OutageState]) -> tuple[SinglePoint, ...]:
    """Return the components whose loss alone drops or interrupts IT load, the worst first."""
    found = [
        SinglePoint(
            s.case.component,
            s.case.component_kind,
            s.case.alike,
            s.dropped_w + s.interrupted_w,
            tuple(tag for tag, _ in s.racks),
        )
        for s in states
        if s.case.kind in _FAILURES and len(s.case.outage.lost) == 1 and _drops(s)
    ]
    return tuple(sorted(found, key=lambda point: (-rounded(point.lost_w), point.component)))


def concurrently_maintainable(states: Iterable[OutageState]) -> Verdict:
    """Return whether every maintenance outage leaves all IT load served and nothing overloaded."""
    maintained = [s for s in states if s.case.kind == "maintenance"]
    bare = tuple(s.case.outage.id for s in maintained if s.unprotected)
    verdict = _verdict(maintained, (_dropped, _overloaded))
    if not bare:
        return verdict
    because = (
        f"{verdict.because} In {len(bare)} maintenance outages IT load is left without a UPS, "
        f"first in {bare[0]}."
    )
    return Verdict(verdict.holds, because, verdict.component, bare)


def fault_tolerant(states: Iterable[OutageState]) -> Verdict:
    """Return whether no single loss, nor that of the utility, drops, bares or overloads anything.

    IT load must be served all the while: also between the loss of the utility and the start of
    the generators.
    """
    failures = [s for s in states if s.case.kind in _FAILURES]
    verdict = _verdict(failures, (_dropped, _interrupted, _overloaded, _unprotected))
    bare = tuple(s.case.outage.id for s in failures if s.unprotected)
    return Verdict(verdict.holds, verdict.because, verdict.component, bare)


_Failing = Callable[[OutageState], tuple[float, str]]


def _verdict(states: Sequence[OutageState], tests: Sequence[_Failing]) -> Verdict:
    if not states:
        return Verdict(False, "No such outage is in the network.", "")
    for test in tests:
        weights = [test(s)[0] for s in states]
        state = states[first_largest(weights)]
        if max(weights) > 0.0:
            when = "During" if state.case.kind == "maintenance" else "After"
            because = f"{when} {state.case.outage.id}, {test(state)[1]}."
            return Verdict(False, because, state.case.component)
    rated = [s for s in states if s.worst_loading is not None]
    if not rated:
        return Verdict(True, f"All IT load is served in {len(states)} outages.", "")
    state = rated[first_largest([s.worst_loading[1] for s in rated if s.worst_loading])]
    tag, loading = state.worst_loading or ("", 0.0)
    because = (
        f"All IT load is served in every one; the highest loading is {show(loading, 'fraction')} "
        f"on {tag} in {state.case.outage.id}."
    )
    return Verdict(True, because, tag)


def _drops(state: OutageState) -> bool:
    return state.dropped_w > 0.0 or bool(state.racks) or state.interrupted_w > 0.0


def _dropped(state: OutageState) -> tuple[float, str]:
    weight = state.dropped_w or float(bool(state.racks))
    first = f", first {state.racks[0][0]}" if state.racks else ""
    power = show(state.dropped_w, "active_power")
    return weight, f"{len(state.racks)} IT loads lose power, {power} in all{first}"


def _interrupted(state: OutageState) -> tuple[float, str]:
    power = show(state.interrupted_w, "active_power")
    return state.interrupted_w, f"{power} of IT load is off until the generators have started"


def _overloaded(state: OutageState) -> tuple[float, str]:
    if not state.overloads:
        return 0.0, ""
    tag, loading = state.overloads[0]
    return loading, f"{tag} is loaded to {show(loading, 'fraction')} of its rating"


def _unprotected(state: OutageState) -> tuple[float, str]:
    power = show(state.unprotected_w, "active_power")
    return float(len(state.unprotected)), f"{power} of IT load is left without a UPS"


def load_groups(
    network: Network, normal: Flow, worst: dict[str, tuple[float, str]]
) -> tuple[LoadGroup, ...]:
    """Return the IT loads by the UPS systems they hang on in the normal state, largest first.

    normal: Its normal state.
    worst: UPS tag to its highest loading over single outages, and the id of that state.
    """
    behind: dict[str, str] = {}
    for number, one in enumerate(network.equipment):
        if one.kind == "ups":
            behind[one.tag] = one.tag
        elif one.links and normal.live[number, 0]:
            behind[one.tag] = behind.get(one.links[int(normal.taken[number, 0])].source, "")
    members: dict[tuple[str, ...], list[float]] = defaultdict(list)
    for load in network.loads:
        if load.kind.critical:
            found = {behind.get(cord.link.source, "") for cord in load.cords} - {""}
            members[tuple(sorted(found))].append(load.kind.total_w)
    return tuple(
        LoadGroup(systems, len(powers), sum(powers), _worst_of(systems, worst))
        for systems, powers in sorted(
            members.items(), key=lambda item: (-rounded(sum(item[1])), item[0])
        )
    )


def _worst_of(
    systems: tuple[str, ...], worst: dict[str, tuple[float, str]]
) -> tuple[str, float, str] | None:
    rated: list[tuple[Figure, str]] = [
        ((tag, worst[tag][0]), worst[tag][1]) for tag in systems if tag in worst
    ]
    if not rated:
        return None
    (tag, loading), state = rated[first_largest([figure[1] for figure, _ in rated])]
    return tag, loading, state
