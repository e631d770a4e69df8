"""A declared equation: two doors, one registry."""

from __future__ import annotations

import doctest
import inspect
import math
from collections.abc import Iterator
from typing import Annotated

import numpy as np
import pint
import pytest

from facility.core.equation import EQUATIONS, AnyEquation, Equation, equation
from facility.core.errors import FacilityError
from facility.core.kinds import (
    KINDS,
    ActivePower,
    ApparentPower,
    Current,
    Fraction,
    LineVoltage,
    ReactivePower,
)
from facility.core.sources import DERIVED
from facility.core.units import quantity


@pytest.fixture(autouse=True)
def _registry_left_as_found() -> Iterator[None]:
    before = dict(EQUATIONS)
    yield
    EQUATIONS.clear()
    EQUATIONS.update(before)


def line_current() -> AnyEquation:
    @equation("I", r"\\frac{P}{\\sqrt{3} U \\cos\\varphi}", DERIVED)
    def line_current(
        power_w: ActivePower, voltage_v: LineVoltage, power_factor: Fraction
    ) -> Current:
        """Return the line current of a balanced three-phase load.

        power_w: of all three phases.
        returns: the same in each line.

        >>> round(line_current.si(12000.0, 415.0, 1.0), 3)
        16.694
        """
        return power_w / (math.sqrt(3.0) * voltage_v * power_factor)

    return line_current


def split() -> AnyEquation:
    @equation("PQ", "(S k, S s)", DERIVED)
    def split(power_va: ApparentPower, power_factor: Fraction) -> tuple[ActivePower, ReactivePower]:
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
    assert declared.__doc__ != declared.si.__doc__
    assert Equation.__doc__
    assert Equation.__doc__.startswith("A formula")
    found = doctest.DocTestFinder().find(declared.si, "line_current")
    assert found[0].examples


def test_help_shows_shapes_units_formula_and_source() -> None:
    assert line_current().__doc__ == (
        "Return the line current of a balanced three-phase load.\n\n"
        ">>> round(line_current.si(12000.0, 415.0, 1.0), 3)\n16.694\n\n"
        ".. math:: I = \\\\frac{P}{\\\\sqrt{3} U \\\\cos\\\\varphi}\n\n"
        "Parameters\n----------\n"
        "power_w : float or ndarray [W]\n    Active power: of all three phases.\n"
        "voltage_v : float or ndarray [V]\n    Line voltage.\n"
        "power_factor : float or ndarray\n    Fraction.\n\n"
        "Returns\n-------\n"
        "float or ndarray [A]\n    Current: the same in each line.\n\n"
        "Source\n------\nderivation, derived here from definitions"
    )
    assert "float or ndarray [var]\n    Reactive power." in (split().__doc__ or "")


def test_help_keeps_the_errors_and_names_the_shape_that_is_taken() -> None:
    @equation("n", "P", DERIVED)
    def counted(load_w: Annotated[float, KINDS["active_power"]]) -> Annotated[int, KINDS["count"]]:
        """Count.

        Remark: this is no argument.

        Raises
        ------
        ValueError
            Never.
        """
        return int(load_w)

    shown = counted.__doc__ or ""
    assert "load_w : float [W]" in shown
    assert "int\n    Count." in shown
    assert "Count.\n\nRemark: this is no argument.\n\n.. math::" in shown
    assert shown.index("Returns\n") < shown.index("Raises\n------\nValueError")


def test_a_signature_that_names_no_kind_is_refused() -> None:
    def bare(voltage_v: LineVoltage, power_w: float) -> Current:
        return power_w / voltage_v

    def returns_a_float(voltage_v: LineVoltage) -> float:
        return float(voltage_v)

    with pytest.raises(TypeError, match=r"bare\(power_w\).*must name a kind"):
        equation("I", "P/U", DERIVED)(bare)
    with pytest.raises(TypeError, match="returns_a_float ->"):
        equation("I", "P/U", DERIVED)(returns_a_float)
