"""Water of towers and pads by psychrolib and CoolProp: a second calculation, nothing of ours."""

from __future__ import annotations

from dataclasses import dataclass

import psychrolib
import pytest

_TOWER_AIR_M3_S_PER_W = 0.5 / 190.0
"""Fans of 50 % against 190 Pa, as EnergyPlus sizes variable-speed towers."""
_SEA_LEVEL_PA = 101_325.0
_CP = 1006.0


@dataclass(frozen=True)
class Water:
    """Evaporation, drift and blowdown [m3/s]."""

    evaporation: float
    drift: float
    cycles: float

    @property
    def blowdown(self) -> float:
        """Water that leaves with the salts, of which drift is a part."""
        return self.evaporation / (self.cycles - 1.0) - self.drift

    @property
    def makeup(self) -> float:
        """Water supplied."""
        return self.evaporation + self.drift + self.blowdown


def tower(
    dry_c: float,
    wet_c: float,
    pressure_pa: float,
    heat_w: float,
    fan_w: float,
    warm_c: float,
    drift: float,
    cycles: float,
) -> Water:
    """Return the water of towers with fans at full speed; the air leaves saturated.

    heat_w, fan_w: Heat rejected, and power of the fans that run.
    warm_c: Mean water temperature.
    drift: Drift [m3/s].
    """
    psychrolib.SetUnitSystem(psychrolib.SI)
    inlet = psychrolib.GetHumRatioFromTWetBulb(dry_c, wet_c, pressure_pa)
    volume = psychrolib.GetMoistAirVolume(dry_c, inlet, pressure_pa)
    air_kg_s = fan_w * _TOWER_AIR_M3_S_PER_W / volume
    wanted = psychrolib.GetMoistAirEnthalpy(dry_c, inlet) + heat_w / air_kg_s
    low_c, high_c = wet_c, 60.0
    for _ in range(80):
        at_c = 0.5 * (low_c + high_c)
        humid = psychrolib.GetSatHumRatio(at_c, pressure_pa)
        if psychrolib.GetMoistAirEnthalpy(at_c, humid) < wanted:
            low_c = at_c
        else:
            high_c = at_c
    density = _water_kg_m3(warm_c)
    return Water(air_kg_s * (humid - inlet) / density, drift, cycles)


def _water_kg_m3(at_c: float) -> float:
    props = pytest.importorskip("CoolProp.CoolProp").PropsSI  # 3 s, not of who only collects
    return float(props("D", "T", at_c + 273.15, "P", 3e5, "Water"))


def pad_air(dry_c: float, wet_c: float, effectiveness: float) -> float:
    """Return the air behind wetted pads, which take their part of the wet-bulb depression."""
    return dry_c - effectiveness * (dry_c - wet_c)


def pads(
    dry_c: float,
    wet_c: float,
    pressure_pa: float,
    effectiveness: float,
    coolers: float,
    rating: tuple[float, float, float],
    cycles: float,
) -> Water:
    """Return the water of pads of dry coolers at full fans.

    The fans move the volume of the rating; the wet bulb stays over the pads.

    coolers: Coolers that run, of the size of the rating.
    rating: Heat, water range and air temperature of the rating, its capacity rates being equal.
    """
    psychrolib.SetUnitSystem(psychrolib.SI)
    heat_w, range_k, air_c = rating
    rated = heat_w / range_k / _CP * psychrolib.GetMoistAirVolume(air_c, 0.0, _SEA_LEVEL_PA)
    behind_c = pad_air(dry_c, wet_c, effectiveness)
    before = psychrolib.GetHumRatioFromTWetBulb(dry_c, wet_c, pressure_pa)
    behind = psychrolib.GetHumRatioFromTWetBulb(behind_c, wet_c, pressure_pa)
    air_kg_s = coolers * rated / psychrolib.GetMoistAirVolume(behind_c, behind, pressure_pa)
    density = _water_kg_m3(20.0)
    return Water(air_kg_s * (behind - before) / density, 0.0, cycles)
