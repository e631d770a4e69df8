"""The elevation of a rack, as shapes on a plane: its devices, rack PDUs and circuits. Millimetres.

A project lists the contents of a rack, not their positions: devices are drawn from the bottom up in
listed order.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from facility.core.views import System, show
from facility.power.panels.board.model import Circuit, Panel
from facility.report.drawings.text import TEXT_MM, fitted, wrapped
from facility.study.design.rack_positions import RackPosition

CIRCUIT_HEADS = ("Circuit", "Feed", "Phases", "Breaker", "Load", "Rack PDU")

_UNIT_MM = 3.6
_WIDE_MM = 62.0
_PDU_MM, _PDU_GAP_MM = 3.0, 1.4
_LEFT_MM, _TOP_MM = 24.0, 6.0
_TEXT_MM = 88.0
_NOTE = "Heights are schematic: the project lists the rack contents, not their positions."


@dataclass(frozen=True)
class DeviceBox:
    """A device, or free units, of a rack."""

    text: str
    y_mm: float
    high_mm: float
    free: bool


@dataclass(frozen=True)
class Strip:
    """Rack PDU or direct connection next to the devices: feed, and whether de-energised."""

    text: str
    x_mm: float
    dead: bool


@dataclass(frozen=True)
class Elevation:
    """The elevation of a rack."""

    title: str
    width_mm: float
    height_mm: float
    frame_mm: tuple[float, float, float, float]  # Left, top, width and height
    boxes: tuple[DeviceBox, ...]
    strips: tuple[Strip, ...]
    scale: tuple[tuple[str, float], ...]  # Numbers of rack units, by the middle of the unit
    words: tuple[str, ...]  # Beside the rack
    words_mm: tuple[float, float]


def elevation(
    rack: RackPosition, dead: frozenset[str] = frozenset(), system: System = "si"
) -> Elevation:
    """Return the elevation of a rack.

    dead: Tags of the panelboards without power in the state shown.
    system: Units shown.
    """
    units = max(rack.kind.rack_units, _filled(rack))
    high_mm = units * _UNIT_MM
    count = len(rack.circuits)
    left_mm = _LEFT_MM + (count + 1) // 2 * (_PDU_MM + _PDU_GAP_MM)
    right_mm = left_mm + _WIDE_MM + count // 2 * (_PDU_MM + _PDU_GAP_MM)
    return Elevation(
        rack.name,
        right_mm + 6.0 + _TEXT_MM,
        high_mm + 2.0 * _TOP_MM,
        (left_mm, _TOP_MM, _WIDE_MM, high_mm),
        tuple(_boxes(rack, units, system)),
        tuple(_strips(rack, dead, left_mm)),
        tuple(
            (str(unit), _TOP_MM + (units - unit + 0.5) * _UNIT_MM)
            for unit in range(1, units + 1)
            if unit == 1 or unit % 6 == 0
        ),
        tuple(_words(rack, system)),
        (right_mm + 6.0, _TOP_MM + TEXT_MM),
    )


def circuit_rows(rack: RackPosition, system: System = "si") -> Iterator[tuple[str, ...]]:
    """Yield the circuits to a rack, in the order of `CIRCUIT_HEADS`."""
    for panel, circuit in rack.circuits:
        amps = circuit.breaker_a
        yield (
            circuit.id,
            panel.side,
            panel.phases(circuit),
            "" if amps is None else f"{circuit.poles}P {show(amps, 'current', system, digits=0)}",
            show(circuit.total_va(0).real, "active_power", system),
            _rack_pdu(rack, circuit),
        )


def _rack_pdu(rack: RackPosition, circuit: Circuit) -> str:
    of_feed = [given for given in rack.kind.circuits if given.feed == circuit.side]
    if circuit.ordinal >= len(of_feed):
        return ""
    return of_feed[circuit.ordinal].rack_pdu or "no model specified"


def _filled(rack: RackPosition) -> int:
    return sum(placed.count * placed.device.rack_units for placed in rack.kind.placed)


def _boxes(rack: RackPosition, units: int, system: System) -> Iterator[DeviceBox]:
    """Yield the devices from the bottom up, then the free space."""
    bottom_mm = _TOP_MM + units * _UNIT_MM
    for placed in rack.kind.placed:
        high_mm = placed.device.rack_units * _UNIT_MM
        if high_mm <= 0.0:
            continue
        power = show(placed.input_w, "active_power", system)
        text = fitted(f"{placed.device.model}, {power}", _WIDE_MM - 3.0)
        for _ in range(placed.count):
            bottom_mm -= high_mm
            yield DeviceBox(text, bottom_mm, high_mm, free=False)
    free = units - _filled(rack)
    if free > 0:
        yield DeviceBox(f"{free} U free", _TOP_MM, free * _UNIT_MM, free=True)


def _strips(rack: RackPosition, dead: frozenset[str], left_mm: float) -> Iterator[Strip]:
    """Yield the rack PDUs, alternately left and right of the devices."""
    step = _PDU_MM + _PDU_GAP_MM
    for n, (panel, circuit) in enumerate(rack.circuits):
        pair, right = divmod(n, 2)
        x_mm = (
            left_mm + _WIDE_MM + _PDU_GAP_MM + pair * step if right else left_mm - (pair + 1) * step
        )
        yield Strip(f"{panel.side}: {circuit.id}", x_mm, panel.tag in dead)


def _words(rack: RackPosition, system: System) -> Iterator[str]:
    kind = rack.kind
    air_w = kind.input_w - kind.liquid_w

    def line(text: str) -> str:
        return fitted(text, _TEXT_MM - 4.0)

    yield line(f"{kind.name}, {kind.purpose}, {kind.hall}")
    yield line(f"Input {show(kind.input_w, 'active_power', system)}")
    yield line(f"To air {show(air_w, 'heat_flow', system)}")
    yield line(f"To coolant {show(kind.liquid_w, 'heat_flow', system)}")
    if kind.power_limit_w is not None:
        yield line(f"Rack limit {show(kind.power_limit_w, 'active_power', system)}")
    for panel, circuit in rack.circuits:
        yield line(_circuit_line(panel, circuit, system))
    yield ""
    yield from wrapped(_NOTE, _TEXT_MM - 4.0, 3)


def _circuit_line(panel: Panel, circuit: Circuit, system: System) -> str:
    amps = circuit.breaker_a
    trip = "" if amps is None else f", {circuit.poles}P {show(amps, 'current', system, digits=0)}"
    load = show(circuit.total_va(0).real, "active_power", system)
    return f"{panel.side}: {circuit.id}{trip}, {panel.phases(circuit)}, {load}"
