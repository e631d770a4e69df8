"""The selected check: finding, value and limit, fix, other ways, waiver and clause."""

from __future__ import annotations

import re

import streamlit as st

from facility.core.check import Check, Outcome
from facility.core.views import System
from facility.model.inputs.entries import field_at
from facility.report.tables.names import input_name, rule_title
from facility.report.tables.verdict import word_of
from facility.study.parts import is_known
from facility.ui import controls
from facility.ui.blocks.elements import Element, element, show_element
from facility.ui.checks import causes
from facility.ui.checks.fix import show_fix
from facility.ui.checks.pages import DisciplinePage
from facility.ui.checks.words import COLOURS, finding
from facility.ui.inspector import override
from facility.ui.session import opened, state
from facility.ui.work.known import KnownChecks

_FIELDS = re.compile(r" ?\([a-z]+\.[a-z_.0-9\[\], ]+\)")
_TAG = re.compile(r"[A-Z][A-Z0-9]*(?:-[A-Z0-9]+)+")


def show_detail(check: Check, page: DisciplinePage, now: KnownChecks, system: System) -> None:
    """Show a check."""
    st.markdown(f"### {rule_title(check.rule).replace('$', '')}")
    text, source = finding(check, system)
    text = _in_words(text)
    st.text(f"{text[:1].upper()}{text[1:]}")
    sides = check.sides(system)
    if sides:
        show_element(_bar(check, *sides, causes.margin_words(check, system)), "check-bar")
    override.show_refused()
    show_fix(check, now, system)
    if check.remedy and check.word != "PASS":
        st.markdown("**Other ways**" if check.failed else "**What to do**")
        st.text(_in_words(check.remedy))
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        tag = _tag(check) if page.place == "design" else ""
        title = "Design" if page.place == "design" else page.title
        words = f"Show {tag} in {title}" if tag else f"Show in {title}"
        if st.button(words, icon=":material/open_in_new:", key="check-show"):
            state.go_to(page.place, page.view, tag)
        if check.failed:
            _waive(check)
        elif check.outcome is Outcome.WAIVED:
            section = state.session().project.checks
            listed = (section.waived or ()) if section is not None else ()
            named = (None, check.subject, *check.alike)
            mine = [n for n, w in enumerate(listed) if w.rule == check.rule and w.subject in named]
            emptied = {f"checks.waived.{number}": "" for number in reversed(mine)}
            label = f"waiver removed: {rule_title(check.rule)}"
            controls.edit(
                "Remove acceptance", "undo", "check-unwaive", override.give, emptied, label
            )
    st.text(f"{page.discipline} · {source}")
    with st.expander("Details", key=f"check-details-{causes.key(check)}"):
        subjects = "; ".join((check.subject, *check.alike))
        st.text(f"Rule {check.rule}\nSubjects: {subjects}\nRemedy: {check.remedy or 'none'}")


def _in_words(text: str) -> str:
    """Return a text without field paths in brackets; a path in its course becomes its name."""
    text = _FIELDS.sub("", text)
    return re.sub(
        r"\b[a-z]+(?:\.[a-z][a-z_0-9]*)+\b",
        lambda m: input_name(m[0]).lower() if field_at(m[0]) is not None else m[0],
        text,
    )


def _bar(check: Check, value: str, limit: str, margin: str) -> Element:
    """Return a bar of the value with a mark at the limit."""
    number, at = abs(check.value or 0.0), abs(check.limit or 0.0)
    whole = 1.25 * max(number, at) or 1.0
    share, mark = 100.0 * number / whole, 100.0 * at / whole
    look = causes.look(check) or "none"
    return element(
        "div",
        element("div", element("i", width=share), element("b", left=mark), look="track"),
        element("p", element("strong", value), f" of {limit} ", element("span", margin)),
        look=f"block-bar {look}",
    )


def _tag(check: Check) -> str:
    """Return the equipment of the power network that the subject names first, once it is known."""
    design = state.current()
    if not is_known(design, "distribution"):
        return ""
    tags = design.states.network.index
    return next((tag for tag in _TAG.findall(check.subject) if tag in tags), "")


def _waive(check: Check) -> None:
    key = causes.key(check)
    popover = st.popover(
        "Accept with a reason",
        icon=":material/do_not_disturb_on:",
        key=f"waive-{key}",
        disabled=opened.reads_only(),
        on_change="rerun",  # the content is built only when opened
    )
    if not popover.open:
        return
    with popover:
        st.text("It stays listed, and every document of the project prints reason and name.")
        reason = st.text_input("Reason", key=f"waive-reason-{key}", max_chars=200)
        by = st.text_input("Accepted by", key=f"waive-by-{key}", max_chars=100)
        ready = bool(reason.strip() and by.strip())
        help, given = None if ready else "Enter a reason and a name", (check, reason, by)
        at = f"waive-now-{key}"
        controls.act("Accept", "", at, _enter_waiver, *given, disabled=not ready, help=help)


def _enter_waiver(check: Check, reason: str, by: str) -> None:
    section = state.session().project.checks
    first = len(section.waived or ()) if section is not None else 0
    changes: dict[str, str] = {}
    for number, subject in enumerate((check.subject, *check.alike), start=first):
        texts = {"rule": check.rule, "subject": subject, "reason": reason, "by": by}
        changes |= {f"checks.waived.{number}.{name}": text for name, text in texts.items()}
    override.give(changes, f"{word_of('WAIVED', 1)}: {rule_title(check.rule)}")


def badge(check: Check) -> None:
    """Show the outcome of a check."""
    word = word_of(check.word, 1)
    st.badge(word[:1].upper() + word[1:], color=COLOURS[check.word])
