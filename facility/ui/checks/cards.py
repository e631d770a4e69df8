"""Check card: margin, clause, subject, page, fix and waiver."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

import streamlit as st

from facility.core.check import Check, Outcome
from facility.core.errors import FacilityError
from facility.core.views import System
from facility.report.tables.verdict import word_of
from facility.study.fixes.propose import Fix, Mark, may_be_fixed
from facility.ui import controls
from facility.ui.checks.inbox import pages_of
from facility.ui.checks.known import KnownChecks, needs_fix
from facility.ui.checks.words import COLOURS, clause, list_hash, margin
from facility.ui.session import opened, state
from facility.ui.work.ready import over

_REFUSED, _REQUESTED = "card-refused", "card-fix-requested"


def card(check: Check, now: KnownChecks, system: System, key: str) -> None:
    """Show one check; `key` distinguishes the card from others on the page."""
    page, key = pages_of(now)(check), f"{key}-{list_hash([check])}"
    with st.container(border=True, key=f"card-{key}"):
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            st.badge(word_of(check.word, 1), color=COLOURS[check.word])
            st.text(f"{check.rule} · {check.about()}", width="content")
            room = margin(check)
            if room:
                st.text(f"Margin {room}", width="content")
        st.text(check.found(system))
        st.text(f"{page.discipline} · Clause: {clause(check.source)}")
        if check.remedy and check.word != "PASS":
            st.text(f"Remedy: {check.remedy}")
        if needs_fix(check):
            _fix(check, now, key)
        elif check.failed and may_be_fixed(check.rule):
            _look(check, key)
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            if st.button(f"Show in {page.title}", icon=":material/open_in_new:", key=f"show-{key}"):
                state.go_to(page.place, page.view)
            if check.failed:
                _waive(check, key)
            elif check.outcome is Outcome.WAIVED:
                _unwaive(check, key)
        _refusal(key)


def _fix(check: Check, now: KnownChecks, key: str) -> None:
    if now.looking is None or now.looking.state in ("waiting", "running"):
        st.text("Searching for a fix …")
        return
    why = "" if now.looking.state == "done" else f" ({now.looking.state})"
    _proposed(now.fix_of(check), key, why)


def _look(check: Check, key: str) -> None:
    """Show, on request, a fix of a warning or advice."""
    options = check.rule, check.subject
    request = state.text(), options
    if st.session_state.get(_REQUESTED) != request:
        words, keep = "Search for a fix", st.session_state.update
        controls.act(words, "build", f"look-{key}", keep, {_REQUESTED: request})
        return
    run = over("fix", f"search for a fix of {check.rule}", options, key="fix")
    if run is None:
        return
    found = cast(dict[Mark, Fix], run.result()) if run.error is None else {}
    _proposed(found.get(options), key, "" if run.error is None else f" ({run.error})")


def _proposed(fix: Fix | None, key: str, why: str) -> None:
    if fix is None:
        st.text(f"No automatic fix found{why}. Apply the remedy by hand.")
        return
    st.text(f"Fix: {fix.reason}" + (f" Changes {fix.moves}." if fix.effects else ""))
    help = "Changes the project in one step; Undo reverts it"
    controls.edit("Apply fix", "build", f"fix-{key}", _apply, fix, key, help=help)


def _apply(fix: Fix, key: str) -> None:
    _enter(fix.changes, f"fix of {fix.rule}", key)


def _waive(check: Check, key: str) -> None:
    popover = st.popover(
        "Waive check",
        icon=":material/do_not_disturb_on:",
        key=f"waive-{key}",
        disabled=opened.reads_only(),
        on_change="rerun",  # the content is built only when opened
    )
    if not popover.open:
        return
    with popover:
        st.text(
            "A waived finding is accepted. Every document of the project lists it as waived, with "
            "reason and name."
        )
        reason = st.text_input("Reason", key=f"waive-reason-{key}", max_chars=200)
        by = st.text_input("Accepted by", key=f"waive-by-{key}", max_chars=100)
        ready = bool(reason.strip() and by.strip())
        help, given = None if ready else "Enter a reason and a name", (check, reason, by, key)
        at = f"waive-now-{key}"
        controls.act("Waive finding", "", at, _enter_waiver, *given, disabled=not ready, help=help)


def _enter_waiver(check: Check, reason: str, by: str, key: str) -> None:
    section = state.session().project.checks
    first = len(section.waived or ()) if section is not None else 0
    changes: dict[str, str] = {}
    for number, subject in enumerate((check.subject, *check.alike), start=first):
        texts = {"rule": check.rule, "subject": subject, "reason": reason, "by": by}
        changes |= {f"checks.waived.{number}.{name}": text for name, text in texts.items()}
    _enter(changes, f"{check.rule} waived", key)


def _unwaive(check: Check, key: str) -> None:
    section = state.session().project.checks
    listed = (section.waived or ()) if section is not None else ()
    subjects = (None, check.subject, *check.alike)
    mine = [n for n, w in enumerate(listed) if w.rule == check.rule and w.subject in subjects]
    emptied = {f"checks.waived.{number}": "" for number in reversed(mine)}
    label = f"waiver of {check.rule} removed"
    controls.edit("Remove waiver", "undo", f"unwaive-{key}", _enter, emptied, label, key)


def _enter(changes: Mapping[str, str], label: str, key: str) -> None:
    """Change the project in one undoable step; the card shows an error if it is rejected."""
    st.session_state[_REFUSED] = (key, state.enter_all(changes, label))


def _refusal(key: str) -> None:
    refused: tuple[str, FacilityError | None] = st.session_state.get(_REFUSED, ("", None))
    if refused[0] == key and refused[1] is not None:
        controls.refused("Change not applied", refused[1])
