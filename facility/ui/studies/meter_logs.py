"""Meter logs: measured power by hour, or branch currents, compared with the design."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial

import streamlit as st

from facility.catalogue.series import Reading
from facility.core.errors import FacilityError
from facility.core.views import System
from facility.files.project.companions import check_size, content_name
from facility.report.book.record import check_table
from facility.report.drawings.charts.measured import difference_chart, pue_chart
from facility.report.studies.branches import BranchReport
from facility.report.studies.measured import MeterLogReport, readings_csv
from facility.study.design.design import Design
from facility.study.measured.branches import measured_branches
from facility.study.measured.log import LogColumns
from facility.study.measured.readings import is_branch_file
from facility.study.measured.study import measured
from facility.ui import controls
from facility.ui.blocks.blocks import Block, ChartBlock, Controls, Tabs, TextBlock
from facility.ui.memory import spool
from facility.ui.shell.views import ViewLine
from facility.ui.studies import lines
from facility.ui.studies.frame import StudyView

_MAX_UPLOAD_MB = 10
_LABELS = {
    "it": "IT power column",
    "facility": "Facility power column",
    "dry-bulb": "Dry bulb column",
    "time": "Time column",
    "unit": "Unit",
    "quantity": "Quantity",
    "time-zone": "Time zone",
    "stamps": "Times",
    "gaps": "Gaps over 6 h",
    "year": "Year",
}
"""Labels of the options that a hint names."""
_WORDS = {
    "": "From the file",
    "leave_out": "Leave out",
    "previous_week": "Previous week",
    "stop": "Reject the file",
}
"""Labels of the choices; others are capitalized."""
_TEMPLATES = {
    "Template: meter log": (
        "meter-log.csv",
        "timestamp,it_kw,facility_kw,dry_bulb_degc\n2025-01-01 00:00,812.0,1043.5,3.4\n",
    ),
    "Template: branch readings": (
        "branch-readings.csv",
        "panel,circuit,current_a,current_b,current_c\nRPP-A01,1,12.4,12.1,12.6\nRPP-A01,,88,91,85\n",
    ),
}


def _blocks(design: Design, system: System) -> Iterator[Block]:
    """Yield a meter log, or branch readings, compared with the design."""
    yield TextBlock(
        "A meter log with IT and facility power is compared with the model hour by hour; branch "
        "readings are compared with the panels. The project is not changed."
    )
    file = st.file_uploader(
        "Meter log or branch readings (CSV)",
        type=["csv", "gz"],
        key="measured-file",
        max_upload_size=_MAX_UPLOAD_MB,
    )
    with st.container(horizontal=True):
        for title, (name, text) in _TEMPLATES.items():
            controls.download(title, name, text, f"measured-{name}")
    with st.expander("Reading options"):
        columns, reading = _options()
    if file is None:
        return
    try:
        report, hourly = _compared(design, file.name, file.getvalue(), columns, reading)
    except FacilityError as error:
        hint = re.sub(r"repeat --[a-z]+ HEADING", "as A kW + B kW", error.hint)
        hint = re.sub(r"leave_out|previous_week", lambda m: _WORDS[m[0]], hint)
        hint = re.sub(r"--([a-z-]+)( HEADING)?", lambda m: _LABELS.get(m[1], m[1]), hint)
        refused = FacilityError(error.code, error.where, error.message, hint)
        yield Controls(partial(controls.refused, "Not compared", refused))
        return
    yield TextBlock("\n".join(report.opening()))
    if isinstance(report, MeterLogReport):
        yield ChartBlock(
            "PUE by hour",
            pue_chart(report.study),
            "measured-pue",
            "Line chart: measured PUE and PUE of the model by hour",
            explains=False,
        )
        yield ChartBlock(
            "Difference explained",
            difference_chart(report.study),
            "measured-difference",
            "Waterfall chart: PUE of the model, differences by load, weather and equipment, "
            "measured PUE",
            explains=False,
        )
    yield Tabs([*report.tables(system), check_table(report.checks, system)], "measured")
    yield TextBlock("\n".join(report.closing(system)))
    if hourly:
        name = "measured-hours.csv"
        yield Controls(partial(controls.download, "Hourly values", name, hourly, "measured-hours"))


def _options() -> tuple[LogColumns, Reading]:
    """Show the answers; return headings and reading options."""
    with st.container(horizontal=True):
        it, facility, dry_bulb, time, unit, zone, year = (
            st.text_input(
                _LABELS[name], key=f"measured-{name}", width=180, placeholder=_WORDS[""]
            ).strip()
            for name in ("it", "facility", "dry-bulb", "time", "unit", "time-zone", "year")
        )
        quantity, stamps, gaps = (
            st.selectbox(
                _LABELS[name],
                words,
                format_func=lambda word: _WORDS.get(word, word.capitalize()),
                key=f"measured-{name}",
                width=180,
            )
            for name, words in (
                ("quantity", ["", "power", "energy", "register"]),
                ("stamps", ["", "start", "end"]),
                ("gaps", ["leave_out", "previous_week", "mean", "stop"]),
            )
        )
    number = int(year) if year.isascii() and year.isdigit() and len(year) == 4 else None
    columns = LogColumns(tuple(it.split(" + ")), tuple(facility.split(" + ")), dry_bulb)
    reading = Reading("", unit, quantity, zone, stamps, gaps, number, time=time)
    return columns, reading


def _compared(
    design: Design, name: str, content: bytes, columns: LogColumns, reading: Reading
) -> tuple[MeterLogReport | BranchReport, str]:
    """Return the comparison of a file, and its hourly values as CSV, if any."""
    check_size(name, content)
    path = spool.put(content_name(name, content), content)
    if is_branch_file(path):
        return BranchReport(design, measured_branches(design, path)), ""
    study = measured(design, path, columns=columns, reading=reading)
    return MeterLogReport(design, study), readings_csv(study)


def _line() -> ViewLine:
    file = st.session_state.get("measured-file")
    return lines.line(
        "Measured power vs. the design" if file is None else "File loaded",
        lines.NOT_RUN if file is None else lines.CURRENT,
    )


METER_LOGS = StudyView("meter-logs", "Meter logs", _blocks, _line)
