"""Project values that override an assumption, each with a reason and a name."""

from __future__ import annotations

import re
from collections.abc import Iterator

from facility.core.check import Check
from facility.core.ledger import OVERRIDDEN, Ledger
from facility.model.inputs.document import Project, as_typed
from facility.model.inputs.entries import field_at, text_of, value_at
from facility.study.rules import RULES

_HALL = re.compile(r"it\.hall\.(\d+)\.(.+)", re.ASCII)


def ledger_of(project: Project) -> Ledger:
    """Return the initial ledger of a design: no assumptions, but confirmations and reasons."""
    reasons = {one.assumption: f"{one.reason} ({one.by})" for one in project.overridden or ()}
    return Ledger(frozenset(project.confirmed or ()), reasons)


def input_of(id: str) -> str:
    """Return the path of the input that replaces an assumption; empty if none."""
    hall = _HALL.match(id)
    if hall is not None:
        id = f"it.halls.{int(hall[1]) - 1}.{hall[2]}"
    beginnings = ("", "cooling.", "power.", "it.")
    paths = [f"{beginning}{id}" for beginning in beginnings]
    paths.append(f"power.distribution.{id.removeprefix('power.')}")
    return next((path for path in paths if field_at(path) is not None), "")


def reason_checks(project: Project, ledger: Ledger) -> Iterator[Check]:
    """Record text values with a reason; yield a finding for a reason without a value.

    Numbers enter the ledger when they are read.
    """
    recorded = {entry.id for entry in ledger if entry.status == OVERRIDDEN}
    typed = as_typed(project)
    for one in project.overridden or ():
        if one.assumption in recorded:
            continue
        path = input_of(one.assumption)
        stated = text_of(value_at(typed, path)) if path else ""
        if stated:
            ledger.given(one.assumption, None, text=stated)
        else:
            why = f"no overriding value; reason stated by {one.by}: {one.reason}"
            yield RULES["OVERRIDE-UNUSED"].verdict(one.assumption, False, why)
