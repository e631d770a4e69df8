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
from facility.core.kinds import KINDS
from facility.core.views import show, view_unit, view_value

if TYPE_CHECKING:
    from pandas import DataFrame

Scalar = float | int | str | bool
_MOST_ROWS = 50
"""Rows that a notebook is shown; the frame has all."""
_COLUMNS = ("subject", "quantity", "value", "unit", "basis", "source")


@dataclass(frozen=True)
class Value:
    """One result: an SI number of a kind, or an integer, text or boolean (kind empty)."""

    si: Scalar
    kind: str = ""
    basis: str = ""
    source: str = ""

    def as_json(self, where: str = "") -> Any:
        """Return the value as the JSON contract has it: SI view units, no NaN."""
        number = self.in_view()
        if isinstance(number, float) and not math.isfinite(number):
            raise FacilityError(
                "NOT_FINITE",
                where,
                f"a {self.kind or 'plain'} result is not finite.",
                "Ask for the trace of the result with `facility explain`.",
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

    def shown(self, system: str = "si") -> str:
        """Return the value as text for people."""
        if not self.kind:
            return str(self.si)
        return show(float(self.si), self.kind, "ip" if system == "ip" else "si")


@dataclass(frozen=True)
class Results(Mapping[str, Value]):
    """Results by dotted key, with a library door by attribute.

    ``results["ups.loading_normal"]`` is the `Value`; ``results.ups.loading_normal`` the pint
    quantity, and ``results.ups.si.loading_normal`` the SI number. Where a key continues another
    (``load.racks`` and ``load.racks.compute``) the attribute is the shorter one and the longer is
    reached by key.
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
        """Return the value under `key`, or `default` where there is none."""
        return self.values_by_key.get(key, default)

    def __contains__(self, key: object) -> bool:
        return key in self.values_by_key

    def __or__(self, more: Mapping[str, Value]) -> Results:
        """Return these and more; where both have a key, the value of `more`."""
        return Results({**self.values_by_key, **more})

    def __getattr__(self, group: str) -> ResultGroup:
        if group.startswith("_") or not any(k.startswith(group + ".") for k in self):
            raise AttributeError(f"no result group {group!r}")
        return ResultGroup(self, group)

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *{key.partition(".")[0] for key in self}]

    def __repr__(self) -> str:
        groups = dict.fromkeys(key.partition(".")[0] for key in self)
        return f"<Results: {len(self)} of {', '.join(groups)}>"

    def _repr_html_(self) -> str:
        """Return the results as a table, for notebooks."""
        rows = ((key, value.shown(), value.basis) for key, value in self.items())
        return _html(("result", "value", "basis"), rows)

    def to_frame(self) -> DataFrame:
        """Return the results as a long pandas table by key, in SI view units.

        Columns are subject, quantity, value, unit, basis and source: the first two are the key
        before and after its first dot.

        Raises ``NO_PANDAS`` where pandas is not installed.
        """
        rows = [
            (
                *key.partition(".")[::2],
                value.in_view(),
                view_unit(value.kind) if value.kind else "",
                value.basis,
                value.source,
            )
            for key, value in self.items()
        ]
        return _frame(rows, index=list(self), columns=list(_COLUMNS), dtype=object)

    def as_json(self) -> dict[str, Any]:
        """Return the flat ``results`` object of the JSON contract."""
        return {key: value.as_json(key) for key, value in self.values_by_key.items()}


class HasResults(Protocol):
    """What has results by dotted key."""

    @property
    def results(self) -> Results:
        """Results by key."""


class HasTitle(Protocol):
    """What says what it is of."""

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
        """Return what it is, and its results as a table, for notebooks."""
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
        return _frame(rows, columns=list(self.heads))

    def _repr_html_(self: HasRows) -> str:
        """Return what it is, and the first rows as a table, for notebooks."""
        shown = self.rows[:_MOST_ROWS]
        cells = ([str(row.get(head, "")) for head in self.heads] for row in shown)
        return f"<p>{escape(repr(self))}</p>{_html(self.heads, cells)}"


def _frame(rows: Sequence[Sequence[object]], **options: Any) -> DataFrame:
    try:
        from pandas import DataFrame
    except ImportError:
        raise FacilityError(
            "NO_PANDAS",
            "to_frame",
            "a frame needs pandas, which is not installed.",
            "Install pandas, or facility with its extra `app`.",
        ) from None
    return DataFrame(rows, **options)


def _html(heads: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    def line(cells: Iterable[str], tag: str) -> str:
        return f"<tr>{''.join(f'<{tag}>{escape(one)}</{tag}>' for one in cells)}</tr>"

    return f"<table>{line(heads, 'th')}{''.join(line(row, 'td') for row in rows)}</table>"


class ResultGroup:
    """The results under one prefix, as quantities by attribute (``.si`` for SI numbers)."""

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
        if self._plain or not value.kind or KINDS[value.kind].si == "":
            return value.si
        from facility.core.units import from_si

        return from_si(value.si, value.kind)

    def __dir__(self) -> list[str]:
        start = len(self._prefix) + 1
        return [key[start:] for key in self._results if key.startswith(self._prefix + ".")]


def csv_text(rows: Iterable[Iterable[object]]) -> str:
    """Return rows as the text of a CSV file; a line ends with a line feed alone."""
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue()
