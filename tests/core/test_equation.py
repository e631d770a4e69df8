"""A declared equation: two doors, one registry."""

from __future__ import annotations

import doctest
import inspect
import math
from collections.abc import Iterator
from typing import Any

import numpy as np
import pint
import pytest

from facility.core.equation import EQUATIONS, Equation, equation
from facility.core.errors import FacilityError
from facility.core.sources import DERIVED
from facility.core.units import quantity


@pytest.fixture(autouse=True)
def _registry_left_as_found() -> Iterator[None]:
    before = dict(EQUATIONS)
    yield
    EQUATIONS.clear()
    EQUATIONS.update(before)


def line_current() -> Equation:
    @equation(
        "I",
        r"\\frac{P}{\\sqrt{3} U \\cos\\varphi}",
        "current",
        DERIVED,
        power_w="active_power",
        voltage_v="line_voltage",
        power_factor="fraction",
    )
    def line_current(power_w: Any, voltage_v: Any, power_factor: Any) -> Any:
        """Return the line current of a balanced three-phase load.

        >>> round(line_current.si(12000.0, 415.0, 1.0), 3)
        16.694
        """
        return power_w / (math.sqrt(3.0) * voltage_v * power_factor)

    return line_current


def split() -> Equation:
    @equation(
        "PQ",
        "(S k, S s)",
        ("active_power", "reactive_power"),
        DERIVED,
        power_va="apparent_power",
        power_factor="fraction",
    )
    def split(power_va: Any, power_factor: Any) -> Any:
        """Split apparent power."""
        return power_va * power_factor, power_va * np.sqrt(1.0 - power_factor**2)

    return split


def test_two_doors_agree() -> None:
    current = line_current()
    by_quantity = current(quantity(12, "kW"), quantity(415, "V"), power_factor=1.0)
    assert by_quantity.m_as("A") == current.si(12_000.0, 415.0, 1.0)
    assert by_quantity.m_as("A") == pytest.approx(16.694, abs=5e-4)
    assert current(quantity(12, "kW"), quantity(415, "V"), quantity(100, "%")) == by_quantity


def test_arguments_keep_their_declared_order() -> None:
    current = line_current()
    assert list(current.arguments) == ["power_w", "voltage_v", "power_factor"]
    assert list(inspect.signature(current).parameters) == list(current.arguments)
    with pytest.raises(FacilityError) as caught:
        current(quantity(415, "V"), quantity(12, "kW"), 1.0)
    assert (caught.value.code, caught.value.where) == ("UNIT_WRONG", "power_w")


def test_wrong_calls_are_refused() -> None:
    current = line_current()
    p, u = quantity(12, "kW"), quantity(415, "V")
    with pytest.raises(TypeError, match=r"line_current.*too many positional"):
        current(p, u, 1.0, 1.0)
    with pytest.raises(TypeError, match="multiple values for argument 'power_w'"):
        current(p, u, 1.0, power_w=p)
    with pytest.raises(TypeError, match="unexpected keyword argument 'power_kw'"):
        current(p, u, 1.0, power_kw=p)
    with pytest.raises(TypeError, match="power_factor"):
        current(p, u)
    with pytest.raises(FacilityError, match="power factor"):
        current(quantity(12, "kVA"), u, 1.0)


def test_by_name_and_by_position_alike() -> None:
    current = line_current()
    by_name = current(power_factor=0.9, voltage_v=quantity(415, "V"), power_w=quantity(12, "kW"))
    assert by_name == current(quantity(12, "kW"), quantity(415, "V"), 0.9)
    assert current(quantity(12e3, "W"), quantity(415, "V"), 1).m_as("A") == (
        current.si(12e3, 415.0, 1.0)
    )


def test_foreign_quantities_pass_the_same_door() -> None:
    foreign: pint.UnitRegistry[float] = pint.UnitRegistry()
    power, volts = foreign.Quantity(12e3, "watt"), foreign.Quantity(415.0, "volt")
    assert line_current()(power, volts, 1.0).m_as("A") == line_current().si(12e3, 415.0, 1.0)


def test_arrays_pass_through_both_doors() -> None:
    power = np.linspace(1e3, 1e6, 24)
    result = line_current()(quantity(power, "W"), quantity(415, "V"), 0.95)
    np.testing.assert_array_equal(result.magnitude, line_current().si(power, 415.0, 0.95))


def test_several_results() -> None:
    active, reactive = split()(quantity(100, "kVA"), 0.8)
    assert active.m_as("kW") == pytest.approx(80.0)
    assert reactive.m_as("kvar") == pytest.approx(60.0)


def test_registered_under_its_dotted_name() -> None:
    declared = line_current()
    assert EQUATIONS[declared.name] is declared
    assert declared.name.endswith(".line_current")
    assert declared.returns == ("current",)


def test_help_and_doctest_see_the_function() -> None:
    declared = line_current()
    assert declared.__doc__ == declared.si.__doc__
    assert Equation.__doc__
    assert Equation.__doc__.startswith("A formula")
    found = doctest.DocTestFinder().find(declared.si, "line_current")
    assert found[0].examples


def test_a_declaration_that_does_not_match_is_refused() -> None:
    def swapped(voltage_v: float, power_w: float) -> float:
        return power_w / voltage_v

    with pytest.raises(TypeError, match="swapped"):
        equation("I", "P/U", "current", DERIVED, power_w="active_power", voltage_v="dc_voltage")(
            swapped
        )
    with pytest.raises(TypeError, match="amperage"):
        equation("I", "P/U", "amperage", DERIVED, voltage_v="dc_voltage", power_w="active_power")(
            swapped
        )
