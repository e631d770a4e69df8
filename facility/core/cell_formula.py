"""Formulas of spreadsheet cells as templates, with addresses put in place of names."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from string import Formatter

_SUMS, _OPERATORS = "+-&=<>", "+-*/^&=<>"


def names_in(template: str) -> dict[str, str]:
    """Return the names in braces, each with the unit behind its colon, mostly empty."""
    return {name: unit or "" for _, name, unit, _ in Formatter().parse(template) if name}


def fill(template: str, cells: Mapping[str, object]) -> str:
    """Return the formula with what `cells` has for each name, bracketed where it must be.

    What stands for a name is an address, a number or a formula of its own: a sum or a product
    put beside an operator that binds closer is bracketed, so that it stays one operand.

    Raises
    ------
    KeyError
        For a name without a cell.
    """
    return "".join(_pieces(template, cells))


def _pieces(template: str, cells: Mapping[str, object]) -> Iterator[str]:
    parsed = list(Formatter().parse(template))
    for index, (literal, name, _, _) in enumerate(parsed):
        yield literal
        if name:
            after = parsed[index + 1][0] if index + 1 < len(parsed) else ""
            cell = str(cells[name])
            yield cell if _stands(cell, literal[-1:], after[:1]) else f"({cell})"


def _stands(cell: str, before: str, after: str) -> bool:
    """Return whether a formula stays one operand between its neighbours."""
    operators = set(_outer_operators(cell))
    if not operators:
        return True
    if operators & set(_SUMS) or "^" in operators:
        return before in "(," and after in "),"
    return before not in ("/", "^") and after != "^"


def _outer_operators(cell: str) -> Iterator[str]:
    """Yield the operators of a formula outside its brackets and quoted sheet names."""
    depth, quoted = 0, False
    for sign in cell:
        if sign == "'":
            quoted = not quoted
        elif not quoted:
            depth += (sign == "(") - (sign == ")")
            if depth == 0 and sign in _OPERATORS:
                yield sign
