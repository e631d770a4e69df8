"""Air cooled by evaporating water: pads in the stream, and exchangers wetted on the other side."""

from __future__ import annotations

from typing import Any

import numpy as np

from facility.core.equation import equation
from facility.core.errors import FacilityError
from facility.core.sources import Source
from facility.physics.psychrometrics import humidity_ratio_at_wet_bulb

_TEXTBOOK = Source("evaporative-cooling", "direct and indirect effectiveness", "", "secondary")


@equation(
    "t_2",
    r"t_1 - \varepsilon (t_1 - t^*)",
    "temperature",
    _TEXTBOOK,
    temperature_c="temperature",
    wet_bulb_c="temperature",
    effectiveness="fraction",
)
def evaporative_leaving_temperature(temperature_c: Any, wet_bulb_c: Any, effectiveness: Any) -> Any:
    """Return the dry bulb behind an evaporative cooler.

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
    "humidity_ratio",
    _TEXTBOOK,
    empirical="through the psychrometer balance, fitted in degC",
    leaving_c="temperature",
    wet_bulb_c="temperature",
    pressure_pa="pressure",
)
def evaporative_leaving_humidity(leaving_c: Any, wet_bulb_c: Any, pressure_pa: Any) -> Any:
    """Return the humidity ratio behind a direct evaporative cooler.

    The air gives the water the heat it evaporates with: its wet bulb stays.
    """
    return humidity_ratio_at_wet_bulb.si(leaving_c, wet_bulb_c, pressure_pa)
