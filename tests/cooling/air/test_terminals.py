"""Units of the halls: every kind closes its heat, and does what its rating says."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from facility.cooling.air.air_side import SupplyAir
from facility.cooling.air.crah import crah_coil, doors_of, hall_coil
from facility.cooling.air.terminals import max_coil_heat
from facility.cooling.chain.sizing import solve_cooling
from facility.core.errors import FacilityError
from facility.core.sources import PROJECT
from facility.core.trace import Trace, explain
from facility.model.cooling.units import CrahUnit
from facility.model.facility import Weather
from tests.cooling.helpers import AIR, LIQUID, Case, case, failed

KINDS = ("crah", "crac", "in-row", "rear-door", "active-rear-door", "fan-wall")
HALLS = (
    "it: {halls: [{name: One, rows: 3, racks: [{name: Nodes, count: 30, "
    "devices: [{model: DGX H100, count: 2}], feeds: [A, B, C]}]}]}"
)
COLD = Weather(2.0, 0.0, 101325.0)
HOT = Weather(38.0, 25.0, 101325.0)


_CRAC = "net_sensible: 100 kW, airflow: 7 m3/s, return_air: 36 degC"


def of(kind: str, more: str = "", it: str = AIR) -> Case:
    return case(it, f"{{air: {{terminal: {kind}}}{more}}}")


@pytest.mark.parametrize("kind", KINDS)
@settings(max_examples=20)
@given(part=st.floats(0.05, 1.0), dry_c=st.floats(-15.0, 42.0), depression=st.floats(0.5, 15.0))
def test_heat_balance_closes(kind: str, part: float, dry_c: float, depression: float) -> None:
    this = of(kind)
    heat = this.heat(part)
    flow = solve_cooling(this.sized(), heat, Weather(dry_c, dry_c - depression, 101325.0))
    given_w = flow.collected_w + flow.power.into_water_w
    assert flow.rejected_w == pytest.approx(given_w, rel=1e-12)
    fans_w = flow.power.crah_fans_w
    taken_w = flow.coils_w + flow.electrical_coils_w + flow.doors_w + flow.fresh_w
    assert taken_w == pytest.approx(
        flow.room_w + heat.electrical_room_w + heat.ventilation_w + fans_w, rel=1e-12
    )
    carried = flow.crah_airflow_m3_s * (flow.return_air_c - flow.supply_air_c)
    assert carried > 0.0
    assert flow.power.total_w == pytest.approx(flow.on_ups_w + flow.mech_w, rel=1e-12)


@pytest.mark.parametrize("kind", KINDS)
def test_no_capacity_rule_fails_as_designed(kind: str) -> None:
    design = of(kind).sized()
    assert not failed(design.checks) & {"CRAH-CAPACITY", "CRAH-AIRFLOW", "CHILLER-CAPACITY"}


@pytest.mark.parametrize("kind", ["in-row", "rear-door", "active-rear-door", "fan-wall", "crac"])
def test_what_a_row_lacks_is_named_and_marked(kind: str) -> None:
    this = of(kind)
    assumed = {entry.id: entry for entry in this.trace.ledger}
    recalled = [e for id, e in assumed.items() if id.startswith("cooling.air.rating.")]
    assert "cooling.air.rating.return_air" in assumed
    assert any(entry.source.verified == "memory" for entry in recalled)
    advice = [c for c in this.sized().checks if c.rule == "MEMORY-DATA" and c.failed]
    assert any(assumed["cooling.air.model"].text in c.subject for c in advice)


def test_units_of_a_row_serve_their_row() -> None:
    this = of("in-row", it=HALLS)
    design = this.sized()
    rows = this.chain.crah.path.groups
    assert [name for name, _ in rows] == ["One, row 1", "One, row 2", "One, row 3"]
    assert sum(share for _, share in rows) == pytest.approx(1.0)
    assert design.counts.crah == design.counts.crah_duty + 3
    assert design.counts.crah_duty % 3 == 0


_IBM = CrahUnit("door", 0.85 * 20e3, 1.2, 38.0, 18.0, 25.0, 0.0, 1.2, PROJECT, False)


def test_rear_door_falls_as_the_published_band() -> None:
    """A door that takes 85 % of 20 kW takes more heat, but a smaller part, of 32 kW.

    The published band of a passive door is 55 to 85 % of 20 to 32 kW, falling with the load.
    """
    coil = crah_coil(_IBM, 0.5)
    exhaust_c, inlet_c = _IBM.return_air_c, _IBM.return_air_c - 20e3 / _IBM.air_w_k
    air_w_k = 32e3 / (exhaust_c - inlet_c)
    taken_w = coil.heat(air_w_k, coil.second_w_k, exhaust_c, _IBM.water_in_c)
    assert taken_w > 0.85 * 20e3
    assert 0.55 <= taken_w / 32e3 <= 0.85


def test_door_takes_what_its_rack_gives_and_no_more() -> None:
    this = of("active-rear-door")
    air = SupplyAir(0.86, 1018.0, 1.17)
    doors = doors_of(this.chain, this.load.air_w, air)
    assert doors is not None
    assert sum(d.count * d.load_w for d in doors.kinds) == pytest.approx(this.load.air_w)
    for door in doors.kinds:
        assert door.taken_w <= door.load_w + door.fan_w
        assert door.taken_w <= door.capacity_w
        assert door.leaving_rise_k >= 0.0
    assert doors.share(0.25).taken_w == pytest.approx(0.25 * doors.taken_w)


@given(
    air_w_k=st.floats(200.0, 6000.0),
    hot_c=st.floats(25.0, 60.0),
    rise_k=st.floats(2.0, 12.0),
    warmer_k=st.floats(0.1, 10.0),
)
def test_most_heat_keeps_the_rise_and_its_monotony(
    air_w_k: float, hot_c: float, rise_k: float, warmer_k: float
) -> None:
    coil = crah_coil(_IBM, 0.5)
    taken_w = max_coil_heat(coil, air_w_k, hot_c, 18.0, rise_k)
    water_w_k = taken_w / rise_k
    assert 0.0 <= water_w_k <= coil.second_w_k * (1.0 + 1e-12)
    if 0.0 < water_w_k < coil.second_w_k * (1.0 - 1e-9):
        assert coil.heat(air_w_k, water_w_k, hot_c, 18.0) == pytest.approx(taken_w, rel=1e-9)
    assert max_coil_heat(coil, air_w_k, hot_c + warmer_k, 18.0, rise_k) >= taken_w * (1.0 - 1e-12)


def test_doors_leave_less_to_the_room_than_no_doors() -> None:
    heat = of("crah").heat()
    plain, passive, active = (
        solve_cooling(of(kind).sized(), heat, HOT)
        for kind in ("crah", "rear-door", "active-rear-door")
    )
    assert plain.doors_w == 0.0
    assert 0.5 * heat.air_it_w < passive.doors_w < heat.air_it_w
    fans_w = active.power.crah_fans_w
    assert heat.air_it_w < active.doors_w < heat.air_it_w + fans_w
    assert active.inlet_worst_c <= passive.inlet_worst_c
    assert active.inlet_c == pytest.approx(active.supply_air_c + 3.0)


def test_direct_coil_gives_its_rating_back() -> None:
    plan = of("crac").chain.crah
    coil, unit = hall_coil(plan), plan.unit
    assert plan.path.refrigerant is not None
    evaporating_c = plan.path.refrigerant.evaporating_c
    heat_w = coil.heat(unit.air_w_k, 1.0, unit.return_air_c, evaporating_c)
    derated = plan.path.refrigerant.capacity_ratio
    # A YCAL0033EE gives 0.883 of its capacity in air of 41 degC; Ashburn is hardly above the sea.
    assert 0.88 < derated < 0.90
    assert heat_w == pytest.approx(derated * (unit.net_sensible_w + unit.fan_w))
    less_w = coil.heat(0.5 * unit.air_w_k, 1.0, unit.return_air_c, evaporating_c)
    assert 0.5 * heat_w < less_w < heat_w


def test_crac_has_no_water_and_pays_for_a_hot_day() -> None:
    this = of("crac")
    design, heat = this.sized(), this.heat()
    hot, cold = solve_cooling(design, heat, HOT), solve_cooling(design, heat, COLD)
    assert design.counts.chillers == 0
    assert design.counts.rejection == 0
    assert hot.chw_flow_m3_s == 0.0
    assert hot.power.chw_pumps_w == 0.0
    assert hot.power.condenser_pumps_w == 0.0
    assert hot.chiller_cop < 0.6 * cold.chiller_cop
    plan = this.chain.chilled_water.chiller
    assert this.chain.crah.path.refrigerant is not None
    evaporating_k = this.chain.crah.path.refrigerant.evaporating_c + 273.15
    carnot = evaporating_k / (hot.condenser_out_c + 273.15 - evaporating_k)
    assert hot.chiller_cop == pytest.approx(plan.carnot_fraction * carnot, rel=1e-9)


def test_crac_warns_beyond_its_outdoor_rating() -> None:
    for outdoor_c, fails in ((30.0, True), (60.0, False)):
        cooling = f"{{air: {{terminal: crac, rating: {{{_CRAC}, outdoor: {outdoor_c} degC}}}}}}"
        assert ("CRAC-OUTDOOR" in failed(case(AIR, cooling).sized().checks)) is fails


@pytest.mark.parametrize(
    ("cooling", "code", "where"),
    [
        (
            "{air: {terminal: in-row, model: InRow RC ACRC600}}",
            "UNKNOWN_VALUE",
            "equipment/in_row_rdhx[InRow RC ACRC600].capacity_kw",
        ),
        ("{air: {terminal: in-row, model: ChilledDoor M16}}", "AIR_KIND", "cooling.air.model"),
        ("{air: {terminal: in-row, model: Nonsense}}", "UNKNOWN_MODEL", "cooling.air.model"),
        ("{air: {terminal: crac, model: Nonsense}}", "UNKNOWN_MODEL", "cooling.air.model"),
        ("{air: {model: CoolLoop DCD35}}", "AIR_CONTRADICTION", "cooling.air.model"),
        (
            "{air: {terminal: in-row, supply: raised-floor}}",
            "AIR_CONTRADICTION",
            "cooling.air.supply",
        ),
        ("{air: {terminal: crac, room_rise: 3 K}}", "AIR_CONTRADICTION", "cooling.air.room_rise"),
        (
            "{air: {terminal: crac}, plant: {delta_t: 6 K}}",
            "AIR_CONTRADICTION",
            "cooling.plant.delta_t",
        ),
        (
            "{air: {terminal: crac}, crah: {model: 'CRAH 150 kW, 36/24 air, 18/26 water'}}",
            "AIR_CONTRADICTION",
            "cooling.crah",
        ),
        (
            "{air: {terminal: fan-wall, rating: {net_sensible: 300 kW, airflow: 20 m3/s, "
            "return_air: 36 degC}}}",
            "AIR_RATING",
            "cooling.air.rating.water_in",
        ),
        (
            "{air: {terminal: fan-wall, rating: {net_sensible: 300 kW, airflow: 20 m3/s, "
            "return_air: 36 degC, water_in: 20 degC, water_out: 19 degC}}}",
            "AIR_RATING",
            "cooling.air.rating.water_out",
        ),
        (
            "{air: {terminal: rear-door, rating: {net_sensible: 30 kW, airflow: 2 m3/s, fan_power: "
            "1 kW, return_air: 40 degC, water_in: 18 degC, water_out: 24 degC}}}",
            "AIR_RATING",
            "cooling.air.rating.fan_power",
        ),
        (
            "{air: {terminal: crac, rating: {net_sensible: 100 kW, airflow: 3 m3/s, "
            "return_air: 36 degC}}}",
            "OUT_OF_RANGE",
            "cooling.air.rating",
        ),
    ],
)
def test_wrong_input_is_refused(cooling: str, code: str, where: str) -> None:
    with pytest.raises(FacilityError) as caught:
        case(AIR, cooling).sized()
    assert caught.value.code == code
    assert caught.value.where.startswith(where)


@pytest.mark.parametrize(
    ("cooling", "loop"),
    [
        (
            "{air: {terminal: in-row}, plant: {chilled_water_supply: 30 degC}}",
            "30 degC chilled water",
        ),
        (
            "{air: {terminal: rear-door}, plant: {chilled_water_supply: 30 degC}}",
            "30 degC chilled water",
        ),
        (
            "{air: {terminal: crac, rating: {net_sensible: 50 kW, airflow: 7 m3/s, "
            "return_air: 36 degC, evaporating: 25 degC}}, supply_air: 22 degC}",
            "at 25 degC",
        ),
    ],
)
def test_supply_colder_than_the_coil_is_refused(cooling: str, loop: str) -> None:
    with pytest.raises(FacilityError) as caught:
        case(AIR, cooling).sized()
    assert caught.value.code == "CRAH_INFEASIBLE"
    assert loop in str(caught.value)
    assert caught.value.exit_code == 4


def test_facility_water_has_no_chilled_water_from_cracs() -> None:
    cooling = "{air: {terminal: crac}, facility_water: {source: chilled_water}}"
    with pytest.raises(FacilityError) as caught:
        case(LIQUID, cooling)
    assert caught.value.code == "AIR_CONTRADICTION"
    assert case(LIQUID, "{air: {terminal: crac}, facility_water: {source: tower}}").sized().counts


@pytest.mark.parametrize("kind", KINDS)
def test_every_watt_can_be_asked_for(kind: str) -> None:
    this, trace = of(kind), Trace()
    solve_cooling(this.sized(), this.heat(), HOT, trace)
    text = "\n".join(explain(trace, "load.cooling"))
    assert "crah.fan_power" in text
    assert ("doors.fan_power" in text) == ("rear-door" in kind)
