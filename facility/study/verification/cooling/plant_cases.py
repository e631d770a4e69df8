"""Cases of the plant: chiller curves and the lift model, part-load curves of fans."""

from __future__ import annotations

import math
from functools import lru_cache

from facility.catalogue import table
from facility.cooling.plant.chillers import eir_curves
from facility.core.kinds import Numeric
from facility.physics.plant.chiller.curves import EirCurves, EirPoint, biquadratic
from facility.physics.plant.chiller.lift import (
    carnot_fraction,
    condensing_temperature,
    evaporating_temperature,
    lift_cop,
)
from facility.physics.plant.fans_pumps import part_load_power_ratio
from facility.study.resolve.cooling.parts import curve as part_load_curve
from facility.study.verification.inputs import CaseFunctions


@lru_cache(maxsize=16)
def _curves(name: str) -> EirCurves:
    return eir_curves(table("cooling/chillers_eir").get(name))


def _point(chiller: str, chw_c: float, condenser_c: float, load: float = 1.0) -> EirPoint:
    return _curves(chiller).at(chw_c, condenser_c, load)


def _unclipped_cop(chiller: str, chw_c: float, condenser_c: float) -> float:
    """Return the full-load COP of the curves outside their valid range, which is never reported."""
    curves = _curves(chiller)
    power_ratio = float(biquadratic.si(chw_c, condenser_c, *curves.input_curve))
    return curves.cop / (power_ratio * sum(curves.part_load_curve))


def _refrigerant(
    chw_c: float, condenser_in_c: float, range_k: float, approach_k: float
) -> tuple[Numeric, Numeric]:
    """Return the evaporating and condensing temperatures of the refrigerant."""
    evaporating_c = evaporating_temperature.si(chw_c, approach_k)
    return evaporating_c, condensing_temperature.si(condenser_in_c + range_k, approach_k)


def _fraction(cop: float, **water: float) -> Numeric:
    return carnot_fraction.si(cop, *_refrigerant(**water))


def _lift_cop(fraction: float, **water: float) -> Numeric:
    return lift_cop.si(fraction, *_refrigerant(**water), 0.0, math.inf)


def _part_load(device: str, curve: str, flow_ratio: float) -> float:
    terms = part_load_curve(device, curve, "verification")
    return float(part_load_power_ratio.si(flow_ratio, *terms))


FUNCTIONS: CaseFunctions = {
    "chiller.capacity": ("heat_flow", lambda **at: _point(**at).capacity_w),
    "chiller.power": ("active_power", lambda **at: _point(**at).power_w),
    "chiller.cop": ("ratio", lambda **at: _point(**at).cop),
    "chiller.unclipped_cop": ("ratio", _unclipped_cop),
    "chiller.clipped_inputs": ("count", lambda **at: len(_point(**at).clipped)),
    "chiller.carnot_fraction": ("ratio", _fraction),
    "chiller.lift_cop": ("ratio", _lift_cop),
    "fan.part_load": ("ratio", _part_load),
}
