"""The block that is taken where the project states none: by the strings in parallel."""

from __future__ import annotations

import math

import pytest

from facility.catalogue import table
from tests.power.battery.helpers import PERFECT, backup

TEN_MIN = {"autonomy": "10 min", "end_voltage": "1.67 V"}
VRLA = {"technology": "vrla"}

# Watts of one string for 10 min to 1.67 V at 25 degC, by the tables: 40 blocks of 12 V, 240 of 2 V;
# and the most strings in parallel.
OF_STRING = (
    ("EP65-12", 40 * 1690.3, 10),  # 1,761 W to 1.6 V and 1,660 W to 1.7 V
    ("VRLA 12 V 100 Ah class", 40 * 3000.0, 6),
    ("VRLA 12 V 150 Ah class", 40 * 4050.0, 6),
    ("VRLA 12 V 200 Ah class", 40 * 5280.0, 6),
    ("VRLA 2 V 500 Ah class", 240 * 2000.0, 10),
)


def expected(load_w: float) -> tuple[str, int]:
    """Return the block and its strings by hand: the first of which as many suffice as may be."""
    for model, of_string_w, most in OF_STRING:
        strings = math.ceil(load_w / of_string_w)
        if strings <= most:
            return model, strings
    raise AssertionError


@pytest.mark.parametrize(
    "load_kw", [100.0, 600.0, 650.0, 680.0, 710.0, 730.0, 960.0, 980.0, 1260.0, 1270.0, 4700.0]
)
def test_the_smallest_block_of_which_as_many_strings_suffice_as_may_be(load_kw: float) -> None:
    load_w = 1e3 * load_kw
    found = backup(load_w, ups={"module_rating": "5000 kW"}, **PERFECT, **TEN_MIN, **VRLA)
    model, strings = expected(load_w)
    if model == "EP65-12":  # Its table is for 27 degC, and its factor above 1
        strings = math.ceil(load_w * found["battery.temperature_factor"] / OF_STRING[0][1])
    assert (found.bank.block.model, found.bank.strings_per_set) == (model, strings)
    assert not found.check("BATTERY-PARALLEL").failed
    assert found.check("BATTERY-AUTONOMY").outcome == "PASS"
    assert found.check("BATTERY-MEMORY").failed is (model != "EP65-12")


def test_where_no_block_suffices_the_fewest_strings_stand_and_fail() -> None:
    found = backup(6e6, ups={"module_rating": "7000 kW"}, **PERFECT, **TEN_MIN, **VRLA)
    assert found.bank.block.model == "VRLA 2 V 500 Ah class"
    assert found.bank.strings_per_set == math.ceil(6e6 / (240 * 2000.0))
    assert found.check("BATTERY-PARALLEL").failed


def test_a_stated_block_or_number_of_strings_stays() -> None:
    stated = backup(2e6, ups={"module_rating": "2500 kW"}, model="EP65-12")
    assert stated.bank.block.model == "EP65-12"
    assert stated.check("BATTERY-PARALLEL").failed
    built = backup(400e3, strings=3, **PERFECT, **TEN_MIN, **VRLA)
    assert built.bank.strings_per_set == 3
    assert built.bank.block.model == "VRLA 12 V 150 Ah class"  # 3 x 162 kW; of 100 Ah 3 x 120 kW


def test_blocks_to_choose_from_have_a_limit_and_a_table() -> None:
    blocks = [r for r in table("electrical/battery_blocks").rows if r["max_parallel"] is not None]
    assert {row.text("technology") for row in blocks} == {"vrla", "li-ion"}
    for row in blocks:
        powers = table("electrical/battery_vrla_constant_power").select(battery=row["battery"])
        by_end: dict[float, list[tuple[float, float]]] = {}
        for one in powers:
            at = by_end.setdefault(one.si("end_voltage_v_per_cell"), [])
            at.append((one.si("minutes"), one.si("watts_per_block")))
        for points in by_end.values():
            watts = [power for _, power in sorted(points)]
            energy = [minutes * power for minutes, power in sorted(points)]
            assert watts == sorted(watts, reverse=True)
            assert energy == sorted(energy)
