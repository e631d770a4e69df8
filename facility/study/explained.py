"""Answers how a result of a design came about, also where the result is a word."""

from __future__ import annotations

from collections.abc import Callable

from facility.core.errors import FacilityError, near_matches
from facility.core.trace import explain
from facility.core.views import System
from facility.study.design import Design

_DECIDED_BY = {
    "load.basis": "it.basis",
    "economizer.kind": "cooling.economizer.kind",
    "plant.pumping": "cooling.plant.pumping.scheme",
    "ups.scheme": "power.redundancy",
    "ups.model": "power.ups.model",
    "generator.model": "power.generator.model",
    "battery.model": "power.battery.model",
    "battery.technology": "power.battery.technology",
    **{f"ups.shortlist.{place}.model": "power.ups.shortlist" for place in (1, 2, 3)},
}

_OF_DISTRIBUTION = ("feeder.", "fault.", "network.")
_OF_ROOM_AIR = "air."
_OF_PLANT = ("economizer.", "plant.", "storage.", "reuse.")
_OF_LOOPS = ("loop.", "tcs.", "fws.", "cdu.")


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
    if id.startswith(_OF_ROOM_AIR) and id not in design.trace:
        _ = design.room_air
    results = design.results.values_by_key
    if id.startswith(_OF_PLANT):
        results = {**results, **design.plant_options.results}
    if id.startswith(_OF_LOOPS) and id not in design.trace:
        word = design.liquid_path.results.get(id)
        if word is not None and id not in design.trace:
            basis = word.basis or "of the temperature or the unit of the design"
            return [f"{id} = {word.shown()}  (derived)", f"  {basis}"]
    if id in design.trace:
        return explain(design.trace, id, system, formula)
    source = _DECIDED_BY.get(id, id)
    words = {entry.id: entry for entry in design.ledger}
    if source in words:
        entry = words[source]
        shown = results[id].shown() if id in results else entry.text
        return [
            f"{id} = {shown}  (assumed, {entry.status}: {source})",
            f"  {entry.basis}", f"  source: {entry.source}",
        ]  # fmt: skip
    if id in results:
        return [f"{id} = {results[id].shown()}  (given)", f"  source: project, {source}"]
    known = [step.id for step in design.trace]
    raise FacilityError(
        "UNKNOWN_RESULT", id[:80], "no such result, step or assumption.",
        near_matches(id, [*known, *results, *words]),
    )  # fmt: skip
