"""The calculation trace: derivation of each number by result id.

Design functions receive a `Trace` and name each step; later steps refer to earlier ones by id, so
that ``explain`` can print the whole tree. There is no global trace.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from copy import copy
from dataclasses import dataclass, field
from functools import lru_cache, wraps
from typing import Any, TypeVar, cast

from facility.core.check import Check
from facility.core.equation import AnyEquation
from facility.core.errors import FacilityError, unknown
from facility.core.kinds import KINDS, Numeric
from facility.core.ledger import Ledger
from facility.core.sources import DERIVED, PROJECT, Source
from facility.core.table import Value
from facility.core.views import System, printed_text, show_exact

N = TypeVar("N", bound=Numeric)
F = TypeVar("F", bound=Callable[..., object])


@dataclass(frozen=True)
class Step:
    """One step: a given, an assumption, a choice, or an equation applied."""

    id: str  # Result id, e.g. "ups.loading_normal"
    how: str  # `given`, `assumed`, `chosen`, `computed`, `summed` or `derived`
    value: float  # SI value
    kind: str  # Kind of quantity
    source: Source  # Where the value or the formula is from
    because: str = ""  # Reason or basis, in words
    equation: AnyEquation | None = None  # The equation applied
    # (argument or label, SI value, kind, id of the step it came from or "").
    inputs: tuple[tuple[str, float, str, str], ...] = ()

    @property
    def origin(self) -> str:
        """Type of the step in words."""
        return {"given": "input", "chosen": "selected"}.get(self.how, self.how)


class Trace:
    """Record of the steps of one design.

    ledger: The assumption ledger that `assume` writes to.
    """

    def __init__(self, ledger: Ledger | None = None) -> None:
        self.ledger = ledger if ledger is not None else Ledger()
        self._steps: dict[str, Step] = {}

    def __iter__(self) -> Iterator[Step]:
        """Iterate over the steps in the order of their last recording."""
        return iter(self._steps.values())

    def draft(self) -> Trace:
        """Return an independent copy, for a study or for a pass that may be repeated."""
        found = copy(self)
        found.ledger, found._steps = copy(self.ledger), dict(self._steps)
        return found

    def joined(self, drafts: Iterable[Trace]) -> Trace:
        """Return a copy with the steps that `drafts` of this trace have recorded since."""
        found = self.draft()
        for draft in drafts:
            found._steps |= draft._steps
        return found

    def __contains__(self, id: str) -> bool:
        return id in self._steps

    def __getitem__(self, id: str) -> Step:
        if id not in self._steps:
            raise unknown("UNKNOWN_RESULT", id, "no such result.", id, self._steps)
        return self._steps[id]

    def value(self, id: str) -> float:
        """Return the SI value of the step `id`."""
        return self[id].value

    def link(self, id: str, value: N) -> N | str:
        """Return `id` if its step has exactly this `value`, as a reference; else `value`."""
        return id if id in self and self.value(id) == value else value

    def _value_as(self, id: str, kind: str) -> float:
        step = self[id]
        if kind and step.kind != kind and KINDS[step.kind].si != KINDS[kind].si:
            raise TypeError(f"{id} is of kind {step.kind}, not {kind}")
        return step.value

    def record(self, step: Step) -> float:
        """Record a step as it is, the last of its id; return its value."""
        self._steps.pop(step.id, None)
        self._steps[step.id] = step
        return step.value

    def take(self, other: Trace) -> None:
        """Append the steps and assumptions of another trace."""
        for step in other:
            self.record(step)
        self.ledger.take(other.ledger)

    def given(self, id: str, value: float, kind: str, source: Source, because: str = "") -> float:
        """Record a value from the project or the catalogue; return it.

        A project value replacing an assumption is in the ledger with its reason.
        """
        if source == PROJECT:
            because = self.ledger.given(id, float(value), kind) or because
        return self.record(Step(id, "given", float(value), kind, source, because))

    def assume(self, id: str, value: float, kind: str, basis: str, source: Source) -> float:
        """Record a default, in the trace and in the assumption ledger; return it."""
        self.ledger.add(id, value, kind, basis, source)
        return self.record(Step(id, "assumed", float(value), kind, source, basis))

    def choose(
        self, id: str, value: float, kind: str, because: str, source: Source, **inputs: str
    ) -> float:
        """Record a choice (a count, a size) with its reason; `inputs` name earlier steps."""
        refs = tuple((n, self.value(ref), self[ref].kind, ref) for n, ref in inputs.items())
        return self.record(Step(id, "chosen", float(value), kind, source, because, None, refs))

    def derive(self, id: str, value: float, kind: str, because: str, **inputs: str) -> float:
        """Record a value derived from earlier steps, as described by `because`."""
        refs = tuple((n, self.value(ref), self[ref].kind, ref) for n, ref in inputs.items())
        step = Step(id, "derived", float(value), kind, DERIVED, because, None, refs)
        return self.record(step)

    def do(
        self, id: str, equation: AnyEquation, because: str = "", /, **arguments: Numeric | str
    ) -> Any:
        """Apply `equation` and record the step.

        id: Result id. A tuple result records ``id`` for its first part and ``id.1``, ... for the
            others.
        equation: What to apply.
        because: Remark shown with the step.
        **arguments: Each argument by name: an SI float, or the id of an earlier step.

        Returns
        -------
        float or tuple of float
            Result of ``equation.si``.

        Raises
        ------
        TypeError
            For a wrong argument name, and for an earlier step whose kind has another unit than
            the argument (an apparent power for an active one).
        """
        plain: dict[str, Numeric] = {}
        inputs = []
        for name, argument in arguments.items():
            kind = equation.arguments.get(name, "")
            ref = argument if isinstance(argument, str) else ""
            plain[name] = self._value_as(ref, kind) if isinstance(argument, str) else argument
            inputs.append((name, float(plain[name]), kind, ref))
        result = equation.si(**plain)
        parts = result if isinstance(result, tuple) else (result,)
        for index, (part, kind) in enumerate(zip(parts, equation.returns, strict=True)):
            part_id = id if index == 0 else f"{id}.{index}"
            self.record(
                Step(
                    part_id,
                    "computed",
                    float(part),
                    kind,
                    equation.source,
                    because,
                    equation,
                    tuple(inputs),
                )
            )
        return result

    def sum(self, id: str, kind: str, because: str, *terms: str) -> float:
        """Record the sum of the earlier steps named, all of the unit of `kind`; return it."""
        return self.add(id, kind, because, {n: self._value_as(n, kind) for n in terms})

    def add(self, id: str, kind: str, because: str, terms: Mapping[str, float]) -> float:
        """Record the sum of named values, with references to their steps; return it."""
        inputs = tuple((n, v, kind, n if self.link(n, v) == n else "") for n, v in terms.items())
        total = _total(terms)
        return self.record(Step(id, "summed", total, kind, DERIVED, because, None, inputs))


def _total(terms: Mapping[str, float]) -> float:
    """Return the sum of the values; `sum` alone begins with 0, one more pass over arrays."""
    values = iter(terms.values())
    return sum(values, next(values, 0.0))


class Quiet(Trace):
    """A trace that keeps only the numbers: for a trial, or for many hours at once.

    The same code runs with a `Trace`, which records the derivation, and with this one. Numbers are
    typed as floats as in `Trace`, and may be arrays of hours. `value` reads them; there are no
    steps to iterate over, or to get by ``[id]``.
    """

    def __init__(self, **numbers: float) -> None:
        """Start with the steps `numbers`, which later ones may name."""
        super().__init__()
        self._numbers = numbers

    def __contains__(self, id: str) -> bool:
        return id in self._numbers

    def __iter__(self) -> Iterator[Step]:
        return iter(())

    def value(self, id: str) -> float:
        """Return the SI value of the step `id`."""
        return self._numbers[id]

    def link(self, id: str, value: N) -> N:
        """Return `value` without a link to a step."""
        return value

    def _keep(self, id: str, value: float, *_: object, **__: object) -> float:
        self._numbers[id] = value
        return value

    given = choose = derive = assume = _keep

    def do(
        self, id: str, equation: AnyEquation, because: str = "", /, **arguments: Numeric | str
    ) -> float | tuple[float, ...]:
        """Apply `equation` and record its result, or its parts."""
        numbers = self._numbers
        result: float | tuple[float, ...] = equation.si(
            **{name: numbers[x] if isinstance(x, str) else x for name, x in arguments.items()}
        )
        if isinstance(result, tuple):
            numbers.update({f"{id}.{index}": part for index, part in enumerate(result)})
        numbers[id] = result[0] if isinstance(result, tuple) else result
        return result

    def add(self, id: str, kind: str, because: str, terms: Mapping[str, float]) -> float:
        """Keep the sum of the values and return it."""
        self._numbers[id] = total = _total(terms)
        return total

    def _value_as(self, id: str, kind: str) -> float:
        return self._numbers[id]


class _Silent(Quiet):
    """Trace that records nothing, for code without references to steps; shared by threads."""

    def do(
        self, id: str, equation: AnyEquation, because: str = "", /, **arguments: Numeric | str
    ) -> float | tuple[float, ...]:
        """Apply `equation`."""
        found: float | tuple[float, ...] = equation.si(**arguments)
        return found

    def add(self, id: str, kind: str, because: str, terms: Mapping[str, float]) -> float:
        """Return the sum of the values."""
        return _total(terms)

    def _keep(self, id: str, value: float, *_: object, **__: object) -> float:
        return value

    given = choose = derive = assume = _keep


SILENT: Trace = _Silent()


def cached_with_trace(maximum: int) -> Callable[[F], F]:
    """Cache the last `maximum` results of a function of values and, as last argument, a trace.

    Where its values are equal to those of an earlier call, the result is that one, and the steps
    and assumptions of that call are recorded in the trace. The function must refer to no step that
    it has not recorded itself, and its result must not be modified.
    """

    def decorate(function: F) -> F:
        @lru_cache(maximum)
        def found(stated: Any, *values: object) -> tuple[object, Trace]:
            confirmed, reasons = stated
            trace = Trace(Ledger(confirmed, dict(reasons)))
            return function(*values, trace), trace

        @wraps(function)
        def cached(*values: Any) -> object:
            *of, trace = values
            result, steps = found(trace.ledger.stated, *of)
            trace.take(steps)
            return result

        return cast(F, cached)

    return decorate


def explain(
    trace: Trace, id: str, system: System = "si", formula: Callable[[str], str] = str
) -> list[str]:
    """Return the derivation tree of the result `id` as lines of text.

    Each step shows its formula, the numbers with units, the result and its source; a step that
    has been shown already is referred to, not repeated. Numbers have the digits it takes to
    compute them again by hand.

    formula: Turns a formula, written in LaTeX, into what is shown.

    Raises ``UNKNOWN_RESULT`` with near matches; ``DERIVATION_DIFFERS`` (exit code 1) for a step
    whose input has been recorded again with another value.
    """
    lines: list[str] = []
    for step, depth, again in derivation(trace, id):
        found = _step_lines(trace, step, system, again, formula)
        lines.extend("  " * depth + printed_text(line) for line in found)
    return lines


def derivation(trace: Trace, id: str) -> Iterator[tuple[Step, int, bool]]:
    """Yield the steps of the result `id`, itself first, with depth and whether it is repeated.

    The inputs of a repeated step are not yielded again. Raises ``UNKNOWN_RESULT``.
    """
    seen: set[str] = set()
    waiting = [(trace[id], 0)]
    while waiting:
        step, depth = waiting.pop()
        again = step.id in seen
        yield step, depth, again
        if not again:
            seen.add(step.id)
            refs = [ref for _, _, _, ref in step.inputs if ref]
            waiting.extend((trace[ref], depth + 1) for ref in reversed(refs))


def _step_lines(
    trace: Trace, step: Step, system: System, again: bool, formula: Callable[[str], str]
) -> list[str]:
    result = f"{step.id} = {show_exact(step.value, step.kind, system)}"
    if again:
        return [f"{result}  ({step.origin}, shown above)"]
    lines = [f"{result}  ({step.origin})"]
    if step.equation is not None:
        lines.append(f"  {formula(step.equation.statement)}")
    if step.how == "summed":
        lines.append("  = " + (" + ".join(name for name, *_ in step.inputs) or "0, no parts"))
    if step.inputs:
        numbers = ", ".join(f"{n} = {show_exact(v, k, system)}" for n, v, k, _ in step.inputs)
        lines.append(f"  with {numbers}")
    if step.because:
        lines.append(f"  {step.because}")
    lines.append(f"  source: {step.source}")
    refuse_other_values(trace, step)
    return lines


def refuse_other_values(trace: Trace, step: Step) -> None:
    """Raise if an input of a step was recorded again with another value.

    Raises ``DERIVATION_DIFFERS``, a defect of the program (exit code 1).
    """
    for name, value, _, ref in step.inputs:
        if ref and trace[ref].value != value:
            raise FacilityError(
                "DERIVATION_DIFFERS",
                step.id,
                f"its {name} is {value!r}, but {ref} is derived as {trace[ref].value!r}.",
                "This is a defect in facility: please report it with the project file.",
            )


@dataclass
class Findings:
    """What a study collects: results by key, each number a step of the trace, and checks."""

    trace: Trace
    results: dict[str, Value] = field(default_factory=dict)
    checks: list[Check] = field(default_factory=list)

    def note(self, key: str, value: float, kind: str, because: str, **inputs: str) -> float:
        """Record a number derived as described by `because`; `inputs` name existing steps."""
        known = {name: ref for name, ref in inputs.items() if ref in self.trace}
        self.trace.derive(key, value, kind, because, **known)
        self.results[key] = Value(float(value), kind, because)
        return float(value)

    def do(
        self, key: str, equation: AnyEquation, basis: str = "", /, **arguments: Numeric | str
    ) -> float:
        """Apply an equation and record its result."""
        value = float(self.trace.do(key, equation, basis, **arguments))
        self.results[key] = Value(value, equation.returns[0], basis)
        return value

    def sum(self, key: str, kind: str, because: str, *terms: str) -> float:
        """Record the sum of the earlier steps named."""
        total = self.trace.sum(key, kind, because, *terms)
        self.show(key)
        return total

    def show(self, key: str, basis: str = "") -> None:
        """Take an earlier step as a result."""
        step = self.trace[key]
        self.results[key] = Value(step.value, step.kind, basis or step.because)

    def text(self, key: str, words: str) -> None:
        """Record a result in words."""
        self.results[key] = Value(words)
