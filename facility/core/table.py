"""Result values and tidy tables."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from typing import TYPE_CHECKING, Any, Protocol

from facility.core.errors import FacilityError, near_matches, unknown
from facility.core.kinds import KINDS, value_in
from facility.core.views import System, show, show_short, view_unit, view_value

if TYPE_CHECKING:
    from pandas import DataFrame

    from facility.core.result_names import ResultNames
    from facility.core.units import Quantity
else:
    ResultNames = object

Scalar = float | int | str | bool
_MAX_ROWS = 50
"""Rows that a notebook is shown; the frame has all."""
_COLUMNS = ("subject", "quantity", "value", "unit", "si", "si_unit", "display", "basis", "source")


@dataclass(frozen=True)
class Value:
    """One result: an SI number of a kind, or an integer, text or boolean (kind empty).

    Attributes
    ----------
    si : float, int, str or bool
        The number in the SI unit of its kind, or the plain value.
    kind : str
        Kind of quantity, e.g. ``"active_power"``; empty for a plain value.
    basis, source : str
        What the result is based on, and where it is from; may be empty.

    Examples
    --------
    >>> load = Value(12.75e6, "active_power")
    >>> load.to("MW").magnitude, load.unit, str(load)
    (12.75, 'kW', '12,750 kW')
    """

    si: Scalar
    kind: str = ""
    basis: str = ""
    source: str = ""

    def __str__(self) -> str:
        return self.shown()

    @property
    def unit(self) -> str:
        """Unit of the SI view, e.g. ``"kW"``; empty for a plain value."""
        return view_unit(self.kind) if self.kind else ""

    @property
    def quantity(self) -> Quantity:
        """The value as a pint quantity in the SI unit.

        Raises
        ------
        FacilityError
            ``INPUT_TYPE`` for text and flags.
        """
        from facility.core.units import from_si

        if isinstance(self.si, str | bool):
            raise FacilityError(
                "INPUT_TYPE",
                "quantity",
                f"{self.si!r} is not a quantity.",
                "Read its attribute si.",
            )
        return from_si(self.si, self.kind or "ratio")

    def to(self, unit: str) -> Quantity:
        """Return the value as a pint quantity in `unit`.

        Parameters
        ----------
        unit : str
            Unit token of the kind, e.g. ``"MW"``.

        Raises
        ------
        FacilityError
            ``UNIT_UNKNOWN`` for a unit that is not one of the kind; ``INPUT_TYPE`` for text.
        """
        from facility.core.units import quantity

        si: Any = self.quantity.magnitude
        kind = KINDS[self.kind or "ratio"]
        found = value_in(kind, si, unit) if unit in kind.units else si
        return quantity(found, unit, kind.name)

    def m_as(self, unit: str) -> float:
        """Return the number in `unit`; see `to`."""
        return float(self.to(unit).magnitude)

    def as_json(self, where: str = "") -> Any:
        """Return the value as the JSON contract has it: SI view units, no NaN."""
        number = self.in_view()
        if isinstance(number, float) and not math.isfinite(number):
            raise FacilityError(
                "NOT_FINITE",
                where,
                f"a {self.kind or 'plain'} result is not finite.",
                "Show the trace of the result with `facility explain`.",
            )
        if not self.kind or self.kind == "count":
            return number
        return {"value": number, "unit": view_unit(self.kind)}

    def in_view(self) -> Scalar:
        """Return the number in its SI view unit (a count as an integer), or the plain value."""
        plain: Scalar = self.si.item() if hasattr(self.si, "item") else self.si
        if isinstance(plain, str) or not self.kind:
            return plain
        if self.kind == "count" and float(plain).is_integer():
            return int(plain)
        return view_value(float(plain), self.kind)

    def shown(self, system: System = "si") -> str:
        """Return the value as text for people."""
        if not self.kind:
            return str(self.si)
        return show(float(self.si), self.kind, system)

    def short(self, system: System = "si") -> str:
        """Return the value as text of a card or headline, large values in large units."""
        if not self.kind:
            return str(self.si)
        return show_short(float(self.si), self.kind, system)


@dataclass(frozen=True)
class Results(Mapping[str, Value], ResultNames):
    """Results by dotted key, also as attributes.

    ``results["ups.loading_normal"]`` and ``results.ups.loading_normal`` are the same `Value`;
    ``results.ups.si.loading_normal`` is its SI number. Where one key continues another
    (``load.racks`` and ``load.racks.compute``) the attribute is the shorter one, and the longer is
    read by key.

    Raises
    ------
    FacilityError
        ``UNKNOWN_RESULT`` with the nearest keys, for a key that does not exist.
    AttributeError
        With the nearest names, for an attribute that does not exist.
    """

    values_by_key: dict[str, Value] = field(default_factory=dict)

    def __getitem__(self, key: str) -> Value:
        if key not in self.values_by_key:
            message = "no such result here; those of the studies are in all_results."
            raise unknown("UNKNOWN_RESULT", key, message, key, self.values_by_key)
        return self.values_by_key[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self.values_by_key)

    def __len__(self) -> int:
        return len(self.values_by_key)

    def get(self, key: str, default: Any = None) -> Any:
        """Return the value under `key`, or `default` if absent."""
        return self.values_by_key.get(key, default)

    def __contains__(self, key: object) -> bool:
        return key in self.values_by_key

    def __or__(self, more: Mapping[str, Value]) -> Results:
        """Return these and more; where both have a key, the value of `more`."""
        return Results({**self.values_by_key, **more})

    if not TYPE_CHECKING:  # The names are those of `ResultNames`.

        def __getattr__(self, name: str) -> Any:
            if name.startswith("_"):
                raise AttributeError(name)
            if name in self.values_by_key:
                return self.values_by_key[name]
            groups = {key.partition(".")[0] for key in self}
            if name not in groups:
                raise AttributeError(f"no result group {name!r}. {near_matches(name, groups)}")
            return ResultGroup(self, name)

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *{key.partition(".")[0] for key in self}]

    def __repr__(self) -> str:
        groups = dict.fromkeys(key.partition(".")[0] for key in self)
        return f"<Results: {len(self)} of {', '.join(groups)}>"

    def _repr_html_(self) -> str:
        """Return the results as a table, for notebooks."""
        rows = ((key, value.shown(), value.basis) for key, value in self.items())
        return html_table(("result", "value", "basis"), rows)

    def to_frame(self) -> DataFrame:
        """Return the results as a long pandas table, one row per key.

        Columns
        -------
        subject, quantity : str
            The key before and after its first dot.
        value, unit : object, str
            The value in its SI view unit (kW, °C, %), text and flags as they are.
        si, si_unit : float, str
            The number in its SI unit; NaN for text.
        display : str
            The value with its unit, rounded for reading.
        basis, source : str
            What the result is based on, and where it is from.

        Raises
        ------
        FacilityError
            ``NO_PANDAS`` where pandas is not installed.
        """
        rows = [
            (
                *key.partition(".")[::2],
                value.in_view(),
                value.unit,
                math.nan if isinstance(value.si, str) else float(value.si),
                KINDS[value.kind].si if value.kind else "",
                value.shown(),
                value.basis,
                value.source,
            )
            for key, value in self.items()
        ]
        frame = data_frame(rows, index=list(self), columns=list(_COLUMNS), dtype=object)
        return frame.astype({"si": float})

    def as_json(self) -> dict[str, Any]:
        """Return the flat ``results`` object of the JSON contract."""
        return {key: value.as_json(key) for key, value in self.values_by_key.items()}


class HasResults(Protocol):
    """What has results by dotted key."""

    @property
    def results(self) -> Results:
        """Results by key."""


class HasTitle(Protocol):
    """Object with a title."""

    @property
    def title(self) -> str:
        """What it is of."""


class ShownByResults:
    """A study as the library hands it out: its results as a frame, and as a table in notebooks."""

    def __repr__(self: HasTitle) -> str:
        return f"<{type(self).__name__}: {self.title}>"

    def to_frame(self: HasResults) -> DataFrame:
        """Return the results as a long pandas table, see `Results.to_frame`."""
        return self.results.to_frame()

    def _repr_html_(self: HasResults) -> str:
        """Return title and results as a table, for notebooks."""
        return f"<p>{escape(repr(self))}</p>{self.results._repr_html_()}"


class HasRows(Protocol):
    """What has rows of cells by head."""

    @property
    def heads(self) -> tuple[str, ...]:
        """Heads of the columns."""

    @property
    def rows(self) -> Sequence[Mapping[str, Any]]:
        """Cells by head."""


class ShownByRows:
    """Many designs as the library hands them out: a row each, and a column for each head."""

    def to_frame(self: HasRows) -> DataFrame:
        """Return the rows as a pandas table.

        Raises ``NO_PANDAS`` where pandas is not installed.
        """
        rows = [[row.get(head) for head in self.heads] for row in self.rows]
        return data_frame(rows, columns=list(self.heads))

    def _repr_html_(self: HasRows) -> str:
        """Return title and first rows as a table, for notebooks."""
        shown = self.rows[:_MAX_ROWS]
        cells = ([str(row.get(head, "")) for head in self.heads] for row in shown)
        return f"<p>{escape(repr(self))}</p>{html_table(self.heads, cells)}"


def data_frame(rows: object, **options: Any) -> DataFrame:
    """Return a pandas table; pandas is imported here.

    Raises ``NO_PANDAS`` where pandas is not installed.
    """
    try:
        from pandas import DataFrame
    except ImportError:
        raise FacilityError(
            "NO_PANDAS",
            "to_frame",
            "a data frame requires pandas, which is not installed.",
            "Install pandas, or facility with its extra `app`.",
        ) from None
    return DataFrame(rows, **options)


def html_table(heads: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """Return a table for notebooks, every cell escaped."""

    def line(cells: Iterable[str], tag: str) -> str:
        return f"<tr>{''.join(f'<{tag}>{escape(one)}</{tag}>' for one in cells)}</tr>"

    return f"<table>{line(heads, 'th')}{''.join(line(row, 'td') for row in rows)}</table>"


class ResultGroup:
    """The results under one prefix by attribute; ``.si`` has them as SI numbers."""

    def __init__(self, results: Results, prefix: str, *, plain: bool = False) -> None:
        self._results = results
        self._prefix = prefix
        self._plain = plain

    @property
    def si(self) -> ResultGroup:
        """The same results as SI numbers."""
        return ResultGroup(self._results, self._prefix, plain=True)

    def __getattr__(self, name: str) -> Any:
        key = f"{self._prefix}.{name}"
        if name.startswith("_"):
            raise AttributeError(key)
        if key not in self._results:
            if any(k.startswith(key + ".") for k in self._results):
                return ResultGroup(self._results, key, plain=self._plain)
            raise AttributeError(f"no result {key!r}. {near_matches(key, self._results)}")
        value = self._results[key]
        return value.si if self._plain else value

    def __repr__(self) -> str:
        return f"<Results under {self._prefix}: {', '.join(dir(self))}>"

    def __dir__(self) -> list[str]:
        start = len(self._prefix) + 1
        return [key[start:] for key in self._results if key.startswith(self._prefix + ".")]


def csv_text(rows: Iterable[Iterable[object]]) -> str:
    """Return rows as the text of a CSV file; a line ends with a line feed alone."""
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue()
