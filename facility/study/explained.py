"""Explanation of results of a design, text results included."""

from __future__ import annotations

import csv
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path

from facility.catalogue import match_device
from facility.core.check import Check
from facility.core.choice import Selection
from facility.core.errors import FacilityError, unknown
from facility.core.ledger import OVERRIDDEN, Assumption
from facility.core.table import Value
from facility.core.trace import Step, Trace, derivation, explain
from facility.core.views import System
from facility.model.inputs.entries import field_at
from facility.power.it.reconcile import slug
from facility.study.compare.ways import CoolingComparison, compare_cooling
from facility.study.design.design import Design
from facility.study.equipped import equipped
from facility.study.transient.study import transient

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
_OF_COMPARISON = re.compile(r"(option|crossover|density)\..+")
_OF_OPTION = re.compile(r"option\.([a-z_]+)\.(.+)")
_BUFFERS = re.compile(r"ride\..+\.storage\.[a-z]+")
_PROPOSED = 4
"""Maximum number of ids proposed for a trade term."""
_IN_ITS_DESIGN = {
    "pue": "pue.design",
    "power": "load.cooling",
    "chilled_water": "cooling.plant.chilled_water_supply",
}
"""Results of the design of a cooling method, by their keys in the comparison."""
_OF_OTHER_VERBS = {
    "imbalance": "balance",
    "imbalance_va": "balance",
    "spread": "balance",
    "current": "balance",
    "bound": "balance",
    "gap": "balance",
    "moves": "balance",
    "checks": "check",
}
"""Verbs with results for parts of a design, by the first word of the key."""


_TERM = re.compile(r"\w[\w+-]*")
_MEMBER = re.compile(r"\\\{\w+\\\}")
SYNONYMS: Mapping[tuple[str, ...], tuple[str, ...]] = {
    tuple(_TERM.findall(row["phrase"].casefold())): tuple(row["ids"].split())
    for row in csv.DictReader(
        Path(__file__).with_name("synonyms.csv").read_text("utf-8").splitlines()
    )
}
"""Ids by the words of a trade term; ``{hall}`` in an id represents every member of a family."""


def synonym_ids(typed: str, known: Iterable[str]) -> tuple[str, ...]:
    """Return the known ids that a trade term refers to, most relevant first.

    typed: The words of a term of `synonyms.csv` in any order; the last may be incomplete if longer
        than two letters.
    known: Ids of results, steps, assumptions and rules.
    """
    *begin, last = _TERM.findall(typed.casefold()) or [""]
    patterns = [
        re.compile(_MEMBER.sub(r"[^.]+", re.escape(id)))
        for term, ids in SYNONYMS.items()
        if any(
            sorted((*begin, word)) == sorted(term)
            and (word == last or (len(last) > 2 and word.startswith(last)))
            for word in term
        )
        for id in ids
    ]
    listed = list(known) if patterns else []
    return tuple(dict.fromkeys(id for one in patterns for id in listed if one.fullmatch(id)))


def decided_by(id: str) -> str:
    """Return the assumption that decides a text result, or the id itself."""
    return "power.ups.shortlist" if _LISTED.fullmatch(id) else _DECIDED_BY.get(id, id)


def _candidates(choice: Selection[object]) -> Iterator[str]:
    """Yield the candidates of a choice, the selected one first, and the criterion."""
    for number, one in enumerate(choice.candidates, start=1):
        yield f"  {number}. {'selected' if number == 1 else 'not selected'}: {one.figures}"
    yield f"  criterion: {choice.criterion}"


@equipped
def explain_result(
    design: Design, id: str, system: System = "si", formula: Callable[[str], str] = str
) -> list[str]:
    """Return the derivation of the result, step or assumption `id` of `design`, as lines of text.

    For a rule, return the findings of its checks.

    The required studies are run first, the comparison of cooling methods included: a result of a
    cooling method is explained from the design with that method.

    id: Key of a result, id of a calculation step, assumption or rule.
    formula: Converts a LaTeX formula to displayed text.

    Raises ``UNKNOWN_RESULT`` with near matches; ``DERIVATION_DIFFERS`` (exit code 1) for a number
    that differs from its derivation.
    """
    if _OF_COMPARISON.fullmatch(id):
        return _of_the_ways(compare_cooling(design.project), id, system, formula)
    words = {entry.id: entry for entry in design.ledger}
    source = decided_by(id)
    results, trace = _where_known(design, id)
    if id in trace:
        return explain(trace, id, system, formula)
    if source in words:
        shown = results[id].shown() if id in results else words[source].text
        return _of_entry(design, id, words[source], shown)
    if id in design.results:
        return [f"{id} = {results[id].shown(system)}  (given)", f"  source: project, {source}"]
    if id in results:
        basis = results[id].basis or "as designed"
        return [f"{id} = {results[id].shown(system)}  (derived)", f"  {basis}"]
    if found := [check for check in design.checks if check.rule == id]:
        return [line for check in found for line in _found_by(check, system)]
    if verb := _OF_OTHER_VERBS.get(id.partition(".")[0]):
        raise FacilityError(
            "UNKNOWN_RESULT",
            id[:80],
            f"not a result of the whole design; facility {verb} prints results with this name.",
            "Use panels.imbalance_max, panel.<tag>.current_max, or the id of a rule.",
        )
    steps, rules = (step.id for step in trace), (check.rule for check in design.checks)
    ids = [*steps, *results, *words, *rules]
    if device := _device_hint(id, ids):
        raise FacilityError(
            "UNKNOWN_RESULT", id[:80], "a catalogue device, not a result id.", device
        )
    if meant := synonym_ids(id, ids):
        hint = "Use " + ", ".join(meant[:_PROPOSED]) + "."
        raise FacilityError("UNKNOWN_RESULT", id[:80], "a trade term, not an id.", hint)
    if field := field_at(id):
        section, name = id.partition(".")[0], id.rpartition(".")[2]
        own = re.compile(rf"{re.escape(section)}\..*\b{re.escape(name)}")
        near = [one for one in dict.fromkeys(ids) if own.fullmatch(one)]
        hint = f"Use {', '.join(near[:_PROPOSED])}." if near else f"Change it with --set {id}=..."
        message = f"an input without calculation steps: {field.declared.meaning}."
        raise FacilityError("UNKNOWN_RESULT", id[:80], message, hint)
    raise unknown("UNKNOWN_RESULT", id[:80], "no such result, step or assumption.", id, ids)


