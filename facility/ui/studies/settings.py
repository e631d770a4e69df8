"""Settings of a study: the inputs of the project that decide its result, each stated or default."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

import streamlit as st

from facility.catalogue import table
from facility.model.inputs.entries import field_at
from facility.model.inputs.scalars import Section
from facility.model.power.redundancy import SCHEMES
from facility.report.objects.designed import designed
from facility.study.resolve.it.short_form import offered_gpus
from facility.ui import boxes
from facility.ui.inspector import notices
from facility.ui.session import edits, opened, state

Setting = tuple[str, str]
"""Title and field of an input."""
_MAX_TEXT = 64


def show(settings: Sequence[Setting], own: Callable[[], None] | None) -> None:
    """Show the inputs of the project, and the settings `own` of the study itself."""
    st.markdown("**Settings**")
    if own is not None:
        own()
    for title, path in settings:
        _box(title, path)
    if st.button("All settings", key="all-settings", type="tertiary"):
        state.go_to("design", "inputs")


def _box(title: str, path: str) -> None:
    stated = edits.given(state.session().project, path)
    value = edits.shown_value(state.session(), path) or ""
    key = boxes.key_of(path, value)
    label = f"{title} :small[:gray[· {'Default' if stated is None else 'Stated'}]]"
    unset = in_use(path)

    entered = boxes.on_entry(key, partial(state.enter, path))
    disabled = opened.reads_only() or isinstance(stated, Section)
    words = _words(path)
    if words:
        offered = ["", *words] if value in ("", *words) else ["", value, *words]
        st.selectbox(
            label,
            offered,
            index=offered.index(value),
            key=key,
            on_change=entered,
            format_func=lambda word: word.replace("_", " ") or unset,
            disabled=disabled,
        )
    else:
        st.text_input(
            label,
            value,
            key=key,
            max_chars=_MAX_TEXT,
            on_change=entered,
            placeholder="By charge, see All settings" if isinstance(stated, Section) else unset,
            disabled=disabled,
        )
    notices.mark(path)


def _words(path: str) -> Sequence[str]:
    if path == "site.station":
        return [row.text("station") for row in table("weather/stations").rows]
    if path == "power.redundancy":
        return list(SCHEMES)
    if path == "it.gpu_model":
        return offered_gpus()
    field = field_at(path)
    return () if field is None or field.many else field.words


def in_use(path: str) -> str:
    """Return the value that the design uses for a field, if it states one."""
    design = state.current()
    made = designed(design, path, state.unit_system())
    if made is not None:
        return made.reading
    record = design.facility.site.record
    return record.name if path == "site.station" and record is not None else "Not specified"
