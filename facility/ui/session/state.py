"""Changes of the visitor's session, and the design of its project.

Widgets never own data: a widget's callback turns its value into a change of the session, and
the pages show what the session holds.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import cast

import streamlit as st

from facility.core.errors import FacilityError
from facility.core.views import System
from facility.files.project.file import dump_project, parse_project
from facility.model.inputs.document import Project
from facility.study.design.design import Design, design
from facility.ui.session import edits
from facility.ui.session import own_panel as panel_own
from facility.ui.session.panel_rows import GridRow
from facility.ui.session.timeline import commit, mark_saved, session

__all__ = [
    "UNITS_KEY",
    "current",
    "designed",
    "edit_own",
    "edit_panel",
    "enter",
    "forget_file",
    "load",
    "session",
    "unit_system",
]

UNITS_KEY = "units"


def enter(path: str, value: str) -> None:
    """Change one field of the project, or remember why it was refused."""
    commit(edits.with_entry(session(), path, value, _attempt), path)


def load(content: bytes, name: str) -> None:
    """Replace the project by the one of a file, or remember why it was refused."""
    after = edits.with_file(session(), content, name, _attempt)
    opened = after.project is not session().project
    commit(after, "a project opened")
    if opened:
        mark_saved()


def edit_panel(
    tag: str, rows: tuple[GridRow, ...], change: Callable[[Project], Project], label: str
) -> None:
    """Change one panel of the project, or keep its rows with the reason why it was refused."""
    commit(edits.with_panel(session(), tag, rows, change, _attempt), label)


def edit_own(own: panel_own.OwnPanel, label: str) -> None:
    """Change the panel that the visitor brought; what states no panel waits to be mended."""
    before = session()
    commit(replace(before, own=panel_own.with_own(before.own, own)), label)


def forget_file() -> None:
    """Forget the file that was refused."""
    commit(replace(session(), refused_file=None), "")


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
        ``WEATHER_FILE_IN_APP`` and its like for a project that names a file: a name in an upload
        must not open a file of the machine that serves the app. Else as `design`.
    """
    project = parse_project(text, "project")
    _refuse_files(project)
    return design(project)


def _refuse_files(project: Project) -> None:
    if project.site.weather_file is not None:
        raise FacilityError(
            "WEATHER_FILE_IN_APP",
            "site.weather_file",
            f"the app has no folder to find {project.site.weather_file[:80]!r} in.",
            "Give site.station, or site.design_dry_bulb and its like; or run `facility design` "
            "beside the weather file.",
        )
    if project.site.grid_carbon_file is not None:
        raise FacilityError(
            "CARBON_FILE_IN_APP",
            "site.grid_carbon_file",
            f"the app has no folder to find {project.site.grid_carbon_file[:80]!r} in.",
            "Give site.grid_carbon; or run `facility annual` beside the file.",
        )
    profile = project.it.load_profile
    if profile is not None and profile.file is not None:
        raise FacilityError(
            "LOAD_FILE_IN_APP",
            "it.load_profile.file",
            f"the app has no folder to find {profile.file[:80]!r} in.",
            "Give it.load_profile.hours; or run `facility annual` beside the file.",
        )
    if project.it.job is not None and project.it.job.power_file is not None:
        raise FacilityError(
            "POWER_FILE_IN_APP",
            "it.job.power_file",
            f"the app has no folder to find {project.it.job.power_file[:80]!r} in.",
            "Remove it, or run `facility transient --load` beside the file.",
        )


def _attempt(project: Project) -> Design:
    return designed(dump_project(project))
