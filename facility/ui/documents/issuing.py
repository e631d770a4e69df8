"""The revision whose set is being created: the project records it when its files exist."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import streamlit as st

from facility.core.errors import FacilityError
from facility.ui.session import designs, edits, opened, scenario, state
from facility.ui.work import runs
from facility.ui.work.worker import cancelled

OWNER = "issue-now"
"""Owner of the job, and key of its button."""
_RUNNING, _REFUSED = "issue-running", "issue-refused"


@dataclass(frozen=True)
class Issuing:
    """A revision being issued: its sheets carry it before the project does."""

    revision: Mapping[str, str]  # Fields of the revision
    text: str  # The project with the revision
    options: tuple[str, ...]  # Options of the job "set"
    id: str  # The project at the click, its scenario, and the generation of its inputs
    scenario: str
    generation: int

    @property
    def is_shown(self) -> bool:
        """Whether the project of the revision is the one that the app shows."""
        same = bool(self.id) and opened.current().id == self.id
        same = same or state.session().generation == self.generation
        return same and scenario.name() == self.scenario


def begin(revision: Mapping[str, str], options: tuple[str, ...]) -> str | FacilityError:
    """Begin to issue a revision; return the project with it, or the error of its rejection."""
    st.session_state.pop(_REFUSED, None)
    now = state.session()
    try:
        after = edits.with_changes(now, _entries(revision), state.design_of)
    except FacilityError as error:
        st.session_state[_REFUSED] = error
        return error
    text = designs.text_of(after.project)
    st.session_state[_RUNNING] = Issuing(
        revision, text, options, opened.current().id, scenario.name(), now.generation
    )
    run = runs.ask("set", text, options, OWNER)
    if run.state in ("cancelled", "failed"):
        run.again()
    return text


def running() -> Issuing | None:
    """Return the revision being issued for the project that the app shows."""
    found: Issuing | None = st.session_state.get(_RUNNING)
    return found if found is not None and found.is_shown else None


def refused() -> FacilityError | None:
    """Return why the last revision was not issued."""
    found: FacilityError | None = st.session_state.get(_REFUSED)
    return found


def settle() -> None:
    """Record the revision whose set exists; drop the one whose job failed or was cancelled.

    Every place does this: the file reaches the browser on each of them.
    """
    one = running()
    if one is None:
        return
    run = runs.ask("set", one.text, one.options, OWNER)
    if not run.is_over:
        return
    del st.session_state[_RUNNING]
    if run.state == "done":
        error = state.enter_all(_entries(one.revision), f"revision {one.revision['rev']} issued")
    else:
        error = run.error or cancelled()
    st.session_state[_REFUSED] = error


def _entries(revision: Mapping[str, str]) -> dict[str, str]:
    """Return the entries that add a revision to the project; its author is the originator."""
    project = state.session().project.project
    first = f"project.revisions.{len(project.revisions or ())}"
    entries = {f"{first}.{name}": text for name, text in revision.items()}
    return entries if project.originator else entries | {"project.originator": revision["by"]}
