"""The liquid path: flow tables, cold plates, CDUs chosen, the checklist."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from facility.catalogue import table
from facility.cooling.liquid_path.study import NO_LIQUID, class_of
from facility.core.check import Check, Outcome
from facility.core.errors import FacilityError
from facility.core.trace import Trace
from facility.model.it import ItPlan
from facility.physics.liquids.cold_plate import (
    case_temperature,
    cold_plate_resistance,
    drop_between,
    flow_exponent,
)
from facility.study.design.design import Design
from facility.study.explained import explain_result
from facility.study.resolve.cooling.it import required_flow
from facility.study.verification.manual import evaluate
from tests.study.fields import LIQUID
from tests.study.helpers import design_of, reference

L_MIN = 1e-3 / 60.0
GB300 = """\
schema_version: 1
site: {station: ashburn}
criteria: {liquid_class: W45}
it:
  halls:
    - name: Hall 1
      racks:
        - {name: NVL72, count: 4, devices: [{model: GB300 NVL72}], feeds: [A, B]}
power: {redundancy: 2N}
cooling: {method: hybrid}
"""
PUBLISHED = (0.6, 0.8, 1.0, 1.4, 2.0)
"""L/min of the published points of the cold plate that lie between others of its figure."""


def plate(fluid: str = "PG25") -> tuple[list[float], list[float]]:
    rows = table("cooling/cold_plates").select(plate="OCP 1 kW OAM", fluid=fluid)
    return [row.si("flow_l_min") for row in rows], [row.si("resistance_k_w") for row in rows]


def check(found: Design, rule: str) -> Check:
    (one,) = [c for c in found.liquid_path.checks if c.rule == rule]
    return one


@pytest.mark.parametrize("at", PUBLISHED)
def test_a_point_left_out_lies_close_under_the_line_through_the_others(at: float) -> None:
    flows, points = plate()
    kept = [
        n
        for n, flow in enumerate(flows)
        if not any(flow == pytest.approx(p * L_MIN) for p in PUBLISHED)
    ]
    line = cold_plate_resistance(at * L_MIN, [flows[n] for n in kept], [points[n] for n in kept])
    index = next(n for n, flow in enumerate(flows) if flow == pytest.approx(at * L_MIN))
    assert 0.0 <= line / points[index] - 1.0 < 0.011


@given(st.floats(0.4, 2.4), st.floats(0.4, 2.4))
def test_resistance_falls_with_the_flow(one: float, other: float) -> None:
    flows, points = plate()
    low, high = sorted((one * L_MIN, other * L_MIN))
    assert cold_plate_resistance(high, flows, points) <= cold_plate_resistance(low, flows, points)


@pytest.mark.parametrize("at", [0.39, 2.41])
def test_a_plate_is_never_extrapolated(at: float) -> None:
    with pytest.raises(FacilityError) as caught:
        cold_plate_resistance(at * L_MIN, *plate(), "here")
    assert (caught.value.code, caught.value.where) == ("OUT_OF_RANGE", "here")
    with pytest.raises(FacilityError):
        drop_between(at * L_MIN, [0.4 * L_MIN, 2.4 * L_MIN], [1.0, 2.0])


def test_resistance_takes_arrays() -> None:
    flows, points = plate()
    assert np.allclose(cold_plate_resistance(np.array(flows), flows, points), points)


def test_the_rule_of_1_5_l_min_per_kw_is_the_balance_of_pg25() -> None:
    inputs: dict[str, float | str] = {
        "heat_w": 1e6,
        "supply_c": 40.0,
        "return_c": 50.0,
        "fluid": "PG25",
    }
    found = evaluate("coolant.flow_per_power", inputs, "L/min/kW")
    assert found == pytest.approx(1.489, rel=0.002)
    assert found == pytest.approx(1.5, abs=0.05)


@pytest.mark.parametrize("supply_c", [25.0, 30.0, 35.0, 40.0, 45.0])
def test_the_flow_table_of_gb300_is_reproduced(supply_c: float) -> None:
    row = table("equipment/liquid_flow_tables").get(("GB300 NVL72", supply_c))
    found = design_of(
        GB300,
        f"cooling.cdu.tcs_supply={supply_c} degC",
        f"cooling.facility_water.supply={supply_c - 5.0} degC",
        "cooling.facility_water.source=chilled_water",
        "cooling.plant.chilled_water_supply=15 degC",
    )
    (rack,) = found.liquid_path.racks
    assert rack.rack.flow_m3_s == pytest.approx(row.si("required_flow_l_min"), rel=1e-9)
    assert rack.rack.drop_pa == pytest.approx(row.si("pressure_drop_kpa"), rel=1e-6)
    assert rack.return_c == pytest.approx(55.0, abs=1.0)  # the line that all five rows lie on


@pytest.mark.parametrize("system", ["GB300 NVL72", "SC777 V4 GB200 NVL4"])
def test_every_row_of_the_flow_tables_is_given_back(system: str) -> None:
    device = replace(reference("nvl72-hall").facility.it.racks[0].placed[0].device, model=system)
    rows = table("equipment/liquid_flow_tables").select(system=system)
    assert rows
    for row in rows:
        asked = required_flow(device, row.si("tcs_supply_temp_c"), Trace())
        assert asked == pytest.approx(row.si("required_flow_l_min"), rel=1e-12)
    coldest, warmest = rows[0].si("tcs_supply_temp_c"), rows[-1].si("tcs_supply_temp_c")
    assert required_flow(device, coldest - 5.0, Trace()) == rows[0].si("required_flow_l_min")
    with pytest.raises(FacilityError):
        required_flow(device, warmest + 0.1, Trace())


def test_a_drop_beyond_the_table_says_so() -> None:
    found = design_of(
        GB300,
        "cooling.cdu.tcs_supply=45 degC",
        "cooling.facility_water.supply=41 degC",
        "cooling.cdu.tcs_flow=840 L/min",
    )
    (rack,) = found.liquid_path.racks
    assert "outside the published table" in rack.rack.drop_basis
    assert rack.rack.drop_pa == pytest.approx(126.9e3 * (210 / 177) ** 1.89, rel=2e-3)


def test_between_the_rows_the_flow_lies_between() -> None:
    found = design_of(
        GB300, "cooling.cdu.tcs_supply=42.5 degC", "cooling.facility_water.supply=38 degC"
    )
    (rack,) = found.liquid_path.racks
    assert rack.rack.flow_m3_s == pytest.approx(148.0 * L_MIN, rel=1e-9)
    assert 58.6e3 < rack.rack.drop_pa < 126.9e3


def test_above_the_table_it_is_refused() -> None:
    with pytest.raises(FacilityError) as caught:
        design_of(GB300, "cooling.cdu.tcs_supply=47 degC", "cooling.facility_water.supply=43 degC")
    assert (caught.value.code, caught.value.where) == ("OUT_OF_RANGE", "cooling.cdu.tcs_supply")


def test_drops_of_the_table_follow_a_power_between_smooth_and_rough() -> None:
    rows = table("equipment/liquid_flow_tables").select(system="GB300 NVL72")
    flows = [row.si("required_flow_l_min") for row in rows]
    drops = [row.si("pressure_drop_kpa") for row in rows]
    exponents = [
        float(flow_exponent.si(*ends))
        for ends in zip(flows[:-1], drops[:-1], flows[1:], drops[1:], strict=True)
    ]
    assert all(1.7 < n < 2.0 for n in exponents)


def test_a_chip_on_its_plate_is_compared_with_its_limit() -> None:
    sets = (
        "cooling.liquid.cold_plate.chip_power=1 kW",
        "cooling.liquid.cold_plate.flow=1 L/min",
        "cooling.facility_water.source=tower_and_chiller",
        "cooling.liquid.cold_plate.case_max=60 degC",
    )
    hot = design_of(LIQUID, *sets)
    supply_c = hot.cooling_flow.tcs_supply_c
    assert hot.liquid_path.case_c == pytest.approx(supply_c + 24.5)
    assert case_temperature.si(supply_c, 0.0245, 1000.0) == pytest.approx(supply_c + 24.5)
    assert check(hot, "CASE-TEMPERATURE").failed
    cool = design_of(LIQUID, *sets[:3], "cooling.liquid.cold_plate.case_max=61 degC")
    assert check(cool, "CASE-TEMPERATURE").outcome is Outcome.PASS
    other = design_of(LIQUID, *sets, "cooling.cdu.fluid=PG25 mass")
    assert check(other, "CASE-TEMPERATURE").outcome is Outcome.NOT_EVALUATED
    assert check(design_of(LIQUID), "CASE-TEMPERATURE").outcome is Outcome.NOT_EVALUATED


def test_the_choice_repeats_the_design() -> None:
    for name in ("nvl72-hall", "mixed-hall"):
        found = reference(name)
        own = next(o for o in found.liquid_path.cdus if o.model == "XDU1350")
        counts = found.cooling.counts
        assert own.suits
        assert (own.duty, own.installed) == (counts.cdu_duty, counts.cdu)
        assert found.cooling.cdus is not None
        assert own.approach_k == pytest.approx(found.cooling.cdus.approach_k, rel=1e-9)


def test_what_a_row_does_not_say_makes_it_unfit() -> None:
    options = {o.model: o for o in reference("nvl72-hall").liquid_path.cdus}
    assert len(options) == len(table("equipment/cdu").rows)
    for row in table("equipment/cdu").rows:
        option = options[str(row["model"])]
        needed = ("capacity_kw", "atd_k", "secondary_flow_l_min", "external_head_kpa")
        if str(row["rejects_to"]) == "air":
            assert (option.suits, option.limit) == (False, "facility water")
        elif any(row[column] is None for column in needed):
            assert (option.suits, option.limit) == (False, "data")
            assert option.why


def test_cdus_that_suit_hold_every_limit() -> None:
    found = reference("nvl72-hall")
    design, loop = found.cooling.cdus, found.hydraulics.loop("tcs")
    assert design is not None
    assert loop is not None
    assert found.cooling.water is not None
    available_k = design.plan.tcs_supply_c - found.cooling.water.plan.supply_c
    suiting = [o for o in found.liquid_path.cdus if o.suits]
    assert suiting
    for option in suiting:
        row = table("equipment/cdu").get(option.model)
        assert option.duty * row.si("secondary_flow_l_min") >= design.tcs_flow_m3_s * (1 - 1e-9)
        assert option.duty * row.si("capacity_kw") >= design.design_w
        assert option.approach_k is not None
        assert option.approach_k <= available_k + 1e-6
    order = [(not o.suits, o.installed) for o in found.liquid_path.cdus]
    assert order == sorted(order)


@pytest.mark.parametrize(
    ("mount", "model"),
    [("in-row", "XDU1350"), ("row/perimeter", "CHx2000"), ("in-rack", "CoolChip CDU 121")],
)
def test_the_place_chooses_the_unit(mount: str, model: str) -> None:
    found = design_of(LIQUID, f"cooling.liquid.cdu_mount={mount}")
    assert found.facility.cooling.cdu is not None
    assert found.facility.cooling.cdu.unit.model == model
    assert check(found, "CDU-SELECTION").outcome is Outcome.PASS
    assert "cooling.cdu.model" in found.ledger


def test_a_unit_in_each_rack_is_counted_by_rack() -> None:
    chosen = design_of(LIQUID, "cooling.liquid.cdu_mount=in-rack")
    assert chosen.cooling.counts.cdu == 6  # two racks of 130 L/min: two of 120 L/min and a spare
    pooled = design_of(LIQUID, "cooling.cdu.model=CoolChip CDU 121")
    assert check(pooled, "CDU-SELECTION").failed


def test_no_unit_that_suits_is_an_error_with_the_reasons() -> None:
    with pytest.raises(FacilityError) as caught:
        design_of(LIQUID, "cooling.liquid.cdu_mount=in-rack", "cooling.liquid.head_margin=40 %")
    assert (caught.value.code, caught.value.exit_code) == ("CDU_NONE_SUITS", 4)
    assert "115" in caught.value.message


def test_a_unit_that_heats_the_room_is_refused() -> None:
    with pytest.raises(FacilityError) as caught:
        design_of(LIQUID, "cooling.cdu.model=AHx240")
    assert caught.value.code == "CDU_TO_AIR"


_RATING = (
    "cooling.cdu.rating.capacity=800 kW",
    "cooling.cdu.rating.approach=4 K",
    "cooling.cdu.rating.tcs_flow=900 L/min",
)


def test_a_rating_of_your_own_is_judged_like_the_others() -> None:
    unknown = design_of(LIQUID, *_RATING)
    assert check(unknown, "CDU-SELECTION").outcome is Outcome.NOT_EVALUATED
    weak = design_of(LIQUID, *_RATING, "cooling.cdu.rating.head=90 kPa")
    assert check(weak, "CDU-SELECTION").failed
    assert any(c.rule == "TCS-HEAD" and c.failed for c in weak.hydraulics.checks)
    named = design_of(
        LIQUID, *_RATING, "cooling.cdu.rating.head=300 kPa", "cooling.cdu.rating.model=XDU1350"
    )
    own = [o for o in named.liquid_path.cdus if o.model == "XDU1350"]
    assert [o.head_pa for o in own] == [300e3]


def test_the_supply_outside_the_range_of_the_unit_is_a_violation() -> None:
    found = design_of(
        LIQUID,
        "cooling.cdu.model=XDU1350",
        "cooling.cdu.tcs_supply=9 degC",
        "cooling.facility_water.supply=5 degC",
        "cooling.facility_water.source=chilled_water",
        "cooling.plant.chilled_water_supply=3 degC",
    )
    (failed,) = [c for c in found.liquid_path.checks if c.rule == "CDU-RANGE" and c.failed]
    assert (failed.severity.value, failed.limit) == ("VIOLATION", 10.0)


@given(st.floats(0.3, 3.0), st.floats(0.0, 2.0))
def test_more_facility_water_never_raises_the_approach(low: float, more: float) -> None:
    cdus = reference("nvl72-hall").cooling.cdus
    assert cdus is not None
    at = [
        cdus.approach_with(cdus.duty, cdus.design_w, cdus.tcs_flow_m3_s, x * cdus.fws_flow_m3_s)
        for x in (low, low + more)
    ]
    assert at[1] <= at[0] + 1e-9


@pytest.mark.parametrize("sets", [(), ("cooling.cdu.tcs_flow=700 L/min",)])
def test_racks_share_what_is_pumped(sets: tuple[str, ...]) -> None:
    found = reference("mixed-hall", *sets)
    plan = found.facility.cooling.liquid
    assert plan is not None
    pumped = sum(rack.count * rack.flow_m3_s for rack in plan.racks)
    assert pumped == pytest.approx(found.cooling_flow.tcs_flow_m3_s, rel=1e-9)


def test_rack_heats_sum_to_the_load() -> None:
    found = reference("nvl72-hall")
    it: ItPlan = found.facility.it
    rows = found.liquid_path.racks
    assert sum(r.rack.count * r.rack.liquid_w for r in rows) == pytest.approx(
        sum(rack.count * rack.liquid_w for rack in it.racks)
    )
    assert all(r.rack.liquid_w + r.rack.air_w == pytest.approx(132e3) for r in rows)


@pytest.mark.parametrize(
    ("supply_c", "expected"), [(17.0, "W17"), (17.1, "W27"), (40.0, "W40"), (46.0, "W+")]
)
def test_classes(supply_c: float, expected: str) -> None:
    plan = reference("nvl72-hall").facility.cooling.liquid
    assert plan is not None
    assert class_of(plan.water_classes, supply_c) == expected
    assert class_of(plan.supply_classes, 51.0) == "above S50"


def test_the_checklist_has_the_numbers_of_the_design() -> None:
    found = reference("nvl72-hall")
    results = found.all_results
    assert results["tcs.test_pressure"].si == pytest.approx(7.5e5)  # 1.5 times 5 bar
    assert results["tcs.supply_least"].si == pytest.approx(17.0)  # dew point of 15 and 2 K
    assert results["tcs.class"].si == "S45"
    assert results["fws.class"].si == "W40"
    loop = found.hydraulics.loop("tcs")
    assert loop is not None
    assert float(results["tcs.flush_velocity"].si) >= max(1.5, loop.flows[0].velocity_m_s)
    assert results["tcs.volume"].si == pytest.approx(loop.volume_m3)
    words = [step.words for step in found.liquid_path.steps]
    assert len(words) == len(set(words))
    filters = [s for s in found.liquid_path.steps if s.words.startswith("operating filter")]
    assert [(s.value, s.unit) for s in filters] == [(50.0, "um")]


def test_every_result_can_be_explained() -> None:
    found = reference("nvl72-hall")
    for key in found.liquid_path.results:
        assert explain_result(found, key)[0].startswith(key)


def test_by_air_there_is_no_liquid_path() -> None:
    found = reference("dgx-su-32")
    assert found.liquid_path is NO_LIQUID
    assert found.hydraulics.loop("tcs") is None


def test_the_drop_of_racks_follows_their_coolant() -> None:
    """(rho/rho0)^0.75 (mu/mu0)^0.25 over PG25 by CoolProp at 41 degC; of water as published.

    MPG and APG of CoolProp, by volume, differ from the table's Antifrogen L by some percent.
    """
    drops = {
        fluid: design_of(LIQUID, f"cooling.cdu.fluid={fluid}").liquid_path.racks[0].rack.drop_pa
        for fluid in ("water", "PG25", "PG60")
    }
    assert drops["water"] == drops["PG25"]
    assert drops["PG60"] / drops["PG25"] == pytest.approx(1.336, rel=0.03)
