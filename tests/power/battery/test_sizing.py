"""Strings by constant power: what load, time, factors and redundancy ask for."""

from __future__ import annotations

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from facility.catalogue import table
from facility.core.errors import FacilityError
from tests.power.battery.helpers import PANASONIC, PERFECT, backup

POINTS = [{"time": "5 min", "block_power": "3 kW"}, {"time": "20 min", "block_power": "1 kW"}]


def test_one_block_for_what_the_data_sheet_lists() -> None:
    """Panasonic UP-PW1245P1: 246 W for 10 min to 10.5 V, so 40 blocks carry 9,840 W."""
    given_ = {**PERFECT, "model": "UP-PW1245P1", "end_voltage": "1.75 V", "autonomy": "10 min"}
    assert backup(9840.0, **given_).bank.strings_per_set == 1
    assert backup(9841.0, **given_).bank.strings_per_set == 2
    assert backup(98.4e3, **given_).bank.strings_per_set == 10


def test_factors_multiply_the_size() -> None:
    """Ageing 1.25, 15.6 degC 1.11, margin 1.1 and 95 %: 400 kW asks for 642,632 W of blocks."""
    found = backup(
        400e3,
        model="UP-PW1245P1",
        end_voltage="1.75 V",
        autonomy="10 min",
        ageing="1.25",
        design_margin="1.1",
        temperature="15.6 degC",
        inverter_efficiency="95 %",
    )
    assert found["battery.temperature_factor"] == pytest.approx(1.11)
    assert found.trace.value("battery.one_string_power") * 40 == pytest.approx(642631.58, abs=0.01)
    assert found.bank.strings_per_set == math.ceil(642632 / (40 * 246))


def test_a_warm_room_is_given_no_credit() -> None:
    warm = backup(400e3, model="UP-PW1245P1", temperature="35 degC")
    assert warm["battery.temperature_factor"] == 1.0
    assert backup(400e3, **PANASONIC).bank.strings_per_set == warm.bank.strings_per_set


def test_a_table_of_27_degrees_is_worth_less_at_25() -> None:
    """Factors of IEEE 485: 0.98 at 80 degF (26.7 degC) and 0.96 at 85, 1.00 at 25 degC."""
    found = backup(400e3, model="EP65-12", temperature="25 degC")
    assert found["battery.temperature_factor"] == pytest.approx(1.0 / 0.978, abs=0.001)


def test_power_times_time_would_take_far_fewer_strings() -> None:
    """The label says 12 V x 7.8 Ah = 93.6 Wh; in 10 min the block gives 246 W x 1/6 h = 41 Wh."""
    found = backup(
        2e6,
        ups={"module_rating": "2000 kW"},
        model="UP-PW1245P1",
        end_voltage="1.75 V",
        autonomy="10 min",
        **{**PERFECT, "ageing": "1.25"},
    )
    by_energy = 2e6 / 6.0 / (40 * 93.6)
    assert found.bank.strings_per_set / by_energy == pytest.approx(2.85, abs=0.05)


def test_the_ampere_hour_method_is_shown_beside_and_far_too_small() -> None:
    found = backup(400e3, **PANASONIC)
    assert found["battery.ampere_hour_method"] < 0.6 * found["battery.capacity"]


def test_end_voltage_between_two_listed_ones() -> None:
    """At 10 min 263 W to 1.65 V and 258 W to 1.70 V: 261 W to 1.67 V."""
    found = backup(400e3, **PANASONIC, autonomy="10 min", end_voltage="1.67 V")
    assert found["battery.listed_power"] == pytest.approx(261.0)


def test_current_table_becomes_power_at_the_end_voltage() -> None:
    """CSB HC1228W: 22.7 A for 10 min to 1.67 V, six cells: 227.5 W."""
    found = backup(40e3, model="CSB HC1228W", autonomy="10 min")
    assert found["battery.listed_power"] == pytest.approx(22.7 * 6 * 1.67)
    assert found.check("BATTERY-TABLE").failed
    assert found.check("BATTERY-HYDROGEN").outcome == "NOT_EVALUATED"


def test_each_system_of_2n_has_batteries_for_the_whole_load() -> None:
    single, double = backup(400e3), backup(400e3, "2N")
    assert double.bank.strings_per_system == single.bank.strings_per_system
    assert double["battery.strings"] == 2 * single["battery.strings"]


