"""Fix of a check: its changes, and the button that applies it."""

from __future__ import annotations

from typing import cast

import streamlit as st

from facility.core.check import Check
from facility.core.views import System, show_difference
from facility.report.tables.names import input_name, rule_title
from facility.report.tables.verdict import word_of
from facility.report.why.names import title_of
from facility.study.fixes.propose import Effect, Fix, Mark, may_be_fixed
from facility.study.scenarios import MAX_SCENARIOS
from facility.ui import controls
from facility.ui.blocks.elements import Element, element, row, show_element
from facility.ui.inspector import override
from facility.ui.scenarios import board, switch
from facility.ui.session import opened, scenario, state
from facility.ui.work.known import KnownChecks, needs_fix
from facility.ui.work.ready import over

_REQUESTED, _FIXED = "check-fix-requested", "check-fixed"
_NONE = "No change was found that clears this check without a new violation."


def show_fix(check: Check, now: KnownChecks, system: System) -> None:
    """Show the fix of a failed check; that of a warning is searched on request."""
    if needs_fix(check):
        if now.looking is None or not now.looking.is_over:
            st.text("Searching for a fix …")
            return
        why = "" if now.looking.state == "done" else f" Search {now.looking.state}."
        _show(check, now.fix_of(check), system, f"{_NONE}{why}")
    elif check.failed and may_be_fixed(check.rule):
        _look(check, system)


def _look(check: Check, system: System) -> None:
    options = check.rule, check.subject
    request = state.text(), options
    if st.session_state.get(_REQUESTED) != request:
        words, keep = "Search for a fix", st.session_state.update
        controls.act(words, "build", "check-look", keep, {_REQUESTED: request})
        return
    run = over("fix", "search for a fix", options, key="fix")
    if run is None:
        return
    found = cast(dict[Mark, Fix], run.result()) if run.error is None else {}
    _show(check, found.get(options), system, _NONE if run.error is None else str(run.error))


def _show(check: Check, fix: Fix | None, system: System, why: str) -> None:
    if fix is None:
        st.text(why)
        return
    with st.container(border=True, key="fix"):
        with st.container(horizontal=True, gap="small"):
            st.badge(_cleared(fix), color="green", icon=":material/check:")
            count = len(fix.warned)
            added = f"{count} {word_of('WARNING', count)}" if count else "none"
            st.badge(f"Adds {added}", color="grey")
        st.markdown(f"**{_title(fix)}**")
        st.text(
            "\n".join(
                f"{input_name(path)}: now {fix.stated[path] or 'not stated'}, "
                f"then {text or 'sized for the load'}."
                for path, text in fix.changes.items()
            )
        )
        show_element(_table(fix, system), "fix-table")
        with st.container(horizontal=True, vertical_alignment="center"):
            st.button(
                "Apply the fix",
                key="check-fix",
                on_click=_apply,
                args=(fix, check),
                icon=":material/check:",
                type="primary",
                shortcut="a",
                disabled=opened.reads_only(),
            )
            full = len(board.shown_names()) >= MAX_SCENARIOS
            controls.act("Try as scenario", "", "check-scenario", _try, fix, disabled=full)
            st.text("Undo reverts it", width="content")


def _apply(fix: Fix, check: Check) -> None:
    before = state.text()
    override.give(fix.changes, "fix")
    if state.text() != before:
        st.session_state[_FIXED] = state.text(), f"{rule_title(check.rule)}, {check.subject}"


def fixed() -> str:
    """Return the check that the last change has fixed; empty if it was no fix."""
    text, words = st.session_state.get(_FIXED, ("", ""))
    return words if text == state.text() else ""


def _try(fix: Fix) -> None:
    """Show a new scenario with the fix, and the changes of the scenario that is shown."""
    name = board.begin(scenario.name())
    if name:
        now = board.board()
        board.change(name, {**now.changes(now.names.index(name)), **fix.changes})
        switch.choose(name)


def _cleared(fix: Fix) -> str:
    parts = [
        f"{before - after} {word_of(word, before - after)}"
        for word, (before, after) in (("VIOLATION", fix.violations), ("WARNING", fix.warnings))
        if before > after
    ]
    return f"Clears {' and '.join(parts)}" if parts else "Clears this check"


def _title(fix: Fix) -> str:
    names = [input_name(path) for path in fix.changes]
    first = names[0][:1].lower() + names[0][1:]
    more = f" and {len(names) - 1} more" if len(names) > 1 else ""
    text = next(iter(fix.changes.values()))
    return f"Set {first} to {text}{more}" if text else f"Size {first} automatically{more}"


def _table(fix: Fix, system: System) -> Element:
    """Return the results before and after the fix."""
    rows = [_effect(effect, system) for effect in fix.effects]
    counts = (("Violations", fix.violations), ("Warnings", fix.warnings))
    for title, (before, after) in counts:
        rows.append(
            (title, f"{before:,}", f"{after:,}", _signed(after - before, f"{after - before:,}"))
        )
    heads = ("What it changes", "Now", "With the fix", "Difference")
    return element("table", row(heads, "th"), *map(row, rows), look="block-table")


def _effect(effect: Effect, system: System) -> tuple[str, str, str, str]:
    before, after = effect.before, effect.after
    difference = ""
    if not isinstance(before.si, str | bool) and not isinstance(after.si, str | bool):
        by = float(after.si) - float(before.si)
        text = show_difference(by, after.kind, system) if after.kind else f"{by:,.0f}"
        difference = _signed(by, text)
    return title_of(effect.key), before.shown(system), after.shown(system), difference


def _signed(by: float, text: str) -> str:
    return f"+{text}" if by > 0 else text.replace("-", "−")
