"""Assumptions of a design as inputs that are spread, by how well their sources are known."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from facility.core.ledger import OVERRIDDEN, Assumption
from facility.core.parse import Measured
from facility.model.inputs.entries import field_at
from facility.model.inputs.ranges import Ranged, Spread, bounds
from facility.study.design.design import Design
from facility.study.overrides import input_of

_WORDS = {"memory": "recalled", "secondary": "from a second source"}
_OF_OTHERS = ("derivation", "project")
"""Sources of what follows from other inputs: those are spread, not what follows."""
_NO_PART = ("temperature", "count", "degrees", "frequency", "line_voltage")
"""Kinds of which no part can be taken, without a zero of their own, whole or of standard steps."""


def tolerated(nominal: Design, stated: Sequence[Ranged]) -> tuple[Ranged, ...]:
    """Return the assumptions that the project gives a tolerance, each spread evenly about itself.

    The tolerance is a part of the value, cut off at the bounds of the field. An assumption that
    has a range of its own, that no input replaces, that follows from other inputs, that is a
    criterion, or that is a temperature, a count or a nominal voltage has none.

    nominal: The design, with its ledger and ``tolerances`` of its project.
    stated: Inputs that have a range of their own.
    """
    section = nominal.project.tolerances
    if section is None:
        return ()
    marks: Mapping[str, Measured | None] = {
        "read": section.read,
        "computed": section.computed,
        "secondary": section.secondary,
        "memory": section.memory,
    }
    taken = {ranged.path for ranged in stated}
    found: dict[str, Ranged] = {}
    for one in nominal.ledger:
        tolerance = marks.get(one.source.verified)
        if tolerance is not None:
            for ranged in _spread(one, float(tolerance.si)):
                if ranged.path not in taken:
                    found.setdefault(ranged.path, ranged)
    return tuple(found.values())


def _spread(one: Assumption, part: float) -> Iterator[Ranged]:
    """Yield the input of an assumption with its spread, where it has one."""
    path = input_of(one.id)
    field = field_at(path) if path else None
    if (
        field is None
        or not one.value
        or one.kind in _NO_PART
        or one.status == OVERRIDDEN
        or one.source.id in _OF_OTHERS
        or path.startswith("criteria.")
    ):
        return
    least, most = bounds(field, one.kind)
    ends = sorted((one.value * (1.0 - part), one.value * (1.0 + part)))
    low, high = max(ends[0], least), min(ends[1], most)
    if low < high:
        how = _WORDS.get(one.source.verified, one.source.verified)
        words = f"{field.declared.meaning}; assumed, {how}, within {part:.3g} of itself"
        yield Ranged(path, words, Spread("uniform", one.kind, low, high, one.value))
