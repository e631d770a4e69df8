"""Chiller curve sets (DOE-2 EIR), evaluated only inside their valid range.

Capacity Q = Qref CAPFT(x, y) and power P = Q / COPref EIRFT(x, y) EIRFPLR(PLR), with x the leaving
chilled water and y the entering condenser water or air. An input outside the valid range of a
set is clipped to the range, and named.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from facility.core.equation import equation
from facility.core.kinds import ActivePower, HeatFlow, Numeric, Ratio, Temperature
from facility.core.sources import Source

_EIR = Source("energyplus-chillers", "Chiller:Electric:EIR")


@equation(
    "f(x, y)",
    r"c_1 + c_2 x + c_3 x^2 + c_4 y + c_5 y^2 + c_6 x y",
    _EIR,
    empirical="polynomial fitted in degC",
)
def biquadratic(
    x_c: Temperature,
    y_c: Temperature,
    c1: Ratio,
    c2: Ratio,
    c3: Ratio,
    c4: Ratio,
    c5: Ratio,
    c6: Ratio,
) -> Ratio:
    """Return the value of a biquadratic curve of two temperatures.

    The form of all capacity and energy curves of the sets; x and y must be in their valid range.
    """
    return c1 + x_c * (c2 + c3 * x_c) + y_c * (c4 + c5 * y_c) + c6 * x_c * y_c


@equation(
    "P", r"\dot Q_{av} / COP_{ref} \cdot f_T \cdot f_{PLR} \cdot \min(PLR / PLR_{min}, 1)", _EIR
)
def eir_power(
    available_w: HeatFlow,
    reference_cop: Ratio,
    temperature_ratio: Ratio,
    part_load_ratio_factor: Ratio,
    cycling_ratio: Ratio,
) -> ActivePower:
    """Return the compressor power.

    Below its minimum part load the machine cycles, and its power falls in proportion.
    """
    return available_w / reference_cop * temperature_ratio * part_load_ratio_factor * cycling_ratio


@dataclass(frozen=True)
class EirPoint:
    """A chiller at one point: capacity, power, COP, and the inputs that were clipped."""

    capacity_w: float
    power_w: float
    cop: float
    clipped: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class EirHours:
    """A chiller over hours: power and capacity [W], and where an input was clipped."""

    power_w: NDArray[np.float64]
    capacity_w: NDArray[np.float64]
    clipped: NDArray[np.bool_]


@dataclass(frozen=True)
class EirCurves:
    """One curve set: reference capacity and COP, coefficients, and valid range.

    `range_chw_c`, `range_condenser_c` and `range_plr` are (minimum, maximum).
    """

    name: str
    capacity_w: float
    cop: float
    capacity_curve: tuple[float, ...]
    input_curve: tuple[float, ...]
    part_load_curve: tuple[float, float, float]
    range_chw_c: tuple[float, float]
    range_condenser_c: tuple[float, float]
    range_plr: tuple[float, float]

    def at(self, chilled_water_c: float, condenser_c: float, part_load: float) -> EirPoint:
        """Return the machine at a point, each input clipped to the valid range."""
        clipped: list[str] = []
        x = _clip("leaving chilled water", chilled_water_c, self.range_chw_c, clipped)
        y = _clip("entering condenser", condenser_c, self.range_condenser_c, clipped)
        if part_load > self.range_plr[1]:
            clipped.append("part load")
        load = min(part_load, self.range_plr[1])
        available_w = self.capacity_w * biquadratic.si(x, y, *self.capacity_curve)
        power_w = self._power(x, y, available_w, load)
        cop = load * available_w / power_w
        return EirPoint(float(available_w), float(power_w), float(cop), tuple(clipped))

    def over_hours(
        self, chilled_water_c: Numeric, condenser_c: Numeric, load_w: Numeric
    ) -> EirHours:
        """Return the machine over many hours, each input clipped to the valid range.

        chilled_water_c, condenser_c: Leaving chilled water, entering condenser water or air.
        load_w: Heat taken from the chilled water.
        """
        x, y = (
            np.clip(chilled_water_c, *self.range_chw_c),
            np.clip(condenser_c, *self.range_condenser_c),
        )
        available_w = self.capacity_w * biquadratic.si(x, y, *self.capacity_curve)
        load = load_w / available_w
        power_w = self._power(x, y, available_w, load)
        outside = (x != chilled_water_c) | (y != condenser_c) | (load > self.range_plr[1])
        return EirHours(np.asarray(power_w), np.asarray(available_w), np.asarray(outside))

    def _power(self, x: Numeric, y: Numeric, available_w: Numeric, load: Numeric) -> Numeric:
        """Return the power at a part load; above the range that of the largest part load."""
        on_curve = np.clip(load, *self.range_plr)
        c0, c1, c2 = self.part_load_curve
        return eir_power.si(
            available_w,
            self.cop,
            biquadratic.si(x, y, *self.input_curve),
            c0 + on_curve * (c1 + c2 * on_curve),
            np.minimum(load / self.range_plr[0], 1.0),
        )


def _clip(name: str, value: float, box: tuple[float, float], clipped: list[str]) -> float:
    if not box[0] <= value <= box[1]:
        clipped.append(name)
    return min(max(value, box[0]), box[1])
