"""Cards of projects: key figures, last change and actions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from facility.core.views import System, show_short
from facility.files.store.records import Facts, ProjectEntry
from facility.report.tables.verdict import word_of
from facility.ui.library import shelf, times
from facility.ui.session import opened, state

_NO_NAME = "Unnamed project"


def show_cards(
    entries: Sequence[ProjectEntry],
    system: System,
    more: Callable[[ProjectEntry], None] = lambda _: None,
) -> None:
    """Show a card for each project; `more` shows its further actions."""
    rows = grid("projects")
    for entry in entries:
        now, head = opened.current(), entry.head
        lines = [
            *([entry.name] if entry.title and entry.name else []),
            *fact_lines(head.facts, system),
            f"Saved {times.ago(head.saved_at)} by {times.by(head, here=True)} · "
            f"Revision {head.number}",
        ]
        if entry.origin is not None:
            lines.append(f"Copied from revision {entry.origin[1]} of another project")
        words = "Continue" if now.id == entry.id else "Open"
        count = head.facts.get("verdict.count")
        with card(rows, title_of(entry), lines):
            if isinstance(count, float | int) and count:
                st.badge(f"{count:.0f} {word_of('VIOLATION', round(count))}", color="red")
            if st.button(words, icon=":material/folder_open:", key=f"open-{entry.id}"):
                if now.id != entry.id:
                    shelf.open_project(entry.id)
                show_result()
            more(entry)


def grid(key: str) -> DeltaGenerator:
    """Return a grid of cards of equal size."""
    return st.grid(columns=4, min_column_width=250, key=f"cards-{key}")


def card(slot: DeltaGenerator, title: str, lines: Iterable[str]) -> DeltaGenerator:
    """Show title and lines as a card; return the container of its actions."""
    with slot, st.container(border=True, height="stretch", gap="small"):
        with st.container(height="stretch", gap="small"):
            st.text(title)
            st.text("\n".join(lines))
        return st.container(horizontal=True, gap="small")


def title_of(entry: ProjectEntry) -> str:
    """Return the title of a project, else its name."""
    return entry.title or entry.name or _NO_NAME


def show_result() -> None:
    """Go to the summary of the opened project; after an error rerun, which shows it."""
    if not shelf.has_failed():
        state.go_to("design", "summary")
    st.rerun()


def fact_lines(facts: Facts, system: System) -> list[str]:
    """Return the key figures and the verdict of a project, one line each."""
    found, verdict = figures(facts, system), facts.get("verdict")
    if not found:
        return ["No results: open the project to calculate them."]
    if not isinstance(verdict, str):
        return [found, "No verdict: not all studies were run."]
    words = verdict.removeprefix("no goal stated: ")
    return [found, words[:1].upper() + words[1:]]


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
