"""The sheets of a set: contents laid out on pages, numbered, each with its title block."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import replace

from facility.core.views import System
from facility.report.drawings.scene import moved
from facility.report.drawings.text import has_missing_glyphs
from facility.report.issue.content import DrawingBlock, SheetContent
from facility.report.issue.contents import contents_of
from facility.report.issue.cover import ListedSheet, cover
from facility.report.issue.layout import figure_scale, flowed, is_legible
from facility.report.issue.one_line import one_line_contents
from facility.report.issue.paper import paper_of
from facility.report.issue.revision import IssuedRecord, changes_content, changes_since, clouded
from facility.report.issue.sheet import Change, IssuedSheet, SheetSet, boxed_texts
from facility.report.issue.title_block import (
    NOT_STATED,
    Identification,
    block_values,
    border,
    identification,
)
from facility.study.design.design import Design

Progress = Callable[[str], None]


def sheet_set(
    design: Design,
    system: System | None = None,
    *,
    appendix: bool = False,
    since: IssuedRecord | None = None,
    only: Collection[str] | None = None,
    report: Progress = lambda _: None,
) -> SheetSet:
    """Return the sheets of a design.

    system: Units; default: IP under the NEC, else SI.
    appendix: Whether the set has the trace, all checks and the log.
    since: Earlier issue; changed texts are clouded, and a sheet lists the changes.
    only: Titles of the contents to include after the cover; default: all. Numbers are those of
        the whole set.
    report: Is called with the title of each content before it is laid out.
    """
    criteria, identity = design.facility.criteria, design.facility.identity
    units: System = system or ("ip" if criteria.code == "NEC" else "si")
    body: list[IssuedSheet] = []
    for content in contents_of(design, units, appendix=appendix):
        report(content.title)
        body += laid_out(content, criteria.code)
    body = [one for one in numbered(body) if only is None or one.content in only]
    changes: tuple[Change, ...] = ()
    first: tuple[SheetContent, ...] = ()
    if since is not None:
        changes = changes_since(since, body)
        first = (changes_content(since, body, changes),)
        mark = identity.revisions[-1][0] if identity.revisions else ""
        body = [clouded(sheet, since, changes, mark) for sheet in body]
    of = identification(design, units)
    every = [*_front(design, units, first, body), *body]
    framed = tuple(_framed(sheet, of, f"{n} of {len(every)}") for n, sheet in enumerate(every, 1))
    return SheetSet(of, identity.name or NOT_STATED, units, design.sha256, framed, changes)


def first_drawing(design: Design, system: System) -> IssuedSheet:
    """Return the first sheet of the one-line diagram, without the number of sheets of the set.

    It takes a tenth of the time of the set, whose page it equals otherwise.
    """
    content = next(iter(one_line_contents(design, system)))
    sheets = numbered(list(laid_out(content, design.facility.criteria.code)))
    return _framed(sheets[0], identification(design, system), "")


def _framed(sheet: IssuedSheet, of: Identification, page: str) -> IssuedSheet:
    stamps = tuple(block_values(sheet.paper, of, sheet.number, sheet.title, page))
    return replace(sheet, frame=tuple(border(sheet.paper)), stamps=stamps)


def _front(
    design: Design, system: System, others: tuple[SheetContent, ...], body: list[IssuedSheet]
) -> list[IssuedSheet]:
    """Return the cover, whose sheet list has its own sheets too, and other contents in front."""
    code = design.facility.criteria.code
    of = identification(design, system)
    stamped = {text: "all sheets" for text in of if has_missing_glyphs(text)}
    found: list[IssuedSheet] = []
    while True:
        boxed = {**boxed_texts([*found, *body]), **stamped}
        listed = listed_sheets([*found, *body])
        contents = cover(design, system, listed, boxed), *others
        front = numbered([sheet for content in contents for sheet in laid_out(content, code)])
        if len(front) == len(found):
            return front
        found = front


def listed_sheets(sheets: Iterable[IssuedSheet]) -> list[ListedSheet]:
    """Return the lines of the sheet list: sheets of one content are one line."""
    found: list[ListedSheet] = []
    for sheet in sheets:
        title = sheet.content
        if found and found[-1].title == title and found[-1].size == sheet.paper.name:
            last = found.pop()
            found.append(ListedSheet(last.first, sheet.number, title, last.size, last.pages + 1))
        else:
            found.append(ListedSheet(sheet.number, sheet.number, title, sheet.paper.name, 1))
    return found


def laid_out(content: SheetContent, code: str) -> Iterator[IssuedSheet]:
    """Yield the sheets of a content, not yet numbered.

    A drawing whose letters would be under 7 pt gets a large sheet.
    """
    paper = paper_of(code, large=content.large)
    left, top, width, height = paper.area_mm
    figures = [block for block in content.blocks if isinstance(block, DrawingBlock)]
    if not content.large and not all(
        is_legible(one.scene, figure_scale(one.scene, width, height - 5.0)) for one in figures
    ):
        yield from laid_out(replace(content, large=True), code)
        return
    flow, title = flowed(content, width, height), content.title
    count, series = len(flow.pages), content.series // 100
    for n, shapes in enumerate(flow.pages):
        body = tuple(moved(shapes, left, top))
        is_drawing = content.discipline != "G" and n in flow.drawn
        page = f"{title} ({n + 1}/{count})" if count > 1 else title
        yield IssuedSheet(
            "", page, title, content.discipline, paper, is_drawing, body, series=series
        )


def numbered(sheets: Sequence[IssuedSheet]) -> list[IssuedSheet]:
    """Return sheets with their numbers: discipline, sheet type and sequence number.

    The sequence has two digits (US National CAD Standard, uniform drawing system), in a series of
    more than 99 sheets as many as its last sheet requires: E-601, or E-6001. The lengths of the
    numbers of a series are equal, so that none equals another and their order is that of the set.
    """
    totals = Counter((sheet.discipline, sheet.series) for sheet in sheets)
    counts: Counter[tuple[str, int]] = Counter()
    found = []
    for sheet in sheets:
        key = sheet.discipline, sheet.series
        counts[key] += 1
        digits = max(2, len(str(totals[key])))
        number = f"{sheet.discipline}-{sheet.series}{counts[key]:0{digits}d}"
        found.append(replace(sheet, number=number))
    return found
