"""The box of an input of the project: value with unit, status, reset, and a rejected entry."""

from __future__ import annotations

import re
from collections.abc import Iterable

import streamlit as st

from facility.core.kinds import KINDS, value_in
from facility.core.parse import Measured
from facility.core.views import view_unit
from facility.model.inputs.declare import Entry
from facility.model.inputs.entries import field_at
from facility.model.inputs.scalars import Section
from facility.report.objects.designed import designed
from facility.report.objects.inputs import UNSET, ObjectInput, inputs_at
from facility.report.objects.known_names import known_names, station_labels
from facility.study.resolve.it.short_form import liquid_cooled
from facility.ui import boxes
from facility.ui.inspector import override
from facility.ui.session import edits, opened, state

TitledInput = tuple[str, str]
"""Title and path of an input."""
_BARE = re.compile(r"[+\-−]?[\d.,'’_ ]*\d", re.ASCII)
_MAX_TEXT, _MAX_LIST, _UNIT_PX = 200, 2000, 120
_COOLED = ("it.server", "it.gpu_model")
"""Fields whose names are marked if they require liquid cooling."""
_OF_RACKS = ("it.gpu_model", "it.gpus")
"""Fields that a rack list specifies."""


def show_boxes(listed: Iterable[TitledInput]) -> None:
    """Show boxes of inputs below each other, each with its status."""
    titles = {path: title for title, path in listed}
    for one in inputs_at(state.current(), titles, state.unit_system()):
        status = "Not applied" if one.path in state.session().refused else one.origin
        show_box(one, f"{titles[one.path]} · {status}")


def show_box(one: ObjectInput, label: str, name: str = "", units: tuple[str, ...] = ()) -> None:
    """Show the box of an input; an entry changes the project, or stays with its error.

    name: Distinguishes several boxes of one input on a page.
    units: Units to select from; a number without unit has the selected one.
    """
    path, field = one.path, field_at(one.path)
    if field is None:
        return
    with st.container(horizontal=True, vertical_alignment="bottom", gap="xsmall"):
        _value(one, field, label, name, units)
        if units:
            _unit(path, _kind(field), units, name)
        if "Reset" in one.actions and path not in state.session().refused:
            st.button(
                "Reset to default",
                key=f"reset-{name}{path}",
                icon=":material/restart_alt:",
                type="tertiary",
                on_click=override.reset,
                args=(path,),
                disabled=opened.reads_only() or bool(_fixed_by(path)),
                help="Reset to default",
                width="content",
            )
    refused = state.session().refused.get(path)
    if refused is not None:
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            st.badge("Not applied", color="red", help=refused.error.code)
            st.button(
                "Restore value",
                key=f"put-back-{name}{'-' if name else ''}{path}",
                on_click=state.take_back,
                args=(path,),
                type="tertiary",
                help="Discard the entry and show the project value",
            )
        st.text(refused.error.explanation)


def in_use(path: str) -> str:
    """Return the value that the design uses for an input, if it states one."""
    made = designed(state.current(), path, state.unit_system())
    return "Not specified" if made is None else made.reading


def units_of(field: Entry) -> tuple[str, ...]:
    """Return the units in which a field can be entered."""
    kind = _kind(field)
    return tuple(unit for unit in KINDS[kind].units if unit) if kind else ()


def _kind(field: Entry) -> str:
    """Return the kind of quantity of a field; a price is in the project currency."""
    if field.type is None or field.kind not in KINDS or field.kind == "count":
        return ""
    return field.type.kind_of(state.current().facility.site.currency or "USD")


def _fixed_by(path: str) -> str:
    """Return which other part of the project specifies a field; empty if none does."""
    project = state.session().project
    if path in _OF_RACKS and any(hall.racks for hall in project.it.halls or ()):
        return "The rack list of this project specifies the GPUs."
    if isinstance(edits.given(project, path), Section):
        return "The project file specifies it by parts, which are listed in All inputs."
    return ""


def _value(one: ObjectInput, field: Entry, label: str, name: str, units: tuple[str, ...]) -> None:
    """Show the value: a list of words or known names, or a text input."""
    path, fixed = one.path, _fixed_by(one.path)
    stations = station_labels(state.session().project.site) if path == "site.station" else {}
    names = tuple(stations) or known_names(path)
    shown = edits.shown_value(state.session(), path) or ""
    key = boxes.key_of(f"{name}-value {path}" if name else path, shown)
    in_use = "" if one.value == UNSET or one.origin == "Stated" else one.value
    flags = field.type is not None and not field.many and field.type.bounds() == "true or false"
    words = names or field.words or (("true", "false") if flags else ())

    def entered(text: str) -> None:
        if units and _BARE.fullmatch(text):
            unit = boxes.entered_text(_unit_box(path, name))
            text = f"{text} {unit or view_unit(_kind(field), state.unit_system())}"
        if text:
            state.enter(path, text)
        else:
            override.reset(path)

    changed, disabled = boxes.on_entry(key, entered), opened.reads_only() or bool(fixed)
    if words:
        liquid = liquid_cooled() if path in _COOLED else ()
        options = ["", *words] if shown in ("", *words) else ["", *words, shown]
        unset = f"Automatic: {stations.get(in_use, in_use)}" if in_use else "Automatic"

        def in_words(word: str) -> str:
            if word in stations:
                return stations[word]
            if word in liquid:
                return f"{word} (liquid-cooled)"
            return word.replace("_", " ") if word in field.words else word or unset

        st.selectbox(
            label,
            options,
            index=options.index(shown),
            key=key,
            on_change=changed,
            format_func=in_words,
            accept_new_options=bool(names),
            disabled=disabled,
            help=fixed or None,
        )
    else:
        st.text_input(
            label,
            shown,
            key=key,
            max_chars=_MAX_LIST if field.many or field.declared.each else _MAX_TEXT,
            on_change=changed,
            placeholder=in_use or "Not specified",
            disabled=disabled,
            help=fixed or None,
        )


def _unit(path: str, kind: str, units: tuple[str, ...], name: str) -> None:
    """Show the unit: it applies to a number without unit, and converts a specified value."""
    value = edits.given(state.session().project, path)
    stated = value.unit if isinstance(value, Measured) else None
    box = _unit_box(path, name)
    candidates = (stated, boxes.entered_text(box), view_unit(kind, state.unit_system()))
    shown = next((unit for unit in candidates if unit in units), units[0])
    key = boxes.key_of(box, shown)

    def changed(unit: str) -> None:
        if isinstance(value, Measured):
            state.enter(path, f"{value_in(KINDS[value.kind], value.si, unit):.10g} {unit}")

    st.selectbox(
        "Unit",
        units,
        units.index(shown),
        key=key,
        on_change=boxes.on_entry(key, changed),
        disabled=opened.reads_only(),
        width=_UNIT_PX,
    )


def _unit_box(path: str, name: str) -> str:
    return f"{name}-unit {path}"
