"""What the visitor asks about: the way from number to number, and the words looked for."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from facility.report.why.known import Known

_TRAIL, _OPEN, _SHOWN, _LOOKS = "why-trail", "why-open", "why-shown", "why-looks"
_PAGE = "why-page"
_STUDIES = "why-studies"
WORDS = "why-words"
"""Key of the input of the search."""
MOST_BACK = 20
Page = Known | Callable[[str], Known | None] | None
"""What a page knows by itself; or gives it by a name, where it shows several designs."""
_NO_CELL: dict[str, dict[str, list[int]]] = {"selection": {"rows": [], "columns": [], "cells": []}}
Asked = tuple[str, Known | None]
"""What is asked about, and what the page knows of it beside the design."""


def ask(id: str, page: Known | None = None) -> None:
    """Open the drawer at a result, a step, an assumption or a rule.

    Where `page` knows it, what is told is the number of that page, not of the design.
    """
    st.session_state[_TRAIL], st.session_state[_PAGE] = (id,), page
    _opened()


def of_page() -> Known | None:
    """Return what the page knows by itself on which the drawer was opened."""
    found: Known | None = st.session_state.get(_PAGE)
    return found


def look() -> None:
    """Open the drawer at the search."""
    st.session_state[_TRAIL], st.session_state[_PAGE] = (), None
    st.session_state[_LOOKS] = looks() + 1
    _opened()


def looks() -> int:
    """Return how often the search was opened."""
    found: int = st.session_state.get(_LOOKS, 0)
    return found


def _opened() -> None:
    st.session_state[WORDS] = ""
    st.session_state[_STUDIES] = False
    st.session_state[_OPEN], st.session_state[_SHOWN] = True, False


def on(id: str) -> None:
    """Go on to what the number rests on, or to what rests on it; or to what was found by words.

    What is searched is the design: there the numbers of a page end.
    """
    if st.session_state[WORDS] and of_page() is not None:
        ask(id)
        return
    st.session_state[_TRAIL] = (*trail(), id)[-MOST_BACK:]
    st.session_state[WORDS] = ""


def back(to: int) -> None:
    """Go back to the number at a place of the trail; before the first is the search."""
    st.session_state[_TRAIL] = trail()[: to + 1]
    st.session_state[WORDS] = ""


def close() -> None:
    """Forget what was asked."""
    st.session_state[_OPEN], st.session_state[_PAGE] = False, None


def trail() -> tuple[str, ...]:
    """Return the numbers asked about, one after the other, the present one last."""
    found: tuple[str, ...] = st.session_state.get(_TRAIL, ())
    return found


def begin() -> None:
    """Begin a run of the page: the drawer is shown again where it is open."""
    st.session_state[_SHOWN] = False


def include_studies() -> None:
    """Search the studies as well, which are run for it."""
    st.session_state[_STUDIES] = True


def includes_studies() -> bool:
    """Return whether the studies are searched as well."""
    return bool(st.session_state.get(_STUDIES))


def is_open() -> bool:
    """Return whether the drawer is open; a page shows one dialog at a time."""
    return bool(st.session_state.get(_OPEN))


def to_show() -> bool:
    """Return whether the drawer is open and not yet shown in this run; from then on it is."""
    wanted = is_open() and not st.session_state.get(_SHOWN)
    st.session_state[_SHOWN] = True
    return wanted


def fresh(key: str) -> str:
    """Return the key of a chart now: another after each choice, which is then forgotten.

    The same bar can so be chosen again.
    """
    return f"{key}@{st.session_state.get(_chosen(key), 0)}"


def _chosen(key: str) -> str:
    return f"why-chosen-{key}"


def _ask_chosen(key: str, id: str, page: Known | None = None) -> None:
    st.session_state[_chosen(key)] = st.session_state.get(_chosen(key), 0) + 1
    ask(id, page)


def cell(key: str, asked_by: Callable[[int, str], Asked | None]) -> None:
    """Open the drawer at what the cell that was chosen in the table with `key` asks about.

    The choice is then forgotten, so that the same cell can be chosen again, while the table stays
    scrolled as it is; a cell that shows no number of its own asks nothing, and stays chosen.

    asked_by: Returns that for a row and the heading of a column.
    """
    cells = st.session_state[key].selection.cells
    found = asked_by(int(cells[0][0]), str(cells[0][1])) if cells else None
    if found is not None:
        st.session_state[key] = _NO_CELL
        ask(*found)


def choice(key: str, asked_by: Callable[[int], Asked | None]) -> None:
    """Open the drawer at what was chosen in the select box `key`, which then shows nothing again.

    asked_by: Returns that for the number of an option.
    """
    chosen = st.session_state[fresh(key)]
    found = None if chosen is None else asked_by(chosen)
    if found is not None:
        _ask_chosen(key, *found)


def point(key: str, page: Page = None) -> None:
    """Open the drawer at the result that the clicked bar or point of the chart `key` shows."""
    points = st.session_state[fresh(key)].selection.points
    id = points[0].get("customdata") if points else None
    if id:
        id, *whose = id if isinstance(id, list) else [id]
        _ask_chosen(key, str(id), page(*whose[:1]) if callable(page) else page)
