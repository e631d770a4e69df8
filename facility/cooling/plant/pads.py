"""Wetted pads upstream of dry coolers: leaving air, and wetting control.

Pads use water, not power: they are wetted where dry coils at full fan speed miss the required
water temperature, and where the air is above their minimum wetting temperature.
"""

from __future__ import annotations

from dataclasses import dataclass

from facility.model.cooling.units import Pads
from facility.model.facility import Weather
from facility.physics.air.evaporative_cooling import evaporative_leaving_temperature
from facility.physics.elementwise import minimum, plain, where


@dataclass(frozen=True)
class PadAir:
    """Air at the pads: entering dry and wet bulb, leaving dry bulb; equal if dry."""

    dry_c: float
    wet_c: float
    leaving_c: float


def air_at_pads(pads: Pads, weather: Weather, recirculation_k: float) -> PadAir:
    """Return the air at wetted pads; the discharge of the coolers warms both bulbs equally."""
    dry_c = weather.dry_bulb_c + recirculation_k
    wet_c = minimum(weather.wet_bulb_c + recirculation_k, dry_c)
    leaving_c = evaporative_leaving_temperature.si(dry_c, wet_c, pads.effectiveness)
    return PadAir(dry_c, wet_c, plain(leaving_c))


def design_air(pads: Pads | None, weather: Weather, recirculation_k: float) -> float:
    """Return the design entering air temperature of dry cooler coils.

    With pads it is the maximum of design pad leaving air and minimum wetting temperature.
    """
    dry_c = weather.dry_bulb_c + recirculation_k
    if pads is None:
        return dry_c
    leaving_c = air_at_pads(pads, weather, recirculation_k).leaving_c
    return leaving_c if pads.above_c is None else max(leaving_c, min(pads.above_c, dry_c))


def coldest_air(
    pads: Pads | None, above_c: float, weather: Weather, recirculation_k: float
) -> float:
    """Return the minimum coil entering air: pad leaving air where wetting is permitted."""
    dry_c = weather.dry_bulb_c + recirculation_k
    if pads is None:
        return dry_c
    at = air_at_pads(pads, weather, recirculation_k)
    return where(dry_c > above_c, at.leaving_c, dry_c)
