"""The racks on the panelboards of a one-line diagram, and the racks that lose power in a state."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cached_property

import numpy as np

from facility.power.network.flow.solve import Flow
from facility.power.network.graph.types import Network
from facility.report.drawings.one_line.parts import RACKS_MM, Drawing, Label, RackStrip, Symbol
from facility.report.drawings.text import LINE, TEXT_MM

Dropped = tuple[tuple[str, float], ...]
"""Tags of IT loads that lose power partially or fully, with the lost power [W]."""

_PANELS = ("panel", "busway")
_GAP_MM, _SIDE_MM, _FOOT_MM = 3.2, 1.5, 2.0
_MIDDLE = 0.36


class HallLoads:
    """IT loads of a network by the panelboards that feed them."""

    def __init__(self, network: Network) -> None:
        self.network = network

    @cached_property
    def on_panel(self) -> dict[str, tuple[int, ...]]:
        """Numbers of the IT loads with a cord on each panelboard, by its tag."""
        network, found = self.network, defaultdict[str, dict[int, None]](dict)
        panel = {
            one.tag: one.links[0].source for one in network.equipment if one.kind == "rack-pdu"
        }
        for number, load in enumerate(network.loads):
            if load.kind.critical:
                for cord in load.cords:
                    source = cord.link.source
                    found[panel.get(source, source)][number] = None
        return {tag: tuple(numbers) for tag, numbers in found.items()}

    def dropped(self, flow: Flow, state: int = 0) -> Dropped:
        """Return the IT loads that lose power in a state."""
        return tuple(
            (self.network.loads[n].tag, float(flow.dropped_w[n, state]))
            for n in self._hit(flow, state)
        )

    def drawn(self, drawing: Drawing, flow: Flow, state: int = 0) -> Drawing:
        """Return the diagram with the racks below its panelboards, in one state of `flow`."""
        hit = set(self._hit(flow, state))
        strips = tuple(self._strips(drawing.symbols, hit))
        if not strips:
            return drawing
        height = max(drawing.height_mm, *(strip.label.box[3] + _FOOT_MM for strip in strips))
        return replace(drawing, racks=strips, height_mm=height)

    def _hit(self, flow: Flow, state: int) -> list[int]:
        critical = np.array([load.kind.critical for load in self.network.loads], dtype=bool)
        hit = (flow.dropped_w[:, state] > 0.0) | flow.off[:, state]
        found: list[int] = np.flatnonzero(critical & hit).tolist()
        return found

    def _strips(self, symbols: Sequence[Symbol], hit: set[int]) -> Iterator[RackStrip]:
        """Yield the racks of each symbol; racks of one row of panelboards share a row."""
        below: dict[float, float] = {}
        panels = [one for one in symbols if one.kind in _PANELS and not one.reference]
        for one in panels:
            reach = max(one.box[3], one.label.box[3])
            below[one.y_mm] = max(below.get(one.y_mm, 0.0), reach)
        for one in panels:
            loads = {n for tag in one.members for n in self.on_panel.get(tag, ())}
            if loads:
                y_mm = below[one.y_mm] + _GAP_MM + RACKS_MM[1]
                yield _strip(one, y_mm, len(loads), len(loads & hit))


def _strip(panel: Symbol, y_mm: float, racks: int, dropped: int) -> RackStrip:
    lines = [f"{racks:,} rack{'' if racks == 1 else 's'}"]
    if dropped:
        lines.append(f"{dropped:,} dropped")
    last = LINE * TEXT_MM * (len(lines) - 1)
    label = Label(
        tuple(lines),
        panel.x_mm + RACKS_MM[0] + _SIDE_MM,
        y_mm - last / 2.0 + _MIDDLE * TEXT_MM,
        bold=False,
    )
    return RackStrip(
        panel.x_mm, y_mm, panel.box[3], panel.members, racks, dropped, panel.best, label
    )
