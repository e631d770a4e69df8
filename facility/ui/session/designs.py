"""The design of a project given as text, as the app allows it: no file of the server is opened."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from facility.core.errors import FacilityError
from facility.files.project.file import dump_project, parse_project
from facility.model.inputs.document import Project
from facility.study.design.design import Design, design

_MOST_TEXTS = 64
"""Projects whose text is kept; a text has some kilobytes."""


@dataclass(frozen=True, eq=False)
class _Same:
    """A project that is equal to itself alone: sessions replace projects, and change none."""

    project: Project

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and other.project is self.project

    def __hash__(self) -> int:
        return id(self.project)


@lru_cache(_MOST_TEXTS)
def _text(of: _Same) -> str:
    return dump_project(of.project)


def text_of(project: Project) -> str:
    """Return the text of the project of a session, which a page asks for many times."""
    return _text(_Same(project))


def designed(text: str) -> Design:
    """Return the design of a project given as text.

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