def test_spare_modules_have_batteries_too() -> None:
    single, spare = backup(400e3), backup(400e3, "N+1")
    assert spare.bank.strings_per_set == single.bank.strings_per_set
    assert spare["battery.strings"] == 2 * single["battery.strings"]
    common = backup(400e3, "N+1", arrangement="bus")
    assert common["battery.strings"] == single["battery.strings"]


def test_growth_and_the_designed_failure_are_carried() -> None:
    """3N/2 of 400 kW: 200 kW on a system after the loss of another."""
    found = backup(400e3, "3N/2", growth=0.2)
    assert found["battery.set_load"] == pytest.approx(240e3)


def test_blocks_in_series_stay_below_the_bus_on_float() -> None:
    assert backup(400e3)["battery.blocks_per_string"] == 40
    # 240 cells on float: 540 V at 2.25 V, 552 V at 2.3 V; of 560 V stated, 560 / 13.8 are 40.6.
    for float_v, more in (("2.3 V", {}), ("2.3 V", {"dc_bus_max": "560 V"}), ("2.2 V", {})):
        found = backup(400e3, float_voltage=float_v, **more)
        assert found["battery.blocks_per_string"] == 40
        assert not found.check("BATTERY-DC-BUS").failed
    assert (
        backup(400e3, float_voltage="2.3 V", dc_bus_max="540 V")["battery.blocks_per_string"] == 39
    )
    assert backup(400e3, dc_bus_max="500 V")["battery.blocks_per_string"] == 37
    assert backup(400e3, dc_bus_max="500 V").check("BATTERY-DC-BUS").failed
    assert backup(400e3, blocks_per_string=41).check("BATTERY-FLOAT").failed


def test_cabinets_are_whole_for_each_set() -> None:
    found = backup(400e3, "2N", blocks_per_cabinet=64, strings=5)
    assert found["battery.cabinets"] == 2 * math.ceil(5 * 40 / 64)
    assert found["battery.mass"] == pytest.approx(2 * 5 * 40 * 20.2)


def test_own_points_replace_the_catalogue() -> None:
    found = backup(400e3, points=POINTS, autonomy="10 min", **PERFECT)
    assert found["battery.listed_power"] == pytest.approx(math.sqrt(3.0) * 1e3)
    assert found.results["battery.model"].si == "own block"


def test_every_block_of_the_catalogue_can_be_used() -> None:
    for row in table("electrical/battery_blocks").rows:
        assert backup(20e3, model=row.text("battery"))["battery.strings"] >= 1


@pytest.mark.parametrize(
    ("section", "where"),
    [
        ({"autonomy": "4 min"}, "autonomy"),
        ({"autonomy": "2 h"}, "autonomy"),
        ({"end_voltage": "1.85 V"}, "end_voltage"),
        ({"temperature": "60 degC"}, "temperature"),
        ({"points": POINTS, "autonomy": "30 min"}, "autonomy"),
    ],
)
def test_nothing_is_extrapolated(section: dict[str, object], where: str) -> None:
    with pytest.raises(FacilityError) as caught:
        backup(400e3, **section)
    assert caught.value.code == "OUT_OF_RANGE"
    assert caught.value.where == f"power.battery.{where}"


def test_unknown_block_offers_near_matches() -> None:
    with pytest.raises(FacilityError) as caught:
        backup(400e3, model="EP65-21")
    assert caught.value.code == "UNKNOWN_MODEL"
    assert "EP65-12" in caught.value.hint


@settings(max_examples=25, deadline=None)
@given(minutes=st.floats(5.0, 59.0), more=st.floats(1.0, 10.0), load_w=st.floats(2e4, 4.9e5))
def test_a_longer_autonomy_never_takes_fewer_strings(
    minutes: float, more: float, load_w: float
) -> None:
    short = backup(load_w, autonomy=f"{minutes} min")
    long = backup(load_w, autonomy=f"{min(60.0, minutes * more)} min")
    assert long.bank.strings_per_set >= short.bank.strings_per_set
    assert short["battery.autonomy_design"] >= 60.0 * minutes * (1 - 1e-9)
