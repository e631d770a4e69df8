"""What a project answers, by place: numbers, verdicts, words of studies, checks, tables, sheets.

A place is the path of an answer with list indices, tags and phases left out, so that all racks,
states or rows of a sort stand at one place, whatever the layout of the sheet that shows them: one
number or text is recorded as it is, of many how many numbers they hold, what they add up to, and
what they add up to when each is weighted with its rank. So a value that moves, goes, or changes
places with another is seen, and the record stays short enough to be read. A rule is one place.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence

from facility.core.check import Check
from facility.core.errors import FacilityError
from facility.files.project.file import parse_project
from facility.files.workbook.book import workbook_book
from facility.files.workbook.split import lists_workbook
from facility.report.sheet.model import Book
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
SHOWN_ELSEWHERE = frozenset(
    {*("Log", "Cover", "_project", "Calc trace", "Assumptions", "Inputs", "Checks")}
)
"""Sheets of texts, of what stands elsewhere, and of what names the tool's version."""
_NUMBER = re.compile(r"\d[\d,]*\.?\d*(?:e[+-]?\d+)?", re.IGNORECASE)
_HASH = re.compile(r"\b(?=[0-9a-f]*[a-f])(?=[0-9a-f]*\d)[0-9a-f]{10,}\b")
_TAG_DIGITS = re.compile(r"\d+")


def answers(text: str) -> dict[str, str]:
    """Return what the project in `text` answers, by study and place."""
    return summed_up(everything(design_of(text)))


def everything(found: Design) -> Answers:
    """Yield every number and text that a design answers, with its place."""
    yield from _study("design", DesignShown(found))
    yield from _study("failures", Failures(found, failures(found, 1, True, None), 1000))
    try:
        yield from _study("transient", Transient(found, transient(found)))
    except FacilityError as error:
        yield "transient", f"refused {error.code}"
    try:
        yield from _study("load", LoadMotionShown(found, load_motion(found)))
    except FacilityError as error:
        yield "load", f"refused {error.code}"
    yield from _book("workbook", workbook_book(found))
    yield from _book("lists", lists_workbook(found))


def compared(text: str) -> dict[str, str]:
    """Return what the comparison of the ways to cool answers."""
    return summed_up(_study("compare", Comparison(compare_cooling(parse_project(text)))))


def summed_up(answers: Iterable[tuple[str, float | str]]) -> dict[str, str]:
    """Return the one answer of each place, or count, sum and ranked sum of the numbers in many."""
    places: dict[str, list[float | str]] = defaultdict(list)
    for place, answer in answers:
        places[place].append(answer)
    return {place: text for place, many in places.items() if (text := _summed_up(many))}


def _summed_up(many: Sequence[float | str]) -> str:
    if len(many) == 1 and isinstance(many[0], str):
        return " ".join(_HASH.sub("", many[0]).split())
    numbers = [n for one in many for n in (_in(one) if isinstance(one, str) else (one,))]
    if len(numbers) < 2:
        return "".join(f"{number:.7g}" for number in numbers)
    ranked = sum(rank * one for rank, one in enumerate(numbers, start=1)) / len(numbers)
    return f"{len(numbers)} {sum(numbers):.7g} {ranked:.7g}"


def _in(text: str) -> Iterator[float]:
    for number in _NUMBER.findall(_HASH.sub("", text)):
        yield float(number.replace(",", ""))


def _study(name: str, study: Study) -> Answers:
    yield from _leaves(name, study.results)
    for key, entries in study.lists().items():
        yield from _leaves(f"{name}/{key}", entries)
    yield from _checks(f"{name}/checks", study.checks)
    for table in study.tables("si"):
        for row in table.rows:
            for head, cell in zip(table.heads, row, strict=True):
                yield f"{name}/table {table.heads[0]}/{head}", cell


def _checks(at: str, checks: Iterable[Check]) -> Answers:
    by_rule: dict[str, dict[str, list[float | str]]] = defaultdict(lambda: defaultdict(list))
    for check in checks:
        verdict = check.severity.value if check.failed else check.outcome.value
        of_rule = by_rule[check.rule]
        of_rule[verdict].append(1.0 + len(check.alike))
        for side, number in (("value", check.value), ("limit", check.limit)):
            if number is not None:
                of_rule[side].append(float(number))
        of_rule["why"] += _in(check.why)
    for rule, parts in by_rule.items():
        yield (
            f"{at}/{rule}",
            ", ".join(f"{part} {_summed_up(parts[part])}" for part in sorted(parts)),
        )


def _leaves(at: str, value: object) -> Answers:
    if isinstance(value, Mapping):
        for key, inner in value.items():
            if key != "unit":
                yield from _leaves(at if key == "value" else f"{at}/{key}", inner)
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from _leaves(at, inner)
    elif isinstance(value, str):
        yield at, value
    elif isinstance(value, int | float):
        yield at, float(value)


def _book(name: str, book: Book) -> Answers:
    for sheet in book.sheets:
        if sheet.name in SHOWN_ELSEWHERE or sheet.hidden:
            continue
        heads: dict[int, str] = {}
        for (_, column), cell in sorted(sheet.cells.items()):
            if cell.style.startswith("head"):
                heads[column] = " ".join(str(cell.value).split())
            elif isinstance(cell.value, int | float | str):
                value = cell.value if isinstance(cell.value, str) else float(cell.value)
                yield f"{name}/{_TAG_DIGITS.sub('', sheet.name)}/{heads.get(column, '')}", value
