"""The editor of one input: meaning, allowed values, stated value and design value, actions."""

from __future__ import annotations

import re
from collections.abc import Callable

import streamlit as st

from facility.core.errors import FacilityError
from facility.core.kinds import KINDS, value_in
from facility.core.parse import Measured
from facility.core.views import System, view_unit
from facility.files.project.companions import COMPANIONS, check_size, content_name
from facility.files.project.file import dump_project
from facility.model.inputs.declare import Entry
from facility.model.inputs.document import as_typed
from facility.model.inputs.entries import field_at, value_at, with_entries
from facility.model.inputs.schema import allowed
from facility.report.objects.designed import DesignedValue, default_of, designed
from facility.report.objects.inputs import InputAction, ObjectInput, entry_of
from facility.report.objects.known_names import known_names
from facility.study.design.design import Design
from facility.study.overrides import input_of
from facility.study.resolve.it.short_form import liquid_cooled
from facility.ui import boxes, controls
from facility.ui.controls import act, edit
from facility.ui.inspector import notices, override
from facility.ui.memory import spool
from facility.ui.session import edits, opened, state
from facility.ui.why.labels import plain

_BARE = re.compile(r"[+\-−]?[\d.,'’_ ]*\d", re.ASCII)
_AUTOMATIC = "Automatic"
_MAX_TEXT = 2000
_COOLED = ("it.server", "it.gpu_model")
"""Fields whose names are marked if they require liquid cooling."""
_NOT_REMOVED = "inspector-not-removed"


def show_field(
    design: Design, one: ObjectInput, system: System, do: Callable[[InputAction], None]
) -> None:
    """Show the editor of an input.

    do: Does an action of the input.
    """
    path, field = one.path, field_at(one.path)
    if field is None:
        return
    with st.container(border=True, key="inspector-detail"):
        symbol = f"${field.declared.symbol}$: " if field.declared.symbol else ""
        st.markdown(f":small[{symbol}{plain(field.declared.meaning)}]")
        stated = edits.shown_value(state.session(), path)
        made = designed(design, path, system)
        left, right = st.columns([3, 2], vertical_alignment="bottom")
        kind = _kind(design, field)
        units = [unit for unit in KINDS[kind].units if unit] if kind else []
        with left:
            if path in COMPANIONS:
                show_companion(path, stated)
            else:
                unset = f"{_AUTOMATIC}: {made.text}" if made and not stated else _AUTOMATIC
                _value(path, field, stated, kind if units else "", system, unset)
        with right:
            if units:
                _unit(path, kind, units, system)
        notices.mark(path, "inspector-")
        known = len(known_names(path))
        st.text(
            f"Allowed: {allowed(field)}{f'; {known} known names in the list' if known else ''}."
        )
        if stated is None:
            _show_unset(field, made)
        else:
            _show_stated(one, field, system)
        _actions(one, do)
        if stated is None and made and made.assumption and input_of(made.assumption) == path:
            with st.expander("Override this assumption", key="inspector-override"):
                override.show(design, made.assumption, path)


def _show_unset(field: Entry, made: DesignedValue | None) -> None:
    if made is None:
        st.text(f"Not specified: {default_of(field) or 'no default'}.")
    else:
        _show_value("Assumed" if made.assumption else "Calculated", made)


def _show_stated(one: ObjectInput, field: Entry, system: System) -> None:
    """Show who overrode the assumption, and the value of the design without the stated value."""
    instead_of = override.of_input(one.path)
    for record in state.session().project.overridden or ():
        if record.assumption == instead_of:
            st.text(f"Overridden by {record.by}: {record.reason}")
    if field.required:
        return
    try:
        without = with_entries(state.session().project, {one.path: ""})
        made = designed(state.designed(dump_project(without)), one.path, system)
    except FacilityError as error:
        st.text(f"Without this value there is no design: {error}")
        return
    if made is None:
        st.text(f"Without this value: {default_of(field) or 'no default'}.")
    else:
        _show_value("Without this value", made)


def _show_value(how: str, made: DesignedValue) -> None:
    basis = f"\nBasis: {made.basis}." if made.basis else ""
    st.text(f"{how}: {made.text}{basis}\nSource: {made.source}.")


