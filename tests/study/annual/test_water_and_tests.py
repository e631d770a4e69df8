"""Water of pads and humidifiers and the tests of generators over the year, by other arithmetic."""

from __future__ import annotations

import numpy as np
import psychrolib
import pytest

from facility.catalogue import table
from facility.core.check import Outcome
from facility.study.design.design import Design
from tests.study.helpers import SHORTEST, design_of

PADS = (
    "cooling.economizer.kind=air-side-indirect",
    "cooling.economizer.evaporative_effectiveness=0.7",
)
HOUR_S = 3600.0


def results(found: Design) -> dict[str, float]:
    assert found.year is not None
    return {key: float(value.si) for key, value in found.year.results.items() if value.kind}


def test_pads_wet_the_air_up_to_what_they_evaporate() -> None:
    """Of scavenger air as much as the halls', wetted where dry air is too warm, at five cycles."""
    found = design_of(SHORTEST, *PADS)
    here, year = results(found), found.year
    assert year is not None
    assert here["water.annual.pads_bled"] == pytest.approx(here["water.annual.pads"] / 4.0)
    water = year.year.water
    hours, flow = year.year.hours, year.year.balance.cooling
    at = int(np.argmax(water.pads_m3_s))
    air, pressure_pa = hours.air, float(hours.air.pressure_pa[at])
    psychrolib.SetUnitSystem(psychrolib.SI)
    dry, wet = float(air.dry_bulb_c[at]), float(air.wet_bulb_c[at])
    warmer_k = found.facility.cooling.recirculation_k
    ratio = psychrolib.GetHumRatioFromTWetBulb(dry, wet, pressure_pa)
    raised = psychrolib.GetTWetBulbFromHumRatio(dry + warmer_k, ratio, pressure_pa)
    coldest = dry + warmer_k - 0.7 * (dry + warmer_k - raised)
    leaving = psychrolib.GetHumRatioFromTWetBulb(coldest, raised, pressure_pa)
    supply = float(np.asarray(hours.spread(flow.supply_air_c))[at])
    volume = psychrolib.GetMoistAirVolume(supply, ratio, pressure_pa)
    most = float(hours.spread(flow.crah_airflow_m3_s)[at]) / volume * (leaving - ratio) / 998.2
    assert water.pads_m3_s[at] == pytest.approx(most, rel=0.01), "the fans warm the coil's air"
    assert here["water.annual"] == pytest.approx(
        sum(v for k, v in here.items() if k.startswith("water.annual."))
    )
    bare = results(design_of(SHORTEST, PADS[0]))
    assert "water.annual.pads" not in bare
    assert here["annual.economizer.heat"] > bare["annual.economizer.heat"]


@pytest.mark.parametrize("kind", ["steam", "adiabatic"])
def test_humidifiers_bring_dry_hours_to_the_lowest_dew_point(kind: str) -> None:
    sets = (
        "site.station=fargo",
        "cooling.air.ventilation=1 m3/s",
        f"cooling.air.humidifier={kind}",
    )
    found = design_of(SHORTEST, *sets)
    here, year = results(found), found.year
    assert year is not None
    air = year.year.hours.air
    psychrolib.SetUnitSystem(psychrolib.SI)
    kept = [psychrolib.GetHumRatioFromTDewPoint(-9.0, float(p)) for p in air.pressure_pa]
    lacking = np.maximum(np.array(kept) - air.humidity_ratio, 0.0)
    volume = found.room_air.air.volume_m3_kg * found.facility.site.pressure_pa / air.pressure_pa
    kg = float((lacking / volume).sum()) * HOUR_S
    assert kg > 0.0
    assert here["water.annual.humidifiers"] == pytest.approx(kg / 998.2, rel=2e-3)
    steam_j = here["annual.cooling.humidification"]
    assert steam_j == pytest.approx(2.634e6 * kg if kind == "steam" else 0.0, rel=5e-3)
    assert found.all_results["cooling.humidification"].si == 0.0, "the design hour is damp"


def test_tests_of_generators_burn_what_the_sheet_says() -> None:
    """Every month half an hour; at a quarter of the rating the sheet prints the fuel."""
    own_set = "power.generator.model=C15 GC 500 ekW standby"
    found = design_of(SHORTEST, own_set, "power.generator.test_load=25 %")
    here, plant = results(found), found.chain.generators
    rows = table("electrical/generator_diesel").rows
    ratings = [row.si("rating_kw") for row in rows]
    flows = [row.si("gal_per_h_25pct") for row in rows]
    own = table("equipment/generators").select(model=plant.model)
    flow = float(np.interp(plant.rating_w, ratings, flows)) if not own else 0.0
    if own:
        flow = own[0].si("fuel_25_l_h")
    assert here["fuel.annual"] == pytest.approx(plant.count * flow * 6.0 * HOUR_S)
    meter = results(design_of(SHORTEST, own_set))["energy.annual"]
    assert here["energy.annual"] == meter, "on a load bank, beside the meter"


def test_no_fuel_is_said_where_the_sheet_does_not_reach() -> None:
    found = design_of(SHORTEST, "power.generator.test_load=10 %")
    assert found.year is not None
    assert "fuel.annual" not in found.year.results
    said = [check for check in found.year.checks if check.rule == "GENERATOR-TEST-LOAD"]
    assert [check.outcome for check in said] == [Outcome.NOT_EVALUATED]


def test_heaters_are_a_house_load_of_the_design_hour_and_of_every_hour() -> None:
    bare, heated = (design_of(SHORTEST, *sets) for sets in ((), ("house.generator_heaters=2 kW",)))
    apart = heated.point.demand.house_w - bare.point.demand.house_w
    assert apart == pytest.approx(2e3)
    of_year = results(heated)["energy.annual.house"] - results(bare)["energy.annual.house"]
    assert of_year == pytest.approx(2e3 * 8760 * HOUR_S)
    assert heated.year is not None
    failed = {check.rule for check in heated.year.checks if check.failed}
    assert "ANNUAL-METER" not in failed
