"""One panel as a workbook and as a CSV file, made when it is asked for."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from facility.files.io.file_names import safe_file_name
from facility.files.workbook.book import panel_sheet_names, with_valid_names
from facility.files.workbook.writer import render
from facility.power.panels.board.model import Panel
from facility.report.book.own_panel_book import own_panel_book
from facility.report.documents import build_part
from facility.study.design.design import Design

_XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"


def design_workbook(design: Design, tag: str) -> bytes:
    """Return the workbook with the schedule of one panel of a design."""
    return render(with_valid_names(build_part(design, panel_sheet_names(design), [tag])))


def own_workbook(panel: Panel, design: Design) -> bytes:
    """Return the workbook with the schedule of a panel under the criteria of a design."""
    return render(with_valid_names(own_panel_book(panel, design)))


def show_downloads(
    tag: str, workbook: Callable[[], bytes], text: Callable[[], bytes], key: str
) -> None:
    """Show the two downloads of a panel, side by side in the container that is open."""
    name = safe_file_name(tag, "panel")
    st.download_button(
        "Panel schedule (.xlsx)",
        data=workbook,
        file_name=f"{name}.xlsx",
        mime=_XLSX,
        icon=":material/download:",
        on_click="ignore",
        key=f"xlsx-{key}",
    )
    st.download_button(
        "Circuits (.csv)",
        data=text,
        file_name=f"{name}.csv",
        mime="text/csv",
        icon=":material/download:",
        on_click="ignore",
        key=f"csv-{key}",
    )
