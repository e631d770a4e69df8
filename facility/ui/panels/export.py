"""Export of one panel as a workbook and as a CSV file, created on request."""

from __future__ import annotations

from collections.abc import Callable

from facility.files.io.file_names import safe_file_name
from facility.files.workbook.book import panel_sheet_names, with_valid_names
from facility.files.workbook.writer import render
from facility.report.documents import build_part
from facility.study.design.design import Design
from facility.ui.controls import download


def design_workbook(design: Design, tag: str) -> bytes:
    """Return the workbook with the schedule of one panel of a design."""
    return render(with_valid_names(build_part(design, panel_sheet_names(design), [tag])))


def show_downloads(
    tag: str, workbook: Callable[[], bytes], text: Callable[[], bytes], key: str
) -> None:
    """Show the two downloads of a panel in the current container."""
    name = safe_file_name(tag, "panel")
    download("Download panel schedule (.xlsx)", f"{name}.xlsx", workbook, f"xlsx-{key}")
    download("Download circuits (.csv)", f"{name}.csv", text, f"csv-{key}")
