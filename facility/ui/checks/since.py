"""Reference time for new checks: the start of this session, or a revision.

The checks of a revision are recalculated from its text with the current rules. So they are also
available after a reload, in another session and for old revisions.
"""

from __future__ import annotations

import streamlit as st

from facility.core.errors import FacilityError
from facility.files.project.file import dump_project
from facility.files.store.records import SavedRevision
from facility.ui.library import shelf
from facility.ui.session import opened, state
from facility.ui.work.known import GatheredChecks, KnownChecks, Marks, gather, mark
from facility.ui.work.runs import every_s

KEY = "checks-since"
_ALL, _SESSION = "all", "session"
_OWNER = "checks since"


def choose(now: KnownChecks) -> Marks | None:
    """Show the selection of the reference time, and return its checks; None for all checks."""
    found = {str(one.number): one for one in _revisions()}
    st.session_state.setdefault(KEY, _ALL)
    if st.session_state[KEY] not in (_ALL, _SESSION, *found):
        st.session_state[KEY] = _ALL  # revision of a project opened earlier
    chosen = st.selectbox(
        "Checks new since",
        [_ALL, _SESSION, *found],
        key=KEY,
        format_func=lambda since: _label(since, found),
        persist_state="session",
        help="Show only checks that had another result, or did not exist, at that time.",
    )
    if chosen == _ALL:
        return None
    return now.first if chosen == _SESSION else _of_revision(int(chosen))


def _revisions() -> list[SavedRevision]:
    project = opened.current().id
    try:
        return shelf.library().revisions(project) if project else []
    except FacilityError:
        return []  # An unavailable store is reported when the next edit is saved


def _label(since: str, found: dict[str, SavedRevision]) -> str:
    if since in found:
        one = found[since]
        return f"Revision {since} · {one.name or one.label}"
    return "Any time (all checks)" if since == _ALL else "Start of this session"


def _of_revision(number: int) -> Marks | None:
    try:
        then = _gathered(number)
    except FacilityError as error:
        st.text(f"Revision {number} cannot be evaluated, so all checks are shown: {error}")
        return None
    if then.going:
        st.fragment(_wait, run_every=every_s())(number)
        return None
    if not then.whole:
        left = ", ".join((*then.stopped, *then.failed))
        st.text(f"Not evaluated for revision {number}: {left}. Their checks count as new.")
    return frozenset(map(mark, then.checks))


def _gathered(number: int) -> GatheredChecks:
    project = opened.read(number)
    return gather(state.design_of(project), dump_project(project), _OWNER)


def _wait(number: int) -> None:
    left = len(_gathered(number).going)
    if not left:
        st.rerun()
    studies = f"{left} {'study' if left == 1 else 'studies'}"
    st.text(f"All checks are shown until {studies} of revision {number} are done.")
