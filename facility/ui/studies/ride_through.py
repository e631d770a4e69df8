"""Ride-through: temperatures after each failure, first overheating, required buffers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import streamlit as st

from facility.core.check import Check, Outcome
from facility.core.views import System, show
from facility.report.book.record import check_table
from facility.report.drawings.charts.ride_through import NamedLimit, named_limits, ride_chart
from facility.report.sheet.grid import TextTable
from facility.report.studies.transient import Transient
from facility.report.tables.ride_events import focus_s, ride_events
from facility.report.why.pages import of_ride
from facility.study.design.design import Design
from facility.study.transient.cases import WHAT_IF
from facility.study.transient.result import RideResult, after_words
from facility.study.transient.study import TransientStudy
from facility.ui.blocks.blocks import (
    Block,
    ChartBlock,
    Controls,
    Look,
    NumberCell,
    Numbers,
    Tabs,
    TextBlock,
    cell,
    loading,
)
from facility.ui.controls import one_listed, one_of
from facility.ui.session import cooling_study
from facility.ui.studies import lines
from facility.ui.studies.frame import StudyView
from facility.ui.work.ready import ready

_BUFFER = (
    "Buffer: usable water at plant supply temperature for which no allowable limit is exceeded. No "
    "volume is sufficient where the air overheats for lack of fans or flow."
)
_WHAT_IT_IS = (
    "Lumped thermal model: air, servers, structure, cold plates and the water of every loop store "
    "heat, at design weather and full IT load. Masses, volumes and restart times are listed in the "
    "assumptions. Local hot spots occur earlier than the hall mean."
)


_LOADING = ("Failures without overheating", "Cooling on generator power")
_SETTINGS = (
    ("Chilled water tank", "cooling.thermal.chilled_water_tank"),
    ("Facility water tank", "cooling.thermal.facility_water_tank"),
    ("Generator start time", "power.generator.start_time"),
    ("Supply air", "cooling.supply_air"),
    ("Air class of the equipment", "criteria.air_class"),
)


def _cells(study: TransientStudy, system: System) -> list[NumberCell]:
    """Return the failures ridden through, the earliest limit exceeded, and the restoration."""
    real = study.evaluated
    ridden_through, count = sum(found.holds for found in real), len(real)
    remark, look = _remark(count - ridden_through, sum(bool(found.milder) for found in real))
    label = "Failures without overheating"
    cells = [cell(label, f"{ridden_through} of {count}", remark, look=look, why="ride.held")]
    passed = [
        (found.first[1], found.case.title)
        for found in real
        if not found.holds and found.first is not None
    ]
    if passed:
        soonest_s, title = min(passed)
        soonest = show(soonest_s, "time", system)
        label = "Earliest limit exceeded"
        cells.append(cell(label, soonest, title, look="over", why="ride.soonest"))
    if "ride.restored" in study.results:
        restored = study.results["ride.restored"].shown(system)
        label = "Cooling on generator power"
        cells.append(cell(label, restored, "After loss of utility", why="ride.restored"))
    if not study.plant.direct:
        tank_m3 = study.plant.thermal.loops.chw_tank_m3
        tank = f"Tank {show(tank_m3, 'volume', system)}" if tank_m3 else "No tank"
        volume = study.results["ride.volume.chw"].shown(system)
        cells.append(cell("Chilled water in the loop", volume, tank, why="ride.volume.chw"))
    return cells


def _remark(short: int, milder: int) -> tuple[str, Look]:
    """Return the remark on failures that exceed an allowable or only a milder limit."""
    if short:
        return f"{short} above an allowable limit", "over"
    if milder:
        return f"{milder} above a milder limit", "tight"
    return "No limit exceeded", "ok"


def _chosen(study: TransientStudy) -> tuple[RideResult, bool]:
    """Show the selection of the failure and of the time span."""
    case_box, time_box = st.columns([3, 2], vertical_alignment="bottom")
    titles = {
        found.case.id: f"What if: {found.case.title}"
        if found.case.id in WHAT_IF
        else found.case.title
        for found in study.cases
    }
    with case_box:
        title = f"Failure ({len(titles)} available)"
        chosen = one_listed(title, titles, "ride-case", titles.__getitem__)
    names = {"events": "Main events", "all": show(study[chosen].horizon_s, "time", digits=0)}
    with time_box:
        time_shown = one_of("Time span", names, "ride-time")
    return study[chosen], time_shown == "all"


def _verdict(found: RideResult) -> None:
    with st.container(horizontal=True, vertical_alignment="center"):
        milder = ", ".join(limit.title for limit in found.milder)
        if not found.holds:
            st.badge("Overheats", color="red")
        elif milder:
            st.badge("No allowable limit exceeded", color="orange")
        else:
            st.badge("No limit exceeded", color="green")
        st.text(
            f"{found.first_words}.{f' Exceeded: {milder}.' if milder else ''}"
            f"{'' if found.settled else ' Temperatures have not settled at the end of the run.'}"
        )


def _curves(study: TransientStudy, found: RideResult, whole: bool, system: System) -> ChartBlock:
    events = ride_events(study, found)
    until_s = found.horizon_s if whole else focus_s(found, events)
    lines = [_limit_line(one, system) for one in named_limits(found)]
    for number, event in enumerate(events, 1):
        after = show(event.time_s, "time", system, digits=0)
        lines.append(f"{number}: after {after}, {event.what}")
    return ChartBlock(
        "Temperatures after the failure",
        ride_chart(study, found, events, until_s, system),
        "ride-curves",
        "Line chart: temperatures over time after the failure, with their limits",
        "\n".join(lines),
        of_ride(study),
    )


def _limit_line(one: NamedLimit, system: System) -> str:
    passed = "not exceeded" if one.passed_s is None else f"exceeded {after_words(one.passed_s)}"
    return f"{one.letter}: {one.limit.title}, {show(one.at_c, 'temperature', system)}, {passed}"


def _without_ids(table: TextTable) -> TextTable:
    """Return a table of cases without their ids, which their titles replace."""
    return replace(
        table,
        heads=table.heads[1:],
        rows=[row[1:] for row in table.rows],
        columns=table.columns[1:],
        cells=[row[1:] for row in table.cells],
    )


def _blocks(design: Design, system: System) -> Iterator[Block]:
    """Yield temperatures after each failure, and the buffers that prevent overheating."""
    if not ready("ride-through"):
        yield loading(_LOADING, "ride-loading")
        return
    study = cooling_study.ride_through()
    yield Numbers(_cells(study, system), "ride-numbers", of_ride(study))
    found, whole = _chosen(study)
    yield Controls(lambda: _verdict(found))
    yield _curves(study, found, whole, system)
    shown = Transient(design, study)
    cases, limits, *buffers = shown.tables(system)
    buffers = [replace(table, below=[_BUFFER]) for table in buffers]
    own = limits.only(lambda row: row[0] == found.case.id)
    of_case = replace(own, below=[f"Failure shown: {found.case.title}."])
    tables = [*map(_without_ids, (cases, of_case, *buffers)), check_table(shown.checks, system)]
    yield Tabs(tables, "ride", of_ride(study))
    yield TextBlock(_WHAT_IT_IS)


def _counted(checks: Sequence[Check]) -> str:
    of_failures = [check for check in checks if check.rule == "RIDE-THROUGH"]
    passed = sum(check.count for check in of_failures if check.outcome is Outcome.PASS)
    return f"{passed} of {sum(check.count for check in of_failures)} limits met"


def _line(design: Design) -> str:
    real = cooling_study.ride_through().evaluated
    return f"{sum(found.holds for found in real)} of {len(real)} failures ridden through"


RIDE_THROUGH = StudyView(
    "ride-through",
    "Ride-through",
    _blocks,
    lambda: lines.of_part("ride-through", _line, from_checks=_counted),
    _SETTINGS,
)
