"""One-line diagram as SVG: a single drawing, or sheets as files."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from facility.core.errors import FacilityError
from facility.core.views import System
from facility.files.io.atomic import write_bytes
from facility.files.svg.shapes import (
    LEGEND_COLUMN_MM,
    LEGEND_ROW_MM,
    LIGHT,
    Paint,
    drawing_shapes,
    legend,
    svg_document,
    text_line,
)
from facility.report.drawings.one_line.diagram import lay_out
from facility.report.drawings.one_line.facts import facts_of
from facility.report.drawings.one_line.parts import Drawing
from facility.report.drawings.one_line.sheets import TitleBlock, title_block
from facility.report.drawings.one_line.state import Moment, find_case, state_drawings, state_words
from facility.report.drawings.one_line.status import STATUS_WORDS
from facility.report.drawings.one_line.tree import Detail
from facility.report.drawings.text import fitted
from facility.study.design.design import Design

PX_PER_MM = 4.0
"""Size of a millimetre of the drawing on a screen."""
PAGE_MM = 420.0, 297.0
"""A3 landscape."""

_TITLE_MM = 12.0
_HEADING_MM = 3.6
_FOOT_MM = 4.0
_BORDER_MM = 10.0
_BLOCK_MM = 36.0
_BLOCK_WIDTH_MM = 200.0
_PAD_MM = 1.5
_ROW_MM = 9.0


def drawing_svg(drawing: Drawing, paint: Paint = LIGHT, *, opened: Collection[str] = ()) -> str:
    """Return `drawing` as an SVG document for a screen, as wide as it is.

    Texts are escaped; the bytes depend on the drawing and the colours alone.

    drawing: The diagram.
    paint: Its colours: `LIGHT` for paper, `DARK` for a dark page.
    opened: Manually opened circuits and equipment, drawn with a ring.
    """
    drawing = replace(drawing, notes=(*drawing.notes, *_mark_legend(drawing, opened)))
    rows = _legend_rows(drawing) + len(drawing.notes)
    width_mm = drawing.width_mm
    height_mm = _TITLE_MM + drawing.height_mm + rows * LEGEND_ROW_MM + _FOOT_MM
    heading = fitted(drawing.title, width_mm - 8.0, bold=True, size_mm=_HEADING_MM)
    top = _TITLE_MM + drawing.height_mm + 3.0
    size = width_mm * PX_PER_MM, height_mm * PX_PER_MM
    notes = top + _legend_rows(drawing) * LEGEND_ROW_MM + 1.0
    return svg_document(
        (width_mm, height_mm),
        (f"{size[0]:.0f}", f"{size[1]:.0f}"),
        drawing.title,
        paint.paper,
        (
            text_line(heading, 4.0, 8.0, paint, bold=True, size_mm=_HEADING_MM),
            f'<g transform="translate(0 {_TITLE_MM:g})">',
            *drawing_shapes(drawing, paint, opened=opened),
            "</g>",
            *legend(4.0, top, _per_row(drawing), paint),
            *(
                text_line(fitted(note, width_mm - 8.0), 4.0, notes + n * LEGEND_ROW_MM, paint)
                for n, note in enumerate(drawing.notes)
            ),
        ),
    )


def _mark_legend(drawing: Drawing, opened: Collection[str]) -> Iterator[str]:
    """Yield the legend of additional marks, if any."""
    if drawing.racks:
        yield "Cabinet at a panel: its racks; filled share: dropped."
    if opened:
        yield f"Ringed: opened manually: {', '.join(opened)}."


def sheet_svg(
    drawing: Drawing,
    block: TitleBlock,
    paint: Paint = LIGHT,
    *,
    marked: bool = False,
    opened: Collection[str] = (),
) -> str:
    """Return one sheet of a diagram as an SVG document of the size of a sheet A3.

    drawing: The sheet.
    block: Its title block.
    paint: Its colours.
    """
    width, height = PAGE_MM
    inner = width - 2.0 * _BORDER_MM, height - 2.0 * _BORDER_MM
    heading = f"{drawing.title} · {block.sheet}"
    at = _BORDER_MM + _PAD_MM
    frame = (
        f'<rect x="{_BORDER_MM:g}" y="{_BORDER_MM:g}" width="{inner[0]:g}" height="{inner[1]:g}" '
        f'fill="none" stroke="{paint.text}" stroke-width="0.7"/>'
    )
    return svg_document(
        PAGE_MM,
        (f"{width:g}mm", f"{height:g}mm"),
        heading,
        paint.paper,
        (
            frame,
            f'<g transform="translate({at:g} {at + 0.5:g})">',
            *drawing_shapes(drawing, paint, marked=marked, opened=opened),
            "</g>",
            *_foot(drawing, block, paint),
        ),
    )


def live_svg(drawing: Drawing, paint: Paint = LIGHT) -> str:
    """Return only `drawing`, in millimetres, without heading, legend or notes.

    Every selectable shape has its id of `marks_of`.
    """
    return svg_document(
        (drawing.width_mm, drawing.height_mm),
        (f"{drawing.width_mm:.0f}", f"{drawing.height_mm:.0f}"),
        drawing.title,
        paint.paper,
        drawing_shapes(drawing, paint, marked=True),
    )


def _legend_rows(drawing: Drawing) -> int:
    return -(-len(STATUS_WORDS) // _per_row(drawing))


def _per_row(drawing: Drawing) -> int:
    return max(1, int(drawing.width_mm // LEGEND_COLUMN_MM))


def _foot(drawing: Drawing, block: TitleBlock, paint: Paint) -> Iterator[str]:
    """Yield legend, notes and title block, in a strip along the lower border."""
    left, right = _BORDER_MM, PAGE_MM[0] - _BORDER_MM
    bottom = PAGE_MM[1] - _BORDER_MM
    top, start = bottom - _BLOCK_MM, right - _BLOCK_WIDTH_MM
    pen = f'stroke="{paint.text}" stroke-width="0.35" fill="none"'
    yield f'<path d="M{left:g} {top:g}H{right:g}M{start:g} {top:g}V{bottom:g}" {pen}/>'
    yield from legend(left + 3.0, top + 5.0, 4, paint)
    notes = top + 5.0 + 2.0 * LEGEND_ROW_MM + 2.5
    for n, note in enumerate(block.note_lines(drawing.notes, start - left - 6.0)):
        yield text_line(note, left + 3.0, notes + n * 4.0, paint)
    for k, cells in enumerate(block.rows):
        y, x = top + k * _ROW_MM, start
        if k:
            yield f'<path d="M{start:g} {y:g}H{right:g}" {pen}/>'
        for n, (caption, text, share) in enumerate(cells):
            wide = _BLOCK_WIDTH_MM * share
            if n:
                yield f'<path d="M{x:g} {y:g}v{_ROW_MM:g}" {pen}/>'
            yield text_line(caption, x + 1.2, y + 3.4, paint)
            words = fitted(text, wide - 2.4, bold=True)
            yield text_line(words, x + 1.2, y + 7.6, paint, bold=True)
            x += wide


def sheet_documents(
    design: Design,
    drawings: Sequence[Drawing],
    state: str,
    paint: Paint = LIGHT,
    *,
    marked: bool = False,
    opened: Collection[str] = (),
) -> tuple[str, ...]:
    """Return every sheet of a diagram as an SVG document with its title block.

    design: The design.
    drawings: Its sheets.
    state: The state drawn, for the title block.
    paint: Colours.
    marked: Whether selectable shapes have ids.
    opened: Manually opened circuits and equipment, drawn with a ring.
    """
    of = len(drawings)
    return tuple(
        sheet_svg(
            drawing, title_block(design, state, number, of), paint, marked=marked, opened=opened
        )
        for number, drawing in enumerate(drawings, 1)
    )


def write_one_line(
    design: Design,
    out: Path,
    state: str = "normal",
    *,
    on_battery: bool = False,
    detail: Detail = "grouped",
    system: System = "si",
    sheet: int | None = None,
    force: bool = False,
) -> tuple[Path, ...]:
    """Write the one-line diagram of one state of `design`; return the paths, see `write_sheets`.

    out: File to write.
    state: Id of the state, e.g. ``loss of UPS-A1``.
    on_battery: State before generators start; default: settled state.
    detail: Whether equal PDUs and panels are drawn once or individually.
    system: Unit system.
    sheet: Only sheet to write.
    force: Overwrite existing files.

    Raises ``UNKNOWN_STATE`` with near matches, and those of `write_sheets`.
    """
    solver = design.states
    case = find_case(solver.network, state)
    moment: Moment = "on battery" if on_battery else "settled"
    diagram = lay_out(solver.network, facts_of(design), detail=detail, sheets=True, system=system)
    drawings = state_drawings(diagram, solver, case, moment, design.facility.identity.name)
    documents = sheet_documents(design, drawings, state_words(case, moment))
    return write_sheets(documents, out, sheet=sheet, force=force)


def write_sheets(
    documents: Sequence[str], out: Path, *, sheet: int | None = None, force: bool = False
) -> tuple[Path, ...]:
    """Write sheets and return their paths: `out`, or numbered names for several sheets.

    documents: The sheets.
    out: ``one-line.svg``; several sheets become ``one-line-1.svg``, ``one-line-2.svg``, ...
    sheet: The one sheet to write, to `out` itself.
    force: Overwrite existing files.

    Raises ``UNKNOWN_SHEET`` (exit code 2) for a sheet that is not there; ``FILE_EXISTS`` or
    ``FILE_NOT_WRITTEN`` (exit code 6). No file is written where one of them exists.
    """
    if sheet is not None and not 1 <= sheet <= len(documents):
        raise FacilityError(
            "UNKNOWN_SHEET",
            "--sheet",
            f"got {sheet}; the diagram has {len(documents)} sheet(s).",
            f"Enter a number from 1 to {len(documents)}.",
        )
    chosen = documents if sheet is None else documents[sheet - 1 : sheet]
    paths = (
        [out]
        if len(chosen) == 1
        else [
            out.with_name(f"{out.stem}-{number}{out.suffix}")
            for number in range(1, len(chosen) + 1)
        ]
    )
    present = [path for path in paths if path.exists()]
    if present and not force:
        raise FacilityError(
            "FILE_EXISTS", str(present[0]), "the file exists.", "Use --force to overwrite it."
        )
    return tuple(
        write_bytes(path, text.encode(), force=force)
        for path, text in zip(paths, chosen, strict=True)
    )
