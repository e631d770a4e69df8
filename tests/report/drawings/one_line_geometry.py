"""What may not happen on a one-line diagram: texts on texts, on symbols or on wires."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np

from facility.power.network.graph.types import Cord, Equipment, Link, Load, Network
from facility.report.drawings.one_line.parts import Arrow, Box, Drawing, Wire
from facility.report.drawings.one_line.place import ARROW_MM

_TOUCH_MM = 1e-6


def clashes(drawing: Drawing) -> list[str]:
    """Return what overlaps, and what leaves the sheet."""
    return [*_overlaps(drawing), *_crossed(drawing), *_outside(drawing)]


def renamed(network: Network, prefix: str) -> Network:
    """Return the network with every tag of equipment behind `prefix`."""

    def put(link: Link) -> Link:
        return replace(link, source=prefix + link.source)

    def equipment(one: Equipment) -> Equipment:
        units = tuple(prefix + unit for unit in one.units)
        return replace(one, tag=prefix + one.tag, links=tuple(map(put, one.links)), units=units)

    loads = tuple(
        Load(load.tag, load.kind, tuple(Cord(put(c.link), c.phases) for c in load.cords), load.hall)
        for load in network.loads
    )
    return Network(tuple(map(equipment, network.equipment)), loads, network.balanced)


def _shapes(drawing: Drawing) -> Iterator[tuple[str, Box]]:
    for symbol in drawing.symbols:
        yield f"symbol {symbol.members[0]}", symbol.box
    for device in drawing.devices:
        yield f"device at {device.x_mm:.1f}", device.box
    for load in drawing.loads:
        yield f"symbol {load.tag}", load.box
    for strip in drawing.racks:
        yield f"racks of {strip.panels[0]}", strip.box
    for arrow in drawing.arrows:
        yield f"arrow {arrow.label.lines}", _arrow_box(arrow)


def _arrow_box(arrow: Arrow) -> Box:
    half = 0.8 * ARROW_MM
    return arrow.x_mm - half, arrow.y_mm - half, arrow.x_mm + half, arrow.y_mm + half


def _boxes(drawing: Drawing) -> Iterator[tuple[str, Box]]:
    for label in drawing.labels:
        yield f"label {label.lines}", label.box
    yield from _shapes(drawing)


def _overlaps(drawing: Drawing) -> Iterator[str]:
    named = list(_boxes(drawing))
    for n, k in _meeting([box for _, box in named], [box for _, box in named]):
        if n < k:
            yield f"{named[n][0]} on {named[k][0]}"


def _crossed(drawing: Drawing) -> Iterator[str]:
    labels = list(drawing.labels)
    shapes = list(_shapes(drawing))
    parts = [(wire, part) for wire in drawing.wires for part in _segments(wire)]
    segments = [part for _, part in parts]
    for n, k in _meeting(segments, [label.box for label in labels]):
        yield f"wire {parts[n][0].points_mm} through label {labels[k].lines}"
    for n, k in _meeting(segments, [box for _, box in shapes]):
        wire, (name, box) = parts[n][0], shapes[k]
        if not _belongs(wire, name, box):
            yield f"wire {wire.points_mm} through {name}"


def _belongs(wire: Wire, name: str, box: Box) -> bool:
    """Return whether a wire ends at a symbol, or a breaker stands on it."""
    if name.startswith("device"):
        return any(abs((box[0] + box[2]) / 2.0 - x) < 0.01 for x, _ in wire.points_mm)
    return any(
        box[0] - 0.1 <= x <= box[2] + 0.1 and box[1] - 0.1 <= y <= box[3] + 0.1
        for x, y in (wire.points_mm[0], wire.points_mm[-1])
    )


def _meeting(some: Sequence[Box], others: Sequence[Box]) -> Iterator[tuple[int, int]]:
    """Yield the numbers of the boxes that share more than an edge."""
    if not some or not others:
        return
    a, b = np.array(some)[:, None, :], np.array(others)[None, :, :]
    deep = np.minimum(a[..., 2:], b[..., 2:]) - np.maximum(a[..., :2], b[..., :2]) > _TOUCH_MM
    for n, k in np.argwhere(deep.all(axis=-1)):
        yield int(n), int(k)


def _segments(wire: Wire) -> Iterator[Box]:
    for (x0, y0), (x1, y1) in pairwise(wire.points_mm):
        yield (min(x0, x1) - 0.01, min(y0, y1) - 0.01, max(x0, x1) + 0.01, max(y0, y1) + 0.01)


def _outside(drawing: Drawing) -> Iterator[str]:
    for name, box in _boxes(drawing):
        if min(box[0], box[1]) < 0.0 or box[2] > drawing.width_mm or box[3] > drawing.height_mm:
            yield f"{name} leaves the sheet: {box}"
    for wire in drawing.wires:
        for x, y in wire.points_mm:
            if not (0.0 <= x <= drawing.width_mm and 0.0 <= y <= drawing.height_mm):
                yield f"wire leaves the sheet: {x}, {y}"
