"""Checks on the states of the power network."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from facility.core.check import Check, Rule, Severity
from facility.core.rounding import argmax_within_rounding, argmin_within_rounding, rounded, within
from facility.core.views import show
from facility.model.facility import Goal
from facility.model.power.redundancy import ONE_SYSTEM
from facility.power.network.graph.types import Network
from facility.power.network.outages.states import OutageState
from facility.power.network.outages.verdicts import SinglePoint, Verdict
from facility.power.panels.board.model import STATED_BREAKER
from facility.study.rules import RULES

_ACRONYMS = ("ats", "lv", "mv", "pdu", "ups")
_NAMED = 5
"""Maximum number of names in a reason."""


_SUBJECT = "IT load"
_PROPERTIES = ("CONCURRENTLY-MAINTAINABLE", "FAULT-TOLERANT")


@dataclass(frozen=True)
class ClaimedAvailability:
    """Availability claimed for the power network, which decides the severity of a shortfall."""

    scheme: str = ""  # Redundancy scheme of the UPS; empty without UPS
    goal: Goal = field(default_factory=Goal)

    def severity(self, required: bool) -> Severity:
        """Return the severity of a property: a goal is binding, a multi-system scheme is a claim.

        Without a goal, several systems imply that a single outage must not stop the load.
        """
        if required:
            return Severity.VIOLATION
        claimed = not self.goal.availability and self.scheme not in ONE_SYSTEM
        return Severity.WARNING if claimed else Severity.ADVICE

    def why(self, required: bool, because: str) -> str:
        """Return a reason, with the goal and the scheme if the goal is not met."""
        if not required:
            return because
        stated = f"criteria.availability_goal is {self.goal.availability}"
        return f"{because}; {stated}, power.redundancy is {self.scheme}"


def failure_checks(
    network: Network,
    states: Sequence[OutageState],
    verdicts: tuple[Verdict, Verdict],
    points: Sequence[SinglePoint],
    claimed: ClaimedAvailability,
    voltage_drop: float | None,
    missing: Sequence[str],
    stated_breakers: frozenset[str],
) -> Iterator[Check]:
    """Yield the checks of a failure study.

    verdicts: Concurrently maintainable, fault tolerant.
    voltage_drop: Maximum voltage drop up to the load, as a fraction.
    missing: Component types without failure and repair times.
    stated_breakers: Circuits with a breaker stated by the project; their overload names its fields.
    """
    required = claimed.goal.maintainable, claimed.goal.tolerant
    points_weight = claimed.severity(required=False)
    links = (link for _, link in network.links)
    unrated = [link.circuit for link in links if link.circuit and link.rating_a is None]
    yield from _points(points, Severity.WARNING if required[1] else points_weight)
    for id, verdict, goal in zip(_PROPERTIES, verdicts, required, strict=True):
        rule = replace(RULES[id], severity=claimed.severity(goal))
        if verdict.holds and unrated:
            why = f"{verdict.because}; {len(unrated)} circuits without a rating: {_few(unrated)}"
            yield rule.not_evaluated(_SUBJECT, why)
        elif verdict.holds:
            yield rule.verdict(_SUBJECT, True, verdict.because)
        else:
            yield rule.verdict(_SUBJECT, False, claimed.why(goal, verdict.because))
    bare = verdicts[0].unprotected
    yield RULES["UNPROTECTED-IN-MAINTENANCE"].verdict(
        f"{len(bare)} maintenance outages" if bare else "IT load",
        not bare,
        "without a UPS: " + _few(bare) if bare else "supplied by a UPS in every maintenance outage",
    )
    single = [s for s in states if s.case.kind != "loss-during-maintenance"]
    yield from _overloads(RULES["OVERLOAD-IN-STATE"], single, stated_breakers)
    if len(single) < len(states):
        yield from _overloads(
            RULES["OVERLOAD-DURING-MAINTENANCE"],
            [s for s in states if s not in single],
            stated_breakers,
        )
    if unrated:
        yield RULES["OVERLOAD-IN-STATE"].not_evaluated(
            f"{len(unrated)} circuits",
            f"without a rating, their overload cannot be detected: {_few(unrated)}",
        )
    yield _voltage(network, single, voltage_drop)
    if missing:
        types = ", ".join(
            " ".join(word.upper() if word in _ACRONYMS else word for word in one.split("-"))
            for one in missing
        )
        yield RULES["AVAILABILITY"].not_evaluated(
            "IT load", f"no failure and repair data for: {types}"
        )


def _few(names: Sequence[str]) -> str:
    more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
    return ", ".join(names[:_NAMED]) + more


def _points(points: Sequence[SinglePoint], weight: Severity) -> Iterator[Check]:
    rule = replace(RULES["SPOF"], severity=weight)
    if not points:
        yield rule.verdict("IT load", True, "no single loss stops IT load")
    for point in points:
        more = len(point.alike) - 1
        yield rule.verdict(
            point.component + (f" and {more} identical" if more else ""),
            False,
            f"loss stops {show(point.lost_w, 'active_power')} of IT load"
            + (f": {_few(point.racks)}" if point.racks else " until the generators start"),
        )


def _overloads(
    rule: Rule, states: Sequence[OutageState], stated: frozenset[str]
) -> Iterator[Check]:
    worst: dict[str, tuple[float, str]] = {}
    for state in states:
        for tag, loading in state.overloads:
            if not within(loading, worst.get(tag, (0.0, ""))[0]):
                worst[tag] = loading, state.case.outage.id
    groups: dict[str, list[str]] = defaultdict(list)
    for tag, (loading, _) in sorted(worst.items(), key=lambda item: -rounded(item[1][0])):
        groups[f"{loading:.4f}"].append(tag)
    for tags in groups.values():
        loading, where = worst[tags[0]]
        more = f"; {len(tags)} components with this loading: {_few(tags)}" if len(tags) > 1 else ""
        more += f"; {STATED_BREAKER}" if stated.issuperset(tags) else ""
        yield rule.at_most(
            tags[0],
            loading,
            1.0,
            "fraction",
            f"{show(loading, 'fraction')} of its rating in {where}{more}",
        )
    if not worst:
        rated = [s for s in states if s.worst_loading is not None]
        if not rated:
            yield rule.not_evaluated("network", "no loaded component has a rating")
            return
        state = rated[
            argmax_within_rounding([s.worst_loading[1] for s in rated if s.worst_loading])
        ]
        tag, loading = state.worst_loading or ("", 0.0)
        yield rule.at_most(
            tag,
            loading,
            1.0,
            "fraction",
            f"highest loading of all states, in {state.case.outage.id}",
        )


def _voltage(network: Network, states: Sequence[OutageState], drop: float | None) -> Check:
    bare = [
        link.circuit
        for _, link in network.links
        if link.circuit and link.resistance_ohm == 0.0 and link.reactance_ohm == 0.0
    ]
    seen = [s for s in states if s.lowest_voltage is not None]
    if drop is None or not seen:
        return RULES["VOLTAGE-IN-STATE"].not_evaluated(
            "loads", "no voltage-drop limit, or no load served"
        )
    state = seen[argmin_within_rounding([s.lowest_voltage[1] for s in seen if s.lowest_voltage])]
    tag, voltage = state.lowest_voltage or ("", 1.0)
    if bare and voltage >= 1.0 - drop:
        return RULES["VOLTAGE-IN-STATE"].not_evaluated(
            "loads",
            f"{show(voltage, 'fraction')} of nominal at {tag} in {state.case.outage.id}, but "
            f"{len(bare)} circuits without impedance have no voltage drop: {_few(bare)}",
        )
    return RULES["VOLTAGE-IN-STATE"].at_least(
        tag,
        voltage,
        1.0 - drop,
        "fraction",
        f"{show(voltage, 'fraction')} of nominal in {state.case.outage.id}, lowest of all states",
    )
