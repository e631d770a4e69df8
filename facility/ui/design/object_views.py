"""Views of an object other than the drawing: schedule, racks, models, air, tables, all inputs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import streamlit as st

from facility.report.objects.objects import DesignObject
from facility.ui import displays
from facility.ui.canvas.views import ShownState
from facility.ui.design import cooling, hall, network, summary
from facility.ui.inspector import choice, racks, sections
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


def _summary(_: DesignObject, __: ShownState) -> None:
    summary.show_summary()


def _inputs(_: DesignObject, __: ShownState) -> None:
    sections.show(state.current(), state.unit_system())


def _models(_: DesignObject, __: ShownState) -> None:
    choice.show(state.current(), state.unit_system())


def _racks(_: DesignObject, __: ShownState) -> None:
    racks.show()


def _schedule(one: DesignObject, _: ShownState) -> None:
    show_panel(state.current(), one.id)


def _panels(_: DesignObject, __: ShownState) -> None:
    show_all_panels(state.current())


def _import(_: DesignObject, __: ShownState) -> None:
    show_import(state.current())


def _plan(one: DesignObject, _: ShownState) -> None:
    objects = known.objects()
    name = next(id for id in objects.path(one.id) if id in objects.halls)
    hall.show_plan(state.current(), objects.halls[name], one.id if one.kind == "rack" else "")


def _elevation(one: DesignObject, shown: ShownState) -> None:
    hall.show_rack(state.current(), known.objects().rack(one.id), shown.live)


def _outages(_: DesignObject, shown: ShownState) -> None:
    network.show_outages(state.current(), shown)


def _train(_: DesignObject, __: ShownState) -> None:
    displays.tabs(outages.train(), "power")


def _cooling(_: DesignObject, shown: ShownState) -> None:
    cooling.show_cooling(state.current(), shown.hour)


_VIEWS: Mapping[str, ObjectView] = {
    "summary": ObjectView("Summary", _summary),
    "inputs": ObjectView("All inputs", _inputs),
    "models": ObjectView("Models", _models),
    "racks": ObjectView("Rack list", _racks),
    "schedule": ObjectView("Schedule", _schedule),
    "panels": ObjectView("All panels", _panels),
    "import": ObjectView("Import panels", _import),
    "plan": ObjectView("Plan by quantity", _plan),
    "elevation": ObjectView("Rack", _elevation),
    "outages": ObjectView("Outages", _outages),
    "equipment": ObjectView("Equipment", _train),
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
