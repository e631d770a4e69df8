"""Widths of text on a drawing, and text broken or shortened to a width.

The widths are those of Liberation Sans, which Arial and Helvetica share for these letters.
"""

from __future__ import annotations

import re
from functools import lru_cache

TEXT_MM = 2.95
"""Size of the letters: capitals, 0.688 of it, are 2.03 mm high."""
LINE = 1.2
"""Height of a line of text over the size of its letters."""

_UNITS = 2048.0
_WIDE = 2048
_FIRST, _LAST = 0x20, 0x7E


def _widths(text: str) -> tuple[int, ...]:
    """Return the widths of the letters from the blank to the tilde."""
    return tuple(map(int, text.split()))


_PLAIN = _widths(
    """
    569 569 727 1139 1139 1821 1366 391 682 682 797 1196 569 682 569 569
    1139 1139 1139 1139 1139 1139 1139 1139 1139 1139 569 569 1196 1196 1196 1139
    2079 1366 1366 1479 1479 1366 1251 1593 1479 569 1024 1366 1139 1706 1479 1593
    1366 1593 1479 1366 1251 1479 1366 1933 1366 1366 1251 569 569 569 961 1139
    682 1139 1139 1024 1139 1139 569 1139 1139 455 455 1024 455 1706 1139 1139
    1139 1139 682 1024 569 1139 1024 1479 1024 1024 1024 684 532 684 1196
    """
)
_BOLD = _widths(
    """
    569 682 971 1139 1139 1821 1479 487 682 682 797 1196 569 682 569 569
    1139 1139 1139 1139 1139 1139 1139 1139 1139 1139 682 682 1196 1196 1196 1251
    1997 1479 1479 1479 1479 1366 1251 1593 1479 569 1139 1479 1251 1706 1479 1593
    1366 1593 1479 1366 1251 1479 1366 1933 1366 1366 1251 682 569 682 1196 1139
    682 1139 1251 1139 1251 1139 682 1251 1251 569 569 1139 569 1821 1251 1251
    1251 1251 797 1139 682 1251 1139 1593 1139 1139 1024 797 573 797 1196
    """
)
_LATIN = 0xFF
_MORE = "…"
_OTHER_SCRIPTS = re.compile(
    "[\u0530-\u0590\u0600-\u1cff\u2d00-\ua716\ua722-\ufb1c\ufb50-\U0010ffff]"
)


@lru_cache(maxsize=16384)
def text_width(text: str, *, bold: bool = False, size_mm: float = TEXT_MM) -> float:
    """Return the width of a line [mm]; letters not in the table count as one square."""
    table = _BOLD if bold else _PLAIN
    units = sum(
        table[code - _FIRST] if _FIRST <= code <= _LAST else _WIDE for code in map(ord, text)
    )
    return units / _UNITS * size_mm


def sentence(text: str) -> str:
    """Return `text` with an initial capital."""
    return text[:1].upper() + text[1:]


def is_measured(text: str) -> bool:
    """Return whether all letters of `text` are in the width table.

    Drawings must force other text, with unknown font metrics, into that width.
    """
    return all(_FIRST <= ord(c) <= _LAST or 0xA0 <= ord(c) <= _LATIN or c == _MORE for c in text)


def has_missing_glyphs(text: str) -> bool:
    """Return whether `text` has letters of scripts that the fonts of a set do not include.

    Liberation Sans has Latin, Greek, Cyrillic and Hebrew.
    """
    return _OTHER_SCRIPTS.search(text) is not None


@lru_cache(maxsize=4096)
def fitted(text: str, width_mm: float, *, bold: bool = False, size_mm: float = TEXT_MM) -> str:
    """Return `text` shortened in the middle to `width_mm`."""
    if text_width(text, bold=bold, size_mm=size_mm) <= width_mm:
        return text
    letters = 0
    while text_width(_shortened(text, letters + 1), bold=bold, size_mm=size_mm) <= width_mm:
        letters += 1
    return _shortened(text, letters)


def _shortened(text: str, letters: int) -> str:
    """Return `letters` letters of `text`, half of them from its end."""
    tail = letters // 2
    return text[: letters - tail] + _MORE + text[len(text) - tail :]


@lru_cache(maxsize=4096)
def wrapped(
    text: str, width_mm: float, lines: int, *, bold: bool = False, size_mm: float = TEXT_MM
) -> tuple[str, ...]:
    """Return `text` on at most `lines` lines of `width_mm`, the last one shortened in the middle.

    Lines break at blanks, and within a word that is wider than a line.
    """
    found: list[str] = []
    rest = text.strip()
    while rest and len(found) < lines - 1:
        if text_width(rest, bold=bold, size_mm=size_mm) <= width_mm:
            break
        letters_fit = _fitting(rest, width_mm, bold, size_mm)
        cut = rest.rfind(" ", 0, letters_fit + 1)
        at = cut if cut > 0 else letters_fit
        found.append(rest[:at].rstrip())
        rest = rest[at:].lstrip()
    return (*found, fitted(rest, width_mm, bold=bold, size_mm=size_mm)) if rest else tuple(found)


def _fitting(text: str, width_mm: float, bold: bool, size_mm: float) -> int:
    """Return the number of letters that fit, at least one."""
    letters_fit = 1
    while text_width(text[: letters_fit + 1], bold=bold, size_mm=size_mm) <= width_mm:
        letters_fit += 1
    return letters_fit
