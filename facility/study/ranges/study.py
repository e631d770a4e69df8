"""The year of a design over the ranges of its inputs, equipment as designed or designed anew."""

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
from facility.study.overrides import input_of
from facility.study.ranges.draw import SAMPLES, SOBOL_SAMPLES, Method, draw, values
from facility.study.ranges.influence import figures, matters, moves_nothing
from facility.study.ranges.result import PARTS, RangesStudy
from facility.study.ranges.sample import as_built, with_inputs
from facility.study.rules import RULES

_WORDS = {"memory": "recalled", "secondary": "from a second source"}
_OF_OTHERS = ("derivation", "project")
"""Sources of what follows from other inputs: those are spread, not what follows."""
_NO_PART = ("temperature", "count", "degrees", "frequency", "line_voltage")
"""Kinds of which no part can be taken, without a zero of their own, whole or of standard steps."""


def tolerated(nominal: Design, stated: Sequence[Ranged]) -> tuple[Ranged, ...]:
    """Return the assumptions that the project gives a tolerance, each spread evenly about itself.

    The tolerance is a part of the value, cut off at the bounds of the field. An assumption that
    has a range of its own, that no input replaces, that follows from other inputs, that is a
    criterion, or that is a temperature, a count or a nominal voltage has none.

    nominal: The design, with its ledger and ``tolerances`` of its project.
    stated: Inputs that have a range of their own.
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
    """Yield the input of an assumption with its spread, where it has one."""
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
    least, most = bounds(field, one.kind)
    ends = sorted((one.value * (1.0 - part), one.value * (1.0 + part)))
    low, high = max(ends[0], least), min(ends[1], most)
    if low < high:
        how = _WORDS.get(one.source.verified, one.source.verified)
        words = f"{field.declared.meaning}; assumed, {how}, within {part:.3g} of itself"
        yield Ranged(path, words, Spread("uniform", one.kind, low, high, one.value))


Progress = Callable[[int, int], None]
"""Called with the runs done and all runs."""


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
    """Return how far the results of the year move over the ranges of the inputs.

    The ranges are those of the project (``ranges``). Each sample runs the equipment as designed;
    what it changes is how that runs. One seed gives the same bytes each time.

    Parameters
    ----------
    of : Project or Design
        The design, or the project of it.
    samples : int, optional
        Samples, 1,000 where none are given. With ``"sobol"`` base points, a power of two, 256
        where none are given; each takes a run for each input and two more.
    seed : int
        What the draws start from.
    method : {"lhs", "mc", "sobol"}
        Latin hypercube, Monte Carlo, or the points of Sobol indices for up to six inputs.
    resize : bool
        Design each sample anew instead.
    progress : callable, optional
        Called with the runs done and all runs.
    cancel : callable, optional
        Asked before each run; true ends the study.

    Raises
    ------
    FacilityError
        ``RANGE_NONE`` without ranges, ``RANGE_EQUIPMENT`` where samples ask for other equipment,
        ``RANGE_SAMPLES``, ``RANGE_SOBOL``, ``RANGE_CANCELLED``, ``NO_SWEEP_EXTRA``,
        ``WEATHER_SITE`` without a year of hours.

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
        raise _none("no input of the project has a range, and no assumption a tolerance.")
    if samples is None:
        samples = SOBOL_SAMPLES if method == "sobol" else SAMPLES
    whole = 2 * len(inputs) + len(draw(method, samples, len(inputs), seed))
    runs = _Runs(nominal, inputs, resize, whole, progress, cancel)
    inputs, alone = runs.tolerating([runs.alone(place) for place in range(len(stated))])
    if not inputs:
        raise _none("no assumption that has a tolerance moves a result of the year.")
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
    hint = "Give at least one: ranges: [{field: site.tariff, range: 0.04 .. 0.06 USD/kWh}]."
    return FacilityError("RANGE_NONE", "ranges", words, hint)


_Outcome = Mapping[str, float]
_Carried = dict[str, float]
_Ends = Sequence[tuple[_Outcome, _Outcome]]
_METHODS = {
    "lhs": "of a Latin hypercube",
    "mc": "drawn at random",
    "sobol": "of the scheme of Sobol indices",
}


def _title(nominal: Design, runs: int, method: Method, seed: int, resize: bool) -> str:
    how = "each designed anew" if resize else "equipment as designed"
    return f"{nominal.facility.site.place}, {runs:,} samples {_METHODS[method]}, seed {seed}, {how}"


