"""Water of towers at work: what evaporates carries the heat away, the rest follows."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import psychrolib
import pytest

from facility.cooling.parts.air import AirHours
from facility.cooling.parts.fluids import Liquid
from facility.cooling.plant.rejection import Rejection, SinkWater
from facility.cooling.plant.water import tower_water

HEAT_W, RANGE_K, FAN_W = 1e6, 5.0, 15e3
WATER = Liquid(998.0, 4186.0)
AIR_C, PRESSURE_PA = np.array([-5.0, 10.0, 25.0, 38.0]), np.full(4, 101325.0)
HUMID = np.array([0.002, 0.005, 0.012, 0.006])


def worked(part: float) -> tuple[Rejection, object]:
    """Return towers with a part of their heat at work, the air at 80 % of full speed."""
    plan = SimpleNamespace(cycles=4.0, drift=1e-4)
    sink = SimpleNamespace(plan=plan, liquid=WATER, heat_w=HEAT_W, range_k=RANGE_K, fan_w=FAN_W)
    flow = part * HEAT_W / (WATER.rate_w_k(1.0) * RANGE_K)
    found = Rejection(
        SinkWater(np.full(4, 25.0), np.full(4, 0.8)),  # type: ignore[arg-type]
        np.full(4, part * HEAT_W),  # type: ignore[arg-type]
        np.full(4, flow),  # type: ignore[arg-type]
        0.0,
        0.0,
    )
    return found, sink


@pytest.mark.parametrize(
    ("part", "pressure_pa"), [(0.4, 101325.0), (1.0, 101325.0), (1.0, 83e3), (0.4, 70e3)]
)
def test_the_air_leaves_saturated_with_the_heat(part: float, pressure_pa: float) -> None:
    """Enthalpy of the leaving air by psychrolib, from the water it has taken up.

    83 kPa is the pressure of Denver, 70 kPa of 3,000 m: water boils there below 95 degC.
    """
    psychrolib.SetUnitSystem(psychrolib.SI)
    found, sink = worked(part)
    air = AirHours(AIR_C, AIR_C, HUMID, np.full(4, pressure_pa))
    used = tower_water(sink, found, air)  # type: ignore[arg-type]
    volume = [
        psychrolib.GetMoistAirVolume(t, w, pressure_pa) for t, w in zip(AIR_C, HUMID, strict=True)
    ]
    air_kg_s = FAN_W * 0.5 / 190.0 * part * 0.8 / np.array(volume)
    leaving = HUMID + used.evaporation_m3_s * 998.0 / air_kg_s
    for n in range(4):
        dew_c = psychrolib.GetTDewPointFromHumRatio(float(AIR_C[n]) + 60.0, leaving[n], pressure_pa)
        out = psychrolib.GetSatAirEnthalpy(dew_c, pressure_pa)
        into = psychrolib.GetMoistAirEnthalpy(float(AIR_C[n]), float(HUMID[n]))
        assert air_kg_s[n] * (out - into) == pytest.approx(part * HEAT_W, rel=2e-3)


def test_drift_and_blowdown_follow() -> None:
    found, sink = worked(1.0)
    air = AirHours(AIR_C, AIR_C, HUMID, PRESSURE_PA)
    used = tower_water(sink, found, air)  # type: ignore[arg-type]
    assert used.drift_m3_s == pytest.approx(1e-4 * np.asarray(found.flow_m3_s) * 0.8)
    assert used.makeup_m3_s == pytest.approx(used.evaporation_m3_s * 4.0 / 3.0)
    dry = 1e6 / 2.45e9
    assert used.evaporation_m3_s[0] < used.evaporation_m3_s[2] < dry < used.evaporation_m3_s[3]
