"""Result values and tidy tables."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from html import escape
from typing import TYPE_CHECKING, Any

from facility.core.errors import FacilityError, near_matches, unknown
from facility.core.kinds import KINDS
from facility.core.views import show, view_unit, view_value

if TYPE_CHECKING:
    from pandas import DataFrame

Scalar = float | int | str | bool
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
        rows = (
            f"<tr><td>{escape(key)}</td><td>{escape(value.shown())}</td>"
            f"<td>{escape(value.basis)}</td></tr>"
            for key, value in self.items()
        )
        head = "<tr><th>result</th><th>value</th><th>basis</th></tr>"
        return f"<table>{head}{''.join(rows)}</table>"

    def to_frame(self) -> DataFrame:
        """Return the results as a long pandas table by key, in SI view units.

        Columns are subject, quantity, value, unit, basis and source: the first two are the key
        before and after its first dot.

        Raises
        ------
        FacilityError
            ``NO_PANDAS`` where pandas is not installed.
        """
        try:
            from pandas import DataFrame
        except ImportError:
            raise FacilityError(
                "NO_PANDAS",
                "to_frame",
                "a frame needs pandas, which is not installed.",
                "Install pandas, or facility with its extra `app`.",
            ) from None
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
        return DataFrame(rows, index=list(self), columns=list(_COLUMNS), dtype=object)

    def as_json(self) -> dict[str, Any]:
        """Return the flat ``results`` object of the JSON contract."""
        return {key: value.as_json(key) for key, value in self.values_by_key.items()}


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
