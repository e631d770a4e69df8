"""One-line diagram as a scene: one sheet of the set, with legend and notes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from facility.power.network.graph.types import EquipmentKind
from facility.report.drawings.one_line.parts import (
    BAR_MM,
    BUSES,
    Box,
    Drawing,
    Label,
    Point,
    Standard,
    Symbol,
    Wire,
)
from facility.report.drawings.one_line.place import ARROW_MM
from facility.report.drawings.one_line.symbols import (
    Neutral,
    arrow_shapes,
    breaker_shapes,
    cross_shapes,
    load_shapes,
    neutral_shapes,
    symbol_shapes,
)
from facility.report.drawings.scene import (
    MEDIUM_MM,
    THIN_MM,
    Arc,
    Polyline,
    Scene,
    Shape,
    Text,
    moved,
)
from facility.report.drawings.text import LINE, TEXT_MM
from facility.report.tables.names import tag_list

_STEP_MM = LINE * TEXT_MM
_BREAKER_MM = 1.6
_SAMPLE_MM, _SAMPLE_ROW_MM = 66.0, 12.0
_LEGEND: Mapping[EquipmentKind, str] = {
    "utility": "utility service",
    "generator-plant": "generator sets",
    "transformer": "transformer",
    "ats": "automatic transfer switch",
    "sts": "static transfer switch",
    "ups": "UPS with battery",
    "static-bypass": "static bypass",
    "maintenance-bypass": "maintenance bypass",
    "pdu": "PDU with transformer",
    "panel": "panelboard",
    "busway": "busway",
}
_IEC_LEGEND: Mapping[EquipmentKind, str] = {"panel": "distribution board"}


def one_line_scene(drawing: Drawing, neutrals: Mapping[str, Neutral] | None = None) -> Scene:
    """Return one sheet of a diagram, without legend and notes.

    neutrals: Neutral grounding by tag of the transformer or generators.
    """
    known, standard = neutrals or {}, drawing.standard
    shapes: list[Shape] = []
    # wires end at symbols and breakers: not every format covers a line with a filled shape
    boxes = [
        (x - left, y - up, x + right, y + down) for x, y, (left, up, right, down) in _cuts(drawing)
    ]
    for wire in drawing.wires:
        dashed = wire.status in ("open", "standby") and not wire.used
        for points in _pieces(wire, boxes):
            shapes.append(Polyline(points, "power", MEDIUM_MM, dashed=dashed))
    for x, y, _ in drawing.dots_mm:
        shapes.append(Arc((x, y), 0.75, "power", fill="plain"))
    for symbol in drawing.symbols:
        name = f"{symbol.kind}:{tag_list(symbol.members)}"
        found = _symbol(symbol, standard, known.get(symbol.members[0], ""))
        shapes += (replace(shape, symbol=name) for shape in found)
    for load in drawing.loads:
        shapes += moved(load_shapes(), load.x_mm, load.y_mm)
    for device in drawing.devices:
        drawn = breaker_shapes(standard, medium_voltage=device.medium_voltage)
        name = f"breaker:{tag_list(device.circuits)}"
        shapes += (replace(one, symbol=name) for one in moved(drawn, device.x_mm, device.y_mm))
    for arrow in drawing.arrows:
        shapes += moved(arrow_shapes(0.8 * ARROW_MM), arrow.x_mm, arrow.y_mm)
    for label in drawing.labels:
        shapes += label_texts(label)
    return Scene(drawing.width_mm, drawing.height_mm, tuple(shapes))


def legend_scene(drawings: Sequence[Drawing], width_mm: float) -> Scene:
    """Return the symbols on some sheets of a diagram, with their names."""
    standard = drawings[0].standard
    symbols = [symbol for one in drawings for symbol in one.symbols if not symbol.reference]
    kinds = {symbol.kind for symbol in symbols}
    samples = [
        (
            _IEC_LEGEND.get(kind, words) if standard == "IEC 60617" else words,
            symbol_shapes(kind, standard),
        )
        for kind, words in _LEGEND.items()
        if kind in kinds
    ]
    voltages = {device.medium_voltage for one in drawings for device in one.devices}
    for medium, words in ((False, "LV circuit breaker"), (True, "MV circuit breaker (52)")):
        if medium in voltages:
            samples.append((words, breaker_shapes(standard, medium_voltage=medium)))
    if any(one.loads for one in drawings):
        samples.append(("load with its own schedule", load_shapes()))
    if any(one.arrows for one in drawings):
        samples.append(("continued on the sheet named", arrow_shapes(0.8 * ARROW_MM)))
    per_row = max(1, int(width_mm // _SAMPLE_MM))
    found: list[Shape] = []
    for n, (words, shapes) in enumerate(samples):
        x, y = _SAMPLE_MM * (n % per_row), _SAMPLE_ROW_MM * (n // per_row + 0.5)
        found += moved(shapes, x + 11.0, y)
        found.append(Text(words, (x + 19.0, y + 0.36 * TEXT_MM)))
    rows = -(-len(samples) // per_row)
    return Scene(width_mm, rows * _SAMPLE_ROW_MM, tuple(found))


def label_texts(label: Label) -> Iterator[Text]:
    """Yield the lines of a label, with their keys."""
    for n, line in enumerate(label.lines):
        at = label.x_mm, label.y_mm + n * _STEP_MM
        key = label.keys[n] if n < len(label.keys) else ""
        bold = label.bold and n == 0
        yield Text(line, at, anchor=label.anchor, bold=bold, key=key)


def _symbol(symbol: Symbol, standard: Standard, neutral: Neutral) -> Iterator[Shape]:
    middle = sum(symbol.span_mm) / 2.0 if symbol.width_mm else symbol.x_mm
    several = len(symbol.members) > 1 and not symbol.reference
    found = symbol_shapes(symbol.kind, standard, symbol.width_mm, symbol.way)
    yield from moved(found, middle, symbol.y_mm)
    yield from moved(neutral_shapes(symbol.kind, neutral, standard), symbol.x_mm, symbol.y_mm)
    if several:  # the edge of a second symbol
        left, up, right, down = symbol.box
        corner = (left + 1.2, up), (right, up), (right, down - 1.2)
        yield Polyline(corner, "power", THIN_MM)
    if symbol.reference:
        yield from moved(arrow_shapes(0.8 * ARROW_MM), symbol.x_mm, symbol.y_mm - 3.2)
    elif symbol.status == "out":
        yield from moved(cross_shapes(3.0), symbol.x_mm, symbol.y_mm)


def _cuts(drawing: Drawing) -> Iterator[tuple[float, float, Box]]:
    """Yield centre and extent of obstacles to wires."""
    for symbol in drawing.symbols:
        left, up, right, down = symbol.box
        if symbol.kind in BUSES:
            up = symbol.y_mm - BAR_MM
        elif len(symbol.members) > 1:
            up, right = up + 1.2, right - 1.2
        x, y = symbol.x_mm, symbol.y_mm
        yield x, y, (x - left, y - up, right - x, down - y)
    for load in drawing.loads:
        left, up, right, down = load.box
        yield (
            load.x_mm,
            load.y_mm,
            (load.x_mm - left, load.y_mm - up, right - load.x_mm, down - load.y_mm),
        )
    for device in drawing.devices:
        yield device.x_mm, device.y_mm, (0.5, _BREAKER_MM, 0.5, _BREAKER_MM)


def _pieces(wire: Wire, boxes: Sequence[Box]) -> Iterator[tuple[Point, ...]]:
    """Yield the parts of a wire outside boxes; only its vertical segments meet any."""
    part: list[Point] = [wire.points_mm[0]]
    for (x, y), (to_x, to_y) in zip(wire.points_mm, wire.points_mm[1:], strict=False):
        if x == to_x:
            low, high = min(y, to_y), max(y, to_y)
            inside = sorted(
                (max(up, low), min(down, high))
                for left, up, right, down in boxes
                if left < x < right and up < high and down > low
            )
            for up, down in inside if y < to_y else [(b, a) for a, b in reversed(inside)]:
                if abs(part[-1][1] - up) > 0.05 or len(part) > 1:
                    yield (*part, (x, up))
                part = [(x, down)]
        part.append((to_x, to_y))
    if len(part) > 1 and (
        len(part) > 2 or abs(part[0][1] - part[1][1]) > 0.05 or part[0][0] != part[1][0]
    ):
        yield tuple(part)
