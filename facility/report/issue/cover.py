"""The cover of a set: project, conclusion, sheet list, revision record, seal."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from facility.core.views import System
from facility.report.drawings.scene import MEDIUM_MM, Line, Scene, Text
from facility.report.issue.content import Break, Content, Fact, Facts, Figure, Listing, Paragraph
from facility.report.issue.title_block import NOT_STATED
from facility.report.sheet.grid import TextTable
from facility.report.tables.verdict import headline, key_figures
from facility.study.design.design import Design

_SEAL_MM = 75.0, 42.0
_DISCLAIMER = (
    "A design aid. Checks refer to the clauses named with them; the engineer of record is "
    "responsible for the design."
)


class ListedSheet(NamedTuple):
    """Line of the sheet list: a sheet, or the sheets of one content."""

    first: str
    last: str
    title: str
    size: str
    pages: int

    @property
    def numbers(self) -> str:
        """Number of the sheet, or first and last number."""
        return self.first if self.pages == 1 else f"{self.first} to {self.last}"


def cover(design: Design, system: System, sheets: Sequence[ListedSheet]) -> Content:
    """Return the cover with the list of all sheets."""
    identity, site = design.facility.identity, design.facility.site
    revisions = [(mark, date, by, text) for mark, date, by, text in identity.revisions]
    verdict = headline(design.checks)
    blocks = (
        Paragraph(identity.title or identity.name, "heading"),
        Facts(
            (
                Fact("Project", identity.name),
                Fact("Project number", identity.number or NOT_STATED),
                Fact("Company", identity.company or NOT_STATED),
                Fact("Location", site.place or NOT_STATED),
                Fact("Status", identity.status),
                Fact("Code", design.facility.criteria.code_edition),
            ),
            columns=1,
        ),
        Paragraph("Conclusion", "heading"),
        Paragraph(verdict[:1].upper() + verdict[1:] + "."),
        Facts(
            tuple(Fact(label, value) for label, value in key_figures(design.all_results, system)),
            columns=1,
        ),
        Listing(
            TextTable("Revision record", ("Rev.", "Date", "By", "Description"), revisions),
            widths=(0.09, 0.19, 0.34, 0.38),
        ),
        Figure(_seal()),
        Paragraph(_DISCLAIMER, "note"),
        Break(),
        Listing(
            TextTable(
                "Sheet list",
                ("Sheet", "Title", "Sheets", "Size"),
                [(one.numbers, one.title, str(one.pages), one.size) for one in sheets],
            ),
            widths=(0.27, 0.39, 0.11, 0.23),
        ),
    )
    return Content("G", 0, "Cover", blocks, columns=2)


def _seal() -> Scene:
    wide, high = _SEAL_MM
    corners = ((0.0, 0.0), (wide, 0.0), (wide, high), (0.0, high))
    words = "Seal and signature of the engineer of record"
    return Scene(
        wide,
        high,
        (
            Line(corners, "frame", MEDIUM_MM, closed=True),
            Text(words, (wide / 2.0, high - 2.0), "frame", 2.6, "middle", tone="grey"),
        ),
    )
