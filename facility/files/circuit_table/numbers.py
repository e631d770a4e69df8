"""Circuit numbers, poles and breakers as schedules write them."""

from __future__ import annotations

import re

from facility.core.errors import FacilityError
from facility.core.parse import parse_count, parse_number
from facility.files.circuit_table.rows import Cells

MAX_BREAKER_A = 1e5
NO_NUMBER = frozenset({"", "-", "--", "---", "–", "—", "n/a", "na", "|", '"', "''", "″"})
MARKS = frozenset({*NO_NUMBER, "do", "ditto", "cont", "cont.", "(cont)", "(cont.)", "↓", "^", "."})
"""Descriptions of the second and third pole of a breaker."""
_BEFORE = re.compile(r"\A(?:ckt|cct|circuit|way|pole|no)?\.?\s*#?\s*", re.IGNORECASE)
_BETWEEN = re.compile(r"\s*(?:,|/|;|&|\+|-|–|\n|\s)\s*")
_WAY = re.compile(r"(\d{1,2})[.\-]?L([123])", re.ASCII | re.IGNORECASE)
_POLES = {"sp": 1, "spn": 1, "sp&n": 1, "dp": 2, "tp": 3, "tpn": 3, "tp&n": 3}
_POLE_COUNT = re.compile(r"([123])\s*-?\s*(?:p|pole|poles|ph)", re.ASCII | re.IGNORECASE)
_BREAKER = re.compile(
    r"(?:(?P<before>[1-4])\s*-?\s*P(?:OLE)?S?\s*[-/,]?\s*)?"
    r"[BCDKZ]?\s*(?P<amps>\d+(?:[.,]\d+)?)\s*-?\s*(?:A|AT|AMPS?)?\s*[BCDKZ]?"
    r"(?:\s*[-/,]?\s*(?P<after>[1-4])\s*-?\s*P(?:OLE)?S?|\s*/\s*(?P<bare>[1-4]))?"
    r"(?:\s*(?:MCB|MCCB|CB|GFCI|GFI|AFCI|RCBO|ST|LO))*",
    re.ASCII | re.IGNORECASE,
)


def is_way(text: str) -> bool:
    """Return whether a circuit number is that of a three-pole way: ``3L1``."""
    return bool(_WAY.fullmatch(text.strip().split(",")[0].split("/")[0].strip()))


def pole_numbers(cells: Cells, *, way: bool = False, phase: int | None = None) -> tuple[int, ...]:
    """Return the poles of a circuit number: ``1``, ``1,3,5``, ``1-5`` or ``3L1``.

    way: Whether a plain number counts ways of three poles.
    phase: With `way`, the phase of the row, 0 to 2; None for the whole way.

    Raises ``NOT_A_COUNT`` for any other text.
    """
    text = cells.text("position")
    bare = _BEFORE.sub("", text, count=1)
    if bare.casefold() in NO_NUMBER:
        return ()
    found = []
    for part in _BETWEEN.split(bare.strip()):
        numbered = _WAY.fullmatch(part)
        if numbered:
            found.append((int(numbered[1]) - 1) * 3 + int(numbered[2]))
            continue
        number = parse_count(part if part.isdigit() else text, cells.location("position"), 1)
        if way:
            first = (number - 1) * 3
            found += [first + 1 + phase] if phase is not None else [first + 1, first + 2, first + 3]
        else:
            found.append(number)
    return tuple(found)


def pole_count(cells: Cells) -> int | None:
    """Return the poles in the cell of a row: ``3``, ``3P`` or ``TP``; None for an empty cell.

    Raises ``NOT_A_COUNT`` or ``PANEL_CSV_CELL``.
    """
    text = cells.text("poles")
    if text.casefold() in NO_NUMBER:
        return None
    found = _POLE_COUNT.fullmatch(text)
    known = _POLES.get(text.casefold())
    poles = known or parse_count(found[1] if found else text, cells.location("poles"), 1)
    if poles > 3:
        raise cells.refused("poles", f"{poles} poles; a breaker has 1, 2 or 3.")
    return poles


def trip_rating(cells: Cells, text: str) -> tuple[float | None, int | None]:
    """Return rating [A] and poles of a breaker: ``20``, ``20 A``, ``20/1``, ``3P-30A``, ``C16``.

    text: The cell with its number in plain form.

    Raises ``NOT_A_NUMBER`` or ``PANEL_CSV_CELL``.
    """
    if text.casefold() in NO_NUMBER:
        return None, None
    where = cells.location("breaker_a")
    found = _BREAKER.fullmatch(text.strip())
    rating = float(found["amps"].replace(",", ".")) if found else parse_number(text, where)
    poles = (found["before"] or found["after"] or found["bare"]) if found else None
    if not 0.0 < rating <= MAX_BREAKER_A:
        raise FacilityError(
            "PANEL_CSV_CELL",
            where,
            f"a rating of {rating:g} A is out of range.",
            "Leave the cell empty if the rating is unknown.",
        )
    return rating, int(poles) if poles else None
