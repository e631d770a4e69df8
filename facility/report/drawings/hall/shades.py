"""What colours the racks of a hall: power, panels, inlet air, spare capacity, or a failure."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

import numpy as np

from facility.core.views import System, show
from facility.power.panels.design.halls import PanelSet
from facility.report.drawings.hall.places import RackPlace
from facility.report.drawings.live.racks import Dropped
from facility.study.design.design import Design
from facility.study.transient.result import RideResult

Mode = Literal["power", "panels", "inlet", "spare", "failure"]
Scale = Literal["sequence", "category", "status"]
Status = Literal["good", "some", "bad", "none"]

STEPS = 5
"""Steps of a sequence."""
CATEGORIES = 8
STATUSES: tuple[Status, ...] = ("good", "some", "bad", "none")
_SPARE_EDGES = (0.0, 0.05, 0.15, 0.30)
_REST = 0.005
"""A part of the load that is lost below this is rounding."""


@dataclass(frozen=True)
class Shade:
    """A colour of a scale, and what it means."""

    scale: Scale
    step: int
    words: str


@dataclass(frozen=True)
class Shading:
    """The colour of every rack, with its value in words; `legend` in its order.

    `note` says what the colours rest on; the legend counts the racks of each colour.
    """

    shades: tuple[Shade, ...]
    values: tuple[str, ...]
    legend: tuple[Shade, ...]
    note: str


@dataclass(frozen=True)
class Failure:
    """What a failure does to racks: load lost by the tag of the load, or a ride-through.

    `title` says what fails.
    """

    title: str = ""
    dropped: Dropped = ()
    ride: RideResult | None = None
    total_w: Mapping[str, float] = field(default_factory=dict)


_Told = tuple[Shade, str]
"""The colour of a rack, and its value in words."""


def _status(status: Status, words: str, value: str = "") -> _Told:
    """Return a colour that says how a rack is; its words are the value where there is no other."""
    return Shade("status", STATUSES.index(status), words), value or words


def shading(
    mode: Mode, design: Design, racks: Sequence[RackPlace], failure: Failure, system: System = "si"
) -> Shading:
    """Return the colours of the racks of a hall."""
    if mode == "failure":
        if failure.ride is not None:
            return _ridden(racks, failure.ride)
        return _dark(racks, failure, system)
    drawn: dict[Mode, Callable[[Design, Sequence[RackPlace], System], Shading]] = {
        "power": _power,
        "panels": _panels,
        "inlet": _inlet,
        "spare": _spare,
    }
    return drawn[mode](design, racks, system)


def _of_legend(told: Iterable[_Told], note: str) -> Shading:
    found = list(told)
    shades = tuple(shade for shade, _ in found)
    counts = Counter(shades)
    used = sorted(counts, key=lambda shade: (shade.scale, shade.step))
    legend = tuple(replace(one, words=f"{one.words}: {counts[one]:,}") for one in used)
    return Shading(shades, tuple(value for _, value in found), legend, note)


def _power(design: Design, racks: Sequence[RackPlace], system: System) -> Shading:
    """Colour by the input of the rack on the basis of the project."""
    step_w = _nice(max((rack.kind.input_w for rack in racks), default=0.0) / STEPS)

    def told(rack: RackPlace) -> _Told:
        step = min(STEPS - 1, max(0, math.ceil(rack.kind.input_w / step_w) - 1))
        low, high = (
            show(step_w * n, "active_power", system, digits=0 if step_w >= 1e3 else None)
            for n in (step, step + 1)
        )
        shade = Shade("sequence", step, f"{low.partition(' ')[0]} to {high}")
        return shade, show(rack.kind.input_w, "active_power", system)

    basis = design.facility.it.basis.replace("_", " ")
    return _of_legend(map(told, racks), f"Input of each rack, {basis}.")


def _nice(least: float) -> float:
    """Return the least of 1, 2, 2.5, 5 and 10 times a power of ten that is not below `least`."""
    if least <= 0.0:
        return 1.0
    power = 10.0 ** math.floor(math.log10(least))
    return next(n * power for n in (1.0, 2.0, 2.5, 5.0, 10.0) if n * power >= least)


def _panels(design: Design, racks: Sequence[RackPlace], system: System) -> Shading:
    """Colour by the panelboards: racks on the same ones have one colour."""
    numbers: dict[tuple[str, ...], int] = {}
    for rack in racks:
        numbers.setdefault(rack.panels, len(numbers))
    shades = [Shade("category", numbers[rack.panels] % CATEGORIES, "") for rack in racks]
    values = [", ".join(rack.panels) or "no panel" for rack in racks]
    note = (
        f"{len(numbers):,} groups of panels in {min(CATEGORIES, len(numbers))} colours, which come"
        " again where there are more: each rack names its panels."
    )
    return Shading(tuple(shades), tuple(values), (), note)


def _inlet(design: Design, racks: Sequence[RackPlace], system: System) -> Shading:
    """Colour by the mean inlet of the kind of rack, against the limits of the air class."""
    found = {(row.name, row.hall): row for row in design.room_air.racks}
    criteria = design.facility.criteria
    warm, hot = criteria.air_recommended_max_c, criteria.air_allowable_max_c
    limit = [show(value, "temperature", system) for value in (warm, hot)]

    def told(rack: RackPlace) -> _Told:
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
        f"Worst inlet of each kind of rack at the design hour, class {criteria.air_class}: the air"
        " is worked out by kind of rack, not by its place in the row."
    )
    return _of_legend(map(told, racks), note)


def panel_margins(found: PanelSet) -> dict[str, float]:
    """Return what is left of the limit of each panelboard in its worst state, as a fraction."""
    margins = {}
    for index, panel in enumerate(found.panels):
        worst_a = float(found.line_a[index, :, :3].max())
        lost = found.lost[index]
        if lost is not None:
            worst_a = max(worst_a, float(np.max(lost.line_a[:3])))
        margins[panel.tag] = 1.0 - worst_a / found.limit_a
    return margins


def _spare(design: Design, racks: Sequence[RackPlace], system: System) -> Shading:
    """Colour by what is left at the fullest of the panelboards of a rack, in its worst state."""
    margins = panel_margins(design.panels)

    def told(rack: RackPlace) -> _Told:
        if not rack.panels:
            return _status("none", "on no panel")
        tag = min(rack.panels, key=margins.__getitem__)
        left = margins[tag]
        value = f"{show(left, 'fraction')} left at {tag}"
        if left < -1e-9:
            return _status("bad", "over the limit", value)
        step = sum(left >= edge for edge in _SPARE_EDGES)
        edges = (*_SPARE_EDGES, None)
        low, high = edges[step - 1], edges[step]
        words = f"{100.0 * (low or 0.0):.0f} to {100.0 * high:.0f} %" if high else "over 30 %"
        return Shade("sequence", step - 1, words), value

    limit = show(design.panels.limit_a, "current", system)
    note = (
        f"Left of {limit}, the continuous limit of a panel, at the fullest panel of the rack in its"
        " worst state (a feed lost, a supply lost)."
    )
    return _of_legend(map(told, racks), note)


def _dark(racks: Sequence[RackPlace], failure: Failure, system: System) -> Shading:
    """Colour by the load that a state of the power network drops."""
    lost = dict(failure.dropped)

    def told(rack: RackPlace) -> _Told:
        hit = [tag for tag in rack.loads if tag in lost]
        lost_w = sum(lost[tag] for tag in hit)
        total_w = sum(failure.total_w.get(tag, 0.0) for tag in rack.loads)
        if not hit:
            return _status("good", "served")
        power = show(lost_w, "active_power", system)
        if total_w > 0.0 and lost_w < (1.0 - _REST) * total_w:
            return _status("some", "loses part of its load", f"loses {power}")
        return _status("bad", "dark", f"dark, {power}")

    return _of_legend(map(told, racks), f"State of the power network: {failure.title}.")


def _ridden(racks: Sequence[RackPlace], ride: RideResult) -> Shading:
    """Colour by the limits that the air or the coolant of a rack passes after a failure."""

    def told(rack: RackPlace) -> _Told:
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
        value = f"{limit.title} passed after {max(time_s, 1.0):,.0f} s"
        if hard:
            return _status("bad", "over an allowable limit", value)
        return _status("some", "over a recommended limit, or of a class", value)

    note = (
        f"Ride-through: {ride.case.title}. A lumped model of all halls knows when their air or"
        " coolant passes a limit, not at which rack first: racks are told apart by what cools them."
    )
    return _of_legend(map(told, racks), note)
