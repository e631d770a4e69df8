"""Presentation of a failure study.

In its JSON powers are in kW, loadings, voltages and parts in per cent, times in the unit of their
name.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from facility.core.views import System, show, view_value
from facility.power.network.outages.availability import LoadAvailability
from facility.power.network.outages.states import OutageState
from facility.power.network.outages.verdicts import LoadGroup
from facility.report.book.distribution.failures import POINTS, STATES
from facility.report.sheet.grid import Column, GridValue, SheetTable, TextTable
from facility.report.studies.protocol import Object, StudyReport
from facility.report.tables.states import verdict_lines, worst_first
from facility.study.failures.study import FailureStudy

_W = "active_power"


def _loading(group: LoadGroup) -> GridValue:
    return f"{show(group.worst[1], 'fraction')} {group.worst[0]}" if group.worst else None


GROUPS: SheetTable[LoadGroup] = SheetTable(
    "IT load by UPS systems",
    (
        Column("systems", "UPS systems", 0, of=lambda g: " and ".join(g.systems) or "none"),
        Column("loads", "Loads", 0, "count"),
        Column("load", "IT load (kW)", 0, _W, of=lambda g: g.load_w),
        Column("loading", "Maximum loading", 0, of=_loading),
        Column("state", "State", 0, of=lambda g: g.worst[2] if g.worst else None),
    ),
)


def _availability(one: LoadAvailability) -> GridValue:
    return "not evaluated" if one.down_s is None else f"{1.0 - (one.unavailability or 0.0):.7%}"


def _leading(one: LoadAvailability) -> str:
    if one.down_s is not None:
        name, part = one.contributors[0] if one.contributors else ("", 0.0)
        return f"{name}, {part:.0%}"
    if one.missing:
        return "no failure or repair times for " + ", ".join(one.missing)
    return "outage requires more than two failed components"


AVAILABILITY: SheetTable[LoadAvailability] = SheetTable(
    "Availability",
    (
        Column("loads", "Loads", 0, "count", of=lambda a: len(a.loads)),
        Column("first", "First load", 0, of=lambda a: a.loads[0]),
        Column("availability", "Availability", 0, of=_availability),
        Column("down", "Minutes per year", 0,
               of=lambda a: None if a.down_s is None else f"{a.down_s / 60.0:,.3g}"),
        Column("cuts", "Cut sets", 0, "count", of=lambda a: len(a.cuts)),
        Column("leading", "Leading contributor", 0, of=_leading),
    ),
)  # fmt: skip


@dataclass(frozen=True)
class Failures(StudyReport):
    """All single failures and maintenance outages; `shown` is the number of states printed."""

    study: FailureStudy
    shown: int
    verb = "failures"

    def lists(self) -> Mapping[str, Sequence[Object]]:
        """Return states, groups of loads, availability."""
        return {
            "states": [state_object(state) for state in self.study.states],
            "groups": [group_object(group) for group in self.study.groups],
            "availability": [availability_object(one) for one in self.study.availability],
        }

    def opening(self) -> Iterator[str]:
        """Return the verdicts."""
        yield from ("", *verdict_lines(self.study))
        if self.study.makeup is not None:
            yield self.study.makeup.words

    def tables(self, system: System) -> Iterator[TextTable]:
        """Return the worst states, single points of failure, groups, availability."""
        study, worst = self.study, worst_first(self.study.states)[: self.shown]
        title = f"{len(worst)} worst of {len(study.states):,} states ({study.outages:,} outages)"
        yield STATES.text(worst, system, title=title)
        if study.single_points:
            yield POINTS.text(study.single_points, system)
        yield GROUPS.text(study.groups, system)
        if study.availability:
            yield AVAILABILITY.text(study.availability, system)

    @property
    def left_out(self) -> Sequence[str]:
        """Limits of the model."""
        return list(_remarks(self.study))


def _remarks(study: FailureStudy) -> Iterator[str]:
    yield (
        "Steady state of every outage; overloads are reported without cascading trips, and "
        "transfers between live sources are without interruption. The verdicts cover IT load on "
        "the power network, not cooling. Loss of make-up water is evaluated at the design hour; "
        "facility transient simulates it over time."
    )
    if study.availability:
        yield (
            "Availability: minimal cut sets of one or two components, failing independently; "
            "planned maintenance, common causes, failures to start and batteries are excluded."
        )
    if study.depth > 1:
        yield (
            "Failures during maintenance cover the power train down to the panels: while one feed "
            "of a rack is out, loss of its other cord stops loads that need both."
        )
    if study.grouped and study.outages > len(study.states):
        yield (
            f"{len(study.states):,} states represent {study.outages:,} outages with identical "
            f"effect on the network; --all solves each."
        )


def state_object(state: OutageState) -> Object:
    """Return a state as a JSON object: powers in kW, loadings in %, times in s."""
    case, lowest = state.case, state.lowest_voltage
    return {
        "id": case.outage.id,
        "lost": list(case.outage.out),
        "maintained": list(case.outage.maintained),
        "kind": case.kind,
        "group": case.size,
        "alike": list(case.alike),
        "load_dropped": view_value(state.dropped_w, _W),
        "load_capped": view_value(state.capped.load_w, _W),
        "load_capped_drawn": view_value(state.capped.drawn_w, _W),
        "capped_figures_conflict": state.capped.conflict,
        "load_interrupted": view_value(state.interrupted_w, _W),
        "load_unprotected": view_value(state.unprotected_w, _W),
        "other_load_dropped": view_value(state.other_dropped_w, _W),
        "racks_dropped": [tag for tag, _ in state.racks],
        "load_dropped_by_rack": [_named(one, "load_dropped", _W) for one in state.racks],
        "overloads": [_named(figure, "loading") for figure in state.overloads],
        "worst_loading": _named(state.worst_loading, "loading") if state.worst_loading else None,
        "lowest_voltage": None if lowest is None else _named(lowest, "voltage"),
        "transfers": list(state.transfers),
        "on_battery": [_named(one, "load", _W) for one in state.riding],
        "battery_s": state.battery_s,
        "battery_reason": state.battery_reason,
    }


def group_object(group: LoadGroup) -> Object:
    """Return a load group as a JSON object."""
    worst = group.worst
    return {
        "systems": list(group.systems),
        "loads": group.loads,
        "load": view_value(group.load_w, _W),
        "worst_loading": None if worst is None else _named(worst[:2], "loading"),
        "state": worst[2] if worst is not None else None,
    }


def availability_object(one: LoadAvailability) -> Object:
    """Return the availability of a load class as a JSON object."""
    down = one.unavailability
    return {
        "loads": list(one.loads),
        "availability": None if down is None else view_value(1.0 - down, "fraction"),
        "unavailability": down,
        "unavailability_exact": one.exact,
        "minutes_per_year": None if one.down_s is None else one.down_s / 60.0,
        "cut_sets": [list(cut) for cut in one.cuts],
        "contributors": [_named(part, "part") for part in one.contributors],
        "missing": list(one.missing),
    }


def _named(figure: tuple[str, float], name: str, kind: str = "fraction") -> Object:
    return {"id": figure[0], name: view_value(figure[1], kind)}
