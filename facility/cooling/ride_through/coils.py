"""The coils of a ride-through: what passes from the air to their metal, and on to the water."""

from __future__ import annotations

import numpy as np

from facility.cooling.air.crah import crah_coil
from facility.cooling.parts.exchanger import Exchanger
from facility.cooling.ride_through.plant import RidePlant
from facility.core.kinds import FloatArray

_LEAST_WATER_SIDE = 0.05


def coils(
    plant: RidePlant, units: FloatArray, moved: FloatArray, water: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Return the conductances of all coils: air to metal, and metal to the entering water [W/K].

    In series they are eps Cmin of the coil. Without water the air side is left, which warms the
    coil; its water side keeps at least a twentieth of the resistance. `water` is the part of the
    water that flows, or of the units whose compressor runs.
    """
    coil = plant.design.crah.coil
    share = plant.flow.coils_w / plant.chilled_w
    from_air, whole = np.zeros_like(units), np.zeros_like(units)
    for n, (count, part, wet) in enumerate(zip(units, moved, water, strict=True)):
        air_w_k = part * plant.supply_air_w_k / count if count > 0.0 else 0.0
        if air_w_k <= 0.0:
            continue
        if coil.boils:
            whole_w_k = wet * coil.heat(air_w_k, coil.second_w_k, 1.0, 0.0)
        else:
            water_w_k = min(wet * share * plant.chw_w_k / count, coil.second_w_k)
            whole_w_k = coil.heat(air_w_k, water_w_k, 1.0, 0.0) if water_w_k > 0.0 else 0.0
        from_air[n] = count * _air_side(coil, air_w_k, whole_w_k)
        whole[n] = count * whole_w_k
    return from_air, _behind(from_air, whole)


def door_coils(
    plant: RidePlant, air: FloatArray, water: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Return the conductances of all rear doors: exhaust to metal, metal to entering water [W/K].

    At full flows a door takes the most that it does in the design, which is what it takes where
    one is too small for its rack; other flows change this as they change the coil.
    """
    to_doors, whole = np.zeros_like(air), np.zeros_like(air)
    chain = plant.design.chain
    unit = chain.crah.path.door
    if plant.doors is None or unit is None:
        return to_doors, whole
    coil, rise_k = (
        crah_coil(unit, chain.crah.film_ratio, chain.crah.water_film),
        chain.chilled_water.rise_k,
    )
    span_k = plant.exhaust_c - plant.settings.chw_c
    kinds = [door for door in plant.doors.kinds if door.taken_w > 0.0]
    small = any(door.taken_w < door.load_w + door.fan_w for door in kinds)
    for door in kinds:
        air_w_k = door.airflow_m3_s * plant.air.specific_heat_j_kgk / plant.air.volume_m3_kg
        most_w = door.taken_w if small else door.capacity_w
        water_w_k = min(most_w / rise_k, coil.second_w_k)
        full_w_k = coil.heat(air_w_k, water_w_k, 1.0, 0.0)
        for n, (part, wet) in enumerate(zip(air, water, strict=True)):
            if part <= 0.0:
                continue
            now_w_k = coil.heat(part * air_w_k, wet * water_w_k, 1.0, 0.0) if wet > 0.0 else 0.0
            whole_w_k = most_w / span_k * now_w_k / full_w_k
            to_doors[n] += door.count * _air_side(coil, part * air_w_k, whole_w_k)
            whole[n] += door.count * whole_w_k
    return to_doors, _behind(to_doors, whole)


def _air_side(coil: Exchanger, air_w_k: float, whole_w_k: float) -> float:
    """Return the conductance of the air to the metal of a coil that has one in all [W/K]."""
    film_w_k, _ = coil.films(air_w_k, coil.second_w_k)
    alone_w_k = float(air_w_k * -np.expm1(-film_w_k / air_w_k))
    return max(alone_w_k, whole_w_k / (1.0 - _LEAST_WATER_SIDE))


def _behind(alone_w_k: FloatArray, whole_w_k: FloatArray) -> FloatArray:
    """Return the conductance that in series with the air side makes the whole [W/K]."""
    most_w_k = np.maximum(alone_w_k, 1e-9)
    return np.where(whole_w_k > 0.0, whole_w_k / (1.0 - whole_w_k / most_w_k), 0.0)
