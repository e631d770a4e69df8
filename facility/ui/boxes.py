"""Keys of the inputs that edit the project.

An input takes what the project says as its default, and is made anew under another key when that
was changed elsewhere: by undo, on another page, by somebody else. Writing the value into the
session instead can be lost, where the run that writes it is ended before the browser hears of it;
the browser then sends what the input held before, as if somebody had typed that.
"""

from __future__ import annotations

import streamlit as st

from facility.ui.session.timeline import session


def key_of(name: str, shown: str) -> str:
    """Return the key of the input `name`, which shows `shown`."""
    edition, last = _known(name)
    if st.session_state.get(_key(name, edition), last) != shown:
        edition += 1
    st.session_state[_record(name)] = (edition, shown)
    return _key(name, edition)


def held(name: str) -> str | None:
    """Return what the input `name` holds; None where it has not been shown."""
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
