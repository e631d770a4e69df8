"""Dry coolers: a fluid cooled by outdoor air across a finned coil."""

from __future__ import annotations

from facility.core.equation import equation
from facility.core.kinds import Ratio, Temperature, TemperatureDifference
from facility.core.sources import DERIVED


@equation(r"\varepsilon_f", r"(T_{in} - T_{out}) / (T_{in} - T_{air})", DERIVED)
def fluid_side_effectiveness(
    fluid_in_c: Temperature, fluid_out_c: Temperature, air_in_c: Temperature
) -> Ratio:
    """Return the fluid-side effectiveness of a cooler from its data-sheet temperatures.

    Its range over its range and approach together; the heat over C_fluid (T_in - T_air).
    """
    return (fluid_in_c - fluid_out_c) / (fluid_in_c - air_in_c)


@equation("T_{out}", r"T_{air} + R (1 / \varepsilon_f - 1)", DERIVED)
def dry_cooler_leaving_temperature(
    air_in_c: Temperature, range_k: TemperatureDifference, fluid_effectiveness: Ratio
) -> Temperature:
    """Return the leaving fluid temperature of a dry cooler at a given range.

    With eps_f = R / (T_in - T_air) the fluid enters at T_air + R / eps_f and leaves R below.
    """
    return air_in_c + range_k * (1.0 / fluid_effectiveness - 1.0)


@equation("T_{air}", r"T_{db} + \Delta T_{rec}", DERIVED)
def entering_air_temperature(
    outdoor_c: Temperature, recirculation_k: TemperatureDifference
) -> Temperature:
    """Return the entering air of heat rejection: outdoor air warmed by recirculated discharge.

    Holds for the dry bulb of dry coolers and for the wet bulb of towers.
    """
    return outdoor_c + recirculation_k
