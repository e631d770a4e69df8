"""Appendix of a set, on request: all checks, calculation trace, data of the calculation."""

from __future__ import annotations

from collections.abc import Iterator

from facility.core.views import System
from facility.report.book.record import ASSUMPTIONS, TRACE, check_table
from facility.report.issue.content import Content, Listing
from facility.study.design.design import Design


def appendix_contents(design: Design, system: System) -> Iterator[Content]:
    """Yield all assumptions with their basis, all checks, and the calculation trace."""
    assumptions = Listing(ASSUMPTIONS.text(design.ledger, system))
    yield Content("G", 900, "Appendix: assumptions", (assumptions,), large=True)
    checks = Listing(check_table(design.checks, system))
    yield Content("G", 900, "Appendix: checks", (checks,), large=True)
    trace = Listing(TRACE.text(design.full_trace, system))
    yield Content("G", 910, "Appendix: calculation trace", (trace,), large=True)
