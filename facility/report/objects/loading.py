"""Loading of equipment in the normal state and in its worst single outage, and its derivation."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from facility.core.rounding import argmax_within_rounding
from facility.core.views import System, show
from facility.power.network.flow.solve import Flow
from facility.power.network.graph.types import Equipment, Outage
from facility.power.network.outages.states import StateSolver
from facility.report.drawings.live.moments import LiveState
from facility.report.objects.fact import ObjectFact
from facility.report.objects.objects import DesignObject
from facility.study.failures.study import FailureStudy

_LOADING = "Loading"
_NORMAL = "normal"
_NO_VOLTAGE, _NO_LOAD = "without voltage", "no load"
NO_LOADING = (_NO_VOLTAGE, _NO_LOAD)
"""Values of a loading that is not a number."""
_EQUAL = 5e-4
"""Relative difference below which a factor or a change of load is not listed."""


@dataclass(frozen=True)
class WorstLoading:
    """Highest loading of a piece of equipment in any single outage."""

    loading: float
    outage: Outage
    tag: str  # The equipment, or an identical one in an equal outage that the study represents


@dataclass(frozen=True)
class LoadingStep:
    """A line of the derivation of a loading."""

    label: str
    value: str
    sign: str = ""  # Of the operation: +, −, ÷ or ×


class NetworkLoading:
    """Loadings of the power network of a design in its single outages.

    solver: States of the network.
    study: The failure study; an outage that it represents by an equal one counts as that.
    """

    def __init__(self, solver: StateSolver, study: FailureStudy) -> None:
        self._solver = solver
        self._study = study

    @cached_property
    def _identical(self) -> Mapping[str, tuple[str, ...]]:
        groups = self._solver.grouping.equal_groups(self._solver.network.equipment)
        tags = (tuple(one.tag for one in group) for group in groups)
        return {tag: group for group in tags for tag in group}

    def normal(self, tag: str) -> float | None:
        """Return the loading with everything in service; None without a rating or load."""
        found = float(self._solver.normal.loading[self._solver.network.index[tag], 0])
        return found if np.isfinite(found) else None

    def worst(self, tag: str) -> WorstLoading | None:
        """Return the highest loading in any single outage; None without a rating or load."""
        return self._worst((tag,)).get(tag)

    def _worst(self, tags: Iterable[str]) -> Mapping[str, WorstLoading]:
        """Return the highest loading of each piece of equipment that has one."""
        # The equipment first: an identical one counts only where its loading is higher.
        mates = {tag: tuple(dict.fromkeys((tag, *self._identical[tag]))) for tag in tags}
        every = list(dict.fromkeys(mate for group in mates.values() for mate in group))
        if not every:
            return {}
        rows = [self._solver.network.index[tag] for tag in every]
        values = np.array([column[rows] for column in self._study.columns])
        known = {tag: n for n, tag in enumerate(every) if np.isfinite(values[:, n]).any()}
        at = {tag: argmax_within_rounding(values[:, n]) for tag, n in known.items()}
        found: dict[str, WorstLoading] = {}
        for tag, group in mates.items():
            loadings = {mate: float(values[at[mate], known[mate]]) for mate in group if mate in at}
            if loadings:
                mate = max(loadings, key=loadings.__getitem__)
                outage = self._study.states[at[mate]].case.outage
                found[tag] = WorstLoading(loadings[mate], outage, mate)
        return found

    def facts(self, one: DesignObject, live: LiveState | None) -> Iterator[ObjectFact]:
        """Yield the loadings of an object: in the state shown, the worst, and normal.

        For an object with several pieces of equipment, the most loaded one. The worst outage is
        not repeated where it is the state shown.
        """
        shown = ""
        if live is not None and live.case.outage.out and live.instant != "before":
            shown = live.case.outage.id if live.instant == "settled" else ""
            row = self._solver.network.index
            supplied = [tag for tag in one.tags if live.flow.live[row[tag], 0]]
            if one.tags and not supplied:
                yield ObjectFact(_LOADING, live.words, _NO_VOLTAGE, "")
            found = {tag: float(live.loading[row[tag]]) for tag in supplied}
            yield from self._highest_loading(one, found, live.words, live.case.outage.id)
        worst = self._worst(one.tags)
        if worst:
            tag = max(worst, key=lambda tag: worst[tag].loading)
            state = worst[tag]
            case = state.outage.id
            if len(one.tags) > 1 or state.tag != tag:
                case = f"{case}, {state.tag}"
            if case != shown:
                yield self._fact(tag, case, state.loading, state.outage.id)
        normal = {tag: value for tag in one.tags if (value := self.normal(tag)) is not None}
        yield from self._highest_loading(one, normal, _NORMAL, _NORMAL)

    def _highest_loading(
        self, one: DesignObject, found: Mapping[str, float], words: str, outage: str
    ) -> Iterator[ObjectFact]:
        known = {tag: value for tag, value in found.items() if np.isfinite(value)}
        if known:
            tag = max(known, key=known.__getitem__)
            case = f"{words}, {tag}" if len(one.tags) > 1 else words
            if known[tag]:
                yield self._fact(tag, case, known[tag], outage)
            else:
                yield ObjectFact(_LOADING, words, _NO_LOAD, "")

    def _fact(self, tag: str, case: str, loading: float, outage: str) -> ObjectFact:
        one = self._solver.network[tag]
        ratings = (("kVA", one.rating_va), ("kW", one.rating_w), ("A", one.rating_a))
        units = " or ".join(unit for unit, rating in ratings if rating is not None)
        basis = f"most loaded phase, {units}"
        return ObjectFact(_LOADING, case, loading, "fraction", 1.0, outage=outage, basis=basis)

    def steps(
        self, one: DesignObject, fact: ObjectFact, live: LiveState | None, system: System = "si"
    ) -> tuple[LoadingStep, ...]:
        """Return the derivation of the loading of one piece of equipment.

        live: State shown, which the loading may be from.
        """
        found = self.flow(one, fact, live)
        if found is None or isinstance(fact.value, str):
            return ()
        return tuple(self._derived(*found, fact.value, system))

    def flow(
        self, one: DesignObject, fact: ObjectFact, live: LiveState | None
    ) -> tuple[Equipment, Flow] | None:
        """Return the equipment and the power flow that a loading is from.

        None for a number that is no loading, and for several pieces of equipment. The loading of a
        UPS on its static bypass is that before the transfer.
        """
        if len(one.tags) != 1 or not fact.outage:
            return None
        (tag,) = one.tags
        if live is not None and fact.case == live.words:
            outage, flow = live.drawn, live.flow
        elif fact.outage == _NORMAL:
            return self._solver.network[tag], self._solver.normal
        else:
            cases = (state.case.outage for state in self._study.states)
            found = next((outage for outage in cases if outage.id == fact.outage), None)
            if found is None:
                return None
            worst = self.worst(tag)
            if worst is not None and worst.outage.id == fact.outage:
                tag = worst.tag
            outage, flow = found, self._solver.settled(found)
        if fact.value and not flow.output_va[self._solver.network.index[tag], 0]:
            flow = self._solver.before_transfer(outage)
        return self._solver.network[tag], flow

    def _derived(
        self, one: Equipment, flow: Flow, loading: float, system: System
    ) -> Iterator[LoadingStep]:
        row, normal = self._solver.network.index[one.tag], self._solver.normal
        out = set(flow.outages[0].out)
        units = sum(tag not in out for tag in one.unit_tags)
        now, kind, rating = max(
            _carried(one, flow, row), key=lambda found: found[0] / found[2], default=(0.0, "", 0.0)
        )
        if not rating:
            return
        before = next(value for value, other, _ in _carried(one, normal, row) if other == kind)
        if abs(now - before) > _EQUAL * now:
            yield LoadingStep("Carried in normal operation", show(before, kind, system))
            words = "Taken over in this state" if now >= before else "Load transferred or lost"
            sign = "+" if now >= before else "−"
            yield LoadingStep(words, show(abs(now - before), kind, system), sign)
        yield LoadingStep("Load in this state", show(now, kind, system))
        words = f"Rating, {units} units" if units > 1 else "Rating"
        yield LoadingStep(words, show(units * rating, kind, system), "÷")
        factor = loading * units * rating / now if now else 1.0
        if abs(factor - 1.0) > _EQUAL:
            words = "Most loaded phase over the mean"
            yield LoadingStep(words, f"{factor:.3f}", "×")


def _carried(one: Equipment, flow: Flow, row: int) -> Iterable[tuple[float, str, float]]:
    """Return the output by rating: value, kind and rating of one unit."""
    found = (
        (float(flow.output_va[row, 0]), "apparent_power", one.rating_va),
        (float(flow.output_w[row, 0]), "active_power", one.rating_w),
        (float(flow.current_a[row, :, 0].max()), "current", one.rating_a),
    )
    return [(value, kind, rating) for value, kind, rating in found if rating is not None]
