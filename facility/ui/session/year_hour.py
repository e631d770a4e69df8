"""The selected hour of the typical year, shared by the pages Year and Cooling."""

from __future__ import annotations

import numpy as np
import streamlit as st

from facility.core.rounding import argmax_within_rounding
from facility.core.views import System, show
from facility.report.drawings.charts.year import calendar_hour
from facility.study.annual.result import Year

_WIDGET, _CHOSEN = "year-hour", "year-hour-kept"


def index_of(year: Year) -> int:
    """Return the index of the first step of the selected hour.

    The default is the hour of peak demand, also if the selected hour is outside the year.
    """
    hours = year.hours
    if not 1 <= st.session_state.get(_CHOSEN, 0) <= round(hours.whole):
        choose(hours.hour(argmax_within_rounding(year.facility_w)))
    number: int = st.session_state[_CHOSEN]
    return round((number - 1) / hours.step_h)


def chosen(year: Year) -> int:
    """Show the input of the hour number, and return the index of its first step."""
    index, last = index_of(year), round(year.hours.whole)
    # Each page has a separate widget, which would start with its default; both show this hour.
    st.session_state[_WIDGET] = st.session_state[_CHOSEN]
    st.number_input("Hour of the year", 1, last, step=1, key=_WIDGET, on_change=_entered, width=200)
    extremes = {
        "Peak demand": year.facility_w,
        "Highest wet bulb": year.hours.air.wet_bulb_c,
        "Highest dry bulb": year.hours.air.dry_bulb_c,
    }
    with st.container(horizontal=True, gap="small"):
        for title, series in extremes.items():
            number = year.hours.hour(argmax_within_rounding(np.asarray(series)))
            st.button(title, key=f"{_WIDGET}-{title}", on_click=choose, args=(number,))
    return index


def choose(number: int) -> None:
    """Select an hour of the year, from 1."""
    st.session_state[_CHOSEN] = number


def _entered() -> None:
    choose(int(st.session_state[_WIDGET]))


def description(year: Year, index: int, system: System) -> str:
    """Return date, outdoor air, IT load and power at the meter of an hour as text."""
    air = year.outdoors(index)
    when, hour = calendar_hour(year, index)
    return (
        f"{when}, hour {hour}: {show(air.dry_bulb_c, 'temperature', system)} dry bulb, "
        f"{show(air.wet_bulb_c, 'temperature', system)} wet bulb, "
        f"{show(float(year.load[index]), 'fraction', system)} IT load; "
        f"{show(float(year.facility_w[index]), 'active_power', system)} at the meter, "
        + (f"PUE {year.pue[index]:.3f}" if year.load[index] > 0.0 else "no IT")
    )
