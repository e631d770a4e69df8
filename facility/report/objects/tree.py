"""The object tree: objects with the figure at their right, in one state of the power network."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from facility.core.rounding import OVER
from facility.core.views import System, show, show_short
from facility.report.drawings.live.moments import LiveState
from facility.report.drawings.one_line.status import Status, states_of
from facility.report.objects.objects import IT, LOOPS, POWER, DesignObject, DesignObjects

Look = Literal["", "ok", "tight", "over", "off"]
"""How a figure stands to its limit; `off` without voltage."""
TIGHT = 0.15
"""Margin below which a value is tight."""
MAX_CHILDREN = 200
"""Maximum children listed at once."""
_OFF: dict[Status, str] = {"out": "out", "dead": "no supply", "open": "open"}


@dataclass(frozen=True)
class TreeRow:
    """A row of the tree."""

    id: str
    kind: str
    words: str
    figure: str  # Loading, count or power
    look: Look
    children: int  # Number directly below


def look_of(margin: float | None) -> Look:
    """Return the status of a value with this margin to its limit."""
    if margin is None:
        return ""
    return "over" if margin < 1.0 - OVER else "tight" if margin < TIGHT else "ok"


class ObjectTree:
    """The objects of a design with their figures.

    objects: The objects.
    live: State of the power network whose loadings are displayed; None until it is known.
    system: Units of the figures.
    """

    def __init__(
        self, objects: DesignObjects, live: LiveState | None, system: System = "si"
    ) -> None:
        self.objects = objects
        self._live = live
        self._system: System = system
        self._statuses: dict[str, Status] = {}
        network = objects.network
        if live is not None and network is not None:
            found = states_of(network, live.flow, 0, live.drawn)
            tags = (one.tag for one in network.equipment)
            self._statuses = dict(zip(tags, found, strict=True))

    def children(self, id: str = "") -> tuple[TreeRow, ...]:
        """Return the rows directly below an object; without an id, the top level."""
        return tuple(self.row(child) for child in self.objects.children(id)[:MAX_CHILDREN])

    def row(self, id: str) -> TreeRow:
        """Return the row of an object."""
        one = self.objects[id]
        figure, look = self._figure(one)
        return TreeRow(id, one.kind, one.words, figure, look, len(self.objects.children(id)))

    def _figure(self, one: DesignObject) -> tuple[str, Look]:
        design = self.objects.design
        if one.id == POWER:
            return ("% loaded" if self._live is not None else ""), ""
        network, live = self.objects.network, self._live
        if one.kind == "utility" and network is not None and live is not None:
            power_va = float(live.flow.output_va[network.index[one.id], 0])
            if power_va:  # as in the drawing
                return show_short(power_va, "apparent_power", self._system), ""
        if one.kind == "panels":
            return f"{len(one.tags):,}", ""
        if one.tags:
            return self._loading(one)
        if one.id == IT:
            return design.results["load.it"].short(self._system), ""
        return self._count(one), ""

    def _count(self, one: DesignObject) -> str:
        design = self.objects.design
        if one.kind == "hall":
            return f"{len(self.objects.halls[one.id].racks):,} racks"
        if one.kind == "units":
            installed = {units.tag: units.installed for units in design.electrical_units}
            return f"{installed[one.id]:,}"
        if one.kind == "row" or one.id == LOOPS:
            return f"{len(self.objects.children(one.id)):,}"
        if one.kind == "rack":
            return show_short(self.objects.rack(one.id).kind.input_w, "active_power", self._system)
        return ""

    def _loading(self, one: DesignObject) -> tuple[str, Look]:
        """Return the highest loading of the equipment of an object [%], or its state."""
        network, live = self.objects.network, self._live
        if network is None or live is None:
            return "", ""
        statuses = [self._statuses[tag] for tag in one.tags]
        if all(status in _OFF for status in statuses):
            return _OFF[statuses[0]], "off"
        if one.kind == "generator-plant" and statuses == ["standby"]:
            return "standby", "off"
        found = [float(live.loading[network.index[tag]]) for tag in one.tags]
        known = [value for value in found if np.isfinite(value)]
        if not known:
            return "", ""
        worst = max(known)
        return show(worst, "fraction", self._system).removesuffix(" %"), look_of(1.0 - worst)
