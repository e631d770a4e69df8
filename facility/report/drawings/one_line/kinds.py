"""The kinds of symbol on a one-line diagram, and how far each reaches from its middle."""

from __future__ import annotations

from facility.power.network.graph.types import EquipmentKind

BUSES: tuple[EquipmentKind, ...] = ("mv-switchgear", "lv-board", "ups-output", "tie")
BYPASSES: tuple[EquipmentKind, ...] = ("static-bypass", "maintenance-bypass")
SWITCHES: tuple[EquipmentKind, ...] = ("ats", "sts")
THROW_MM = 7.0
"""Distance of the two contacts of a transfer switch; the first choice stands at the right."""
Place = tuple[float, float]
Box = tuple[float, float, float, float]
_HALF_MM: dict[EquipmentKind, Place] = {
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
_BATTERY_MM = 7.7
_SWITCH_MM, _SWITCH_SIDE_MM = 3.2, 2.2
BAR_MM = 0.9
"""Half the thickness of a bus."""


def symbol_reach(kind: EquipmentKind) -> Box:
    """Return how far a symbol reaches from its middle: left, up, right and down [mm]."""
    if kind in BUSES:
        return 0.0, BAR_MM, 0.0, BAR_MM
    if kind in SWITCHES:
        return THROW_MM + _SWITCH_SIDE_MM, _SWITCH_MM, _SWITCH_SIDE_MM, _SWITCH_MM
    half, high = _HALF_MM.get(kind, (4.6, 2.9))
    return _BATTERY_MM if kind == "ups" else half, high, half, high
