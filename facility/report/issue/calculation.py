"""The calculation package: purpose, codes, inputs, assumptions, results, checks, conclusion."""

from __future__ import annotations

from collections.abc import Iterator

from facility.core.views import System
from facility.report.issue.content import Content, Listing
from facility.report.tables.summary import summary_tables
from facility.study.design.design import Design


def calculation_contents(design: Design, system: System) -> Iterator[Content]:
    """Yield the calculation package."""
    results = tuple(Listing(table) for table in summary_tables(design.all_results, system))
    yield Content("G", 100, "Calculation: results", results)
