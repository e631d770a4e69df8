"""Answers how a result of a design came about, also where the result is a word."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from facility.core.check import Check
from facility.core.errors import unknown
from facility.core.ledger import OVERRIDDEN
from facility.core.table import Value
from facility.core.trace import Trace, explain
from facility.core.views import System
from facility.study.design.design import Design

_LISTED = re.compile(r"ups\.shortlist\.\d+\.model")
_DECIDED_BY = {
    "load.basis": "it.basis",
    "economizer.kind": "cooling.economizer.kind",
    "plant.pumping": "cooling.plant.pumping.scheme",
    "ups.scheme": "power.redundancy",
    "ups.model": "power.ups.model",
    "generator.model": "power.generator.model",
    "battery.model": "power.battery.model",
    "battery.technology": "power.battery.technology",
}


def decided_by(id: str) -> str:
    """Return the assumption that decides a result which is a word; any other decides itself."""
    return "power.ups.shortlist" if _LISTED.fullmatch(id) else _DECIDED_BY.get(id, id)


def explain_result(
    design: Design, id: str, system: System = "si", formula: Callable[[str], str] = str
) -> list[str]:
    """Return how the result, step or assumption `id` of `design` came about, as lines of text.

    Of a rule it returns what its checks found.

    The studies that the question needs are worked out first.

    id: Key of the results, id of a step of the calculation, of an assumption or of a rule.
    formula: Turns a formula, written in LaTeX, into what is shown.

    Raises ``UNKNOWN_RESULT`` with near matches; ``DERIVATION_DIFFERS`` (exit code 1) for a number
    that is not what its derivation comes to.
    """
    words = {entry.id: entry for entry in design.ledger}
    source = decided_by(id)
    known = id in design.results or id in design.trace or source in words
    results, trace = (design.results, design.trace) if known else _of_the_studies(design, id)
    if id in trace:
        return explain(trace, id, system, formula)
    if source in words:
        entry = words[source]
        shown = results[id].shown() if id in results else entry.text
        how = "given" if entry.status == OVERRIDDEN else "assumed"
        return [
            f"{id} = {shown}  ({how}, {entry.status}: {source})",
            f"  {entry.basis}",
            f"  source: {entry.source}",
        ]
    if id in design.results:
        return [f"{id} = {results[id].shown(system)}  (given)", f"  source: project, {source}"]
    if id in results:
        basis = results[id].basis or "as the design has it"
        return [f"{id} = {results[id].shown(system)}  (derived)", f"  {basis}"]
    if found := [check for check in design.checks if check.rule == id]:
        return [line for check in found for line in _found_by(check, system)]
    steps, rules = (step.id for step in trace), (check.rule for check in design.checks)
    raise unknown(
        "UNKNOWN_RESULT",
        id[:80],
        "no such result, step or assumption.",
        id,
        [*steps, *results, *words, *rules],
    )


def _found_by(check: Check, system: System) -> list[str]:
    """Return what one check found, as lines of text."""
    margin = "" if check.margin is None else f"  (margin {check.margin:.1%})"
    lines = [f"{check.rule} of {check.about()}: {check.word}{margin}", f"  {check.found(system)}"]
    lines += [f"  {check.remedy}"] if check.remedy else []
    return [*lines, f"  source: {check.source}"]


def _of_the_studies(design: Design, id: str) -> tuple[Mapping[str, Value], Trace]:
    """Return results and trace of the first study that has `id`; of all of them where none has."""
    for study in design.studies:
        if id in study.results or id in study.trace:
            return study.results, study.trace
    results = dict(design.all_results)
    for long in (design.outages.study, design.ride_through.study):
        results |= long.results if long is not None else {}
    return results, design.full_trace
