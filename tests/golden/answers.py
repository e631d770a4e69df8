"""What a project answers, as numbers by their place: studies, checks, tables, workbooks.

A place is the path of a number with list indices, tags and phases left out, so that all racks,
states or rows of a sort stand at one place. `digested` says of each place how many numbers it has,
what they add up to, and what they add up to when each is weighted with its rank: a value that
moves, goes, or changes places with another is seen, and the record stays short enough to be read.
"""

from __future__ import annotations

import re
import zlib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping

from facility.core.check import Check
from facility.core.errors import FacilityError
from facility.files.project.file import parse_project
from facility.files.workbook.book import workbook_book
from facility.files.workbook.split import lists_workbook
from facility.report.sheet.model import Book, column_letter
from facility.report.studies.compare import Comparison
from facility.report.studies.design import DesignShown
from facility.report.studies.failures import Failures
from facility.report.studies.load_motion import LoadMotionShown
from facility.report.studies.protocol import Study
from facility.report.studies.transient import Transient
from facility.study.compare.ways import compare_cooling
from facility.study.design.design import Design
from facility.study.failures.study import failures
from facility.study.transient.load.study import load_motion
from facility.study.transient.study import transient
from tests.study.helpers import design_of

Answers = Iterator[tuple[str, float | str]]
Digest = tuple[int, float, float]
WITHOUT_NUMBERS = frozenset({"Log", "Cover", "_project", "Calc trace", "Assumptions", "Inputs"})
"""Sheets of texts, of what stands elsewhere, and of what names the tool's version."""
_NUMBER = re.compile(r"\d[\d,]*\.?\d*(?:e[+-]?\d+)?", re.IGNORECASE)
_HASH = re.compile(r"\b(?=[0-9a-f]*[a-f])(?=[0-9a-f]*\d)[0-9a-f]{10,}\b")
_TAG_DIGITS = re.compile(r"\d+")


def answers(text: str) -> dict[str, Digest]:
    """Return what the project in `text` answers, by study and place."""
    return digested(everything(design_of(text)))


def everything(found: Design) -> Answers:
    """Yield every number and text that a design answers, with its place."""
    yield from _study("design", DesignShown(found))
    yield from _study("failures", Failures(found, failures(found, 1, True, None), 1000))
    try:
        yield from _study("transient", Transient(found, transient(found)))
    except FacilityError as error:
        yield f"transient refused {error.code}", 1.0
    try:
        yield from _study("load", LoadMotionShown(found, load_motion(found)))
    except FacilityError as error:
        yield f"load refused {error.code}", 1.0
    yield from _book("workbook", workbook_book(found))
    yield from _book("lists", lists_workbook(found))


def compared(text: str) -> dict[str, Digest]:
    """Return what the comparison of the ways to cool answers."""
    return digested(_study("compare", Comparison(compare_cooling(parse_project(text)))))


def digested(answers: Iterable[tuple[str, float | str]]) -> dict[str, Digest]:
    """Return count, sum, and sum weighted with the rank, of the numbers of each place."""
    places: dict[str, list[float]] = defaultdict(list)
    for place, answer in answers:
        for number in _in(answer) if isinstance(answer, str) else (answer,):
            places[place].append(number)
    return {
        place: (
            len(many),
            sum(many),
            sum(rank * one for rank, one in enumerate(many, start=1)) / len(many),
        )
        for place, many in places.items()
    }


def _study(name: str, study: Study) -> Answers:
    yield from _leaves(f"{name}/results", study.results)
    for key, entries in study.lists().items():
        yield from _leaves(f"{name}/{key}", entries)
    yield from _checks(f"{name}/checks", study.checks)
    for table in study.tables("si"):
        for row in table.rows:
            for head, cell in zip(table.heads, row, strict=True):
                yield from _words(f"{name}/table {table.heads[0]}/{head}", cell)


def _checks(at: str, checks: Iterable[Check]) -> Answers:
    for check in checks:
        here = f"{at}/{check.rule}"
        verdict = check.severity.value if check.failed else check.outcome.value
        yield f"{here}/{verdict}", 1.0 + len(check.alike)
        for side, number in (("value", check.value), ("limit", check.limit)):
            if number is not None:
                yield f"{here}/{side}", float(number)
        yield from _words(f"{here}/why", check.why)


def _leaves(at: str, value: object) -> Answers:
    if isinstance(value, Mapping):
        for key, inner in value.items():
            yield from _leaves(f"{at}/{key}", inner)
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from _leaves(at, inner)
    elif isinstance(value, str):
        yield from _words(at, value)
    elif isinstance(value, int | float):
        yield at, float(value)


def _words(at: str, text: str) -> Answers:
    yield f"{at} (words)", text


def _in(text: str) -> Iterator[float]:
    for number in _NUMBER.findall(_HASH.sub("", text)):
        yield float(number.replace(",", ""))


def _book(name: str, book: Book) -> Answers:
    for sheet in book.sheets:
        if sheet.name in WITHOUT_NUMBERS or sheet.hidden:
            continue
        at = f"{name}/{_TAG_DIGITS.sub('', sheet.name)}"
        for (_, column), cell in sorted(sheet.cells.items()):
            here = f"{at}!{column_letter(column)}"
            if isinstance(cell.value, int | float):
                yield here, float(cell.value)
            elif isinstance(cell.value, str):
                yield from _words(here, cell.value)
            if cell.formula:
                yield f"{here} (formulas)", zlib.crc32(cell.formula.encode()) % 1000
