"""Files of a design other than the set, each with its contents or the reason why it is missing."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from facility.core.views import view_unit
from facility.files.io.file_names import safe_file_name
from facility.files.io.zipped import zipped
from facility.files.monitoring.folder import write_points
from facility.files.panel_csv.document import write_panel_csv
from facility.files.sweep.cells import line_of
from facility.files.workbook.book import workbook_bytes
from facility.files.workbook.render import rendered
from facility.files.workbook.split import (
    commissioning_workbook,
    hours_workbook,
    isolation_workbook,
    limits_workbook,
    lists_workbook,
    ranges_workbook,
    write_split,
)
from facility.report.sheet.model import Sheet
from facility.report.tables.hours import hours_csv
from facility.study.commissioning.model import LEVELS
from facility.study.design.design import Design
from facility.study.isolation.study import isolations
from facility.study.points.points import design_points
from facility.ui.downloads.project_file import project_file


@dataclass(frozen=True)
class Document:
    """An export file of a design."""

    key: str
    title: str
    holds: str  # Description of its contents
    name: str
    make: Callable[[], bytes]
    missing: str = ""  # Why it is not available; empty if it is
    job: str = ""  # Worker job that creates it; empty if it takes less than a second


def documents_of(design: Design) -> tuple[Document, ...]:
    """Return the files of a design; each is created on request."""
    base = safe_file_name(design.facility.identity.name)
    file = project_file(design.project, base)
    whole = Document(
        "project-export",
        file.title.removeprefix("Download ").capitalize(),
        "All inputs as entered; opens in this app and with every command.",
        file.name,
        file.make,
    )
    return (*_operation(design, base), *_workbooks(design, base), *_lists(design, base), whole)


def sheet_csv(sheet: Sheet) -> bytes:
    """Return the values of a sheet as CSV; text can never become a formula."""
    last = max((column for _, column in sheet.cells), default=0)
    rows = sorted({row for row, _ in sheet.cells})
    lines = (
        line_of([cell.value if (cell := sheet.cells.get((row, n))) else None for n in columns])
        for row in rows
        if (columns := range(1, last + 1))
    )
    return "".join(lines).encode()


def _operation(design: Design, base: str) -> tuple[Document, ...]:
    return (
        Document(
            "points",
            "Points list (.zip)",
            "Meters and sensors with alarm limits, Prometheus alert rules, Grafana dashboard.",
            f"{base}-points.zip",
            lambda: zipped(_folder(lambda at: write_points(design_points(design), at / "points"))),
            job="long file",
        ),
        Document(
            "commissioning",
            "Commissioning tests (.xlsx)",
            "Tests of levels 1 to 5 with expected values and tolerances.",
            f"{base}-commissioning.xlsx",
            lambda: rendered(lambda: commissioning_workbook(design, tuple(LEVELS))),
            job="long file",
        ),
        Document(
            "limits",
            "Operating limits (.xlsx)",
            "Set points, limits and the action at each.",
            f"{base}-limits.xlsx",
            lambda: rendered(lambda: limits_workbook(design)),
            job="file",
        ),
        Document(
            "isolation",
            "Isolation for maintenance (.xlsx)",
            "Switching steps for each unit, with the state after each.",
            f"{base}-isolation.xlsx",
            lambda: rendered(lambda: isolation_workbook(isolations(design), design)),
            job="long file",
        ),
    )


def _workbooks(design: Design, base: str) -> tuple[Document, ...]:
    return (
        Document("whole", "Workbook (.xlsx)",
                 "Cover, checks, assumptions, sizing, annual results, cost and all schedules, "
                 "with live formulas.",
                 f"{base}.xlsx", lambda: workbook_bytes(design), job="file"),
        Document("rooms", "Schedules by room and side (.zip)",
                 "A schedule workbook for each room and side, with an index.",
                 f"{base}-rooms.zip",
                 lambda: zipped(_folder(lambda folder: write_split(design, folder / "x"))),
                 _no_panels(design), job="file"),
        Document("hours", "Hourly values (.xlsx)",
                 "Every hour of the year, with monthly sums as live formulas.",
                 f"{base}-hours.xlsx",
                 lambda: rendered(lambda: hours_workbook(design)), design.year_refusal, job="file"),
        Document("ranges", "Ranges (.xlsx)",
                 "Annual results over 200 samples: quantiles as live formulas, tornado charts.",
                 f"{base}-ranges.xlsx", lambda: rendered(lambda: ranges_workbook(design)),
                 _no_ranges(design), job="long file"),
    )  # fmt: skip


def _no_panels(design: Design) -> str:
    return "" if design.panels.panels else "This design has no panelboards."


def _no_ranges(design: Design) -> str:
    if design.year is None:
        return design.year_refusal
    return (
        "" if design.project.varies else "No input has a range. Enter ranges in the study Ranges."
    )


def _lists(design: Design, base: str) -> tuple[Document, ...]:
    def lists() -> dict[str, bytes]:
        sheets = [sheet for sheet in lists_workbook(design).sheets if not sheet.hidden]
        return {f"{safe_file_name(sheet.name)}.csv": sheet_csv(sheet) for sheet in sheets}

    def panels() -> dict[str, bytes]:
        of = design.panels.panels
        return {f"{safe_file_name(one.tag)}.csv": write_panel_csv(one).encode() for one in of}

    return (
        Document("lists", "Installation lists (.xlsx)",
                 "Circuits, panel directories, labels, receptacles, cables, racks.",
                 f"{base}-lists.xlsx", lambda: rendered(lambda: lists_workbook(design)),
                 job="file"),
        Document("lists-csv", "Installation lists (.csv, .zip)",
                 "The same lists, one CSV file each.",
                 f"{base}-lists.zip", lambda: zipped(lists()), job="file"),
        Document("panels-csv", "Panels (.csv, .zip)",
                 "Circuits of every panel, for the command balance and the import of panels.",
                 f"{base}-panels.zip", lambda: zipped(panels()), _no_panels(design)),
        Document("hours-csv", "Hourly values (.csv)",
                 "Weather, power, heat and water for every hour of the year.", f"{base}-hours.csv",
                 lambda: _hours_csv(design), design.year_refusal),
        Document("results-csv", "Results (.csv)",
                 "All results of the design and its studies, with unit and basis.",
                 f"{base}-results.csv", lambda: _results_csv(design)),
    )  # fmt: skip


def _folder(write: Callable[[Path], object]) -> dict[str, bytes]:
    """Return the files written into a folder, by name."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        write(folder)
        return {path.name: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def _hours_csv(design: Design) -> bytes:
    return b"" if design.year is None else hours_csv(design.year.year).encode()


def _results_csv(design: Design) -> bytes:
    rows = [line_of(("key", "value", "unit", "basis"))]
    for key, value in design.all_results.items():
        unit = view_unit(value.kind) if value.kind else ""
        rows.append(line_of((key, value.in_view(), unit, value.basis)))
    return "".join(rows).encode()
