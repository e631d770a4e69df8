"""Transfer of the studies of a design between processes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from facility.core.check import Check, merged
from facility.study.design.design import Design
from facility.study.failures import study as outages
from facility.study.studies import PARTS
from facility.study.transient import study as ride

_SO_FAR = "checks_so_far"


def is_known(design: Design, name: str) -> bool:
    """Return whether a study of the design has been run, or taken over."""
    return PARTS[name] in vars(design)


def part_of(design: Design, name: str) -> object:
    """Return a study of the design for `take`, run if necessary.

    Raises if the study fails without reporting it by a check.
    """
    found: object = getattr(design, PARTS[name])
    if name == "ride-through" and design.ride_through.study is not None:
        return found, ride.transient(design)
    return found


def take(design: Design, name: str, part: object) -> None:
    """Store in the design a study that `part_of` returned for the same project elsewhere.

    A study that the design already has is retained.
    """
    if is_known(design, name):
        return
    if isinstance(part, tuple):
        part, buffered = part
        ride.keep(design, buffered, storage=True)
    vars(design)[PARTS[name]] = part
    if name == "outages" and design.outages.study is not None:
        outages.keep(design, design.outages.study)
    if name == "ride-through" and design.ride_through.study is not None:
        ride.keep(design, design.ride_through.study, storage=False)


def checks_with(design: Design, found: Mapping[str, tuple[Check, ...]]) -> tuple[Check, ...]:
    """Return the checks of the sizing and of the completed studies, in the order of a design.

    They are cached in the design for repeated calls of a page; with all studies they equal
    `Design.checks`.
    """
    names, cache = frozenset(found), vars(design)
    whole = len(names) == len(PARTS)
    if whole and "checks" in cache:
        return design.checks
    if _SO_FAR in cache and cache[_SO_FAR][0] == names:
        return cast(tuple[Check, ...], cache[_SO_FAR][1])
    listed = (found.get(name, ()) for name in PARTS)
    checks = (*design.sizing_checks, *(check for part in listed for check in part))
    if whole:
        return cast(tuple[Check, ...], cache.setdefault("checks", design.all_with_waivers(checks)))
    so_far = merged(design.with_waivers(checks))
    cache[_SO_FAR] = names, so_far
    return so_far
