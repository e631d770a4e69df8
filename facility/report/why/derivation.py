"""Derivation of one number, its inputs and dependents: formatted, never computed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from facility.catalogue import sources
from facility.core.check import Check
from facility.core.choice import Selection
from facility.core.equation import AnyEquation
from facility.core.errors import unknown
from facility.core.ledger import OVERRIDDEN, Assumption
from facility.core.sources import DERIVED, Source
from facility.core.trace import Step, Trace, refuse_other_values
from facility.core.views import System, printed_text, show_exact
from facility.report.why.known import Known
from facility.report.why.names import title_of
from facility.study.explained import decided_by

HOW = {
    "given": "Input",
    "assumed": "Assumed",
    "chosen": "Selected",
    "computed": "Computed",
    "summed": "Sum",
    "derived": "Derived",
    "found": "Check",
}


@dataclass(frozen=True)
class RelatedNumber:
    """Number related to the explained number."""

    title: str  # In words
    value: str  # With its unit
    id: str  # Step that it is; empty where it is none
    argument: str = ""  # What the formula calls it


@dataclass(frozen=True)
class Why:
    """Derivation of a number, an assumption or the verdict of a rule."""

    id: str
    title: str  # In words
    value: str  # With its unit; empty for a rule
    how: str  # A key of `HOW`
    because: str  # Reason or basis, in words
    sources: tuple[str, ...]  # Its source with clause, and that source in full
    equation: AnyEquation | None = None  # What was applied
    inputs: tuple[RelatedNumber, ...] = ()  # What it was applied to, or what is summed
    uses: tuple[RelatedNumber, ...] = ()  # What rests on it
    assumption: Assumption | None = None  # If it is a default
    checks: tuple[Check, ...] = ()  # What was found, of a rule
    choice: Selection[object] | None = None  # Candidates, where it was selected among some


def why(found: Known, id: str, system: System = "si") -> Why:
    """Return the derivation of the result, step, assumption or rule `id`.

    found: Known results and steps of the design.
    id: Key of a result, id of a step, of an assumption or of a rule.
    system: Units shown.

    Raises ``UNKNOWN_RESULT`` with near matches; ``DERIVATION_DIFFERS`` (exit code 1) for a number
    that differs from its derivation.
    """
    if id in found.trace:
        return _of_step(found, found.trace[id], system)
    entry = found.ledger.get(decided_by(id))
    if entry is not None:
        word = found.results[id].shown(system) if id in found.results else entry.text
        how = "given" if entry.status == OVERRIDDEN else "assumed"
        choice = next((one for one in found.choices if one.because in entry.basis), None)
        return Why(
            id,
            title_of(id),
            word,
            how,
            _reason(entry.basis, choice),
            _source_texts(entry.source),
            None,
            assumption=entry,
            choice=choice,
        )
    if id in found.results:
        value, stated = found.results[id], id in found.sizing
        origin = f"project, {decided_by(id)}" if stated else value.source
        how = "given" if stated else "derived"
        origins = (origin,) if origin else ()
        return Why(id, title_of(id), value.shown(system), how, printed_text(value.basis), origins)
    checks = tuple(check for check in found.checks if check.rule == id)
    if checks:
        return Why(id, id, "", "found", "", _source_texts(checks[0].source), checks=checks)
    rules = (check.rule for check in found.checks)
    raise unknown(
        "UNKNOWN_RESULT",
        id[:80],
        "no such result, step or assumption is known.",
        id,
        [*(step.id for step in found.trace), *found.results, *found.ledger, *rules],
    )


def leading_inputs(found: Known, id: str, max_inputs: int) -> tuple[tuple[str, float, str], ...]:
    """Return title, SI value and kind of at most `max_inputs` inputs of a step.

    Of a sum, terms that are zero are left out, the largest come first, and a last one has the sum
    of the others: they add up to the step.
    """
    step = found.trace[id]
    titles = (number.title for number in _inputs(step, "si"))
    inputs = [
        (title, value, kind)
        for title, (_, value, kind, _) in zip(titles, step.inputs, strict=True)
        if value or step.how != "summed"
    ]
    if step.how == "summed":
        inputs.sort(key=lambda term: abs(term[1]), reverse=True)
    if step.how != "summed" or len(inputs) <= max_inputs:
        return tuple(inputs[:max_inputs])
    others = inputs[max_inputs - 1 :]
    rest = sum(value for _, value, _ in others)
    return (*inputs[: max_inputs - 1], (f"Other terms ({len(others)})", rest, step.kind))


def _of_step(found: Known, step: Step, system: System) -> Why:
    refuse_other_values(found.trace, step)
    choice = _choice(found, step)
    return Why(
        step.id,
        title_of(step.id),
        show_exact(step.value, step.kind, system),
        step.how,
        _reason(step.because, choice),
        _source_texts(step.source),
        step.equation,
        tuple(_inputs(step, system)),
        tuple(_uses(found.trace, step.id, system)),
        found.ledger.get(step.id),
        choice=choice,
    )


def _reason(because: str, choice: Selection[object] | None) -> str:
    """Return a reason in words, without the candidates that are listed as a table."""
    if choice is not None:
        because = because.replace(choice.because, f"by {choice.criterion}")
    return printed_text(because)


def _choice(found: Known, step: Step) -> Selection[object] | None:
    """Return the candidates of a selected size, also for its number of units; None without."""
    for one in found.choices:
        if one.because in step.because:
            return one
    if step.kind != "count":
        return None
    sizes = (found.trace[ref] for *_, ref in step.inputs if ref in found.trace)
    return next((choice for size in sizes if (choice := _choice(found, size))), None)


def _inputs(step: Step, system: System) -> Iterator[RelatedNumber]:
    meanings = step.equation.meanings if step.equation is not None else {}
    for name, value, kind, ref in step.inputs:
        meaning = meanings.get(name, "").rstrip(".") or name.replace("_", " ")
        argument = name if step.equation is not None else ""
        yield RelatedNumber(
            title_of(ref) if ref else meaning, show_exact(value, kind, system), ref, argument
        )


def _uses(trace: Trace, id: str, system: System) -> Iterator[RelatedNumber]:
    for step in trace:
        if any(ref == id for *_, ref in step.inputs):
            yield RelatedNumber(
                title_of(step.id), show_exact(step.value, step.kind, system), step.id
            )


def _source_texts(source: Source) -> tuple[str, ...]:
    """Return a source with its clause, and in full if in the reference data."""
    if source == DERIVED:
        return ("Derived from definitions",)
    entry = sources().get(source.id)
    return (str(source),) if entry is None else (str(source), str(entry))


def finding_rows(checks: Sequence[Check], system: System) -> list[tuple[str, str, str]]:
    """Return subject, verdict and finding of each check."""
    return [
        (
            check.about(),
            check.severity.value if check.failed else check.outcome.value,
            check.found(system),
        )
        for check in checks
    ]
