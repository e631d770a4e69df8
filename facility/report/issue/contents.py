"""Registry of the contents of a set: functions that yield them from a design."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from facility.core.views import System
from facility.report.issue.appendix import appendix_contents
from facility.report.issue.calculation import calculation_contents
from facility.report.issue.content import SheetContent
from facility.report.issue.electrical.contents import electrical_contents
from facility.report.issue.halls import hall_contents
from facility.report.issue.mechanical.contents import cooling_contents
from facility.report.issue.one_line import one_line_contents
from facility.study.design.design import Design

ContentFunction = Callable[[Design, System], Iterable[SheetContent]]

CONTENTS: tuple[ContentFunction, ...] = (
    calculation_contents,
    one_line_contents,
    electrical_contents,
    hall_contents,
    cooling_contents,
)
"""Functions whose contents every set has; sheets are ordered by discipline and series."""
_DISCIPLINES = "GEM"
APPENDIX_SERIES = 900
"""Series from which sheets come last, in any discipline."""


def contents_of(
    design: Design, system: System, *, appendix: bool = False
) -> Iterator[SheetContent]:
    """Yield the contents of a set in the order of their sheets, without the cover.

    appendix: Whether it has the calculation trace, all checks and the log.
    """
    functions = (*CONTENTS, appendix_contents) if appendix else CONTENTS
    found = [content for function in functions for content in function(design, system)]
    yield from sorted(
        found,
        key=lambda one: (
            one.series >= APPENDIX_SERIES,
            _DISCIPLINES.index(one.discipline),
            one.series,
        ),
    )
