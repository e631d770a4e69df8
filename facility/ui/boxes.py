"""Keys of the input widgets that edit the project.

The default of a widget is the project value. When another page, undo or another user changes this
value, the widget is recreated under a new key. Writing the value into the session state instead
can be lost: if the run that writes it is interrupted before the browser receives it, the browser
sends the previous text of the widget as if the user had typed it.
"""

from __future__ import annotations

import streamlit as st

from facility.ui.session.timeline import session


def key_of(name: str, shown: str) -> str:
    """Return the key of the widget `name` with the default `shown`."""
    edition, last = _known(name)
    if st.session_state.get(_key(name, edition), last) != shown:
        edition += 1
    st.session_state[_record(name)] = (edition, shown)
    return _key(name, edition)


def entered_text(name: str) -> str | None:
    """Return the text of the widget `name`; None if it has not been displayed."""
    edition, last = _known(name)
    found: str | None = st.session_state.get(_key(name, edition), last)
    return found


def _known(name: str) -> tuple[int, str | None]:
    found: tuple[int, str | None] = st.session_state.get(_record(name), (0, None))
    return found


def _record(name: str) -> str:
    return f"shown by {name}@{session().generation}"


def _key(name: str, edition: int) -> str:
    return f"{name}@{session().generation}.{edition}"
