"""Views show, and never change, a stored value."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from facility.core.kinds import KINDS
from facility.core.views import (
    System,
    printed_text,
    prose_in,
    show,
    show_exact,
    show_short,
    view_unit,
    view_value,
)


@pytest.mark.parametrize(
    ("si", "kind", "system", "text"),
    [
        (1_250_000.0, "active_power", "si", "1,250 kW"),
        (45.0, "active_power", "si", "0.045 kW"),
        (0.0, "active_power", "si", "0.0 kW"),
        (-0.0, "active_power", "si", "0.0 kW"),
        (27.0, "temperature", "si", "27.0 °C"),
        (27.0, "temperature", "ip", "80.6 °F"),
        (10.0, "temperature_difference", "si", "10.0 K"),
        (10.0, "temperature_difference", "ip", "18.0 Δ°F"),
        (1.0, "air_flow", "ip", "2,119 cfm"),
        (0.0015, "liquid_flow", "si", "90.0 L/min"),
        (0.8, "fraction", "si", "80.0 %"),
        (1.234, "ratio", "si", "1.234"),
        (3.0, "count", "si", "3"),
        (1250.0, "count", "ip", "1,250"),
        (415.0, "line_voltage", "si", "415 V"),
        (3.516852842e6, "heat_flow", "ip", "12,000 MBH"),
        (0.08 / 3.6e6, "energy_price", "si", "0.0800 USD/kWh"),
        (3.6e9 * 0.5, "energy", "si", "0.5 MWh"),
        (3.6e9 * 0.0123, "energy", "ip", "12.3 kWh"),
        (3.6e9 * 35.4e-6, "energy", "si", "35.4 Wh"),
        (0.0, "energy", "si", "0.0 MWh"),
        (3.6e9 * 171_234.4, "energy", "si", "171,234 MWh"),
        (99_940.0, "active_power", "si", "99.9 kW"),
        (99_960.0, "active_power", "si", "100 kW"),
        (0.0123, "fraction", "si", "1.2 %"),
        (0.00457, "fraction", "si", "0.46 %"),
        (120.0, "time", "si", "120.0 s"),
        (7_200.0, "time", "si", "120.0 min"),
        (9_000.0, "time", "si", "2.5 h"),
        (12_340.0, "mass", "si", "12.3 t"),
        (12_340.0, "pressure", "si", "12.3 kPa"),
        (250.0, "pressure", "si", "0.25 kPa"),
        (999.6, "current", "si", "1,000 A"),
        (75.0, "rating_temperature", "ip", "75.0 °C"),  # NEC 110.14(C), Table 310.16
        (1e6, "heat_capacity", "ip", "527 Btu/°F"),  # 1e6 / 1055.056 / 1.8
        (4.11e3, "thermal_conductance", "ip", "7,791 Btu/(h·°F)"),  # 4110 x 3.412142 / 1.8
        (7.04e-7 * 3.785411784e-3 / 3.6e6, "water_per_energy", "ip", "0.000 gal/kWh"),
        (-7.04e-7 * 1e-3 / 3.6e6, "water_per_energy", "si", "0.00 L/kWh"),
        (1.234e-3 / 3.6e6, "water_per_energy", "si", "1.23 L/kWh"),
    ],
)
def test_show(si: float, kind: str, system: str, text: str) -> None:
    assert show(si, kind, "ip" if system == "ip" else "si") == text


def test_small_numbers_are_written_out_and_the_rest_of_a_difference_is_nothing() -> None:
    assert show(1e-7, "fraction") == "0.00001 %"
    assert show(1.87e-8, "fraction") == "1.87e-06 %"
    assert show_exact(-1.871234e-8, "fraction") == "-1.87123e-06 %"
    assert show_exact(1.06e-12, "fraction") == "1.06e-10 %"
    assert show(8.88e-16, "current") == "0.0 A"
    assert show(-8.88e-16, "current") == "0.0 A"


def test_more_digits_on_request() -> None:
    assert show(800.4, "active_power", digits=4) == "0.8004 kW"


@given(value=st.floats(-1e12, 1e12), kind=st.sampled_from(sorted(KINDS)))
def test_both_views_hold_the_same_value(value: float, kind: str) -> None:
    views: tuple[System, ...] = ("si", "ip")
    for view in views:
        factor, offset = KINDS[kind].units[view_unit(kind, view)]
        back = view_value(value, kind, view) * factor + offset
        assert back == pytest.approx(value, rel=1e-9, abs=1e-9)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("2.11 m³/s per rack", "4,471 cfm per rack"),
        ("rise of 12.0 K (cooling.plant.delta_t)", "rise of 21.6 Δ°F (cooling.plant.delta_t)"),
        ("27.0 °C supply air", "80.6 °F supply air"),
        ("35 A >= 28 A by the 75 degC column", "35 A >= 28 A by the 75 °C column"),
        ("7.6 m (25 ft)", "7.6 m (25 ft)"),
        ("K-7, 90 L/h, A1 m", "K-7, 90 L/h, A1 m"),
    ],
)
def test_prose_in_the_inch_pound_view(text: str, shown: str) -> None:
    assert prose_in(text, "ip") == shown
    assert prose_in(text, "si") == text.replace("degC", "°C")


def test_units_in_text_are_printed() -> None:
    text = "240 mm2 at 60/75 degC, 1.5 um, 12 m3/h, 20%; mm2 and site.x=18 degC/m stay"
    shown = "240 mm² at 60/75 °C, 1.5 µm, 12 m³/h, 20 %; mm2 and site.x=18 degC/m stay"
    assert printed_text(text) == shown


@pytest.mark.parametrize(
    ("si", "kind", "text"),
    [
        (14.8636e6, "active_power", "14.9 MW"),
        (9.8636e6, "active_power", "9,864 kW"),
        (612.4e6, "apparent_power", "612 MVA"),
        (3.6e9 * 171_234.0, "energy", "171 GWh"),
        (1_234_567.0, "money", "1,235 kUSD"),
        (45_678.0, "money", "45,678 USD"),
        (5_000.0, "power_ramp", "5.0 kW/s"),
    ],
)
def test_headlines_have_three_digits_in_large_units(si: float, kind: str, text: str) -> None:
    assert show_short(si, kind) == text
