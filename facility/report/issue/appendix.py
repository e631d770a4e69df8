"""Appendix of a set, on request: all checks, calculation trace, data of the calculation."""

from __future__ import annotations

from collections.abc import Iterator

from facility.core.views import System
from facility.report.book.record import ASSUMPTIONS, TRACE, check_table
from facility.report.issue.content import SheetContent, TableBlock
from facility.study.design.design import Design


def appendix_contents(design: Design, system: System) -> Iterator[SheetContent]:
    """Yield all assumptions with their basis, all checks, and the calculation trace."""
    assumptions = TableBlock(ASSUMPTIONS.text(design.ledger, system))
    yield SheetContent("G", 900, "Appendix: assumptions", (assumptions,), large=True)
    checks = TableBlock(check_table(design.checks, system))
    yield SheetContent("G", 900, "Appendix: checks", (checks,), large=True)
    trace = TableBlock(TRACE.text(design.full_trace, system))
    yield SheetContent("G", 910, "Appendix: calculation trace", (trace,), large=True)
