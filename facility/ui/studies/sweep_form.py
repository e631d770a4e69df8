"""Settings of a sweep: varied inputs, studies and results, number of designs."""

from __future__ import annotations

import contextlib
import re
import shutil
import tempfile
import weakref
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

import streamlit as st

from facility.core.errors import FacilityError
from facility.files.store.records import Draft
from facility.model.inputs.entries import field_at
from facility.report.objects.known_names import station_labels
from facility.report.why.names import title_of
from facility.study.design.design import Design
from facility.study.optimise.problem import WORDS
from facility.study.optimise.variables import design_variable
from facility.study.sweep.axes import axis_of
from facility.study.sweep.studies import STUDIES, USUAL
from facility.ui.controls import act, one_of, refused
from facility.ui.grid.model import CellMark
from facility.ui.inspector.box import in_use
from facility.ui.scenarios import inputs
from facility.ui.session import edits, opened, state
from facility.ui.studies import requests
from facility.ui.work.ready import TITLES
from facility.ui.work.sweep.request import MAX_DESIGNS, SweepRequest, design_count, row_count

KEY = "sweep"
EVERY, BEST = "every", "best"
_WAYS = {EVERY: "All combinations", BEST: "Optimisation"}
_WAY, _SITES, _SAMPLES = "sweep-way", "sweep-sites", "sweep-samples"
_HOW = {
    EVERY: "Values: a list (N+1, 2N) or a range with a step (20..26/2 degC).",
    BEST: "Values: a list (N+1, 2N) or a range, with a step (20..26/2 degC) or without.",
}
_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3})")
_MAX_TEXT = 20_000
_PARTS = (0.8, 0.9, 1.0, 1.1, 1.2)
_MAX_FIRST = 12
_FIRST_STUDIES = ("sizing",)
_MAX_UPLOAD_MB = 5


def show_varied() -> None:
    """Show the varied inputs, each with its values."""
    is_best = st.session_state.get(_WAY) == BEST
    read = design_variable if is_best else axis_of

    def mark(path: str, text: str, stated: str) -> CellMark:
        return CellMark(inputs.problem(lambda: read(f"{path}={text}")) if path else "", text=text)

    def take(rows: Iterable[inputs.InputRow]) -> None:
        entered = ((path, _values(path, text)) for path, text in rows)
        lines = "\n".join(f"{path} = {text}" for path, text in entered)
        opened.keep(Draft.SWEEP, lines or "\n", state.session().project)

    st.markdown("**Varied inputs**", help=_HOW[BEST if is_best else EVERY])
    inputs.show_inputs(
        "Varied inputs", "sweep-inputs", lambda: (["Values"], list(_rows())), in_use, mark, take
    )


def form() -> None:
    """Show the settings of a sweep, and the button that starts it."""
    design = state.current()
    way = one_of("Method", _WAYS, _WAY, titled=False)
    found = design.results
    if design.year is not None:
        found = found | design.year.results
    keys = sorted(found)
    request = _searched(keys) if way == BEST else _combined(keys)
    _begin(request)


def start(sweep: SweepRequest) -> None:
    """Start a sweep of the current project in a separate folder; stop a running one."""
    before = requests.requested(KEY)
    if before is not None:
        before.stop()
    folder = tempfile.mkdtemp(prefix="facility-many-")
    run = requests.request(KEY, "sweep", (sweep.dumped(), folder, "1"))
    weakref.finalize(run, shutil.rmtree, folder, ignore_errors=True)


def start_first() -> None:
    """Start the sweep of the view when it opens: the inputs of this user, or the sizes.

    Inputs with many designs, or that are not valid, are left to the user.
    """
    first = SweepRequest(_lines(), studies=_FIRST_STUDIES)
    with contextlib.suppress(FacilityError):
        if 0 < design_count(first) <= _MAX_FIRST:
            start(first)
            return
    start(replace(first, lines=_around(state.current())))


def _lines() -> str:
    """Return the inputs of this user, one per line; without any, sizes around the project."""
    return opened.current().drafts.get(Draft.SWEEP, "") or _around(state.current())


def _rows() -> Iterator[inputs.InputRow]:
    for line in filter(None, map(str.strip, _lines().splitlines())):
        path, _, values = line.partition("=")
        yield path.strip(), values.strip()


def _values(path: str, text: str) -> str:
    """Return entered values with their unit; of a new input its words, or the present value."""
    field = field_at(path)
    if text or field is None:
        return inputs.with_unit(path, text)
    present = edits.shown_value(state.session(), path) or _THOUSANDS.sub("", in_use(path))
    return ", ".join(field.words) or present


def _around(design: Design) -> str:
    """Return five sizes around the project, in whole servers; of a rack list, redundancies."""
    gpus, servers = design.project.it.gpus, int(design.results["load.servers"].si)
    if not gpus or not servers or gpus % servers:
        return "power.redundancy = N, N+1, 2N"
    each = gpus // servers
    counts = dict.fromkeys(each * max(1, round(part * servers)) for part in _PARTS)
    return f"it.gpus = {', '.join(map(str, counts))}"


def _combined(keys: Sequence[str]) -> SweepRequest:
    """Show sites, samples, studies and results of a sweep over all combinations."""
    studies = _studies()
    with st.expander("Sites, samples and results"):
        stations = station_labels(state.session().project.site)
        sites = st.multiselect(
            "Sites (replace the project site)",
            list(stations),
            key=_SITES,
            format_func=stations.__getitem__,
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
    act(title, "play_arrow", "sweep-start", start, request, disabled=not count)
