"""The design of a project from its text; the app opens only files uploaded by users."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

from facility.files.project.file import dump_project, parse_project
from facility.model.inputs.document import Project
from facility.study.design.design import Design, design
from facility.ui.memory import spool

_IDENTITY = re.compile(r"^project:.*\n(?:(?: .*)?\n)*", re.MULTILINE)
_MAX_TEXTS = 64
"""Number of cached project texts, a few kilobytes each."""


@dataclass(frozen=True, eq=False)
class _Same:
    """A project compared by identity: sessions replace projects and never modify them."""

    project: Project

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and other.project is self.project

    def __hash__(self) -> int:
        return id(self.project)


@lru_cache(_MAX_TEXTS)
def _text(of: _Same) -> str:
    return dump_project(of.project)


def text_of(project: Project) -> str:
    """Return the text of a session's project, cached because pages need it often."""
    return _text(_Same(project))


def untitled(text: str) -> str:
    """Return the text of a project without its identification, on which no study depends."""
    return _IDENTITY.sub("", text, count=1)


_MADE_BY: list[Callable[[str], Design]] = []
"""What makes the designs of this process instead of itself."""


def let_make(make: Callable[[str], Design]) -> None:
    """Let `make`, such as a worker, create the designs of this process."""
    _MADE_BY[:] = [make]


def made(text: str) -> Design:
    """Return the design of a project from its text, created by this process or its workers.

    Raises as `designed`.
    """
    return _MADE_BY[0](text) if _MADE_BY else designed(text)


def designed(text: str) -> Design:
    """Return the design of a project from its text.

    Raises ``FILE_NOT_GIVEN`` for a project that names a file not uploaded by a user: a name must
    not open a file on the server. Otherwise raises as `design`.
    """
    project = parse_project(text, "project", spool.folder())
    spool.refuse_missing(project)
    return design(project)
