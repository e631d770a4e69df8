"""From the cooling section to the chain: defaults named, givens kept, contradictions refused."""

from __future__ import annotations

import math

import psychrolib
import pytest

from facility.catalogue import Row, sources, table
from facility.cooling.air.crah import hall_coil
from facility.cooling.chain.sizing import solve_cooling
from facility.core.errors import FacilityError
from facility.files.project.file import parse_project, problems
from tests.cooling.helpers import AIR, LIQUID, WARM, case

OWN_SOURCES = {"derivation", "definition", "project", "assumption", "sum"}


def refused(it: str, cooling: str, site: str = "{station: ashburn}") -> FacilityError:
    with pytest.raises(FacilityError) as caught:
        case(it, cooling, site).sized()
    return caught.value


def section_errors(cooling: str) -> list[FacilityError]:
    return problems(f"schema_version: 1\n{AIR}\ncooling: {cooling}\n")


@pytest.mark.parametrize("it", [AIR, LIQUID])
def test_every_default_of_the_cooling_is_in_the_ledger_with_a_known_source(it: str) -> None:
    ledger = [a for a in case(it).trace.ledger if a.id.startswith("cooling.")]
    assert len(ledger) > 30
    known = set(sources()) | OWN_SOURCES
    assert not [a.id for a in ledger if a.source.id not in known]
    assert not [a.id for a in ledger if not a.basis]
    ids = {a.id for a in ledger}
    assert {
        "cooling.supply_air",
        "cooling.bypass",
        "cooling.crah.model",
        "cooling.containment",
        "cooling.plant.chilled_water_supply",
        "cooling.plant.chiller.cop_limit",
        "cooling.outdoor_recirculation",
        "cooling.room_dew_point",
        "cooling.method",
    } <= ids


def test_what_is_given_is_not_an_assumption() -> None:
    cooling = (
        "{method: air, supply_air: 22 degC, server_delta_t: 14 K, containment: cold-aisle, "
        "bypass: 6 %, recirculation: 3 %, room_dew_point: 12 degC, outdoor_recirculation: 2 K, "
        "on_ups: [], crah: {redundancy: N+2}, plant: {chilled_water_supply: 16 degC, delta_t: 7 K, "
        "condenser_range: 6 K, heat_rejection: tower, pump: {head: 200 kPa, efficiency: 70 %}, "
        "chiller: {capacity: 300 kW, redundancy: N, carnot_fraction: 0.6}}}"
    )
    this = case(AIR, cooling)
    chain = this.chain
    ids = {a.id for a in this.trace.ledger}
    for given in (
        "supply_air",
        "containment",
        "bypass",
        "recirculation",
        "room_dew_point",
        "method",
        "outdoor_recirculation",
        "crah.redundancy",
        "plant.delta_t",
        "plant.heat_rejection",
        "plant.pump.head",
        "plant.chiller.redundancy",
        "plant.chiller.largest",
        "plant.condenser_range",
        "on_ups.crah_fans",
    ):
        assert f"cooling.{given}" not in ids
    crah, water = chain.crah, chain.chilled_water
    assert (crah.supply_air_c, crah.server_rise_k, crah.bypass) == (22.0, 14.0, 0.06)
    assert crah.spares.installed(5) == 7
    assert (water.supply_c, water.rise_k, water.condenser_range_k) == (16.0, 7.0, 6.0)
    assert water.pump.head_pa == 200e3
    assert (water.chiller.capacity_w, water.chiller.carnot_fraction) == (300e3, 0.6)
    assert water.chiller.spares.installed(2) == 2
    assert not crah.on_ups
    assert chain.recirculation_k == 2.0


def test_server_rise_is_that_of_the_data_sheet() -> None:
    """DGX H100: 10.2 kW in 1105 cfm; DGX B200 by its planning guide at 150 cfm/kW.

    Air of 24 degC and 15 degC dew point at 101,325 Pa: by psychrolib 0.85623 m3 for each kg of dry
    air, which takes 1.0258 kJ/K: 10,200 x 0.85623 / (1,025.8 x 0.52150) K, and for each kilowatt
    1,000 x 0.85623 / (1,025.8 x 0.070792). Standard air would rise by 16.2 and 11.7 K.
    """
    trace = case(AIR).trace
    assert trace.value("cooling.server_rise.DGX H100") == pytest.approx(16.326, abs=0.01)
    b200 = case("it: {gpu_model: B200 SXM, gpus: 256, server: DGX B200}")
    assert b200.trace.value("cooling.server_rise.DGX B200") == pytest.approx(11.790, abs=0.01)
    assert case(AIR).chain.crah.inlet_limit_c == 30.0


