"""Rows of value, limit and margin, and rows of a derivation, as tables that only read."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from facility.core.views import System
from facility.report.objects.fact import ObjectFact
from facility.report.objects.loading import LoadingStep
from facility.ui.blocks.elements import Element, element, row, show_element
from facility.ui.browser import component


def apply_style() -> None:
    """Apply the style of the inspector and of the columns of the workspace."""
    component("facility.design", css="inspector.css", isolated=False)(
        key="design-style", width=1, height=1
    )


def show_numbers(
    facts: Iterable[ObjectFact], system: System, before: Mapping[tuple[str, str], ObjectFact]
) -> None:
    """Show the numbers of an object, each with its case, limit and margin.

    before: The numbers before the last change of the project, by label and case.
    """
    heads = element("thead", row(("Numbers", "Value", "Limit", "Margin"), "th"))
    rows = (_row(fact, before.get((fact.label, fact.case), fact), system) for fact in facts)
    show_element(element("table", heads, element("tbody", *rows), look="numbers"), "object-numbers")


def _row(fact: ObjectFact, before: ObjectFact, system: System) -> Element:
    was, now = before.value_text(system), fact.value_text(system)
    moved = [element("small", f"{was} →", look="moved")] if was != now else []
    margin = [fact.margin_text(system)] if fact.margin_text(system) else []
    if fact.is_over:
        margin.insert(0, "⚠ ")
    basis = [element("small", fact.basis)] if fact.basis else []
    bar = []
    if fact.margin is not None and fact.look:
        width = 100.0 * min(1.0, max(0.0, 1.0 if fact.is_over else fact.margin))
        bar = [element("i", element("b", width=width), look=fact.look)]
    return element(
        "tr",
        element("th", element("span", fact.label), element("small", fact.case), *basis),
        element("td", *moved, element("strong", now), look=fact.look if fact.is_over else ""),
        element("td", fact.limit_text(system)),
        element("td", *margin, *bar, look=fact.look),
    )


def show_steps(steps: Sequence[LoadingStep]) -> None:
    """Show the lines of a derivation, if there are any."""
    if not steps:
        return
    rows = (
        element("tr", element("th", step.label), element("td", f"{step.sign} {step.value}".strip()))
        for step in steps
    )
    show_element(element("table", element("tbody", *rows), look="steps"), "object-steps")
