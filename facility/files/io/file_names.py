"""File names from user text."""

from __future__ import annotations

import re
from pathlib import Path

from facility.core.errors import FacilityError

_RESERVED = re.compile(r"(?:con|prn|aux|nul|com\d|lpt\d)(?:\..*)?\Z", re.IGNORECASE)
_UNSAFE = re.compile(r"[^\w\-. ]+")
_LONGEST = 80


def refuse_suffix(path: Path, suffix: str) -> None:
    """Reject a file name whose suffix differs from the file type.

    Raises ``FILE_SUFFIX``.
    """
    if path.suffix.lower() != suffix:
        raise FacilityError(
            "FILE_SUFFIX",
            str(path),
            f"the file type is {suffix}, but the name ends in {path.suffix or 'nothing'}.",
            f"Name it {path.with_suffix(suffix).name}.",
        )


def safe_file_name(requested: str, otherwise: str = "facility") -> str:
    """Return `requested` as a file name without a folder, valid on any system.

    requested: Name, without extension.
    otherwise: Name to use if nothing of `requested` remains.
    """
    cleaned = _UNSAFE.sub("-", requested).strip(" .-")[:_LONGEST].strip(" .-")
    if not cleaned or _RESERVED.fullmatch(cleaned):
        return otherwise
    return cleaned
