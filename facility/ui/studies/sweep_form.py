"""Settings of a sweep: varied inputs, studies and results, number of designs."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping, Sequence
from functools import cache

import streamlit as st

from facility.catalogue import table
from facility.core.errors import FacilityError
from facility.files.store.records import Draft
from facility.model.inputs.declare import Entry, leaves
from facility.model.inputs.document import Project
from facility.report.tables.names import input_name
from facility.report.why.names import title_of
from facility.study.design.design import Design
from facility.study.optimise.problem import WORDS
from facility.study.sweep.studies import STUDIES, USUAL
from facility.ui.controls import act, one_of, refused
from facility.ui.session import edits, opened, state
from facility.ui.work.ready import TITLES
from facility.ui.work.sweep import run as sweep_run
from facility.ui.work.sweep.request import MAX_DESIGNS, SweepRequest, design_count, row_count

EVERY, BEST = "every", "best"
_WAYS = {EVERY: "All combinations", BEST: "Optimisation"}
_LINES, _SITES, _SAMPLES = sweep_run.LINES, "sweep-sites", "sweep-samples"
_EXAMPLE = {
    EVERY: "it.gpus = 256..1024/256\npower.redundancy = N+1, 2N\ncooling.method = air, hybrid",
    BEST: "power.redundancy = N+1, 2N\ncooling.supply_air = 20..26 degC\nit.gpus = 1000..1200",
}
_HOW = {
    EVERY: "Enter a list (N+1, 2N) or a range with a step (20..26/2 degC) for each field.",
    BEST: "Enter a list (N+1, 2N) or a range, with a step (20..26/2 degC) or without.",
}
_MAX_TEXT = 20_000
_PARTS = (0.8, 0.9, 1.0, 1.1, 1.2)
_MAX_FIRST = 12
_FIRST_STUDIES = ("sizing",)
_MAX_UPLOAD_MB = 5


def form() -> None:
    """Show the inputs of a sweep, and the button that starts it."""
    design = state.current()
    way = one_of("Method", _WAYS, "sweep-way", titled=False)
    _fields(way)
    found = design.results
    if design.year is not None:
        found = found | design.year.results
    keys = sorted(found)
    request = _searched(keys) if way == BEST else _combined(keys)
    _begin(request)


def first_lines() -> str:
    """Return the lines of this user; without any, a sweep of the size around the project."""
    return opened.current().drafts.get(Draft.SWEEP, "") or _around(state.current())


def _around(design: Design) -> str:
    """Return five sizes around the project, in whole servers; of a rack list, redundancies."""
    gpus, servers = design.project.it.gpus, int(design.results["load.servers"].si)
    if not gpus or not servers or gpus % servers:
        return "power.redundancy = N, N+1, 2N"
    each = gpus // servers
    counts = dict.fromkeys(each * max(1, round(part * servers)) for part in _PARTS)
    return f"it.gpus = {', '.join(map(str, counts))}"


def first_request() -> SweepRequest:
    """Return the request that runs when the view opens: the lines of this user, or the sizes.

    Lines with many designs, or that are not valid, are left to the user.
    """
    request = SweepRequest(first_lines(), studies=_FIRST_STUDIES)
    with contextlib.suppress(FacilityError):
        if 0 < design_count(request) <= _MAX_FIRST:
            return request
    return SweepRequest(_around(state.current()), studies=_FIRST_STUDIES)


def _fields(way: str) -> None:
    """Show the fields with their values, one per line, and a selection that adds a line."""
    st.session_state.setdefault(_LINES, first_lines())
    st.text_area(
        "Inputs and values, one per line",
        key=_LINES,
        help=_HOW[way],
        on_change=state.of_this(_store_lines),
        placeholder=_EXAMPLE[way],
        height=130,
        max_chars=_MAX_TEXT,
        persist_state="session",
    )
    st.selectbox(
        "Vary another input",
        list(_known()),
        index=None,
        key="sweep-add",
        on_change=_added,
        format_func=input_name,
        placeholder="Search inputs",
    )


def _added() -> None:
    """Add a line for the selected field, with its allowed words or its current value."""
    path = st.session_state["sweep-add"]
    if path is None:
        return
    words = _known()[path].words
    default = _known()[path].declared.default
    now = edits.shown_value(state.session(), path) or (str(default.value) if default else "")
    line = f"{path} = {', '.join(words) if words else now}"
    lines = str(st.session_state.get(_LINES) or "").rstrip()
    st.session_state[_LINES] = f"{lines}\n{line}".lstrip()
    st.session_state["sweep-add"] = None
    _store_lines()


def _store_lines() -> None:
    """Store the lines as a draft of this user with the project."""
    lines = str(st.session_state.get(_LINES) or "")
    opened.keep(Draft.SWEEP, lines, state.session().project)


@cache
def _known() -> Mapping[str, Entry]:
    """Return the single-valued fields by path, without file names."""
    return {
        entry.path: entry
        for entry in leaves(Project)
        if "[]" not in entry.path and not entry.many and not entry.path.endswith("file")
    }


def _combined(keys: Sequence[str]) -> SweepRequest:
    """Show sites, samples, studies and results of a sweep over all combinations."""
    studies = _studies()
    with st.expander("Sites, samples and results"):
        sites = st.multiselect(
            "Sites (replace the project site)",
            [row.text("station") for row in table("weather/stations").rows],
            key=_SITES,
            persist_state="session",
        )
        _samples()
        results = st.multiselect(
            "Results per design",
            keys,
            key="sweep-results",
            placeholder="Default: load, PUE, energy …",
            format_func=title_of,
            persist_state="session",
        )
    _, samples = st.session_state.get(_SAMPLES, ("", ""))
    return SweepRequest(_lines(), tuple(sites), samples, studies, tuple(results))


def _studies() -> tuple[str, ...]:
    found = st.pills(
        "Studies per design",
        list(STUDIES),
        selection_mode="multi",
        default=list(USUAL),
        format_func=lambda name: str(TITLES.get(name, name)).capitalize(),
        key="sweep-studies",
        persist_state="session",
    )
    return tuple(found)


def _samples() -> None:
    """Show the upload of samples, or the uploaded file."""
    name, text = st.session_state.get(_SAMPLES, ("", ""))
    if not text:
        st.file_uploader(
            "Samples: CSV file with field paths as headings and one design per row",
            type=["csv"],
            key="sweep-upload",
            on_change=_brought,
            max_upload_size=_MAX_UPLOAD_MB,
        )
        return
    with st.container(horizontal=True, vertical_alignment="center"):
        st.text(f"Samples: {name}, {row_count(text):,} rows")
        st.button("Remove samples", on_click=_dropped, key="sweep-drop", icon=":material/close:")


def _brought() -> None:
    file = st.session_state["sweep-upload"]
    if file is not None:
        text = file.getvalue().decode("utf-8-sig", errors="replace")
        st.session_state[_SAMPLES] = (file.name, text)


def _dropped() -> None:
    st.session_state.pop(_SAMPLES, None)


def _searched(keys: Sequence[str]) -> SweepRequest:
    """Show objectives, limits, studies, budget and seed of an optimisation."""
    aims = _aims(keys)
    studies = _studies()
    limits = st.text_area(
        "Limits, one per line",
        "verdict",
        key="sweep-limits",
        placeholder="verdict\nutility.demand_kva <= 12 MVA",
        help="verdict: no violations in the selected studies. Or KEY <= VALUE, or a flag.",
        height=68,
        max_chars=_MAX_TEXT,
        persist_state="session",
    )
    budget = st.number_input(
        "Maximum number of designs",
        1,
        MAX_DESIGNS,
        200,
        key="sweep-budget",
        persist_state="session",
    )
    seed = st.number_input("Seed", 0, None, 1, key="sweep-seed", persist_state="session")
    return SweepRequest(
        _lines(),
        studies=studies,
        best=True,
        aims=aims,
        limits=limits or "",
        budget=int(budget),
        seed=int(seed),
    )


def _aims(keys: Sequence[str]) -> tuple[str, ...]:
    """Show the selection of the objectives to minimise."""
    aims = st.pills(
        "Minimise, annual",
        list(WORDS),
        selection_mode="multi",
        default=["energy", "water"],
        key="sweep-aims",
        persist_state="session",
    )
    others = st.multiselect(
        "Minimise other results",
        keys,
        key="sweep-other-aims",
        placeholder="None",
        max_selections=4,
        persist_state="session",
    )
    return (*aims, *others)


def _lines() -> str:
    return str(st.session_state.get(_LINES) or "")


def _begin(request: SweepRequest) -> None:
    """Show the number of designs, or the error in the form, and the start button."""
    count = 0
    try:
        count = design_count(request)
    except FacilityError as error:
        with st.container(border=True):
            refused("Sweep not valid", error)
    words = f"Run {count:,} designs" if not request.best else f"Optimise, up to {count:,} designs"
    title = words if count else "Run sweep"
    act(title, "play_arrow", "sweep-start", sweep_run.start, request, disabled=not count)
