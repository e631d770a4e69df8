"""The inputs of an object: value, whether stated, default or inherited, and the edit in place."""

from __future__ import annotations

import streamlit as st

from facility.core.views import System
from facility.report.objects.inputs import ObjectInput, first_inputs, input_at, paths_of
from facility.report.objects.objects import DesignObject
from facility.ui.controls import edit
from facility.ui.inspector import detail, override
from facility.ui.objects import known, selection
from facility.ui.session import state
from facility.ui.why.labels import plain

_MAX_ROWS = 60
_ALL = "all-inputs-of"


def show_inputs(one: DesignObject, system: System) -> None:
    """Show the important inputs of an object, or all of them on request."""
    objects = known.objects()
    paths = paths_of(objects, one)
    if not paths:
        return
    is_all = st.session_state.get(_ALL) == one.id
    opened = selection.opened_input()
    shown = list(paths if is_all else paths[: first_inputs(one)])
    if opened in paths and opened not in shown:
        shown.append(opened)
    with st.container(
        horizontal=True,
        horizontal_alignment="distribute",
        vertical_alignment="center",
        key="object-inputs",
    ):
        st.markdown("**Inputs**", width="content")
        if len(paths) > first_inputs(one):
            words = "Fewer" if is_all else f"All {len(paths)}"
            st.button(words, key="inputs-all", type="tertiary", on_click=_show_all, args=(one.id,))
    for number, path in enumerate(shown[:_MAX_ROWS]):
        _row(input_at(objects.design, path, system), one.id, number, is_open=path == opened)
        if path == opened:
            detail.show(objects.design, path, system)
    if len(shown) > _MAX_ROWS:
        st.text(f"{len(shown) - _MAX_ROWS:,} more: open All inputs of the site.")
    override.show_refused()


def _show_all(id: str) -> None:
    now = st.session_state.get(_ALL)
    st.session_state[_ALL] = "" if now == id else id


def _row(one: ObjectInput, id: str, number: int, *, is_open: bool) -> None:
    key = f"input-row-{number}"
    with st.container(
        horizontal=True,
        horizontal_alignment="distribute",
        vertical_alignment="center",
        gap="small",
        key=key,
    ):
        st.button(
            plain(one.title),
            key=f"{key}-title",
            type="tertiary",
            on_click=selection.open_input,
            args=(one.path,),
            help=plain(one.basis) or None,
        )
        words = f"**{plain(one.value)}**" if one.origin == "Stated" else plain(one.value)
        with st.container(
            horizontal=True,
            horizontal_alignment="right",
            vertical_alignment="center",
            gap="small",
            width="content",
        ):
            st.markdown(f"{words} :small[:gray[{one.origin}]]", width="content")
            _action(one, id, key, is_open=is_open)


def _action(one: ObjectInput, id: str, key: str, *, is_open: bool) -> None:
    """Show the one action of an input: Reset, Confirm or Go to, else Edit."""
    if is_open:
        _link("Close", f"{key}-close", one)
    elif one.origin == "Stated":
        edit("Reset", "", f"{key}-reset", reset, one.path)
    elif one.follows:
        st.button("Go to", key=f"{key}-go", on_click=_go_to, args=(one.follows, id))
    elif one.assumption and not one.confirmed:
        edit("Confirm", "", f"{key}-confirm", confirm, one.assumption)
    else:
        _link("Edit", f"{key}-edit", one)


def _link(words: str, key: str, one: ObjectInput) -> None:
    st.button(words, key=key, on_click=selection.open_input, args=(one.path,))


def _go_to(path: str, id: str) -> None:
    selection.go_to_input(known.home_of_input(path, id), path)


def reset(path: str) -> None:
    """Clear a stated input, with the record of its override."""
    overridden = override.of_input(path)
    if overridden:
        override.give(override.without(overridden), f"{path} cleared")
    else:
        state.enter(path, "")


def confirm(assumption: str) -> None:
    """Confirm a default value."""
    listed = list(state.session().project.confirmed or ())
    state.enter(f"confirmed.{len(listed)}", assumption)
