"""The equations by topic and name: ``facility.equations.circuits.line_current``.

Called with quantities, an equation returns a quantity; its ``si`` takes and returns numbers in SI
units. Both accept scalars, lists, arrays and pandas Series, whose index is kept, and reject values
outside the domain of the equation. ``index()`` lists all equations.

A pandas Series given as a quantity states its unit in ``series.attrs["unit"]``, and so does the
Series returned.
"""

from __future__ import annotations

import importlib
import inspect
import math
import pkgutil
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from facility.core.equation import EQUATIONS, AnyEquation
from facility.core.errors import FacilityError, near_matches
from facility.core.kinds import KINDS
from facility.core.sources import Source
from facility.core.table import data_frame, html_table
from facility.core.units import as_quantities, quantity, to_si
from facility.report.sheet.formula_text import formula_text

if TYPE_CHECKING:
    from pandas import DataFrame

TOPICS: Mapping[str, str] = {
    "air": "psychrometrics, sensible and latent heat of air",
    "circuits": "currents, conductors, voltage drop, harmonics",
    "exchangers": "heat exchangers, coils, dry coolers",
    "facility": "metrics, demand, tariffs, cost of ownership, reliability",
    "faults": "short-circuit currents",
    "liquids": "coolants, pipes, cold plates, water use",
    "machines": "UPS, batteries, generators, transformers, motors",
    "plant": "chillers, towers, fans, pumps, thermal storage",
}
"""Subject of each topic."""

_ABOVE_ZERO = {
    *("line_voltage", "phase_voltage", "dc_voltage"),
    *("density", "specific_heat", "specific_volume"),
}
_SIGNED = {
    *("active_power", "reactive_power", "power_ramp", "heat_flow", "energy", "reactive_energy"),
    *("current", "charge", "length", "liquid_flow", "pressure", "specific_enthalpy"),
    *("temperature", "temperature_difference", "degrees", "fraction", "ratio"),
    *("money", "energy_price"),
}
"""Kinds that may be negative, besides temperatures down to absolute zero."""
Numbers = Any
"""A number, a list, an array, a pandas Series or a quantity of one of these."""
_ABSOLUTE_ZERO_C = -273.15


class PublicEquation:
    """One equation, for quantities and, by ``si``, for numbers in SI units.

    Attributes
    ----------
    name : str
        Its address below ``facility.equations``, e.g. ``"circuits.line_current"``.
    symbol, formula : str
        Symbol of the result, and the formula as text.
    latex : str
        Right-hand side of the formula in LaTeX.
    arguments : dict[str, str]
        Kind of quantity of each argument by name.
    returns : tuple[str, ...]
        Kinds of the result, or of each of several results.
    source : Source
        Where the formula is from.

    Examples
    --------
    >>> import facility
    >>> current = facility.equations.circuits.three_phase_current
    >>> round(current.si(1.0e6, 480.0))
    1203
    >>> current.si(1.0e6, 0.0)
    Traceback (most recent call last):
    ...
    facility.core.errors.FacilityError: ...
    """

    def __init__(self, declared: AnyEquation) -> None:
        _, topic, *_, short = declared.name.split(".")
        self.name = f"{topic}.{short}"
        self.symbol = formula_text(declared.symbol)
        self.formula = formula_text(declared.statement)
        self.latex = declared.latex
        self.arguments = declared.arguments
        self.returns = declared.returns
        self.source: Source = declared.source
        self._declared = declared
        self.__doc__ = declared.__doc__

    def __repr__(self) -> str:
        return f"<equation {self.name}({', '.join(self.arguments)}): {self.formula}>"

    @property
    def __signature__(self) -> inspect.Signature:
        return inspect.signature(self._declared.si)

    def __call__(self, *args: Numbers, **kwargs: Numbers) -> Numbers:
        """Return the result as a quantity, of quantities; see `help` of the equation.

        Raises
        ------
        FacilityError
            ``UNIT_WRONG`` or ``UNIT_MISSING`` for an argument of another kind;
            ``EQUATION_DOMAIN`` for values outside the domain.
        """
        found, index = self._evaluated(args, kwargs, _plain_of_quantity)
        if index is None:
            return as_quantities(found, self.returns)
        return _each(found, self.returns, lambda part, kind: _series(part, index, KINDS[kind].si))

    def si(self, *args: Numbers, **kwargs: Numbers) -> Numbers:
        """Return the result in SI units, of numbers in SI units; see `help` of the equation.

        Raises
        ------
        FacilityError
            ``INPUT_TYPE`` for what is not a number; ``EQUATION_DOMAIN`` for values outside the
            domain.
        """
        found, index = self._evaluated(args, kwargs, _plain_of_number)
        if index is None:
            return found
        return _each(found, self.returns, lambda part, _: _series(part, index, ""))

    def _evaluated(
        self, args: Numbers, kwargs: Numbers, plain: Callable[[Numbers, str, str], Numbers]
    ) -> tuple[Numbers, Numbers]:
        """Return the result in SI, and the index of the Series among the arguments or None."""
        try:
            given = self.__signature__.bind(*args, **kwargs).arguments
        except TypeError as error:
            raise TypeError(f"{self.name}(): {error}") from None
        index = _common_index(given)
        values = {name: plain(value, self.arguments[name], name) for name, value in given.items()}
        for name, value in values.items():
            _check_domain(value, self.arguments[name], name, gaps=index is not None)
        try:
            with np.errstate(divide="raise", invalid="raise", over="raise"):
                return _computed(self._declared.si, values), index
        except (ArithmeticError, ValueError) as error:
            raise self._no_result(str(error)) from None

    def _no_result(self, why: str) -> FacilityError:
        return FacilityError(
            "EQUATION_DOMAIN",
            self.name,
            f"{self.formula} has no result for these values ({why}).",
            "Check the arguments.",
        )


