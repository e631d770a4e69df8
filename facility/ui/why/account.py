"""Explanation of one result: formula, inputs, source, assumption, dependent results, examples."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from facility.core.views import System
from facility.report.tables.choices import candidate_table
from facility.report.why.derivation import HOW, RelatedNumber, Why, finding_rows
from facility.report.why.examples import examples
from facility.ui.grid.component import show_grid
from facility.ui.grid.tables import table_grid, values_grid
from facility.ui.why.labels import plain

_MAX_LINKS = 8
_MAX_EXAMPLES = 3
_MAX_LINES = 3
Links = Callable[[list[RelatedNumber], str], None]


def show_account(found: Why, system: System, links: Links) -> None:
    """Show the explanation of a result; `links` shows related results as links."""
    with st.container(gap="xsmall"):
        st.subheader(plain(found.title), anchor=False)
        if found.value or found.id != found.title:
            st.text(f"{found.id} = {found.value}" if found.value else found.id)
        _assumed(found)
    _formula(found)
    if found.inputs:
        st.markdown("#### Sum of" if found.how == "summed" else "#### Inputs")
        _some(found.inputs, "input", links)
    if found.choice is not None:
        st.markdown("#### Candidates")
        show_grid(table_grid(candidate_table(found.choice, system)), "why-candidates")
    if found.checks:
        _checks(found, system)
    st.markdown("#### Source")
    with st.container(gap="xsmall"):
        for line in found.sources or ("No source",):
            st.text(line)
    if found.uses:
        st.markdown("#### Used by")
        _some(found.uses, "use", links)
    _example(found)


def _assumed(found: Why) -> None:
    """Show the type of the result and the status of an assumption."""
    with st.container(horizontal=True, gap="small"):
        st.badge(HOW[found.how], color="blue")
        if found.assumption is not None:
            status = found.assumption.status
            is_open = status == "open"
            st.badge("unconfirmed" if is_open else status, color="orange" if is_open else "green")
    if found.because:
        st.text(found.because)


def _formula(found: Why) -> None:
    """Show the formula; its LaTeX comes from the declared equation, never from user text."""
    if found.equation is None:
        return
    st.latex(found.equation.statement)
    about, _, _ = (found.equation.si.__doc__ or "").partition("\n")
    about = about.removeprefix("Return ")
    st.text(about[:1].upper() + about[1:])
    if found.equation.empirical:
        st.text(f"Empirical: {found.equation.empirical}")


def _some(found: tuple[RelatedNumber, ...], group: str, links: Links) -> None:
    """Show the first related results, and the others on request."""
    links(list(found[:_MAX_LINKS]), group)
    rest = list(found[_MAX_LINKS:])
    if rest:
        with st.expander(f"{len(rest):,} more", key=f"why-more-{group}", on_change="rerun") as more:
            if more.open:
                links(rest, f"{group}-more")


def _checks(found: Why, system: System) -> None:
    subjects = finding_rows(found.checks, system)
    if len(subjects) <= _MAX_LINES:
        for subject, verdict, text in subjects:
            st.text(f"{subject}: {verdict}. {text}")
        _remedy(found)
        return
    show_grid(
        values_grid(
            "Checks of the result",
            {
                "Subject": [subject for subject, *_ in subjects],
                "Result": [verdict for _, verdict, _ in subjects],
                "Finding": [text for *_, text in subjects],
            },
        ),
        "why-checks",
    )
    _remedy(found)


def _remedy(found: Why) -> None:
    remedy = next((check.remedy for check in found.checks if check.remedy), "")
    if remedy:
        st.text(f"Remedy: {remedy}")


def _example(found: Why) -> None:
    """Show worked examples of the equation, which the release tests verify."""
    if found.equation is None:
        return
    st.markdown("#### Worked examples")
    known = examples().get(found.equation.name, ())
    for example in known[:_MAX_EXAMPLES]:
        with st.container(border=True):
            st.text(f"{example.inputs}\n→ {example.expected}")
            st.text(example.source)
    if len(known) > _MAX_EXAMPLES:
        st.text(f"and {len(known) - _MAX_EXAMPLES} more")
    st.text(
        "The tests of every release verify these examples."
        if known
        else "No published example is known for this formula; the tests verify its definition."
    )
