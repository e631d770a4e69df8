"""The workbook of a design: names allocated, sheets built, bytes written."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterable, Sequence
from functools import partial
from pathlib import Path

from facility.core.errors import FacilityError, unknown
from facility.files.io.atomic import write_bytes
from facility.files.io.safe_text import cut_units, safe_text, utf16_units
from facility.files.workbook.render import rendered
from facility.report.documents import FIXED_SHEETS, MAX_PANEL_SHEETS, build_book
from facility.report.sheet.model import Book
from facility.study.design.design import Design

MAX_UNITS = 31
_BANNED = re.compile(r"[\[\]:*?/\\]")
_CALL = re.compile(r"(?<=\w)\(")
_ESCAPE = re.compile(r"_(?=x[0-9A-Fa-f]{4}_)")
_EDGES = re.compile(r"^[\s']+|[\s']+$")
_RESERVED = frozenset({"history"})
_NOT_IN_NAME = re.compile(r"[^A-Za-z0-9_]")
_LIKE_ADDRESS = re.compile(r"[A-Za-z]{1,3}\d{1,7}|[RrCc]\d*([Cc]\d*)?")


def safe_sheet_name(requested: str, taken: Iterable[str] = ()) -> str:
    """Return `requested` as a valid sheet name that none of `taken` equals.

    Banned characters and the start of a ``_x0041_`` escape become ``-``; a word is separated from a
    bracket that would read as a function call; the name is cut to 31 UTF-16 units; equal names,
    ignoring case, get ``~2``, ``~3`` ... in order.
    """
    used = {name.casefold() for name in taken} | _RESERVED
    text = safe_text(requested).replace("\n", " ").replace("\t", " ")
    text = _CALL.sub(" (", _ESCAPE.sub("-", _BANNED.sub("-", text)))
    text = _EDGES.sub("", cut_units(_EDGES.sub("", text), MAX_UNITS))
    base = text or "Sheet"
    name, number = base, 1
    while name.casefold() in used:
        number += 1
        suffix = f"~{number}"
        name = cut_units(base, MAX_UNITS - utf16_units(suffix)).rstrip() + suffix
    return name


def sheet_names(requested: Iterable[str], taken: Iterable[str] = ()) -> dict[str, str]:
    """Return a unique sheet name of each requested name; equal requests share one."""
    names: dict[str, str] = {}
    used = list(taken)
    for want in requested:
        if want not in names:
            names[want] = safe_sheet_name(want, used)
            used.append(names[want])
    return names


def safe_defined_name(requested: str, taken: Iterable[str] = ()) -> str:
    """Return `requested` as a valid workbook name: letters, digits and underscores only."""
    base = _NOT_IN_NAME.sub("_", requested)[:200] or "_"
    if not (base[0].isalpha() or base[0] == "_") or _LIKE_ADDRESS.fullmatch(base):
        base = "_" + base
    used = {name.casefold() for name in taken}
    name, number = base, 1
    while name.casefold() in used:
        number += 1
        name = f"{base}_{number}"
    return name


_RANGE = re.compile(r"\s*(.+?)\s*\.\.\s*(.+?)\s*")


def write_workbook(
    design: Design, path: Path | str, *, panels: str | None = None, force: bool = False
) -> Path:
    """Write the workbook of `design` to `path`, whole or not at all; return the path.

    design: The complete design.
    path: File to write; its folder must exist.
    panels: Panels to export as sheets, in the syntax of `panel_selection`; default: the first 150.
    force: Overwrite an existing file.

    Raises ``FILE_EXISTS`` or ``FILE_NOT_WRITTEN`` (exit code 6); ``UNKNOWN_PANEL`` or
    ``TOO_MANY_PANELS``.
    """
    return write_bytes(Path(path), workbook_bytes(design, panels=panels), force=force)


def workbook_bytes(design: Design, *, panels: str | None = None) -> bytes:
    """Return the bytes of the workbook; equal designs produce equal bytes."""
    return rendered(partial(workbook_book, design, panels=panels))


def workbook_book(design: Design, *, panels: str | None = None) -> Book:
    """Return the workbook as neutral data, every sheet and defined name valid."""
    shown = None
    if panels is not None:
        shown = panel_selection(panels, [panel.tag for panel in design.panels.panels])
    return book_of(design, shown)


def panel_sheet_names(design: Design) -> dict[str, str]:
    """Return the sheet name of every panel of the design, by tag."""
    return sheet_names((panel.tag for panel in design.panels.panels), taken=FIXED_SHEETS)


def book_of(design: Design, shown: Sequence[str] | None) -> Book:
    """Return the workbook with a sheet for each panel in `shown`; None: the first 150."""
    return with_valid_names(build_book(design, panel_sheet_names(design), shown))


def with_valid_names(book: Book) -> Book:
    """Return the book with defined names that every spreadsheet program accepts."""
    valid: dict[str, str] = {}
    for requested, formula in book.names.items():
        valid[safe_defined_name(requested, valid)] = formula
    return dataclasses.replace(book, names=valid)


def panel_selection(text: str, tags: Sequence[str]) -> list[str]:
    """Return the panels in `text`: tags and ranges, e.g. ``RPP-A01..RPP-A30,RPP-B01``.

    Raises ``UNKNOWN_PANEL`` with near matches; ``TOO_MANY_PANELS`` for more than 150.
    """
    order = {tag: index for index, tag in enumerate(tags)}
    chosen: set[int] = set()
    for part in text.split(","):
        limits = _RANGE.fullmatch(part)
        first, last = limits.groups() if limits else (part.strip(), part.strip())
        for tag in (first, last):
            if tag not in order:
                raise unknown(
                    "UNKNOWN_PANEL", "panels", f"there is no panel {tag[:60]!r}.", tag, order
                )
        low, high = sorted((order[first], order[last]))
        chosen.update(range(low, high + 1))
    if len(chosen) > MAX_PANEL_SHEETS:
        raise FacilityError(
            "TOO_MANY_PANELS",
            "panels",
            f"{len(chosen)} panels; a workbook is limited to {MAX_PANEL_SHEETS}.",
            "Export several workbooks.",
        )
    return [tags[index] for index in sorted(chosen)]
