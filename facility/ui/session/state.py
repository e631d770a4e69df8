"""Changes of the visitor's session, and the design of its project.

Widgets never own data: a widget's callback turns its value into a change of the session, and
the pages show what the session holds.
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
from facility.ui.memory.kept import SHELF, kept_design, session_id
from facility.ui.session import designs, edits, opened
from facility.ui.session.panel_rows import GridRow
from facility.ui.session.timeline import commit
from facility.ui.session.timeline import session as session

_P = ParamSpec("_P")
_Found = TypeVar("_Found")
UNITS_KEY = "units"
_MOST = 8


def of_this(entered: Callable[[], None]) -> Callable[[], None]:
    """Return the callback of an input of the project as it is now; of another it does nothing.

    A page that is left before it was drawn anew sends once more what its old inputs held: that
    must not become an edit of the project that has been opened meanwhile.
    """
    made = session().generation

    def guarded() -> None:
        if session().generation == made:
            entered()

    return guarded


def enter(path: str, value: str) -> None:
    """Change one field of the project, or remember why it was refused."""
    commit(edits.with_entry(session(), path, value, design_of), path)


def enter_all(changes: Mapping[str, Typed], label: str) -> FacilityError | None:
    """Change several fields in one step, or none; return why they were refused."""
    try:
        commit(edits.with_changes(session(), changes, design_of), label)
    except FacilityError as error:
        return error
    return None


def take_back(path: str) -> None:
    """Forget what was entered in a field and refused."""
    commit(edits.without(session(), path), f"{path} put back")


def edit_panel(
    tag: str, rows: tuple[GridRow, ...], change: Callable[[Project], Project], label: str
) -> None:
    """Change one panel of the project, or keep its rows with the reason why it was refused."""
    commit(edits.with_panel(session(), tag, rows, change, design_of), label)


def text() -> str:
    """Return the text of this session's project, by which runs and designs of it are known."""
    return designs.text_of(session().project)


def current() -> Design:
    """Return the design of this session's project."""
    return design_of(session().project)


def design_of(project: Project) -> Design:
    """Return the design of a project, as `designed`."""
    return designed(designs.text_of(project))


def go_to(page: str) -> None:
    """Go to another page, with the project in its address.

    A plain change of page would clear the address, which is refused where an input is bound to it.
    """
    now = opened.current()
    st.switch_page(page, query_params={opened.ADDRESS: now.id} if now.id else {})


def unit_system() -> System:
    """Return the unit system that is shown."""
    return cast(System, st.session_state.get(UNITS_KEY) or "si")


def designed(text: str) -> Design:
    """Return the design of a project given as text; equal texts share one frozen design.

    Raises as `facility.ui.session.designs.designed`.
    """
    return kept_design(text, designs.designed, "Designing …")


def of_design(
    words: str = "", most: int = _MOST
) -> Callable[[Callable[Concatenate[Design, _P], _Found]], Callable[_P, _Found]]:
    """Have what a function makes of a design be made of this session's, and be kept with it.

    words: Said while it is made.
    most: How many of its kind are kept.
    """

    def keeping(make: Callable[Concatenate[Design, _P], _Found]) -> Callable[_P, _Found]:
        name = f"{make.__module__}.{make.__qualname__}"

        @wraps(make)
        def kept(*args: _P.args, **kwargs: _P.kwargs) -> _Found:
            now, part = text(), (name, (args, tuple(kwargs.items())))
            known = not words or SHELF.has(now, part)
            with nullcontext() if known else st.spinner(words):
                made = SHELF.made(
                    now, session_id(), part, most, lambda: make(designed(now), *args, **kwargs)
                )
            return cast(_Found, made)

        return kept

    return keeping
