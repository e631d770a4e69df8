"""The hour of the typical year that the visitor looks at, on the pages Year and Cooling."""

from __future__ import annotations

import streamlit as st

from facility.core.rounding import first_largest
from facility.core.views import System, show
from facility.report.drawings.charts.year import calendar_hour
from facility.study.annual.result import Year

_WIDGET, _KEPT = "year-hour", "year-hour-kept"


def chosen(year: Year) -> int:
    """Show the number of the hour to choose, and return its first step, counted from 0.

    The highest hour at the meter until another is chosen, and after a shorter year.
    """
    hours, last = year.hours, round(year.hours.whole)
    if not 1 <= st.session_state.get(_KEPT, 0) <= last:
        choose(hours.hour(first_largest(year.facility_w)))
    # Each page has a number of its own, which would begin anew: both show the hour that is kept.
    st.session_state[_WIDGET] = st.session_state[_KEPT]
    st.number_input("Hour of the year", 1, last, step=1, key=_WIDGET, on_change=_entered, width=200)
    number: int = st.session_state[_KEPT]
    return round((number - 1) / hours.step_h)


def choose(number: int) -> None:
    """Look at another hour of the year, counted from 1."""
    st.session_state[_KEPT] = number


def _entered() -> None:
    choose(int(st.session_state[_WIDGET]))


def told(year: Year, index: int, system: System) -> str:
    """Return when an hour is, its outdoor air and load, and what the meter reads."""
    air = year.outdoors(index)
    when, hour = calendar_hour(year, index)
    return (
        f"{when}, hour {hour}: {show(air.dry_bulb_c, 'temperature', system)} dry bulb, "
        f"{show(air.wet_bulb_c, 'temperature', system)} wet bulb, "
        f"{show(float(year.load[index]), 'fraction', system)} of the IT load; "
        f"{show(float(year.facility_w[index]), 'active_power', system)} at the meter, "
        + (f"PUE {year.pue[index]:.3f}" if year.load[index] > 0.0 else "no IT")
    )
