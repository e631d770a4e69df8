"""Other answers of a brief: rejected cooling methods, and what makes an answer possible."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from facility.core.errors import FacilityError
from facility.study.brief.brief import Brief, begun
from facility.study.design.design import Design, design

COOLING, REDUNDANCY = "cooling.method", "power.redundancy"
METHODS = ("air", "hybrid", "liquid")
_ONE = "1 servers"


def stated(brief: Brief, path: str) -> str:
    """Return the value that a brief states for a further field; empty if it states none."""
    found = (one.partition("=") for one in brief.sets)
    return next((value for name, _, value in found if name == path), "")


def with_stated(brief: Brief, path: str, value: str) -> Brief:
    """Return a brief that states a further field, or no longer states it if `value` is empty."""
    others = tuple(one for one in brief.sets if one.partition("=")[0] != path)
    return replace(brief, sets=(*others, f"{path}={value}") if value else others)


def rejected_methods(model: str) -> dict[str, str]:
    """Return why one server of a model rejects a cooling method, for each rejected method."""
    found = {}
    for method in METHODS:
        try:
            design(begun(with_stated(Brief(_ONE, model), COOLING, method)))
        except FacilityError as error:
            found[method] = error.message
    return found


def possible(brief: Brief, folder: Path | None = None) -> tuple[Brief, Design] | None:
    """Return the brief with one other answer changed so that it can be designed, and its design.

    brief: Answers that cannot be designed together.
    folder: As for `begun`.

    None if no change of one answer is sufficient.
    """
    for changed in _changes(brief):
        try:
            return changed, design(begun(changed, folder))
        except FacilityError:
            continue
    return None


def _changes(brief: Brief) -> Iterator[Brief]:
    """Yield briefs with one changed answer: the cooling method first, others by default."""
    chosen = stated(brief, COOLING)
    for method in METHODS if chosen else ():
        if method != chosen:
            yield with_stated(brief, COOLING, method)
    if brief.voltage:
        yield replace(brief, voltage="")
    for one in brief.sets:
        yield with_stated(brief, one.partition("=")[0], "")
    if brief.weather:
        yield replace(brief, weather="")
