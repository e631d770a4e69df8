"""The cooling plant in an hour: key figures, loops, psychrometric chart, equipment and checks."""

from __future__ import annotations

from functools import partial

import streamlit as st

from facility.core.views import System, show
from facility.files.io.file_names import safe_file_name
from facility.files.svg.loops import LOOP_DARK, LOOP_LIGHT, box_id, loop_size_px, loop_svg
from facility.files.svg.shapes import DARK
from facility.report.drawings.charts.psychrometric import psychrometric_drawing
from facility.report.drawings.loops.diagram import loop_drawing
from facility.report.studies.equipment import CoolingAtHour
from facility.report.tables.summary import has_no_chiller
from facility.report.why.pages import of_hour
from facility.study.cooling_hour import CoolingHour
from facility.study.design.design import Design
from facility.ui import displays
from facility.ui.canvas.drawing import DrawingShown, show_drawing
from facility.ui.controls import download
from facility.ui.displays import Colour
from facility.ui.session import cooling_study, state
from facility.ui.theme import page_paint
from facility.ui.why import navigation
from facility.ui.why.drawer import show_drawer
from facility.ui.work.ready import ready

_HINT = "Click a box to see how its heat is calculated. Wheel, pinch or + and −: zoom. Drag: pan."
_TALLEST_PX = 620
_EXTREMES = "The design extremes of dry bulb and wet bulb need not coincide."
_PROCESS = (
    "Hall air is drawn at the room dew point: dry coils do not change its moisture content, so it "
    "moves along the line between supply and return."
)


def _numbers(design: Design, hour: CoolingHour, system: System) -> None:
    """Show the key figures of the hour."""
    point, flow, criteria = hour.point, hour.point.cooling, design.facility.criteria
    power_w = flow.power.total_w
    it_w = point.demand.it_w
    card = partial(displays.metric, page=of_hour(hour))
    with st.container(horizontal=True, key="more-numbers"):
        share = show(power_w / it_w, "fraction", system) if it_w else "no IT load"
        power = show(power_w, "active_power", system)
        card("Cooling power", power, f"{share} of IT", why="load.cooling")
        card(
            "PUE, this hour",
            show(point.facility_w / it_w, "ratio") if it_w else "-",
            f"IT {show(it_w, 'active_power', system)}",
            why="pue.hour",
        )
        card(
            "Compressor COP" if has_no_chiller(design.results) else "Chiller COP",
            show(flow.chiller_cop, "ratio", digits=2),
            f"Load {show(flow.chiller_load_w, 'heat_flow', system)}",
            why="plant.chiller_cop",
        )
        shown, remark, colour = _limited(
            flow.inlet_worst_c, criteria.air_allowable_max_c, criteria.air_class, system
        )
        title, key = "Equipment inlet, worst", "air.inlet_temperature_worst"
        card(title, shown, remark, colour, why=key)
        water = design.facility.cooling.facility_water
        if water is not None and flow.fws_flow_m3_s:
            shown, remark, colour = _limited(
                flow.fws_supply_c, water.class_max_c, water.liquid_class, system
            )
            card("Facility water", shown, remark, colour, why="fws.supply")
        word, part_w = "Economizer", flow.economizer_w
        if not part_w:
            word, part_w = "Collected", flow.collected_w
        rejected = show(flow.rejected_w, "heat_flow", system)
        remark = f"{word} {show(part_w, 'heat_flow', system)}"
        card("Heat rejected", rejected, remark, why="heat.rejected")


def _limited(value_c: float, limit_c: float, name: str, system: System) -> tuple[str, str, Colour]:
    """Return a temperature, its margin to the limit as text, and the colour of the margin."""
    shown, limit = (show(end, "temperature", system) for end in (value_c, limit_c))
    margin = show(abs(limit_c - value_c), "temperature_difference", system)
    if shown == limit:
        return shown, f"at the limit of {name}", "orange"
    if value_c > limit_c:
        return shown, f"{margin} above {name}", "red"
    return shown, f"{margin} below {name}", "green"


@st.fragment
def _diagram(design: Design, hour: CoolingHour, system: System) -> None:
    """Show the loops; a click on a box opens the explanation of its heat flow."""
    drawing, page, lines = loop_drawing(design, hour, system), of_hour(hour), page_paint()
    paint = LOOP_DARK if lines is DARK else LOOP_LIGHT
    asking = {box_id(n): box for n, box in enumerate(drawing.boxes) if box.key in page}
    shown = DrawingShown(
        name=drawing.title,
        title=f"{drawing.title}. {drawing.subtitle}",
        hint=_HINT,
        height=min(loop_size_px(drawing)[1], _TALLEST_PX),
    )
    show_drawing(
        loop_svg(drawing, paint, marked=True),
        {id: f"Explain {box.title}" for id, box in asking.items()},
        shown,
        "loops",
        lambda id: navigation.ask(asking[id].key, page),
    )
    name = safe_file_name(design.facility.identity.name)
    download(
        "Download loop diagram (.svg)", f"{name}-loops.svg", lambda: loop_svg(drawing), "loops-svg"
    )
    show_drawer()


def _air(design: Design, hour: CoolingHour, system: System) -> None:
    st.markdown("#### Outdoor and hall air")
    chart = cooling_study.chart_at(hour)
    displays.explained_chart(
        psychrometric_drawing(chart, system),
        "psychrometric",
        "Psychrometric chart: outdoor air, hall air, and envelopes of the air class",
        of_hour(hour),
    )
    elevation = show(design.facility.site.elevation_m, "length", system, digits=0)
    derated = "not derated"
    if chart.derated_k:
        derated = f"derated by {show(chart.derated_k, 'temperature_difference', system)}"
    year = f"No hourly weather record for {design.facility.site.place}."
    if chart.hours is not None:
        year = (
            f"Shaded: hours of the typical year of weather record {chart.hours.station}; a "
            "stronger shade means more hours."
        )
    st.text(
        f"Site pressure {show(chart.pressure_pa, 'pressure', system)}; allowable envelope "
        f"{derated} at {elevation}. {year} {_EXTREMES} {_PROCESS}"
    )


def show_cooling(design: Design, hour: CoolingHour) -> None:
    """Show the plant in an hour: key figures, loops to explain, air, and the tables."""
    system = state.unit_system()
    _numbers(design, hour, system)
    _diagram(design, hour, system)
    _air(design, hour, system)
    if not ready("plant"):
        return
    displays.study_tabs(CoolingAtHour(design, hour), "cooling", system, of_hour(hour))
