"""Symbols of a one-line diagram as shapes of a scene: IEEE 315 or IEC 60617.

Each is drawn about its centre; lines that end on it stop at its edge, so that nothing is hidden.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal

from facility.power.network.graph.types import EquipmentKind
from facility.report.drawings.one_line.parts import (
    BAR_MM,
    BUSES,
    LOAD_MM,
    SWITCHES,
    THROW_MM,
    Standard,
    symbol_reach,
)
from facility.report.drawings.scene import (
    MEDIUM_MM,
    THICK_MM,
    Arc,
    Layer,
    Point,
    Polyline,
    Shape,
    Text,
    moved,
)
from facility.report.drawings.text import TEXT_MM

Neutral = Literal["", "solid", "resistor"]
"""Neutral grounding of a transformer or of generators; empty where not stated or none."""
_LETTERS: dict[EquipmentKind, str] = {
    "generator-plant": "G",
    "static-bypass": "SB",
    "maintenance-bypass": "MB",
    "panel": "PNL",
    "busway": "BW",
}
_COIL_MM, _RING_MM = 1.3, 2.7


def symbol_shapes(
    kind: EquipmentKind, standard: Standard, width_mm: float = 0.0, way: int = 0
) -> tuple[Shape, ...]:
    """Return the shapes of a symbol.

    width_mm: Length of a bus; 0 elsewhere.
    way: Selected source of a transfer switch.
    """
    return tuple(_shapes(kind, standard, width_mm, way))


def _shapes(kind: EquipmentKind, standard: Standard, width_mm: float, way: int) -> Iterator[Shape]:
    _, high, half, _ = symbol_reach(kind)
    if kind in BUSES:
        yield _path((-width_mm / 2.0, 0.0), (width_mm / 2.0, 0.0), weight_mm=2.0 * BAR_MM)
    elif kind in SWITCHES:
        yield from _switch(kind, way)
    elif kind in ("transformer", "pdu"):
        yield from _transformer(kind, standard)
    elif kind == "ups":
        yield from _converter()
    elif kind in ("utility", "generator-plant"):
        yield Arc((0.0, 0.0), high, "power", weight_mm=MEDIUM_MM)
        if kind == "utility":
            yield from _wave(-2.6, 0.0, 2.6)
    else:
        yield box(half, high)
    if kind == "panel" and standard == "IEC 60617":
        yield letters("DB")
    elif kind in _LETTERS:
        yield letters(_LETTERS[kind])


def breaker_shapes(standard: Standard, *, medium_voltage: bool) -> tuple[Shape, ...]:
    """Return a circuit breaker on a vertical wire, 3.2 mm high.

    IEEE: a square at medium voltage, else two contacts and their arc; IEC: an open contact with a
    cross at its fixed side.
    """
    if standard == "IEC 60617":
        cross = [((-0.8, -2.4), (0.8, -0.8)), ((-0.8, -0.8), (0.8, -2.4))]
        blade = _path((0.0, 1.6), (-1.5, -1.4), layer="device")
        return (*(_path(*ends, layer="device") for ends in cross), blade)
    if medium_voltage:
        return (box(1.6, 1.6, layer="device"),)
    contacts = (
        Arc((0.0, y), 0.4, "device", weight_mm=MEDIUM_MM, fill="plain") for y in (-1.6, 1.6)
    )
    # the arc of 3.2 mm chord bulges to the right
    return (Arc((-0.57, 0.0), 1.7, "device", -70.3, 70.3, MEDIUM_MM), *contacts)


def load_shapes() -> tuple[Shape, ...]:
    """Return a load outside the network: a board with its arrow."""
    arrow = Polyline(((-1.2, -1.0), (1.2, -1.0), (0.0, 1.2)), "power", closed=True, fill="plain")
    return box(*LOAD_MM), arrow


def arrow_shapes(half_mm: float) -> tuple[Shape, ...]:
    """Return the end of a wire that continues on another sheet."""
    points = (-half_mm, -half_mm), (half_mm, -half_mm), (0.0, half_mm)
    return (Polyline(points, "power", closed=True, fill="plain"),)


def neutral_shapes(kind: EquipmentKind, neutral: Neutral, standard: Standard) -> Iterator[Shape]:
    """Yield the neutral grounding at the left of a symbol: direct, or through a resistor."""
    if not neutral:
        return
    start = {"transformer": -3.9 if standard == "IEEE 315" else -_RING_MM}.get(kind, -4.2)
    x, y = -symbol_reach(kind)[0] + 1.6, 1.7 if kind == "transformer" else 0.0
    yield _path((start, y), (x, y), (x, y + 0.7))
    y += 0.7
    if neutral == "resistor":
        if standard == "IEEE 315":
            zigzag = [(x + (0.8 if n % 2 else -0.8), y + 0.3 + 0.45 * n) for n in range(5)]
            yield _path((x, y), *zigzag, (x, y + 2.4))
        else:
            yield from moved((box(0.6, 1.2),), x, y + 1.2)
        y += 2.4
    for n, half in enumerate((1.5, 0.9, 0.4)):
        yield _path((x - half, y + 0.6 * n), (x + half, y + 0.6 * n))


def cross_shapes(half_mm: float) -> tuple[Shape, ...]:
    """Return a cross, over equipment out of service."""
    ends = ((-half_mm, -half_mm), (half_mm, half_mm)), ((-half_mm, half_mm), (half_mm, -half_mm))
    return tuple(Polyline(one, "power", THICK_MM, "alarm") for one in ends)


def letters(text: str) -> Text:
    """Return letters within a symbol."""
    return Text(text, (0.0, 0.355 * TEXT_MM), "power", anchor="middle")


def box(half_mm: float, high_mm: float, layer: Layer = "power") -> Polyline:
    """Return a rectangle, of half width and half height."""
    corners = (-half_mm, -high_mm), (half_mm, -high_mm), (half_mm, high_mm), (-half_mm, high_mm)
    return Polyline(corners, layer, MEDIUM_MM, closed=True)


def _path(*points: Point, layer: Layer = "power", weight_mm: float = MEDIUM_MM) -> Polyline:
    return Polyline(points, layer, weight_mm)


def _wave(left: float, y: float, half_mm: float) -> Iterator[Shape]:
    """Yield one period of an alternating current, `half_mm` long for each half."""
    radius = half_mm / 2.0
    yield Arc((left + radius, y), radius, "power", 0.0, 180.0, MEDIUM_MM)
    yield Arc((left + half_mm + radius, y), radius, "power", 180.0, 360.0, MEDIUM_MM)


def _converter() -> Iterator[Shape]:
    """Yield a UPS: rectifier above, inverter below, and the battery at their left."""
    yield box(4.0, 4.6)
    strokes: Sequence[tuple[Point, Point]] = (
        ((-4.0, 0.0), (4.0, 0.0)),
        ((4.0, -4.6), (-4.0, 0.0)),
        ((4.0, 0.0), (-4.0, 4.6)),
        ((-4.0, 0.0), (-5.2, 0.0)),
        ((-5.2, -1.9), (-5.2, 1.9)),
        ((-6.0, -1.0), (-6.0, 1.0)),
        ((-6.8, -1.9), (-6.8, 1.9)),
        ((-7.6, -1.0), (-7.6, 1.0)),
    )
    for ends in strokes:
        yield _path(*ends)
    for x, y in ((-3.4, -2.9), (0.6, 3.2)):
        yield from _wave(x, y, 1.3)
    for x, y in ((0.8, -1.7), (-3.0, 1.6)):
        yield _path((x, y), (x + 2.4, y))
        yield _path((x, y + 0.8), (x + 2.4, y + 0.8))


def _switch(kind: EquipmentKind, way: int) -> Iterator[Shape]:
    """Yield a transfer switch: two contacts above, with the blade on the selected one."""
    left, high, right, _ = symbol_reach(kind)
    corners = (-left, -high), (right, -high), (right, high), (-left, high)
    yield Polyline(corners, "device", MEDIUM_MM, closed=True)
    contact = -THROW_MM if way > 0 else 0.0
    yield _path((0.0, high), (0.0, 1.7), (contact, -1.7), layer="device")
    for x in (0.0, -THROW_MM):
        yield _path((x, -high), (x, -1.7), layer="device")
        yield Arc((x, -1.7), 0.5, "device", fill="plain")
    if kind == "sts":
        x = -THROW_MM / 2.0
        anode = (x, -0.2), (x - 1.0, -1.7), (x + 1.0, -1.7)
        yield Polyline(anode, "device", MEDIUM_MM, closed=True)
        yield _path((x - 1.0, -0.2), (x + 1.0, -0.2), layer="device")


def _transformer(kind: EquipmentKind, standard: Standard) -> Iterator[Shape]:
    """Yield two facing coils (IEEE) or two circles (IEC); for a PDU inside its cabinet."""
    if kind == "pdu":
        yield box(5.6, 4.6)
    if standard == "IEC 60617":
        for y in (-1.7, 1.7):
            yield Arc((0.0, y), _RING_MM, "power", weight_mm=MEDIUM_MM)
        ends = 1.7 + _RING_MM
    else:
        for y, angle in ((-0.7, 0.0), (0.7, 180.0)):
            for x in (-2.0 * _COIL_MM, 0.0, 2.0 * _COIL_MM):
                yield Arc((x, y), _COIL_MM, "power", angle, angle + 180.0, MEDIUM_MM)
        ends = 0.7 + _COIL_MM
    yield _path((0.0, -4.6), (0.0, -ends))
    yield _path((0.0, ends), (0.0, 4.6))