def test_chillers_take_the_carnot_fraction_of_a_curve_inside_its_box() -> None:
    york = "{plant: {chiller: {model: York YT 1055kW/5.96COP/Vanes}}}"
    chiller = case(AIR, york).chain.chilled_water.chiller
    assert chiller.carnot_fraction == pytest.approx(0.6873, rel=1e-3)  # CHL25
    air_cooled = case(AIR, "{plant: {heat_rejection: air_cooled}}").chain.chilled_water.chiller
    assert 0.4 < air_cooled.carnot_fraction < 0.6
    rated = case(AIR, "{plant: {chiller: {model: WSC100M}}}").chain.chilled_water.chiller
    assert rated.capacity_w == 2464e3
    curve = "{plant: {chiller: {model: 'York YT 1055kW/5.96COP/Vanes'}}}"
    assert case(AIR, curve).chain.chilled_water.chiller.capacity_w == pytest.approx(
        1065.9e3, rel=1e-3
    )


@pytest.mark.parametrize(("supply_c", "outside"), [(12.0, False), (13.0, True), (18.0, True)])
def test_chilled_water_beyond_the_curves_says_that_the_lift_model_holds(
    supply_c: float, outside: bool
) -> None:
    """No public set of a water-cooled chiller goes beyond 12.8 degC; York YT ends at 12.78."""
    model = "chiller: {model: York YT 563kW/10.61COP/Vanes, performance: curves}"
    plant = f"{{plant: {{chilled_water_supply: {supply_c} degC, {model}}}}}"
    (check,) = (c for c in case(AIR, plant).sized().checks if c.rule == "CURVE-BOX-WATER")
    assert check.failed is outside
    assert check.limit == pytest.approx(12.78, abs=0.005)
    assert ("lift model" in check.why) is outside


def test_method_follows_the_equipment() -> None:
    assert case(AIR).chain.method == "air"
    assert case(LIQUID).chain.method == "hybrid"
    assert case(LIQUID).chain.cdu is not None
    assert case(AIR).chain.cdu is None


def test_facility_water_is_cooled_by_the_simplest_means_that_hold_it() -> None:
    """Ashburn at 39.7 C dry bulb and 28.9 C wet bulb: towers for W40, and for W32 with a trim."""

    def source(it: str, cooling: str = "{}") -> str:
        water = case(it, cooling).chain.facility_water
        assert water is not None
        return f"{water.source} and chiller" if water.trim else water.source

    assert source(LIQUID) == "tower"
    assert source(LIQUID.replace("W40", "W32")) == "tower and chiller"
    cold = "{plant: {chilled_water_supply: 6 degC}, facility_water: {supply: 8 degC}}"
    assert source(LIQUID, cold) == "chilled_water"
    assert source(LIQUID, "{cdu: {tcs_supply: 48 degC}}") == "tower"
    warm = "{cdu: {tcs_supply: 50 degC}, facility_water: {supply: 45 degC}}"
    assert source(LIQUID, warm) == "dry_cooler"


_MILD = (
    "{place: Nairobi, country: KE, elevation: 1795 m, design_dry_bulb: 30 degC, design_wet_bulb: "
    "19 degC, mean_dry_bulb: 19 degC, mean_wet_bulb: 15 degC, coldest_dry_bulb: 8 degC}"
)


def test_towers_pass_more_water_before_chilled_water_helps_them() -> None:
    """At 20 degC entering wet bulb the YorkCalc tower comes to 5.05 K with a range of 5.6 K.

    26.7 degC behind an exchanger of 1.7 K: class W27 needs no chiller. With the 10 K of the CDUs,
    and equal flows through the exchanger, it does.
    """
    w27 = LIQUID.replace("W40", "W27")
    found = case(w27, "{}", _MILD).chain.facility_water
    assert found is not None
    assert (found.source, found.trim) == ("tower", False)
    assert 5.6 < found.tower_range_k < 7.0
    alike = case(w27, "{facility_water: {tower_range: 10 K}}", _MILD).chain.facility_water
    assert alike is not None
    assert (alike.source, alike.trim) == ("tower", True)
    warm = case(LIQUID, "{}", _MILD).chain.facility_water
    assert warm is not None
    assert (warm.source, warm.tower_range_k) == ("dry_cooler", math.inf)


