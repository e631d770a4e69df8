"""Navigation between explanations: the trail of results."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import streamlit as st

from facility.report.why.known import Known

_TRAIL, _OPEN, _SHOWN = "why-trail", "why-open", "why-shown"
_PAGE, _DEFERRED = "why-page", "dialogs-held"
MAX_BACK = 20
Page = Known | Callable[[str], Known | None] | None
"""Explanations of the page itself; or a function of a name if it shows several designs."""
WhyRequest = tuple[str, Known | None]
"""Id of a result, and the explanations of the page if it is not a result of the design."""


def ask(id: str, page: Known | None = None) -> None:
    """Open the drawer at a result, a step, an assumption or a rule.

    If `page` has the id, its value is explained instead of the value of the design.
    """
    st.session_state[_TRAIL], st.session_state[_PAGE] = (id,), page
    st.session_state[_OPEN], st.session_state[_SHOWN] = True, False


def of_page() -> Known | None:
    """Return the explanations of the page from which the drawer was opened."""
    found: Known | None = st.session_state.get(_PAGE)
    return found


def on(id: str) -> None:
    """Go to a related result."""
    st.session_state[_TRAIL] = (*trail(), id)[-MAX_BACK:]


def back(to: int) -> None:
    """Go back to the result at an index of the trail."""
    st.session_state[_TRAIL] = trail()[: to + 1]


def close() -> None:
    """Close the drawer."""
    st.session_state[_OPEN], st.session_state[_PAGE] = False, None


def trail() -> tuple[str, ...]:
    """Return the ids visited, the current one last."""
    found: tuple[str, ...] = st.session_state.get(_TRAIL, ())
    return found


@contextmanager
def defer_dialogs() -> Iterator[None]:
    """Hold an open dialog back while a page runs; it is shown again after that.

    The browser numbers dialogs in the order of the page: one shown before a fragment takes the
    number of the fragment, whose own dialogs then never appear once the first is closed.
    """
    st.session_state[_DEFERRED] = True
    try:
        yield
    finally:
        st.session_state[_DEFERRED], st.session_state[_SHOWN] = False, False


def dialogs_deferred() -> bool:
    """Return whether the dialogs of this run are shown at its end."""
    return bool(st.session_state.get(_DEFERRED))


def is_open() -> bool:
    """Return whether the drawer is open; a page can show only one dialog."""
    return bool(st.session_state.get(_OPEN))


def to_show() -> bool:
    """Return whether the open drawer is still to be shown in this run, and mark it as shown."""
    if dialogs_deferred():
        return False
    to_display = is_open() and not st.session_state.get(_SHOWN)
    st.session_state[_SHOWN] = True
    return to_display
