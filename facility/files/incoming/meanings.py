"""Meanings of headings decided by the words of a heading, and by the other columns of a table."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from facility.files.incoming.grid import ReadCells

REPEATED = (
    *("room", "site", "row", "rack", "manufacturer", "model", "purpose"),
    *("feeds", "rack_units", "power_limit"),
)
"""Fields of which a cell merged over several rows is meant for each of them."""
_QUANTITY = re.compile(
    r"\b(?:qty|qtys|quantity|quantities|count|counts|number of|numbers of|no of|nos of|nr of|num of"
    r"|anzahl|menge|stückzahl|nombre|nb|quantité|qté)\b"
)
_DEVICE = re.compile(
    r"\b(?:servers?|devices?|nodes?|units|geräte?|servers?|knoten|serveurs?|appareils?|n[oœ]euds?)\b"
)
_RACK = re.compile(r"\b(?:racks?|cabinets?|schrank|schränke|baies?|armoires?)\b")
_PER = re.compile(r"\b(?:per|each|in|je|pro|im|par|dans)\b")
_FILLING = re.compile(r"\b(?:of|the|der|den|de|des|la|le)\b|[\W\d]+")


def is_quantity(heading: str) -> bool:
    """Return whether a heading, in small letters, contains a word of quantity."""
    return _QUANTITY.search(heading) is not None


def is_per_rack(heading: str) -> bool:
    """Return whether a heading, in small letters, is a quantity of each rack: ``per rack``."""
    return _PER.search(heading) is not None


def counted_fields(heading: str) -> tuple[str, ...]:
    """Return the counts that a heading without other words may mean, in lower case.

    Examples
    --------
    >>> counted_fields("server qty"), counted_fields("qty per rack"), counted_fields("psu qty")
    (('devices',), ('devices',), ())
    """
    if not is_quantity(heading):
        return ()
    rest = heading
    for words in (_QUANTITY, _DEVICE, _RACK, _PER, _FILLING):
        rest = words.sub("", rest)
    if rest:
        return ()
    if _DEVICE.search(heading) or (_RACK.search(heading) and _PER.search(heading)):
        return ("devices",)
    return ("racks",) if _RACK.search(heading) else ("racks", "devices")


def repeat_merged(
    grid: ReadCells, by_row: Mapping[int, dict[str, str]], fields: Mapping[int, str | None]
) -> None:
    """Enter a cell merged over several rows in each of them, for fields that rows repeat.

    by_row: Cells of each row by field; changed.
    fields: Field of each column.
    """
    done: dict[int, int] = {}
    for (first, column), last in sorted(grid.merged.items()):
        name = fields.get(column)
        text = by_row.get(first, {}).get(name) if name in REPEATED else None
        if name is None or text is None:
            continue
        for row in range(max(first, done.get(column, 0)) + 1, last + 1):
            if row in by_row:
                by_row[row].setdefault(name, text)
        done[column] = max(last, done.get(column, 0))


def without_numbers(
    grid: ReadCells, row: int, meant: Mapping[int, tuple[str, ...]], needed: Sequence[str]
) -> dict[int, tuple[str, ...]]:
    """Return the fields of each column; 1, 2, 3 under ``Item`` is not the model under ``Type``."""
    left = dict(meant)
    for column, names in meant.items():
        counted = all(grid.text(row + n, column) in (str(n), "") for n in range(1, 9))
        others = {name for other, found in left.items() if other != column for name in found}
        if counted and grid.text(row + 2, column) and others & set(names) & set(needed):
            left[column] = ()
    return left


def excluded(
    meant: Mapping[int, tuple[str, ...]], needed: Sequence[str]
) -> dict[int, tuple[str, ...]]:
    """Return the fields of each column, without fields of other columns.

    ``Name`` next to ``Rack`` and ``Model`` is the name of the device. A needed field that only one
    heading may mean belongs to it.
    """
    left = dict(meant)
    while True:
        certain = {names[0]: column for column, names in left.items() if len(names) == 1}
        for name in needed:
            holders = [column for column, names in left.items() if name in names]
            if name not in certain and len(holders) == 1:
                certain[name] = holders[0]
        fewer = {
            column: next(
                ((name,) for name in names if certain.get(name) == column),
                tuple(name for name in names if name not in certain) or names,
            )
            if len(names) > 1
            else names
            for column, names in left.items()
        }
        if fewer == left:
            return left
        left = fewer
