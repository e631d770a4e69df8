"""Ride-through page: temperatures after each failure, first overheating, required buffers."""

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
    "Buffer: usable water at plant supply temperature for which no allowable limit is exceeded. No "
    "volume is sufficient where the air overheats for lack of fans or flow."
)
_WHAT_IT_IS = (
    "Lumped thermal model: air, servers, structure, cold plates and the water of every loop store "
    "heat, at design weather and full IT load. Masses, volumes and restart times are listed in the "
    "assumptions (cooling.thermal). Local hot spots occur earlier than the hall mean."
)


def _numbers(study: TransientStudy, system: System) -> None:
    """Show the failures ridden through, the earliest limit exceeded, and the power restoration."""
    real = study.evaluated
    ridden_through, count = sum(found.holds for found in real), len(real)
    milder = sum(bool(found.milder) for found in real)
    remark, colour = _remark(count - ridden_through, milder)
    card = partial(displays.metric, page=of_ride(study))
    with st.container(horizontal=True):
        card(
            "Failures without overheating",
            f"{ridden_through} of {count}",
            remark,
            colour,
            why="ride.held",
        )
        passed = [
            (found.first[1], found.case.title)
            for found in real
            if not found.holds and found.first is not None
        ]
        if passed:
            soonest_s, title = min(passed)
            soonest = show(soonest_s, "time", system)
            card("Earliest limit exceeded", soonest, title, "red", why="ride.soonest")
        if "ride.restored" in study.results:
            card(
                "Cooling on generator power",
                study.results["ride.restored"].shown(system),
                "After loss of utility",
                why="ride.restored",
            )
        if not study.plant.direct:
            tank_m3 = study.plant.thermal.loops.chw_tank_m3
            tank = f"Tank {show(tank_m3, 'volume', system)}" if tank_m3 else "No tank"
            card(
                "Chilled water in the loop",
                study.results["ride.volume.chw"].shown(system),
                tank,
                why="ride.volume.chw",
            )


def _remark(short: int, milder: int) -> tuple[str, displays.Colour]:
    """Return the remark on failures that exceed an allowable or only a milder limit."""
    if short:
        return f"{short} above an allowable limit", "red"
    if milder:
        return f"{milder} above a milder limit", "orange"
    return "No limit exceeded", "green"


def _chosen(study: TransientStudy) -> tuple[RideResult, bool]:
    """Show the selection of the failure and of the time span."""
    case_box, time_box = st.columns([3, 2], vertical_alignment="bottom")
    titles = {found.case.id: _title(found) for found in study.cases}
    with case_box:
        title = f"Failure ({len(titles)} available)"
        chosen = one_listed(title, titles, "ride-case", titles.__getitem__)
    names = {"events": "Main events", "all": show(study[chosen].horizon_s, "time", digits=0)}
    with time_box:
        time_shown = one_of("Time span", names, "ride-time")
    return study[chosen], time_shown == "all"


def _title(found: RideResult) -> str:
    return f"What if: {found.case.title}" if found.case.id in WHAT_IF else found.case.title


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


def _curves(study: TransientStudy, found: RideResult, whole: bool, system: System) -> None:
    events = ride_events(study, found)
    until_s = found.horizon_s if whole else focus_s(found, events)
    displays.explained_chart(
        ride_figure(study, found, events, until_s, palette.ink(), system),
        "ride-curves",
        "Line chart: temperatures over time after the failure, with their limits",
        of_ride(study),
    )
    limits = [_limit_line(one, system) for one in named_limits(found)]
    st.text("\n".join((*limits, *(_event_line(n, one, system) for n, one in enumerate(events, 1)))))


def _limit_line(one: NamedLimit, system: System) -> str:
    passed = "not exceeded" if one.passed_s is None else f"exceeded {after_words(one.passed_s)}"
    return f"{one.letter}: {one.limit.title}, {show(one.at_c, 'temperature', system)}, {passed}"


def _event_line(number: int, event: RideEvent, system: System) -> str:
    return f"{number}: after {show(event.time_s, 'time', system, digits=0)}, {event.what}"


def _tables(design: Design, study: TransientStudy, found: RideResult, system: System) -> None:
    shown = Transient(design, study)
    cases, limits, *buffers = shown.tables(system)
    buffers = [replace(table, below=[_BUFFER]) for table in buffers]
    own = limits.only(lambda row: row[0] == found.case.id)
    of_case = replace(own, below=[f"Failure shown: {found.case.title}."])
    tables = [cases, of_case, *buffers, check_table(shown.checks, system)]
    displays.tabs(tables, "ride", of_ride(study))


def show_ride_through() -> None:
    """Show temperatures and power after a loss of utility or cooling."""
    design, system = state.current(), state.unit_system()
    displays.heading("Ride-through", design)
    if not ready("ride-through"):
        return
    try:
        study = cooling_study.ride_through()
    except FacilityError as error:
        displays.refused("Ride-through not simulated", error)
        return
    _numbers(study, system)
    found, whole = _chosen(study)
    _verdict(found)
    _curves(study, found, whole, system)
    _tables(design, study, found, system)
    st.text(_WHAT_IT_IS)
