"""One number in the drawer: formula, numbers, source, assumption, what rests on it, example."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from facility.core.views import System
from facility.report.why.derivation import HOW, RelatedNumber, Why, places
from facility.report.why.examples import examples
from facility.ui.why.labels import plain

_MOST = 8
_MOST_EXAMPLES = 3
_MOST_TOLD = 3
Links = Callable[[list[RelatedNumber], str], None]


def show_account(found: Why, system: System, links: Links) -> None:
    """Show how a number came about; `links` shows numbers that can be asked about in turn."""
    with st.container(gap="xsmall"):
        st.subheader(plain(found.title), anchor=False)
        if found.value or found.id != found.title:
            st.text(f"{found.id} = {found.value}" if found.value else found.id)
        _assumed(found)
    _formula(found)
    if found.inputs:
        st.markdown("##### Sum of" if found.how == "summed" else "##### With")
        _some(found.inputs, "input", links)
    if found.checks:
        _checks(found, system)
    st.markdown("##### Source")
    with st.container(gap="xsmall"):
        for line in found.sources or ("not stated",):
            st.text(line)
    if found.uses:
        st.markdown("##### Used by")
        _some(found.uses, "use", links)
    _example(found)


def _assumed(found: Why) -> None:
    """Show how it came about, in words, and whether an assumption has been confirmed."""
    with st.container(horizontal=True, gap="small"):
        st.badge(HOW[found.how], color="blue")
        if found.assumption is not None:
            status = found.assumption.status
            is_open = status == "open"
            st.badge("not confirmed" if is_open else status, color="orange" if is_open else "green")
    if found.because:
        st.text(found.because)


def _formula(found: Why) -> None:
    """Set the formula; its LaTeX is that of the declared equation, never a person's text."""
    if found.equation is None:
        return
    st.latex(f"{found.equation.symbol} = {found.equation.latex}")
    about, _, _ = (found.equation.si.__doc__ or "").partition("\n")
    about = about.removeprefix("Return ")
    st.text(about[:1].upper() + about[1:])
    if found.equation.empirical:
        st.text(f"Fitted: {found.equation.empirical}")


def _some(found: tuple[RelatedNumber, ...], group: str, links: Links) -> None:
    """Show the first of many numbers, and the others when they are asked for."""
    links(list(found[:_MOST]), group)
    rest = list(found[_MOST:])
    if rest:
        with st.expander(f"{len(rest):,} more", key=f"why-more-{group}", on_change="rerun") as more:
            if more.open:
                links(rest, f"{group}-more")


def _checks(found: Why, system: System) -> None:
    subjects = places(found.checks, system)
    if len(subjects) <= _MOST_TOLD:
        for subject, verdict, text in subjects:
            st.text(f"{subject}: {verdict}. {text}")
        _remedy(found)
        return
    st.dataframe(
        {
            "Of": [subject for subject, *_ in subjects],
            "Verdict": [verdict for _, verdict, _ in subjects],
            "Found": [text for *_, text in subjects],
        },
        hide_index=True,
        key="why-checks",
    )
    _remedy(found)


def _remedy(found: Why) -> None:
    remedy = next((check.remedy for check in found.checks if check.remedy), "")
    if remedy:
        st.text(f"Remedy: {remedy}")


def _example(found: Why) -> None:
    """Show worked examples of the equation, which the tests of every release hold it to."""
    if found.equation is None:
        return
    st.markdown("##### Worked examples")
    known = examples().get(found.equation.name, ())
    for example in known[:_MOST_EXAMPLES]:
        with st.container(border=True):
            st.text(f"{example.inputs}\n→ {example.expected}")
            st.text(example.source)
    if len(known) > _MOST_EXAMPLES:
        st.text(f"and {len(known) - _MOST_EXAMPLES} more")
    st.text(
        "The tests of every release compute these."
        if known
        else "No number of others is known for this formula; the tests hold it by its definition."
    )
