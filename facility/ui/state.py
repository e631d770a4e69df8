"""The session of the visitor, and the design of its project.

Widgets never own data: a widget's callback turns its value into a change of the session, and
the pages show what the session holds.
"""

from __future__ import annotations

from dataclasses import replace
from typing import cast

import streamlit as st

from facility.core.errors import FacilityError
from facility.core.views import System
from facility.files.project_file import default_project, dump_project, parse_project
from facility.model.project.document import Project
from facility.study.design import Design, design
from facility.ui import edits

UNITS_KEY = "units"
_SESSION = "session"


def session() -> edits.Session:
    """Return the session of this visitor; it begins with the embedded project."""
    if _SESSION not in st.session_state:
        st.session_state[_SESSION] = edits.Session(default_project())
    found: edits.Session = st.session_state[_SESSION]
    return found


def enter(path: str, value: str) -> None:
    """Change one field of the project, or remember why it was refused."""
    st.session_state[_SESSION] = edits.with_entry(session(), path, value, _attempt)


def load(content: bytes, name: str) -> None:
    """Replace the project by the one of a file, or remember why it was refused."""
    st.session_state[_SESSION] = edits.with_file(session(), content, name, _attempt)


def forget_file() -> None:
    """Forget the file that was refused."""
    st.session_state[_SESSION] = replace(session(), refused_file=None)


def take_back() -> None:
    """Return to the project before the last entry that left other fields to be designed."""
    st.session_state[_SESSION] = edits.taken_back(session())


def current() -> Design:
    """Return the design of this session's project."""
    return designed(dump_project(session().project))


def unit_system() -> System:
    """Return the unit system that is shown."""
    return cast(System, st.session_state.get(UNITS_KEY) or "si")


@st.cache_resource(max_entries=16, show_spinner="Designing …")
def designed(text: str) -> Design:
    """Return the design of a project given as text; equal texts share one frozen design.

    Raises
    ------
    FacilityError
        ``WEATHER_FILE_IN_APP`` for a project that names a weather file: a file name in an upload
        must not open a file of the machine that serves the app. Else as `design`.
    """
    project = parse_project(text, "project")
    if project.site.weather_file is not None:
        raise FacilityError(
            "WEATHER_FILE_IN_APP", "site.weather_file",
            f"the app has no folder to find {project.site.weather_file[:80]!r} in.",
            "Give site.station, or site.design_dry_bulb and its like; or run `facility design` "
            "beside the weather file.",
        )  # fmt: skip
    return design(project)


def _attempt(project: Project) -> Design:
    return designed(dump_project(project))
