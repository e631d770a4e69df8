"""Air-cooled machines in air hotter than that of their rating, and what small plants choose."""

from __future__ import annotations

import pytest

from facility.catalogue import table
from facility.cooling.plant.chillers import default_chiller, published_range, ratio_in_hot_air
from facility.files.project.file import parse_project
from facility.study.design.design import Design, design
from tests.study.helpers import failed_rules

COEFFICIENTS = {
    # Capacity by water x and air y, EnergyPlus AirCooledChiller.idf; hottest published air.
    "YCAL0033EE": (
        (-0.2660645697, 0.0998714035, -0.0023814154, 0.0628316481, -0.0009644649, -0.0011249224),
        10.0, 51.67,
    ),
    "AGZ010BS": (
        (0.9297434402, 0.0503265306, -0.0001180758, -0.004555102, -1.88921e-05, -0.0003306122),
        10.0, 46.11,
    ),
}  # fmt: skip


@pytest.mark.parametrize("model", COEFFICIENTS)
def test_capacity_in_hot_air_is_that_of_the_published_curve(model: str) -> None:
    (c, x, x2, y, y2, xy), water_c, hottest_c = COEFFICIENTS[model]

    def capacity(air_c: float) -> float:
        whole = c + x * water_c + x2 * water_c**2
        return whole + y * air_c + y2 * air_c**2 + xy * water_c * air_c

    for air_c in (38.0, 44.0, hottest_c):
        expected = capacity(air_c) / capacity(35.0)
        assert ratio_in_hot_air(model, air_c) == pytest.approx(expected, rel=1e-9)
    assert ratio_in_hot_air(model, 35.0) == ratio_in_hot_air(model, 20.0) == 1.0
    assert ratio_in_hot_air(model, hottest_c + 0.1) is None


@pytest.mark.parametrize(("model", "within"), [("AGZ010BS", 0.03), ("YCAL0033EE", 0.10)])
def test_power_by_the_lift_holds_in_the_hottest_published_air(model: str, within: float) -> None:
    """At a constant Carnot fraction, 2 K and 15 K to the refrigerant: as the curves, or near."""
    curves, row = published_range(model), table("equipment/chillers").get(model)
    assert curves is not None
    water_c, air_c = curves.range_chw_c[1], min(curves.range_condenser_c[1], 49.7)

    def carnot(water: float, air: float) -> float:
        return (water - 2.0 + 273.15) / (air + 15.0 - water + 2.0)

    by_lift = row.si("cop") * carnot(water_c, air_c) / carnot(6.67, 35.0)
    assert curves.at(water_c, air_c, 1.0).cop == pytest.approx(by_lift, rel=within)


def test_machine_for_hot_air_carries_its_load_there() -> None:
    """At 49.7 degC only the YCAL are published: of 100.6 kW 0.604, of 54.2 kW 0.483 are left."""
    chosen = [
        default_chiller("air_cooled", w, by_curves=False, hot_c=49.7)[0] for w in (25e3, 60e3)
    ]
    assert chosen == ["YCAL0019EE", "YCAL0033EE"]
    # At 44 degC 0.922 of 47.1 kW, 43.4 kW.
    chosen = [
        default_chiller("air_cooled", w, by_curves=False, hot_c=44.0)[0] for w in (43e3, 44e3)
    ]
    assert chosen == ["AGZ013BS", "YCAL0033EE"]
    assert default_chiller("air_cooled", 40e3, by_curves=False, hot_c=60.0)[0] == "AGZ013BS"


def made(station: str, it: str, more: str = "") -> Design:
    text = f"schema_version: 1\nsite: {{station: {station}}}\nit: {{{it}}}\n"
    return design(parse_project(f"{text}power: {{redundancy: N+1}}\n{more}"))


_OF_PLANTS = {
    "AIR-DENSITY-LIMIT", "CDU-PLATE-FLOW", "COIL-FILM", "CRAC-OUTDOOR", "CURVE-BOX", "TOWER-SIZE",
}  # fmt: skip


@pytest.mark.parametrize("station", ["fargo", "phoenix", "miami"])
@pytest.mark.parametrize(
    "it", ["gpu_model: H100 SXM5, gpus: 8", "gpu_model: B200 NVL72, gpus: 72"], ids=["air", "nvl72"]
)
def test_smallest_plants_pass_the_rules_of_size_and_range(station: str, it: str) -> None:
    found = made(station, it)
    assert not _OF_PLANTS & set(failed_rules(found, "WARNING"))
    if "NVL72" in it:  # 130 L/min by units of 120 L/min: two and a spare; each at a fifth or more
        cdus = found.cooling.cdus
        assert cdus is not None
        assert cdus.plan.unit.model == "CoolChip CDU 121"
        assert 3 <= cdus.installed <= 130.0 / (0.2 * 120.0)


def test_racks_left_open_give_no_more_than_30_kw_to_air() -> None:
    """Four DGX H100 give 40.8 kW, two 20.4 kW; a rear door takes its heat at the rack."""
    servers = "gpu_model: H100 SXM5, gpus: 64"
    racks = [rack for rack in made("miami", servers).facility.it.racks if rack.purpose == "compute"]
    assert sum(rack.count for rack in racks) == 4
    doors = made("miami", servers, "cooling: {air: {terminal: active-rear-door}}\n")
    racks = [rack for rack in doors.facility.it.racks if rack.purpose == "compute"]
    assert sum(rack.count for rack in racks) == 2
