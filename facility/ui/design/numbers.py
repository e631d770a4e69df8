"""Rows of value, limit and margin, and rows of a derivation, as tables that only read."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

import streamlit as st

from facility.core.views import System
from facility.report.objects.fact import ObjectFact
from facility.report.objects.loading import LoadingStep
from facility.ui.browser import component


def apply_style() -> None:
    """Apply the style of the inspector and of the columns of the workspace."""
    component("facility.design", css="inspector.css", isolated=False)(
        key="design-style", width=1, height=1
    )


def show_numbers(facts: Iterable[ObjectFact], system: System) -> None:
    """Show the numbers of an object, each with its case, limit and margin.

    Every text is escaped, since names of halls and racks are entered by users.
    """
    rows = "".join(_row(fact, system) for fact in facts)
    heads = "<th>Numbers</th><th>Value</th><th>Limit</th><th>Margin</th>"
    st.html(f'<table class="numbers"><thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table>')


def _row(fact: ObjectFact, system: System) -> str:
    value, limit, margin = (
        escape(text)
        for text in (fact.value_text(system), fact.limit_text(system), fact.margin_text(system))
    )
    bar = ""
    if fact.margin is not None:
        width = 100.0 * min(1.0, max(0.0, fact.margin if fact.look != "over" else 1.0))
        bar = f'<i class="{fact.look}"><b style="width:{width:.0f}%"></b></i>'
    name = f"<span>{escape(fact.label)}</span><small>{escape(fact.case)}</small>"
    return (
        f"<tr><th>{name}</th><td><strong>{value}</strong></td><td>{limit}</td>"
        f'<td class="{fact.look}">{margin}{bar}</td></tr>'
    )


def show_steps(steps: Sequence[LoadingStep]) -> None:
    """Show the lines of a derivation, if there are any."""
    if not steps:
        return
    rows = "".join(
        f"<tr><th>{escape(step.label)}</th>"
        f"<td>{escape(f'{step.sign} {step.value}'.strip())}</td></tr>"
        for step in steps
    )
    st.html(f'<table class="steps"><tbody>{rows}</tbody></table>')
