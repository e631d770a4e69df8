"""Dry coolers: a fluid cooled by outdoor air across a finned coil."""

from __future__ import annotations

from typing import Any

from facility.core.equation import equation
from facility.core.sources import DERIVED


@equation(
    r"\varepsilon_f",
    r"(T_{in} - T_{out}) / (T_{in} - T_{air})",
    "ratio",
    DERIVED,
    fluid_in_c="temperature",
    fluid_out_c="temperature",
    air_in_c="temperature",
)
def fluid_side_effectiveness(fluid_in_c: Any, fluid_out_c: Any, air_in_c: Any) -> Any:
    """Return how far a fluid is cooled towards the entering air: what a data sheet tells.

    Its range over its range and approach together; the heat over C_fluid (T_in - T_air).
    """
    return (fluid_in_c - fluid_out_c) / (fluid_in_c - air_in_c)


@equation(
    "T_{out}",
    r"T_{air} + R (1 / \varepsilon_f - 1)",
    "temperature",
    DERIVED,
    air_in_c="temperature",
    range_k="temperature_difference",
    fluid_effectiveness="ratio",
)
def dry_cooler_leaving_temperature(air_in_c: Any, range_k: Any, fluid_effectiveness: Any) -> Any:
    """Return the leaving fluid of a dry cooler that must cool it by a range.

    With eps_f = R / (T_in - T_air) the fluid enters at T_air + R / eps_f and leaves R below.
    """
    return air_in_c + range_k * (1.0 / fluid_effectiveness - 1.0)


@equation(
    "T_{air}",
    r"T_{db} + \Delta T_{rec}",
    "temperature",
    DERIVED,
    outdoor_c="temperature",
    recirculation_k="temperature_difference",
)
def entering_air_temperature(outdoor_c: Any, recirculation_k: Any) -> Any:
    """Return the air that heat rejection takes in: outdoor air warmed by its own discharge.

    Holds for the dry bulb of dry coolers and for the wet bulb of towers.
    """
    return outdoor_c + recirculation_k
