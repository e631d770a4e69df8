"""What the tool knows, in the shape of a study: its tables, and the cases of its manual."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from facility.core.views import System
from facility.report.sheet.grid import TextTable
from facility.report.studies.protocol import Object, Study
from facility.report.tables.catalogue import narrowed, row_view, table_list, table_view

if TYPE_CHECKING:
    from facility.study.verification.outcome import CaseOutcome


@dataclass(frozen=True)
class CatalogueShown(Study):
    """The tables of the catalogue, one table of it, or one row."""

    verb = "catalogue"
    table: str | None
    key: str | None

    @property
    def results(self) -> Mapping[str, object]:
        """None: its rows are a list."""
        return {}

    def lists(self) -> Mapping[str, Sequence[Object]]:
        """Return the rows."""
        _, heads, rows = self._read()
        return {"options": [dict(zip(heads, row, strict=True)) for row in rows]}

    def tables(self, system: System) -> Iterator[TextTable]:
        """Return them as one table, with the columns that a page is wide enough for."""
        title, heads, rows = self._read()
        if self.table is None or self.key is not None:
            yield TextTable(title, heads, rows)
            return
        heads, rows, more = narrowed(heads, rows)
        rest = [f"{more} more columns: facility catalogue {self.table} KEY"] if more else []
        yield TextTable(title, heads, rows, rest)

    def _read(self) -> tuple[str, list[str], list[list[str]]]:
        if self.table is None:
            return "Tables of the catalogue", *table_list()
        if self.key is None:
            return self.table, *table_view(self.table)
        return f"{self.table}: {self.key}", *row_view(self.table, self.key)


@dataclass(frozen=True)
class ManualShown(Study):
    """The cases of the verification manual, computed."""

    verb = "verify"
    outcomes: Sequence[CaseOutcome]

    @property
    def results(self) -> Mapping[str, object]:
        """Number of cases by what came of them."""
        return dict(Counter(f"cases.{outcome.status}" for outcome in self.outcomes))

    def lists(self) -> Mapping[str, Sequence[Object]]:
        """Return the cases."""
        return {"cases": [outcome.as_json() for outcome in self.outcomes]}

    def tables(self, system: System) -> Iterator[TextTable]:
        """Return none: a case is too wordy for a row."""
        yield from ()

    def closing(self, system: System) -> Iterator[str]:
        """Return how many there are."""
        counted = (
            f"{n} {key.partition('.')[2].replace('_', ' ')}" for key, n in self.results.items()
        )
        yield ", ".join(counted)
