"""The quantity door: kinds, foreign registries, arithmetic units, arrays, threads."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from decimal import Decimal
from typing import Any

import numpy as np
import pint
import pytest
from hypothesis import given
from hypothesis import strategies as st

import facility
from facility.core.errors import FacilityError
from facility.core.kinds import KINDS
from facility.core.units import from_si, quantity, to_si, ureg


def code_of(call: Callable[[], Any]) -> str:
    with pytest.raises(FacilityError) as caught:
        call()
    assert caught.value.hint
    return caught.value.code


@given(value=st.floats(-1e12, 1e12), kind=st.sampled_from(sorted(KINDS)))
def test_from_si_and_back(value: float, kind: str) -> None:
    assert to_si(from_si(value, kind), kind) == value


def test_power_kinds_are_kept_apart() -> None:
    kw, kva, kvar = quantity(1, "kW"), quantity(1, "kVA"), quantity(1, "kvar")
    assert to_si(kw, "active_power") == 1000.0
    assert to_si(kva, "apparent_power") == 1000.0
    assert to_si(kvar, "reactive_power") == 1000.0
    for given_, kind in [(kva, "active_power"), (kw, "apparent_power"), (kvar, "active_power")]:
        with pytest.raises(FacilityError, match="power factor") as caught:
            to_si(given_, kind, "load")
        assert caught.value.code == "UNIT_WRONG"
        assert caught.value.where == "load"


@pytest.mark.parametrize("other", ["kVA", "kvar"])
def test_kilowatts_do_not_add_to_other_powers(other: str) -> None:
    """Stock pint says 1 kW + 1 kVA = 2 kW."""
    with pytest.raises(pint.DimensionalityError, match="different kinds"):
        quantity(1, "kW") + quantity(1, other)
    with pytest.raises(pint.DimensionalityError):
        quantity(1, "kW").to(quantity(1, other).units)
    assert quantity(1, "kW") != quantity(1, other)
    with pytest.raises(pint.DimensionalityError):
        quantity(1, "kW") + quantity(1, "V") * quantity(1, "A")


def test_units_of_one_kind_add() -> None:
    assert (quantity(1, "kW") + quantity(1, "MW")).m_as("kW") == pytest.approx(1001.0)
    assert (quantity(1, "hp") + quantity(1, "W")).m_as("W") == pytest.approx(746.69987)
    s = (quantity(3, "kW") ** 2 + quantity(4, "kvar") ** 2) ** 0.5
    assert s.magnitude == pytest.approx(5.0)
    assert quantity(1, "kVA").to_base_units().magnitude == pytest.approx(1000.0)


def test_units_made_by_arithmetic() -> None:
    volts, amperes = quantity(415, "V"), quantity(10, "A")
    assert to_si(volts * amperes, "apparent_power") == 4150.0
    assert to_si(quantity(11, "kV") * amperes, "apparent_power") == pytest.approx(110_000.0)
    assert code_of(lambda: to_si(volts * amperes, "active_power")) == "UNIT_WRONG"
    assert code_of(lambda: to_si(volts * amperes, "reactive_power")) == "UNIT_WRONG"
    assert to_si(amperes**2 * quantity(2, "ohm"), "active_power") == 200.0
    assert to_si(quantity(2, "kW") * quantity(3, "h"), "energy") == 2.16e7
    assert code_of(lambda: to_si(quantity(2, "kVA") * quantity(3, "h"), "energy")) == "UNIT_WRONG"
    assert to_si(quantity(2, "kVA") / quantity(400, "V"), "current") == 5.0
    assert to_si(quantity(9, "kW") / quantity(10, "kVA"), "fraction") == 0.9
    assert to_si(quantity(1, "kV") / quantity(10, "V"), "ratio") == 100.0
    assert to_si(quantity(0.1, "USD") / (quantity(1, "kW") * quantity(1, "h")), "energy_price") == (
        pytest.approx(0.1 / 3.6e6)
    )


def test_temperature_is_not_a_difference() -> None:
    rise = quantity(30, "degC") - quantity(20, "degC")
    assert to_si(rise, "temperature_difference") == 10.0
    assert code_of(lambda: to_si(rise, "temperature")) == "UNIT_WRONG"
    assert code_of(lambda: to_si(quantity(30, "degC"), "temperature_difference")) == "UNIT_WRONG"
    assert to_si(quantity(80.6, "degF"), "temperature") == pytest.approx(27.0)
    assert to_si(quantity(300.15, "K"), "temperature") == pytest.approx(27.0)
    assert to_si(quantity(27, "K"), "temperature") == pytest.approx(-246.15)
    assert to_si(quantity(18, "delta_degF"), "temperature_difference") == pytest.approx(10.0)


def test_a_token_of_another_kind_is_refused_even_where_the_dimension_fits() -> None:
    assert code_of(lambda: to_si(quantity(1, "cfm"), "liquid_flow")) == "UNIT_WRONG"
    assert code_of(lambda: to_si(quantity(1, "gpm"), "air_flow")) == "UNIT_WRONG"
    assert code_of(lambda: to_si(quantity(1, "MBH"), "active_power")) == "UNIT_WRONG"
    assert code_of(lambda: to_si(ureg.Quantity(1, "radian/s"), "frequency")) == "UNIT_WRONG"


@pytest.mark.parametrize(
    ("unit", "kind", "si"),
    [
        ("kW", "active_power", 2e3),
        ("kVA", "apparent_power", 2e3),
        ("MWh", "energy", 7.2e9),
        ("degC", "temperature", 2.0),
        ("degF", "temperature", -16.666666666666668),
        ("delta_degF", "temperature_difference", 10 / 9),
        ("liter/minute", "liquid_flow", 2e-3 / 60),
        ("meter**3/second", "air_flow", 2.0),
        ("ampere", "current", 2.0),
        ("foot", "length", 0.6096),
        ("volt*ampere", "apparent_power", 2.0),
        ("dimensionless", "ratio", 2.0),
    ],
)
def test_foreign_registry_converts_by_known_token(unit: str, kind: str, si: float) -> None:
    foreign: pint.UnitRegistry[float] = pint.UnitRegistry()
    assert to_si(foreign.Quantity(2.0, unit), kind) == pytest.approx(si, rel=1e-12)


@pytest.mark.parametrize(
    ("unit", "kind"),
    [
        ("cfm", "air_flow"),
        ("ton", "heat_flow"),
        ("ton", "mass"),
        ("psi", "pressure"),
        ("kilowatt*hour", "energy"),
        ("furlong", "length"),
    ],
)
def test_foreign_registry_is_refused_where_ambiguous_or_unknown(unit: str, kind: str) -> None:
    foreign: pint.UnitRegistry[float] = pint.UnitRegistry()
    assert code_of(lambda: to_si(foreign.Quantity(2.0, unit), kind)) == "UNIT_FOREIGN"


def test_foreign_registry_with_its_own_cfm_is_refused_too() -> None:
    foreign: pint.UnitRegistry[float] = pint.UnitRegistry()
    foreign.define("cfm = 28.3 liter / minute")
    assert code_of(lambda: to_si(foreign.Quantity(2.0, "cfm"), "air_flow")) == "UNIT_FOREIGN"


def test_foreign_kva_is_no_active_power() -> None:
    foreign: pint.UnitRegistry[float] = pint.UnitRegistry()
    assert code_of(lambda: to_si(foreign.Quantity(2.0, "kVA"), "active_power")) == "UNIT_WRONG"


def test_bare_numbers_and_junk() -> None:
    assert to_si(0.95, "fraction") == 0.95
    assert to_si(np.float64(3), "count") == 3
    assert code_of(lambda: to_si(5, "active_power", "load")) == "UNIT_MISSING"
    assert code_of(lambda: to_si(np.arange(9), "active_power")) == "UNIT_MISSING"
    with pytest.raises(FacilityError, match=r"quantity\(13.8, 'kV'\)"):
        to_si(13.8, "line_voltage")


@pytest.mark.parametrize("kind", ["active_power", "ratio"])
@pytest.mark.parametrize("junk", ["5 kW", b"5", None, [1], {}, ureg.watt, object()])
def test_junk_is_refused(junk: Any, kind: str) -> None:
    assert code_of(lambda: to_si(junk, kind)) == "NOT_A_NUMBER"


def test_array_in_the_si_unit_passes_without_a_copy() -> None:
    hours = np.linspace(0.0, 1e6, 8760)
    assert to_si(quantity(hours, "W"), "active_power") is hours
    assert np.shares_memory(to_si(from_si(hours, "temperature"), "temperature"), hours)
    converted = to_si(quantity(hours, "kW"), "active_power")
    assert converted is not hours
    np.testing.assert_allclose(converted, hours * 1e3, rtol=0)
    assert hours[-1] == 1e6


def test_conversion_never_changes_the_quantity() -> None:
    hours = np.array([32.0, 212.0])
    given_ = quantity(hours, "degF")
    np.testing.assert_allclose(to_si(given_, "temperature"), [0.0, 100.0], atol=1e-12)
    np.testing.assert_array_equal(given_.magnitude, [32.0, 212.0])


def test_quantity_builds_from_tokens_only() -> None:
    assert facility.quantity(10.2, "kW").m_as("W") == pytest.approx(10_200.0)
    assert quantity([1, 2], "kW").magnitude.tolist() == [1.0, 2.0]
    assert quantity(Decimal("1.5"), "kW").magnitude == 1.5
    assert code_of(lambda: quantity(1, "KW")) == "UNIT_UNKNOWN"
    assert code_of(lambda: quantity(1, "kVA", "active_power")) == "UNIT_UNKNOWN"
    assert code_of(lambda: quantity(1, "kW", "activ_power")) == "UNKNOWN_KIND"


@pytest.mark.parametrize("value", ["9**99999999", "5", b"5", None, "nan", 1j, ["x"], {}, 10**400])
def test_quantity_never_hands_text_to_the_unit_parser(value: Any) -> None:
    assert code_of(lambda: quantity(value, "kW")) == "NOT_A_NUMBER"


def test_near_unit_is_offered() -> None:
    with pytest.raises(FacilityError, match="Did you mean 'kW'"):
        quantity(1, "KW")


def test_registry_defines_the_units_stock_pint_gets_wrong() -> None:
    assert quantity(1, "cfm").m_as("m**3/s") == pytest.approx(4.719474432e-4)
    assert quantity(1, "ton_refrigeration").m_as("kW") == pytest.approx(3.5168528)
    with pytest.raises(pint.UndefinedUnitError):
        ureg.parse_units("ton")


def test_many_threads_convert_alike() -> None:
    tokens = [(kind, token) for kind in KINDS.values() for token in kind.units]
    expected = [to_si(quantity(7.0, token, kind.name), kind.name) for kind, token in tokens]

    def work(_: int) -> list[float]:
        found = [to_si(quantity(7.0, token, kind.name), kind.name) for kind, token in tokens]
        made = to_si(quantity(1, "kW") * quantity(1, "min"), "energy")
        added = (quantity(1, "kW") + quantity(1, "hp")).m_as("W")
        assert made == 60e3
        assert added == pytest.approx(1745.7, rel=1e-4)
        return found

    with ThreadPoolExecutor(8) as pool:
        assert all(found == expected for found in pool.map(work, range(64)))
