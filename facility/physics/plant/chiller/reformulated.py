"""Chiller curve sets in the reformulated EIR form: curves of the *leaving* condenser water.

Capacity Q = Qref CAPFT(x, y) and power P = Q / COPref EIRFT(x, y) EIRFPLR(y, PLR), with x the
leaving chilled water and y the leaving condenser water. What leaves the condenser depends on the
power, so that both are found together by a fixed point. An input outside the box of a set is
clipped to it, and named.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from facility.core.equation import equation
from facility.core.kinds import (
    ActivePower,
    HeatFlow,
    Numeric,
    Ratio,
    Temperature,
    ThermalConductance,
)
from facility.core.sources import DERIVED, Source
from facility.physics.plant.chiller.curves import EirHours, EirPoint, biquadratic, eir_power

_REFORMULATED = Source("modelica-buildings-reformulated-eir", "ElectricReformulatedEIR")
_FIXED_POINT = 12
"""Each round changes the leaving water by a thousandth of the change before."""


@equation(
    "f(y, z)",
    r"c_1 + c_2 y + c_3 y^2 + c_4 z + c_5 z^2 + c_6 y z + c_7 y^3 + c_8 z^3 + c_9 y^2 z "
    r"+ c_{10} y z^2",
    _REFORMULATED,
    empirical="polynomial fitted in degC",
)
def reformulated_part_load(
    y_c: Temperature,
    part_load: Ratio,
    c1: Ratio,
    c2: Ratio,
    c3: Ratio,
    c4: Ratio,
    c5: Ratio,
    c6: Ratio,
    c7: Ratio,
    c8: Ratio,
    c9: Ratio,
    c10: Ratio,
) -> Ratio:
    """Return the power over that at full load, of leaving condenser water and part load.

    The bicubic form of the reformulated sets; both inputs must lie in their box.
    """
    z = part_load
    in_y = c1 + y_c * (c2 + y_c * (c3 + c7 * y_c))
    return in_y + z * (c4 + z * (c5 + c8 * z) + y_c * (c6 + c9 * y_c + c10 * z))


@equation("T_{cw,2}", r"T_{cw,1} + (\dot q + P) / C", DERIVED)
def leaving_condenser_temperature(
    entering_c: Temperature, heat_w: HeatFlow, power_w: ActivePower, water_w_k: ThermalConductance
) -> Temperature:
    """Return the condenser water that leaves a chiller.

    The water takes up the heat of the evaporator and the compressor's power.
    """
    return entering_c + (heat_w + power_w) / water_w_k


@dataclass(frozen=True)
class ReformulatedCurves:
    """One reformulated curve set: reference capacity and COP, coefficients, and their box.

    `box_chw_c`, `box_leaving_c` (leaving condenser water) and `box_plr` are (least, greatest).
    """

    name: str
    capacity_w: float
    cop: float
    capacity_curve: tuple[float, ...]
    input_curve: tuple[float, ...]
    part_load_curve: tuple[float, ...]
    box_chw_c: tuple[float, float]
    box_leaving_c: tuple[float, float]
    box_plr: tuple[float, float]

    def at(
        self, chilled_water_c: float, entering_c: float, load_w: float, water_w_k: float
    ) -> EirPoint:
        """Return the machine at a point; names of what was clipped come with it.

        chilled_water_c, entering_c: Leaving chilled water, entering condenser water.
        load_w: Heat taken from the chilled water.
        water_w_k: Capacity rate of the condenser water.
        """
        hour = self.over_hours(chilled_water_c, entering_c, load_w, water_w_k)
        power_w, capacity_w = float(hour.power_w), float(hour.capacity_w)
        leaving_c = leaving_condenser_temperature.si(entering_c, load_w, power_w, water_w_k)
        inputs = (
            ("leaving chilled water", chilled_water_c, self.box_chw_c),
            ("leaving condenser", leaving_c, self.box_leaving_c),
        )
        clipped = [name for name, value, (low, high) in inputs if not low <= value <= high]
        if load_w > self.box_plr[1] * capacity_w:
            clipped.append("part load")
        taken_w = min(load_w, self.box_plr[1] * capacity_w)
        return EirPoint(capacity_w, power_w, taken_w / power_w, tuple(clipped))

    def over_hours(
        self, chilled_water_c: Numeric, entering_c: Numeric, load_w: Numeric, water_w_k: Numeric
    ) -> EirHours:
        """Return the machine over many hours, each input clipped to the box.

        chilled_water_c, entering_c: Leaving chilled water, entering condenser water.
        load_w: Heat taken from the chilled water.
        water_w_k: Capacity rate of the condenser water.
        """
        power_w: Numeric = np.asarray(load_w / self.cop, dtype=float)
        for _ in range(_FIXED_POINT):
            leaving_c = leaving_condenser_temperature.si(entering_c, load_w, power_w, water_w_k)
            power_w, capacity_w = self._power(chilled_water_c, leaving_c, load_w)
        low, high = self.box_leaving_c
        outside = (
            (np.clip(chilled_water_c, *self.box_chw_c) != chilled_water_c)
            | (leaving_c < low)
            | (leaving_c > high)
            | (load_w > self.box_plr[1] * capacity_w)
        )
        return EirHours(np.asarray(power_w), np.asarray(capacity_w), np.asarray(outside))

    def _power(
        self, chilled_water_c: Numeric, leaving_c: Numeric, load_w: Numeric
    ) -> tuple[Numeric, Numeric]:
        x, y = np.clip(chilled_water_c, *self.box_chw_c), np.clip(leaving_c, *self.box_leaving_c)
        available_w = self.capacity_w * biquadratic.si(x, y, *self.capacity_curve)
        load = load_w / available_w
        on_curve = np.clip(load, *self.box_plr)
        power_w = eir_power.si(
            available_w,
            self.cop,
            biquadratic.si(x, y, *self.input_curve),
            reformulated_part_load.si(y, on_curve, *self.part_load_curve),
            np.minimum(load / self.box_plr[0], 1.0),
        )
        return power_w, available_w
