"""Cooling of a completed design in one hour, at any weather and IT load fraction."""

from __future__ import annotations

from dataclasses import dataclass

from facility.cooling.chain.sizing import solve_cooling
from facility.cooling.parts.loads import NO_TANK, TankFlow
from facility.core.errors import FacilityError
from facility.core.trace import Trace
from facility.model.facility import Weather
from facility.physics.air.psychrometrics import humidity_ratio_at_wet_bulb
from facility.study.design.design import Design
from facility.study.loop import OperatingPoint, Sized, operate

_COLDEST_C, _WARMEST_C = -60.0, 60.0
"""Range of outdoor air temperatures accepted in a project."""


@dataclass(frozen=True, eq=False)
class CoolingHour:
    """Operation of a design in one hour."""

    weather: Weather  # Outdoor air
    it_fraction: float  # IT load relative to the design
    tank: TankFlow  # Charge and discharge of a tariff-controlled tank
    humidity_ratio: float  # Moisture of the outdoor air [kg/kg]
    point: OperatingPoint  # Power and cooling in balance
    trace: Trace  # Steps of the cooling that are not in `CoolingFlow`

    def step(self, id: str) -> float:
        """Return a step of the cooling in SI, 0 if the design has none."""
        return float(self.trace.value(id)) if id in self.trace else 0.0


def cooling_hour(
    design: Design, weather: Weather, it_fraction: float = 1.0, tank: TankFlow = NO_TANK
) -> CoolingHour:
    """Return the cooling of `design` in one hour, balanced with the losses it causes.

    design: A completed design; its counts are fixed.
    tank: Charge and discharge of a tariff-controlled tank in the hour.

    Raises ``OUT_OF_RANGE`` for a wet bulb above the dry bulb, or outdoor air outside the range
    accepted in a project; ``IMPOSSIBLE_AIR`` for a wet bulb that is impossible at this dry bulb;
    ``IT_FRACTION`` for more than the design IT load; ``NOT_CONVERGED`` without a balance.
    """
    if not 0.0 <= it_fraction <= 1.0:
        raise FacilityError(
            "IT_FRACTION",
            "it_load",
            f"{100.0 * it_fraction:g} % is outside the design IT load.",
            "Enter 0 to 100 %, or increase the IT load of the design.",
        )
    for name, found_c in (("dry_bulb", weather.dry_bulb_c), ("wet_bulb", weather.wet_bulb_c)):
        if not _COLDEST_C <= found_c <= _WARMEST_C:
            raise FacilityError(
                "OUT_OF_RANGE",
                name,
                f"{found_c:.4g} °C is outside the accepted range.",
                f"Enter {_COLDEST_C:g} to {_WARMEST_C:g} °C.",
            )
    moisture = humidity_ratio_at_wet_bulb.si(
        weather.dry_bulb_c, weather.wet_bulb_c, weather.pressure_pa
    )
    if moisture < 0.0:
        raise FacilityError(
            "IMPOSSIBLE_AIR",
            "wet_bulb",
            f"a wet bulb of {weather.wet_bulb_c:.1f} °C is impossible at a dry bulb of "
            f"{weather.dry_bulb_c:.1f} °C: the moisture content would be negative.",
            "Enter a higher wet bulb, or a lower dry bulb.",
        )
    sized = Sized(design.chain, design.cooling)
    point = operate(design.facility, design.it, sized, weather, it_fraction, tank)
    trace = Trace()
    solve_cooling(design.cooling, point.heat, weather, trace, tank)
    return CoolingHour(weather, it_fraction, tank, float(moisture), point, trace)
