"""Inputs of a case: text ``name=value; name=value``, and its parsing."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from facility.core.errors import FacilityError
from facility.core.kinds import Numeric
from facility.core.parse import parse_number

CaseFunction = Callable[..., Numeric | str]
"""Function of case inputs by name; returns a number in the SI unit of its kind, or a text."""

CaseFunctions = Mapping[str, tuple[str, CaseFunction]]
"""Result kind and function, by name."""


def fields_of(text: str, where: str) -> dict[str, str]:
    """Return names and values of ``a=1; b=2``.

    Raises ``CASE_INPUTS`` for a part without a name or a value, or a repeated name.
    """
    found: dict[str, str] = {}
    for part in filter(None, (piece.strip() for piece in text.split(";"))):
        name, equals, value = (piece.strip() for piece in part.partition("="))
        if not (name and equals and value) or name in found:
            raise FacilityError(
                "CASE_INPUTS",
                where,
                f"{part!r} is not a new name=value.",
                "Write the inputs as a=1; b=2.",
            )
        found[name] = value
    return found


def values_of(text: str, where: str) -> dict[str, float | str]:
    """Return names and values of ``a=1; b=2``, numbers as such."""
    return {name: _value(value) for name, value in fields_of(text, where).items()}


def _value(text: str) -> float | str:
    try:
        return parse_number(text)
    except FacilityError:
        return text


def nested(fields: dict[str, str], where: str) -> dict[str, Any]:
    """Return a document from dotted names: ``it.gpus=8`` is ``{"it": {"gpus": "8"}}``.

    A part that is a number is an index of a list: ``it.halls.0.name``. A value in brackets is a
    list of words: ``[A, B]``.

    Raises ``CASE_INPUTS`` if a list has a gap, or a name is both a value and a group.
    """
    document: dict[str, Any] = {}
    for path, text in fields.items():
        parts = path.split(".")
        node: Any = document
        for part, following in zip(parts, [*parts[1:], ""], strict=True):
            value = _words(text) if not following else [] if following.isdigit() else {}
            node = _entered(node, part, value, f"{where}: {path}")
    return document


def _words(text: str) -> Any:
    if text.startswith("[") and text.endswith("]"):
        return [word.strip() for word in text[1:-1].split(",") if word.strip()]
    return text


def _entered(node: Any, part: str, value: Any, where: str) -> Any:
    """Set `value` under `part` if it is unset; return the present value."""
    if isinstance(node, dict):
        found = node.setdefault(part, value)
    elif isinstance(node, list) and part.isdigit() and int(part) <= len(node):
        node.extend([value] if int(part) == len(node) else [])
        found = node[int(part)]
    else:
        found = None
    if type(found) is not type(value):
        raise FacilityError(
            "CASE_INPUTS",
            where,
            f"{part!r} conflicts with a preceding input.",
            "Number lists from 0 without gaps, and use each name for one input.",
        )
    return found
