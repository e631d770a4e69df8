"""Rack colours of a hall: power, panels, inlet air, spare capacity, or a cooling failure."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from facility.core.views import System, show
from facility.power.panels.design.halls import PanelSet
from facility.study.design.design import Design
from facility.study.design.rack_positions import RackPosition
from facility.study.transient.result import RideResult

Mode = Literal["power", "panels", "inlet", "spare"]
Scale = Literal["sequence", "category", "status"]
Status = Literal["good", "some", "bad", "none"]

STEPS = 5
"""Steps of a sequence."""
CATEGORIES = 8
STATUSES: tuple[Status, ...] = ("good", "some", "bad", "none")
_SPARE_EDGES = (0.0, 0.05, 0.15, 0.30)


@dataclass(frozen=True)
class Shade:
    """Colour of a scale, with its meaning."""

    scale: Scale
    step: int
    words: str


@dataclass(frozen=True)
class Shading:
    """The colour of every rack, with its value in words; `legend` in its order.

    `note` states the basis of the colours; the legend counts the racks of each colour.
    """

    shades: tuple[Shade, ...]
    values: tuple[str, ...]
    legend: tuple[Shade, ...]
    note: str


_Shaded = tuple[Shade, str]
"""Colour and value text of a rack."""


def _status(status: Status, words: str, value: str = "") -> _Shaded:
    """Return the colour of a rack status, by its text without a value."""
    return Shade("status", STATUSES.index(status), words), value or words


def shading(
    mode: Mode, design: Design, racks: Sequence[RackPosition], system: System = "si"
) -> Shading:
    """Return the colours of the racks of a hall."""
    drawn: dict[Mode, Callable[[Design, Sequence[RackPosition], System], Shading]] = {
        "power": _power,
        "panels": _panels,
        "inlet": _inlet,
        "spare": _spare,
    }
    return drawn[mode](design, racks, system)


def _of_legend(shaded: Iterable[_Shaded], note: str) -> Shading:
    found = list(shaded)
    shades = tuple(shade for shade, _ in found)
    counts = Counter(shades)
    used = sorted(counts, key=lambda shade: (shade.scale, shade.step))
    legend = tuple(replace(one, words=f"{one.words}: {counts[one]:,}") for one in used)
    return Shading(shades, tuple(value for _, value in found), legend, note)


def _power(design: Design, racks: Sequence[RackPosition], system: System) -> Shading:
    """Colour by the input of the rack on the basis of the project."""
    step_w = _nice(max((rack.kind.input_w for rack in racks), default=0.0) / STEPS)

    def shaded(rack: RackPosition) -> _Shaded:
        step = min(STEPS - 1, max(0, math.ceil(rack.kind.input_w / step_w) - 1))
        low, high = (
            show(step_w * n, "active_power", system, digits=0 if step_w >= 1e3 else None)
            for n in (step, step + 1)
        )
        shade = Shade("sequence", step, f"{low.partition(' ')[0]} to {high}")
        return shade, show(rack.kind.input_w, "active_power", system)

    basis = design.facility.it.basis.replace("_", " ")
    return _of_legend(map(shaded, racks), f"Input of each rack, {basis}.")


def _nice(value: float) -> float:
    """Return the smallest of 1, 2, 2.5, 5 and 10 times a power of ten, at least `value`."""
    if value <= 0.0:
        return 1.0
    power = 10.0 ** math.floor(math.log10(value))
    return next(n * power for n in (1.0, 2.0, 2.5, 5.0, 10.0) if n * power >= value)


def _panels(design: Design, racks: Sequence[RackPosition], system: System) -> Shading:
    """Colour by panelboards: racks on the same panelboards have the same colour."""
    numbers: dict[tuple[str, ...], int] = {}
    for rack in racks:
        numbers.setdefault(rack.panels, len(numbers))
    shades = [Shade("category", numbers[rack.panels] % CATEGORIES, "") for rack in racks]
    values = [", ".join(rack.panels) or "no panel" for rack in racks]
    note = (
        f"{len(numbers):,} groups of panels in {min(CATEGORIES, len(numbers))} colours, repeated "
        f"where there are more groups; each rack lists its panels."
    )
    return Shading(tuple(shades), tuple(values), (), note)


def _inlet(design: Design, racks: Sequence[RackPosition], system: System) -> Shading:
    """Colour by mean inlet temperature of the rack type vs. the air class limits."""
    found = {(row.name, row.hall): row for row in design.room_air.racks}
    criteria = design.facility.criteria
    warm, hot = criteria.air_recommended_max_c, criteria.air_allowable_max_c
    limit = [show(value, "temperature", system) for value in (warm, hot)]

    def shaded(rack: RackPosition) -> _Shaded:
        row = found.get((rack.kind.name, rack.kind.hall))
        if row is None:
            return _status("none", "no heat to the air")
        both = (show(value, "temperature", system) for value in (row.inlet_c, row.inlet_worst_c))
        value = "inlet {}, worst {}".format(*both)
        if row.inlet_worst_c <= warm:
            return _status("good", f"up to {limit[0]}, recommended", value)
        if row.inlet_worst_c <= hot:
            return _status("some", f"up to {limit[1]}, allowable", value)
        return _status("bad", f"above {limit[1]}", value)

    note = (
        f"Worst inlet temperature by rack type at the design hour, class {criteria.air_class}; "
        f"calculated by rack type, not by position in the row."
    )
    return _of_legend(map(shaded, racks), note)


def panel_margins(found: PanelSet) -> dict[str, float]:
    """Return the remaining fraction of each panelboard limit in its worst state."""
    margins = {}
    for index, panel in enumerate(found.panels):
        worst_a = float(found.line_a[index, :, :3].max())
        lost = found.lost[index]
        if lost is not None:
            worst_a = max(worst_a, float(np.max(lost.line_a[:3])))
        margins[panel.tag] = 1.0 - worst_a / found.limit_a
    return margins


def _spare(design: Design, racks: Sequence[RackPosition], system: System) -> Shading:
    """Colour by the remaining capacity of a rack's most loaded panelboard in its worst state."""
    margins = panel_margins(design.panels)

    def shaded(rack: RackPosition) -> _Shaded:
        if not rack.panels:
            return _status("none", "on no panel")
        tag = min(rack.panels, key=margins.__getitem__)
        left = margins[tag]
        value = f"{show(left, 'fraction')} remaining at {tag}"
        if left < -1e-9:
            return _status("bad", "over the limit", value)
        step = sum(left >= edge for edge in _SPARE_EDGES)
        edges = (*_SPARE_EDGES, None)
        low, high = edges[step - 1], edges[step]
        words = f"{100.0 * (low or 0.0):.0f} to {100.0 * high:.0f} %" if high else "over 30 %"
        return Shade("sequence", step - 1, words), value

    limit = show(design.panels.limit_a, "current", system)
    note = (
        f"Remaining share of {limit} (continuous panel limit) at the most loaded panel of the rack "
        f"in its worst state (one feed or supply lost)."
    )
    return _of_legend(map(shaded, racks), note)


def failure_shading(racks: Sequence[RackPosition], ride: RideResult) -> Shading:
    """Return the colours of racks by the air or coolant limits exceeded after a failure."""

    def shaded(rack: RackPosition) -> _Shaded:
        wet = rack.kind.liquid_w > 0.0
        dry = rack.kind.liquid_w < rack.kind.input_w
        passed = [
            (limit, time_s)
            for limit, time_s, _ in ride.limits
            if time_s is not None and (wet if limit.of_liquid else dry)
        ]
        hard = [one for one in passed if one[0].grade == "allowable"]
        if not passed:
            return _status("good", "within its limits")
        limit, time_s = min(hard or passed, key=lambda one: one[1])
        value = f"{limit.title} exceeded after {max(time_s, 1.0):,.0f} s"
        if hard:
            return _status("bad", "above an allowable limit", value)
        return _status("some", "above a recommended or class limit", value)

    note = (
        f"Ride-through: {ride.case.title}. The lumped model of all halls gives the time at which "
        f"air or coolant exceeds a limit, not the first rack; racks are grouped by cooling method."
    )
    return _of_legend(map(shaded, racks), note)
