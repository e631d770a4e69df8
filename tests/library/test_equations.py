"""The public address of every equation: scalars, lists, arrays, Series, domains."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
import pytest

import facility
from facility.core.errors import FacilityError
from facility.core.kinds import KINDS
from facility.core.units import from_si
from facility.equations import TOPICS, PublicEquation
from tests.tools.equations import all_equations, parts, sample_arguments

DECLARED = {
    f"{name.split('.')[1]}.{name.rpartition('.')[2]}": one
    for name, one in all_equations().items()
    if name.startswith("physics.")
}


def refused(call: object, *args: object) -> str:
    assert callable(call)
    with pytest.raises(FacilityError) as caught:
        call(*args)
    return caught.value.code


def public(name: str) -> PublicEquation:
    topic, short = name.split(".")
    found = getattr(getattr(facility.equations, topic), short)
    assert isinstance(found, PublicEquation)
    return found


def test_every_equation_has_one_address_and_a_row_in_the_index() -> None:
    index = facility.equations.index()
    assert {one.name for one in index} == set(DECLARED)
    assert all(public(one.name) is one for one in index)
    assert list(index.to_frame()["name"]) == [one.name for one in index]
    assert index._repr_html_().count("<tr>") == len(index) + 1
    assert {*TOPICS, "index"} == set(dir(facility.equations))
    assert "three_phase_current" in dir(facility.equations.circuits)
    with pytest.raises(AttributeError, match="circuits"):
        facility.equations.circuit  # noqa: B018
    with pytest.raises(AttributeError, match="three_phase_current"):
        facility.equations.circuits.three_phase_curent  # noqa: B018


def test_both_interfaces_give_the_result_of_the_equation() -> None:
    for name, declared in DECLARED.items():
        given = sample_arguments(declared)
        expected = parts(declared.si(**given))
        assert parts(public(name).si(**given)) == expected, name
        quantities = {n: from_si(value, declared.arguments[n]) for n, value in given.items()}
        found = parts(public(name)(**quantities))
        assert [one.magnitude for one in found] == list(expected), name


def test_lists_and_series_give_the_results_of_their_elements() -> None:
    times = pd.date_range("2001-01-01", periods=2, freq="h", name="hour")
    for name, declared in DECLARED.items():
        given = sample_arguments(declared)
        if any(isinstance(value, complex) for value in given.values()):
            continue
        expected = parts(declared.si(**given))
        listed = parts(public(name).si(**{n: [value, value] for n, value in given.items()}))
        series = {n: pd.Series(value, index=times) for n, value in given.items()}
        kept = parts(public(name).si(**series))
        for one, two, three in zip(expected, listed, kept, strict=True):
            assert np.allclose(two, one, rtol=1e-12), name
            assert list(three.index) == list(times), name
            assert np.allclose(three, one, rtol=1e-12), name


def test_a_series_of_quantities_states_its_unit() -> None:
    current = facility.equations.circuits.three_phase_current
    load = pd.Series([100.0, 200.0], index=["a", "b"])
    assert refused(current, load, facility.quantity(480, "V")) == "UNIT_MISSING"
    load.attrs["unit"] = "kVA"
    found = current(load, facility.quantity(480, "V"))
    assert (list(found.index), found.attrs["unit"]) == (["a", "b"], "A")
    assert found["b"] == pytest.approx(200e3 / (math.sqrt(3.0) * 480.0))
    load.attrs["unit"] = "kW"
    assert refused(current, load, facility.quantity(480, "V")) == "UNIT_UNKNOWN"
    other = pd.Series([480.0, 480.0], index=["a", "c"])
    assert refused(current.si, load, other) == "INPUT_TYPE"


@pytest.mark.parametrize(
    ("values", "code"),
    [
        ((1e6, 0.0), "EQUATION_DOMAIN"),
        ((-1e3, 480.0), "EQUATION_DOMAIN"),
        (([1e6, -1.0], 480.0), "EQUATION_DOMAIN"),
        ((math.nan, 480.0), "EQUATION_DOMAIN"),
        ((math.inf, 480.0), "EQUATION_DOMAIN"),
        (("1e6", 480.0), "INPUT_TYPE"),
        ((True, 480.0), "INPUT_TYPE"),
        ((None, 480.0), "INPUT_TYPE"),
    ],
)
def test_values_outside_the_domain_are_rejected(values: tuple[object, ...], code: str) -> None:
    current = facility.equations.circuits.three_phase_current
    assert refused(current.si, *values) == code


def test_quantities_outside_the_domain_are_rejected() -> None:
    current, quantity = facility.equations.circuits.three_phase_current, facility.quantity
    assert refused(current, quantity(-1, "kVA"), quantity(480, "V")) == "EQUATION_DOMAIN"
    assert refused(current, quantity(1, "kVA"), quantity(0, "V")) == "EQUATION_DOMAIN"
    assert refused(current, quantity(1, "kW"), quantity(480, "V")) == "UNIT_WRONG"
    wet_bulb = facility.equations.air.wet_bulb
    arguments = [-300.0 if kind == "temperature" else 0.01 for kind in wet_bulb.arguments.values()]
    assert refused(wet_bulb.si, *arguments) == "EQUATION_DOMAIN"
    with pytest.raises(TypeError, match="three_phase_current"):
        current.si(1.0)


def test_gaps_of_a_series_stay_gaps() -> None:
    load = pd.Series([1e6, math.nan])
    found = facility.equations.circuits.three_phase_current.si(load, 480.0)
    assert found.notna().tolist() == [True, False]


def test_kinds_of_a_domain_exist() -> None:
    from facility.equations import _ABOVE_ZERO, _SIGNED

    assert set(KINDS) >= _ABOVE_ZERO | _SIGNED
