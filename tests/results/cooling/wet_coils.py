"""Wet coils of the halls once more: psychrolib, a root of the leaving state, textbook formulas."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import psychrolib
from scipy.optimize import brentq

from facility.study.design.design import Design
from tests.results.second import differs

_PART = 0.01
"""psychrolib and the program differ by 0.1 % in enthalpy, more in small differences of humidity."""


def _saturated(celsius: float, pressure: float) -> tuple[float, float]:
    """Return humidity ratio and enthalpy [J/kg] of saturated air."""
    ratio = psychrolib.GetSatHumRatio(celsius, pressure)
    return ratio, psychrolib.GetMoistAirEnthalpy(celsius, ratio)


def _crossflow(ntu: float, ratio: float) -> float:
    """Kays and London, both fluids unmixed."""
    if ratio < 1e-5:
        return 1.0 - math.exp(-ntu)
    return 1.0 - math.exp((math.exp(-ratio * ntu**0.78) - 1.0) * ntu**0.22 / ratio)


def wet_coils(found: Design) -> Iterator[str]:
    """Sensible share, latent heat and condensate of all coils at the design hour."""
    psychrolib.SetUnitSystem(psychrolib.SI)
    flow, chain, count = found.cooling_flow, found.cooling.chain, found.cooling.counts.crah
    pressure, room_c = found.facility.site.pressure_pa, chain.room_dew_point_c
    coil, air_c = found.cooling.crah.coil, flow.return_air_c
    water_c = chain.chilled_water.supply_c
    moist = psychrolib.GetSatHumRatio(room_c, pressure)
    kg_s = flow.crah_airflow_m3_s / count
    kg_s /= psychrolib.GetMoistAirVolume(flow.supply_air_c, moist, pressure)
    heat = 1006.0 + 1860.0 * moist
    water = min(flow.coils_w / count / chain.chilled_water.rise_k, coil.second_w_k)
    outside, inside = coil.films(kg_s * heat, water)
    at_water = _saturated(water_c, pressure)[1]
    slope = (_saturated(room_c, pressure)[1] - at_water) / (room_c - water_c)
    entering = psychrolib.GetMoistAirEnthalpy(air_c, moist)
    less, more = sorted((kg_s, water / slope))
    ntu = 1.0 / (slope / inside + heat / outside) / less
    total = _crossflow(ntu, less / more) * less * (entering - at_water)
    passed = math.exp(-outside / (kg_s * heat))

    def missed(surface_c: float) -> float:
        """Return the heat by which a surface of this temperature takes less than the total."""
        return total - kg_s * (1.0 - passed) * (entering - _saturated(surface_c, pressure)[1])

    surface_c = float(brentq(missed, -20.0, 40.0))
    leaving_c = surface_c + (air_c - surface_c) * passed
    sensible = kg_s * heat * (air_c - leaving_c)
    # The air moves towards saturated air of the surface, on a straight line.
    dried = (moist - _saturated(surface_c, pressure)[0]) * (1.0 - passed)
    results: dict[str, Any] = found.all_results.values_by_key
    for key, wanted, part in (
        ("air.shr", sensible / total, _PART),
        ("air.latent_heat", count * (total - sensible), 5.0 * _PART),
        ("air.condensate", count * kg_s * dried, 5.0 * _PART),
    ):
        yield from differs(key, float(results[key].si), wanted, part)
