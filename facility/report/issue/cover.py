"""The cover of a set: project, conclusion, sheet list, revision record, seal."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from facility.core.check import Severity, counted
from facility.core.views import System
from facility.report.drawings.scene import MEDIUM_MM, Polyline, Scene, Text
from facility.report.issue.content import (
    Block,
    Break,
    DrawingBlock,
    Facts,
    LabelledValue,
    Paragraph,
    SheetContent,
    TableBlock,
)
from facility.report.issue.title_block import NOT_STATED
from facility.report.sheet.grid import TextTable
from facility.report.tables.verdict import counts_text, headline, key_figures, verdict_of, word_of
from facility.study.design.design import Design

_MAX_NAMED = 8
_SEAL_MM = 75.0, 42.0
_DISCLAIMER = (
    "A design aid. Checks refer to the clauses named with them; the engineer of record is "
    "responsible for the design."
)


_BOXED = (
    "FONT_SCRIPT: {:,} texts of this set are in a script that the fonts of the PDF lack, and are "
    "printed as boxes (first on {}). They are complete in DXF, SVG and set.json."
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


def cover(
    design: Design, system: System, sheets: Sequence[ListedSheet], boxed: Mapping[str, str]
) -> SheetContent:
    """Return the cover with the list of all sheets.

    boxed: Texts that the fonts of the PDF lack letters of, with a sheet of each.
    """
    identity, site = design.facility.identity, design.facility.site
    revisions = [(mark, date, by, text) for mark, date, by, text in identity.revisions]
    verdict = headline(design.checks)
    first = list(dict.fromkeys(boxed.values()))[:_MAX_NAMED]
    blocks: tuple[Block, ...] = (
        Paragraph(identity.title or identity.name, "heading"),
        Facts(
            (
                LabelledValue("Project", identity.name),
                LabelledValue("Project number", identity.number or NOT_STATED),
                LabelledValue("Company", identity.company or NOT_STATED),
                LabelledValue("Location", site.place or NOT_STATED),
                LabelledValue("Status", identity.status),
                LabelledValue("Code", design.facility.criteria.code_edition),
            ),
            columns=1,
        ),
        Paragraph("Conclusion", "heading"),
        Paragraph(verdict[:1].upper() + verdict[1:] + "."),
        Paragraph(f"Checks: {counts_text(design.checks)}."),
        *(Paragraph(text, "warning") for text in _not_for_issue(design)),
        *(Paragraph(f"{line.text}.") for line in verdict_of(design.checks) if line.required),
        Facts(
            tuple(
                LabelledValue(label, value)
                for label, value in key_figures(design.all_results, system)
            ),
            columns=1,
        ),
        TableBlock(
            TextTable("Revision record", ("Rev.", "Date", "By", "Description"), revisions),
            widths=(0.09, 0.19, 0.34, 0.38),
            anchors=("start",) * 4,
        ),
        DrawingBlock(_seal()),
        Paragraph(_DISCLAIMER, "note"),
        *([Paragraph(_BOXED.format(len(boxed), ", ".join(first)), "warning")] if boxed else ()),
        Break(),
        TableBlock(
            TextTable(
                "Sheet list",
                ("Sheet", "Title", "Sheets", "Size"),
                [(one.numbers, one.title, str(one.pages), one.size) for one in sheets],
            ),
            widths=(0.27, 0.39, 0.11, 0.23),
        ),
    )
    return SheetContent("G", 0, "Cover", blocks, columns=2)


def _not_for_issue(design: Design) -> Iterator[str]:
    """Yield contradictions to an issued status: violations, missing identification."""
    identity = design.facility.identity
    if not identity.status.startswith("ISSUED"):
        return
    violations = counted(design.checks)[Severity.VIOLATION]
    if violations:
        yield f"{identity.status}, with {violations} {word_of('VIOLATION', violations)}."
    fields = ("number", "company", "originator", "checker", "approver")
    if missing := [name for name in fields if not getattr(identity, name)]:
        yield f"{identity.status}, not stated: {', '.join(missing)}."


def _seal() -> Scene:
    wide, high = _SEAL_MM
    corners = ((0.0, 0.0), (wide, 0.0), (wide, high), (0.0, high))
    words = "Seal and signature of the engineer of record"
    return Scene(
        wide,
        high,
        (
            Polyline(corners, "frame", MEDIUM_MM, closed=True),
            Text(words, (wide / 2.0, high - 2.0), "frame", 2.6, "middle", tone="grey"),
        ),
    )
