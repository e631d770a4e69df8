"""The Cover: purpose and limits of the calculation, key figures and index."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from facility.model.facility import Identity
from facility.report.sheet.entries import CHANGED
from facility.report.sheet.lines import Cited, note_conversion
from facility.report.sheet.model import CellValue, Conditional, Ref, Sheet, Span
from facility.report.sheet.staleness import notice
from facility.report.sheet.tables import PageSetup, fit_heights, shown
from facility.report.tables.verdict import DEFINITIONS, VerdictLine

_WIDTHS = (25, 16, 22, 26, 12, 12)
_LAST = len(_WIDTHS)
_SEAL_ROWS = 11
_DISCLAIMER = (
    "A design aid. It reports checks against the clauses it names; the engineer of record is "
    "responsible for the design. Sheets are protected without a password against slips only; "
    "blue cells are inputs, violet cells are engine results. After an input changes, values that "
    "only the engine can compute show STALE."
)


@dataclass(frozen=True)
class KeyFigure:
    """Figure on the cover, linked to the cell that computes it."""

    label: str
    cited: Cited
    note: str


@dataclass(frozen=True)
class CoverFacts:
    """Cover data other than figures.

    `verdicts` are (severity of failed checks, or outcome; cells on the sheet Checks; count);
    `notes` are remarks on the workbook itself.
    """

    identity: Identity
    location: str
    code: str
    open_assumptions: int
    verdicts: tuple[tuple[str, str, int], ...]
    tool: str
    verdict: tuple[VerdictLine, ...] = ()
    notes: tuple[str, ...] = ()


def cover_sheet(
    name: str,
    facts: CoverFacts,
    figures: Sequence[KeyFigure],
    index: Sequence[tuple[str, Ref, str]],
    page_setup: PageSetup,
) -> Sheet:
    """Return the cover; `index` contains (title, target, content) of every sheet."""
    sheet = Sheet(name, page=page_setup.page(landscape=False, fit_height=1))
    sheet.set_widths(*_WIDTHS)
    row = _write_title(sheet, facts)
    row = _write_state(sheet, row, facts)
    row = _write_verdict(sheet, row, facts.verdict)
    row = _write_figures(sheet, row, figures)
    # Break pages within the index, not within revisions and seal.
    row = _write_index(sheet, row, index)
    row = _write_revisions(sheet, row, facts.identity)
    _write_seal(sheet, row)
    row += _SEAL_ROWS + 1
    for note in (*facts.notes, _DISCLAIMER, facts.tool):
        _wide(sheet, row, note, "note")
        row += 1
    fit_heights(sheet, 3)
    return sheet


def _wide(sheet: Sheet, row: int, value: CellValue, style: str, height: float = 0.0) -> None:
    sheet.merge(Span(row, 1, row, _LAST), value, style)
    if height:
        sheet.heights[row] = height


def _write_title(sheet: Sheet, facts: CoverFacts) -> int:
    identity = facts.identity
    _wide(sheet, 1, identity.title or identity.name, "title", 30)
    _wide(sheet, 2, "Power and cooling design calculation", "subtitle")
    lines = (
        ("Project", identity.name),
        ("Number", identity.number),
        ("Location", facts.location),
        ("Status", identity.status),
        ("Code basis", facts.code),
        ("Company", identity.company),
        ("Originator", identity.originator),
        ("Checker", identity.checker),
    )
    for row, (label, value) in enumerate(lines, start=4):
        sheet.put(row, 1, label, "headleft")
        sheet.merge(Span(row, 2, row, _LAST), value or "not stated", "cell")
    return 4 + len(lines) + 1


def _write_state(sheet: Sheet, row: int, facts: CoverFacts) -> int:
    style = "alert" if facts.open_assumptions else "clear"
    sheet.merge(Span(row, 1, row, _LAST), _open_text(facts.open_assumptions), style)
    row += 1
    formula, text = notice()
    sheet.merge(Span(row, 1, row, _LAST), None, "clear")
    sheet.formula(row, 1, formula, text, "clear")
    sheet.conditionals.append(Conditional(Span(row, 1, row, _LAST), f"{CHANGED}>0", "bad"))
    sheet.row(row + 1, 1, ("Checks", *(v[0] for v in facts.verdicts)), "head")
    sheet.put(row + 2, 1, "as on sheet Checks", "cell")
    for column, (_, cells, number) in enumerate(facts.verdicts, start=2):
        sheet.formula(row + 2, column, cells, number, "total.n0")
    sheet.conditionals += [
        Conditional(Span(row + 2, 2, row + 2, 2), f"B{row + 2}>0", "bad"),
        Conditional(Span(row + 2, 3, row + 2, 3), f"C{row + 2}>0", "warn"),
    ]
    return row + 4


def _write_verdict(sheet: Sheet, row: int, lines: Sequence[VerdictLine]) -> int:
    """Write goals and achieved properties; values that only the engine computes can go stale."""
    sheet.put(row, 1, "Verdict", "section")
    sheet.row(row + 1, 1, ("Property", "Goal", "Outcome"), "head")
    sheet.merge(Span(row + 1, 4, row + 1, _LAST), "Decided by", "headleft")
    row += 2
    for line in lines:
        goal = "required" if line.required else "not stated"
        sheet.put(row, 1, line.title, "cell")
        sheet.put(row, 2, goal, "cell")
        sheet.put(row, 3, line.outcome, "outcome")
        sheet.merge(Span(row, 4, row, _LAST), line.because, "finding")
        row += 1
    sheet.conditionals.append(
        Conditional(
            Span(row - len(lines), 3, row - 1, 3),
            f'AND($B{row - len(lines)}="required",$C{row - len(lines)}<>"met")',
            "bad",
        )
    )
    _wide(sheet, row, DEFINITIONS, "note")
    return row + 2


def _open_text(count: int) -> str:
    if count == 0:
        return "All assumptions confirmed"
    return f"UNCONFIRMED assumptions as exported: {count} (see Assumptions)"


def _write_figures(sheet: Sheet, row: int, figures: Sequence[KeyFigure]) -> int:
    sheet.put(row, 1, "Key figures", "section")
    row += 1
    sheet.row(row, 1, ("Figure", "Value", "Unit", "Remark"), "head")
    sheet.merge(Span(row, 4, row, _LAST), "Remark", "head")
    for figure in figures:
        row += 1
        number = shown(figure.cited.si, figure.cited.kind)
        sheet.put(row, 1, figure.label, "cell")
        cell = sheet.formula(row, 2, str(figure.cited), number.value, f"total.{number.format}")
        note_conversion(sheet, cell, figure.cited.kind)
        sheet.put(row, 3, number.unit, "cell")
        sheet.merge(Span(row, 4, row, _LAST), figure.note, "cell")
    return row + 2


def _write_revisions(sheet: Sheet, row: int, identity: Identity) -> int:
    sheet.put(row, 1, "Revisions", "section")
    sheet.row(row + 1, 1, ("Revision", "Date", "By", "Description"), "head")
    sheet.merge(Span(row + 1, 4, row + 1, _LAST), "Description", "head")
    blank = ("", "", "", "")
    listed = [*identity.revisions, *[blank] * max(0, 3 - len(identity.revisions))]
    for offset, (revision, date, by, description) in enumerate(listed, start=row + 2):
        sheet.row(offset, 1, (revision, date, by), "cell")
        sheet.merge(Span(offset, 4, offset, _LAST), description, "cell")
    return row + 2 + len(listed) + 1


def _write_seal(sheet: Sheet, row: int) -> None:
    span = Span(row, 4, row + _SEAL_ROWS - 1, _LAST)
    sheet.merge(span, "Seal and signature of the engineer of record", "seal")
    sheet.merge(
        Span(row, 1, row + _SEAL_ROWS - 1, 3),
        "Purpose: loads, UPS, distribution, heat rejection and PUE of the facility named above, "
        "from the GPU to the utility. Acceptance: every check on the sheet Checks, each against "
        "the clause it names. Default values in use are on the sheet Assumptions.",
        "wrap",
    )


def _write_index(sheet: Sheet, row: int, index: Sequence[tuple[str, Ref, str]]) -> int:
    sheet.put(row, 1, "Index", "section")
    sheet.row(row + 1, 1, ("Sheet",), "head")
    sheet.merge(Span(row + 1, 2, row + 1, _LAST), "Content", "headleft")
    row += 2
    for title, target, content in index:
        sheet.link(row, 1, title, target, "celllink")
        sheet.merge(Span(row, 2, row, _LAST), content, "cell")
        row += 1
    return row + 1
