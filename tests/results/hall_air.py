"""Air of the racks, humidity of the halls and coolant pumped, worked once more with psychrolib."""

from __future__ import annotations

import math
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import psychrolib

from facility.core.errors import FacilityError
from facility.core.trace import Trace
from facility.model.inputs.cooling.liquid import CduSection
from facility.study.resolve.cooling import chain, liquid
from tests.results.second import differs

_PRESSURES_PA = (101325.0, 84000.0)


def heat_of_chilled_water() -> Iterator[str]:
    """Racks by number, a tenth more for the halls, growth; liquid without that tenth."""
    racks = [SimpleNamespace(count=3, liquid_w=2e4), SimpleNamespace(count=5, liquid_w=0.0)]
    air: Any = SimpleNamespace(
        racks=[SimpleNamespace(rack=r, heat_w=w) for r, w in zip(racks, (8e3, 1e4), strict=True)]
    )
    plan: Any = SimpleNamespace(racks=racks, demand_factor=0.8, diversity=0.9)
    crah: Any = SimpleNamespace(sizing_factor=1.2)
    criteria: Any = SimpleNamespace(growth=0.25)
    for of_liquid, wanted in ((False, 74e3 * 1.2 * 1.1), (True, 74e3 * 1.2 * 1.1 + 6e4)):
        found = chain._chilled_heat(plan, crah, air, criteria, of_liquid)
        yield from differs(f"liquid {of_liquid}", found, wanted * 0.8 * 0.9 * 1.25)


def humidity_of_halls() -> Iterator[str]:
    """The dew point of 15 degC, or of 70 % in cold supply air, down to a tenth of a kelvin."""
    for air_class in ("A1", "A4", "H1"):
        criteria: Any = SimpleNamespace(air_class=air_class)
        row = chain._recommended(criteria)
        for pressure_pa in _PRESSURES_PA:
            for supply_c in (16.0, 18.0, 20.4, 21.0, 24.0, 27.0):
                psychrolib.SetUnitSystem(psychrolib.SI)
                ratio = psychrolib.GetHumRatioFromRelHum(supply_c, 0.70, pressure_pa)
                damp_c = psychrolib.GetTDewPointFromHumRatio(supply_c, ratio, pressure_pa)
                at = f"{air_class}, {supply_c:g} degC, {pressure_pa:g} Pa"
                wanted = min(15.0, damp_c)
                found, words = chain._dampest(row, supply_c, pressure_pa)
                if not wanted - 0.11 <= found <= wanted + 0.01 or bool(words) != (damp_c < 15.0):
                    yield f"{at}: {found:g} {words!r}, by hand {wanted:.2f}"
                read: Any = lambda key, default, *_: default  # noqa: E731
                shown = chain._room_dew_point(read, criteria, supply_c, pressure_pa)
                yield from differs(f"{at}: dew point of the halls", shown, found)
    for stated_c, refused in ((17.9, False), (18.0, False), (18.1, True)):
        read = lambda key, *_, stated=stated_c: stated  # noqa: E731
        try:
            shown = chain._room_dew_point(read, criteria, 18.0, 101325.0)
        except FacilityError:
            shown = -1.0
        if shown != (-1.0 if refused else stated_c):
            yield f"dew point of {stated_c} degC in supply air of 18 degC: {shown}"


def air_of_racks() -> Iterator[str]:
    """Heat over rise, density and specific heat; what fans can do bounds what is published."""
    psychrolib.SetUnitSystem(psychrolib.SI)
    for pressure_pa in _PRESSURES_PA:
        heats = []
        for pa in (101325.0, pressure_pa):
            ratio = psychrolib.GetHumRatioFromTDewPoint(12.0, pa)
            volume = psychrolib.GetMoistAirVolume(22.0, ratio, pa)
            one = psychrolib.GetMoistAirEnthalpy(23.0, ratio)
            heats.append(volume / (one - psychrolib.GetMoistAirEnthalpy(22.0, ratio)))
        sea, here = heats
        for max_m3_s in (9.0, 0.5):
            device = SimpleNamespace(model="", airflow_m3_s=0.4, maximum_w=5e3)
            rack = SimpleNamespace(
                name="r", count=7, hall="h",
                placed=[SimpleNamespace(count=2, device=device, input_w=5e3)],
            )  # fmt: skip
            of = SimpleNamespace(
                rack=rack, heat_w=9e3, rise_k=12.0, sea_level_m3_s=0.6, max_m3_s=max_m3_s,
                fans_w=400.0,
            )  # fmt: skip
            section: Any = SimpleNamespace(server_delta_t=None)
            air: Any = SimpleNamespace(racks=[of])
            (found,) = chain._racks(section, air, (22.0, 12.0, pressure_pa))
            at = f"{pressure_pa:g} Pa, {max_m3_s:g} m3/s"
            yield from differs(f"{at}: air", found.airflow_m3_s, 9e3 / 12.0 * here, 2e-3)
            yield from differs(f"{at}: standard", found.standard_m3_s or 0.0, 750.0 * sea, 2e-3)
            if (found.count, found.air_w, found.drawn_m3_s) != (7, 9e3, None):
                yield f"{at}: {found}"
            section = SimpleNamespace(server_delta_t=12.0)
            (found,) = chain._racks(section, air, (22.0, 12.0, pressure_pa))
            drawn = min(0.8 * here / sea, max_m3_s)
            yield from differs(f"{at}: drawn", found.drawn_m3_s or 0.0, drawn, 2e-3)


def coolant_pumped() -> Iterator[str]:
    """As stated, of the rise stated, or of the racks and 10 K for those without a flow."""
    fluid: Any = SimpleNamespace(
        temperatures_c=(20.0, 60.0), densities_kg_m3=(1040.0, 1000.0),
        specific_heats_j_kgk=(3800.0, 4000.0),
    )  # fmt: skip
    need: Any = SimpleNamespace(liquid_w=1.2e6, unknown_w=3e5, flow_m3_s=0.02)

    def volume(heat_w: float, rise_k: float) -> float:
        part = (36.0 + rise_k / 2.0 - 20.0) / 40.0
        return heat_w / rise_k / (1040.0 - 40.0 * part) / (3800.0 + 200.0 * part)

    for stated, wanted in (
        ({"tcs_flow": "50 L/s"}, 0.05),
        ({"tcs_delta_t": "8 K"}, volume(1.2e6, 8.0)),
        ({}, 0.02 + volume(3e5, 10.0)),
    ):
        loops = liquid._Loops(36.0, 30.0, 0.0, need, fluid, math.inf)
        trace = Trace()
        found = liquid._coolant_flow(CduSection.model_validate(stated), loops, trace)
        yield from differs(f"coolant with {stated}", found, wanted, 1e-9)
        if not stated and "cooling.cdu.tcs_delta_t" not in trace:
            yield "10 K for racks without a flow are not told"
    loops = liquid._Loops(36.0, 30.0, 0.05, need, fluid, math.inf)
    rise_k = 1.2e6 / 0.05 / (1040.0 - 16.0) / (3800.0 + 80.0)
    yield from differs("rise of the coolant", loops.rise_k, rise_k, 1e-9)