@pytest.mark.parametrize("source", ["dry_cooler_and_chiller", "tower_and_chiller", "chilled_water"])
def test_open_chilled_water_is_an_exchanger_colder_than_the_water_it_cools(source: str) -> None:
    """17 degC of class W17 less the 3 degF of the exchanger, to the tenth below."""
    w17 = LIQUID.replace("W40", "W17")
    found = case(w17, f"{{facility_water: {{source: {source}}}}}").chain
    assert found.chilled_water.supply_c == pytest.approx(15.3)
    assert found.facility_water is not None
    assert found.facility_water.supply_c == pytest.approx(17.0)


@pytest.mark.parametrize(("supply_c", "missed_k"), [(26.7, 0.02), (25.7, 1.02), (24.2, 2.52)])
def test_the_share_of_chilled_water_ends_at_nothing_where_towers_suffice(
    supply_c: float, missed_k: float
) -> None:
    """At 20 degC entering wet bulb cells at their range of 5.6 K make 26.72 degC, as above.

    What they miss is the part of the rise that chilled water takes: no step where it ends.
    """
    supply = f"{{facility_water: {{supply: {supply_c} degC}}}}"
    one = case(LIQUID.replace("W40", "W32"), supply, _MILD)
    water = one.sized().water
    assert (water.plan.source, water.plan.trim) == ("tower", True)
    whole_k = water.sink.range_k / water.tower_part
    assert water.chilled_w / water.sink.heat_w == pytest.approx(missed_k / whole_k, abs=0.004)


def test_towers_that_are_alone_come_as_close_to_a_stated_class_as_they_can() -> None:
    """At 28.2 degC entering wet bulb no range makes the 27 degC of the class.

    CRACs have no chilled water to help; a class left open follows what the towers make.
    """
    humid = _MILD.replace("19 degC, mean_dry", "28 degC, mean_dry")
    w27 = LIQUID.replace("W40", "W27")
    for cooling in ("{facility_water: {source: tower}}", "{air: {terminal: crac}}"):
        found = case(w27, cooling, humid).chain.facility_water
        assert found is not None
        assert (found.source, found.trim) == ("tower", False)
        assert found.tower_range_k == pytest.approx(5.6, abs=0.05)
    helped = case(w27, "{}", humid).chain.facility_water
    assert helped is not None
    assert helped.source != "tower" or helped.trim


def test_open_outdoor_air_keeps_the_recommended_humidity_of_cold_supply_air() -> None:
    """70 % of 18 degC air is 12.4 degC dew point (psychrolib: 12.44), under the 15 of the class."""
    direct = "economizer: {kind: air-side-direct}"
    cold = case(AIR, f"{{supply_air: 18 degC, {direct}}}").chain.economizer
    assert cold.dew_point_max_c == pytest.approx(12.4)
    warm = case(AIR, f"{{supply_air: 24 degC, {direct}}}").chain.economizer
    assert warm.dew_point_max_c == pytest.approx(15.0)
    dry = "economizer: {kind: air-side-direct, dew_point_min: 13 degC}"
    with pytest.raises(FacilityError) as caught:
        case(AIR, f"{{supply_air: 18 degC, {dry}}}")
    assert caught.value.where == "cooling.economizer.dew_point_min"


def test_more_tower_water_is_pumped_and_carries_the_same_heat() -> None:
    flows = []
    for range_k in (5.6, 8.0):
        one = case(
            LIQUID, f"{{facility_water: {{source: tower, tower_range: {range_k} K}}}}", _MILD
        )
        flow = solve_cooling(one.sized(), one.heat(), one.site.design)
        into_w = flow.power.total_w - flow.power.heat_rejection_fans_w
        assert flow.rejected_w == pytest.approx(flow.collected_w + into_w, rel=1e-9)
        assert one.sized().water.sink.range_k == pytest.approx(range_k)
        said = [c.why for c in flow.checks if c.rule == "FWS-TEMPERATURE"]
        assert f"a range of {range_k:.1f} K (cooling.facility_water.tower_range)" in said[0]
        flows.append(one.sized().water.sink.loop.flow_m3_s)
    assert flows[0] / flows[1] == pytest.approx(8.0 / 5.6, rel=0.02)


