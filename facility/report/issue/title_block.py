"""Border and title block of the sheets of a set."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from facility.core import __version__
from facility.core.views import System
from facility.report.documents import status_line
from facility.report.drawings.scene import MEDIUM_MM, THICK_MM, THIN_MM, Polyline, Shape, Text
from facility.report.drawings.text import fitted, text_width
from facility.report.issue.paper import BLOCK_ROWS, BORDER_MM, ROW_MM, Paper
from facility.study.design.design import Design

NOT_STATED = "not stated"
NO_REVISION = "-"
"""Mark of a set of a project without revisions."""
_CAPTION_MM, _VALUE_MM, _NUMBER_MM = 2.47, 2.8, 6.0
_PAD_MM = 1.0
_SEAL_MM = 38.0
_NUMBER_WIDTH_MM = 38.0
_ROWS = (
    (("company", "Company", 0.26), ("project", "Project", 0.48), ("number", "Project no.", 0.26)),
    (("title", "Sheet title", 0.42), ("status", "Status", 0.34), ("code", "Code", 0.24)),
    (
        ("originator", "Originator", 0.21),
        ("checker", "Checker", 0.2),
        ("approver", "Approver", 0.2),
        ("units", "Units", 0.07),
        ("tool", "Tool", 0.15),
        ("hash", "Project SHA-256", 0.17),
    ),
)
_BESIDE = (("revision", "Rev.", 0.3), ("date", "Date", 0.7))


class Identification(NamedTuple):
    """What the title block of every sheet of a set states."""

    company: str
    project: str
    number: str
    status: str
    code: str
    originator: str
    checker: str
    approver: str
    units: str
    tool: str
    hash: str
    revision: str
    date: str


def identification(design: Design, system: System) -> Identification:
    """Return the identification of a set; revision and date are the latest of the project."""
    identity = design.facility.identity
    mark, date = identity.revisions[-1][:2] if identity.revisions else (NO_REVISION, "not issued")
    stated = (identity.company, identity.title or identity.name, identity.number)
    people = (identity.originator, identity.checker, identity.approver)
    company, project, number = (one or NOT_STATED for one in stated)
    originator, checker, approver = (one or NOT_STATED for one in people)
    return Identification(
        company,
        project,
        number,
        status_line(design),
        design.facility.criteria.code_edition,
        originator,
        checker,
        approver,
        "IP" if system == "ip" else "SI",
        f"facility {__version__}",
        design.sha256[:12],
        mark,
        date,
    )


def border(paper: Paper) -> Iterator[Shape]:
    """Yield the border of a sheet and the rules of its title block."""
    left, right = BORDER_MM, paper.width_mm - BORDER_MM
    bottom = paper.height_mm - BORDER_MM
    top = bottom - BLOCK_ROWS * ROW_MM
    corners = ((left, BORDER_MM), (right, BORDER_MM), (right, bottom), (left, bottom))
    yield Polyline(corners, "frame", THICK_MM, closed=True)
    yield Polyline(((left, top), (right, top)), "frame", MEDIUM_MM)
    edge, seal = right - _NUMBER_WIDTH_MM, right - _NUMBER_WIDTH_MM - _SEAL_MM
    for x in (edge, seal):
        yield Polyline(((x, top), (x, bottom)), "frame", MEDIUM_MM)
    yield Text("Seal", (seal + _PAD_MM, top + 2.8), "frame", _CAPTION_MM, tone="grey")
    yield Text("Sheet", (edge + _PAD_MM, top + 2.8), "frame", _CAPTION_MM, tone="grey")
    for k, y, cells, start, end in _strips(top, left, seal, edge, right):
        if k:
            yield Polyline(((start, y), (end, y)), "frame", THIN_MM)
        x = start
        for n, (_, caption, share) in enumerate(cells):
            if n:
                yield Polyline(((x, y), (x, y + ROW_MM)), "frame", THIN_MM)
            wide = share * (end - start)
            words = fitted(caption, wide - 2.0 * _PAD_MM, size_mm=_CAPTION_MM)
            yield Text(words, (x + _PAD_MM, y + 2.8), "frame", _CAPTION_MM, tone="grey")
            x += wide


def _strips(
    top: float, left: float, seal: float, edge: float, right: float
) -> Iterator[tuple[int, float, tuple[tuple[str, str, float], ...], float, float]]:
    """Yield the strips of cells: index, top, cells, left and right."""
    for k, cells in enumerate(_ROWS):
        yield k, top + k * ROW_MM, cells, left, seal
    yield BLOCK_ROWS - 1, top + (BLOCK_ROWS - 1) * ROW_MM, _BESIDE, edge, right


def block_values(
    paper: Paper, of: Identification, number: str, title: str, page: str
) -> Iterator[Text]:
    """Yield the texts of the title block of one sheet, keyed ``sheet.company`` and so on."""
    left, right = BORDER_MM, paper.width_mm - BORDER_MM
    top = paper.height_mm - BORDER_MM - BLOCK_ROWS * ROW_MM
    edge = right - _NUMBER_WIDTH_MM
    texts = {**of._asdict(), "title": title}
    for _, y, cells, start, end in _strips(top, left, edge - _SEAL_MM, edge, right):
        x = start
        for name, _, share in cells:
            wide = share * (end - start)
            words = fitted(
                texts[name], wide - 2.0 * _PAD_MM, bold=name in _STRONG, size_mm=_VALUE_MM
            )
            at = x + _PAD_MM, y + ROW_MM - 1.7
            bold = name in _STRONG
            yield Text(words, at, "frame", _VALUE_MM, bold=bold, key=f"sheet.{name}")
            x += wide
    middle = (edge + right) / 2.0
    size = min(_NUMBER_MM, _NUMBER_MM * 32.0 / text_width(number, bold=True, size_mm=_NUMBER_MM))
    at = middle, top + 10.0
    yield Text(number, at, "frame", size, "middle", bold=True, key="sheet.sheet")
    at = middle, top + 2.0 * ROW_MM - 1.6
    yield Text(page, at, "frame", _CAPTION_MM, "middle", key="sheet.page")


_STRONG = ("project", "title", "status", "revision")
