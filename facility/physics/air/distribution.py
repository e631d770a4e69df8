"""Air between the unit and the rack: floor tiles, limits at altitude, sound of fans, moisture."""

from __future__ import annotations

import numpy as np

from facility.core.equation import equation
from facility.core.errors import FacilityError
from facility.core.kinds import (
    ActivePower,
    AirFlow,
    Area,
    Density,
    Fraction,
    HeatFlow,
    HumidityRatio,
    Length,
    MassFlow,
    Pressure,
    Ratio,
    SpecificEnthalpy,
    SpecificVolume,
    Temperature,
)
from facility.core.sources import DERIVED, Source

_TILES = Source("perforated-tile-resistance", "sharp-edged holes in a thin plate", "", "memory")
_CLASSES = Source("ashrae-tc99-air", "derating with altitude", "2021", "secondary")
_SOUND = Source("fan-sound-toolbox", "sound power by motor power and flow")
_STEAM_J_KG = 2.634e6


@equation("K", r"(1 + 0.5 (1 - F)^{0.75} + 1.414 (1 - F)^{0.375}) / F^2", _TILES)
def tile_loss_coefficient(open_fraction: Fraction) -> Ratio:
    """Return the loss coefficient of a perforated tile, on the velocity through its whole area.

    Contraction into the holes, and the jets that spread again behind them.

    Raises
    ------
    FacilityError
        ``OUT_OF_RANGE`` for an open fraction outside 0 to 1.
    """
    if not np.all((np.asarray(open_fraction) > 0.0) & (np.asarray(open_fraction) <= 1.0)):
        raise FacilityError(
            "OUT_OF_RANGE",
            "open_fraction",
            "the open area must be above 0 and at most 1.",
            "E.g. 25 % for a perforated tile, 56 % for a grate.",
        )
    shut = 1.0 - open_fraction
    return (1.0 + 0.5 * shut**0.75 + 1.414 * shut**0.375) / open_fraction**2


@equation("V", r"A \sqrt{2 \Delta p / (K \rho)}", DERIVED)
def tile_flow(
    area_m2: Area, plenum_pa: Pressure, loss_coefficient: Ratio, density_kg_m3: Density
) -> AirFlow:
    """Return the air through a floor tile at a plenum pressure.

    The pressure is spent on the loss K rho v^2 / 2; the same pressure moves more volume of thin
    air.
    """
    return area_m2 * (2.0 * plenum_pa / (loss_coefficient * density_kg_m3)) ** 0.5


@equation("T_z", r"T - \max(0, z - z_0) / r", _CLASSES, empirical="rate in metres for each kelvin")
def derated_dry_bulb(
    limit_c: Temperature, elevation_m: Length, start_m: Length, metres_per_kelvin: Ratio
) -> Temperature:
    """Return the highest allowable dry bulb of an equipment class at an elevation.

    Thin air cools worse: the limit falls by one kelvin for each `metres_per_kelvin` above
    `start_m`.
    """
    return limit_c - np.maximum(0.0, elevation_m - start_m) / metres_per_kelvin


@equation(
    "L_W",
    r"94 + 20 \log P - 10 \log V",
    _SOUND,
    empirical="level in dB re 1 pW, with the motor power in kW",
)
def fan_sound_power(power_w: ActivePower, air_flow_m3_s: AirFlow) -> Ratio:
    """Return the sound power level a fan is expected to have, in dB re 1 pW.

    A rule of thumb from motor power and flow; the level of the product is measured.
    """
    return 94.0 + 20.0 * np.log10(1e-3 * power_w) - 10.0 * np.log10(air_flow_m3_s)


@equation("m", r"V (W_2 - W_1) / v", DERIVED)
def moisture_flow(
    air_flow_m3_s: AirFlow,
    specific_volume_m3_kg: SpecificVolume,
    from_ratio: HumidityRatio,
    to_ratio: HumidityRatio,
) -> MassFlow:
    """Return the moisture flow that changes the humidity ratio of an air flow.

    Negative where water is to be taken out.
    """
    return air_flow_m3_s * (to_ratio - from_ratio) / specific_volume_m3_kg


@equation(r"\dot Q", r"V \max(0, h_1 - h_2) / v", DERIVED)
def outdoor_air_heat(
    air_flow_m3_s: AirFlow,
    specific_volume_m3_kg: SpecificVolume,
    outdoor_j_kg: SpecificEnthalpy,
    room_j_kg: SpecificEnthalpy,
) -> HeatFlow:
    """Return the sensible and latent heat load of outdoor air in a room.

    None where its enthalpy is below that of the room: what it could take away is not counted on.
    """
    return air_flow_m3_s * np.maximum(0.0, outdoor_j_kg - room_j_kg) / specific_volume_m3_kg


@equation(
    "P",
    r"2.634 \times 10^6\, m",
    DERIVED,
    empirical="heat in J/kg that makes steam of water at 10 degC",
)
def steam_power(water_kg_s: MassFlow) -> ActivePower:
    """Return the electric power of a steam humidifier.

    Water at 10 degC heated to 100 degC, 377 kJ/kg, and evaporated there, 2257 kJ/kg.
    """
    return _STEAM_J_KG * water_kg_s
