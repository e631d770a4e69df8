"""Hydrogen, charging, ride-through, Li-ion, and what the section refuses."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import ValidationError

from facility.core.errors import FacilityError
from facility.model.inputs.power.battery import BatterySection
from tests.power.battery.helpers import PERFECT, backup

POINTS = [{"time": "5 min", "block_power": "200 kW"}, {"time": "10 min", "block_power": "110 kW"}]


def test_airflow_of_vrla_on_boost_and_float() -> None:
    """EN 50272-2: 0.05 n Igas Crt / 1000 m3/h, Igas 8 mA/Ah on boost and 1 on float."""
    boost = backup(400e3, "2N", strings=5, code="IEC")
    cells = 2 * 5 * 40 * 6
    assert boost["battery.hydrogen_airflow"] * 3600 == pytest.approx(
        0.0504 * cells * 8 * 60 / 1000, rel=1e-9
    )
    assert boost["battery.hydrogen_airflow.per_system"] == pytest.approx(
        boost["battery.hydrogen_airflow"] / 2
    )
    floating = backup(400e3, "2N", strings=5, boost_charge="false", code="IEC")
    assert floating["battery.hydrogen_airflow"] == pytest.approx(
        boost["battery.hydrogen_airflow"] / 8
    )


def test_flooded_cells_gas_more() -> None:
    points = [
        {"time": "5 min", "block_power": "2500 W"},
        {"time": "15 min", "block_power": "1300 W"},
    ]
    own: dict[str, Any] = {"points": points, "capacity": "60 Ah", "code": "IEC"}
    vented = backup(400e3, strings=5, technology="flooded", **own)
    sealed = backup(400e3, strings=5, **own)
    assert vented["battery.hydrogen_airflow"] / sealed["battery.hydrogen_airflow"] == (
        pytest.approx(20 / 8)
    )


CFM = 0.3048**3 / 60.0


def test_under_the_nec_the_charger_is_forced_into_full_cells() -> None:
    """IEEE 484: 0.000269 cfm a cell and ampere, a hundred times that in air for 1 %.

    Two systems of one module of 500 kW, chargers of 10 %: 50 kW at 40 x 6 x 2.25 V is 92.59 A into
    240 cells, so that 2 x 240 x 92.59 x 0.000269 = 11.96 cfm of hydrogen take 1,196 cfm of air.
    """
    found = backup(400e3, "2N", strings=5)
    assert found["battery.hydrogen_evolution"] / CFM == pytest.approx(11.956, rel=1e-3)
    assert found["battery.hydrogen_airflow"] / CFM == pytest.approx(1195.6, rel=1e-3)
    assert found["battery.hydrogen_airflow.per_system"] / CFM == pytest.approx(597.8, rel=1e-3)
    (rule,) = [check for check in found.checks if check.rule == "BATTERY-HYDROGEN"]
    assert rule.source.id == "nyc-mechanical-502-4"
    iec = backup(400e3, "2N", strings=5, code="IEC")
    assert iec.check("BATTERY-HYDROGEN").source.id == "en-50272-2-quoted"
    assert "battery.hydrogen_evolution" not in iec.results


def test_under_the_nec_a_float_charger_gasses_by_its_float_current() -> None:
    """1 mA/Ah of 60 Ah in each of five strings of 240 cells: 0.01937 cfm, 1.937 cfm of air."""
    found = backup(400e3, strings=5, boost_charge="false")
    assert found["battery.hydrogen_evolution"] / CFM == pytest.approx(0.019368, rel=1e-3)
    assert found["battery.hydrogen_airflow"] / CFM == pytest.approx(1.9368, rel=1e-3)


def test_room_airflow_of_the_nec_just_short_and_just_enough() -> None:
    """One system: 597.8 cfm, 1,015.7 m3/h."""
    enough = backup(400e3, strings=5, room_airflow="1016 m3/h")
    assert enough.check("BATTERY-HYDROGEN").outcome == "PASS"
    assert enough.check("BATTERY-HYDROGEN-LIMIT").outcome == "PASS"
    assert enough["battery.hydrogen_concentration"] == pytest.approx(0.01, rel=1e-3)
    short = backup(400e3, strings=5, room_airflow="1015 m3/h")
    assert short.check("BATTERY-HYDROGEN").failed
    assert short.check("BATTERY-HYDROGEN-LIMIT").failed


def test_room_airflow_is_held_against_need_and_limit() -> None:
    unknown = backup(400e3)
    assert unknown.check("BATTERY-HYDROGEN").outcome == "NOT_EVALUATED"
    assert "battery.hydrogen_concentration" not in unknown.results
    enough = backup(400e3, room_airflow="500 m3/h", code="IEC")
    assert enough.check("BATTERY-HYDROGEN").outcome == "PASS"
    short = backup(400e3, room_airflow="20 m3/h", code="IEC")
    assert short.check("BATTERY-HYDROGEN").failed
    assert short.check("BATTERY-HYDROGEN-LIMIT").failed
    needed = short["battery.hydrogen_airflow"] * 3600
    assert short["battery.hydrogen_concentration"] == pytest.approx(needed / 20 / 120)


def test_ride_through_is_every_attempt_and_the_transfer() -> None:
    """10 s of NFPA 110 type 10, three attempts, 15 s of transfer."""
    assert backup(400e3)["battery.ride_through"] == pytest.approx(45.0)
    assert backup(400e3).check("BATTERY-RIDE-THROUGH").outcome == "PASS"
    slow = backup(400e3, start_attempts=90)
    assert slow["battery.ride_through"] == pytest.approx(915.0)
    assert slow.check("BATTERY-RIDE-THROUGH").failed


def test_charger_is_held_against_the_recharge_time() -> None:
    slow, fast = backup(400e3, recharge_time="8 h"), backup(400e3, recharge_time="30 min")
    assert slow.check("BATTERY-RECHARGE").outcome == "PASS"
    assert fast.check("BATTERY-RECHARGE").failed
    ratio = fast["battery.charging_current"] / slow["battery.charging_current"]
    assert ratio == pytest.approx(16.0)


def test_a_short_autonomy_is_below_the_common_floor() -> None:
    assert backup(400e3).check("BATTERY-FLOOR").outcome == "PASS"
    assert backup(400e3, autonomy="6 min").check("BATTERY-FLOOR").failed


def test_many_strings_in_parallel_of_a_stated_block_are_warned_of() -> None:
    found = backup(400e3, model="UP-PW1245P1").check("BATTERY-PARALLEL")
    assert found.failed
    assert found.severity == "WARNING"
    unstated = backup(400e3, technology="vrla").check("BATTERY-PARALLEL")
    assert not unstated.failed
    assert unstated.severity == "ADVICE"


def test_a_technology_without_a_table_is_not_evaluated() -> None:
    found = backup(400e3, technology="flooded")
    assert found["battery.autonomy_required"] == 600.0
    assert not any(id.startswith("battery.strings") for id in found.results)
    for rule in ("BATTERY-TABLE", "BATTERY-AUTONOMY", "BATTERY-RIDE-THROUGH", "BATTERY-HYDROGEN"):
        assert found.check(rule).outcome == "NOT_EVALUATED"


def test_li_ion_cabinets_of_the_catalogue() -> None:
    """The class of 34 kWh gives 200 kW for 5 min: two carry 400 kW, three 401 kW."""
    found = backup(400e3, **PERFECT, technology="li-ion")
    assert found["battery.autonomy_required"] == 300.0
    assert (found.bank.strings_per_set, found.bank.cabinets_per_set) == (2, 2)
    assert backup(401e3, **PERFECT, technology="li-ion").bank.strings_per_set == 3
    assert found.check("BATTERY-AUTONOMY").outcome == "PASS"
    assert found.check("BATTERY-HYDROGEN").outcome == "NOT_EVALUATED"
    assert found.check("BATTERY-MEMORY").failed


def test_li_ion_by_a_table_of_whole_cabinets() -> None:
    """Two cabinets of 200 kW for 5 min carry 300 kW with a margin of 1.1 and 95 %."""
    found = backup(
        300e3,
        technology="li-ion",
        points=POINTS,
        blocks_per_string=1,
        temperature="10 degC",
        inverter_efficiency="95 %",
    )
    assert found["battery.strings"] == 2
    assert found["battery.temperature_factor"] == 1.0
    assert found.check("BATTERY-DC-BUS").outcome == "NOT_EVALUATED"
    assert found.check("BATTERY-RECHARGE").outcome == "NOT_EVALUATED"
    assert "battery.hydrogen_airflow" not in found.results
    assert found.check("BATTERY-MEMORY").failed


def test_every_result_has_its_step() -> None:
    found = backup(400e3, room_airflow="100 m3/h")
    for id, value in found.results.items():
        if value.kind:
            assert found.trace.value(id) == value.si


@pytest.mark.parametrize(
    ("section", "code"),
    [
        ({"technology": "nickel"}, "UNKNOWN_BATTERY"),
        ({"arrangement": "rack"}, "UNKNOWN_BATTERY"),
        ({"points": POINTS[:1]}, "BATTERY_POINTS"),
        ({"points": POINTS[::-1]}, "BATTERY_POINTS"),
        ({"points": POINTS, "model": "EP65-12"}, "BATTERY_CONTRADICTION"),
        ({"capacity": "60 Ah"}, "BATTERY_CONTRADICTION"),
        ({"ageing": "0.8"}, "OUT_OF_RANGE"),
        ({"dc_bus_min": "500 V", "dc_bus_max": "400 V"}, "BATTERY_CONTRADICTION"),
    ],
)
def test_contradictions_are_refused(section: dict[str, Any], code: str) -> None:
    with pytest.raises(ValidationError) as caught:
        BatterySection.model_validate(section)
    assert caught.value.errors()[0]["ctx"]["code"] == code


def test_contradictions_with_the_catalogue_are_refused() -> None:
    with pytest.raises(FacilityError) as caught:
        backup(400e3, technology="li-ion", model="EP65-12")
    assert caught.value.code == "BATTERY_CONTRADICTION"
    for section in ({"float_voltage": "1.5 V"}, {"float_voltage": "3 V"}, {"technology": "li-ion"}):
        with pytest.raises(FacilityError) as caught:
            backup(400e3, **{"float_voltage": "2.3 V", **section})
        assert caught.value.where == "power.battery.float_voltage"
    with pytest.raises(FacilityError) as caught:
        backup(400e3, technology="li-ion", points=POINTS)
    assert caught.value.code == "BATTERY_POINTS"
