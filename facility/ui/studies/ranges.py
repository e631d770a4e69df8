"""Ranges: annual results with uncertain inputs, and their sensitivities."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import cast

import streamlit as st

from facility.core.errors import FacilityError
from facility.core.views import System
from facility.files.project.file import dump_project
from facility.files.store.records import Draft
from facility.model.inputs.document import Project, as_typed, read_document
from facility.report.book.record import check_table
from facility.report.drawings.charts.ranges import samples_chart, tornado_chart, tornadoes
from facility.report.studies.ranges import Ranges
from facility.report.tables.ranges import samples_csv
from facility.study.design.design import Design
from facility.study.ranges.draw import METHODS
from facility.study.ranges.result import RangesStudy
from facility.ui import controls
from facility.ui.blocks.blocks import (
    Beside,
    Block,
    ChartBlock,
    ChartChoice,
    Controls,
    Tabs,
    TextBlock,
)
from facility.ui.controls import act
from facility.ui.grid.model import CellMark
from facility.ui.inspector.box import in_use
from facility.ui.scenarios import inputs
from facility.ui.session import edits, opened, state
from facility.ui.session.timeline import commit, session
from facility.ui.studies import lines, requests
from facility.ui.studies.frame import StudyView

_KEY = "ranges"
MAX_SAMPLES = 2000
"""Maximum number of samples in the app; the command line has no such limit."""
SAMPLES = 64
"""Samples of the study that opens by itself."""
_TOLERANCES = {
    "tolerances.read": "5 %",
    "tolerances.computed": "10 %",
    "tolerances.secondary": "10 %",
    "tolerances.memory": "20 %",
}
"""Tolerances of the defaults, by source, where the project states no ranges."""
_DEFAULTS = (
    "The project states no ranges, so its default values vary: values with a read source by 5 %, "
    "planning rules and secondary sources by 10 %, unverified sources by 20 %."
)
_SETTINGS = (
    ("Defaults with a read source, ±", "tolerances.read"),
    ("Computed defaults and rules, ±", "tolerances.computed"),
    ("Defaults from secondary sources, ±", "tolerances.secondary"),
    ("Unverified defaults, ±", "tolerances.memory"),
)
_HELP = (
    "Range: 0.04 .. 0.06 USD/kWh, or normal(80 %, 4 %), as in the project file. Defaults with a "
    "tolerance also vary."
)
_VALUE = re.compile(r"([\d.,]*\d)(?: (.*))?")
_WAYS = {"lhs": "Latin hypercube", "mc": "Monte Carlo", "sobol": "Sobol indices"}


def _request() -> None:
    """Request the ranges of the project; if it states none, of its default values."""
    values, project = st.session_state, session().project
    options = (
        str(values.get("ranges-samples", SAMPLES)),
        str(values.get("ranges-seed", 1)),
        str(values.get("ranges-method", METHODS[0])),
    )
    text = "" if project.varies else dump_project(project.with_(_TOLERANCES))
    requests.request(_KEY, "ranges", options, text)


def _own() -> None:
    """Show the run options."""
    st.selectbox(
        "Method",
        METHODS,
        key="ranges-method",
        format_func=_WAYS.__getitem__,
        persist_state="session",
    )
    st.number_input(
        "Samples", 2, MAX_SAMPLES, SAMPLES, 1, key="ranges-samples", persist_state="session"
    )
    st.number_input("Seed", 0, None, 1, 1, key="ranges-seed", persist_state="session")
    _, error = _rows()
    act("Run ranges", "play_arrow", "ranges-start", _request, disabled=error is not None)


def _varied() -> None:
    """Show the ranges of single inputs, and why they are not applied."""
    _, error = _rows()
    project = session().project

    def mark(path: str, text: str, stated: str) -> CellMark:
        return CellMark(inputs.problem(lambda: _with_rows(project, [(path, text)])), text=text)

    st.markdown("**Ranges of single inputs**", help=_HELP)
    editable = not opened.reads_only()
    inputs.show_inputs(
        "Ranges",
        "ranges-inputs",
        lambda: (["Range"], _rows()[0]),
        in_use,
        mark,
        _enter,
        editable=editable,
    )
    if error is not None:
        controls.refused("Ranges not applied", error)


def _blocks(design: Design, system: System) -> Iterator[Block]:
    """Yield the annual results as ranges."""
    yield Controls(_varied)
    run = requests.requested(_KEY)
    if run is None:
        return
    if run.text != run.base:
        yield TextBlock(_DEFAULTS)
    found = requests.result(run, "ranges")
    if found is None:
        return
    study = cast(RangesStudy, found)
    shown = Ranges(state.designed(run.text), study)
    yield TextBlock("\n".join(shown.opening()))
    yield from _charts(study, system, explains=run.text == state.text())
    yield Tabs([*shown.tables(system), check_table(shown.checks, system)], "ranges")
    yield Controls(lambda: _download(study))
    yield TextBlock("\n".join(shown.left_out))


def _charts(study: RangesStudy, system: System, *, explains: bool) -> Iterator[Block]:
    """Yield the sensitivities and the samples of the selected result.

    A bar opens its result while the project is the one that was run.
    """
    found = {one.key: one for one in tornadoes(study)}
    if not found:
        return
    choice = ChartChoice("Result", {key: one.title for key, one in found.items()}, "ranges-result")
    one = found[choice.value]
    figure = next(figure for figure in study.figures if figure.key == one.key)
    yield Beside(
        (
            ChartBlock(
                "Sensitivity",
                tornado_chart(one, system),
                "ranges-tornado",
                f"Tornado chart: {one.title} with one input at a time at its P5 and P95",
                choice=choice,
                explains=explains,
            ),
            ChartBlock(
                "Distribution of the samples",
                samples_chart(study.found[one.key], figure, one.title, system),
                "ranges-samples-chart",
                f"Histogram: number of samples by {one.title}",
                explains=explains,
            ),
        )
    )


def _download(study: RangesStudy) -> None:
    controls.download("Samples (.csv)", "samples.csv", samples_csv(study), "ranges-csv")


def _rows() -> tuple[list[inputs.InputRow], FacilityError | None]:
    """Return the rejected ranges with their error, else the ranges of the project."""
    project, stored = session().project, opened.current().drafts.get(Draft.RANGES, "")
    if stored:
        parts = (line.partition("=") for line in stored.splitlines())
        rows: list[inputs.InputRow] = [(path.strip(), text.strip()) for path, _, text in parts]
        try:
            _with_rows(project, rows)
        except FacilityError as error:
            return rows, error
    return [(row.field, row.range) for row in project.ranges or ()], None


def _enter(rows: Sequence[inputs.InputRow]) -> None:
    """Apply ranges to the project; keep them as a draft if they are rejected."""
    before = session()
    entered = [(path, _range(path, text)) for path, text in rows]
    try:
        project = _with_rows(before.project, entered)
    except FacilityError:
        lines = "\n".join(f"{path} = {text}" for path, text in entered)
        opened.keep(Draft.RANGES, lines, before.project)
        return
    opened.keep(Draft.RANGES, "", before.project)
    shared = edits.with_shared(project, before.project)
    commit(replace(before, project=shared), "ranges")


def _range(path: str, text: str) -> str:
    """Return an entered range with its unit; of a new input 10 % around its value."""
    value = _VALUE.fullmatch(in_use(path)) if path and not text else None
    if value is None:
        return inputs.with_unit(path, text)
    number = float(value[1].replace(",", ""))
    return f"{0.9 * number:g} .. {1.1 * number:g} {value[2]}".strip()


def _with_rows(project: Project, rows: Sequence[inputs.InputRow]) -> Project:
    document = as_typed(project)
    document.pop("ranges", None)
    listed = [{"field": path, "range": text} for path, text in rows]
    full = {**document, "ranges": listed} if listed else document
    return read_document(full, project.site.folder)


RANGES = StudyView(
    _KEY,
    "Ranges",
    _blocks,
    lambda: lines.of_request(
        _KEY,
        "Annual results as ranges",
        lambda found: f"{len(cast(RangesStudy, found).inputs)} inputs vary",
    ),
    _SETTINGS,
    _own,
    _request,
)
