"""Every unit token of every kind, against pint's stock registry and against itself.

Of over a thousand tokens each test takes all: pytest takes longer over a case than a case does.
"""

from __future__ import annotations

import pint
import pytest

from facility.core import kinds
from facility.core.kinds import CURRENCIES, KINDS, Kind, conversion_hint, kind_in, si_from, value_in
from facility.core.units import from_si, quantity, to_si
from tests.tools.equations import all_equations

TOKENS = [(kind, token) for kind in KINDS.values() for token in kind.units]

# Tokens that the stock registry spells otherwise, or has not (then built from what it has).
STOCK_SPELLING = {
    "": "dimensionless",
    "C": "degC",
    "°C": "degC",
    "°F": "degF",
    "K": "kelvin",
    "MBH": "1000 * Btu_it / hour",
    "Btu/h": "Btu_it / hour",
    "ton_refrigeration": "12000 * Btu_it / hour",
    "V*A": "volt * ampere",
    "kvar": "kilovolt_ampere",
    "Mvar": "megavolt_ampere",
    "var": "volt_ampere",
    "var*s": "volt_ampere * second",
    "kvarh": "kilovolt_ampere * hour",
    "Mvarh": "megavolt_ampere * hour",
    "hp": "550 * foot * force_pound / second",
    "Ω": "ohm",
    "mohm": "milliohm",
    "rpm": "1 / minute",
    "1/min": "1 / minute",
    "in": "inch",
    "in2": "inch**2",
    "cmil": "circular_mil",
    "kcmil": "1000 * circular_mil",
    "gpm": "gallon / minute",
    "gal": "gallon",
    "gal/h": "gallon / hour",
    "cfm": "foot**3 / minute",
    "W/cfm": "watt / (foot**3 / minute)",
    "gr/lb": "grain / pound",
    "cfm/kW": "foot**3 / minute / kilowatt",
    "inH2O": "249.08891 * pascal",
    "ftH2O": "2989.06692 * pascal",  # NIST SP 811: 2989.067 Pa
    "Btu/delta_degF": "Btu_it / delta_degF",
    "Btu/(h*delta_degF)": "Btu_it / hour / delta_degF",
    "t": "metric_ton",
    "d": "day",
    "L/min/kW": "liter / minute / kilowatt",
    "%": "percent",
    **{
        unit.format(c): stock.format("count")
        for c in CURRENCIES
        for unit, stock in (
            ("{}", "{}"),
            ("k{}", "1000 * {}"),
            ("{}/J", "{} / joule"),
            ("{}/kWh", "{} / kWh"),
            ("{}/MWh", "{} / MWh"),
            ("{}/m3", "{} / meter**3"),
            ("{}/L", "{} / liter"),
            ("{}/gal", "{} / gallon"),
            ("{}/s", "{} / second"),
            ("{}/h", "{} / hour"),
            ("{}/W", "{} / watt"),
            ("{}/kW", "{} / kilowatt"),
            ("{}/MW", "{} / megawatt"),
            ("{}/VA", "{} / volt_ampere"),
            ("{}/kVA", "{} / kilovolt_ampere"),
            ("{}/MVA", "{} / megavolt_ampere"),
            ("{}/(var*s)", "{} / volt_ampere / second"),
            ("{}/kvarh", "{} / kilovolt_ampere / hour"),
            ("{}/Mvarh", "{} / megavolt_ampere / hour"),
        )
    },
}


STOCK_SPELLING |= {
    f"{prefix}A2s": f"{factor} * ampere**2 * second"
    for prefix, factor in (("", 1.0), ("k", 1e3), ("M", 1e6))
}


def stock_unit(token: str) -> str:
    text = STOCK_SPELLING.get(token)
    if text is None:
        text = token
        for short in ("m2", "m3", "ft2", "ft3"):
            text = text.replace(short, f"{short[:-1]}**{short[-1]}")
    return text


@pytest.fixture(scope="module")
def stock() -> pint.UnitRegistry[float]:
    return pint.UnitRegistry(autoconvert_offset_to_baseunit=True)


