"""The project file: read, changed by ``--set``, and written."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path

from facility.core.errors import FacilityError, path_of, unknown
from facility.core.reference import reference_path
from facility.files.io.read_text import check_size, read_bytes, text_of
from facility.files.project.own_tables import with_folder
from facility.files.project.safe_yaml import read_document, yaml_text
from facility.model.inputs.change import set_field
from facility.model.inputs.document import Project, as_typed, document_problems
from facility.model.inputs.document import read_document as read_sections
from facility.study.equipped import project_catalogue

__all__ = [
    "apply_sets",
    "begun_example",
    "default_project",
    "dump_project",
    "example_names",
    "example_text",
    "load_project",
    "parse_project",
    "problems",
    "project_in",
    "template_text",
]

_DEFAULT = "h100-10k"
_IDENTITY = re.compile(r"^project:\n(?:[ \t].*\n)*", re.MULTILINE)
_SHORTEST = """\
schema_version: 1
it: {gpu_model: H100 SXM5, gpus: 256}
power: {redundancy: N+1}
cooling: {method: air}
"""


def load_project(path: Path | str) -> Project:
    """Return the project of the YAML or JSON file at `path`.

    Raises
    ------
    FacilityError
        With exit code 6 for a file that cannot be read as text or parsed, 3 for its content.
    """
    file = path_of(path, "path")
    return _parsed(read_bytes(file), str(file), file.parent)


def parse_project(
    content: str | bytes, where: str = "project", folder: Path | None = None
) -> Project:
    """Return the project in `content`; `where` names it in messages.

    Its files are searched in `folder`, default: the working directory.

    Raises as `load_project`.
    """
    return _parsed(_as_bytes(content, where), where, folder)


def problems(content: str | bytes, where: str = "project") -> list[FacilityError]:
    """Return every problem of the project in `content`, none when it is valid."""
    try:
        return document_problems(_mapping(_as_bytes(content, where), where))
    except FacilityError as error:
        return [error]


def default_project() -> Project:
    """Return the embedded reference project."""
    return load_project(reference_path("projects", f"{_DEFAULT}.yaml"))


def example_names() -> list[str]:
    """Return the names of the example projects."""
    return sorted(path.stem for path in reference_path("projects").glob("*.yaml"))


def example_text(name: str) -> str:
    """Return the project file of an example.

    Raises ``UNKNOWN_EXAMPLE`` with near matches.
    """
    known = example_names()
    if name not in known:
        raise unknown(
            "UNKNOWN_EXAMPLE", "example", f"there is no example {name[:60]!r}.", name, known
        )
    return reference_path("projects", f"{name}.yaml").read_text(encoding="utf-8")


def template_text(name: str = "short") -> str:
    """Return a template project file: ``short``, or the name of an example.

    Raises ``UNKNOWN_EXAMPLE`` with near matches.
    """
    return _SHORTEST if name == "short" else example_text(name)


def begun_example(name: str) -> str:
    """Return the project file of an example without its identity: name, number, originator.

    Its other fields and comments remain; ``project.started_from`` names the example.

    Raises ``UNKNOWN_EXAMPLE`` with near matches.
    """
    return _IDENTITY.sub(f"project: {{started_from: {name}}}\n", example_text(name))


def dump_project(project: Project) -> str:
    """Return the project as YAML: values as typed, sections in fixed order."""
    return yaml_text(as_typed(project))


def apply_sets(project: Project, sets: Sequence[str]) -> Project:
    """Return the project with ``path=value`` changes applied in order.

    project: The project to start from; it is not changed.
    sets: ``it.gpus=2048``, ``it.halls.0.racks.1.count=4`` (or ``it.halls[0]...``). The index after
    the last one appends. An empty value resets the field to its default, or removes a list entry.

    Raises ``SET_SYNTAX``, ``SET_INDEX``, ``UNKNOWN_FIELD`` (with near matches), or the error of the
    value.
    """
    changed = as_typed(project)
    for text in sets:
        set_field(changed, text)
    return project_in(changed, project.site.folder)


def _parsed(content: bytes, where: str, folder: Path | None) -> Project:
    return project_in(_mapping(content, where), folder)


def project_in(document: Mapping[str, object], folder: Path | None) -> Project:
    """Return the project in a document, with own equipment in a folder read and validated.

    folder: Folder of relative file names; without it, no folder of own equipment is read.

    Raises as `load_project`.
    """
    if folder is not None:
        document = with_folder(document, folder)
    project = read_sections(document, folder)
    project_catalogue(project)
    return project


def _as_bytes(content: str | bytes, where: str) -> bytes:
    if isinstance(content, bytes):
        return content
    try:
        return content.encode()
    except UnicodeEncodeError:
        raise FacilityError(
            "FILE_NOT_TEXT",
            where,
            "the text contains an invalid character (an unpaired surrogate).",
            "Remove it.",
        ) from None


def _mapping(content: bytes, where: str) -> dict[str, object]:
    check_size(content, where)
    document = read_document(text_of(content, where), where)
    if not isinstance(document, dict):
        shape = "a list" if isinstance(document, list) else "plain text"
        raise FacilityError(
            "NOT_A_PROJECT",
            where,
            f"a project must be a mapping of sections, not {shape}.",
            "Minimum project: " + "; ".join(_SHORTEST.splitlines()),
        )
    return document
