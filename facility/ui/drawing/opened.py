"""Devices opened in the power network by this session, and the selection in the drawing."""

from __future__ import annotations

from functools import partial

import streamlit as st

from facility.report.drawings.live.marks import Mark
from facility.report.drawings.live.moments import LiveState
from facility.ui.session import outages

_OPENED, _CHOICE, _SELECTED = "power-opened", "power-open-choice", "power-selected"


def opened() -> tuple[str, ...]:
    """Return the tags of the open devices."""
    found: tuple[str, ...] = st.session_state.get(_OPENED, ())
    return found


def selected() -> tuple[str, ...]:
    """Return the tags of the selected shape; empty if none is selected."""
    found: tuple[str, ...] = st.session_state.get(_SELECTED, ())
    return found


def select(tags: tuple[str, ...]) -> None:
    """Select a shape, which shows its card; empty tags clear the selection."""
    st.session_state[_SELECTED] = tags


def switch(tag: str) -> None:
    """Toggle a device between open and closed."""
    before = opened()
    after = tuple(one for one in before if one != tag)
    st.session_state[_OPENED] = after if len(after) < len(before) else (*before, tag)


def open_all(tags: tuple[str, ...]) -> None:
    """Open all of `tags`."""
    st.session_state[_OPENED] = tuple(dict.fromkeys((*opened(), *tags)))


def close(tags: tuple[str, ...] | None = None) -> None:
    """Close the open devices in `tags`, or all."""
    shut = opened() if tags is None else tags
    st.session_state[_OPENED] = tuple(one for one in opened() if one not in shut)


def picked(mark: Mark) -> None:
    """Handle a click on a shape: a breaker toggles, other equipment shows its card."""
    if mark.kind == "breaker" and len(mark.tags) == 1:
        switch(mark.tags[0])
        return
    select(() if mark.tags == selected() else mark.tags)


def show_opened(live: LiveState) -> None:
    """Show the open devices as removable chips, and the errors of devices not opened.

    All equipment of the power train down to the panels can be searched and opened here by name.
    """
    st.session_state[_OPENED] = live.opened
    st.session_state[_CHOICE] = list(live.opened)
    choice, button = st.columns([5, 1], vertical_alignment="bottom")
    choice.multiselect(
        "Open or out of service",
        list(dict.fromkeys((*live.opened, *outages.part_names()))),
        key=_CHOICE,
        on_change=_chosen,
        placeholder="None. Click a breaker in the diagram, or search by name.",
    )
    button.button(
        "Close all",
        key="close-all",
        on_click=partial(close, None),
        disabled=not live.opened,
        icon=":material/power:",
        width="stretch",
    )
    for error in live.refused:
        with st.container(border=True):
            st.error(f"Device not opened: {error.code}", icon=":material/error:")
            st.text(str(error))


def _chosen() -> None:
    st.session_state[_OPENED] = tuple(st.session_state[_CHOICE])