@dataclass(frozen=True)
class Topic:
    """The equations of one topic by attribute."""

    name: str

    def __getattr__(self, name: str) -> PublicEquation:
        known = _equations(self.name)
        if name not in known:
            hint = "" if name.startswith("_") else near_matches(name, known)
            raise AttributeError(f"no equation {self.name}.{name}. {hint}")
        return known[name]

    def __iter__(self) -> Iterator[PublicEquation]:
        """Iterate over the equations by name."""
        return iter(_equations(self.name).values())

    def __dir__(self) -> list[str]:
        return list(_equations(self.name))


class Index(tuple[PublicEquation, ...]):
    """All equations by topic and name; a table in a notebook."""

    def to_frame(self) -> DataFrame:
        """Return a pandas table: name, formula, arguments, result (kind), source.

        Raises
        ------
        FacilityError
            ``NO_PANDAS`` where pandas is not installed.
        """
        heads, *rows = self._lines()
        return data_frame(rows, columns=heads)

    def _repr_html_(self) -> str:
        """Return the equations as a table, for notebooks."""
        heads, *rows = self._lines()
        return html_table(heads, rows)

    def _lines(self) -> Iterator[list[str]]:
        yield ["name", "formula", "arguments", "result", "source"]
        for one in self:
            arguments = (f"{name} [{KINDS[kind].si}]" for name, kind in one.arguments.items())
            result = ", ".join(kind.replace("_", " ") for kind in one.returns)
            yield [one.name, one.formula, ", ".join(arguments), result, str(one.source)]


def index() -> Index:
    """Return all equations by topic and name, as a tuple that a notebook displays as a table.

    Examples
    --------
    >>> import facility
    >>> len(facility.equations.index()) > 200
    True
    """
    return Index(one for topic in TOPICS for one in _equations(topic).values())


@cache
def _equations(topic: str) -> dict[str, PublicEquation]:
    package = importlib.import_module(f"facility.physics.{topic}")
    for found in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
        importlib.import_module(found.name)
    declared = (one for name, one in EQUATIONS.items() if name.startswith(f"physics.{topic}."))
    public = {one.name.rpartition(".")[2]: PublicEquation(one) for one in declared}
    return dict(sorted(public.items()))


def __getattr__(name: str) -> Topic:
    if name not in TOPICS:
        raise AttributeError(f"no topic {name!r} of equations. {near_matches(name, TOPICS)}")
    return Topic(name)


def __dir__() -> list[str]:
    return [*TOPICS, "index"]


