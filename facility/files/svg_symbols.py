"""The symbols of a one-line diagram around their middle, in the style of IEEE 315."""

from __future__ import annotations

from collections.abc import Iterator

from facility.power.network.types import EquipmentKind

_BUSES = ("mv-switchgear", "lv-board", "ups-output", "tie")
_LETTERS: dict[EquipmentKind, str] = {
    "generator-plant": "G", "ats": "ATS", "sts": "STS", "static-bypass": "SB",
    "maintenance-bypass": "MB", "panel": "PNL", "busway": "BW",
}  # fmt: skip
_COILS = (
    "M-3.9 -0.7a1.3 1.3 0 0 1 2.6 0a1.3 1.3 0 0 1 2.6 0a1.3 1.3 0 0 1 2.6 0"
    "M-3.9 0.7a1.3 1.3 0 0 0 2.6 0a1.3 1.3 0 0 0 2.6 0a1.3 1.3 0 0 0 2.6 0"
)
_WAVE = "M{x} {y}q0.7 -1.3 1.4 0t1.4 0"
_UPS = (
    "M-4 0H4M4 -4.6L-4 0M4 0L-4 4.6"  # rectifier above, inverter below, each with its diagonal
    "M-4 0H-5.6M-5.6 -1.9V1.9M-6.5 -1V1M-7.4 -1.9V1.9M-8.3 -1V1"
)


def symbol_paths(kind: EquipmentKind, width_mm: float, colour: str) -> Iterator[str]:
    """Yield the shapes of a symbol; stroke and fill are those of the group around it.

    Parameters
    ----------
    kind : EquipmentKind
        What is drawn.
    width_mm : float
        Length of a bus; 0 elsewhere.
    colour : str
        Of letters.
    """
    if kind in _BUSES:
        half = width_mm / 2.0
        yield f'<path d="M{-half:.2f} 0H{half:.2f}" stroke-width="1.7"/>'
    elif kind in ("transformer", "pdu"):
        yield from _transformer(kind)
    elif kind == "ups":
        yield '<rect x="-4" y="-4.6" width="8" height="9.2"/>'
        yield f'<path d="{_UPS}" fill="none"/>'
        for y in (-2.6, 3.5):
            yield f'<path d="{_WAVE.format(x=-3.4 if y < 0 else 0.6, y=y)}" fill="none"/>'
        for y in (-1.7, 1.6):
            x = 0.8 if y < 0 else -3.0
            yield f'<path d="M{x} {y}h2.4M{x} {y + 0.8:g}h2.4" fill="none"/>'
    elif kind in ("utility", "generator-plant"):
        yield '<circle r="4.2"/>'
        if kind == "utility":
            yield '<path d="M-2.6 0q1.3 -2.6 2.6 0t2.6 0" fill="none"/>'
    else:
        half = 3.3 if kind.endswith("bypass") else 4.6
        yield f'<rect x="{-half:g}" y="-2.9" width="{2 * half:g}" height="5.8"/>'
    if kind in _LETTERS:
        yield (
            f'<text y="0.95" text-anchor="middle" stroke="none" fill="{colour}">'
            f"{_LETTERS[kind]}</text>"
        )


def _transformer(kind: EquipmentKind) -> Iterator[str]:
    """Yield two facing coils; those of a PDU stand in its cabinet."""
    if kind == "pdu":
        yield '<rect x="-5.6" y="-4.6" width="11.2" height="9.2"/>'
    else:
        yield '<rect x="-4.4" y="-2.4" width="8.8" height="4.8" stroke="none"/>'
    yield f'<path d="{_COILS}" fill="none"/>'
    yield '<path d="M0 -2V-4.6M0 2V4.6" fill="none"/>'