def _actions(one: ObjectInput, do: Callable[[InputAction], None]) -> None:
    with st.container(horizontal=True, gap="small"):
        for action in one.actions:
            key = f"inspector-{action.split()[0].lower()}"
            (act if action == "Go to" else edit)(action, "", key, do, action)
        entry = entry_of(one.path)
        if entry and value_at(as_typed(state.session().project), entry) is not None:
            edit("Remove entry", "delete", "inspector-remove", _remove, entry)
    error: FacilityError | None = st.session_state.pop(_NOT_REMOVED, None)
    if error is not None:
        controls.refused("Entry not removed", error)


def _remove(entry: str) -> None:
    st.session_state[_NOT_REMOVED] = state.enter_all({entry: ""}, f"{entry} removed")


def _kind(design: Design, field: Entry) -> str:
    """Return the kind of quantity of a field; a price is in the project currency."""
    if field.type is None or field.kind not in KINDS or field.kind == "count":
        return ""
    return field.type.kind_of(design.facility.site.currency or "USD")


def _value(
    path: str, field: Entry, stated: str | None, kind: str, system: System, unset: str
) -> None:
    """Show the input of the value: a list of words or known names, or a text input."""
    names = known_names(path)
    words = names or field.words or _flags(field)
    shown = stated or ""
    key = boxes.key_of(f"inspector-value {path}", shown)

    def entered(text: str) -> None:
        if kind and text and _BARE.fullmatch(text):
            text = f"{text} {boxes.entered_text(_unit_name(path)) or view_unit(kind, system)}"
        state.enter(path, text)

    if words:
        liquid = liquid_cooled() if path in _COOLED else ()
        options = ["", *words] if not shown or shown in words else ["", *words, shown]
        st.selectbox(
            "Value",
            options,
            index=options.index(shown),
            key=key,
            on_change=boxes.on_entry(key, entered),
            format_func=lambda word: f"{word} (liquid-cooled)" if word in liquid else word or unset,
            accept_new_options=bool(names),
            disabled=opened.reads_only(),
        )
    else:
        st.text_input(
            "Value",
            shown,
            key=key,
            on_change=boxes.on_entry(key, entered),
            max_chars=_MAX_TEXT if field.many or field.declared.each else 200,
            placeholder=unset,
            disabled=opened.reads_only(),
        )


def _flags(field: Entry) -> tuple[str, ...]:
    bounds = "" if field.type is None or field.many else field.type.bounds()
    return ("true", "false") if bounds == "true or false" else ()


def _unit(path: str, kind: str, units: list[str], system: System) -> None:
    """Show the unit: it applies to a number without unit, and converts a specified value."""
    name, value = _unit_name(path), edits.given(state.session().project, path)
    stated = value.unit if isinstance(value, Measured) else None
    candidates = (stated, boxes.entered_text(name), view_unit(kind, system))
    shown = next((unit for unit in candidates if unit in units), units[0])
    key = boxes.key_of(name, shown)

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
    )


def _unit_name(path: str) -> str:
    return f"inspector-unit {path}"


_MAX_UPLOAD_MB = 10
_REFUSED = "companion-refused"


def show_companion(path: str, stated: str | None) -> None:
    """Show the file of the field at `path`, and an upload to replace it."""
    one = COMPANIONS[path]
    st.text(f"File: {stated}" if stated else "No file loaded.")
    key = f"companion {path}@{state.session().generation}"
    st.file_uploader(
        f"Upload {one.what}",
        type=[ending.removeprefix(".") for ending in one.endings],
        key=key,
        on_change=state.of_this(lambda: _brought(path, key)),
        max_upload_size=_MAX_UPLOAD_MB,
        disabled=opened.reads_only(),
    )
    refused: tuple[str, str, FacilityError] | None = st.session_state.get(_REFUSED)
    if refused is not None and refused[0] == key:
        with st.container(border=True):
            controls.refused("File not accepted", refused[2])
            st.text(f"File: {refused[1]}")


def _brought(path: str, key: str) -> None:
    file = st.session_state[key]
    st.session_state.pop(_REFUSED, None)
    if file is None:
        return
    error = take(path, file.name, file.getvalue())
    if error is not None:
        st.session_state[_REFUSED] = (key, file.name, error)


def take(path: str, name: str, content: bytes) -> FacilityError | None:
    """Set the file of a field; return the error if it is rejected."""
    try:
        check_size(name, content)
        stored = content_name(name, content)
        COMPANIONS[path].read(spool.put(stored, content))
    except FacilityError as error:
        return error
    return state.enter_all({path: stored}, f"{path}: {name}"[:150])
