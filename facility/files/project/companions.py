"""Companion files of a project: weather, measured load, grid carbon, job power.

In a project stored without a folder, each file has a name with a content hash:
``chicago-5f0c9d3ab21e7704.epw``. The project text then identifies its files in any revision, and
two projects with equal text are equal.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from facility.catalogue.power_record import read_power
from facility.catalogue.series import CARBON, LOAD, MARKET, answerable
from facility.catalogue.user_file import open_file
from facility.catalogue.weather import read_weather
from facility.core.errors import FacilityError
from facility.files.io.file_names import safe_file_name
from facility.files.project.file import dump_project, parse_project
from facility.files.project.own_tables import inlined
from facility.model.inputs.document import Project, as_typed, read_document

MAX_BYTES = 10_000_000
"""Maximum size of one file as uploaded; a year of minutes fits if gzipped."""
_ENDING = re.compile(r"\.(?:epw|csv)(?:\.gz)?\Z", re.IGNORECASE)
_MARK = 16
_NAME = re.compile(rf"\w[\w\-. ]{{0,90}}-[0-9a-f]{{{_MARK}}}\.(?:epw|csv)(?:\.gz)?", re.ASCII)
_MAX_STEM = 60


@dataclass(frozen=True)
class Companion:
    """Project field that names a file."""

    what: str  # The file in words
    endings: tuple[str, ...]
    read: Callable[[Path], object]  # Reads it, or refuses it with row and column


COMPANIONS: Mapping[str, Companion] = {
    "site.weather_file": Companion(
        "weather file: EPW, TMY3 or logger CSV",
        (".epw", ".csv", ".gz"),
        lambda path: read_weather(path, "site.weather_file"),
    ),
    "it.load_profile.file": Companion(
        "measured annual IT load, CSV", (".csv", ".gz"), lambda path: answerable(path, LOAD)
    ),
    "site.grid_carbon_file": Companion(
        "hourly grid carbon intensity, CSV", (".csv", ".gz"), lambda path: answerable(path, CARBON)
    ),
    "site.price_file": Companion(
        "hourly energy price, CSV", (".csv", ".gz"), lambda path: answerable(path, MARKET)
    ),
    "it.job.power_file": Companion("a measured power of a job, CSV", (".csv",), read_power),
}
"""Project fields that name a file."""


def named(project: Project) -> dict[str, str]:
    """Return the files that a project names, by field."""
    document = as_typed(project)
    found = {path: _at(document, path) for path in COMPANIONS}
    return {path: name for path, name in found.items() if isinstance(name, str)}


def _at(document: object, path: str) -> object:
    for part in path.split("."):
        document = document.get(part) if isinstance(document, dict) else None
    return document


def content_name(name: str, content: bytes) -> str:
    """Return the file name with content hash; unchanged if it already has one."""
    base = PurePosixPath(name.replace("\\", "/")).name
    ending = _ENDING.search(base)
    mark = hashlib.sha256(content).hexdigest()[:_MARK]
    if ending is None or base.endswith(f"-{mark}{ending.group()}"):
        return base
    stem = base[: ending.start()].encode("ascii", "replace").decode()
    return f"{safe_file_name(stem, 'file')[:_MAX_STEM]}-{mark}{ending.group().lower()}"


def is_content_name(name: str) -> bool:
    """Return whether a name has the form of `content_name`; it then has no folder."""
    return _NAME.fullmatch(name) is not None


def is_of(name: str, content: bytes) -> bool:
    """Return whether a name with content hash matches this content."""
    return is_content_name(name) and content_name(name, content) == name


def check_size(name: str, content: bytes) -> None:
    """Reject a file above the size limit.

    Raises ``FILE_TOO_LARGE``.
    """
    if len(content) > MAX_BYTES:
        raise FacilityError(
            "FILE_TOO_LARGE",
            name[:80],
            f"{len(content) / 1e6:,.1f} MB; at most {MAX_BYTES / 1e6:.0f} MB are accepted.",
            "Compress it with gzip where the field accepts that, or use averages over longer "
            "steps.",
        )


def companion_files(text: str, file: Path) -> dict[str, bytes]:
    """Return the files named by a project file that exist next to it."""
    found: dict[str, bytes] = {}
    for name in named(parse_project(text, str(file))).values():
        with suppress(OSError), open_file(file.parent / name) as stream:
            found[PurePosixPath(name).name] = stream.read(MAX_BYTES + 1)
    return found


def with_files(text: str, where: str, given: Mapping[str, bytes]) -> tuple[str, dict[str, bytes]]:
    """Return a project file with content-hash file names, and the files by that name.

    Comments are preserved if the names can be replaced in the text.

    Raises ``FILE_NOT_GIVEN`` for a file that is not given and has no content-hash name; as
    `parse_project`.
    """
    text = inlined(text, where, given)
    project = parse_project(text, where)
    files, changed, document = dict[str, bytes](), text, as_typed(project)
    for path, name in named(project).items():
        content = given.get(PurePosixPath(name).name)
        if content is None:
            if not is_content_name(name):
                raise not_given(path, name)
            continue
        check_size(name, content)
        named_by_content = content_name(name, content)
        files[named_by_content] = content
        *parents, last = path.split(".")
        section: object = document
        for part in parents:
            section = section[part] if isinstance(section, dict) else {}
        if isinstance(section, dict):
            section[last] = named_by_content
        changed = changed.replace(name, named_by_content) if changed.count(name) == 1 else changed
    expected = read_document(document)
    try:
        same = as_typed(parse_project(changed)) == as_typed(expected)
    except FacilityError:
        same = False
    return (changed if same else dump_project(expected)), files


def not_given(path: str, name: str) -> FacilityError:
    """Return the error of a project with a missing file."""
    return FacilityError(
        "FILE_NOT_GIVEN",
        path,
        f"the file {name[:80]!r} is not among the files of this project.",
        "Upload it with the project file (both together, or a .zip of both), or at its "
        "field in the app.",
    )
