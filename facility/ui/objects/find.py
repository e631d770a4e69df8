"""Search for objects, results, inputs, checks and actions: a dialog that Ctrl K opens."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import streamlit as st

from facility.core.views import System
from facility.report.objects.find import KIND_WORDS, FindEntry, entries_of, find
from facility.report.objects.objects import POWER
from facility.ui.addresses import Place
from facility.ui.browser import component
from facility.ui.objects import known, selection
from facility.ui.session import outages, state, timeline
from facility.ui.why import navigation
from facility.ui.why.drawer import known_here, show_drawer

_OPEN, _TAKEN, _ENTRIES = "find-open", "find-taken", "find-entries"
_HTML = "<div data-find></div>"
_KEY = "find-box"
_PLACEHOLDER = "Tag, quantity, input or action, e.g. UPS-B1, chiller count, PUE"


_STEPS: Mapping[str, tuple[str, Callable[[], None]]] = {
    "undo": ("Undo the last change", timeline.undo),
    "redo": ("Redo the change", timeline.redo),
}
"""Actions on the project: title, and what is done."""
_PLACES: tuple[tuple[Place, str, str], ...] = (
    ("start", "new", "New project"),
    ("start", "import", "Import racks from an inventory"),
    ("studies", "year", "Year: energy, PUE, water and cost"),
    ("studies", "ride-through", "Ride-through of cooling failures"),
    ("studies", "job-load", "Job load: power swings of training"),
    ("studies", "ranges", "Ranges: spread of the results"),
    ("studies", "cooling", "Compare cooling methods"),
    ("studies", "scenarios", "Scenarios: add and compare"),
    ("studies", "sweep", "Sweep: many designs"),
    ("studies", "meter-logs", "Meter logs: compare with the year"),
    ("checks", "checks", "All checks"),
    ("checks", "assumptions", "Assumptions: confirm defaults"),
    ("documents", "", "Issue and export documents"),
    ("library", "projects", "Open another project"),
    ("library", "revisions", "Revisions of the project"),
)
"""Actions that go to a view of a place: place, view and title."""


@st.fragment
def show_find() -> None:
    """Show the button of the search, and the search when it is opened."""
    st.button(
        "Find",
        on_click=open_find,
        icon=":material/search:",
        shortcut="Ctrl+K",
        help="Find objects, results, inputs, checks and actions",
        key="find",
    )
    if not navigation.dialogs_deferred():
        _show_opened()


@st.fragment
def show_dialogs() -> None:
    """Show the open search or explanation at the end of a page run."""
    _show_opened()


def _show_opened() -> None:
    if st.session_state.get(_OPEN):
        _dialog()
    else:
        show_drawer()


def open_find() -> None:
    """Open the search."""
    navigation.close()
    st.session_state[_OPEN] = True
    st.session_state.pop(_KEY, None)


def close_find() -> None:
    """Close the search."""
    st.session_state[_OPEN] = False


@st.dialog("Find", width="medium", on_dismiss=close_find)
def _dialog() -> None:
    words = str(_sent("words") or "")
    entries = _entries(state.unit_system())
    found = find(entries, words)
    actions = [entry for entry in entries if entry.kind == "action" and not entry.group]
    hits = found.hits if words else actions
    keys = {f"{hit.kind}:{hit.id}": hit for hit in hits}

    def taken() -> None:
        st.session_state[_TAKEN] = keys.get(str(_sent("taken")))

    component("facility.objects", _HTML, css="find.css", js="find.js")(
        key=_KEY,
        data={
            "label": "Words to find",
            "placeholder": _PLACEHOLDER,
            "words": words,
            "hits": [
                {"key": key, "kind": KIND_WORDS[hit.kind], "title": hit.title, "detail": hit.detail}
                for key, hit in keys.items()
            ],
            "note": _note(words, len(hits), found.more, found.instead),
        },
        on_words_change=lambda: None,
        on_taken_change=taken,
    )
    entry: FindEntry | None = st.session_state.pop(_TAKEN, None)
    if entry is not None:
        close_find()
        _take(entry)


def _sent(name: str) -> object:
    value = st.session_state.get(_KEY)
    return None if value is None else value.get(name)


def _note(words: str, count: int, more: int, instead: str) -> str:
    if not words:
        return "Arrows and Enter select an entry."
    if not count:
        return "Nothing matches. Search for other words."
    if instead:
        return f"Nothing matches exactly. Results for: {instead}"
    return f"{more:,} more. Add a word to narrow the search." if more else ""


def _entries(system: System) -> Sequence[FindEntry]:
    """Return everything that can be found, kept until the design or its checks change."""
    checks, objects = known.object_checks(), known.objects()
    cached = st.session_state.get(_ENTRIES)
    if cached is None or cached[0] is not checks or cached[1] != system:
        titles = {id: title for id, (title, _) in _STEPS.items()}
        titles |= {f"{place}/{view}": title for place, view, title in _PLACES}
        cases = outages.states()[1].values() if known.network_is_known() else ()
        cached = checks, system, entries_of(objects, known_here(), titles, system, cases)
        st.session_state[_ENTRIES] = cached
    found: Sequence[FindEntry] = cached[2]
    return found


def _take(entry: FindEntry) -> None:
    """Execute the action of an entry; this ends the run of the page."""
    objects = known.objects()
    if entry.kind == "action":
        if entry.id in _STEPS:
            _STEPS[entry.id][1]()
            st.rerun()
        if entry.group:
            outages.select_case(entry.id)
            component = outages.states()[1][entry.id].component
            selection.select(component if component in objects else POWER)
            state.go_to("design")
        place, view = next(
            (place, view) for place, view, _ in _PLACES if f"{place}/{view}" == entry.id
        )
        state.go_to(place, view)
    if entry.kind in ("result", "step", "check"):
        navigation.ask(entry.id)
        st.rerun()
    if entry.kind == "object":
        selection.select(entry.id, objects[entry.id].kind)
    else:
        at = known.home_of_input(entry.id, selection.selected(objects))
        selection.go_to_input(at, entry.id)
    state.go_to("design")
