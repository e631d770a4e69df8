"""Rejected entries: reason, project of the displayed results, and a change that permits them.

The results on the page are those of the last valid design: the style of the frame dims them while
this notice is shown.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

import streamlit as st

from facility.model.inputs.entries import field_at
from facility.report.tables.names import input_name, rule_title
from facility.report.tables.verdict import word_of
from facility.ui import controls
from facility.ui.session import opened, state
from facility.ui.session.edits import Session
from facility.ui.session.title import generated_title
from facility.ui.work import runs
from facility.ui.work.remedy import NO_COOLANT, Remedy
from facility.ui.work.runs import Run

_OWNER = "remedy"
_VERBS = {"cooling.method": "switch to {} cooling", "it.gpu_model": "switch to {}"}
"""Words of a change, by its field."""


def show(session: Session) -> None:
    """Show every rejected entry with its error and possible remedies."""
    with st.container(key="not-applied", gap="small"):
        for entry in session.refused.values():
            controls.refused("Entry not applied", entry.error)
        run = _search(session)
        if run is not None and not run.is_over:
            st.fragment(_wait, run_every=runs.every_s())()
        done = run is not None and run.state == "done"
        found = cast(tuple[Remedy, ...], run.result()) if run is not None and done else ()
        for one in found:
            if one.violations:
                titles = ", ".join(map(rule_title, one.violations))
                count = len(one.violations)
                adds = f"{count} new {word_of('VIOLATION', count)}: {titles}"
                st.text(f"{_label(session, one)}: {adds}.")
        with st.container(horizontal=True, gap="small"):
            for number, one in enumerate(found):
                _remedy(session, one, number)
            controls.edit("Keep the project as it is", "undo", "keep-project", _take_back)
        st.text(
            f"The results are for {generated_title(session.project)}. Rejected entries are kept, "
            "and tried again with the next change."
        )


def _search(session: Session) -> Run | None:
    """Return the search for a change that admits the entries; None if no field is to blame."""
    entries = {path: entry.value for path, entry in session.refused.items()}
    errors = [entry.error for entry in session.refused.values()]
    named = [
        one.code == NO_COOLANT or (one.where not in entries and field_at(one.where) is not None)
        for one in errors
    ]
    if opened.reads_only() or not any(named):
        return None
    options = tuple(text for entry in entries.items() for text in entry)
    return runs.ask("remedy", None, options, _OWNER)


def _wait() -> None:
    run = _search(state.session())
    if run is None or run.is_over:
        st.rerun()
    st.text("Searching for a change that makes it possible …")


def _label(session: Session, remedy: Remedy) -> str:
    words = ", ".join(_words(path, value) for path, value in remedy.changes.items())
    both = len(session.refused) + len(remedy.changes) == 2
    return f"{words[:1].upper()}{words[1:]} and apply {'both' if both else 'all'}"


def _remedy(session: Session, remedy: Remedy, number: int) -> None:
    entries = {path: entry.value for path, entry in session.refused.items()}
    label = _label(session, remedy)
    st.button(
        label,
        type="secondary" if number else "primary",
        key=f"remedy-apply-{number}" if number else "remedy-apply",
        on_click=_apply,
        args=({**entries, **remedy.changes}, label),
    )


def _words(path: str, value: str) -> str:
    if path in _VERBS and value:
        return _VERBS[path].format(value)
    name = input_name(path).partition(",")[0]
    name = name if name[:2].isupper() else f"{name[:1].lower()}{name[1:]}"
    return f"set {name} to {value}" if value else f"size {name} automatically"


def _apply(changes: Mapping[str, str], label: str) -> None:
    state.enter_all(changes, label)


def _take_back() -> None:
    for path in tuple(state.session().refused):
        state.take_back(path)
