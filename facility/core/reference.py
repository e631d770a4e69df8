"""Where the data folder is: one resolver for a wheel, an editable install and a clone."""

from __future__ import annotations

import hashlib
from functools import lru_cache
from pathlib import Path

from facility.core.errors import FacilityError

_PACKAGE = Path(__file__).resolve().parent.parent
_CANDIDATES = (_PACKAGE / "_reference", _PACKAGE.parent / "reference")
_MARKER = "sources.csv"
_WORKED = (_PACKAGE / "_worked", _PACKAGE.parent / "tests" / "data" / "worked")


@lru_cache(maxsize=1)
def _root() -> Path:
    """Return the data folder: next to the package in a clone, inside it when installed."""
    for folder in _CANDIDATES:
        if (folder / _MARKER).is_file():
            return folder
    raise _missing("reference", "reference data", "_reference")


def _missing(where: str, what: str, folder: str) -> FacilityError:
    return FacilityError(
        "REFERENCE_MISSING",
        where,
        f"The {what} of the package was not found.",
        f"Reinstall the package: its wheel contains the data in facility/{folder}.",
    )


def worked_path() -> Path:
    """Return the folder of worked examples that verify every equation.

    Raises ``REFERENCE_MISSING`` when the installation lacks it.
    """
    found = next((folder for folder in _WORKED if folder.is_dir()), None)
    if found is None:
        raise _missing("worked", "worked examples", "_worked")
    return found


def reference_path(*parts: str) -> Path:
    """Return the path of a file or folder of the reference data.

    *parts: Path below the data folder, e.g. ``"equipment", "gpus.csv"``; none for the folder
        itself.

    Raises ``REFERENCE_MISSING`` when the installation lacks its data.
    """
    return _root().joinpath(*parts)


def tree_sha256(root: Path) -> str:
    """Return the SHA-256 over all files below `root`: names and bytes, in sorted order.

    Hidden files are left out, so that an editor's leavings do not change the hash.
    """
    digest = hashlib.sha256()
    relative = sorted(
        path.relative_to(root).as_posix() for path in root.rglob("*") if path.is_file()
    )
    for name in relative:
        if any(part.startswith((".", "__")) for part in name.split("/")):
            continue
        content = (root / name).read_bytes()
        digest.update(f"{name}\0{len(content)}\0".encode())
        digest.update(content)
    return digest.hexdigest()


@lru_cache(maxsize=1)
def reference_sha256() -> str:
    """Return the SHA-256 of the reference data, which every result written carries."""
    return tree_sha256(_root())
