"""Project archives: a project file with its companion files."""

from __future__ import annotations

import atexit
import shutil
import tempfile
from collections.abc import Iterable
from functools import cache
from pathlib import Path

from facility.core.errors import FacilityError
from facility.files.io.read_text import check_size, read_bytes, text_of
from facility.files.io.zipped import MAX_BYTES, unzipped
from facility.files.project.own_tables import inlined

SUFFIXES = (".yaml", ".yml", ".json")
"""Suffixes of project files."""


def project_among(names: Iterable[str]) -> str:
    """Return the project file among the files.

    Raises ``FILE_NOT_GIVEN`` unless there is exactly one.
    """
    listed = list(names)
    found = [name for name in listed if name.lower().endswith(SUFFIXES)]
    if len(found) != 1:
        raise FacilityError(
            "FILE_NOT_GIVEN",
            "import",
            f"{len(found)} project files are among {len(listed)}; one is expected.",
            f"Use one file that ends in {', '.join(SUFFIXES)}, and the files that it references.",
        )
    return found[0]


def is_packed(path: Path) -> bool:
    """Return whether a file is an archive by its name."""
    return path.suffix.lower() == ".zip"


@cache
def unpacked(path: Path) -> Path:
    """Return the project file of an archive, unpacked with its files until the program ends.

    Raises ``FILE_MISSING``, ``FILE_UNREADABLE``, ``FILE_TOO_LARGE``, ``ZIP_FILE``; as
    `project_among`.
    """
    files = unzipped(read_bytes(path, MAX_BYTES), str(path))
    name = project_among(files)
    folder = Path(tempfile.mkdtemp(prefix="facility-project-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    check_size(files[name], name)
    files[name] = inlined(text_of(files[name], name), name, files).encode()
    for one, content in files.items():
        (folder / one).write_bytes(content)
    return folder / name
