"""Air cooled by evaporating water: pads in the stream, and exchangers wetted on the other side."""

from __future__ import annotations

import numpy as np

from facility.core.equation import equation
from facility.core.errors import FacilityError
from facility.core.kinds import Fraction, HumidityRatio, Pressure, Temperature
from facility.core.sources import Source
from facility.physics.air.psychrometrics import (
    humidity_ratio_at_wet_bulb,
    humidity_ratio_of_vapor,
    saturation_pressure,
)

_TEXTBOOK = Source("evaporative-cooling", "direct and indirect effectiveness", "", "secondary")


@equation("t_2", r"t_1 - \varepsilon (t_1 - t^*)", _TEXTBOOK)
def evaporative_leaving_temperature(
    temperature_c: Temperature, wet_bulb_c: Temperature, effectiveness: Fraction
) -> Temperature:
    """Return the leaving dry bulb of an evaporative cooler.

    The effectiveness is the part of the wet-bulb depression that the cooler takes off. For a
    direct cooler `wet_bulb_c` is that of the air itself; for an indirect one that of the air on
    its wet side, and the humidity of the cooled air stays.

    Raises
    ------
    FacilityError
        ``OUT_OF_RANGE`` for a wet bulb above the dry bulb of a direct cooler's air.
    """
    if np.any(np.greater(wet_bulb_c, temperature_c)):
        raise FacilityError(
            "OUT_OF_RANGE", "wet_bulb", "the wet bulb is above the dry bulb.", "Check the weather."
        )
    return temperature_c - effectiveness * (temperature_c - wet_bulb_c)


@equation(
    "W_2",
    r"W(t_2, t^*, p)",
    _TEXTBOOK,
    empirical="through the psychrometer balance, fitted in degC",
)
def evaporative_leaving_humidity(
    leaving_c: Temperature, wet_bulb_c: Temperature, pressure_pa: Pressure
) -> HumidityRatio:
    """Return the leaving humidity ratio of a direct evaporative cooler.

    The air gives the water the heat it evaporates with: its wet bulb stays.
    """
    return humidity_ratio_at_wet_bulb.si(leaving_c, wet_bulb_c, pressure_pa)


@equation(
    "t_2",
    r"t_2: W(t_2, t^*, p) = W_2",
    _TEXTBOOK,
    empirical="the psychrometer balance solved for the dry bulb, fitted in degC",
)
def temperature_at_wet_bulb(
    humidity_ratio: HumidityRatio, wet_bulb_c: Temperature, pressure_pa: Pressure
) -> Temperature:
    """Return the leaving dry bulb of a direct evaporative cooler from wet bulb and humidity ratio.

    The psychrometer balance (ASHRAE Fundamentals ch. 1, eq. 33 and 35) is linear in the dry bulb
    once multiplied by its denominator. Where the humidity is above saturation at the wet bulb, so
    that no air holds it, the result lies below the wet bulb.

    Raises
    ------
    FacilityError
        ``OUT_OF_RANGE`` for a wet bulb outside the range of the saturation pressure.
    """
    a, b, c = (
        np.where(np.greater_equal(wet_bulb_c, 0.0), water, ice)[()]
        for water, ice in ((2501.0, 2830.0), (2.326, 0.24), (4.186, 2.1))
    )
    saturated = humidity_ratio_of_vapor.si(saturation_pressure.si(wet_bulb_c), pressure_pa)
    heat = (a - b * wet_bulb_c) * saturated + 1.006 * wet_bulb_c
    return (heat - humidity_ratio * (a - c * wet_bulb_c)) / (1.006 + 1.86 * humidity_ratio)
