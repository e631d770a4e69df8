"""Declared equations: one function, two doors, one registry.

``line_current(quantity, quantity)`` checks kinds and returns a quantity; ``line_current.si(...)``
is the bare function on floats and arrays, which all code inside the package calls. Documentation,
trace and unit tests are derived from the declaration.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from facility.core.cell_formula import fill, names_in
from facility.core.kinds import KINDS
from facility.core.sources import Source


@dataclass(frozen=True)
class Equation:
    """A formula with its kinds, symbol and source.

    Attributes
    ----------
    name : str
        Dotted name, e.g. ``"physics.electrical.line_current"``.
    si : Callable
        The bare function on SI floats and arrays.
    symbol, latex : str
        Symbol of the result and right-hand side of the formula.
    arguments : dict[str, str]
        Argument name to kind name.
    returns : tuple[str, ...]
        Kind names of the result (one, or several for a tuple result).
    source : Source
        Where the formula is from.
    empirical : str
        Reason why the formula is not dimensionally homogeneous; empty when it is.
    excel : str
        The formula as a cell has it, ``{argument}`` for the cell of each argument; cells hold each
        kind in the unit of its view (`view_unit`). Empty where no workbook computes it live.
    """

    name: str
    si: Callable[..., Any]
    symbol: str
    latex: str
    arguments: dict[str, str]
    returns: tuple[str, ...]
    source: Source
    empirical: str = ""
    excel: str = ""

    def __post_init__(self) -> None:
        """Take over name and docstring of the function, for `help` and for doctest."""
        taken = {n: getattr(self.si, n) for n in ("__doc__", "__name__", "__module__")}
        self.__dict__.update(taken, __wrapped__=self.si)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Evaluate with quantities of the declared kinds.

        Raises
        ------
        FacilityError
            ``UNIT_WRONG`` or ``UNIT_MISSING`` for an argument of another kind.
        TypeError
            For too many, unknown, repeated or missing arguments, as of any function.
        """
        if not kwargs and len(args) == len(self.arguments):
            return self._door(*args)
        from facility.core.units import as_quantities, to_si

        try:
            given = inspect.signature(self.si).bind(*args, **kwargs).arguments
        except TypeError as error:
            raise TypeError(f"{self.name}(): {error}") from None
        plain = {name: to_si(arg, self.arguments[name], name) for name, arg in given.items()}
        return as_quantities(self.si(**plain), self.returns)

    def in_cells(self, **cells: object) -> str:
        """Return the formula of a cell, with an address or a formula for every argument.

        Raises
        ------
        TypeError
            For an equation that no workbook computes, or arguments that are not its own.
        """
        if not self.excel or set(cells) != names_in(self.excel):
            raise TypeError(f"{self.name}: no cell formula of {', '.join(cells) or 'nothing'}")
        return fill(self.excel, cells)

    @cached_property
    def _door(self) -> Callable[..., Any]:
        from facility.core.units import quantity_door

        return quantity_door(self.si, self.arguments, self.returns)


EQUATIONS: dict[str, Equation] = {}


def equation(
    symbol: str,
    latex: str,
    returns: str | tuple[str, ...],
    source: Source,
    *,
    empirical: str = "",
    excel: str = "",
    **argument_kinds: str,
) -> Callable[[Callable[..., Any]], Equation]:
    """Declare a function on SI floats as an equation of the project.

    Parameters
    ----------
    symbol, latex : str
        Symbol of the result and the right-hand side.
    returns : str or tuple of str
        Kind of the result, or of each part of a tuple result.
    source : Source
        Origin of the formula.
    empirical : str
        Why the formula mixes units (a fitted correlation); it is then left out of the
        dimension test.
    excel : str
        The formula as a cell has it, see `Equation`.
    **argument_kinds : str
        Kind of each argument, by the argument's name, in order.
    """

    def declare(function: Callable[..., Any]) -> Equation:
        parameters = list(inspect.signature(function).parameters)
        kinds = (returns,) if isinstance(returns, str) else returns
        unknown = [k for k in (*kinds, *argument_kinds.values()) if k not in KINDS]
        if unknown or parameters != list(argument_kinds) or names_in(excel) - set(parameters):
            raise TypeError(
                f"{function.__qualname__}({', '.join(parameters)}): the declaration names "
                f"{', '.join(argument_kinds) or 'no arguments'}; unknown kinds: {unknown}; "
                f"in Excel: {excel or 'nothing'}"
            )
        name = f"{function.__module__.removeprefix('facility.')}.{function.__name__}"
        declared = Equation(
            name, function, symbol, latex, dict(argument_kinds), kinds, source, empirical, excel
        )
        EQUATIONS[name] = declared
        return declared

    return declare
