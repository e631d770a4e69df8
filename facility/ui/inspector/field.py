"""The editor of one input: meaning, allowed values, stated value and design value, actions."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from facility.core.errors import FacilityError
from facility.core.views import System
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
from facility.ui import controls
from facility.ui.controls import act, edit
from facility.ui.inspector import override
from facility.ui.inspector.box import show_box, units_of
from facility.ui.memory import spool
from facility.ui.session import edits, opened, state
from facility.ui.why.labels import plain

_MAX_UPLOAD_MB = 10
_REFUSED = "companion-refused"
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
        used = designed(design, path, system)
        if path in COMPANIONS:
            _show_companion(path, stated)
        else:
            show_box(one, "Value", "inspector", units_of(field))
        known = len(known_names(path))
        st.text(
            f"Allowed: {allowed(field)}{f'; {known} known names in the list' if known else ''}."
        )
        if stated is None:
            _show_unset(field, used)
        else:
            _show_stated(one, field, system)
        _actions(one, do)
        if stated is None and used and used.assumption and input_of(used.assumption) == path:
            with st.expander("Override this assumption", key="inspector-override"):
                override.show(design, used.assumption, path)


def _show_unset(field: Entry, used: DesignedValue | None) -> None:
    if used is None:
        st.text(f"Not specified: {default_of(field) or 'no default'}.")
    else:
        _show_value("Assumed" if used.assumption else "Calculated", used)


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
        used = designed(state.designed(dump_project(without)), one.path, system)
    except FacilityError as error:
        st.text(f"Without this value there is no design: {error}")
        return
    if used is None:
        st.text(f"Without this value: {default_of(field) or 'no default'}.")
    else:
        _show_value("Without this value", used)


def _show_value(how: str, used: DesignedValue) -> None:
    basis = f"\nBasis: {used.basis}." if used.basis else ""
    st.text(f"{how}: {used.text}{basis}\nSource: {used.source}.")


def _actions(one: ObjectInput, do: Callable[[InputAction], None]) -> None:
    with st.container(horizontal=True, gap="small"):
        for action in one.actions:
            if action == "Reset" and one.path not in COMPANIONS:
                continue  # in the box
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


def _show_companion(path: str, stated: str | None) -> None:
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
