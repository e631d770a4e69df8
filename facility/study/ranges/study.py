"""Annual results over the ranges of the inputs, equipment as designed or resized."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, field

import numpy as np

from facility.core.check import Check
from facility.core.errors import FacilityError
from facility.core.kinds import FloatArray
from facility.core.ledger import OVERRIDDEN, Assumption
from facility.core.parse import Measured
from facility.core.rounding import OVER
from facility.core.table import Value
from facility.model.inputs.change import put
from facility.model.inputs.document import Project, as_typed, read_document
from facility.model.inputs.entries import field_at
from facility.model.inputs.ranges import Ranged, Spread, bounds
from facility.study.annual.result import AnnualStudy
from facility.study.annual.study import annual
from facility.study.as_built import BOUNDS
from facility.study.design.design import Design, design
from facility.study.equipped import equipped
from facility.study.overrides import input_of
from facility.study.ranges.draw import SAMPLES, SOBOL_SAMPLES, Method, draw, values
from facility.study.ranges.influence import figures, matters, moves_nothing
from facility.study.ranges.result import PARTS, RangesStudy
from facility.study.ranges.sample import as_built, with_inputs
from facility.study.rules import RULES

_WORDS = {"memory": "unverified", "secondary": "from a secondary source"}
_OF_OTHERS = ("derivation", "project")
"""Sources of derived values: their inputs are varied instead."""
_NO_PART = ("temperature", "count", "degrees", "frequency", "line_voltage")
"""Quantity kinds without a relative tolerance: no absolute zero, integer, or standard steps."""


def tolerated(nominal: Design, stated: Sequence[Ranged]) -> tuple[Ranged, ...]:
    """Return the assumptions with a tolerance in the project, with uniform distributions.

    The tolerance is relative, limited to the bounds of the field. It does not apply to an
    assumption with its own range, without an input, derived from other inputs, or to a criterion,
    temperature, count or nominal voltage.

    nominal: The design, with its ledger and ``tolerances`` of its project.
    stated: Inputs with their own range.
    """
    section = nominal.project.tolerances
    if section is None:
        return ()
    marks: Mapping[str, Measured | None] = {
        "read": section.read,
        "computed": section.computed,
        "secondary": section.secondary,
        "memory": section.memory,
    }
    taken = {ranged.path for ranged in stated}
    found: dict[str, Ranged] = {}
    for one in nominal.ledger:
        tolerance = marks.get(one.source.verified)
        if tolerance is not None:
            for ranged in _spread(one, float(tolerance.si)):
                if ranged.path not in taken:
                    found.setdefault(ranged.path, ranged)
    return tuple(found.values())


def _spread(one: Assumption, part: float) -> Iterator[Ranged]:
    """Yield the input of an assumption with its distribution, if it has one."""
    path = input_of(one.id)
    field = field_at(path) if path else None
    if (
        field is None
        or not one.value
        or one.kind in _NO_PART
        or one.status == OVERRIDDEN
        or one.source.id in _OF_OTHERS
        or path.startswith("criteria.")
    ):
        return
    minimum, maximum = bounds(field, one.kind)
    ends = sorted((one.value * (1.0 - part), one.value * (1.0 + part)))
    low, high = max(ends[0], minimum), min(ends[1], maximum)
    if low < high:
        how = _WORDS.get(one.source.verified, one.source.verified)
        words = f"{field.declared.meaning}; assumed, {how}, within ±{100.0 * part:.3g} %"
        yield Ranged(path, words, Spread("uniform", one.kind, low, high, one.value))


_NO_EFFECT = "no effect on results"
Progress = Callable[[int, int], None]
"""Called with the runs done and all runs."""


@equipped
def ranges(
    of: Project | Design,
    samples: int | None = None,
    seed: int = 1,
    method: Method = "lhs",
    *,
    resize: bool = False,
    progress: Progress | None = None,
    cancel: Callable[[], bool] | None = None,
) -> RangesStudy:
    """Return the uncertainty of the annual results over the ranges of the inputs.

    The ranges are those of the project (``ranges``). Each sample operates the equipment as
    designed. Equal seeds give identical bytes.

    Parameters
    ----------
    of : Project or Design
        The design, or its project.
    samples : int, optional
        Number of samples, 1,000 by default. With ``"sobol"``, number of base points, a power of
        two, 256 by default; each needs one run per input and two more.
    seed : int
        Random seed.
    method : {"lhs", "mc", "sobol"}
        Latin hypercube, Monte Carlo, or the points of Sobol indices for up to six inputs.
    resize : bool
        Resize each sample instead.
    progress : callable, optional
        Called with the numbers of completed and of all runs.
    cancel : callable, optional
        Called before each run; true ends the study.

    Raises
    ------
    FacilityError
        ``RANGE_NONE`` without ranges, ``RANGE_EQUIPMENT`` if samples require different equipment,
        ``RANGE_SAMPLES``, ``RANGE_SOBOL``, ``RANGE_CANCELLED``, ``NO_SWEEP_EXTRA``,
        ``WEATHER_SITE`` without a weather year.

    Examples
    --------
    >>> import facility
    >>> few = {"schema_version": 1, "it": {"gpu_model": "H100 SXM5", "gpus": 64},
    ...        "ranges": [{"field": "site.tariff", "range": "0.04 .. 0.06 USD/kWh"}]}
    >>> found = facility.ranges(facility.project(few), samples=4)
    >>> found.samples
    4
    """
    nominal = of if isinstance(of, Design) else design(of)
    stated = nominal.project.spread
    inputs = (*stated, *tolerated(nominal, stated))
    if not inputs:
        raise _none("no input of the project has a range, and no assumption has a tolerance.")
    if samples is None:
        samples = SOBOL_SAMPLES if method == "sobol" else SAMPLES
    whole = 2 * len(inputs) + len(draw(method, samples, len(inputs), seed))
    runs = _Runs(nominal, inputs, resize, whole, progress, cancel)
    inputs, alone = runs.tolerating([runs.alone(index) for index in range(len(stated))])
    if not inputs:
        raise _none("no assumption with a tolerance affects an annual result.")
    drawn = values(draw(method, samples, len(inputs), seed), inputs)
    outcomes = [runs.of(dict(enumerate(row))) for row in drawn]
    if len(runs.refused) == len(outcomes):
        raise next(iter(runs.refused.values()))
    found = _by_key(outcomes, runs.nominal)
    sobol_seed = seed if method == "sobol" else None
    return RangesStudy(
        method=method,
        seed=seed,
        resized=resize,
        inputs=inputs,
        nominal=runs.nominal,
        drawn=drawn,
        found=found,
        figures=figures(found, runs.nominal, runs.kinds),
        matters=matters(inputs, drawn, found, runs.kinds, alone, sobol_seed),
        refused=runs.refused,
        checks=tuple(_checks(runs, alone, len(drawn))),
        title=_title(nominal, len(drawn), method, seed, resize),
    )


def _none(words: str) -> FacilityError:
    hint = "Specify at least one: ranges: [{field: site.tariff, range: 0.04 .. 0.06 USD/kWh}]."
    return FacilityError("RANGE_NONE", "ranges", words, hint)


_Outcome = Mapping[str, float]
_Carried = dict[str, float]
_Ends = Sequence[tuple[_Outcome, _Outcome]]
_METHODS = {"lhs": "(Latin hypercube)", "mc": "(Monte Carlo)", "sobol": "(Sobol indices)"}


def _title(nominal: Design, runs: int, method: Method, seed: int, resize: bool) -> str:
    how = "each resized" if resize else "equipment as designed"
    where = nominal.facility.site.year_location
    return f"{where}; {runs:,} samples {_METHODS[method]}, seed {seed}, {how}"


@dataclass
class _Runs:
    """Run samples, one annual simulation at a time, and store the results of each.

    The hours of one sample are calculated as one block: larger blocks are no faster per sample, and
    their arrays exceed the processor caches.
    """

    design: Design
    inputs: Sequence[Ranged]
    resize: bool
    whole: int  # Total number of runs
    progress: Progress | None
    cancel: Callable[[], bool] | None
    nominal: dict[str, Value] = field(default_factory=dict)
    kinds: dict[str, str] = field(default_factory=dict)  # Kinds of the results of any run
    refused: dict[int, FacilityError] = field(default_factory=dict)  # Failed samples, by index
    carried: list[dict[str, float]] = field(default_factory=list)  # Peak loadings of the samples
    # Assumptions not varied, by reason.
    left: dict[str, list[str]] = field(default_factory=dict)
    done: int = 0
    _samples: int = 0

    def __post_init__(self) -> None:
        year = annual(self.design)
        self.nominal = self._results(year)
        self._built = self.design if self.resize else as_built(self.design)
        self._typed = {k: v for k, v in as_typed(self._built.project).items() if k != "ranges"}
        self.carried_nominal = _carried(year)

    def alone(self, index: int) -> tuple[_Outcome, _Outcome]:
        """Return the results with only one input at its p5 and at its p95."""
        spread = self.inputs[index].spread
        ends = [self._run({index: spread.at(part)})[0] for part in (PARTS[0], PARTS[-1])]
        return ends[0], ends[1]

    def tolerating(self, alone: _Ends) -> tuple[tuple[Ranged, ...], _Ends]:
        """Retain the assumptions that affect a result; return all varied inputs and end results.

        `alone` are the end results of the first inputs, varied by the project itself.
        """
        varied, ends = list(self.inputs[: len(alone)]), list(alone)
        for index in range(len(alone), len(self.inputs)):
            found, reason = None, "decide equipment"
            try:
                found = self.alone(index)
            except FacilityError as error:
                if error.code != "RANGE_EQUIPMENT":
                    raise
            if found is not None:
                still = all(found) and moves_nothing(found, self.nominal)
                reason = _NO_EFFECT if still else "" if all(found) else "rejected at an end"
            if found is None or reason:
                self.left.setdefault(reason, []).append(self.inputs[index].path)
            else:
                varied.append(self.inputs[index])
                ends.append(found)
        self.inputs = tuple(varied)
        return tuple(varied), ends

    def of(self, at: Mapping[int, float]) -> _Outcome:
        """Return the results of a sample; `at` has values by index of their inputs."""
        outcome, error, carried = self._run(at)
        if error is not None:
            self.refused[self._samples] = error
        else:
            self.carried.append(carried)
        self._samples += 1
        return outcome

    def _run(self, at: Mapping[int, float]) -> tuple[_Outcome, FacilityError | None, _Carried]:
        if self.cancel is not None and self.cancel():
            raise FacilityError(
                "RANGE_CANCELLED",
                "ranges",
                f"cancelled after {self.done:,} of {self.whole:,} runs.",
            )
        try:
            sample = self._sample(at)
            year = annual(sample)
        except FacilityError as error:
            if error.exit_code == 1 or error.code == "RANGE_EQUIPMENT":
                raise
            return {}, error, {}
        finally:
            self.done += 1
            if self.progress is not None:
                self.progress(self.done, self.whole)
        outcome = {key: float(value.si) for key, value in self._results(year).items()}
        return outcome, None, {} if self.resize else _carried(year)

    def _results(self, year: AnnualStudy) -> dict[str, Value]:
        """Return the quantities of a year; a varied price adds some."""
        found = {key: value for key, value in year.results.items() if _measured(key, value)}
        self.kinds |= {key: value.kind for key, value in found.items() if key not in self.kinds}
        return found

    def _sample(self, at: Mapping[int, float]) -> Design:
        """Return the design of a sample, with the project edited like a file."""
        document = deepcopy(self._typed)
        for index, value in at.items():
            ranged = self.inputs[index]
            if self.resize or ranged.path not in BOUNDS:
                put(document, ranged.path, ranged.spread.typed(value))
        project = read_document(document, self.design.project.site.folder)
        return design(project) if self.resize else with_inputs(self._built, project)


def _carried(year: AnnualStudy) -> _Carried:
    return {each.name: each.load for each in year.peak_loads}


def _measured(key: str, value: Value) -> bool:
    """Return whether a result is a quantity; an hour number is not."""
    return bool(value.kind) and not isinstance(value.si, str | bool) and not key.endswith(".hour")


def _by_key(outcomes: Sequence[_Outcome], nominal: Mapping[str, Value]) -> dict[str, FloatArray]:
    """Return the results by key; results missing in any sample are omitted."""
    run = [outcome for outcome in outcomes if outcome]
    return {
        key: np.array([outcome.get(key, np.nan) for outcome in outcomes])
        for key in dict.fromkeys((*nominal, *(run[0] if run else ())))
        if all(key in outcome for outcome in run)
    }


def _checks(
    runs: _Runs, alone: Sequence[tuple[_Outcome, _Outcome]], samples: int
) -> Iterator[Check]:
    for ranged, ends in zip(runs.inputs, alone, strict=True):
        moved = not moves_nothing(ends, runs.nominal)
        words = (
            "results change between its p5 and p95"
            if moved
            else "no result changes between its p5 and p95"
        )
        yield RULES["RANGE-MOVES"].verdict(ranged.path, moved, words)
    if runs.carried:
        for name, was in runs.carried_nominal.items():
            at = [carried.get(name, 0.0) for carried in runs.carried]
            passed, maximum = sum(x > OVER for x in at), max(at)
            words = (
                f"{passed:,} of {samples:,} samples above 100 %, maximum {maximum:.1%}; "
                f"nominal design {was:.1%}"
            )
            yield RULES["RANGE-BUILT"].verdict(name, passed == 0, words)
    for reason, paths in runs.left.items():
        words = f"{len(paths)} assumptions not varied, {reason}: {', '.join(paths)}"
        yield RULES["RANGE-TOLERANCE"].verdict(reason, reason == _NO_EFFECT, words)
    codes = Counter(error.code for error in runs.refused.values())
    for code, count in codes.items():
        first = next(error for error in runs.refused.values() if error.code == code)
        yield RULES["RANGE-REFUSED"].verdict(
            code, False, f"{count:,} of {samples:,} samples: {first}"
        )
    if not codes:
        yield RULES["RANGE-REFUSED"].verdict("samples", True, f"all {samples:,} samples were run")
