"""Notices above every page: rejected entries, cleared fields, values kept from an example."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache

import streamlit as st

from facility.core.errors import FacilityError
from facility.files.project.file import example_names, example_text, parse_project
from facility.model.inputs.document import Project, as_typed
from facility.model.inputs.entries import text_of, value_at
from facility.ui import controls
from facility.ui.inspector import refusal
from facility.ui.session import opened, state, timeline

QUICK = {
    "it.gpu_model": "GPU",
    "it.gpus": "Number of GPUs",
    "power.redundancy": "UPS redundancy",
    "cooling.method": "Cooling",
    "site.station": "Weather station",
    "site.country": "Country",
    "site.tariff": "Tariff",
}
"""Titles of the main inputs: always visible in the sidebar, so they need no notice."""

IMPORTED = "imported"
"""Place that an import opens, text of the project after it, and what it changed.

Shown in this place until the next change, place or import.
"""
_PLACE = "notices-place"
"""Place of the last run."""
_IDENTITY = ("project.name", "project.number", "project.title")
_IN_SIGHT = ("schema_version", "project", "it.halls", *QUICK)


@dataclass(frozen=True)
class ExampleFields:
    """Fields with the same value in a project and in its example."""

    example: str  # Name of the example
    # Text of each field by path, grouped by section
    things: Mapping[str, Mapping[str, str]]

    @property
    def fields(self) -> tuple[str, ...]:
        """Paths of all these fields."""
        return tuple(path for fields in self.things.values() for path in fields)


def from_example(project: Project) -> ExampleFields | None:
    """Return the values that a changed project keeps from its example; None if there are none.

    Also None for the unchanged example.
    """
    typed: Mapping[str, object] = as_typed(project)
    identity = [value_at(typed, mark) for mark in _IDENTITY]
    for name, example in _examples().items():
        began = [value_at(example, mark) for mark in _IDENTITY]
        same = any(mine and mine == its for mine, its in zip(identity, began, strict=True))
        if typed == example or not (same or project.project.started_from == name):
            continue
        now, things = dict(_fields(typed)), dict[str, dict[str, str]]()
        for path, value in _fields(example):
            if now.get(path) == value:
                things.setdefault(".".join(path.split(".")[:2]), {})[path] = text_of(value)
        return ExampleFields(name, things) if things else None
    return None


@cache
def _examples() -> Mapping[str, Mapping[str, object]]:
    """Return every example as entered, by name."""
    return {name: as_typed(parse_project(example_text(name), name)) for name in example_names()}


def _fields(value: Mapping[str, object], prefix: str = "") -> Iterator[tuple[str, object]]:
    """Yield path and value of every specified field outside the sidebar; a list is one field."""
    for name, inner in value.items():
        path = f"{prefix}{name}"
        if path in _IN_SIGHT:
            continue
        if isinstance(inner, Mapping):
            yield from _fields(inner, f"{path}.")
        else:
            yield path, inner


_REFUSED = "release-refused"


def show(place: str) -> None:
    """Show the notices of a place, if there are any."""
    session = state.session()
    found = from_example(session.project)
    opens, text, note = st.session_state.get(IMPORTED, ("", "", ""))
    if opens == place and text == state.text():
        with st.container(horizontal=True, vertical_alignment="center", wrap=False):
            st.success(note, icon=":material/check:")
            controls.act("Close", "close", "imported-close", st.session_state.pop, IMPORTED)
    elif opens and st.session_state.get(_PLACE) == opens:
        del st.session_state[IMPORTED]  # Another place, or a change
    st.session_state[_PLACE] = place
    if not (session.refused or session.released or found):
        return
    if session.refused:
        refusal.show(session)
    with st.container(horizontal=True, gap="small", key="notices"):
        if session.released:
            _show_cleared(session.released)
        if found is not None:
            _show_from_example(found)


def _show_cleared(released: tuple[str, ...]) -> None:
    count = f"{len(released)} field{'s' if len(released) > 1 else ''}"
    with st.popover(
        f":orange[Cleared by the last change: {count}]", icon=":material/edit_off:", key="released"
    ):
        fields = ", ".join(f"`{path}`" for path in released)
        st.warning(
            f"Cleared, because their values belonged to the previous equipment: {fields}",
            icon=":material/edit_off:",
        )
        st.button("Undo change", on_click=timeline.undo, key="take-back", icon=":material/undo:")


def _show_from_example(found: ExampleFields) -> None:
    count = len(found.things)
    things = f"{count} item{'s' if count > 1 else ''}"
    with st.popover(
        f"Kept from the example: {things}",
        icon=":material/inventory_2:",
        key="kept",
        width="content",
        on_change="rerun",
    ) as menu:
        if not menu.open:
            return
        st.text(
            f"These values come from the example {found.example}; you did not enter them. Release "
            "a value to have it sized for this project."
        )
        for thing, fields in found.things.items():
            with st.container(
                horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"
            ):
                st.text(_words(thing, fields), width="content")
                _release_button("Release", f"release-{thing}", thing, fields)
        everything = dict.fromkeys(found.fields, "")
        _release_button("Release all", "release-all", f"values of {found.example}", everything)
        refused: FacilityError | None = st.session_state.get(_REFUSED)
        if refused is not None:
            controls.refused("Value not released", refused)


def _words(thing: str, fields: Mapping[str, str]) -> str:
    """Return section and values as text: ``power.ups: model 9395XR-1935, buses 6``."""
    if list(fields) == [thing]:
        return f"{thing}: {fields[thing]}"
    texts = (f"{path.removeprefix(thing)[1:]} {text}" for path, text in fields.items())
    return f"{thing}: {', '.join(texts)}"


def _release_button(title: str, key: str, what: str, fields: Mapping[str, str]) -> None:
    def pressed() -> None:
        changes = dict.fromkeys(fields, "")
        st.session_state[_REFUSED] = state.enter_all(changes, f"released {what}")

    st.button(
        title, key=key, on_click=pressed, icon=":material/lock_open:", disabled=opened.reads_only()
    )
