"""Views of an object other than the drawing: schedule, racks, models, air, tables, all inputs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import streamlit as st

from facility.report.objects.objects import DesignObject
from facility.ui import displays
from facility.ui.canvas.views import ShownState
from facility.ui.design import cooling, hall, network, summary
from facility.ui.inspector import choice, inputs, racks
from facility.ui.objects import known
from facility.ui.panels.design_view import show_all_panels, show_panel
from facility.ui.panels.import_view import show_import
from facility.ui.session import outages, state


@dataclass(frozen=True)
class ObjectView:
    """A view of an object: its title, and what shows it."""

    title: str
    show: Callable[[DesignObject, ShownState], None]


def views_of(one: DesignObject) -> Mapping[str, ObjectView]:
    """Return the views of an object by their keys."""
    return {key: _VIEWS[key] for key in _OF_KIND.get(one.kind, ())}


def _plan(one: DesignObject, _: ShownState) -> None:
    objects = known.objects()
    name = next(id for id in objects.path(one.id) if id in objects.halls)
    hall.show_plan(state.current(), objects.halls[name], one.id if one.kind == "rack" else "")


def _elevation(one: DesignObject, shown: ShownState) -> None:
    hall.show_rack(state.current(), known.objects().rack(one.id), shown.live)


_VIEWS: Mapping[str, ObjectView] = {
    "summary": ObjectView("Summary", lambda _, __: summary.show_summary()),
    "inputs": ObjectView(
        "All inputs", lambda _, __: inputs.show_all_inputs(state.current(), state.unit_system())
    ),
    "models": ObjectView("Models", lambda _, __: choice.show(state.current(), state.unit_system())),
    "racks": ObjectView("Rack list", lambda _, __: racks.show()),
    "schedule": ObjectView("Schedule", lambda one, _: show_panel(state.current(), one.id)),
    "panels": ObjectView("All panels", lambda _, __: show_all_panels(state.current())),
    "import": ObjectView("Import panels", lambda _, __: show_import(state.current())),
    "plan": ObjectView("Plan by quantity", _plan),
    "elevation": ObjectView("Rack", _elevation),
    "outages": ObjectView("Outages", lambda _, shown: network.show_outages(state.current(), shown)),
    "equipment": ObjectView("Equipment", lambda _, __: displays.tabs(outages.train(), "power")),
    "cooling": ObjectView(
        "Air and tables", lambda _, shown: cooling.show_cooling(state.current(), shown.hour)
    ),
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
    "hall": ("plan", "racks"),
    "row": ("plan", "racks"),
    "rack": ("elevation", "plan", "racks"),
    "cooling": ("cooling", "models"),
    "units": ("cooling", "models"),
    "loops": ("cooling",),
    "loop": ("cooling",),
}


def show_object_view(view: ObjectView, one: DesignObject, shown: ShownState) -> None:
    """Show a view of an object."""
    with st.container(key="object-view"):
        view.show(one, shown)
