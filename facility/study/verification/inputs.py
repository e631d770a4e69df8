"""The inputs of a case as text, ``name=value; name=value``, and what is made of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from facility.core.errors import FacilityError
from facility.core.kinds import Numeric
from facility.core.parse import parse_number

CaseFunction = Callable[..., Numeric | str]
"""Takes the inputs of a case by name and returns a number in the SI unit of its kind, or a text."""

CaseFunctions = Mapping[str, tuple[str, CaseFunction]]
"""Kind of the result, and the function, by name."""


def fields_of(text: str, where: str) -> dict[str, str]:
    """Return names and values of ``a=1; b=2``.

    Raises ``CASE_INPUTS`` for a part without a name or a value, or a name given twice.
    """
    found: dict[str, str] = {}
    for part in filter(None, (piece.strip() for piece in text.split(";"))):
        name, equals, value = (piece.strip() for piece in part.partition("="))
        if not (name and equals and value) or name in found:
            raise FacilityError(
                "CASE_INPUTS",
                where,
                f"{part!r} is not one new name=value.",
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

    Raises ``CASE_INPUTS`` when a list has a gap, or a name is a value and a group at once.
    """
    document: dict[str, Any] = {}
    for path, text in fields.items():
        parts = path.split(".")
        place: Any = document
        for part, following in zip(parts, [*parts[1:], ""], strict=True):
            value = _words(text) if not following else [] if following.isdigit() else {}
            place = _entered(place, part, value, f"{where}: {path}")
    return document


def _words(text: str) -> Any:
    if text.startswith("[") and text.endswith("]"):
        return [word.strip() for word in text[1:-1].split(",") if word.strip()]
    return text


def _entered(place: Any, part: str, value: Any, where: str) -> Any:
    """Put `value` under `part` where nothing is yet; return what is there."""
    if isinstance(place, dict):
        found = place.setdefault(part, value)
    elif isinstance(place, list) and part.isdigit() and int(part) <= len(place):
        place.extend([value] if int(part) == len(place) else [])
        found = place[int(part)]
    else:
        found = None
    if type(found) is not type(value):
        raise FacilityError(
            "CASE_INPUTS",
            where,
            f"{part!r} does not fit what stands before it.",
            "Count lists from 0 without gaps, and give each name one meaning.",
        )
    return found
