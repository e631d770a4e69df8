"""User text made safe for a workbook: written as text, never as formula or markup."""

from __future__ import annotations

import re
from functools import lru_cache

MAX_CELL_UNITS = 32_767
_CUT_MARK = " [cut: too long for a cell]"
_REPLACEMENT = "�"
_UNSAFE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x84\x86-\x9f\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff]")
_FORMULA_START = frozenset("=+-@\t\r\n|%＝＋－＠")


@lru_cache(maxsize=4096)
def safe_text(text: str) -> str:
    """Return `text` in a form that a cell can contain.

    Line ends become newlines. Control characters, lone surrogates and non-characters become
    U+FFFD, so that nothing disappears silently. Text beyond 32,767 UTF-16 units is cut, with a
    mark.
    Text shaped like the writer library's raw rich-text markup gets a space in front of it.
    """
    clean = text.replace("\r\n", "\n").replace("\r", "\n")
    clean = _UNSAFE.sub(_REPLACEMENT, clean)
    if clean.startswith("<r>") and clean.endswith("</r>"):
        clean = f" {clean}"
    if utf16_units(clean) <= MAX_CELL_UNITS:
        return clean
    return cut_units(clean, MAX_CELL_UNITS - len(_CUT_MARK)) + _CUT_MARK


@lru_cache(maxsize=4096)
def looks_like_formula(text: str) -> bool:
    """Return whether a spreadsheet might interpret retyped `text` as a formula.

    The unit ``%`` is not a formula.
    """
    if text == "%":
        return False
    stripped = text.lstrip(" \u00a0\u3000")
    return bool(text) and (text[0] in _FORMULA_START or stripped[:1] in _FORMULA_START)


def header_text(text: str) -> str:
    """Return `text` as literal text of a page header or footer part."""
    return safe_text(text).replace("\n", " ").replace("&", "&&")


def utf16_units(text: str) -> int:
    """Return the length of `text` as spreadsheets count it."""
    return len(text) + sum(character > "\uffff" for character in text)


def cut_units(text: str, units: int) -> str:
    """Return the longest start of `text` within `units` UTF-16 units."""
    if utf16_units(text) <= units:
        return text
    total = 0
    for index, character in enumerate(text):
        total += 2 if character > "\uffff" else 1
        if total > units:
            return text[:index]
    return text


def csv_cell(value: object) -> object:
    """Return a value as a cell of a CSV file: text on one line, with an apostrophe if needed.

    A text that a spreadsheet would interpret as a formula has a leading apostrophe.
    """
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if not isinstance(value, str):
        return value
    text = " ".join(safe_text(value).split())
    return f"'{text}" if looks_like_formula(text) else text
