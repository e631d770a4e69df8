"""Devices opened in the power network by this session."""

from __future__ import annotations

import streamlit as st

from facility.report.drawings.live.moments import LiveState

_OPENED = "power-opened"


def opened() -> tuple[str, ...]:
    """Return the tags of the open devices."""
    found: tuple[str, ...] = st.session_state.get(_OPENED, ())
    return found


def switch(tag: str) -> None:
    """Toggle a device between open and closed."""
    before = opened()
    after = tuple(one for one in before if one != tag)
    st.session_state[_OPENED] = after if len(after) < len(before) else (*before, tag)


def open_all(tags: tuple[str, ...]) -> None:
    """Open all of `tags`."""
    st.session_state[_OPENED] = tuple(dict.fromkeys((*opened(), *tags)))


def add(key: str) -> None:
    """Open the device selected in the widget `key`, and clear the widget."""
    tag = st.session_state.get(key)
    st.session_state[key] = None
    open_all((tag,) if tag else ())


def keep(live: LiveState) -> None:
    """Keep what of the opened devices could be opened."""
    st.session_state[_OPENED] = live.opened
