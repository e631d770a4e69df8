"""The elevation of a rack, as shapes on a plane: its devices, rack PDUs and circuits. Millimetres.

Devices are drawn at their U positions where the project states all of a rack; otherwise from the
bottom up in listed order.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from facility.core.views import System, show
from facility.model.it import Placed, Rack
from facility.power.panels.board.layout import PHASE_NAMES, PHASES
from facility.power.panels.board.model import Circuit, Panel
from facility.report.drawings.text import TEXT_MM, fitted, wrapped
from facility.study.design.rack_positions import RackPosition

CIRCUIT_HEADS = ("Circuit", "Feed", "Phases", "Breaker", "Load", "Connector", "Rack PDU")

_UNIT_MM = 3.6
_WIDE_MM = 62.0
_PDU_MM, _PDU_GAP_MM = 3.0, 1.4
_LEFT_MM, _TOP_MM = 24.0, 6.0
_TEXT_MM = 88.0
_NOTE = "Heights are schematic: U positions are not stated for all devices of the rack."


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
    stacked = _stacked(rack)
    top = max((bottom + height - 1.0 for _, bottom, height in stacked), default=0.0)
    units = max(rack.kind.rack_units, math.ceil(top))
    high_mm = units * _UNIT_MM
    count = len(rack.circuits)
    left_mm = _LEFT_MM + (count + 1) // 2 * (_PDU_MM + _PDU_GAP_MM)
    right_mm = left_mm + _WIDE_MM + count // 2 * (_PDU_MM + _PDU_GAP_MM)
    return Elevation(
        rack.name,
        right_mm + 6.0 + _TEXT_MM,
        high_mm + 2.0 * _TOP_MM,
        (left_mm, _TOP_MM, _WIDE_MM, high_mm),
        tuple(_boxes(stacked, units, system)),
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
            _phases(panel, circuit),
            "" if amps is None else f"{circuit.poles}P {show(amps, 'current', system, digits=0)}",
            show(circuit.total_va(0).real, "active_power", system),
            circuit.connector,
            _rack_pdu(rack, circuit),
        )


def _rack_pdu(rack: RackPosition, circuit: Circuit) -> str:
    of_feed = [given for given in rack.kind.circuits if given.feed == circuit.side]
    if circuit.ordinal >= len(of_feed):
        return ""
    return of_feed[circuit.ordinal].rack_pdu or "no model specified"


def _is_stated(kind: Rack, ordinal: int) -> bool:
    """Return whether the U position of every device of a rack is stated."""
    return all(unit is not None for placed in kind.placed for unit in placed.positions(ordinal))


def _stacked(rack: RackPosition) -> list[tuple[Placed, float, int]]:
    """Return the devices of a rack with lowest rack unit and height, from the bottom up."""
    stated, next_unit, found = _is_stated(rack.kind, rack.ordinal), 1, []
    for placed in rack.kind.placed:
        height = placed.device.rack_units
        for unit in placed.positions(rack.ordinal) if height > 0 else ():
            bottom = unit if stated and unit is not None else float(next_unit)
            found.append((placed, bottom, height))
            next_unit += height
    return sorted(found, key=lambda one: one[1])


def _boxes(
    stacked: Sequence[tuple[Placed, float, int]], units: int, system: System
) -> Iterator[DeviceBox]:
    """Yield the devices and the free units between them, from the bottom up."""

    def box(text: str, bottom: float, height: float, *, free: bool) -> DeviceBox:
        top_mm = _TOP_MM + (units + 1.0 - bottom - height) * _UNIT_MM
        return DeviceBox(text, top_mm, height * _UNIT_MM, free)

    next_unit = 1.0
    for placed, bottom, height in stacked:
        if bottom > next_unit:
            yield box(f"{bottom - next_unit:g} U free", next_unit, bottom - next_unit, free=True)
        power = show(placed.input_w, "active_power", system)
        text = fitted(f"{placed.device.model}, {power}", _WIDE_MM - 3.0)
        yield box(text, bottom, height, free=False)
        next_unit = max(next_unit, bottom + height)
    if units >= next_unit:
        free = units + 1.0 - next_unit
        yield box(f"{free:g} U free", next_unit, free, free=True)


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
        amps = circuit.breaker_a
        trip = (
            "" if amps is None else f", {circuit.poles}P {show(amps, 'current', system, digits=0)}"
        )
        load = show(circuit.total_va(0).real, "active_power", system)
        yield line(f"{panel.side}: {circuit.id}{trip}, {_phases(panel, circuit)}, {load}")
    if not _is_stated(kind, rack.ordinal):
        yield ""
        yield from wrapped(_NOTE, _TEXT_MM - 4.0, 3)


def _phases(panel: Panel, circuit: Circuit) -> str:
    """Return the phases of a circuit by the names of its code: ``ABC``, ``L1 L2 L3``."""
    names = PHASE_NAMES[panel.numbering]
    found = [names[PHASES.index(phase)] for phase in panel.phases(circuit)]
    return (" " if panel.numbering == "IEC" else "").join(found)
