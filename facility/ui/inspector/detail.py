"""One input in detail: what it is, what it may be, what is stated, and what is designed instead."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial

import streamlit as st

from facility.core.errors import FacilityError
from facility.core.kinds import KINDS, value_in
from facility.core.parse import Measured
from facility.core.views import System, view_unit
from facility.files.project.companions import COMPANIONS
from facility.files.project.file import dump_project
from facility.model.inputs.declare import Entry
from facility.model.inputs.entries import field_at, with_entries
from facility.model.inputs.schema import allowed
from facility.study.design.design import Design
from facility.study.overrides import input_of
from facility.ui import boxes
from facility.ui.inspector import companion, notices, override
from facility.ui.inspector.designed import DesignedValue, default_of, designed
from facility.ui.inspector.known_names import known_names
from facility.ui.session import edits, opened, state

_BARE = re.compile(r"[+\-−]?[\d.,'’_ ]*\d", re.ASCII)
_LEFT_OPEN = "Left to the design"
_MOST_TEXT = 2000


def show(design: Design, path: str, system: System) -> None:
    """Show the field at `path`, and what can be done with it."""
    field = field_at(path)
    if field is None:
        return
    with st.container(border=True, key="inspector-detail"):
        symbol = f" · ${field.declared.symbol}$" if field.declared.symbol else ""
        st.markdown(f"**{path.replace('_', chr(92) + '_')}**{symbol}")
        st.text(field.declared.meaning)
        stated = edits.shown_value(state.session(), path)
        left, right = st.columns([3, 2], vertical_alignment="bottom")
        kind = _kind(design, field)
        units = _units(kind)
        with left:
            if path in COMPANIONS:
                companion.show(path, stated)
            else:
                made = None if stated else designed(design, path, system)
                left_open = f"{_LEFT_OPEN}: {made.text}" if made else _LEFT_OPEN
                _value(path, field, stated, kind if units else "", system, left_open)
        with right:
            if units:
                _unit(path, kind, units, system)
        notices.mark(path, "inspector-")
        known = len(known_names(path))
        st.text(f"Allowed: {allowed(field)}{f', {known} known are offered' if known else ''}.")
        _instead(design, path, field, stated is not None, system)


def _kind(design: Design, field: Entry) -> str:
    """Return the kind of a field; of a price in the currency of the project."""
    if field.type is None or field.kind not in KINDS or field.kind == "count":
        return ""
    return field.type.kind_of(design.facility.site.currency or "USD")


def _units(kind: str) -> list[str]:
    return [unit for unit in KINDS[kind].units if unit] if kind else []


def _value(
    path: str, field: Entry, stated: str | None, kind: str, system: System, left_open: str
) -> None:
    """Show the input of the value: a choice of words, of known names or another, or a text."""
    names = known_names(path)
    words = names or field.words or _flags(field)
    shown = stated or ""
    key = boxes.key_of(f"inspector-value {path}", shown)

    def entered() -> None:
        text = str(st.session_state[key] or "").strip()
        if kind and text and _BARE.fullmatch(text):
            text = f"{text} {boxes.held(_unit_name(path)) or view_unit(kind, system)}"
        state.enter(path, text)

    if words:
        options = ["", *words] if not shown or shown in words else ["", *words, shown]
        st.selectbox(
            "Value",
            options,
            index=options.index(shown),
            key=key,
            on_change=state.of_this(entered),
            format_func=lambda word: word or left_open,
            accept_new_options=bool(names),
            disabled=opened.reads_only(),
        )
    else:
        st.text_input(
            "Value",
            shown,
            key=key,
            on_change=state.of_this(entered),
            max_chars=_MOST_TEXT if field.many or field.declared.each else 200,
            placeholder=left_open,
            disabled=opened.reads_only(),
        )


def _flags(field: Entry) -> tuple[str, ...]:
    bounds = "" if field.type is None or field.many else field.type.bounds()
    return ("true", "false") if bounds == "true or false" else ()


def _unit(path: str, kind: str, units: list[str], system: System) -> None:
    """Show the unit; a number alone takes it, and a value that is stated is written in it."""
    name, value = _unit_name(path), edits.given(state.session().project, path)
    stated = value.unit if isinstance(value, Measured) else None
    wanted = (stated, boxes.held(name), view_unit(kind, system))
    shown = next((unit for unit in wanted if unit in units), units[0])
    key = boxes.key_of(name, shown)

    def changed() -> None:
        unit = st.session_state[key]
        if isinstance(value, Measured):
            state.enter(path, f"{value_in(KINDS[value.kind], value.si, unit):.10g} {unit}")

    st.selectbox(
        "Unit",
        units,
        units.index(shown),
        key=key,
        on_change=state.of_this(changed),
        disabled=opened.reads_only(),
    )


def _unit_name(path: str) -> str:
    return f"inspector-unit {path}"


def _instead(design: Design, path: str, field: Entry, stated: bool, system: System) -> None:
    """Show what the design takes, or would take, and let it be chosen or confirmed."""
    if not stated:
        made = designed(design, path, system)
        if made is None:
            st.text(f"Left open: {default_of(field) or 'nothing is taken for it'}.")
        else:
            _told("Designed" if not made.assumption else "Assumed", made)
            _confirmation(made)
            if made.assumption and input_of(made.assumption) == path:
                with st.expander("Override it with a reason", key="inspector-override"):
                    override.show(design, made.assumption, path)
            override.show_refused()
        return
    instead_of = override.of_input(path)
    if instead_of:
        one = next(o for o in design.project.overridden or () if o.assumption == instead_of)
        st.text(f"Overridden by {one.by}: {one.reason}")
    if not field.required:
        st.button(
            "Leave it to the design",
            key="inspector-reset",
            disabled=opened.reads_only(),
            on_click=partial(override.give, override.without(instead_of), f"{path} left open")
            if instead_of
            else _entering(path, ""),
            icon=":material/restart_alt:",
        )
        _would_be(path, field, system)


def _would_be(path: str, field: Entry, system: System) -> None:
    try:
        without = with_entries(state.session().project, {path: ""})
        made = designed(state.designed(dump_project(without)), path, system)
    except FacilityError as error:
        st.text(f"Left open there is no design: {error}")
        return
    if made is None:
        st.text(f"Left open: {default_of(field) or 'nothing is taken for it'}.")
    else:
        _told("Left open it would be", made)


def _told(how: str, made: DesignedValue) -> None:
    st.text(f"{how}: {made.text}")
    if made.basis:
        st.text(f"Basis: {made.basis}.")
    st.text(f"Source: {made.source}.")


def _confirmation(made: DesignedValue) -> None:
    if not made.assumption:
        return
    listed = list(state.session().project.confirmed or ())
    if made.confirmed and made.assumption in listed:
        st.button(
            "Withdraw the confirmation",
            key="inspector-withdraw",
            disabled=opened.reads_only(),
            on_click=_entering(f"confirmed.{listed.index(made.assumption)}", ""),
            icon=":material/remove_done:",
        )
    else:
        st.button(
            "Confirm this assumption",
            key="inspector-confirm",
            disabled=opened.reads_only(),
            on_click=_entering(f"confirmed.{len(listed)}", made.assumption),
            icon=":material/done_all:",
        )


def _entering(path: str, text: str) -> Callable[[], None]:
    return lambda: state.enter(path, text)
