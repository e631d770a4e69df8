"""Ranges: annual results with uncertain inputs, and their sensitivities."""

from __future__ import annotations

from collections.abc import Iterator
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
from facility.ui import boxes, controls
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
from facility.ui.session import edits, opened, state
from facility.ui.session.edits import Refused
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
    "The project states no ranges, so its default values vary: those with a read source by 5 %, "
    "planning rules and secondary sources by 10 %, unverified sources by 20 %."
)
_SETTINGS = (
    ("Defaults with a read source, ±", "tolerances.read"),
    ("Computed defaults and rules, ±", "tolerances.computed"),
    ("Defaults from secondary sources, ±", "tolerances.secondary"),
    ("Unverified defaults, ±", "tolerances.memory"),
)
_EXAMPLE = "site.tariff = 0.04 .. 0.06 USD/kWh\nit.load_factor = normal(80 %, 4 %)"
_WAYS = {"lhs": "Latin hypercube", "mc": "Monte Carlo", "sobol": "Sobol indices"}
_REFUSED = "ranges-refused"


def _asks() -> None:
    """Request the ranges of the project; if it states none, of its default values."""
    values, project = st.session_state, session().project
    options = (
        str(values.get("ranges-samples", SAMPLES)),
        str(values.get("ranges-seed", 1)),
        str(values.get("ranges-method", METHODS[0])),
    )
    text = "" if project.varies else dump_project(project.with_(_TOLERANCES))
    requests.request(_KEY, options, text)


def _own() -> None:
    """Show the ranges, one per line, and the run options."""
    rows = _rows_text()
    key = boxes.key_of("ranges-text", rows)
    st.text_area(
        "Ranges of single inputs, one per line",
        rows,
        key=key,
        on_change=state.of_this(lambda: _enter(st.session_state[key])),
        placeholder=_EXAMPLE,
        disabled=opened.reads_only(),
        height=110,
        help="Field = range, as in the project file. Defaults with a tolerance also vary.",
    )
    refused = _refused()
    error = None if refused is None else refused.error
    if error is not None:
        controls.refused("Ranges not applied", error)
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
    act("Run ranges", "play_arrow", "ranges-start", _asks, disabled=error is not None)


def _blocks(design: Design, system: System) -> Iterator[Block]:
    """Yield the annual results as ranges."""
    run = requests.requested(_KEY)
    if run is not None and run.text != run.base:
        yield TextBlock(_DEFAULTS)
    found = requests.result(_KEY, "ranges", "ranges")
    if found is None or run is None:
        return
    study = cast(RangesStudy, found)
    requests.note(_KEY, f"{len(study.inputs)} inputs vary")
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


def _rows_text() -> str:
    """Return the ranges as editable lines: the rejected text, else the project ranges."""
    refused = _refused()
    if refused is not None:
        return refused.value
    rows = session().project.ranges or ()
    return "\n".join(f"{row.field} = {row.range}" for row in rows)


def _refused() -> Refused | None:
    """Return the rejected text, until another project is opened."""
    now = session()
    generation, refused = st.session_state.get(_REFUSED, (None, None))
    if generation == now.generation:
        found: Refused | None = refused
        return found
    stored = opened.current().drafts.get(Draft.RANGES, "")
    found = _tried(stored, now.project) if stored else None
    st.session_state[_REFUSED] = (now.generation, found)
    return found


def _tried(text: str, project: Project) -> Refused | None:
    try:
        _with_rows(project, text)
    except FacilityError as error:
        return Refused(text, error)
    return None


def _enter(text: str) -> None:
    """Apply lines ``field = range`` to the project; store the error if they are rejected."""
    before = session()
    try:
        project = _with_rows(before.project, text)
    except FacilityError as error:
        st.session_state[_REFUSED] = (before.generation, Refused(text, error))
        opened.keep(Draft.RANGES, text, before.project)
        return
    st.session_state[_REFUSED] = (before.generation, None)
    opened.keep(Draft.RANGES, "", before.project)
    shared = edits.with_shared(project, before.project)
    commit(replace(before, project=shared), "ranges")


def _with_rows(project: Project, text: str) -> Project:
    document = as_typed(project)
    rows = []
    for line in filter(None, map(str.strip, text.splitlines())):
        path, equals, words = line.partition("=")
        if not equals:
            raise FacilityError(
                "RANGE_TEXT",
                "ranges",
                f"{line[:80]!r} is not an input range.",
                "Enter field = range on each line, e.g. site.tariff = 0.04 .. 0.06 USD/kWh.",
            )
        rows.append({"field": path.strip(), "range": words.strip()})
    document.pop("ranges", None)
    return read_document({**document, "ranges": rows} if rows else document, project.site.folder)


RANGES = StudyView(
    _KEY,
    "Ranges",
    _blocks,
    lambda: lines.of_request(_KEY, "Annual results as ranges"),
    _SETTINGS,
    _own,
    _asks,
)
