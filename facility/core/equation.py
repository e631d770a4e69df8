"""Declared equations: one function, two interfaces, one registry.

``line_current(quantity, quantity)`` checks kinds and returns a quantity; ``line_current.si(...)``
is the bare function on floats and arrays, which all code inside the package calls. The signature
is the declaration: the kind of each argument and of the result is its annotation.

    @equation("I", "S / U", DERIVED)
    def current(load_va: ApparentPower, voltage_v: PhaseVoltage) -> Current: ...

The docstring says what names and kinds do not: a summary, remarks, a line ``name: meaning`` for
an argument (or for ``returns``) that needs one, and the errors raised. Shapes, units, formula and
source are added to what `help` shows. Documentation, trace and tests are derived from this.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache, cached_property
from string import Formatter
from typing import Any, Generic, ParamSpec, TypeVar, get_args, get_origin

from facility.core.kinds import KINDS, Kind, kind_in
from facility.core.sources import Source

P = ParamSpec("P")
R = TypeVar("R")


@dataclass(frozen=True)
class Equation(Generic[P, R]):
    """A formula with its kinds, symbol and source."""

    name: str  # Dotted name, e.g. "physics.electrical.line_current"
    si: Callable[P, R]  # The bare function on SI floats and arrays
    symbol: str  # Symbol of the result
    latex: str  # Right-hand side of the formula
    arguments: dict[str, str]  # Argument name to kind name
    returns: tuple[str, ...]  # Kind names of the result (one, or several for a tuple result)
    source: Source  # Where the formula is from
    empirical: str = ""  # Reason why the formula is not dimensionally homogeneous; empty when it is
    # The formula as a cell has it, `{argument}` for the cell of each argument; cells hold each kind
    # in the unit of its view (`view_unit`), or in that of `{argument:unit}`. Empty where no
    # workbook computes it live.
    excel: str = ""
    excel_unit: str = ""  # Unit of that cell, where it is not that of the view

    @property
    def statement(self) -> str:
        """LaTeX of the whole formula; an implicit formula has no result symbol in front."""
        first, braced = re.split(r",\\(?:quad| )", self.latex)[0], ""
        while first != braced:
            first, braced = re.sub(r"\{[^{}]*\}", "", first), first
        return self.latex if "=" in first else f"{self.symbol} = {self.latex}"

    def __post_init__(self) -> None:
        """Take over the name of the function and document it, for `help` and for doctest."""
        taken = {name: getattr(self.si, name) for name in ("__name__", "__module__")}
        self.__dict__.update(taken, __wrapped__=self.si, __doc__=_documented(self))

    def __reduce__(self) -> str | tuple[object, ...]:
        """Pickle by name, as a function is; in another currency, as the kinds that differ."""
        declared = EQUATIONS[self.name]
        if self is declared:
            return str(self.__dict__["__name__"])
        return _with_kinds, (declared, self.arguments, self.returns)

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
            return self._on_quantities(*args)
        from facility.core.units import as_quantities, to_si

        si: Callable[..., Any] = self.si
        try:
            given = inspect.signature(si).bind(*args, **kwargs).arguments
        except TypeError as error:
            raise TypeError(f"{self.name}(): {error}") from None
        plain = {name: to_si(arg, self.arguments[name], name) for name, arg in given.items()}
        return as_quantities(si(**plain), self.returns)

    def in_currency(self, currency: str) -> Equation[P, R]:
        """Return the equation with its amounts and prices in another currency than USD."""
        arguments = {name: kind_in(kind, currency) for name, kind in self.arguments.items()}
        return _with_kinds(self, arguments, tuple(kind_in(kind, currency) for kind in self.returns))

    def in_cells(self, **cells: object) -> LiveFormula:
        """Return the formula of a cell, with an address or a formula for every argument.

        Raises
        ------
        TypeError
            For an equation that no workbook computes, or arguments that are not its own.
        """
        if not self.excel or cells.keys() != names_in(self.excel).keys():
            raise TypeError(f"{self.name}: no cell formula of {', '.join(cells) or 'nothing'}")
        return LiveFormula.of(self, cells)

    @property
    def meanings(self) -> dict[str, str]:
        """Meanings of arguments, and of the result under ``returns``, from the docstring."""
        return self._by_hand[1]

    @cached_property
    def _by_hand(self) -> tuple[list[str], dict[str, str]]:
        """Paragraphs of the docstring, and the meanings in its lines ``name: meaning``."""
        texts, meanings = [], {}
        for paragraph in inspect.cleandoc(self.si.__doc__ or "").split("\n\n"):
            found = _meanings(paragraph, {*self.arguments, "returns"})
            meanings.update(found)
            if not found:
                texts.append(paragraph)
        return texts, meanings

    @cached_property
    def _on_quantities(self) -> Callable[..., Any]:
        from facility.core.units import quantity_interface

        return quantity_interface(self.si, self.arguments, self.returns)


AnyEquation = Equation[..., Any]


class LiveFormula(str):
    """The formula of a cell that applies one equation, with the cells of its arguments."""

    equation: str  # Name of the equation
    cells: Mapping[str, str]  # Address, number or formula for each argument

    @classmethod
    def of(cls, applied: AnyEquation, cells: Mapping[str, object]) -> LiveFormula:
        """Return the formula of `applied` with the `cells` entry of each argument."""
        found = cls(fill(applied.excel, cells))
        found.equation = applied.name
        found.cells = {name: str(cell) for name, cell in cells.items()}
        return found


EQUATIONS: dict[str, AnyEquation] = {}


def _with_kinds(
    declared: Equation[P, R], arguments: dict[str, str], returns: tuple[str, ...]
) -> Equation[P, R]:
    """Return an equation with other kinds of arguments and results."""
    return replace(declared, arguments=arguments, returns=returns)


def equation(
    symbol: str,
    latex: str,
    source: Source,
    *,
    empirical: str = "",
    excel: str = "",
    excel_unit: str = "",
) -> Callable[[Callable[P, R]], Equation[P, R]]:
    """Declare a function on SI floats and arrays, annotated with kinds, as an equation.

    symbol, latex: Symbol of the result and the right-hand side.
    source: Origin of the formula.
    empirical: Why the formula mixes units (a fitted correlation); it is then left out of the
        dimension test.
    excel, excel_unit: The formula as a cell has it, and the unit of that cell, see `Equation`.

    Raises
    ------
    TypeError
        For an argument or a result whose annotation names no kind, and for a formula in Excel of
        anything but the arguments.
    """

    def declare(function: Callable[P, R]) -> Equation[P, R]:
        hints = _annotations(function)
        name = f"{function.__module__.removeprefix('facility.')}.{function.__name__}"
        arguments = {
            argument: _kind(hints.get(argument), f"{function.__qualname__}({argument})").name
            for argument in inspect.signature(function).parameters
        }
        returns = tuple(
            _kind(part, f"{function.__qualname__} -> ").name for part in _parts(hints.get("return"))
        )
        if names_in(excel).keys() - set(arguments):
            raise TypeError(f"{function.__qualname__}({', '.join(arguments)}): in Excel {excel}")
        declared = Equation(
            name, function, symbol, latex, arguments, returns, source, empirical, excel, excel_unit
        )
        EQUATIONS[name] = declared
        return declared

    return declare


@cache
def _annotations(function: Callable[..., Any]) -> dict[str, Any]:
    return inspect.get_annotations(function, eval_str=True)


def _parts(annotation: Any) -> tuple[Any, ...]:
    """Return the annotation of each part of a tuple result, or of the one result."""
    return get_args(annotation) if get_origin(annotation) is tuple else (annotation,)


def _kind(annotation: Any, where: str) -> Kind:
    for note in getattr(annotation, "__metadata__", ()):
        if isinstance(note, Kind):
            return note
    raise TypeError(f"{where}: its annotation must name a kind of facility.core.kinds")


# --- documentation ----------------------------------------------------------------------------

_MEANING = re.compile(r"(\w+(?:, \w+)*): (.+)", re.DOTALL)


def _documented(found: AnyEquation) -> str:
    """Return the docstring of the function with formula, arguments, results and source."""
    texts, meanings = found._by_hand
    errors = [text for text in texts if text.startswith("Raises\n")]
    hints = _annotations(found.si)
    results = zip(_parts(hints["return"]), found.returns, strict=True)
    returned = "\n".join(_entry("", *result, meanings.get("returns", "")) for result in results)
    arguments = "\n".join(
        _entry(f"{name} : ", hints[name], kind, meanings.get(name, ""))
        for name, kind in found.arguments.items()
    )
    sections = (
        *(text for text in texts if text not in errors),
        f".. math:: {found.statement}",
        f"Parameters\n----------\n{arguments}",
        f"Returns\n-------\n{returned}",
        *errors,
        f"Source\n------\n{found.source}",
    )
    return "\n\n".join(sections)


def _meanings(paragraph: str, known: set[str]) -> dict[str, str]:
    """Return the meanings in the lines ``name: meaning`` of a paragraph; empty for other text."""
    found = {}
    for line in re.sub(r"\n +", " ", paragraph).splitlines():
        match = _MEANING.fullmatch(line)
        names = match[1].split(", ") if match else [""]
        if not match or not {*names} <= known:
            return {}
        found.update(dict.fromkeys(names, match[2]))
    return found


def _entry(lead: str, annotation: Any, kind: str, meaning: str) -> str:
    """Return an argument or a result with its shape, unit and kind, and meaning."""
    shapes = get_args(annotation)[0]
    shape = " or ".join(part.__name__ for part in get_args(shapes) or (shapes,))
    unit = f" [{KINDS[kind].si}]" if KINDS[kind].si else ""
    named = kind.replace("_", " ").capitalize()
    return f"{lead}{shape}{unit}\n    {named}{f': {meaning}' if meaning else '.'}"


_SUMS, _OPERATORS = "+-&=<>", "+-*/^&=<>"


def names_in(template: str) -> dict[str, str]:
    """Return the names in braces, each with the unit after its colon, often empty."""
    return {name: unit or "" for _, name, unit, _ in Formatter().parse(template) if name}


def fill(template: str, cells: Mapping[str, object]) -> str:
    """Return the formula with the `cells` entry of each name, in brackets where required.

    A name is replaced by an address, a number or another formula. A sum or a product next to an
    operator that binds closer is bracketed, so that it stays one operand.

    Raises
    ------
    KeyError
        For a name without a cell.
    """
    pieces, parsed = [], list(Formatter().parse(template))
    for index, (literal, name, _, _) in enumerate(parsed):
        pieces.append(literal)
        if name:
            after = parsed[index + 1][0] if index + 1 < len(parsed) else ""
            cell = str(cells[name])
            pieces.append(cell if _stays_whole(cell, literal[-1:], after[:1]) else f"({cell})")
    return "".join(pieces)


def _stays_whole(cell: str, before: str, after: str) -> bool:
    """Return whether a formula stays one operand between its neighbours."""
    operators = set(_outer_operators(cell))
    if not operators:
        return True
    if operators & set(_SUMS) or "^" in operators:
        return before in "(," and after in "),"
    return before not in ("/", "^") and after != "^"


def _outer_operators(cell: str) -> Iterator[str]:
    """Yield the operators of a formula outside its brackets and quoted sheet names."""
    depth, quoted = 0, False
    for sign in cell:
        if sign == "'":
            quoted = not quoted
        elif not quoted:
            depth += (sign == "(") - (sign == ")")
            if depth == 0 and sign in _OPERATORS:
                yield sign
