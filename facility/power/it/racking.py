"""Packing of identical devices into racks within power and rack-unit limits."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

from facility.core.check import Check
from facility.core.errors import FacilityError
from facility.core.rounding import ROUNDING
from facility.model.it import Rack
from facility.model.rack_positions import unit_conflicts
from facility.power.rules import RULES


@dataclass(frozen=True)
class Packing:
    """Arrangement of identical devices in racks."""

    per_rack: int  # Devices in a full rack
    full: int
    last: int  # Devices in one further rack (0: none)
    why: str  # Limit that governs `per_rack`

    @property
    def racks(self) -> int:
        """Total racks."""
        return self.full + (1 if self.last else 0)


def max_per_rack(
    device_units: int, device_w: float, rack_units: int, power_limit_w: float | None, where: str
) -> tuple[int, str]:
    """Return the maximum number of identical devices in one rack, and the governing limit.

    device_units: Height of a device in rack units.
    device_w: Input power of a device on the selected basis [W].
    rack_units: Usable height of the rack.
    power_limit_w: Power limit of the rack [W].
    where: Path of the field, for the error.

    Raises ``RACK_TOO_SMALL`` if no device fits.
    """
    by_height = rack_units // device_units if device_units else rack_units
    by_power = by_height
    if power_limit_w is not None and device_w > 0.0:
        by_power = math.floor(power_limit_w / device_w * (1.0 + ROUNDING))
    if min(by_height, by_power) < 1:
        limit = "" if power_limit_w is None else f" and {power_limit_w / 1e3:g} kW"
        raise FacilityError(
            "RACK_TOO_SMALL",
            where,
            f"a device of {device_units}U and {device_w / 1e3:g} kW does not fit a rack of "
            f"{rack_units}U{limit}.",
            "Increase it.rack_units or it.rack_power.",
        )
    if by_power < by_height:
        return by_power, (
            f"power: {by_power} x {device_w / 1e3:g} kW within {(power_limit_w or 0.0) / 1e3:g} kW"
        )
    return by_height, f"height: {by_height} x {device_units}U within {rack_units}U"


def pack(count: int, per_rack: int, why: str) -> Packing:
    """Return the racks for `count` identical devices, `per_rack` in each."""
    return Packing(per_rack, count // per_rack, count % per_rack, why)


def rack_checks(rack: Rack) -> tuple[Check, ...]:
    """Return the checks of one rack type: height, and power if a limit is known."""
    used = sum(placed.count * placed.device.rack_units for placed in rack.placed)
    listed = " + ".join(f"{p.count} x {p.device.rack_units}U {p.device.model}" for p in rack.placed)
    verb = "fit" if used <= rack.rack_units else "do not fit"
    why = f"{listed} = {used}U {verb} {rack.rack_units}U"
    height = RULES["RACK-UNITS"].at_most(rack.name, used, rack.rack_units, "count", why)
    return height, *RULES.checks(rack), *_positions(rack)


def _positions(rack: Rack) -> Iterator[Check]:
    """Yield the check of the stated U positions of a rack type; none if not stated."""
    if not any(placed.u_positions for placed in rack.placed):
        return
    by_rack = any(len(placed.u_positions) > placed.count for placed in rack.placed)
    found = []
    for number in range(rack.count if by_rack else 1):
        devices = (
            (placed.device.model, bottom, placed.device.rack_units)
            for placed in rack.placed
            for bottom in placed.positions(number)
        )
        on = f"rack {number + 1}: " if by_rack else ""
        found += [f"{on}{text}" for text in unit_conflicts(devices, rack.rack_units)]
    why = "; ".join(found[:3]) or f"devices are apart and within {rack.rack_units} U"
    more = f"; {len(found) - 3} more" if len(found) > 3 else ""
    yield RULES["RACK-POSITIONS"].verdict(rack.name, not found, f"{why}{more}")
