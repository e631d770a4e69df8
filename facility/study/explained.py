"""Answers how a result of a design came about, also where the result is a word."""

from __future__ import annotations

from collections.abc import Callable

from facility.core.errors import FacilityError, near_matches
from facility.core.trace import explain
from facility.core.views import System
from facility.study.design import Design

_DECIDED_BY = {
    "load.basis": "it.basis",
    "ups.scheme": "power.redundancy",
    "ups.model": "power.ups.model",
    "generator.model": "power.generator.model",
    "battery.model": "power.battery.model",
    "battery.technology": "power.battery.technology",
    **{f"ups.shortlist.{place}.model": "power.ups.shortlist" for place in (1, 2, 3)},
}

_OF_DISTRIBUTION = ("feeder.", "fault.", "network.")


def explain_result(
    design: Design, id: str, system: System = "si", formula: Callable[[str], str] = str
) -> list[str]:
    """Return how the result, step or assumption `id` of `design` came about, as lines of text.

    Parameters
    ----------
    design : Design
        The design.
    id : str
        Key of the results, id of a step of the calculation, or of an assumption.
    system : {"si", "ip"}
        Units shown.
    formula : callable
        Turns a formula, written in LaTeX, into what is shown.

    Raises
    ------
    FacilityError
        ``UNKNOWN_RESULT`` with near matches.
    """
    if id.startswith(_OF_DISTRIBUTION):
        _ = design.distribution
    if id in design.trace:
        return explain(design.trace, id, system, formula)
    source = _DECIDED_BY.get(id, id)
    words = {entry.id: entry for entry in design.ledger}
    if source in words:
        entry = words[source]
        shown = design.results[id].shown() if id in design.results else entry.text
        return [
            f"{id} = {shown}  (assumed, {entry.status}: {source})",
            f"  {entry.basis}", f"  source: {entry.source}",
        ]  # fmt: skip
    if id in design.results:
        return [f"{id} = {design.results[id].shown()}  (given)", f"  source: project, {source}"]
    known = [step.id for step in design.trace]
    raise FacilityError(
        "UNKNOWN_RESULT", id[:80], "no such result, step or assumption.",
        near_matches(id, [*known, *design.results, *words]),
    )  # fmt: skip
