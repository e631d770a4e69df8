"""Changes of the user's session, and the design of its project.

Widgets never own data: the callback of a widget turns its value into a change of the session, and
the pages show the data of the session.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import nullcontext
from functools import wraps
from typing import Concatenate, ParamSpec, TypeVar, cast

import streamlit as st

from facility.core.errors import FacilityError
from facility.core.views import System
from facility.model.inputs.change import Typed
from facility.model.inputs.document import Project
from facility.study.design.design import Design
from facility.ui.addresses import Place
from facility.ui.memory.cache import CACHE, cached_design
from facility.ui.session import designs, edits, opened
from facility.ui.session.panel_rows import GridRow
from facility.ui.session.timeline import commit
from facility.ui.session.timeline import session as session

_P = ParamSpec("_P")
_Found = TypeVar("_Found")
UNITS_KEY = "units"
_MAX_ENTRIES = 8


def of_this(entered: Callable[[], None]) -> Callable[[], None]:
    """Return the callback of an input that only acts while the current project is open.

    When the user leaves a page before it is refreshed, the browser sends the values of its old
    inputs once more; they must not change a project opened meanwhile.
    """
    made = session().generation

    def guarded() -> None:
        if session().generation == made:
            entered()

    return guarded


def enter(path: str, value: str) -> None:
    """Change one field of the project; store the entry with its error if it is rejected."""
    commit(edits.with_entry(session(), path, value, design_of), path)


def enter_all(changes: Mapping[str, Typed], label: str) -> FacilityError | None:
    """Change several fields in one step, or none; return the error if they are rejected."""
    try:
        commit(edits.with_changes(session(), changes, design_of), label)
    except FacilityError as error:
        return error
    return None


def take_back(path: str) -> None:
    """Discard the rejected entry of a field."""
    commit(edits.without(session(), path), f"{path} restored")


def edit_panel(
    tag: str, rows: tuple[GridRow, ...], change: Callable[[Project], Project], label: str
) -> None:
    """Change one panel of the project; store its rows with the error if they are rejected."""
    commit(edits.with_panel(session(), tag, rows, change, design_of), label)


def text() -> str:
    """Return the text of this session's project, the key of its runs and designs."""
    return designs.text_of(session().project)


def current() -> Design:
    """Return the design of this session's project."""
    return design_of(session().project)


def design_of(project: Project) -> Design:
    """Return the design of a project, as `designed`."""
    return designed(designs.text_of(project))


def go_to(place: Place, view: str = "", about: str = "") -> None:
    """Go to a view of a place, with the project in its URL; without `view`, to the one shown last.

    `about` is the id of an object that the view selects.

    A plain page switch would clear the URL parameters, which fails if a widget is bound to them.
    """
    now = opened.current()
    named = {opened.ADDRESS: now.id, "view": view, "o": about}
    st.switch_page(
        f"places/{place}.py", query_params={name: text for name, text in named.items() if text}
    )


def unit_system() -> System:
    """Return the displayed unit system."""
    return cast(System, st.session_state.get(UNITS_KEY) or "si")


def designed(text: str) -> Design:
    """Return the design of a project from its text; equal texts share one immutable design.

    Raises as `facility.ui.session.designs.designed`.
    """
    return cached_design(text, designs.made, "Designing …")


def of_design(
    words: str = "", max_entries: int = _MAX_ENTRIES
) -> Callable[[Callable[Concatenate[Design, _P], _Found]], Callable[_P, _Found]]:
    """Apply a function of a design to the session's design, and cache its result with the design.

    words: Text of the spinner during the calculation.
    max_entries: Number of cached results of this function.
    """

    def decorate(make: Callable[Concatenate[Design, _P], _Found]) -> Callable[_P, _Found]:
        name = f"{make.__module__}.{make.__qualname__}"

        @wraps(make)
        def cached(*args: _P.args, **kwargs: _P.kwargs) -> _Found:
            now, part = text(), (name, (args, tuple(kwargs.items())))
            known = not words or CACHE.has(now, part)
            with nullcontext() if known else st.spinner(words):
                made = CACHE.made(
                    now, part, max_entries, lambda: make(designed(now), *args, **kwargs)
                )
            return cast(_Found, made)

        return cached

    return decorate
