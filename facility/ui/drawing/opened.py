"""What this session has opened in its power network, and what of the drawing is selected."""

from __future__ import annotations

from functools import partial

import streamlit as st

from facility.report.drawings.live.marks import Mark
from facility.report.drawings.live.moments import LiveState
from facility.ui.session import outages

_OPENED, _CHOICE, _SELECTED = "power-opened", "power-open-choice", "power-selected"


def opened() -> tuple[str, ...]:
    """Return the tags that are open."""
    found: tuple[str, ...] = st.session_state.get(_OPENED, ())
    return found


def selected() -> tuple[str, ...]:
    """Return the tags of the shape whose card is shown; empty where none is."""
    found: tuple[str, ...] = st.session_state.get(_SELECTED, ())
    return found


def select(tags: tuple[str, ...]) -> None:
    """Show the card of a shape; none for no tags."""
    st.session_state[_SELECTED] = tags


def switch(tag: str) -> None:
    """Open what is closed, close what is open."""
    before = opened()
    after = tuple(one for one in before if one != tag)
    st.session_state[_OPENED] = after if len(after) < len(before) else (*before, tag)


def open_all(tags: tuple[str, ...]) -> None:
    """Open all of `tags`."""
    st.session_state[_OPENED] = tuple(dict.fromkeys((*opened(), *tags)))


def close(tags: tuple[str, ...] | None = None) -> None:
    """Close some of what is open, or all of it."""
    shut = opened() if tags is None else tags
    st.session_state[_OPENED] = tuple(one for one in opened() if one not in shut)


def picked(mark: Mark) -> None:
    """Do what a click on a shape does: a breaker switches, all else shows its card."""
    if mark.kind == "breaker" and len(mark.tags) == 1:
        switch(mark.tags[0])
        return
    select(() if mark.tags == selected() else mark.tags)


def show_opened(live: LiveState) -> None:
    """Show what is open as chips that close it, and what could not be opened, in words.

    Anything of the power train down to the panels can be found and opened here by its name too.
    """
    st.session_state[_OPENED] = live.opened
    st.session_state[_CHOICE] = list(live.opened)
    choice, button = st.columns([5, 1], vertical_alignment="bottom")
    choice.multiselect(
        "Opened, or taken out",
        _choices(live.opened),
        key=_CHOICE,
        on_change=_chosen,
        placeholder="Nothing: click a breaker in the diagram, or find one by name",
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
            st.error(f"Not opened: {error.code}", icon=":material/error:")
            st.text(str(error))


def _chosen() -> None:
    st.session_state[_OPENED] = tuple(st.session_state[_CHOICE])


def _choices(opened: tuple[str, ...]) -> list[str]:
    """Return what can be opened by name, and whatever else is open."""
    return list(dict.fromkeys((*opened, *outages.part_names())))