@pytest.mark.parametrize(
    ("cooling", "remedy"),
    [
        ("{facility_water: {source: dry_cooler, tower_range: 6 K}}", "tower"),
        ("{facility_water: {source: tower, tower_range: 20 K}}", "at most 13."),
    ],
)
def test_a_tower_range_that_changes_nothing_is_refused(cooling: str, remedy: str) -> None:
    with pytest.raises(FacilityError, match="COOLING_CONTRADICTION") as caught:
        case(WARM, cooling, _MILD)
    assert remedy in caught.value.hint


def test_coolant_flow_follows_what_the_racks_ask_for() -> None:
    gb200 = case(LIQUID).chain.cdu
    assert gb200 is not None
    assert gb200.tcs_flow_m3_s * 60e3 == pytest.approx(8 * 130.0)
    gb300 = case(
        LIQUID.replace("B200 NVL72", "B300 NVL72"), "{cdu: {tcs_supply: 40 degC}}"
    ).chain.cdu
    assert gb300 is not None
    assert gb300.tcs_flow_m3_s * 60e3 == pytest.approx(8 * 119.0)  # 119 L/min at 40 C
    given = case(LIQUID, "{cdu: {tcs_flow: 900 L/min}}")
    assert given.chain.cdu is not None
    assert given.chain.cdu.tcs_flow_m3_s == pytest.approx(0.015)
    checks = {c.rule for c in given.sized().checks if c.failed}
    assert "TCS-FLOW" in checks
    by_rise = case(LIQUID, "{cdu: {tcs_delta_t: 10 K}}").chain.cdu
    assert by_rise is not None
    kilowatts = case(LIQUID).load.liquid_w / 1e3
    assert by_rise.tcs_flow_m3_s * 60e3 / kilowatts == pytest.approx(1.489, rel=0.003)


def test_own_rating_points_are_taken() -> None:
    rating = (
        "{model: Mine, net_sensible: 120 kW, airflow: 30000 m3/h, return_air: 36 degC, "
        "supply_air: 24 degC, water_in: 14 degC, water_out: 22 degC, fan_power: 4 kW}"
    )
    unit = case(AIR, "{crah: {rating: " + rating + "}}").chain.crah.unit
    assert (unit.model, unit.net_sensible_w, unit.fan_w) == ("Mine", 120e3, 4e3)
    assert not unit.from_memory
    water = case(AIR, "{crah: {rating: " + rating + "}}").chain.chilled_water
    assert (water.supply_c, water.rise_k) == (14.0, 8.0)
    without_fan = rating.replace(", fan_power: 4 kW", "")
    unit = case(AIR, "{crah: {rating: " + without_fan + "}}").chain.crah.unit
    assert unit.fan_w == pytest.approx(1420.0 * 30000 / 3600)  # 0.67 W/cfm, in the ledger
    cdu = "{cdu: {rating: {capacity: 600 kW, approach: 4 K, tcs_flow: 900 L/min}}}"
    own = case(LIQUID, cdu).chain.cdu
    assert own is not None
    assert own.unit.fws_flow_m3_s == own.unit.tcs_flow_m3_s == pytest.approx(0.015)
    cooler = (
        "{facility_water: {source: dry_cooler, supply: 45 degC, rejection: {dry_cooler: {heat: "
        "1 MW, air_in: 35 degC, fluid_in: 50 degC, fluid_out: 42 degC, fan_power: 25 kW}}}, "
        "cdu: {tcs_supply: 50 degC}}"
    )
    design = case(LIQUID, cooler).sized()
    assert design.water is not None
    assert design.water.sink is not None
    density = 100343.8 / 101325.0 * (273.15 + 35.0) / (273.15 + 40.7)  # of the site, at 40.7 degC
    assert design.water.sink.fan_w == pytest.approx(25e3 * density * design.water.sink.duty)


