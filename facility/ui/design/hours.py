"""The hour of the cooling: the design hour, mean weather, an hour of the year, or own weather."""

from __future__ import annotations

import streamlit as st

from facility.core.errors import FacilityError
from facility.core.views import show
from facility.study.cooling_hour import CoolingHour
from facility.study.design.design import Design
from facility.ui.controls import one_of
from facility.ui.session import cooling_study, state, year_hour

HOUR_NAMES = {
    "design": "Design hour",
    "mean": "Mean weather",
    "year": "Hour of the year",
    "own": "Custom weather",
}
_HOURS = (
    "Design hour: the extremes for which the plant is sized. Mean weather: the mean of a typical "
    "year, at the mean IT load. Hour of the year: weather and IT load of one hour."
)
_KEY = "cooling-hour"
_OWN = ("cooling-dry", "cooling-wet", "cooling-it")


def hour_name() -> str:
    """Return the name of the selected hour."""
    return HOUR_NAMES[st.session_state.get(_KEY) or "design"]


def show_hour(design: Design) -> CoolingHour:
    """Show the selection of the hour and return it; the design hour if the entry is invalid."""
    facility = design.facility
    chosen = one_of("Hour", HOUR_NAMES, _KEY, help=_HOURS)
    at_design = cooling_study.hour_at(facility.site.design, 1.0)
    if chosen == "mean":
        mean = facility.site.mean
        if mean is not None:
            return cooling_study.hour_at(mean, facility.load.mean)
        st.warning(
            "Mean weather is missing for this site; the design hour is shown. Enter the mean dry "
            "bulb and wet bulb of the site, or choose a weather station."
        )
    if chosen == "year":
        return _hour_of_year(design) or at_design
    if chosen == "own":
        return _typed_hour(design) or at_design
    return at_design


def _hour_of_year(design: Design) -> CoolingHour | None:
    """Show the selection of an hour of the typical year; without a year, the reason, and None."""
    study = design.year
    if study is None:
        st.warning(f"The design hour is shown. {design.year_refusal}")
        return None
    year = study.year
    index = year_hour.chosen(year)
    st.text(year_hour.description(year, index, state.unit_system()))
    return cooling_study.hour_of(year, index)


def _typed_hour(design: Design) -> CoolingHour | None:
    """Show the inputs of custom weather; None, with the reason, if they are invalid."""
    site, system = design.facility.site, state.unit_system()
    values = (
        show(site.design.dry_bulb_c, "temperature", system),
        show(site.design.wet_bulb_c, "temperature", system),
        show(1.0, "fraction", system),
    )
    titles = ("Dry bulb", "Wet bulb", "IT load")
    for box, key, title, value in zip(st.columns(3), _OWN, titles, values, strict=True):
        st.session_state.setdefault(key, value)
        box.text_input(title, key=key, max_chars=64, persist_state="session")
    dry_bulb, wet_bulb, it_load = (st.session_state[key] for key in _OWN)
    try:
        return cooling_study.typed_hour(dry_bulb, wet_bulb, it_load, site.pressure_pa)
    except FacilityError as error:
        with st.container(border=True):
            st.error("Weather not applied. The design hour is shown.", icon=":material/error:")
            st.text(str(error))
    return None
