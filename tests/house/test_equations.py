"""Every registered equation: dimensions, source, docstring, a test of its own, arrays.

Parametrised over the registry, so that no equation can be forgotten.
"""

from __future__ import annotations

import ast
import csv
import inspect
import re
import warnings
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

import numpy as np
import pytest

from facility.core.equation import AnyEquation
from facility.core.kinds import KINDS
from facility.core.units import from_si, quantity, ureg
from tests.tools.equations import (
    SENSIBLE,
    Worked,
    all_equations,
    parts,
    sample_arguments,
    worked_examples,
)
from tests.tools.source_tree import ROOT, report

# Words a Source may name without a row in sources.csv: nothing was read, it follows or is stated.
OWN_SOURCES = {"derivation", "definition"}

# Equations that combine active and reactive power into one complex or apparent power: their
# arguments are fed in base units, where W, VA and var are the same.
COMBINES_POWERS = {
    "physics.circuits.phasor.line_current",  # P - jQ
    "physics.circuits.phasor.power_of_pairs",  # power turned by 30 degrees
    "physics.circuits.phasor.reactive_of_pairs",
    "physics.circuits.phasor.neutral_of_lines",  # P - jQ
    "physics.machines.transformer.transformer_efficiency",  # S pf is active power
    "physics.machines.ups.recharge_left",  # likewise
}

# Equations whose `.si` takes single numbers alone, and why.
SCALAR_ONLY = {
    "physics.machines.generator.sets_needed": "a count for one design load",
    "physics.machines.generator.site_derate": "one site",
    "physics.machines.ups.modules_needed": "a count for one design load",
}

EQUATIONS = all_equations()
HOMOGENEOUS = {name: e for name, e in EQUATIONS.items() if not e.empirical}


def test_there_are_equations_and_samples_for_every_kind() -> None:
    assert len(EQUATIONS) >= 50
    assert set(SENSIBLE) == set(KINDS)


# --- dimensions -------------------------------------------------------------------------------


def _with_differences(units: Any) -> Any:
    """Return `units` with the kelvin as a difference, which adds to a temperature in degC."""
    container = units._units
    if "kelvin" in container:
        container = container.rename("kelvin", "delta_degree_Celsius")
    return ureg.Unit(container)


def as_argument(value: float, kind: str, base_units: bool) -> Any:
    """Return `value` of `kind` as pint sees it; a count or a ratio stays a bare number."""
    if KINDS[kind].is_plain:
        return value
    given = from_si(value, kind)
    if kind == "temperature":
        return given
    if base_units:
        return given.to_base_units()
    return ureg.Quantity(value, _with_differences(given.units))


def wrong_dimension(result: Any, kind: str) -> str:
    """Return what is wrong with the dimension of `result`, empty when it is of `kind`."""
    units = getattr(result, "units", ureg.dimensionless)
    dimension, expected = units.dimensionality, from_si(1.0, kind).units.dimensionality
    if dimension != expected:
        return f"has dimension {dict(dimension)}, declared {kind} is {dict(expected)}"
    is_absolute = dict(units._units) == {"degree_Celsius": 1}
    if kind == "temperature" and not is_absolute:
        return f"is a difference in {units}, declared as a temperature"
    if kind == "temperature_difference" and is_absolute:
        return "is a temperature, declared as a difference"
    return ""


def test_dimensions_of_the_results_are_the_declared_kinds() -> None:
    for name, equation in HOMOGENEOUS.items():
        arguments = {
            argument: as_argument(value, equation.arguments[argument], name in COMBINES_POWERS)
            for argument, value in sample_arguments(equation).items()
        }
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            results = parts(equation.si(**arguments))
        for result, kind in zip(results, equation.returns, strict=True):
            wrong = wrong_dimension(result, kind)
            assert not wrong, f"{name}: {equation.symbol} {wrong}"


