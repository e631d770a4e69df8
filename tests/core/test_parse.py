"""User text: read exactly, or refused with a coded error that says how to write it."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from facility.core.errors import FacilityError
from facility.core.kinds import KINDS, kind_in
from facility.core.parse import (
    MAX_TEXT,
    Measured,
    parse_count,
    parse_number,
    parse_quantity,
    unit_token,
)
from facility.core.views import show
from facility.model.inputs.entries import fields


def refused(text: str, kind: str = "active_power") -> FacilityError:
    with pytest.raises(FacilityError) as caught:
        parse_quantity(text, kind, "field")
    return caught.value


@pytest.mark.parametrize(
    ("text", "kind", "si"),
    [
        ("10.2 kW", "active_power", 10_200.0),
        ("10.2kW", "active_power", 10_200.0),
        ("  10.2   kW ", "active_power", 10_200.0),
        ("10.2\u00a0kW", "active_power", 10_200.0),
        ("1e3 W", "active_power", 1_000.0),
        ("1_250_000 W", "active_power", 1_250_000.0),
        (".5 MW", "active_power", 500_000.0),
        ("500 kVA", "apparent_power", 500_000.0),
        ("500 kVAr", "reactive_power", 500_000.0),
        ("500 kVAR", "reactive_power", 500_000.0),
        ("27 °C", "temperature", 27.0),
        ("27 ºC", "temperature", 27.0),
        ("27 ℃", "temperature", 27.0),
        ("27 C", "temperature", 27.0),
        ("-40 °F", "temperature", -40.0),
        ("\u221240 °F", "temperature", -40.0),
        ("300.15 K", "temperature", 27.0),
        ("18 Δ°F", "temperature_difference", 10.0),
        ("90 l/min", "liquid_flow", 0.0015),
        ("90 L/min", "liquid_flow", 0.0015),
        ("2 m³/s", "air_flow", 2.0),
        ("2 m^3/s", "air_flow", 2.0),
        ("2 m**3/s", "air_flow", 2.0),
        ("1000 CFM", "air_flow", 0.4719474432),
        ("100 W/m²", "power_density", 100.0),
        ("3.6 USD/kWh", "energy_price", 1e-6),
        ("80 %", "fraction", 0.8),
        ("0.8", "fraction", 0.8),
        ("50 1/min", "frequency", 50 / 60),
        ("4 \u2126", "resistance", 4.0),
        ("4.18 kJ/(kg·K)", "specific_heat", 4180.0),
    ],
)
def test_plausible_spellings_are_read(text: str, kind: str, si: float) -> None:
    measured = parse_quantity(text, kind)
    assert measured.si == pytest.approx(si, rel=1e-12)
    assert measured.kind == kind
    assert measured.unit in KINDS[kind].units


def test_measured_keeps_what_was_typed() -> None:
    assert parse_quantity(" 12.50  kW", "active_power") == Measured(
        "12.50 kW", "active_power", "kW", 12.5, 12_500.0
    )


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "kW",
        "nan kW",
        "inf kW",
        "-inf kW",
        "1e999 kW",
        "1e9999 kW",
        "e5 kW",
        ".e5 kW",
        "+ kW",
        "--5 kW",
        "5. kW",
        "9**99999999",
        "9**9 kW",
        "9^9 kW",
        "1/2 W/0 x",
        "0x10",
        "5+5 kW",
        "5.000,5 kW",
        "1,250 kW",
        "1 250 kW",
        "1'250 kW",
        "1_25 kW",
        "٣ kW",
        "３ kW",
        "² kW",
        "5² kW",
        "5 kW\x00",
        "5 __import__",
        "5 kW; 6 kW",
        "5 kW 6",
        "5 kVA",
        "5 KW",
        "5",
        "1e308 MW",
        "5 " + "k" * 100,
        "9" * 65 + " kW",
    ],
)
def test_everything_else_is_refused(text: str) -> None:
    error = refused(text)
    assert error.code in {"NOT_A_NUMBER", "UNIT_MISSING", "UNIT_WRONG"}
    assert error.where == "field"
    assert error.hint
    assert error.exit_code == 3
    assert len(str(error)) < 400


@pytest.mark.parametrize(
    ("text", "code", "words"),
    [
        ("5.000,5 kW", "NOT_A_NUMBER", ["commas are not accepted", "'5000.5 kW'"]),
        ("5,000.5 kW", "NOT_A_NUMBER", ["commas are not accepted", "'5000.5 kW'"]),
        ("1,250 kW", "NOT_A_NUMBER", ["commas are not accepted", "'1250 kW'", "'1.250 kW'"]),
        ("3,5 kW", "NOT_A_NUMBER", ["'3.5 kW'"]),
        ("1,250,000 W", "NOT_A_NUMBER", ["'1250000 W'"]),
        ("1 250 kW", "NOT_A_NUMBER", ["thousands separators", "'1250 kW'"]),
        ("132", "UNIT_MISSING", ["has no unit", "'132 kW'"]),
        ("12 KW", "UNIT_WRONG", ["'12 kW'"]),
        ("10 .. 12 kW", "UNIT_WRONG", ["ranges", "range: 10 .. 12 kW"]),
        ("9.5..12.5 kW", "NOT_A_NUMBER", ["ranges"]),
        ("500 kVA", "UNIT_WRONG", ["kVA measures apparent power", "power factor"]),
        ("3 kWW", "UNIT_WRONG", ["W, kW, MW, hp", "'3 kW'"]),
        ("1e999 kW", "NOT_A_NUMBER", ["too large"]),
    ],
)
def test_refusal_shows_the_number_as_typed(text: str, code: str, words: list[str]) -> None:
    error = refused(text)
    assert error.code == code
    for word in words:
        assert word in str(error)


def test_a_quantity_of_another_kind_is_not_offered_as_the_same_number() -> None:
    assert "'500 kW'" not in str(refused("500 kVA"))
    assert "difference" in str(refused("18 °F", "temperature_difference"))


@pytest.mark.parametrize(
    ("text", "written"), [("13.8", "'13.8 kV'"), ("34.5", "'34.5 kV'"), ("208", "'208 V'")]
)
def test_a_voltage_without_a_unit_is_proposed_as_one_that_is_supplied(
    text: str, written: str
) -> None:
    assert written in refused(text, "line_voltage").hint
    assert "'48 V'" in refused("48", "dc_voltage").hint


def test_ton_is_named_as_ambiguous() -> None:
    error = refused("100 tons", "heat_flow")
    assert "ton_refrigeration" in error.hint
    assert parse_quantity("100 ton_refrigeration", "heat_flow").si == pytest.approx(351_685.3)


def test_negative_numbers_are_left_to_the_field() -> None:
    assert parse_quantity("-5 kW", "active_power").si == -5_000.0


@pytest.mark.usefixtures("ends")
def test_text_that_would_hang_an_evaluator_is_refused_at_once() -> None:
    hostile = [
        "9**99999999",
        "9" * 10_000_000,
        "1" + "_000" * 15,
        "(" * 60,
        " " * 1_000_000 + "5 kW",
    ]
    for text in hostile:
        with pytest.raises(FacilityError):
            parse_quantity(text, "active_power")


def attempt(read: Callable[..., Any], *arguments: Any) -> Any:
    """Return what `read` returns, or the FacilityError it raises; nothing else may come out."""
    try:
        return read(*arguments)
    except FacilityError as error:
        return error


@given(text=st.text(max_size=MAX_TEXT + 8), kind=st.sampled_from(sorted(KINDS)))
@example(text="e5", kind="count")
@example(text="5 ²", kind="area")
def test_any_text_is_read_or_refused(text: str, kind: str) -> None:
    outcome = attempt(parse_quantity, text, kind)
    if isinstance(outcome, FacilityError):
        assert outcome.hint
    else:
        assert math.isfinite(outcome.si)
        assert outcome.text == " ".join(text.split()).replace("\u2212", "-", 1)


NUMBERISH = st.text(alphabet="0123456789.,eE+-_ *%°CFKkWVA/m³²", max_size=24)


@given(text=NUMBERISH, kind=st.sampled_from(sorted(KINDS)))
def test_text_close_to_a_quantity_is_read_or_refused(text: str, kind: str) -> None:
    outcome = attempt(parse_quantity, text, kind)
    if isinstance(outcome, FacilityError):
        assert outcome.hint
    else:
        assert math.isfinite(outcome.si)
        assert parse_quantity(outcome.text, kind) == outcome


@given(text=NUMBERISH)
def test_numbers_and_counts_are_read_or_refused(text: str) -> None:
    for read, code in ((parse_number, "NOT_A_NUMBER"), (parse_count, "NOT_A_COUNT")):
        outcome = attempt(read, text)
        if isinstance(outcome, FacilityError):
            assert outcome.code == code
        else:
            assert outcome == float(text)


@given(
    value=st.floats(-1e9, 1e9, allow_subnormal=False),
    kind=st.sampled_from(sorted(KINDS)),
    data=st.data(),
)
def test_typed_number_comes_back_exactly(value: float, kind: str, data: st.DataObject) -> None:
    unit = data.draw(st.sampled_from(sorted(KINDS[kind].units)))
    measured = parse_quantity(f"{value!r} {unit}", kind)
    assert measured.value == value
    assert measured.unit == unit


@given(
    value=st.floats(-1e6, 1e6, allow_subnormal=False),
    kind=st.sampled_from(sorted(KINDS)),
    system=st.sampled_from(["si", "ip"]),
)
def test_what_is_shown_can_be_typed(value: float, kind: str, system: str) -> None:
    """Round trip of show and parse, to the digits shown (thousands commas removed)."""
    text = show(value, kind, "ip" if system == "ip" else "si")
    measured = parse_quantity(text.replace(",", ""), kind)
    factor = abs(KINDS[kind].units[measured.unit][0])
    decimals = len(text.split()[0].partition(".")[2])
    rounding = 0.5 * 10.0**-decimals * factor
    assert abs(measured.si - value) <= rounding * (1 + 1e-9) + 1e-9 * abs(value)


@pytest.mark.parametrize(("text", "value"), [("0.95", 0.95), ("-3e-2", -0.03), (" 7 ", 7.0)])
def test_parse_number(text: str, value: float) -> None:
    assert parse_number(text) == value


@pytest.mark.parametrize("text", ["", "5 kW", "1,5", "nan", "1e999", "0b1", "²", "e5", "1 2"])
def test_parse_number_refuses(text: str) -> None:
    with pytest.raises(FacilityError) as caught:
        parse_number(text, "field")
    assert caught.value.code == "NOT_A_NUMBER"
    assert caught.value.hint


def test_parse_count() -> None:
    assert parse_count(" 1250 ") == 1250
    assert parse_count("-3", minimum=-5) == -3


@pytest.mark.parametrize(
    "text", ["", "010", "1e3", "8.0", "+8", "8 pcs", "-1", "٣", "1_000", "9999999999", "9" * 99]
)
def test_parse_count_refuses(text: str) -> None:
    with pytest.raises(FacilityError) as caught:
        parse_count(text, "field")
    assert caught.value.code == "NOT_A_COUNT"
    assert 0 < len(caught.value.hint) < 100


def test_unit_token() -> None:
    assert unit_token(" m³/s ") == "m3/s"
    assert unit_token("kVAr") == "kvar"
    assert unit_token("l/min/kW") == "L/min/kW"
    assert unit_token("gal") == "gal"
    assert unit_token("nonsense") == "nonsense"


@pytest.mark.parametrize(
    ("currency", "number", "first"),
    [
        ("USD", "12", "Write '0.12 USD/kWh' for 12 ct/kWh"),
        ("EUR", "8.5", "Write '0.085 EUR/kWh' for 8.5 ct/kWh"),
        ("USD", "0.05", "Write '0.05 USD/kWh' if intended"),
        ("JPY", "12", "Write '12 JPY/kWh' if intended"),
    ],
)
def test_a_price_without_a_unit_may_be_in_hundredths(
    currency: str, number: str, first: str
) -> None:
    with pytest.raises(FacilityError) as found:
        parse_quantity(number, kind_in("energy_price", currency), "site.tariff")
    assert found.value.hint.startswith(first)


@pytest.mark.parametrize("number", ["0.5", "13.8", "40", "480", "20400", "3000000"])
def test_a_proposed_value_is_one_that_its_field_accepts(number: str) -> None:
    for path, field in fields().items():
        if field.type is None or field.kind in ("", "count"):
            continue
        try:
            field.type.read(number)
        except FacilityError as error:
            proposed = re.search(r"Write '([^']+)'", error.hint)
            if error.code == "UNIT_MISSING" and proposed:
                assert field.type.read(proposed[1]), path