def test_factors_agree_with_the_stock_registry(stock: pint.UnitRegistry[float]) -> None:
    """Factor and offset are checked at two points, to 1 part in 1e9 (Btu and psi digits)."""
    for kind, token in TOKENS:
        for value in (1.0, 40.0):
            if token in ("degC", "degF", "°C", "°F", "C", "K") and kind.si == "degC":
                expected = stock.Quantity(value, stock_unit(token)).m_as("degC")
            else:
                scale = stock.parse_expression(stock_unit(token)) * 1.0
                si_unit = stock.parse_expression(stock_unit(kind.si))
                expected = value * (scale / si_unit).m_as("dimensionless")
            agrees = si_from(kind, value, token) == pytest.approx(expected, rel=1e-9)
            assert agrees, (kind.name, token, value)


def test_factors_agree_with_our_own_registry() -> None:
    """The remembered conversion equals what pint computes from the definition file."""
    for kind, token in TOKENS:
        given = quantity(40.0, token, kind.name)
        si, by_table = to_si(given, kind.name), si_from(kind, 40.0, token)
        by_pint = given.to(from_si(1.0, kind.name).units).magnitude
        assert si == pytest.approx(by_table, rel=1e-15), (kind.name, token)
        assert si == pytest.approx(by_pint, rel=1e-12), (kind.name, token)


def test_value_in_undoes_si_from() -> None:
    for kind, token in TOKENS:
        back = value_in(kind, si_from(kind, 12.5, token), token)
        assert back == pytest.approx(12.5, rel=1e-12), (kind.name, token)


def test_kinds_are_complete() -> None:
    for kind in KINDS.values():
        assert kind.units[kind.si] == (1.0, 0.0), kind.name
        assert {kind.view_si, kind.view_ip} <= set(kind.units), kind.name
        assert kind.is_plain == (kind.si == ""), kind.name
        assert kind.digits >= 0, kind.name


def test_powers_are_three_kinds_without_a_common_token() -> None:
    tokens = [set(KINDS[f"{name}_power"].units) for name in ("active", "apparent", "reactive")]
    assert not tokens[0] & tokens[1]
    assert not tokens[1] & tokens[2]
    assert not tokens[0] & tokens[2]


def test_constants_of_published_tables() -> None:
    """NIST SP 811 (2008) appendix B.8, as printed there."""
    assert si_from(KINDS["heat_flow"], 1, "ton_refrigeration") == pytest.approx(3516.853, rel=1e-6)
    assert si_from(KINDS["heat_flow"], 1, "Btu/h") == pytest.approx(0.2930711, rel=2e-7)
    assert si_from(KINDS["active_power"], 1, "hp") == pytest.approx(745.6999, rel=1e-7)
    assert si_from(KINDS["air_flow"], 1, "cfm") == pytest.approx(4.719474e-4, rel=1e-6)
    assert si_from(KINDS["liquid_flow"], 1, "gpm") == pytest.approx(6.309020e-5, rel=1e-6)
    assert si_from(KINDS["pressure"], 1, "psi") == pytest.approx(6894.757, rel=1e-6)
    assert si_from(KINDS["area"], 1, "cmil") == pytest.approx(5.067075e-10, rel=1e-6)


def test_conversion_hint_names_the_missing_factor() -> None:
    assert "power factor" in conversion_hint("kVA", KINDS["active_power"])
    assert "power factor" in conversion_hint("kW", KINDS["apparent_power"])
    assert "difference" in conversion_hint("degF", KINDS["temperature_difference"])
    assert conversion_hint("kg", KINDS["length"]) == ""


def test_every_kind_of_an_equation_has_a_type_that_its_signature_names() -> None:
    named = {
        note.name
        for value in vars(kinds).values()
        for note in getattr(value, "__metadata__", ())
        if isinstance(note, Kind)
    }
    for name, found in all_equations().items():
        if not name.startswith("tests."):
            assert {*found.arguments.values(), *found.returns} <= named, name
    assert named <= set(KINDS)
    dollars = {
        "money",
        *(f"{of}_price" for of in ("energy", "demand", "apparent", "reactive", "volume", "hour")),
    }
    other_currencies = {kind_in(kind, c) for kind in dollars for c in CURRENCIES}
    # What no equation takes or gives: prices beside the dollar's, and units of inputs and tables.
    of_inputs = {
        "flow_per_power",
        "frequency",
        "rating_temperature",
        "specific_fan_power",
        "swing_frequency",
    }
    assert set(KINDS) - named == (other_currencies - dollars) | of_inputs