@dataclass
class _Runs:
    """Runs samples, one year at a time, and keeps of each what it comes to.

    The hours of one sample are the block that is calculated at once: more of them take no less
    time each, and their arrays more memory than the caches hold.
    """

    design: Design
    inputs: Sequence[Ranged]
    resize: bool
    whole: int  # Runs there will be
    progress: Progress | None
    cancel: Callable[[], bool] | None
    nominal: dict[str, Value] = field(default_factory=dict)
    kinds: dict[str, str] = field(default_factory=dict)  # Of the results that any run has
    refused: dict[int, FacilityError] = field(default_factory=dict)  # Samples, by their place
    carried: list[dict[str, float]] = field(default_factory=list)  # Loadings of the samples
    # Assumptions whose tolerance was left out, by the reason.
    left: dict[str, list[str]] = field(default_factory=dict)
    done: int = 0
    _samples: int = 0

    def __post_init__(self) -> None:
        year = annual(self.design)
        self.nominal = self._results(year)
        self._built = self.design if self.resize else as_built(self.design)
        self._typed = {k: v for k, v in as_typed(self._built.project).items() if k != "ranges"}
        self.carried_nominal = _carried(year)

    def alone(self, place: int) -> tuple[_Outcome, _Outcome]:
        """Return the results with one input alone at its p5 and its p95."""
        spread = self.inputs[place].spread
        ends = [self._run({place: spread.at(part)})[0] for part in (PARTS[0], PARTS[-1])]
        return ends[0], ends[1]

    def tolerating(self, alone: _Ends) -> tuple[tuple[Ranged, ...], _Ends]:
        """Keep the assumptions that move a result; return all inputs kept with their ends.

        `alone` are the results with each of the first inputs, that the project spreads itself.
        """
        kept, ends = list(self.inputs[: len(alone)]), list(alone)
        for place in range(len(alone), len(self.inputs)):
            found, reason = None, "decide equipment"
            try:
                found = self.alone(place)
            except FacilityError as error:
                if error.code != "RANGE_EQUIPMENT":
                    raise
            if found is not None:
                still = all(found) and moves_nothing(found, self.nominal)
                reason = "move no result" if still else "" if all(found) else "are refused"
            if found is None or reason:
                self.left.setdefault(reason, []).append(self.inputs[place].path)
            else:
                kept.append(self.inputs[place])
                ends.append(found)
        self.inputs = tuple(kept)
        return tuple(kept), ends

    def of(self, at: Mapping[int, float]) -> _Outcome:
        """Return the results of a sample: values by the place of their inputs."""
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
        """Return the amounts of a year; a price that is spread brings some of its own."""
        found = {key: value for key, value in year.results.items() if _measured(key, value)}
        self.kinds |= {key: value.kind for key, value in found.items() if key not in self.kinds}
        return found

    def _sample(self, at: Mapping[int, float]) -> Design:
        """Return the design of a sample, the project changed as a file would be."""
        document = deepcopy(self._typed)
        for place, value in at.items():
            ranged = self.inputs[place]
            if self.resize or ranged.path not in BOUNDS:
                put(document, ranged.path, ranged.spread.typed(value))
        project = read_document(document, self.design.project.site.folder)
        return design(project) if self.resize else with_inputs(self._built, project)


def _carried(year: AnnualStudy) -> _Carried:
    return {each.name: each.load for each in year.carried}


def _measured(key: str, value: Value) -> bool:
    """Return whether a result is an amount; the number of an hour is none."""
    return bool(value.kind) and not isinstance(value.si, str | bool) and not key.endswith(".hour")


def _by_key(outcomes: Sequence[_Outcome], nominal: Mapping[str, Value]) -> dict[str, FloatArray]:
    """Return the results by key; those that not every sample has are left out."""
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
            "alone from its p5 to its p95" if moved else "no result moves from its p5 to its p95"
        )
        yield RULES["RANGE-MOVES"].verdict(ranged.path, moved, words)
    if runs.carried:
        for name, was in runs.carried_nominal.items():
            at = [carried.get(name, 0.0) for carried in runs.carried]
            passed, most = sum(x > OVER for x in at), max(at)
            words = (
                f"{passed:,} of {samples:,} samples beyond it, at most {most:.1%}; "
                f"the design as it stands {was:.1%}"
            )
            yield RULES["RANGE-BUILT"].verdict(name, passed == 0, words)
    for reason, paths in runs.left.items():
        words = f"{len(paths)} {reason} and stay as they are: {', '.join(paths)}"
        yield RULES["RANGE-TOLERANCE"].verdict(reason, reason == "move no result", words)
    codes = Counter(error.code for error in runs.refused.values())
    for code, count in codes.items():
        first = next(error for error in runs.refused.values() if error.code == code)
        yield RULES["RANGE-REFUSED"].verdict(
            code, False, f"{count:,} of {samples:,} samples: {first}"
        )
    if not codes:
        yield RULES["RANGE-REFUSED"].verdict("samples", True, f"all {samples:,} samples were run")