@pytest.mark.parametrize(
    ("it", "cooling", "code", "where"),
    [
        (AIR, "{method: hybrid}", "NO_LIQUID_RACKS", "cooling.method"),
        (AIR, "{crah: {model: CyberAir}}", "UNKNOWN_MODEL", "cooling.crah.model"),
        (AIR, "{crah: {model: Liebert PCW 100}}", "UNKNOWN_VALUE", "airflow_m3_h"),
        (AIR, "{crah: {fan_curve: cubic}}", "UNKNOWN_MODEL", "cooling.crah.fan_curve"),
        (AIR, "{plant: {chiller: {model: 19XR}}}", "UNKNOWN_MODEL", "cooling.plant.chiller.model"),
        (
            AIR,
            "{plant: {heat_rejection: tower, chiller: {model: 30XA500}}}",
            "CHILLER_KIND",
            "plant.chiller.model",
        ),
        (LIQUID, "{cdu: {model: AHx240}}", "CDU_TO_AIR", "cooling.cdu.model"),
        (LIQUID, "{cdu: {fluid: PG26}}", "UNKNOWN_FLUID", "cooling.cdu.fluid"),
        (
            LIQUID,
            "{cdu: {tcs_supply: 16 degC}, plant: {chilled_water_supply: 18 degC}}",
            "COOLING_CONTRADICTION",
            "cooling.facility_water.supply",
        ),
        (
            LIQUID,
            "{cdu: {tcs_supply: 10 degC}}",
            "COOLING_CONTRADICTION",
            "cooling.facility_water.supply",
        ),
        (
            LIQUID,
            "{cdu: {tcs_supply: 30 degC}, facility_water: {supply: 31 degC}}",
            "COOLING_CONTRADICTION",
            "cooling.cdu.tcs_supply",
        ),
    ],
)
def test_wrong_choices_are_refused(it: str, cooling: str, code: str, where: str) -> None:
    error = refused(it, cooling)
    assert error.code == code
    assert where in error.where
    assert error.message


def test_facility_water_colder_than_the_chilled_water_says_what_would_do() -> None:
    """17 degC behind an exchanger of 3 F needs chilled water of 15.3 degC."""
    cold = LIQUID.replace("W40", "W17")
    error = refused(cold, "{plant: {chilled_water_supply: 18 degC}}")
    assert "cooling.plant.chilled_water_supply to 15.3 degC" in error.hint
    assert case(cold, "{plant: {chilled_water_supply: 15.3 degC}}").chain.facility_water is not None


def test_a_rating_that_does_not_balance_is_refused() -> None:
    rating = (
        "{net_sensible: 220 kW, airflow: 30000 m3/h, return_air: 36 degC, supply_air: 24 degC, "
        "water_in: 14 degC, water_out: 22 degC}"
    )
    error = refused(AIR, "{crah: {rating: " + rating + "}}")
    assert error.code == "CRAH_RATING"
    assert "120.7 kW" in error.message
    assert "220.0 kW" in error.message


@pytest.mark.parametrize(
    ("cooling", "code"),
    [
        ("{method: immersion}", "NOT_ONE_OF"),
        ("{supply_air: 24 K}", None),
        ("{supply_air: 24}", "UNIT_MISSING"),
        ("{supply_air: 24 kW}", "UNIT_WRONG"),
        ("{crah: {count: -1}}", None),
        ("{crah: {redundancy: 3N}}", "UNKNOWN_REDUNDANCY"),
        ("{method: air, cdu: {count: 2}}", "COOLING_CONTRADICTION"),
        ("{cdu: {tcs_flow: 900 L/min, tcs_delta_t: 10 K}}", "CDU_CONTRADICTION"),
        ("{chillers: 3}", None),
        ("{plant: {chiller: {carnot_fraction: 1.5}}}", "OUT_OF_RANGE"),
        ("{bypass: 95 %}", "OUT_OF_RANGE"),
        (
            "{crah: {model: A, rating: {net_sensible: 9 kW, airflow: 1 m3/s, return_air: 30 degC, "
            "water_in: 10 degC, water_out: 16 degC}}}",
            "CRAH_CONTRADICTION",
        ),
        (
            "{crah: {rating: {net_sensible: 9 kW, airflow: 1 m3/s, return_air: 30 degC, "
            "water_in: 16 degC, water_out: 10 degC}}}",
            "CRAH_RATING",
        ),
    ],
)
def test_a_section_that_is_wrong_is_one_coded_problem(cooling: str, code: str | None) -> None:
    found = section_errors(cooling)
    assert found
    assert found[0].where.startswith("cooling")
    if code is not None:
        assert found[0].code == code