def test_the_dimension_test_finds_a_missing_factor() -> None:
    assert wrong_dimension(quantity(1, "kW") / quantity(1, "V"), "current") == ""
    assert "has dimension" in wrong_dimension(quantity(1, "kW"), "current")
    assert "has dimension" in wrong_dimension(1.0, "current")
    assert "difference" in wrong_dimension(quantity(1, "K"), "temperature")
    assert "declared as a difference" in wrong_dimension(
        quantity(1, "degC"), "temperature_difference"
    )
    supply = as_argument(20.0, "temperature", False)
    rise = as_argument(5e4, "heat_flow", False) / as_argument(4e3, "thermal_conductance", False)
    assert wrong_dimension(supply + rise, "temperature") == ""


def test_empirical_equations_are_few_and_say_why(capsys: pytest.CaptureFixture[str]) -> None:
    empirical = {name: e.empirical for name, e in EQUATIONS.items() if e.empirical}
    with capsys.disabled():
        print(f"\n{len(empirical)} of {len(EQUATIONS)} equations are empirical")
        for name, reason in empirical.items():
            print(f"  {name}: {reason}")
    assert len(empirical) < 0.4 * len(EQUATIONS)
    short = [name for name, reason in empirical.items() if len(reason.split()) < 3]
    assert not short, report("empirical without a reason in words", short)


# --- source and docstring ---------------------------------------------------------------------


@lru_cache(maxsize=1)
def source_ids() -> frozenset[str]:
    with (ROOT / "reference" / "sources.csv").open(newline="", encoding="utf-8") as stream:
        return frozenset(row["id"] for row in csv.DictReader(stream)) | OWN_SOURCES


def test_every_equation_names_a_known_source() -> None:
    offenders = [
        f"{name}: {e.source.id!r}"
        for name, e in EQUATIONS.items()
        if e.source.id not in source_ids()
    ]
    assert not offenders, report("sources that are not in reference/sources.csv", offenders)


def by_hand(equation: AnyEquation) -> list[str]:
    """Return the paragraphs of the docstring that stands in the code."""
    return inspect.cleandoc(equation.si.__doc__ or "").split("\n\n")


def test_every_equation_says_in_a_sentence_what_it_gives() -> None:
    offenders = [
        name for name, e in EQUATIONS.items() if not re.fullmatch(r"[^\n]{15,}\.", by_hand(e)[0])
    ]
    assert not offenders, report("equations whose docstring begins with no sentence", offenders)


def test_what_the_signature_says_is_not_written_again() -> None:
    offenders = [
        name
        for name, e in EQUATIONS.items()
        if any(text.startswith(("Parameters\n", "Returns\n")) for text in by_hand(e))
    ]
    assert not offenders, report("tables of arguments by hand: the signature gives them", offenders)


def test_meanings_name_arguments_that_are_there() -> None:
    """A line ``name: meaning`` of an argument that was renamed stays behind as a remark."""
    meaning = re.compile(r"[a-z]\w*(, [a-z]\w*)*: ")
    offenders = [
        f"{name}: {text.splitlines()[0]}"
        for name, e in EQUATIONS.items()
        for text in by_hand(e)
        if meaning.match(text) and text in (e.__doc__ or "")
    ]
    assert not offenders, report("meanings of no argument", offenders)


def test_help_shows_every_argument_with_shape_and_unit_and_the_source() -> None:
    offenders = []
    for name, e in EQUATIONS.items():
        shown = e.__doc__ or ""
        for argument, kind in e.arguments.items():
            unit = f" \\[{re.escape(KINDS[kind].si)}\\]" if KINDS[kind].si else ""
            line = rf"^{argument} : (float|float or ndarray|complex or ndarray){unit}$"
            if not re.search(line, shown, re.MULTILINE):
                offenders.append(f"{name}: {argument}")
        if not shown.endswith(f"Source\n------\n{e.source}"):
            offenders.append(f"{name}: its source")
    assert not offenders, report("not shown by help", offenders)


def test_help_names_the_codes_that_the_function_raises() -> None:
    offenders = [
        f"{name}: {code}"
        for name, e in EQUATIONS.items()
        for code in re.findall(r'(?:FacilityError|unknown)\(\s*"(\w+)"', inspect.getsource(e.si))
        if f"``{code}``" not in (e.__doc__ or "")
    ]
    assert not offenders, report("codes that the docstring does not name", offenders)


