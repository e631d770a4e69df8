"""Points: laws between the quantities of one meter and of a group; alarms and margins once more."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from facility.study.design.design import Design
from facility.study.points.points import design_points
from facility.study.points.ranges import ExpectedRange
from tests.results.expected import expected_ranges
from tests.results.points import alarms_of_failures, margins_of_limits, places_of_points
from tests.results.second import differs
from tests.study.helpers import SHORTEST, design_of, reference

_METERED = ("utility", "lv-board", "ups-output", "panel")
"""Equipment with active power, power factor, current and voltage."""
_LOADED = ("transformer", "ups", "ats", "lv-board", "ups-output", "generator-bus")
"""Equipment with a rating in every project, hence with a loading."""
_WORST_LINE = 1.3
"""The current of a point is that of the most loaded line, over that of a balanced load."""


def _by_item(found: Design) -> dict[tuple[str, str], dict[str, ExpectedRange]]:
    ranges: dict[tuple[str, str], dict[str, ExpectedRange]] = {}
    for point in design_points(found):
        if point.expected is not None:
            of = ranges.setdefault((point.item.equipment, point.item.tag), {})
            of[point.quantity] = point.expected
    return ranges


def _laws(found: Design) -> Iterator[str]:
    """Active power from voltage, current and power factor; what enters and leaves; loadings."""
    network = found.distribution.plan.network
    for (kind, tag), of in _by_item(found).items():
        at = {quantity: one.design for quantity, one in of.items() if one.design is not None}
        active_w = at.get("active_power", 0.0)
        if kind in _METERED:
            factor = at["power_factor"]
            line_w = 3.0**0.5 * at["voltage"] * at["current"] * factor
            worst = _WORST_LINE if kind == "panel" else 1.05
            if not 0.8 < factor <= 1.0 or not 0.999 <= line_w / active_w <= worst:
                yield f"{tag}: {line_w:.0f} W of voltage, current and factor, {active_w:.0f} W"
        if "input_power" in at and not 0.9 < active_w / at["input_power"] < 1.0:
            yield f"{tag}: takes {at['input_power']:.0f} W, gives {active_w:.0f} W"
        if "apparent_power" in at and "power_factor" in at:
            wanted = active_w / at["apparent_power"]
            yield from differs(f"{tag}: power factor", at["power_factor"], wanted)
        if kind in _LOADED and "loading" not in at:
            yield f"{tag}: no loading"
        if kind == "transformer":
            rating_va = float(network[tag].rating_va or 0.0)
            if not active_w / rating_va <= at["loading"] <= active_w / rating_va / 0.8:
                yield f"{tag}: loading {at['loading']:.3f} of {rating_va:.0f} VA"


def _sums(found: Design) -> Iterator[str]:
    """The racks are the rows, the rows the halls, the halls the IT; ranges are in order."""
    items = _by_item(found)
    whole_w = {
        kind: sum(of["active_power"].design or 0.0 for (one, _), of in items.items() if one == kind)
        for kind in ("rack", "row", "hall")
    }
    for kind, power_w in whole_w.items():
        yield from differs(f"active power of all: {kind}", power_w, found.it.it_w)
    for (_, tag), of in items.items():
        for quantity, one in of.items():
            known = [value for value in (one.low, one.typical, one.high) if value is not None]
            if known != sorted(known):
                yield f"{tag} {quantity}: {known}"


@pytest.mark.parametrize("name", ["dgx-su-32", "nvl72-hall"])
def test_ranges_obey_the_laws_between_quantities(name: str) -> None:
    found = reference(name)
    assert list(_laws(found)) == []
    assert list(_sums(found)) == []


@pytest.mark.parametrize("name", ["", "dgx-su-32", "nvl72-hall"])
def test_alarms_and_margins_are_those_of_the_second_calculation(name: str) -> None:
    found = reference(name) if name else design_of(SHORTEST)
    assert list(alarms_of_failures(found)) == []
    assert list(margins_of_limits(found)) == []
    assert list(places_of_points(found)) == []
    assert list(expected_ranges(found)) == []
