"""What the app remembers: one project, and the design of it.

Widgets never own data. A widget's callback turns its value into one change of the project; a
change that is refused leaves the project as it was and is shown beside the inputs.
"""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from facility.core.errors import FacilityError
from facility.files.project_file import (
    apply_sets,
    default_project,
    dump_project,
    parse_project,
)
from facility.model.project.document import Project
from facility.study.design import Design, design

_PROJECT = "project"
_ERROR = "project_error"


def project() -> Project:
    """Return the project of this session, the embedded one at first."""
    if _PROJECT not in st.session_state:
        st.session_state[_PROJECT] = default_project()
    found: Project = st.session_state[_PROJECT]
    return found


def change(*sets: str) -> None:
    """Apply ``path=value`` changes to the project, or remember why they were refused."""
    _replace(lambda: apply_sets(project(), list(sets)))


def load(data: bytes, name: str) -> None:
    """Replace the project by an uploaded file, or remember why it was refused."""
    _replace(lambda: parse_project(data, name))


def choose_example(text: str, name: str) -> None:
    """Replace the project by an example."""
    _replace(lambda: parse_project(text.encode(), name))


def _replace(make: Callable[[], Project]) -> None:
    try:
        changed = make()
        designed(dump_project(changed))
    except FacilityError as error:
        st.session_state[_ERROR] = error
        return
    st.session_state[_PROJECT] = changed
    st.session_state.pop(_ERROR, None)


def refused() -> FacilityError | None:
    """Return why the last change was refused, or None."""
    error: FacilityError | None = st.session_state.get(_ERROR)
    return error


def current() -> Design:
    """Return the design of this session's project."""
    found: Design = designed(dump_project(project()))
    return found


@st.cache_resource(max_entries=16, show_spinner="Designing …")
def designed(text: str) -> Design:
    """Return the design of a project given as text; equal texts share one frozen design."""
    return design(parse_project(text.encode(), "project"))