@pytest.mark.parametrize(
    ("figures", "words"),
    [
        ("net_sensible: 10 kW, airflow: 80 m3/s", "drop is only 0.1 K"),
        ("net_sensible: 200 kW, airflow: 8 m3/s", "leaving air of 15.3 degC"),
        ("net_sensible: 100 kW, airflow: 8 m3/s, fan_power: 90 kW", "exceeds 20 %"),
    ],
)
def test_ratings_of_air_that_cannot_be_are_refused_with_what_is_wrong(
    figures: str, words: str
) -> None:
    """Air of 1.207 kJ/(m3 K): 36 degC less 200 kW in 8 m3/s is 15.3, under the water of 18."""
    for place, code in (("crah: {", "CRAH_RATING"), ("air: {terminal: in-row, ", "AIR_RATING")):
        rating = (
            f"rating: {{{figures}, return_air: 36 degC, water_in: 18 degC, water_out: 26 degC}}"
        )
        (found,) = section_errors(f"{{method: air, {place}{rating}}}}}")
        assert (found.code, words in found.message) == (code, True)


def test_the_section_is_kept_as_typed() -> None:
    text = f"schema_version: 1\n{AIR}\ncooling: {{supply_air: 75.2 degF}}\n"
    supply = parse_project(text).cooling.supply_air
    assert supply is not None
    assert supply.text == "75.2 degF"
    assert supply.si == pytest.approx(24.0)


@pytest.mark.parametrize(
    ("supply_c", "water_c"), [(27.0, 21.0), (24.0, 18.0), (20.0, 14.0), (12.0, 6.0), (10.0, 5.0)]
)
def test_the_supply_air_takes_the_chilled_water_along(supply_c: float, water_c: float) -> None:
    """Rated 24 degC air from 18 degC water: 6 K, down to water of 5 degC."""
    this = case(AIR, f"{{supply_air: {supply_c:g} degC}}")
    assert this.chain.chilled_water.supply_c == pytest.approx(water_c)
    assert "CRAH-CAPACITY" not in {c.rule for c in this.sized().checks if c.failed}
    stated = case(
        AIR, f"{{supply_air: {supply_c:g} degC, plant: {{chilled_water_supply: 5 degC}}}}"
    )
    assert stated.chain.chilled_water.supply_c == 5.0


@pytest.mark.parametrize("row", table("equipment/chillers").rows, ids=lambda row: row["model"])
def test_every_chiller_of_the_catalogue_can_be_chosen(row: Row) -> None:
    kind = "air_cooled" if str(row["type"]).startswith("air-cooled") else "tower"
    more = "" if row["cop"] is not None else ", carnot_fraction: 0.5"
    plant = f"{{plant: {{heat_rejection: {kind}, chiller: {{model: '{row['model']}'{more}}}}}}}"
    this = case(AIR, plant)
    chiller = this.chain.chilled_water.chiller
    assert chiller.capacity_w == pytest.approx(row.si("capacity_kw"), rel=0.2)
    assert 0.4 < chiller.carnot_fraction < 0.8
    assert this.sized().chilled.duty >= 1


def test_a_chiller_without_rating_conditions_takes_those_of_its_curves() -> None:
    """CVHF 2317 kW at 6.67 and 29.44 degC by plain arithmetic; 90.1 path A at AHRI 550/590.

    6.28 over the Carnot COP between 4.67 and 36.61 degC: 6.28 x 31.94 / 277.82.
    """
    set_of = table("cooling/chillers_eir").get("Trane CVHF 2317kW/6.33COP/VSD")
    x, y = 6.67, 29.44
    terms = dict(
        zip(("1", "x", "x2", "y", "y2", "xy"), (1, x, x * x, y, y * y, x * y), strict=True)
    )
    input_ratio = sum(set_of.si(f"eirft_{name}") * term for name, term in terms.items())
    at_full = sum(set_of.si(f"eirfplr_{name}") for name in ("1", "p", "p2"))
    cop = set_of.si("cop_ref") / (input_ratio * at_full)
    carnot = (6.67 - 2.0 + 273.15) / (y + 10.0 / 1.8 + 2.0 - 6.67 + 2.0)
    own = case(AIR, "{plant: {chiller: {model: CVHF 2317kW}}}").chain.chilled_water.chiller
    assert own.carnot_fraction == pytest.approx(cop / carnot, rel=1e-4)
    least = case(AIR, "{plant: {chiller: {model: 90.1 centrifugal path A}}}")
    assert least.chain.chilled_water.chiller.carnot_fraction == pytest.approx(0.722, abs=5e-4)
    assert least.chain.chilled_water.chiller.from_memory


