"""The sheets of a one-line diagram as files."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from pathlib import Path

from facility.core.errors import FacilityError
from facility.core.views import System
from facility.files.io.atomic import write_bytes
from facility.files.svg.one_line import sheet_svg
from facility.files.svg.shapes import LIGHT, Paint
from facility.report.drawings.one_line.diagram import lay_out
from facility.report.drawings.one_line.parts import Drawing
from facility.report.drawings.one_line.state import (
    Moment,
    find_case,
    state_drawings,
    state_words,
)
from facility.report.drawings.one_line.title import title_block
from facility.report.drawings.one_line.tree import Detail
from facility.report.drawings.one_line.words import facts_of
from facility.study.design.design import Design


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

    design: The design that is drawn.
    drawings: Its sheets.
    state: The state drawn, for the title block.
    paint: Colours.
    marked: Whether what can be chosen has an id.
    opened: Circuits and equipment that were opened by hand: they have a ring.
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
    on_battery: Before the generators have started, else settled.
    detail: Equal PDUs and panels drawn once, or every one by name.
    system: Units shown.
    sheet: The one sheet to write.
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
    """Write sheets and return their paths: `out`, or `out` numbered where there are several.

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
            f"Give a number from 1 to {len(documents)}.",
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