def _device_hint(typed: str, ids: Iterable[str]) -> str:
    """Return the ids of the devices that a trade name may mean, or where their data are."""
    match = match_device(typed)
    rows = match.candidates if match.row is None else (match.row,)
    parts = {slug(row.text("model")) for row in rows}
    found = [id for id in dict.fromkeys(ids) if not parts.isdisjoint(id.split("."))]
    if found or not rows:
        return f"Use {', '.join(found[:_PROPOSED])}." if found else ""
    return f'For its data, run facility catalogue {rows[0].schema.name} "{rows[0]["model"]}".'


def derivation_steps(design: Design, id: str) -> list[tuple[Step, int, bool]]:
    """Return the calculation steps behind a result as `derivation` yields them.

    Empty for results without steps: text results, text assumptions, rules, comparisons.
    """
    if _OF_COMPARISON.fullmatch(id):
        return []
    trace = _where_known(design, id)[1]
    return list(derivation(trace, id)) if id in trace else []


def _where_known(design: Design, id: str) -> tuple[Mapping[str, Value], Trace]:
    """Return results and trace of the sizing if `id` is there, else of the study that has it."""
    listed = decided_by(id) in {entry.id for entry in design.ledger}
    if id in design.results or id in design.trace or listed:
        return design.results, design.trace
    return _of_the_studies(design, id)


def _of_entry(design: Design, id: str, entry: Assumption, shown: str) -> list[str]:
    """Return the basis of an assumption, for a choice with its candidates, as lines of text."""
    how = "given" if entry.status == OVERRIDDEN else "assumed"
    choice = next((one for one in design.choices if one.because == entry.basis), None)
    return [
        f"{id} = {shown}  ({how}, {entry.status}: {entry.id})",
        *([f"  {entry.basis}"] if choice is None else _candidates(choice)),
        f"  source: {entry.source}",
    ]


def _found_by(check: Check, system: System) -> list[str]:
    """Return the finding of one check, as lines of text."""
    margin = "" if check.margin is None else f"  (margin {100.0 * check.margin:.1f} %)"
    lines = [f"{check.rule} of {check.about()}: {check.word}{margin}", f"  {check.found(system)}"]
    lines += [f"  {check.remedy}"] if check.remedy else []
    return [*lines, f"  source: {check.source}"]


def _of_the_ways(
    found: CoolingComparison, id: str, system: System, formula: Callable[[str], str]
) -> list[str]:
    """Return the derivation of a comparison result, with the derivation in its design."""
    if id not in found.results:
        raise unknown(
            "UNKNOWN_RESULT", id[:80], "the comparison has no such result.", id, [*found.results]
        )
    value = found.results[id]
    lines = [f"{id} = {value.shown(system)}  (derived)", f"  {value.basis or 'as compared'}"]
    of_option = _OF_OPTION.fullmatch(id)
    if of_option is None:
        return lines
    option = next(one for one in found.options if one.name == of_option[1])
    changes = ", ".join(option.changes) or "the cooling of the project, unchanged"
    lines.append(f"  {option.label}: {changes}")
    key = of_option[2]
    inner = _IN_ITS_DESIGN.get(key, re.sub(r"^power\.", "cooling.", key))
    if option.design is None or (inner not in option.design.trace):
        return lines
    inner_lines = explain_result(option.design, inner, system, formula)
    return [*lines, *(f"  {line}" for line in inner_lines)]


def _of_the_studies(design: Design, id: str) -> tuple[Mapping[str, Value], Trace]:
    """Return results and trace of the first study that has `id`, or of all studies."""
    if _BUFFERS.fullmatch(id):
        return transient(design).results, design.full_trace
    for study in design.studies:
        if id in study.results or id in study.trace:
            return study.results, study.trace
    results = dict(design.all_results)
    for long in (design.outages.study, design.ride_through.study):
        results |= long.results if long is not None else {}
    return results, design.full_trace
