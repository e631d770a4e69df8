"""Wetted pads ahead of dry coolers: the air behind them, and when they are wetted.

Pads cost water, not power: they are wetted where the coils, dry and at full fans, miss the water
wanted, and where the air is above that at which they may be.
"""

from __future__ import annotations

from dataclasses import dataclass

from facility.model.cooling.units import Pads
from facility.model.facility import Weather
from facility.physics.air.evaporative_cooling import evaporative_leaving_temperature
from facility.physics.elementwise import least, plain, where


@dataclass(frozen=True)
class PadAir:
    """Air at the pads: dry and wet bulb ahead of them, dry bulb behind; the same where dry."""

    dry_c: float
    wet_c: float
    behind_c: float


def air_at_pads(pads: Pads, weather: Weather, recirculation_k: float) -> PadAir:
    """Return the air at wetted pads; the discharge of the coolers warms both bulbs alike."""
    dry_c = weather.dry_bulb_c + recirculation_k
    wet_c = least(weather.wet_bulb_c + recirculation_k, dry_c)
    behind_c = evaporative_leaving_temperature.si(dry_c, wet_c, pads.effectiveness)
    return PadAir(dry_c, wet_c, plain(behind_c))


def design_air(pads: Pads | None, weather: Weather, recirculation_k: float) -> float:
    """Return the air that coils of dry coolers are sized for.

    Behind pads it is the warmer of that behind them at design and that at which they start.
    """
    dry_c = weather.dry_bulb_c + recirculation_k
    if pads is None:
        return dry_c
    behind_c = air_at_pads(pads, weather, recirculation_k).behind_c
    return behind_c if pads.above_c is None else max(behind_c, min(pads.above_c, dry_c))


def coldest_air(
    pads: Pads | None, above_c: float, weather: Weather, recirculation_k: float
) -> float:
    """Return the coldest air that coils get: behind the pads where they may be wetted."""
    dry_c = weather.dry_bulb_c + recirculation_k
    if pads is None:
        return dry_c
    at = air_at_pads(pads, weather, recirculation_k)
    return where(dry_c > above_c, at.behind_c, dry_c)
