"""Economizers: share of a load removed by outdoor air, at one condition or over hours.

A controller runs an economizer where plant and economizer together draw less power, so
that it never increases power. The shares here are weather limits.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from facility.cooling.parts.air import AirHours
from facility.core.kinds import Numeric
from facility.core.sources import DERIVED
from facility.core.trace import Trace
from facility.model.cooling.economizer import EconomizerPlan
from facility.model.facility import Weather
from facility.physics.air.evaporative_cooling import (
    evaporative_leaving_humidity,
    evaporative_leaving_temperature,
    temperature_at_wet_bulb,
)
from facility.physics.air.psychrometrics import (
    humidity_ratio,
    humidity_ratio_at_wet_bulb,
    specific_volume,
    wet_bulb,
)
from facility.physics.elementwise import maximum, plain, where
from facility.physics.exchangers.free_cooling import (
    economizer_share,
    precooled_temperature,
    source_for_full,
)
from facility.physics.facility.house import share_of_load

_SATURATED = 1.0
_MIN_W = 1e-9
"""Divisor replacing zero heat; the quotient is not used."""


@dataclass(frozen=True)
class AirStream:
    """Air streams of an air-side economizer: return air, and coil leaving air."""

    return_c: float
    coil_out_c: float
    flow_m3_s: float
    coil_w: float

    @classmethod
    def of(
        cls, return_c: float, supply_c: float, flow_m3_s: float, coil_w: float, fans_w: float
    ) -> AirStream:
        """Return the stream of the units of the halls; their fans are downstream of the coil."""
        drop_k = return_c - supply_c
        moved_w = maximum(coil_w - fans_w, _MIN_W)
        drop_k = drop_k * where(coil_w > fans_w, coil_w / moved_w, 1.0)
        return cls(return_c, return_c - drop_k, flow_m3_s, coil_w)


def air_side_share(
    plan: EconomizerPlan,
    return_c: float,
    coil_out_c: float,
    air: Weather | AirHours,
    recirculation_k: float,
) -> tuple[Numeric, Numeric, Numeric]:
    """Return the share of the coils' heat removed by outdoor air, its humidity, and its share.

    The pads are wetted if dry operation is insufficient, at most as required and as the
    maximum dew point permits, by bypass. Air below the minimum dew
    point is humidified to it. Where pads do not help, they stay dry, so that they never reduce
    economizer hours. The last value is the outdoor air fraction of the stream; return air is the
    rest.

    plan: Of an air side.
    return_c, coil_out_c: Return air, and coil leaving air.
    air: Outdoor air, at one condition or over hours.
    recirculation_k: Its temperature rise by recirculation, at constant humidity ratio.
    """
    pressure_pa = air.pressure_pa
    humid = humidity_ratio_at_wet_bulb.si(air.dry_bulb_c, air.wet_bulb_c, pressure_pa)
    dry_c = air.dry_bulb_c + recirculation_k
    wet_c = np.minimum(wet_bulb.si(dry_c, humid, pressure_pa), dry_c)
    required_c = source_for_full.si(return_c, coil_out_c, plan.effectiveness)
    coldest_c = evaporative_leaving_temperature.si(dry_c, wet_c, plan.pad_effectiveness)
    warmest_c, allowed = np.asarray(dry_c), np.asarray(True)
    if plan.kind == "air-side-direct":
        driest, wettest = (
            humidity_ratio.si(dew_c, _SATURATED, pressure_pa)
            for dew_c in (plan.dew_point_min_c, plan.dew_point_max_c)
        )
        at_driest_c, at_wettest_c = (
            temperature_at_wet_bulb.si(ratio, wet_c, pressure_pa) for ratio in (driest, wettest)
        )
        dry_enough = (humid >= driest) | (at_driest_c >= coldest_c)
        allowed = np.asarray((humid <= wettest) & dry_enough)
        warmest_c = np.where(humid >= driest, dry_c, at_driest_c)
        coldest_c = np.minimum(np.maximum(coldest_c, at_wettest_c), warmest_c)
    source_c = np.minimum(np.maximum(required_c, coldest_c), warmest_c)
    source_c = np.where(allowed, source_c, dry_c)
    pre_c = precooled_temperature.si(return_c, source_c, coil_out_c, plan.effectiveness)
    share = np.where(allowed, economizer_share.si(return_c, pre_c, coil_out_c), 0.0)
    wetted = evaporative_leaving_humidity.si(source_c, wet_c, pressure_pa)
    outdoor = economizer_share.si(return_c, coil_out_c, np.minimum(source_c, coil_out_c))
    return share, np.where(source_c < dry_c, wetted, humid), outdoor


@dataclass(frozen=True)
class AirEconomy:
    """An air-side economizer in operation: share of the coil heat, heat, fans and pads."""

    share: float
    heat_w: float
    fans_w: float
    pads_kg_s: float  # Water evaporated


NO_ECONOMY = AirEconomy(0.0, 0.0, 0.0, 0.0)
"""An economizer that does not run."""


def air_economy(
    plan: EconomizerPlan, stream: AirStream, weather: Weather, recirculation_k: float
) -> AirEconomy:
    """Return the heat removed by an air-side economizer in `weather`."""
    share, wetted, outdoor = air_side_share(
        plan, stream.return_c, stream.coil_out_c, weather, recirculation_k
    )
    part = plain(share)
    fans_w = where(part > 0.0, plan.fan_w_per_m3_s * stream.flow_m3_s, 0.0)
    pads_kg_s = 0.0
    if plan.pad_effectiveness > 0.0:
        humid = humidity_ratio_at_wet_bulb.si(
            weather.dry_bulb_c, weather.wet_bulb_c, weather.pressure_pa
        )
        gain = wetted - humid
        water_kg_s = pad_water(plan, stream, outdoor, gain, humid, weather.pressure_pa)
        pads_kg_s = where(part > 0.0, plain(water_kg_s), 0.0)
    return AirEconomy(part, part * stream.coil_w, fans_w, pads_kg_s)


def pad_water(
    plan: EconomizerPlan,
    stream: AirStream,
    outdoor: Numeric,
    gain: Numeric,
    humid: Numeric,
    pressure_pa: Numeric,
) -> Numeric:
    """Return the water evaporated by pads [kg/s].

    plan, stream: The economizer, and the air of the halls.
    outdoor: Outdoor air fraction of the stream; equal outdoor flow for an air-to-air exchanger.
    gain, humid: Humidity ratio rise on the pads, and humidity ratio of the outdoor air.
    """
    volume = specific_volume.si(stream.coil_out_c, humid, pressure_pa)
    through = outdoor if plan.kind == "air-side-direct" else 1.0
    return stream.flow_m3_s / volume * through * np.maximum(gain, 0.0)


def air_at_work(economy: AirEconomy, trace: Trace) -> AirEconomy:
    """Return an air-side economizer in operation, recorded with the remaining coil load."""
    trace.choose(
        "economizer.share",
        economy.share,
        "fraction",
        "from return and outdoor temperature; outdoor air only between its dew points",
        DERIVED,
    )
    heat_w = trace.do(
        "economizer.heat", share_of_load, load_w="heat.coils", share="economizer.share"
    )
    trace.derive(
        "heat.coils.mechanical",
        trace.value("heat.coils") - heat_w,
        "heat_flow",
        "remaining after the economizer",
        coils="heat.coils",
        economizer="economizer.heat",
    )
    trace.derive(
        "economizer.fan_power",
        economy.fans_w,
        "active_power",
        "outdoor or scavenger fans, at full flow in operation",
        share="economizer.share",
    )
    return replace(economy, heat_w=heat_w)
