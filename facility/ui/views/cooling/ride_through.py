"""Ride-through: temperatures after each failure, what overheats first, buffers needed."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import streamlit as st

from facility.core.errors import FacilityError
from facility.core.views import System, show
from facility.report.book.record import check_table
from facility.report.studies.transient import Transient
from facility.report.tables.ride_events import RideEvent, focus_s, ride_events
from facility.report.why.pages import of_ride
from facility.study.design.design import Design
from facility.study.transient.cases import WHAT_IF
from facility.study.transient.result import RideResult, after_words
from facility.study.transient.study import TransientStudy
from facility.ui import displays
from facility.ui.charts import palette
from facility.ui.charts.ride_through import NamedLimit, named_limits, ride_figure
from facility.ui.controls import one_listed, one_of
from facility.ui.session import cooling_study, state
from facility.ui.work.ready import ready

_BUFFER = (
    "Buffer: usable water at the supply of the plant with which no allowable limit is passed. No "
    "size is enough where the air overheats for want of fans or flow."
)
_WHAT_IT_IS = (
    "A lumped model: air, servers, structure, cold plates and the water of every loop as stores of "
    "heat, at the design weather and full IT load. Masses, volumes and restart times are in the "
    "assumptions, under cooling.thermal. Local hot spots come earlier than the mean of a hall."
)


def _numbers(study: TransientStudy, system: System) -> None:
    """Show how many failures are ridden through, the soonest limit, and when power is back."""
    real = study.judged
    held, count = sum(found.holds for found in real), len(real)
    milder = sum(bool(found.milder) for found in real)
    remark, colour = _remark(count - held, milder)
    card = partial(displays.metric, page=of_ride(study))
    with st.container(horizontal=True):
        card("Failures without overheating", f"{held} of {count}", remark, colour, why="ride.held")
        passed = [
            (found.first[1], found.case.title)
            for found in real
            if not found.holds and found.first is not None
        ]
        if passed:
            soonest_s, title = min(passed)
            soonest = show(soonest_s, "time", system)
            card("Soonest over a limit", soonest, title, "red", why="ride.soonest")
        if "ride.restored" in study.results:
            card(
                "Generators carry the cooling",
                study.results["ride.restored"].shown(system),
                "after loss of the utility",
                why="ride.restored",
            )
        if not study.plant.direct:
            tank_m3 = study.plant.thermal.loops.chw_tank_m3
            tank = f"and {show(tank_m3, 'volume', system)} in a tank" if tank_m3 else "no tank"
            card(
                "Chilled water in the loop",
                study.results["ride.volume.chw"].shown(system),
                tank,
                why="ride.volume.chw",
            )


def _remark(short: int, milder: int) -> tuple[str, displays.Colour]:
    """Return what is said of failures, of which some pass an allowable limit, or a milder one."""
    if short:
        return f"{short} pass an allowable limit", "red"
    if milder:
        return f"{milder} pass a milder limit", "orange"
    return "no limit is passed", "green"


def _chosen(study: TransientStudy) -> tuple[RideResult, bool]:
    """Show the choice of the case and of the time."""
    case_box, time_box = st.columns([3, 2], vertical_alignment="bottom")
    titles = {found.case.id: _title(found) for found in study.cases}
    with case_box:
        title = f"Failure ({len(titles)} to choose from)"
        chosen = one_listed(title, titles, "ride-case", titles.__getitem__)
    names = {"events": "until it turns", "all": show(study[chosen].horizon_s, "time", digits=0)}
    with time_box:
        time_shown = one_of("Time shown", names, "ride-time")
    return study[chosen], time_shown == "all"


def _title(found: RideResult) -> str:
    return f"what if: {found.case.title}" if found.case.id in WHAT_IF else found.case.title


def _verdict(found: RideResult) -> None:
    with st.container(horizontal=True, vertical_alignment="center"):
        milder = ", ".join(limit.title for limit in found.milder)
        if not found.holds:
            st.badge("overheats", color="red")
        elif milder:
            st.badge("every allowable limit is kept", color="orange")
        else:
            st.badge("no limit is passed", color="green")
        st.text(
            f"{found.first_words}.{f' Passed: {milder}.' if milder else ''}"
            f"{'' if found.settled else ' Temperatures still change at the end.'}"
        )


def _curves(study: TransientStudy, found: RideResult, whole: bool, system: System) -> None:
    events = ride_events(study, found)
    until_s = found.horizon_s if whole else focus_s(found, events)
    displays.chart_to_ask(
        ride_figure(study, found, events, until_s, palette.ink(), system),
        "ride-curves",
        "Temperatures after the failure against time, with their limits",
        of_ride(study),
    )
    limits = [_limit_line(one, system) for one in named_limits(found)]
    st.text("\n".join((*limits, *(_event_line(n, one, system) for n, one in enumerate(events, 1)))))


def _limit_line(one: NamedLimit, system: System) -> str:
    passed = "not passed" if one.passed_s is None else f"passed {after_words(one.passed_s)}"
    return f"{one.letter}: {one.limit.title}, {show(one.at_c, 'temperature', system)}, {passed}"


def _event_line(number: int, event: RideEvent, system: System) -> str:
    return f"{number}: after {show(event.time_s, 'time', system, digits=0)}, {event.what}"


def _tables(design: Design, study: TransientStudy, found: RideResult, system: System) -> None:
    shown = Transient(design, study)
    cases, limits, *buffers = shown.tables(system)
    buffers = [replace(table, below=[_BUFFER]) for table in buffers]
    own = limits.only(lambda row: row[0] == found.case.id)
    of_case = replace(own, below=[f"Of the failure shown: {found.case.title}."])
    told = [cases, of_case, *buffers, check_table(shown.checks, system)]
    displays.tabs(told, "ride", of_ride(study))


def _page() -> None:
    design, system = state.current(), state.unit_system()
    displays.heading("Ride-through", design)
    if not ready("ride-through"):
        return
    try:
        study = cooling_study.ride_through()
    except FacilityError as error:
        displays.refused("Not followed", error)
        return
    _numbers(study, system)
    found, whole = _chosen(study)
    _verdict(found)
    _curves(study, found, whole, system)
    _tables(design, study, found, system)
    st.text(_WHAT_IT_IS)


_page()
