"""Sheet names and defined names that every spreadsheet program accepts."""

from __future__ import annotations

import re
from collections.abc import Iterable

from facility.files.io.safe_text import cut_units, safe_text, utf16_units

MAX_UNITS = 31
_BANNED = re.compile(r"[\[\]:*?/\\]")
_CALL = re.compile(r"(?<=\w)\(")
_ESCAPE = re.compile(r"_(?=x[0-9A-Fa-f]{4}_)")
_EDGES = re.compile(r"^[\s']+|[\s']+$")
_RESERVED = frozenset({"history"})
_NOT_IN_NAME = re.compile(r"[^A-Za-z0-9_]")
_LIKE_ADDRESS = re.compile(r"[A-Za-z]{1,3}\d{1,7}|[RrCc]\d*([Cc]\d*)?")


def safe_sheet_name(wanted: str, taken: Iterable[str] = ()) -> str:
    """Return `wanted` as a valid sheet name that none of `taken` equals.

    Banned characters and the start of a ``_x0041_`` escape become ``-``; a word is parted from a
    bracket that would make it read as a function call; the name is cut to 31 UTF-16 units; equal
    names, compared without case, get ``~2``, ``~3`` ... in the order they come.
    """
    used = {name.casefold() for name in taken} | _RESERVED
    base = _cleaned(wanted)
    name, number = base, 1
    while name.casefold() in used:
        number += 1
        suffix = f"~{number}"
        name = cut_units(base, MAX_UNITS - utf16_units(suffix)).rstrip() + suffix
    return name


def sheet_names(wanted: Iterable[str], taken: Iterable[str] = ()) -> dict[str, str]:
    """Return the sheet name of each wanted name, all different; equal wanted names share one."""
    names: dict[str, str] = {}
    used = list(taken)
    for want in wanted:
        if want not in names:
            names[want] = safe_sheet_name(want, used)
            used.append(names[want])
    return names


def safe_defined_name(wanted: str, taken: Iterable[str] = ()) -> str:
    """Return `wanted` as a valid workbook name: letters, digits and underscores only."""
    base = _NOT_IN_NAME.sub("_", wanted)[:200] or "_"
    if not (base[0].isalpha() or base[0] == "_") or _LIKE_ADDRESS.fullmatch(base):
        base = "_" + base
    used = {name.casefold() for name in taken}
    name, number = base, 1
    while name.casefold() in used:
        number += 1
        name = f"{base}_{number}"
    return name


def _cleaned(wanted: str) -> str:
    text = safe_text(wanted).replace("\n", " ").replace("\t", " ")
    text = _CALL.sub(" (", _ESCAPE.sub("-", _BANNED.sub("-", text)))
    text = _EDGES.sub("", cut_units(_EDGES.sub("", text), MAX_UNITS))
    return text or "Sheet"
