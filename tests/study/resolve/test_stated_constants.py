"""Constants of the planner that a project states: what is printed follows them."""

from __future__ import annotations

import pytest

from facility.core.errors import FacilityError
from tests.study.helpers import SHORTEST, design_of, si

_GPUS = ("it.gpus=512", "site.station=ashburn", "cooling.plant.chiller.count=3")
_LIQUID = (
    "cooling.method=hybrid",
    "it.gpu_model=B200 NVL72",
    "it.gpus=288",
    "site.station=ashburn",
)


def test_the_worst_inlet_is_that_of_the_exhaust_stated() -> None:
    found = design_of(SHORTEST, *_GPUS, "cooling.worst_recirculation=10 %")
    supply_c, rise_k, _ = (
        value for _, value, *_ in found.trace["air.exhaust_temperature_worst"].inputs
    )
    expected = supply_c + rise_k * 0.1 / 0.9
    assert si(found, "crah.inlet_temperature_worst") == pytest.approx(expected, rel=1e-12)


def test_the_carnot_fraction_of_a_machine_is_taken_with_the_approaches_stated() -> None:
    usual = design_of(SHORTEST, *_GPUS)
    stated = design_of(
        SHORTEST,
        *_GPUS,
        "cooling.plant.chiller.evaporator_approach=3 K",
        "cooling.plant.chiller.condenser_approach=4 K",
    )
    step = "cooling.plant.chiller.carnot_fraction"
    before, after = (dict(x[:2] for x in d.trace[step].inputs) for d in (usual, stated))
    assert after["evaporating_c"] == pytest.approx(before["evaporating_c"] - 1.0)
    assert after["condensing_c"] == pytest.approx(before["condensing_c"] + 2.0)
    evaporating_k = after["evaporating_c"] + 273.15
    lift_k = after["condensing_c"] - after["evaporating_c"]
    expected = after["cop"] * lift_k / evaporating_k
    assert stated.trace[step].value == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize(
    ("stated", "key", "grows"),
    [
        ("power.mechanical_power_factor=0.8", "utility.demand_kva", True),
        ("power.house_power_factor=0.8", "utility.demand_kva", True),
        ("cooling.plant.chiller.cop_limit=7", "pue.design", True),
        ("cooling.crah.least_fan_flow=60 %", "pue.design", True),
        ("it.network.rack_power=15 kW", "load.racks", True),
        ("power.transformer.largest=750 kVA", "transformer.count", True),
        ("power.transformer.largest=750 kVA", "transformer.rating_kva", False),
        ("cooling.plant.rejection.tower_fan=600", "pue.design", True),
        ("cooling.plant.rejection.largest_cell=300 kW", "plant.rejection_count", True),
        ("house.lighting_share=1 %", "load.house", True),
    ],
)
def test_a_result_follows_the_constant_stated(stated: str, key: str, grows: bool) -> None:
    usual, other = design_of(SHORTEST, *_GPUS), design_of(SHORTEST, *_GPUS, stated)
    assert (si(other, key) > si(usual, key)) is grows
    path = stated.partition("=")[0]
    assert path in {entry.id for entry in usual.ledger}
    assert path not in {entry.id for entry in other.ledger if entry.status == "open"}


def test_lengths_of_a_hall_are_those_stated() -> None:
    hall = ("it.halls.0.name=Hall", "it.halls.0.route_rule=wall")
    stated = ("it.halls.0.row_pitch=3.5 m", "it.halls.0.circulation=1.5", "it.halls.0.drops=8 m")
    usual, other = (design_of(SHORTEST, *_GPUS, *hall, *more) for more in ((), stated))
    before, after = usual.facility.it.halls[0], other.facility.it.halls[0]
    wider = 3.5 / 2.7 * 1.5 / 1.3
    assert after.floor_area_m2 == pytest.approx(before.floor_area_m2 * wider, rel=1e-12)
    across_m = before.rows * (3.5 - 2.7)
    assert after.route_mean_m - before.route_mean_m == pytest.approx(3.0 + across_m / 4.0)
    assert after.route_max_m - before.route_max_m == pytest.approx(3.0 + across_m / 2.0)


def test_a_wider_exchanger_makes_the_cooling_dearer() -> None:
    stated = "cooling.facility_water.exchanger_approach=4 K"
    usual, other = design_of(SHORTEST, *_LIQUID), design_of(SHORTEST, *_LIQUID, stated)
    assert si(other, "load.cooling") > si(usual, "load.cooling")


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        (
            ("cooling.recirculation=10 %", "cooling.worst_recirculation=5 %"),
            "COOLING_CONTRADICTION",
        ),
        (
            ("cooling.plant.heat_rejection=air_cooled",
             "cooling.plant.chiller.condenser_approach=3 K"),
            "COOLING_CONTRADICTION",
        ),
        (
            ("power.transformer.rating=1 MVA", "power.transformer.largest=2 MVA"),
            "TRANSFORMER_CONTRADICTION",
        ),
        (("house.lighting=3 kW", "house.lighting_share=1 %"), "CONTRADICTION"),
        (("house.lighting_density=9 W/m2", "house.lighting_share=1 %"), "CONTRADICTION"),
        (
            ("it.halls.0.name=H", "it.halls.0.floor_area=500 m2", "it.halls.0.circulation=1.5"),
            "CONTRADICTION",
        ),
        (
            (
                *(f"cooling.plant.rejection.tower.{name}={value}" for name, value in (
                    ("heat", "1 MW"), ("wet_bulb", "25.6 degC"), ("range", "5.6 K"),
                    ("approach", "3.9 K"), ("fan_power", "15 kW"),
                )),
                "cooling.plant.rejection.tower_fan=500",
            ),
            "COOLING_CONTRADICTION",
        ),
        (
            ("cooling.plant.heat_rejection=dry_cooler", "cooling.plant.rejection.tower_fan=500"),
            "COOLING_CONTRADICTION",
        ),
    ],
)  # fmt: skip
def test_constants_that_contradict_are_refused(changes: tuple[str, ...], code: str) -> None:
    with pytest.raises(FacilityError, match=code):
        design_of(SHORTEST, *_GPUS, *changes)


def test_a_dew_point_of_zero_is_one_that_is_stated() -> None:
    zero, just_above = (
        design_of(SHORTEST, *_GPUS, f"cooling.room_dew_point={dew_point} degC")
        for dew_point in (0, 0.001)
    )
    assert si(zero, "crah.airflow") == pytest.approx(si(just_above, "crah.airflow"), rel=1e-6)
