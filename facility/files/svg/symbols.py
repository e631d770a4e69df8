"""The symbols of a one-line diagram around their middle, in the style of IEEE 315."""

from __future__ import annotations

from collections.abc import Iterator

from facility.power.network.graph.types import EquipmentKind
from facility.report.drawings.one_line.kinds import BUSES, SWITCHES, THROW_MM, symbol_reach

_LETTERS: dict[EquipmentKind, str] = {
    "generator-plant": "G",
    "static-bypass": "SB",
    "maintenance-bypass": "MB",
    "panel": "PNL",
    "busway": "BW",
}
_COILS = (
    "M-3.9 -0.7a1.3 1.3 0 0 1 2.6 0a1.3 1.3 0 0 1 2.6 0a1.3 1.3 0 0 1 2.6 0"
    "M-3.9 0.7a1.3 1.3 0 0 0 2.6 0a1.3 1.3 0 0 0 2.6 0a1.3 1.3 0 0 0 2.6 0"
)
_WAVE = "M{x} {y}q0.7 -1.3 1.4 0t1.4 0"
_UPS = (
    "M-4 0H4M4 -4.6L-4 0M4 0L-4 4.6"  # rectifier above, inverter below, each with its diagonal
    "M-4 0H-5.2M-5.2 -1.9V1.9M-6 -1V1M-6.8 -1.9V1.9M-7.6 -1V1"
)
_THYRISTOR = "M{x:.2f} -0.2l-1 -1.5h2zM{lo:.2f} -0.2H{hi:.2f}"


def symbol_paths(kind: EquipmentKind, width_mm: float, colour: str, way: int = 0) -> Iterator[str]:
    """Yield the shapes of a symbol; stroke and fill are those of the group around it.

    kind: What is drawn.
    width_mm: Length of a bus; 0 elsewhere.
    colour: Of letters.
    way: The source that a transfer switch takes.
    """
    if kind in BUSES:
        half = width_mm / 2.0
        yield f'<path d="M{-half:.2f} 0H{half:.2f}" stroke-width="1.7"/>'
    elif kind in SWITCHES:
        yield from _switch(kind, way, colour)
    elif kind in ("transformer", "pdu"):
        yield from _transformer(kind)
    elif kind == "ups":
        yield from _converter()
    elif kind in ("utility", "generator-plant"):
        yield '<circle r="4.2"/>'
        if kind == "utility":
            yield '<path d="M-2.6 0q1.3 -2.6 2.6 0t2.6 0" fill="none"/>'
    else:
        half, high, _, _ = symbol_reach(kind)
        yield (f'<rect x="{-half:g}" y="{-high:g}" width="{2 * half:g}" height="{2 * high:g}"/>')
    if kind in _LETTERS:
        yield (
            f'<text y="1.05" text-anchor="middle" stroke="none" fill="{colour}">'
            f"{_LETTERS[kind]}</text>"
        )


def device_paths(paper: str, colour: str, medium_voltage: bool) -> Iterator[str]:
    """Yield a circuit breaker: a square at medium voltage, else two contacts and their arc."""
    if medium_voltage:
        yield '<rect x="-1.5" y="-1.5" width="3" height="3"/>'
        return
    yield f'<path d="M0 -1.6V1.6" stroke="{paper}" stroke-width="1.4"/>'
    yield '<path d="M0 -1.6A1.7 1.7 0 0 1 0 1.6" fill="none"/>'
    for y in (-1.6, 1.6):
        yield f'<circle cy="{y:g}" r="0.4" fill="{colour}"/>'


def _converter() -> Iterator[str]:
    """Yield a UPS: rectifier and inverter, with the battery at its left."""
    yield '<rect x="-4" y="-4.6" width="8" height="9.2"/>'
    yield f'<path d="{_UPS}" fill="none"/>'
    for y in (-2.6, 3.5):
        yield f'<path d="{_WAVE.format(x=-3.4 if y < 0 else 0.6, y=y)}" fill="none"/>'
    for y in (-1.7, 1.6):
        x = 0.8 if y < 0 else -3.0
        yield f'<path d="M{x} {y}h2.4M{x} {y + 0.8:g}h2.4" fill="none"/>'


def _switch(kind: EquipmentKind, way: int, colour: str) -> Iterator[str]:
    """Yield a transfer switch: two contacts above, and the blade on that which it takes."""
    left, high, right, _ = symbol_reach(kind)
    yield (f'<rect x="{-left:g}" y="{-high:g}" width="{left + right:g}" height="{2 * high:g}"/>')
    contact = -THROW_MM if way > 0 else 0.0
    yield f'<path d="M0 {high:g}V1.7L{contact:g} -1.7" fill="none"/>'
    for x in (0.0, -THROW_MM):
        yield f'<path d="M{x:g} {-high:g}V-1.7" fill="none"/>'
        yield f'<circle cx="{x:g}" cy="-1.7" r="0.5" fill="{colour}"/>'
    if kind == "sts":
        middle = -THROW_MM / 2.0
        shape = _THYRISTOR.format(x=middle, lo=middle - 1.0, hi=middle + 1.0)
        yield f'<path d="{shape}" fill="none"/>'


def _transformer(kind: EquipmentKind) -> Iterator[str]:
    """Yield two facing coils; those of a PDU stand in its cabinet."""
    if kind == "pdu":
        yield '<rect x="-5.6" y="-4.6" width="11.2" height="9.2"/>'
    else:
        yield '<rect x="-4.4" y="-2.4" width="8.8" height="4.8" stroke="none"/>'
    yield f'<path d="{_COILS}" fill="none"/>'
    yield '<path d="M0 -2V-4.6M0 2V4.6" fill="none"/>'
