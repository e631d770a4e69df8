"""Loops in the design hour: what they carry is what is rejected; pumps that are too few."""

from __future__ import annotations

import pytest

from facility.study.design.design import Design
from tests.study.helpers import reference

HALL = "nvl72-hall"
TOWER = "cooling.facility_water.source=tower"
ALL_TO_CHILLERS = (
    "cooling.facility_water.source=tower_and_chiller",
    "cooling.facility_water.supply=20 degC",
)


def _hall(*sets: str) -> Design:
    return reference(HALL, *sets)


def _heat_w(supply_c: float, return_c: float, flow_m3_s: float) -> float:
    """Return the heat of a flow of water, by its enthalpy."""
    props = pytest.importorskip("CoolProp.CoolProp").PropsSI  # 3 s, not of who only collects
    at_pa = 4e5
    ends = [props("H", "T", c + 273.15, "P", at_pa, "Water") for c in (supply_c, return_c)]
    middle_k = 0.5 * (supply_c + return_c) + 273.15
    return flow_m3_s * props("D", "T", middle_k, "P", at_pa, "Water") * (ends[1] - ends[0])


@pytest.mark.parametrize("sets", [(), ("cooling.facility_water.tower_range=3 K",)])
def test_tower_water_of_the_facility_water_carries_the_heat_rejected(sets: tuple[str, ...]) -> None:
    """The range of the towers may be less than that of the facility water: their flow is larger."""
    found = _hall(TOWER, *sets)
    loop, flow = found.hydraulics.loop("fws_tower"), found.cooling_flow
    assert loop is not None
    rejected_w = flow.facility_water_w + found.trace.value("fws.rejection.pump_power")
    assert loop.heat_w == pytest.approx(rejected_w, rel=1e-6)
    carried_w = _heat_w(loop.supply_c, loop.return_c, loop.running_m3_s)
    assert carried_w == pytest.approx(rejected_w, rel=5e-3)


def test_tower_water_stands_where_chilled_water_takes_all_the_heat() -> None:
    found = _hall(*ALL_TO_CHILLERS)
    loop = found.hydraulics.loop("fws_tower")
    assert found.cooling_flow.fws_rejection is None
    assert loop is not None
    assert (loop.running_m3_s, loop.heat_w) == (0.0, 0.0)
    supply = found.hydraulics.results["loop.fws_tower.supply"]
    assert supply.basis == "no flow in the design hour"


def test_pumps_of_too_few_cdus_take_no_more_than_their_rated_power() -> None:
    found = _hall("it.gpus=2304", "cooling.cdu.count=2")
    cdus = found.cooling.cdus
    assert cdus is not None
    assert cdus.plan.tcs_flow_m3_s > cdus.installed * cdus.plan.unit.tcs_flow_m3_s
    rated_w = cdus.installed * cdus.plan.unit.pump_w
    assert found.trace.value("cdu.pump_power") == pytest.approx(rated_w, rel=1e-12)
    assert cdus.pumps_w(cdus.installed, cdus.tcs_flow_m3_s) == pytest.approx(rated_w, rel=1e-12)
