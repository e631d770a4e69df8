"""Failure study: all outages of the power network, and the verdicts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from facility.core.check import Check
from facility.core.errors import FacilityError
from facility.core.rounding import OVER, argmax_within_rounding, argmin_within_rounding, whole_units
from facility.core.table import Results, ShownByResults, Value
from facility.model.facility import Goal
from facility.model.power.electrical import ReliabilityBasis
from facility.physics.facility.reliability import inherent_availability
from facility.power.battery.sizing import BatteryDesign, autonomy_s
from facility.power.network.flow.compile import compile_network
from facility.power.network.graph.types import Network
from facility.power.network.outages.availability import (
    LoadAvailability,
    kinds_above,
    load_availability,
)
from facility.power.network.outages.cases import cases
from facility.power.network.outages.grouping import Grouping
from facility.power.network.outages.states import Autonomy, Columns, OutageState, StateSolver
from facility.power.network.outages.verdicts import (
    LoadGroup,
    SinglePoint,
    Verdict,
    concurrently_maintainable,
    fault_tolerant,
    load_groups,
    runs_capped,
    single_points,
)
from facility.study.equipped import equipped
from facility.study.failures.checks import ClaimedAvailability, failure_checks
from facility.study.failures.makeup import MakeupLoss, makeup_loss
from facility.study.plausible import refuse_impossible
from facility.study.studies import StudyContext


def failure_results(
    depth: int,
    states: Sequence[OutageState],
    verdicts: tuple[Verdict, Verdict, Verdict],
    points: Sequence[SinglePoint],
    groups: Sequence[LoadGroup],
    availability: Sequence[LoadAvailability],
) -> Results:
    """Return the results: verdicts, counts, extremes over the states, availability."""
    names = ("concurrently_maintainable", "fault_tolerant", "runs_capped")
    found: dict[str, Value] = {}
    for name, verdict in zip(names, verdicts, strict=True):
        found[name] = Value(verdict.holds)
        found[f"{name}.because"] = Value(verdict.because)
    found |= {
        "maintenance.unprotected": Value(
            len(verdicts[0].unprotected), "count", "maintenance outages with IT load not on a UPS"
        ),
        "single_points": Value(sum(len(point.alike) for point in points), "count"),
        "depth": Value(depth, "count"),
        "states.count": Value(len(states), "count", "states solved"),
        "states.outages": Value(
            sum(s.case.size for s in states), "count", "outages represented by these states"
        ),
        "states.dropping": Value(
            sum(s.case.size for s in states if s.dropped_w > 0.0),
            "count",
            "outages that drop IT load",
        ),
        "states.overloaded": Value(
            sum(s.case.size for s in states if s.overloads),
            "count",
            "outages with a component above its rating",
        ),
        "load_dropped.max": Value(max(s.dropped_w for s in states), "active_power", "IT load"),
        "load_capped.max": Value(
            max(s.capped.load_w for s in states), "active_power", "IT load operating power-capped"
        ),
    }
    return refuse_impossible(
        Results(
            found
            | dict(_extremes(states))
            | dict(_groups(groups))
            | dict(_availability_results(availability))
        )
    )


def _extremes(states: Sequence[OutageState]) -> Iterator[tuple[str, Value]]:
    loaded = [(s.worst_loading[1], s) for s in states if s.worst_loading is not None]
    if loaded:
        loading, state = loaded[argmax_within_rounding([one[0] for one in loaded])]
        tag = state.worst_loading[0] if state.worst_loading else ""
        yield "loading.max", Value(loading, "fraction", f"{tag} in {state.case.outage.id}")
    served = [(s.lowest_voltage[1], s) for s in states if s.lowest_voltage is not None]
    if served:
        voltage, state = served[argmin_within_rounding([one[0] for one in served])]
        tag = state.lowest_voltage[0] if state.lowest_voltage else ""
        yield "voltage.min", Value(voltage, "fraction", f"{tag} in {state.case.outage.id}")
    times = [(s.battery_s, s) for s in states if s.battery_s is not None]
    if times:
        minimum, state = times[argmin_within_rounding([one[0] for one in times])]
        yield "battery.least", Value(minimum, "time", state.case.outage.id)


def _groups(groups: Sequence[LoadGroup]) -> Iterator[tuple[str, Value]]:
    yield "groups.count", Value(len(groups), "count", "groups of IT load by supplying UPS systems")
    if groups:
        yield "groups.largest", Value(groups[0].load_w, "active_power", _systems(groups[0]))
        yield "groups.smallest", Value(groups[-1].load_w, "active_power", _systems(groups[-1]))


def _systems(group: LoadGroup) -> str:
    return " and ".join(group.systems) or "no UPS"


def _availability_results(found: Sequence[LoadAvailability]) -> Iterator[tuple[str, Value]]:
    known = [(one.unavailability, one) for one in found if one.unavailability is not None]
    if known and not any(one.missing for one in found):
        down, worst = known[argmax_within_rounding([one[0] for one in known])]
        basis = f"{worst.loads[0]}, sum over its minimal cut sets of one or two components"
        yield "availability.worst", Value(1.0 - down, "fraction", basis)
        yield "down_time.worst", Value(worst.down_s or 0.0, "time", "expected per year")


Progress = Callable[[int], None]
"""Called with the number of outages solved so far."""
_Columns = tuple[NDArray[np.float64], ...]
MAX_DEPTH = 2
_CACHE: WeakKeyDictionary[StudyContext, dict[bool, FailureStudy]] = WeakKeyDictionary()


@dataclass(frozen=True)
class FailureBasis:
    """Basis of a failure study in addition to the network."""

    scheme: str = ""  # Claimed redundancy scheme; empty if none
    # Maximum voltage drop up to the load, as a fraction; None without a limit.
    voltage_drop: float | None = None
    # Failure and repair times.
    reliability: ReliabilityBasis = field(default_factory=ReliabilityBasis)
    autonomy: Autonomy | None = None  # Battery autonomy by UPS and load; None if not known
    stated_breakers: frozenset[str] = frozenset()  # Circuits with a stated breaker
    goal: Goal = field(default_factory=Goal)  # Goals of the project
    # Circuits of generator sets and their runs, one per set.
    set_runs: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class FailureStudy(ShownByResults):
    """All outages of a network, with verdicts and checks.

    Attributes
    ----------
    network : Network
        The graph.
    depth : int
        1 for single outages, 2 with losses during maintenance.
    grouped : bool
        Whether one state represents all identical ones.
    states : tuple[OutageState, ...]
        The states in the order studied, the normal one first.
    columns : tuple[ndarray, ...]
        Loading of every component in each of the first states, without losses during maintenance;
        equal states share one array.
    concurrently_maintainable, fault_tolerant, runs_capped : Verdict
        The verdicts; the last is true if IT load operates power-capped.
    single_points : tuple[SinglePoint, ...]
        Single points of failure: components whose loss stops IT load.
    groups : tuple[LoadGroup, ...]
        Groups of IT load by supplying UPS systems.
    availability : tuple[LoadAvailability, ...]
        Availability by class of IT load; empty without failure times.
    checks : tuple[Check, ...]
        The checks.
    results : Results
        Results by dotted key.
    makeup : MakeupLoss or None
        Loss of make-up water; None if the cooling uses none at the design hour.
    """

    network: Network
    depth: int
    grouped: bool
    states: tuple[OutageState, ...]
    columns: tuple[NDArray[np.float64], ...]
    concurrently_maintainable: Verdict
    fault_tolerant: Verdict
    runs_capped: Verdict
    single_points: tuple[SinglePoint, ...]
    groups: tuple[LoadGroup, ...]
    availability: tuple[LoadAvailability, ...]
    checks: tuple[Check, ...]
    results: Results
    makeup: MakeupLoss | None = None

    def __repr__(self) -> str:
        return f"<FailureStudy: {self.outages} outages as {len(self.states)} states>"

    @cached_property
    def loading(self) -> NDArray[np.float64]:
        """Shape (equipment, single outages): all `columns` side by side, possibly large."""
        return np.stack(self.columns).T

    @property
    def single(self) -> tuple[OutageState, ...]:
        """The states of `columns`, in their order."""
        return self.states[: len(self.columns)]

    @property
    def outages(self) -> int:
        """Number of outages represented by the states."""
        return sum(state.case.size for state in self.states)


@equipped
def failures(
    design: StudyContext, depth: int = 1, grouped: bool = True, progress: Progress | None = None
) -> FailureStudy:
    """Return the failure study of a design; the study of depth 1 is cached with the design.

    Parameters
    ----------
    design : StudyContext
        The design.
    depth : int
        1: normal state, single losses, single maintenance outages, loss of utility; 2: also every
        loss during every maintenance outage, for the power train down to the panels.
    grouped : bool
        Whether one state represents all identical ones.
    progress : callable, optional
        Called with the number of outages solved so far.

    Raises
    ------
    FacilityError
        ``FAILURE_DEPTH`` for another depth, and the errors of the network.
    """
    if depth != 1:
        return _studied(design, depth, grouped, progress)
    cached = _CACHE.setdefault(design, {})
    if grouped not in cached:
        cached[grouped] = _studied(design, depth, grouped, progress)
    return cached[grouped]


def keep(design: StudyContext, study: FailureStudy) -> None:
    """Cache a study of this design from another process, as `failures` does."""
    _CACHE.setdefault(design, {})[study.grouped] = study


def states_to_solve(design: StudyContext) -> int:
    """Return the number of states solved by the study of depth 1."""
    solver = design.states
    found = cases(design.distribution.plan.network, 1, grouped=True, grouping=solver.grouping)
    return sum(1 for _ in found)


def _studied(
    design: StudyContext, depth: int, grouped: bool, progress: Progress | None
) -> FailureStudy:
    facility, plan = design.facility, design.distribution.plan
    basis = FailureBasis(
        scheme=facility.power.scheme.name,
        goal=facility.criteria.goal,
        voltage_drop=facility.criteria.voltage_drop_total,
        reliability=facility.electrical.reliability,
        autonomy=battery_autonomy(design),
        stated_breakers=frozenset(
            tag for tag, circuit in plan.circuits.items() if circuit.breaker_given
        ),
        set_runs={tag: one.runs for tag, one in plan.circuits.items() if one.stage == "set"},
    )
    found = network_failures(plan.network, basis, depth, grouped, progress, design.states.fresh())
    makeup = makeup_loss(design)
    if makeup is None:
        return found
    results = Results(found.results.values_by_key | dict(makeup.results()))
    return replace(found, makeup=makeup, results=refuse_impossible(results))


def battery_autonomy(design: StudyContext) -> Autonomy | None:
    """Return the battery autonomy of a UPS; one UPS is one output bus of its system."""
    batteries, buses = design.electrical.batteries, design.chain.ups.buses
    if batteries.bank is None:
        return None
    return partial(_lasts, batteries, buses)


def _lasts(batteries: BatteryDesign, buses: int, _: str, load_w: float, units: int) -> float:
    return float(autonomy_s(batteries, load_w * buses, units * buses))


def network_failures(
    network: Network,
    basis: FailureBasis,
    depth: int = 1,
    grouped: bool = True,
    progress: Progress | None = None,
    states: StateSolver | None = None,
) -> FailureStudy:
    """Return the failure study of a network; see `failures`. `states` is its solver."""
    if depth not in range(1, MAX_DEPTH + 1):
        raise FacilityError(
            "FAILURE_DEPTH",
            "depth",
            f"{depth} simultaneous outages are not supported.",
            "Enter 1 or 2.",
        )
    solver = states or StateSolver(compile_network(network), basis.autonomy)
    solved, columns = _solved(
        solver.columns(cases(network, depth, grouped=grouped, grouping=solver.grouping)), progress
    )
    single = solved[: len(columns)]
    grouping = solver.grouping
    groups = load_groups(network, solver.normal, _worst_ups(network, grouping, single, columns))
    availability, missing = _availability(network, grouping, single, columns, basis)
    loads = sum(load.kind.critical for load in network.loads)
    verdicts = (
        concurrently_maintainable(solved, loads),
        fault_tolerant(solved, loads),
        runs_capped(solved),
    )
    points = single_points(solved)
    return FailureStudy(
        network=network,
        depth=depth,
        grouped=grouped,
        states=solved,
        columns=columns,
        concurrently_maintainable=verdicts[0],
        fault_tolerant=verdicts[1],
        runs_capped=verdicts[2],
        single_points=points,
        groups=groups,
        availability=availability,
        checks=tuple(
            failure_checks(
                network,
                solved,
                verdicts[:2],
                points,
                ClaimedAvailability(basis.scheme, basis.goal),
                basis.voltage_drop,
                missing,
                basis.stated_breakers,
            )
        ),
        results=failure_results(depth, solved, verdicts, points, groups, availability),
    )


def _solved(
    found: Iterable[Columns], progress: Progress | None
) -> tuple[tuple[OutageState, ...], _Columns]:
    states: list[OutageState] = []
    loading: list[NDArray[np.float64]] = []
    for columns in found:
        single = sum(s.case.kind != "loss-during-maintenance" for s in columns.states)
        states += columns.states
        if single:
            loading += columns.loading[:single]
        if progress is not None:
            progress(len(states))
    return tuple(states), tuple(loading)


def _worst_ups(
    network: Network, grouping: Grouping, states: tuple[OutageState, ...], columns: _Columns
) -> dict[str, tuple[float, str]]:
    """Return the highest loading of each UPS and its state; grouped states count as one.

    A state that represents others applies to identical components: every UPS of a group has the
    loading of its worst member.
    """
    worst = dict[str, tuple[float, str]]()
    units = [one for one in network.equipment if one.kind == "ups"]
    if not units:
        return worst
    index = {one.tag: number for number, one in enumerate(units)}
    rows = [network.index[one.tag] for one in units]
    loading = np.array([column[rows] for column in columns]).T.reshape(len(units), -1)
    for group in grouping.equal_groups(units):
        seen = loading[[index[one.tag] for one in group]]
        if np.isnan(seen).all():
            continue
        _, column = np.unravel_index(argmax_within_rounding(seen), seen.shape)
        figure = float(np.nanmax(seen)), states[int(column)].case.outage.id
        worst |= dict.fromkeys((one.tag for one in group), figure)
    return worst


def _availability(
    network: Network,
    grouping: Grouping,
    states: tuple[OutageState, ...],
    columns: _Columns,
    basis: FailureBasis,
) -> tuple[tuple[LoadAvailability, ...], tuple[str, ...]]:
    """Return the availability by class of IT load, and the types with missing times.

    As many generator-set circuits are required as sets at their source.
    """
    loads = [load for load in network.loads if load.kind.critical]
    classes = grouping.equal_groups(loads)
    needed = _units_needed(network, states, columns)
    times = basis.reliability.times
    if not times:
        return (), tuple(sorted(kinds_above(network, (group[0] for group in classes))))
    down = {
        kind: 1.0 - float(inherent_availability.si(mtbf_s, mttr_s))
        for kind, (mtbf_s, mttr_s) in times.items()
    }
    sources = {link.circuit: link.source for _, link in network.links}
    needed |= {tag: needed.get(sources[tag], 1) for tag in basis.set_runs}
    found = tuple(load_availability(network, classes, needed, down, basis.set_runs))
    return found, tuple(sorted({kind for one in found for kind in one.missing}))


def _units_needed(
    network: Network, states: tuple[OutageState, ...], columns: _Columns
) -> dict[str, int]:
    """Return the parallel units required for the load in normal operation or without utility."""
    kinds = "normal", "utility"
    of = [one for one, s in zip(columns, states, strict=True) if s.case.kind in kinds]
    loading, needed = np.array(of).T, {}
    for seen, one in zip(loading, network.equipment, strict=True):
        if len(one.unit_tags) > 1 and not np.isnan(seen).all():
            carried = float(np.nanmax(seen)) * len(one.unit_tags)
            needed[one.tag] = min(len(one.unit_tags), whole_units(carried / OVER, minimum=1))
    return needed