def test_air_cooled_chillers_are_derated_with_the_elevation() -> None:
    """1,525 m (5,000 ft): 0.90 of the condenser and 0.97 of the unit, from Carrier's guide.

    15 K above the air at sea level are 16.67 K there. Lift in air of 40.7 degC and with refrigerant
    at 16 degC: 40.7 + 16.667 - 16 = 41.367 K against 39.7, so that the COP falls by
    (289.15 / 41.367) / (289.15 / 39.7): the power grows by 4.2 %. The load is the same; the loop
    holds water.
    """
    model = "plant: {fluid: water, heat_rejection: air_cooled, chiller: {model: 30XA300}}"
    low, high = (
        case(AIR, f"{{{model}}}", f"{{station: ashburn, elevation: {metres} m}}")
        for metres in (0, 1525)
    )
    sea, thin = low.chain.chilled_water, high.chain.chilled_water
    assert sea.chiller.capacity_w == pytest.approx(1010.2e3)
    assert thin.chiller.capacity_w == pytest.approx(0.97 * 1010.2e3)
    assert (sea.sink.approach_k, thin.sink.approach_k) == pytest.approx((15.0, 15.0 / 0.9))
    assert sea.chiller.carnot_fraction == thin.chiller.carnot_fraction
    at_sea = solve_cooling(low.sized(), low.heat(), low.site.design)
    in_thin_air = solve_cooling(high.sized(), high.heat(), high.site.design)
    assert in_thin_air.chiller_cop / at_sea.chiller_cop == pytest.approx(39.7 / 41.367, rel=1e-4)
    assert in_thin_air.room_w == pytest.approx(at_sea.room_w, rel=1e-9)
    stated = case(
        AIR,
        "{plant: {heat_rejection: air_cooled, chiller: {capacity: 900 kW}}}",
        "{station: ashburn, elevation: 1525 m}",
    )
    assert stated.chain.chilled_water.chiller.capacity_w == 900e3
    assert low.sized().chilled.plan.chiller.largest_w == 1609.4e3


@pytest.mark.parametrize(("metres", "left"), [(0, 1.0), (1000, 0.9344), (3050, 0.8), (4000, 0.8)])
def test_the_derating_is_linear_between_its_rows_and_ends_with_the_table(
    metres: float, left: float
) -> None:
    this = case(
        AIR, "{plant: {heat_rejection: air_cooled}}", f"{{station: ashburn, elevation: {metres} m}}"
    )
    entry = next(a for a in this.trace.ledger if a.id == "cooling.plant.rejection.altitude")
    assert this.trace.value(entry.id) == pytest.approx(left, abs=1e-4)
    assert ("end of the table" in entry.basis) is (metres > 3050)


def test_open_chilled_water_is_cold_enough_for_the_facility_water() -> None:
    """W17: 17 degC of facility water less 1.7 K of its exchanger is 15.3 degC of chilled water."""
    it = LIQUID.replace("W40", "W17")
    assert case(it, "{}").chain.chilled_water.supply_c == pytest.approx(15.3)
    assert case(LIQUID, "{}").chain.chilled_water.supply_c == 18.0


@pytest.mark.parametrize(
    ("water_c", "air_c"),
    [(16.0, 24.0), (18.0, 24.0), (19.0, 25.0), (20.0, 26.0), (22.0, 26.2), (26.0, 29.0)],
)
def test_open_supply_air_follows_stated_warmer_water(water_c: float, air_c: float) -> None:
    """6 K over the water as at the rating, to the recommended limit: 27 degC less 4 % of 20 K that
    returns is 26.2 degC. Water that leaves no coil 3 K below it makes air 3 K over the water."""
    found = case(AIR, f"{{plant: {{chilled_water_supply: {water_c} degC}}}}").chain.crah
    assert found.worst_recirculation == pytest.approx(0.04)
    assert found.supply_air_c == pytest.approx(air_c)


