"""File names made from text that a person typed."""

from __future__ import annotations

import re
from pathlib import Path

from facility.core.errors import FacilityError

_RESERVED = re.compile(r"(?:con|prn|aux|nul|com\d|lpt\d)(?:\..*)?\Z", re.IGNORECASE)
_UNSAFE = re.compile(r"[^\w\-. ]+")
_LONGEST = 80


def refuse_suffix(path: Path, suffix: str) -> None:
    """Refuse a file whose name says another kind than what is written.

    Raises ``FILE_SUFFIX``.
    """
    if path.suffix.lower() != suffix:
        raise FacilityError(
            "FILE_SUFFIX",
            str(path),
            f"a file of the kind {suffix} is written, its name ends in {path.suffix or 'nothing'}.",
            f"Call it {path.with_suffix(suffix).name}.",
        )


def safe_file_name(wanted: str, otherwise: str = "facility") -> str:
    """Return `wanted` as a file name without a folder, valid on any system.

    wanted: Name, without extension.
    otherwise: Name to use where nothing of `wanted` remains.
    """
    cleaned = _UNSAFE.sub("-", wanted).strip(" .-")[:_LONGEST].strip(" .-")
    if not cleaned or _RESERVED.fullmatch(cleaned):
        return otherwise
    return cleaned
