"""Views of an object other than the drawing, as blocks: summary, outages, tables, lists."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import cast

import streamlit as st

from facility.core.rounding import argmax_within_rounding
from facility.core.table import Results
from facility.core.views import System, show
from facility.files.io.file_names import safe_file_name
from facility.files.svg.hall import HALL_DARK, HALL_LIGHT, elevation_svg
from facility.report.book.record import check_table
from facility.report.drawings.charts.bars import heat_split, pue_stack
from facility.report.drawings.charts.kit.chart import Chart
from facility.report.drawings.charts.power_flow import power_flow
from facility.report.drawings.charts.psychrometric import psychrometric_drawing
from facility.report.drawings.hall.elevation import CIRCUIT_HEADS, circuit_rows, elevation
from facility.report.objects.objects import SITE, DesignObject
from facility.report.sheet.grid import TextTable
from facility.report.studies.equipment import CoolingAtHour
from facility.report.tables.summary import summary_tables
from facility.report.why.pages import circuit_id, of_hour, of_rack, trip_id
from facility.study.design.design import Design
from facility.study.design.rack_positions import RackPosition
from facility.ui import verdict
from facility.ui.blocks import render
from facility.ui.blocks.blocks import (
    Beside,
    Block,
    ChartBlock,
    Controls,
    DisplayTable,
    Kpi,
    NumberCell,
    Numbers,
    Tabs,
    TextBlock,
    cell,
    cells_of,
)
from facility.ui.canvas.views import ShownState
from facility.ui.controls import act, download
from facility.ui.design.outages import outage_blocks
from facility.ui.imports.panels import show_panel_import
from facility.ui.inspector import choice, inputs, racks
from facility.ui.objects import known, selection
from facility.ui.panels.panel_view import show_all_panels, show_panel
from facility.ui.session import cooling_study, outages, state
from facility.ui.session.state import of_design
from facility.ui.work.known import known as known_checks
from facility.ui.work.ready import ready

_AIR = (
    "Hall air is drawn at the room dew point: dry coils do not change its moisture content, so it "
    "moves along the line between supply and return. The design extremes of dry bulb and wet bulb "
    "need not coincide."
)
_YEAR: tuple[Kpi, ...] = (
    ("", "pue.annual", "pue.design", "Design hour {}"),
    ("Average monthly cost", "cost.month_estimate", "energy.annual", "{} per year"),
)
_ESTIMATE: tuple[Kpi, ...] = (
    ("PUE, design hour", "pue.design", "pue.estimate", "Mean weather {}"),
    ("Monthly cost, estimate", "cost.month_estimate", "energy.annual_estimate", "{} per year"),
)
_KPIS: tuple[Kpi, ...] = (
    ("IT load", "load.it", "load.racks", "{} racks"),
    ("Facility load", "load.facility", "load.cooling", "Cooling {}"),
    (
        "UPS loading, after design failure",
        "ups.loading_failure",
        "ups.loading_normal",
        "Normal {}, by kW",
    ),
    ("Air-side heat load", "heat.room", "heat.liquid", "To liquid {}"),
)
_Blocks = Callable[[DesignObject, ShownState], Iterable[Block]]


@dataclass(frozen=True)
class ObjectView:
    """A view of an object: its title, and its blocks."""

    title: str
    blocks: _Blocks


def views_of(one: DesignObject) -> Mapping[str, ObjectView]:
    """Return the views of an object by their keys."""
    return {key: _VIEWS[key] for key in _OF_KIND.get(one.kind, ())}


def show_object_view(view: ObjectView, one: DesignObject, shown: ShownState) -> None:
    """Show a view of an object."""
    with st.container(key="object-view"):
        render.show(view.blocks(one, shown))


@of_design()
def _charts(design: Design, system: System) -> tuple[Chart, ...]:
    results = design.results
    return power_flow(results), pue_stack(results), heat_split(results, system)


def summary_blocks() -> Iterator[Block]:
    """Yield key figures, verdict, charts, findings and all results; it needs no study."""
    design, system, now = state.current(), state.unit_system(), known_checks()
    yield Controls(lambda: render.heading("Summary", design))
    results, (pue, cost) = design.results, _ESTIMATE
    if design.year is not None:
        results, (pue, cost) = results | design.year.results, _YEAR
    load, facility, *rest = _KPIS
    kpis = (load, facility, pue, *rest, cost)
    yield Numbers(cells_of(results, kpis, system), "design-numbers")
    if design.facility.site.tariff is None:
        price = partial(selection.go_to_input, SITE, "site.tariff")
        yield Controls(lambda: act("Energy price", "add", "summary-price", price))
    yield Controls(lambda: verdict.show(system))
    flow, stack, heat = _charts(system)
    about = "Sankey diagram from the utility to IT, cooling, losses and building load"
    yield ChartBlock("Power flow at the design hour", flow, "power-flow", about)
    about = "Bar chart: IT heat by path, and heat removed by the air side"
    yield Beside(
        [
            ChartBlock("PUE, design hour", stack, "pue-stack", "Bar chart: PUE by contribution"),
            ChartBlock("Heat by path", heat, "heat-split", about),
        ]
    )
    yield _heading("Findings, worst first")
    found = [check for check in now.checks if check.outcome.value != "PASS"]
    yield DisplayTable(check_table(found, system), "open-checks") if found else TextBlock("None.")
    yield _heading("Results")
    results = design.results
    if now.results.state == "done":
        results = cast(Results, now.results.result())
    else:
        yield TextBlock("Sizing results; study results appear as the studies finish.")
    yield Tabs(list(summary_tables(results, system)), "results")


def _heading(words: str) -> Block:
    def draw() -> None:
        st.markdown(f"#### {words}")

    return Controls(draw)


def _cooling(one: DesignObject, shown: ShownState) -> Iterator[Block]:
    """Yield the air of an hour on the psychrometric chart, and the tables of the plant."""
    design, system, page = state.current(), state.unit_system(), of_hour(shown.hour)
    chart = cooling_study.chart_at(shown.hour)
    site = design.facility.site
    derated = "not derated"
    if chart.derated_k:
        derated = f"derated by {show(chart.derated_k, 'temperature_difference', system)}"
    year = f"No hourly weather record for {site.place}."
    if chart.hours is not None:
        year = (
            f"Shaded: hours of the typical year of weather record {chart.hours.station}; a "
            "stronger shade means more hours."
        )
    yield ChartBlock(
        "Outdoor and hall air",
        psychrometric_drawing(chart, system),
        "psychrometric",
        "Psychrometric chart: outdoor air, hall air, and envelopes of the air class",
        f"Site pressure {show(chart.pressure_pa, 'pressure', system)}; allowable envelope "
        f"{derated} at {show(site.elevation_m, 'length', system, digits=0)}. {year} {_AIR}",
        page,
    )
    if ready("plant"):
        study = CoolingAtHour(design, shown.hour)
        yield Tabs([*study.tables(system), check_table(study.checks, system)], "cooling", page)


def _rack(one: DesignObject, shown: ShownState) -> Iterator[Block]:
    """Yield one rack in the state of the power network: numbers, elevation and circuits."""
    design, system, rack = state.current(), state.unit_system(), known.objects().rack(one.id)
    network, page = design.states.network, of_rack(rack)
    dead = frozenset(
        unit.tag for n, unit in enumerate(network.equipment) if not shown.live.flow.live[n, 0]
    )
    power, *others = _rack_numbers(design, rack)
    yield Numbers([power], "rack-input", page)
    if others:
        yield Numbers(others, "rack-numbers")
    found = elevation(rack, dead, system)
    rows = list(circuit_rows(rack, system))
    keys = [{"Load": circuit_id(of), "Breaker": trip_id(of)} for _, of in rack.circuits]
    circuits = TextTable(
        "",
        CIRCUIT_HEADS,
        rows,
        [f"Panels: {', '.join(rack.panels) or 'none'}. Load: normal state."],
        keys=keys,
    )

    def picture() -> None:
        paint = HALL_DARK if st.context.theme.type == "dark" else HALL_LIGHT
        caption = "Rack PDUs drawn in red are de-energized." if dead else None
        st.image(elevation_svg(found, paint), caption)
        name = f"{safe_file_name(rack.name)}-elevation.svg"
        download("Download rack elevation (.svg)", name, lambda: elevation_svg(found), "rack-svg")

    yield Beside([Controls(picture), DisplayTable(circuits, "rack-circuits", page)])


def _rack_numbers(design: Design, rack: RackPosition) -> Iterator[NumberCell]:
    """Yield rack power, inlet air temperature and its most loaded panel."""
    system = state.unit_system()
    power = show(rack.kind.input_w, "active_power", system)
    peak = f"Peak {show(rack.kind.peak_w, 'active_power', system)}"
    yield cell("Rack input power", power, peak, why="rack.input")
    for number, row in enumerate(design.room_air.racks, 1):
        if (row.name, row.hall) == (rack.kind.name, rack.kind.hall):
            worst, mean = (
                show(value, "temperature", system) for value in (row.inlet_worst_c, row.inlet_c)
            )
            key = f"air.rack.{number}.inlet_worst"
            yield cell("Inlet air, worst", worst, f"Mean {mean}", why=key)
    found = [f"panel.{tag}.current_max" for tag in rack.panels]
    if found:
        key = found[argmax_within_rounding([design.trace.value(key) for key in found])]
        limit = f"Limit {show(design.panels.limit_a, 'current', system)}, any state"
        current = show(design.trace.value(key), "current", system)
        yield cell("Most loaded panel", current, limit, why=key)


def _drawn(draw: Callable[[DesignObject], None]) -> _Blocks:
    """Return the blocks of a view that is a set of widgets."""
    return lambda one, _: [Controls(partial(draw, one))]


def _panels(one: DesignObject) -> None:
    """Show the panels that the object lists; all of them for another object."""
    show_all_panels(state.current(), one.tags if one.kind == "panels" else ())


_VIEWS: Mapping[str, ObjectView] = {
    "summary": ObjectView("Summary", lambda *_: summary_blocks()),
    "inputs": ObjectView(
        "All inputs", _drawn(lambda _: inputs.show_all_inputs(state.current(), state.unit_system()))
    ),
    "models": ObjectView(
        "Models", _drawn(lambda one: choice.show(state.current(), one, state.unit_system()))
    ),
    "racks": ObjectView("Rack list", _drawn(lambda _: racks.show())),
    "schedule": ObjectView("Schedule", _drawn(lambda one: show_panel(state.current(), one.id))),
    "panels": ObjectView("All panels", _drawn(_panels)),
    "import": ObjectView("Import panels", _drawn(lambda _: show_panel_import())),
    "elevation": ObjectView("Rack", _rack),
    "outages": ObjectView("Outages", outage_blocks),
    "equipment": ObjectView("Equipment", lambda *_: [Tabs(outages.train(), "power")]),
    "cooling": ObjectView("Air and tables", _cooling),
}
_POWER = ("outages", "equipment", "models")
_OF_KIND: Mapping[str, tuple[str, ...]] = {
    "site": ("summary", "inputs"),
    "power": (*_POWER, "panels"),
    "system": ("outages", "equipment"),
    "lineup": ("outages", "equipment"),
    "ups": ("models",),
    "generator-plant": ("models",),
    "transformer": ("models",),
    "panels": ("panels", "import"),
    "panel": ("schedule", "panels", "import"),
    "busway": ("schedule", "panels", "import"),
    "it": ("racks",),
    "hall": ("racks",),
    "row": ("racks",),
    "rack": ("elevation", "racks"),
    "cooling": ("cooling", "models"),
    "units": ("cooling", "models"),
    "loops": ("cooling",),
    "loop": ("cooling",),
}
