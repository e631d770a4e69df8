"""Shapes and symbol types of a one-line diagram, in millimetres."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from facility.power.network.graph.types import EquipmentKind
from facility.report.drawings.one_line.status import Status
from facility.report.drawings.text import LINE, TEXT_MM, text_width

BUSES: tuple[EquipmentKind, ...] = (
    "mv-switchgear",
    "generator-bus",
    "lv-board",
    "ups-output",
    "tie",
)
BYPASSES: tuple[EquipmentKind, ...] = ("static-bypass", "maintenance-bypass")
SWITCHES: tuple[EquipmentKind, ...] = ("ats", "sts")
THROW_MM = 7.0
"""Distance of the two contacts of a transfer switch; the preferred source is at the right."""
Standard = Literal["IEEE 315", "IEC 60617"]
"""Standard of the symbols."""
Point = tuple[float, float]
Box = tuple[float, float, float, float]
_HALF_MM: dict[EquipmentKind, Point] = {
    "utility": (4.2, 4.2),
    "generator-plant": (4.2, 4.2),
    "transformer": (4.4, 4.6),
    "pdu": (5.6, 4.6),
    "ups": (4.0, 4.6),
    "static-bypass": (3.4, 2.9),
    "maintenance-bypass": (3.4, 2.9),
    "panel": (4.6, 2.9),
    "busway": (4.6, 2.9),
}
_LEFT_MM: dict[EquipmentKind, float] = {"ups": 7.7, "transformer": 7.6, "generator-plant": 7.8}
"""Reach to the left where a battery or a neutral grounding is there."""
_SWITCH_MM, _SWITCH_SIDE_MM = 3.2, 2.2
BAR_MM = 0.9
"""Half the thickness of a bus."""


def symbol_reach(kind: EquipmentKind) -> Box:
    """Return the extent of a symbol from its centre: left, up, right and down [mm]."""
    if kind in BUSES:
        return 0.0, BAR_MM, 0.0, BAR_MM
    if kind in SWITCHES:
        return THROW_MM + _SWITCH_SIDE_MM, _SWITCH_MM, _SWITCH_SIDE_MM, _SWITCH_MM
    half, high = _HALF_MM.get(kind, (4.6, 2.9))
    return _LEFT_MM.get(kind, half), high, half, high


Anchor = Literal["start", "middle", "end"]
_DEVICE_MM = 1.75
RACKS_MM: Point = (4.6, 2.4)
"""Half width and half height of the symbol of racks."""
LOAD_MM: Point = (4.6, 2.9)
"""Half width and half height of the symbol of a load outside the network."""


@dataclass(frozen=True)
class Label:
    """Lines of text; `x_mm` is their start, middle or end, `y_mm` the first baseline."""

    lines: tuple[str, ...]
    x_mm: float
    y_mm: float
    anchor: Anchor = "start"
    bold: bool = True
    # What each line states, as `Text.key` of a scene; empty for lines that depend on the state.
    keys: tuple[str, ...] = ()

    @property
    def box(self) -> Box:
        """Left, top, right and bottom; the first line is bold where `bold` is set."""
        wide = max(
            (text_width(line, bold=self.bold and n == 0) for n, line in enumerate(self.lines)),
            default=0.0,
        )
        left = self.x_mm - {"start": 0.0, "middle": wide / 2.0, "end": wide}[self.anchor]
        bottom = self.y_mm + TEXT_MM * (LINE * (len(self.lines) - 1) + 0.22)
        return left, self.y_mm - 0.74 * TEXT_MM, left + wide, bottom


@dataclass(frozen=True)
class Symbol:
    """Drawn equipment: centre, label and status.

    `members` are the tags it represents; `span_mm` is the left and right end of a bus, and the
    middle twice elsewhere. `best` differs from `status`, the worst, where members differ. `way` is
    the selected source. `reference` is set where a bus continues from another sheet.
    """

    kind: EquipmentKind
    members: tuple[str, ...]
    x_mm: float
    y_mm: float
    span_mm: Point
    label: Label
    status: Status
    best: Status
    way: int = 0
    reference: bool = False

    @property
    def width_mm(self) -> float:
        """Length of a bus; 0 elsewhere."""
        return self.span_mm[1] - self.span_mm[0]

    @property
    def box(self) -> Box:
        """Left, top, right and bottom of the drawn shape."""
        left, up, right, down = symbol_reach(self.kind)
        if self.reference:
            up = BAR_MM
        offset_mm = 1.2 if len(self.members) > 1 and not self.reference else 0.0
        first, last = (self.x_mm, self.x_mm) if not self.width_mm else self.span_mm
        return first - left, self.y_mm - up - offset_mm, last + right + offset_mm, self.y_mm + down


@dataclass(frozen=True)
class BreakerSymbol:
    """Circuit breaker on a wire, with its rating if known.

    `circuits` are the tags of the circuits it represents, `source` and `target` the end tags of the
    first one.
    """

    x_mm: float
    y_mm: float
    medium_voltage: bool
    status: Status
    label: Label | None
    circuits: tuple[str, ...]
    source: str
    target: str

    @property
    def box(self) -> Box:
        """Left, top, right and bottom of the drawn shape."""
        x, y = self.x_mm, self.y_mm
        return x - _DEVICE_MM, y - _DEVICE_MM, x + _DEVICE_MM, y + _DEVICE_MM


@dataclass(frozen=True)
class Arrow:
    """End of a wire that continues on another sheet, with the sheet."""

    x_mm: float
    y_mm: float
    status: Status
    label: Label


@dataclass(frozen=True)
class Wire:
    """Connection as a polyline; `used` if it carries power in the state drawn."""

    points_mm: tuple[Point, ...]
    status: Status
    used: bool
    failed: bool = False


@dataclass(frozen=True)
class RackStrip:
    """Racks on a panelboard, or on identical panelboards: count, and count with dropped load.

    `panels` are the tags of the panelboards, `tie_mm` the start of the wire to them, and `status`
    the wire status.
    """

    x_mm: float
    y_mm: float
    tie_mm: float
    panels: tuple[str, ...]
    racks: int
    dropped: int
    status: Status
    label: Label

    @property
    def box(self) -> Box:
        """Left, top, right and bottom of the drawn shape."""
        wide, high = RACKS_MM
        return self.x_mm - wide, self.y_mm - high, self.x_mm + wide, self.y_mm + high


@dataclass(frozen=True)
class LoadSymbol:
    """Load outside the network, e.g. a mechanical board, with the status of its bus."""

    tag: str
    x_mm: float
    y_mm: float
    status: Status
    label: Label

    @property
    def box(self) -> Box:
        """Left, top, right and bottom of the drawn shape."""
        wide, high = LOAD_MM
        return self.x_mm - wide, self.y_mm - high, self.x_mm + wide, self.y_mm + high


@dataclass(frozen=True)
class Drawing:
    """A one-line diagram, or one sheet of it."""

    title: str
    width_mm: float
    height_mm: float
    symbols: tuple[Symbol, ...]
    wires: tuple[Wire, ...]
    devices: tuple[BreakerSymbol, ...] = ()
    arrows: tuple[Arrow, ...] = ()
    dots_mm: tuple[tuple[float, float, Status], ...] = ()
    notes: tuple[str, ...] = ()
    racks: tuple[RackStrip, ...] = ()
    loads: tuple[LoadSymbol, ...] = ()
    standard: Standard = "IEEE 315"

    @property
    def labels(self) -> Iterator[Label]:
        """Every label."""
        yield from (one.label for one in self.symbols)
        yield from (one.label for one in self.arrows)
        yield from (one.label for one in self.devices if one.label is not None)
        yield from (one.label for one in self.racks)
        yield from (one.label for one in self.loads)


def junctions(x: float, kids: list[float], *, goes_down: bool = False) -> Iterator[float]:
    """Yield the junctions of three or more arms of a track."""
    reach = [x, *kids]
    for at in sorted(set(reach)):
        arms = (at > min(reach)) + (at < max(reach)) + (at == x) + (at in kids)
        if arms + (goes_down and at == x) > 2:
            yield at