def test_loops_outdoors_hold_glycol_where_no_coldest_air_is_known() -> None:
    """Air-cooled chillers like dry coolers; a stated coldest air without frost asks for none."""
    place = "{place: X, country: MX, design_dry_bulb: 33 degC, design_wet_bulb: 20 degC%s}"
    outdoors = "{plant: {heat_rejection: air_cooled}}"
    unknown = case(AIR, outdoors, place % "")
    assert unknown.chain.chilled_water.fluid.name == "PG25"
    mild = case(AIR, outdoors, place % ", coldest_dry_bulb: 5 degC")
    assert mild.chain.chilled_water.fluid.name == "water"


@pytest.mark.parametrize("supply_c", [18.0, 19.5, 20.0, 22.0])
def test_the_open_dew_point_keeps_the_recommended_humidity(supply_c: float) -> None:
    """15 degC, and 70 % of the supply air: 12.45 degC of 18 degC by psychrolib."""
    chain = case(AIR, f"{{supply_air: {supply_c} degC}}").chain
    psychrolib.SetUnitSystem(psychrolib.SI)
    most_c = min(15.0, psychrolib.GetTDewPointFromRelHum(supply_c, 0.70))
    assert most_c - 0.11 <= chain.room_dew_point_c <= most_c


def test_heads_of_cracs_are_held_up_in_the_cold() -> None:
    """250 to 350 psi of R-410A condense at 29 to 41 degC (CoolProp): 35 at the usual approach."""
    plan = case(AIR, "{air: {terminal: crac}}").chain.chilled_water
    assert 29.0 < plan.min_water_c + plan.sink.approach_k < 41.0
    assert case(AIR).chain.chilled_water.min_water_c == 13.0
    floating = "{air: {terminal: crac}, plant: {condenser_water_least: 10 degC}}"
    assert case(AIR, floating).chain.chilled_water.min_water_c == 10.0


def test_the_largest_chiller_bounds_what_the_design_chooses() -> None:
    small = case(AIR, "{plant: {chiller: {largest: 150 kW}}}").sized().chilled
    assert small.duty == math.ceil(small.load_w / 150e3)
    assert small.capacity_w == pytest.approx(small.load_w / small.duty)
    high = "{place: X, country: MX, elevation: 2240 m, design_dry_bulb: 32 degC, design_wet_bulb: "
    high += "18 degC, coldest_dry_bulb: 2 degC}"
    text = "{plant: {heat_rejection: air_cooled, chiller: {largest: 150 kW}}}"
    assert case(AIR, text, high).chain.chilled_water.chiller.largest_w == 150e3


def test_compressors_of_cracs_give_less_in_thin_air() -> None:
    """1,525 m: 0.97 of the unit, from Carrier's guide; the same machine at sea level gives all."""
    low, high = (
        hall_coil(case(AIR, "{air: {terminal: crac}}", site=place).chain.crah).max_w
        for place in (f"{{station: ashburn, elevation: {height} m}}" for height in (0, 1525))
    )
    assert high / low == pytest.approx(0.97)


def test_cdus_far_below_their_rated_flow_give_way_to_a_better_film() -> None:
    """39.5 degC water for 45 degC coolant: PG50 takes less than a quarter, EG50 does not.

    At 40 degC neither does at the flow of the rating; a rise of 10 K, with more water, does.
    """
    water = "{method: hybrid, facility_water: {source: dry_cooler_and_chiller, supply: %s degC}}"
    film, more = (case(LIQUID, water % supply_c) for supply_c in ("39.5", "40"))
    for found, fluid, rise_k in ((film, "EG50 mass", None), (more, "PG50", 10.0)):
        plan, cdus = found.chain.facility_water, found.sized().cdus
        assert plan is not None
        assert cdus is not None
        assert (plan.fluid.name, plan.rise_k) == (fluid, rise_k)
        part = cdus.tcs_flow_m3_s / (cdus.installed * cdus.plan.unit.tcs_flow_m3_s)
        assert part == pytest.approx(1040.0 / (3 * 1200.0), abs=1e-3)
