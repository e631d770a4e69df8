"""The files of a set: one PDF, a DXF for each drawing, an SVG for each sheet, and its values."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator
from pathlib import Path
from typing import Literal, get_args

from facility.core.errors import FacilityError
from facility.core.views import System
from facility.files.io.atomic import folder_apart, write_bytes
from facility.files.io.file_names import safe_file_name
from facility.files.issue.dxf import sheet_dxf
from facility.files.issue.pdf import pdf_bytes
from facility.files.issue.record import SET_FILE, read_record, record_bytes
from facility.files.issue.svg import sheet_svg
from facility.files.project.file import load_project
from facility.report.issue.revision import IssuedRecord, recorded
from facility.report.issue.sheet import SheetSet, boxed_texts
from facility.report.issue.sheets import Progress, sheet_set
from facility.report.issue.title_block import NO_REVISION
from facility.study.design.design import Design, design

Format = Literal["pdf", "dxf", "svg"]
FORMATS: tuple[Format, ...] = get_args(Format)
_NUMBER = re.compile(r"[GEM]-\d{3,7}")
USUAL: tuple[Format, ...] = ("pdf", "dxf")


def write_set(  # noqa: PLR0913 - options of the verb, all named
    designed: Design,
    folder: Path,
    *,
    system: System | None = None,
    formats: Collection[Format] = USUAL,
    appendix: bool = False,
    against: Path | None = None,
    force: bool = False,
    report: Progress = lambda _: None,
    warn: Callable[[str], None] = lambda _: None,
) -> tuple[Path, ...]:
    """Write the set of a design into a folder; return the paths, the PDF first.

    The files are written to a folder next to the destination, which is then renamed. Where the
    destination exists, they are moved into it one by one, ``set.json`` last.

    designed: The design.
    folder: Destination; it is created.
    system: Units; default: by the code.
    formats: Formats to write, in addition to ``set.json``.
    appendix: Whether the set has the trace, all checks and the log.
    against: Folder or ``set.json`` of an earlier issue, or a project file.
    force: Overwrite existing files; sheets of the set before that no longer exist are removed.
    report: Receives the progress, one line each.
    warn: Receives warnings of what the files do not print.

    Raises ``FILE_EXISTS`` or ``FILE_NOT_WRITTEN`` (exit code 6), ``NO_DOCUMENTS_EXTRA`` (2),
    ``SAME_REVISION`` (3) for changed values under the revision of the earlier issue, and those of
    `earlier_issue`.
    """
    since = None if against is None else earlier_issue(against, system)
    issued = sheet_set(designed, system, appendix=appendix, since=since, report=report)
    mark = issued.of.revision
    if since is not None and issued.changes and since.revision == mark != NO_REVISION:
        raise FacilityError(
            "SAME_REVISION",
            "project.revisions",
            f"{len(issued.changes):,} values differ from the earlier issue, also revision {mark}.",
            "Add a revision with a new mark, date and description.",
        )
    boxed = boxed_texts(issued.sheets)
    if boxed and "pdf" in formats:
        named = ", ".join(f"{text[:40]!r} ({sheet})" for text, sheet in list(boxed.items())[:5])
        warn(
            f"FONT_SCRIPT: {len(boxed):,} texts are boxes in the PDF, whose fonts lack the script:"
            f" {named}{', ...' if len(boxed) > 5 else ''}. DXF, SVG and set.json have them."
        )
    try:
        with folder_apart(folder) as (target, apart):
            names = []
            for name, content in set_files(issued, formats, report):
                (apart / name).parent.mkdir(parents=True, exist_ok=True)
                write_bytes(apart / name, content)
                names.append(name)
            present = [folder / name for name in names if (target / name).exists()]
            if present and not force:
                raise FacilityError(
                    "FILE_EXISTS",
                    str(present[0]),
                    "the file exists.",
                    "Use --force to overwrite it.",
                )
            if target.exists():
                withdrawn = _withdrawn(target, names) if force else ()
                # Without its record, a folder is not a set while its files are exchanged.
                for path in (target / SET_FILE, *withdrawn):
                    path.unlink(missing_ok=True)
                for name in names:
                    (target / name).parent.mkdir(parents=True, exist_ok=True)
                    (apart / name).replace(target / name)
            else:
                apart.rename(target)
    except OSError as error:
        raise FacilityError(
            "FILE_NOT_WRITTEN", str(folder), f"the folder cannot be written: {error.strerror}."
        ) from None
    return tuple(folder / name for name in names)


def set_files(
    issued: SheetSet, formats: Collection[Format], report: Progress = lambda _: None
) -> Iterator[tuple[str, bytes]]:
    """Yield name and content of each file of a set, the PDF first and ``set.json`` last."""
    name = safe_file_name(f"{issued.name}-{issued.of.revision}".removesuffix("--"), "set")
    if "pdf" in formats:
        report(f"PDF, {len(issued.sheets)} sheets")
        yield f"{name}.pdf", pdf_bytes(issued)
    if "dxf" in formats:
        for sheet in issued.sheets:
            if sheet.is_drawing:
                report(f"DXF, {sheet.number}")
                yield f"dxf/{sheet.number}.dxf", sheet_dxf(sheet)
    if "svg" in formats:
        report("SVG")
        for sheet in issued.sheets:
            yield f"svg/{sheet.number}.svg", sheet_svg(sheet).encode()
    yield SET_FILE, record_bytes(issued)


def _withdrawn(folder: Path, found: Collection[str]) -> tuple[Path, ...]:
    """Return the drawings of the set in a folder that another set would leave there as its own."""
    try:
        before = read_record(folder)
    except FacilityError:
        return ()
    names = {
        f"{kind}/{sheet.number}.{kind}"
        for sheet in before.sheets
        for kind in ("dxf", "svg")
        if _NUMBER.fullmatch(sheet.number)
    }
    return tuple(folder / name for name in sorted(names - set(found)))


def earlier_issue(path: Path, system: System | None) -> IssuedRecord:
    """Return the values of an earlier issue, from its folder or ``set.json``, or of a project.

    Raises ``NOT_A_SET`` for another JSON file, and those of a project file.
    """
    if path.is_dir() or path.suffix.lower() == ".json":
        try:
            return read_record(path)
        except FacilityError as error:
            if error.code != "NOT_A_SET" or path.is_dir() or path.name == SET_FILE:
                raise
    issued = sheet_set(design(load_project(path)), system)
    figures = ((sheet.number, *figure) for sheet in issued.sheets for figure in sheet.figures)
    sheets = tuple(recorded(sheet) for sheet in issued.sheets)
    return IssuedRecord(issued.of.revision, issued.of.date, sheets, tuple(figures))
