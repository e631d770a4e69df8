"""Headings, labels and cells of words hold words: no field path, slug or rule id in their place.

A path or an id may follow the words in brackets, and stands alone only in the columns and sheets
named here, each with its reason.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from facility.report.documents import build_lists
from facility.report.sheet.model import Book
from facility.report.studies.annual import Annual
from facility.report.studies.design import ChecksShown
from facility.report.studies.equipment import PowerTrain
from facility.report.studies.failures import Failures
from facility.report.studies.load_motion import LoadMotionShown
from facility.report.studies.protocol import Study
from facility.report.studies.transient import Transient
from facility.study.design.design import Design
from facility.study.failures.study import failures
from facility.study.transient.load.study import load_motion
from facility.study.transient.study import transient
from tests.tools.source_tree import report
from tools.docs import rules

NAME = "mixed-hall"
SHEETS = {
    "_project": "the project as typed, for recomputation",
    "Inputs": "names the fields of the project and the cells",
    "Log": "names reference tables and their rows",
}
"""Sheets that are not read, with the reason."""
COLUMNS = {
    "Id": "id that a project lists under confirmed or overridden",
    "Rule": "id of a rule",
    "Class": "code of a load class, explained on the schedule",
    "Load class": "code of a load class, explained on the schedule",
    "Rev": "legend of the class codes",
    "Source": "names a reference table and its row",
    "Source of the rating": "names a reference table and its row",
    "Case": "id of a case, as in the JSON output",
    "Excluded by rule": "id of the rule",
    "Outcome": "outcome as in the JSON output",
    "Value": "value of an assumption as typed in a project",
    "Subject": "of checks; tests/checks reads the texts of rules",
    "Finding": "of checks; tests/checks reads the texts of rules",
    "Remedy": "of checks; tests/checks reads the texts of rules",
}
"""Headings of columns that are not read, with the reason."""
_PATH = re.compile(r"(?<![\w.])[a-z][a-z0-9_]*(?:\.[a-z][a-z0-9_]*)+(?![\w.])")
_SLUG = re.compile(r"(?<![\w.])[a-z][a-z0-9]*(?:_[a-z0-9]+)+(?!\w)")
_KEBAB = re.compile(
    r"(?<!\w)(?:lv-board|generator-plant|mv-switchgear|generator-bus|static-bypass)"
)
_BRACKETS = re.compile(r"\([^()]*\)|\[[^\[\]]*\]|'[^']*'")
_TABLE = re.compile(r"[a-z]+/[a-z0-9_]+")
_FILE = re.compile(r"\.(?:csv|yaml|xlsx|json|epw)$")


def tokens_in(text: str, ids: frozenset[str]) -> list[str]:
    """Return the paths, slugs and rule ids in a text, outside its brackets and references."""
    bare = _TABLE.sub(" ", _BRACKETS.sub(" ", _BRACKETS.sub(" ", text)))
    found = [*_PATH.findall(bare), *_SLUG.findall(bare), *_KEBAB.findall(bare)]
    found += ids.intersection(re.findall(r"[A-Z][A-Z0-9]*(?:-[A-Z0-9]+)+", bare))
    return [token for token in found if not _FILE.search(token) and token not in ("e.g", "i.e")]


def _cells(book: Book) -> Iterator[tuple[str, str, str]]:
    """Yield sheet, heading above and text of every cell of words."""
    for sheet in book.sheets:
        heads: dict[int, str] = {}
        for row, column in sorted(sheet.cells):
            cell = sheet.cells[row, column]
            if isinstance(cell.value, str) and not sheet.name.startswith("RPP-"):
                if cell.style == "head":
                    heads[column] = cell.value
                yield sheet.name, heads.get(column, ""), cell.value


def _texts(study: Study) -> Iterator[tuple[str, str, str]]:
    """Yield place, heading and text of everything that a verb prints."""
    for table in study.tables("si"):
        for text in (table.title, *table.heads, *table.below):
            yield table.title, "", text
        for row in table.rows:
            for head, text in zip(table.heads, row, strict=True):
                yield table.title, head, str(text)
    for line in (*study.opening(), *study.closing("si")):
        yield type(study).__name__, "", line


def offenders(texts: Iterator[tuple[str, str, str]]) -> list[str]:
    ids = frozenset(rules())
    found = set()
    for place, head, text in texts:
        if place not in SHEETS and (head not in COLUMNS or text == head):
            found |= {f"{place} / {head}: {one} in {text[:90]!r}" for one in tokens_in(text, ids)}
    return sorted(found)


def test_tokens_are_found() -> None:
    ids = frozenset({"UPS-LOADING"})
    assert tokens_in("see power.ups.modules and lv_board, UPS-LOADING, lv-board", ids) == [
        "power.ups.modules",
        "lv_board",
        "lv-board",
        "UPS-LOADING",
    ]
    assert not tokens_in(
        "Add modules (power.ups.modules). RPP-A01 e.g. of a 2.5 kW file x.csv", ids
    )


def test_sheets_hold_words(designs: dict[str, Design], books: dict[str, Book]) -> None:
    found = [*offenders(_cells(books[NAME])), *offenders(_cells(build_lists(designs[NAME])))]
    assert not found, report("paths, slugs or rule ids in cells of words", found)


def test_verbs_print_words(designs: dict[str, Design]) -> None:
    design = designs[NAME]
    if design.year is None:
        pytest.fail("the project has a year")
    shown = (
        ChecksShown(design),
        PowerTrain(design),
        Annual(design, design.year),
        Failures(design, failures(design, 1, True, None), 1000),
        Transient(design, transient(design)),
        LoadMotionShown(design, load_motion(design)),
    )
    found = [text for study in shown for text in offenders(_texts(study))]
    assert not found, report("paths, slugs or rule ids in printed texts", found)
