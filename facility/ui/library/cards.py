"""Project cards of the library: key figures, last change and actions."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from facility.core.views import System, show_short
from facility.files.store.records import Facts, ProjectEntry, Role
from facility.ui.controls import act
from facility.ui.library import sharing, shelf, times
from facility.ui.session import opened, state

_TITLE = "Untitled"

Act = Callable[[ProjectEntry], None]


def show_cards(entries: Sequence[ProjectEntry], system: System, ask_delete: Act) -> None:
    """Show a card for each project; its delete button calls `ask_delete`."""
    rows = grid("projects")
    for entry in entries:
        with rows, st.container(border=True, height="stretch", gap="small", key=f"card-{entry.id}"):
            _card(entry, system, ask_delete)


def grid(key: str) -> DeltaGenerator:
    """Return a grid of cards of equal size."""
    return st.grid(columns=4, min_column_width=250, key=f"cards-{key}")


def title_of(entry: ProjectEntry) -> str:
    """Return the title of a project, else its name."""
    return entry.title or entry.name or _TITLE


def _describe(entry: ProjectEntry, system: System) -> None:
    head = entry.head
    lines = [
        *([entry.name] if entry.title and entry.name else []),
        *fact_lines(head.facts, system),
        f"Saved {times.ago(head.saved_at)} by {times.by(head, here=True)} · Revision {head.number}",
    ]
    if entry.origin is not None:
        lines.append(f"Copied from revision {entry.origin[1]} of another project")
    st.text(title_of(entry))
    st.text("\n".join(lines))


def _card(entry: ProjectEntry, system: System, ask_delete: Act) -> None:
    _describe(entry, system)
    with st.container(horizontal=True, gap="small"):
        is_open = opened.current().id == entry.id
        if st.button(
            "Continue" if is_open else "Open", icon=":material/folder_open:", key=f"open-{entry.id}"
        ):
            show_result(opened_now=is_open or shelf.open_project(entry.id))
        with st.popover("More actions", key=f"more-{entry.id}"):
            _more(entry, ask_delete)


def _more(entry: ProjectEntry, ask_delete: Act) -> None:
    owns = entry.role.allows(Role.OWNER)
    sharing.button(entry.id, title_of(entry), entry.role, wide=True)
    id, archived = entry.id, entry.archived_at is not None
    act(
        "Duplicate project", "content_copy", f"duplicate-{id}", shelf.duplicate, id, width="stretch"
    )
    act(
        "Unarchive project" if archived else "Archive project",
        "unarchive" if archived else "archive",
        f"archive-{id}",
        shelf.archive,
        *(id, not archived),
        disabled=not owns,
        width="stretch",
    )
    if st.button(
        "Delete project …",
        icon=":material/delete:",
        key=f"delete-{entry.id}",
        disabled=not owns,
        help=None if owns else "Only an owner can delete a project.",
        width="stretch",
    ):
        ask_delete(entry)


def show_result(*, opened_now: bool) -> None:
    """Go to the summary of the opened project; otherwise rerun, which shows the error."""
    if opened_now:
        state.go_to("design", "summary")
    st.rerun()


def fact_lines(facts: Facts, system: System) -> list[str]:
    """Return the key figures and the verdict of a project, one line each."""
    verdict = facts.get("verdict")
    return [
        figures(facts, system) or "No results. Open the project to calculate them.",
        (
            f"Verdict: {verdict}"
            if isinstance(verdict, str)
            else "Verdict: unknown, not all studies were run"
        ),
    ]


def figures(facts: Facts, system: System) -> str:
    """Return GPU count, power and PUE of a project in a line; empty if unknown."""
    found = []
    power, pue = facts.get("load.facility"), facts.get("pue.annual", facts.get("pue.design"))
    if isinstance(power, float | int):
        found.append(show_short(power, "active_power", system))
    if isinstance(pue, float | int):
        when = "" if "pue.annual" in facts else " (design hour)"
        found.append(f"PUE {pue:.3f}{when}")
    gpus = facts.get("it.gpus")
    if isinstance(gpus, float | int) and gpus:
        found.insert(0, f"{int(gpus):,} GPUs")
    return " · ".join(found)
