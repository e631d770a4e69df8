"""The project as a download, with the files it references."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from facility.files.io.zipped import zipped
from facility.files.project.companions import named
from facility.files.project.file import dump_project
from facility.model.inputs.document import Project
from facility.ui.memory import spool


@dataclass(frozen=True)
class ProjectFile:
    """A project file for download."""

    title: str
    name: str
    make: Callable[[], bytes]


def project_file(project: Project, base: str) -> ProjectFile:
    """Return the file of a project; an archive if it references files."""
    return file_of_text(lambda: dump_project(project), project, base)


def file_of_text(text: Callable[[], str], project: Project, base: str) -> ProjectFile:
    """Return the file of a project with its original text."""
    files = sorted({*named(project).values()})
    if not files:
        return ProjectFile("Download project file (.yaml)", f"{base}.yaml", lambda: text().encode())

    def archive() -> bytes:
        companions = {name: spool.content(name) for name in files}
        return zipped({f"{base}.yaml": text().encode(), **companions})

    return ProjectFile("Download project with files (.zip)", f"{base}.zip", archive)
