"""The cooling of a finished design at one hour: any weather, any part of the IT load."""

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
"""Outdoor air that a project may state."""


@dataclass(frozen=True, eq=False)
class CoolingHour:
    """The design at work at one hour."""

    weather: Weather  # Outdoor air
    it_fraction: float  # IT load over that of the design
    tank: TankFlow  # What a tank run by the tariff takes and gives
    humidity_ratio: float  # Moisture of the outdoor air [kg/kg]
    point: OperatingPoint  # Power and cooling in balance
    trace: Trace  # The steps of the cooling: what no result of `CoolingFlow` names

    def step(self, id: str) -> float:
        """Return a step of the cooling in SI, 0 where the design has none."""
        return float(self.trace.value(id)) if id in self.trace else 0.0


def cooling_hour(
    design: Design, weather: Weather, it_fraction: float = 1.0, tank: TankFlow = NO_TANK
) -> CoolingHour:
    """Return the cooling of `design` at one hour, in balance with the losses it causes.

    design: A finished design; its counts stay.
    tank: What a tank run by the tariff takes and gives in the hour.

    Raises ``OUT_OF_RANGE`` for a wet bulb above the dry bulb, or outdoor air colder or warmer than
    a project may state; ``IMPOSSIBLE_AIR`` for a wet bulb that no air of this dry bulb has;
    ``IT_FRACTION`` for more than the IT load of the design; ``NOT_CONVERGED`` where the balance is
    not found.
    """
    if not 0.0 <= it_fraction <= 1.0:
        raise FacilityError(
            "IT_FRACTION",
            "it_load",
            f"{100.0 * it_fraction:g} % of the IT load of the design.",
            "Give 0 to 100 %; for more IT, design for more IT.",
        )
    for name, found_c in (("dry_bulb", weather.dry_bulb_c), ("wet_bulb", weather.wet_bulb_c)):
        if not _COLDEST_C <= found_c <= _WARMEST_C:
            raise FacilityError(
                "OUT_OF_RANGE",
                name,
                f"{found_c:.4g} degC.",
                f"Give {_COLDEST_C:g} to {_WARMEST_C:g} degC.",
            )
    moisture = humidity_ratio_at_wet_bulb.si(
        weather.dry_bulb_c, weather.wet_bulb_c, weather.pressure_pa
    )
    if moisture < 0.0:
        raise FacilityError(
            "IMPOSSIBLE_AIR",
            "wet_bulb",
            f"no air of {weather.dry_bulb_c:.1f} degC has a wet bulb of "
            f"{weather.wet_bulb_c:.1f} degC: dry air is warmer there.",
            "Give a warmer wet bulb, or a colder dry bulb.",
        )
    sized = Sized(design.chain, design.cooling)
    point = operate(design.facility, design.it, sized, weather, it_fraction, tank)
    trace = Trace()
    solve_cooling(design.cooling, point.heat, weather, trace, tank)
    return CoolingHour(weather, it_fraction, tank, float(moisture), point, trace)
