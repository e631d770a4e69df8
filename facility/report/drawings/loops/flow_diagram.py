"""Flow diagram of the water loops: units between headers, with valves, pumps and pipe sizes.

Each loop is a band: heat sources at the left, heat sinks at the right, both between the return
header above and the supply header below, pumps in the supply line. A unit that transfers heat
from one loop to the next is in both bands.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from facility.report.drawings.scene import (
    MEDIUM_MM,
    THICK_MM,
    THIN_MM,
    Arc,
    Layer,
    Point,
    Polyline,
    Scene,
    Shape,
    Text,
    Tone,
    moved,
)
from facility.report.drawings.text import TEXT_MM, fitted, text_width

WIDTH_MM = 395.0
BAND_MM = 51.0
_LEGEND_MM = 9.0
_TOP, _BOTTOM = 14.0, 42.0
_PITCH, _BOX = 28.0, 25.0
_PUMPS_MM = 46.0
_STEP_MM = 3.6
_WARM: Tone = "warm"
_COLD: Tone = "cold"
_MAX_UNITS: Mapping[int, int] = {1: 4, 2: 3}
_MAX_OF_MANY, _MAX_PUMPS = 2, 3
"""Units that are drawn of a bank, by the number of banks; pumps."""
_LOOP_LAYERS: Mapping[str, Layer] = {
    "chw": "chw", "cw": "cw", "fws": "fws", "fws_tower": "fws_tower", "tcs": "tcs"
}  # fmt: skip
_NOTES = (
    "Temperatures, heats and running flows: design hour; pipes, pumps: design flow.",
    "Not drawn: bypasses, strainers, balancing valves, air separators, expansion vessels.",
)


@dataclass(frozen=True)
class UnitBank:
    """Equal units of a loop; `installed` is 0 for one that is not numbered."""

    tag: str
    installed: int = 0
    lines: tuple[str, ...] = ()

    @property
    def units(self) -> tuple[str, ...]:
        """Tags of all units."""
        numbers = range(1, self.installed + 1)
        return tuple(f"{self.tag}-{n}" for n in numbers) or (self.tag,)


@dataclass(frozen=True)
class LoopBand:
    """A loop with its equipment and the words at its lines."""

    name: str  # Key of its results
    title: str
    sources: tuple[UnitBank, ...]
    sinks: tuple[UnitBank, ...]
    pumps: UnitBank | None
    pump_words: tuple[str, ...]
    return_words: tuple[tuple[str, str], ...]  # Name of what each states, and text
    supply_words: tuple[tuple[str, str], ...]
    makeup: str = ""  # Make-up, evaporation and blowdown of an open loop
    tank: UnitBank | None = None
    section_valves: bool = False


def flow_scene(bands: Sequence[LoopBand]) -> Scene:
    """Return the flow diagram of some loops, one band below the other, with its legend above."""
    shapes: list[Shape] = []
    samples: tuple[tuple[str, Iterable[Shape]], ...] = (
        ("return (warm)", (_pipe((-5.0, 0.0), (5.0, 0.0), tone="warm"),)),
        ("supply (cold)", (_pipe((-5.0, 0.0), (5.0, 0.0), tone="cold"),)),
        ("isolation valve", _valve(0.0, 0.0, upright=False)),
        ("check valve", _check_valve(0.0, 0.0)),
        ("pump", _pump(0.0, 0.0)),
    )
    x = 8.0
    for words, found in samples:
        shapes += moved(found, x, 4.0)
        shapes.append(Text(words, (x + 7.0, 4.0 + 0.36 * TEXT_MM)))
        x += 18.0 + text_width(words)
    shapes += [Text(note, (x, 3.5 + _STEP_MM * n)) for n, note in enumerate(_NOTES)]
    for n, band in enumerate(bands):
        for shape in _band(band, _LEGEND_MM + n * BAND_MM):
            on_loop = shape.layer == "water" and band.name in _LOOP_LAYERS
            shapes.append(replace(shape, layer=_LOOP_LAYERS[band.name]) if on_loop else shape)
    return Scene(WIDTH_MM, _LEGEND_MM + BAND_MM * len(bands), tuple(shapes))


def _band(band: LoopBand, top: float) -> Iterator[Shape]:
    warm, cold = top + _TOP, top + _BOTTOM
    yield Text(band.title, (0.0, top + 5.0), size_mm=3.4, bold=True, key=f"loop.{band.name}:title")
    left = list(_places(band.sources, 0.5 * _PITCH))
    start = left[-1][0] + 0.5 * _PITCH
    width = sum(len(_chosen(bank, len(band.sinks))) for bank in band.sinks) * _PITCH
    right = list(_places(band.sinks, WIDTH_MM - width + 0.5 * _PITCH))
    end = right[0][0] - 0.5 * _PITCH
    for y, tone in ((warm, _WARM), (cold, _COLD)):
        yield _pipe((left[0][0], y), (right[-1][0], y), tone=tone)
    for x, bank, unit in (*left, *right):
        yield from _rung(x, warm, cold, bank, unit)
    if band.section_valves:
        for places in (left, right):
            for (x, bank, _), (other_x, other, _) in pairwise(places):
                if bank is other:
                    for y in (warm, cold):
                        yield from _valve(0.5 * (x + other_x), y, upright=False)
    yield _arrow(end - 4.0, warm, "warm", to_right=True)
    yield _arrow(start + 4.0, cold, "cold", to_right=False)
    if band.tank is not None:
        start += _PITCH
        yield from _rung(start - 0.5 * _PITCH, warm, cold, band.tank, band.tank.tag)
    if band.pumps is not None:
        yield from _pump_set(start + 8.0, cold, band.pumps)
    words_x = start + (8.0 + _PUMPS_MM + 2.0 if band.pumps is not None else 4.0)
    for n, text in enumerate(band.pump_words):
        y = cold - 3.0 - _STEP_MM * (len(band.pump_words) - 1 - n)
        yield Text(fitted(text, end - words_x), (words_x, y), key=f"loop.{band.name}:pumps.{n}")
    for n, (name, text) in enumerate(band.return_words):
        y = warm + (-1.6 if n == 0 else 0.8 + _STEP_MM * n)
        at = 0.5 * (words_x + end)
        key = f"loop.{band.name}:return.{name}"
        yield Text(text, (at, y), anchor="middle", bold=n == 0, key=key)
    supply = "; ".join(text for _, text in band.supply_words)
    at_supply = (start + 4.0, cold + 4.4)
    yield Text(supply, at_supply, bold=True, key=f"loop.{band.name}:supply")
    if band.makeup:
        x = right[0][0] - 4.0
        yield _pipe((x, cold + 5.0), (x, cold), tone="cold", weight_mm=MEDIUM_MM)
        tip = (x, cold + 0.6), (x - 1.0, cold + 2.8), (x + 1.0, cold + 2.8)
        yield Polyline(tip, "water", closed=True, fill="plain", tone="cold")
        key = f"loop.{band.name}:makeup"
        wide = text_width(band.makeup)
        at_x = min(x - 2.0, WIDTH_MM - wide)
        yield Text(band.makeup, (at_x, cold + 8.0), key=key)


def _chosen(bank: UnitBank, banks: int) -> tuple[str, ...]:
    """Return the units of a bank that are drawn: all, or the first ones and the last."""
    most = _MAX_UNITS.get(banks, _MAX_OF_MANY)
    units = bank.units
    return units if len(units) <= most else (*units[: most - 1], units[-1])


def _places(banks: Sequence[UnitBank], x: float) -> Iterator[tuple[float, UnitBank, str]]:
    """Yield the position, bank and tag of each unit drawn."""
    for bank in banks:
        for unit in _chosen(bank, len(banks)):
            yield x, bank, unit
            x += _PITCH


def _rung(x: float, warm: float, cold: float, bank: UnitBank, unit: str) -> Iterator[Shape]:
    """Yield a unit between the headers, with a valve on each side."""
    up, down = warm + 6.0, cold - 6.0
    yield _pipe((x, warm), (x, up), tone="warm", weight_mm=MEDIUM_MM)
    yield _pipe((x, down), (x, cold), tone="cold", weight_mm=MEDIUM_MM)
    for y in (warm + 3.0, cold - 3.0):
        side = "return" if y < up else "supply"
        yield from _block(f"valve:{unit} {side}", _valve(x, y, upright=True))
    half = 0.5 * _BOX
    corners = (x - half, up), (x + half, up), (x + half, down), (x - half, down)
    yield Polyline(corners, "machine", MEDIUM_MM, closed=True, symbol=f"machine:{unit}")
    lines = list(bank.lines) if unit == bank.units[0] else []
    if unit == bank.units[-1] and bank.installed > 1:
        lines = [f"{bank.installed} in all"]
    y = up + 4.4
    tag = fitted(unit, _BOX - 1.0, bold=True)
    yield Text(tag, (x, y), anchor="middle", bold=True, key=f"{unit}:tag")
    for n, line in enumerate(lines, 1):
        at = x, y + n * _STEP_MM
        yield Text(fitted(line, _BOX - 1.0), at, anchor="middle", key=f"{bank.tag}:line.{n}")


def _pump_set(x: float, cold: float, pumps: UnitBank) -> Iterator[Shape]:
    """Yield parallel pumps in the supply line, which runs to the left; the last on the line."""
    units = pumps.units if pumps.installed <= _MAX_PUMPS else (pumps.units[0], pumps.units[-1])
    right, middle = x + _PUMPS_MM, x + 0.5 * _PUMPS_MM
    for n, unit in enumerate(units):
        y = cold - 9.0 * n
        if n:
            points = (x, cold), (x, y), (right, y), (right, cold)
            yield _pipe(*points, tone="cold", weight_mm=MEDIUM_MM)
        yield from _block(f"pump:{unit}", _pump(middle, y))
        yield from _block(f"valve:{unit} suction", _valve(right - 5.0, y, upright=False))
        yield from _block(f"check-valve:{unit} check", _check_valve(x + 11.0, y))
        yield from _block(f"valve:{unit} discharge", _valve(x + 5.0, y, upright=False))
        yield Text(unit, (middle + 3.2, y - 1.2), key=f"{unit}:tag")
    if len(units) < pumps.installed:
        yield Text(f"{pumps.installed} in all", (middle + 3.2, cold - 9.0 + 3.8))


def _block(symbol: str, shapes: Iterable[Shape]) -> Iterator[Shape]:
    """Yield shapes as the symbol of a machine or valve, see `Polyline`."""
    return (replace(shape, symbol=symbol) for shape in shapes)


def _pipe(*points: Point, tone: Tone, weight_mm: float = THICK_MM) -> Polyline:
    return Polyline(points, "water", weight_mm, tone)


def _arrow(x: float, y: float, tone: Tone, *, to_right: bool) -> Polyline:
    way = 1.4 if to_right else -1.4
    points = (x + way, y), (x - way, y - 1.1), (x - way, y + 1.1)
    return Polyline(points, "water", THIN_MM, tone, closed=True, fill="plain")


def _valve(x: float, y: float, *, upright: bool) -> Iterator[Shape]:
    """Yield an isolation valve: two triangles, tip to tip, along the pipe."""
    for way in (-1.3, 1.3):
        corners = ((0.0, 0.0), (-0.8, way), (0.8, way))
        points = tuple((x + a, y + b) if upright else (x + b, y + a) for a, b in corners)
        yield Polyline(points, "water", THIN_MM, closed=True, fill="plain")


def _check_valve(x: float, y: float) -> Iterator[Shape]:
    """Yield a check valve for flow to the left: a bar, and a triangle that points to it."""
    points = (x - 0.9, y), (x + 0.9, y - 1.0), (x + 0.9, y + 1.0)
    yield Polyline(points, "water", THIN_MM, closed=True)
    yield Polyline(((x - 0.9, y - 1.1), (x - 0.9, y + 1.1)), "water", MEDIUM_MM)


def _pump(x: float, y: float) -> Iterator[Shape]:
    """Yield a pump: a circle, with a triangle in flow direction, to the left."""
    yield Arc((x, y), 2.4, "water", weight_mm=MEDIUM_MM)
    points = (x - 2.4, y), (x + 1.2, y - 2.05), (x + 1.2, y + 2.05)
    yield Polyline(points, "water", THIN_MM, closed=True, fill="plain")