def test_every_equation_shows_symbol_and_formula() -> None:
    offenders = [name for name, e in EQUATIONS.items() if not (e.symbol and e.latex)]
    assert not offenders, report("equations without symbol or formula", offenders)


# --- a test of its own ------------------------------------------------------------------------


def test_worked_examples() -> None:
    offenders = [wrong for worked in worked_examples() for wrong in _beside(worked)]
    assert not offenders, report("worked examples that are not met", offenders)


def _beside(worked: Worked) -> Iterator[str]:
    results = parts(EQUATIONS[worked.equation].si(**worked.inputs))
    for result, expected, tolerance in zip(results, worked.expected, worked.tolerance, strict=True):
        if not abs(result - expected) <= tolerance:
            yield f"{worked.where} {worked.equation}: {result}, not {expected} +- {tolerance}"


def test_worked_examples_say_where_from_and_why_the_tolerance() -> None:
    offenders = [w.where for w in worked_examples() if not (w.why.strip() and w.source.strip())]
    assert not offenders, report("worked examples without a source or reason", offenders)


@lru_cache(maxsize=1)
def names_used_in_tests() -> dict[str, set[str]]:
    """Return module name to the names of it that tests use, imports alone not counted."""
    used: dict[str, set[str]] = {}
    for path in sorted((ROOT / "tests").rglob("test_*.py")):
        if path.parent.name == "house":
            continue
        tree = ast.parse(path.read_text(encoding="utf-8"))
        imported: set[str] = set()
        for node in ast.walk(tree):
            if isinstance(node, ast.ImportFrom) and node.module:
                imported.add(node.module)
                imported |= {f"{node.module}.{alias.name}" for alias in node.names}
            elif isinstance(node, ast.Import):
                imported |= {alias.name for alias in node.names}
        names = {n.id for n in ast.walk(tree) if isinstance(n, ast.Name)}
        names |= {n.attr for n in ast.walk(tree) if isinstance(n, ast.Attribute)}
        for module in imported:
            used.setdefault(module, set()).update(names)
    return used


def test_every_equation_has_a_worked_example_or_a_test() -> None:
    worked = {w.equation for w in worked_examples()}
    offenders = []
    for name in EQUATIONS:
        module, _, function = name.rpartition(".")
        if name not in worked and function not in names_used_in_tests().get(
            f"facility.{module}", set()
        ):
            offenders.append(name)
    assert not offenders, report("equations that no worked example and no test uses", offenders)


# --- arrays -----------------------------------------------------------------------------------

POINTS = 4


def _points(equation: AnyEquation) -> dict[str, Any]:
    """Return each argument at a few points, a little less at each; counts stay what they are."""
    chosen = {}
    for index, (name, value) in enumerate(sample_arguments(equation).items()):
        step = 0.0 if equation.arguments[name] == "count" else 2e-3 * (1 + index % 3)
        chosen[name] = value * (1.0 - step * np.arange(POINTS))
    return chosen


def test_arrays_equal_scalars() -> None:
    for name, equation in EQUATIONS.items():
        points = _points(equation)
        by_point = [
            parts(equation.si(**{n: float(values[i]) for n, values in points.items()}))
            for i in range(POINTS)
        ]
        if name in SCALAR_ONLY:
            with pytest.raises((TypeError, ValueError)):
                equation.si(**points)
            continue
        for index, whole in enumerate(parts(equation.si(**points))):
            single = np.array([results[index] for results in by_point])
            np.testing.assert_allclose(
                np.broadcast_to(whole, single.shape), single, rtol=1e-12, atol=0, err_msg=name
            )


def test_scalar_only_equations_are_still_there() -> None:
    gone = [name for name in [*SCALAR_ONLY, *COMBINES_POWERS] if name not in EQUATIONS]
    assert not gone, report("exceptions for equations that are no more", gone)