def _is_series(value: object) -> bool:
    return type(value).__name__ == "Series" and type(value).__module__.startswith("pandas")


def _common_index(given: Mapping[str, Numbers]) -> Numbers:
    """Return the index of the Series among the arguments; None without a Series."""
    found = [(name, value.index) for name, value in given.items() if _is_series(value)]
    for name, one in found[1:]:
        if not one.equals(found[0][1]):
            raise FacilityError(
                "INPUT_TYPE",
                name,
                f"the index of this Series differs from the index of {found[0][0]}.",
                "Align the Series first, e.g. with reindex.",
            )
    return found[0][1] if found else None


def _plain_of_quantity(value: Numbers, kind: str, name: str) -> Numbers:
    if _is_series(value):
        unit = value.attrs.get("unit", "")
        numbers = value.to_numpy(dtype=float)
        if not unit and not KINDS[kind].is_plain:
            return to_si(numbers, kind, name)
        factor, offset = KINDS[kind].units.get(unit) or (None, None)
        if factor is None:
            quantity(0.0, unit, kind)  # raises with the units of the kind
        return numbers * factor + offset
    if isinstance(value, list | tuple) and KINDS[kind].is_plain:
        value = np.asarray(value, dtype=float)
    return to_si(value, kind, name)


def _plain_of_number(value: Numbers, _: str, name: str) -> Numbers:
    try:
        if isinstance(value, str | bytes | bool) or value is None or hasattr(value, "magnitude"):
            raise TypeError
        if isinstance(value, int | float | complex):
            return value
        found = np.asarray(value)
        return found if found.dtype.kind == "c" else found.astype(float)
    except (TypeError, ValueError):
        raise FacilityError(
            "INPUT_TYPE",
            name,
            f"a number in SI units, a list, an array or a Series is expected, not a "
            f"{type(value).__name__}.",
            "Call the equation itself, without .si, to give quantities.",
        ) from None


def _check_domain(value: Numbers, kind: str, name: str, *, gaps: bool) -> None:
    """Refuse values outside the domain of their kind; `gaps`: NaN is a missing value."""
    numbers = np.asarray(value)
    if numbers.dtype.kind == "c":
        return
    unit, label = KINDS[kind].si, kind.replace("_", " ")
    if kind == "temperature":
        outside, limit = numbers < _ABSOLUTE_ZERO_C, f"at least {_ABSOLUTE_ZERO_C:g} {unit}"
    elif kind in _ABOVE_ZERO:
        outside, limit = numbers <= 0.0, "above 0"
    elif kind in _SIGNED:
        outside, limit = np.zeros(numbers.shape, dtype=bool), "finite"
    else:
        outside, limit = numbers < 0.0, "at least 0"
    outside |= np.isinf(numbers) if gaps else ~np.isfinite(numbers)
    if not outside.any():
        return
    first = float(numbers[outside].flat[0]) if numbers.ndim else float(numbers)
    shown = f"{first:g} {unit}".strip()
    raise FacilityError(
        "EQUATION_DOMAIN",
        name,
        f"{shown} is outside the domain of the {label}.",
        f"Enter a value {limit}." if math.isfinite(first) else "Enter a finite value.",
    )


def _computed(si: Callable[..., Numbers], values: Mapping[str, Numbers]) -> Numbers:
    """Return the result; an equation of single numbers is evaluated element by element."""
    try:
        return si(**values)
    except (TypeError, ValueError):
        if not any(np.ndim(value) for value in values.values()):
            raise
        names = list(values)
        each = np.vectorize(lambda *row: si(**dict(zip(names, row, strict=True))), otypes=[float])
        return each(*values.values())


def _each(
    found: Numbers, kinds: tuple[str, ...], convert: Callable[[Numbers, str], Numbers]
) -> Numbers:
    if len(kinds) == 1:
        return convert(found, kinds[0])
    return tuple(convert(part, kind) for part, kind in zip(found, kinds, strict=True))


def _series(values: Numbers, index: Numbers, unit: str) -> Numbers:
    from pandas import Series

    found = Series(np.broadcast_to(values, (len(index),)), index=index)
    if unit:
        found.attrs["unit"] = unit
    return found
