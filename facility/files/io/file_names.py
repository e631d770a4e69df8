"""File names made from text that a person typed."""

from __future__ import annotations

import re

_RESERVED = re.compile(r"(?:con|prn|aux|nul|com\d|lpt\d)(?:\..*)?\Z", re.IGNORECASE)
_UNSAFE = re.compile(r"[^\w\-. ]+")
_LONGEST = 80


def safe_file_name(wanted: str, otherwise: str = "facility") -> str:
    """Return `wanted` as a file name without a folder, valid on any system.

    Parameters
    ----------
    wanted : str
        Name, without extension.
    otherwise : str
        Name to use where nothing of `wanted` remains.
    """
    cleaned = _UNSAFE.sub("-", wanted).strip(" .-")[:_LONGEST].strip(" .-")
    if not cleaned or _RESERVED.fullmatch(cleaned):
        return otherwise
    return cleaned
