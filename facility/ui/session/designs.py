"""The design of a project given as text: the app opens no file but those that visitors brought."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from facility.files.project.file import dump_project, parse_project
from facility.model.inputs.document import Project
from facility.study.design.design import Design, design
from facility.ui.memory import spool

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

    Raises ``FILE_NOT_GIVEN`` for a project that names a file which no visitor brought: a name must
    not open a file of the machine that serves the app. Else as `design`.
    """
    project = parse_project(text, "project", spool.folder())
    spool.refuse_missing(project)
    return design(project)
