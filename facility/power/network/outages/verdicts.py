"""Verdicts over the states: single points of failure, maintainability, fault tolerance.

They concern IT load and the power network only. A load without UPS supply during maintenance is
reported but does not affect whether the network is concurrently maintainable.

The two properties follow the Tier Standard: Topology (Uptime Institute): concurrently
maintainable, every capacity component and distribution path can be taken out of service on a
planned basis without effect on the IT load; fault tolerant, the failure of any one of them has no
effect either. EN 50600-2-2 requires the same for availability classes 3 and 4, TIA-942 for rated-3
and rated-4. No rating or certificate follows: physical separation and operation are not modeled.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from facility.core.rounding import argmax_within_rounding, rounded
from facility.core.views import show
from facility.power.network.flow.solve import Flow
from facility.power.network.graph.types import Network
from facility.power.network.outages.states import CappedPower, Figure, OutageState

_FAILURES = ("loss", "utility")


@dataclass(frozen=True, slots=True)
class Verdict:
    """Verdict with its governing state."""

    holds: bool
    because: str  # Governing state, component and value
    component: str
    unprotected: tuple[str, ...] = ()  # Ids of the states with IT load without UPS supply
    outages: int = 0  # Number of failing outages, equivalent ones included


@dataclass(frozen=True, slots=True)
class SinglePoint:
    """Component whose loss alone stops IT load."""

    component: str
    kind: str
    alike: tuple[str, ...]  # All equivalent components, itself first
    lost_w: float  # IT load dropped by one of them [W]
    racks: tuple[str, ...]  # IT loads that lose power with the first component


@dataclass(frozen=True, slots=True)
class LoadGroup:
    """IT loads supplied by the same UPS systems."""

    systems: tuple[str, ...]  # Tags of the UPS in the normal state; empty for load without UPS
    loads: int  # Number of loads
    load_w: float  # Total power [W]
    # Highest loading of these systems over all single outages, with the system and the state.
    worst: tuple[str, float, str] | None


def single_points(states: Iterable[OutageState]) -> tuple[SinglePoint, ...]:
    """Return the components whose loss alone drops or interrupts IT load, worst first."""
    found = [
        SinglePoint(
            s.case.component,
            s.case.component_kind,
            s.case.alike,
            s.dropped_w + s.interrupted_w,
            tuple(tag for tag, _ in s.racks),
        )
        for s in states
        if s.case.kind in _FAILURES
        and len(s.case.outage.lost) == 1
        and (s.dropped_w > 0.0 or bool(s.racks) or s.interrupted_w > 0.0)
    ]
    return tuple(sorted(found, key=lambda point: (-rounded(point.lost_w), point.component)))


def concurrently_maintainable(states: Iterable[OutageState], loads: int) -> Verdict:
    """Return whether all IT load is served without overload in every maintenance outage.

    loads: Number of IT loads of the network.
    """
    maintained = [s for s in states if s.case.kind == "maintenance"]
    bare = tuple(s.case.outage.id for s in maintained if s.unprotected)
    verdict = _verdict(maintained, (_dropped, _overloaded), loads)
    if not bare:
        return verdict
    because = (
        f"{verdict.because}; in {len(bare)} maintenance outages IT load runs without a UPS, "
        f"first in {bare[0]}"
    )
    return replace(verdict, because=because, unprotected=bare)


def fault_tolerant(states: Iterable[OutageState], loads: int) -> Verdict:
    """Return whether no single loss, including the utility, drops or overloads anything.

    IT load must be served throughout: also between the loss of the utility and the start of
    the generators.

    loads: Number of IT loads of the network.
    """
    failures = [s for s in states if s.case.kind in _FAILURES]
    tests = (_dropped, _interrupted, _overloaded, _unprotected)
    verdict = _verdict(failures, tests, loads)
    points = sum(len(point.alike) for point in single_points(failures))
    if points:
        word = "single point of failure" if points == 1 else "single points of failure"
        verdict = replace(verdict, because=f"{points:,} {word}; {verdict.because}")
    bare = tuple(s.case.outage.id for s in failures if s.unprotected)
    return replace(verdict, unprotected=bare)


def runs_capped(states: Iterable[OutageState]) -> Verdict:
    """Return whether IT load runs capped in any outage, and the outage with the most.

    Capped load is not dropped: it does not affect the other verdicts.
    """
    found = list(states)
    worst = found[argmax_within_rounding([s.capped.load_w for s in found])]
    if worst.capped.load_w <= 0.0:
        return Verdict(False, "no IT load runs capped", "")
    because = f"in {worst.case.outage.id}, {capped_words(worst.capped)}"
    return Verdict(True, because, worst.case.component)


def capped_words(capped: CappedPower) -> str:
    """Return the capped load and its power as text."""
    load, drawn = show(capped.load_w, "active_power"), show(capped.drawn_w, "active_power")
    conflict = "; published figures conflict" if capped.conflict else ""
    return f"{load} of IT load runs capped and draws {drawn}{conflict}"


_Test = Callable[[OutageState, int], tuple[float, str]]
"""Severity of a state for a number of IT loads (0: no failure), and its description."""


def _verdict(states: Sequence[OutageState], tests: Sequence[_Test], loads: int) -> Verdict:
    if not states:
        return Verdict(False, "the network has no such outage", "")
    failing = sum(s.case.size for s in states if any(test(s, loads)[0] > 0.0 for test in tests))
    for test in tests:
        weights = [test(s, loads)[0] for s in states]
        state = states[argmax_within_rounding(weights)]
        if max(weights) > 0.0:
            first = f" (first of {failing:,})" if failing > 1 else ""
            because = f"{state.case.outage.id} {test(state, loads)[1]}{first}"
            return Verdict(False, because, state.case.component, outages=failing)
    rated = [s for s in states if s.worst_loading is not None]
    capped = " or runs capped" if any(s.capped.load_w > 0.0 for s in states) else ""
    served = f"all IT load is served{capped} in {sum(s.case.size for s in states):,} outages"
    if not rated:
        return Verdict(True, served, "")
    state = rated[argmax_within_rounding([s.worst_loading[1] for s in rated if s.worst_loading])]
    tag, loading = state.worst_loading or ("", 0.0)
    where = f"on {tag} in {state.case.outage.id}"
    return Verdict(True, f"{served}; highest loading {show(loading, 'fraction')} {where}", tag)


def _dropped(state: OutageState, loads: int) -> tuple[float, str]:
    weight = state.dropped_w or float(bool(state.racks))
    lost = len(state.racks)
    count = "all" if lost == loads else f"{lost:,} of {loads:,}"
    first = f", first {state.racks[0][0]}" if 0 < lost < loads else ""
    return weight, f"drops {count} racks, {show(state.dropped_w, 'active_power')}{first}"


def _interrupted(state: OutageState, _: int) -> tuple[float, str]:
    power = show(state.interrupted_w, "active_power")
    return state.interrupted_w, f"interrupts {power} of IT load until the generators start"


def _overloaded(state: OutageState, _: int) -> tuple[float, str]:
    if not state.overloads:
        return 0.0, ""
    tag, loading = state.overloads[0]
    return loading, f"loads {tag} to {show(loading, 'fraction')} of its rating"


def _unprotected(state: OutageState, _: int) -> tuple[float, str]:
    power = show(state.unprotected_w, "active_power")
    return float(len(state.unprotected)), f"leaves {power} of IT load without UPS supply"


def load_groups(
    network: Network, normal: Flow, worst: dict[str, tuple[float, str]]
) -> tuple[LoadGroup, ...]:
    """Return the IT loads by their UPS systems in the normal state, largest first.

    normal: Normal state.
    worst: Highest loading over single outages and its state id, by UPS tag.
    """
    ups_of: dict[str, str] = {}
    for number, one in enumerate(network.equipment):
        if one.kind == "ups":
            ups_of[one.tag] = one.tag
        elif one.links and normal.live[number, 0]:
            ups_of[one.tag] = ups_of.get(one.links[int(normal.taken[number, 0])].source, "")
    members: dict[tuple[str, ...], list[float]] = defaultdict(list)
    for load in network.loads:
        if load.kind.critical:
            found = {ups_of.get(cord.link.source, "") for cord in load.cords} - {""}
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
    (tag, loading), state = rated[argmax_within_rounding([figure[1] for figure, _ in rated])]
    return tag, loading, state
