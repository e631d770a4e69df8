"""The ``ranges`` section: uncertain inputs and their distributions."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import Annotated, Literal

from pydantic import BaseModel

from facility.core.errors import FacilityError, unknown
from facility.core.kinds import KINDS
from facility.core.parse import Measured, parse_count, parse_number, parse_quantity
from facility.core.views import show_exact
from facility.model.inputs.change import declared_path, normal_path
from facility.model.inputs.declare import Entry, fields_of, optional, required
from facility.model.inputs.limits import HIGHEST
from facility.model.inputs.scalars import Section, Text, quantity

MAX_RANGES = 50
CUT_SD = 4.0
"""Standard deviations at which a normal distribution is cut off: 6 in 100,000 are outside."""
Form = Literal["uniform", "triangular", "normal"]
_CALL = re.compile(r"(uniform|triangular|normal)\s*\((.{1,160})\)")
_BETWEEN = re.compile(r"(.{1,80}?)\s*\.\.\s*(.{1,80})")
_UNIT = re.compile(r"[^\d.]*\Z")
_DIFFERENCE = {
    "temperature": "temperature_difference",
    "rating_temperature": "temperature_difference",
}
_HINT = (
    "Write '0.92 .. 0.96' or uniform(0.92, 0.96), triangular(low, most likely, high), "
    "normal(mean, standard deviation) or normal(mean, standard deviation, low, high), with units."
)


class RangeSection(Section):
    """Varied input; its project value remains the value of the nominal design."""

    field: Text = required("Input path, as in `--set`")
    range: Text = required(
        "Range or distribution: `a .. b`, `uniform(a, b)`, `triangular(a, likely, b)`, "
        "`normal(mean, sd)`, `normal(mean, sd, a, b)`, units as typed"
    )


_Tolerance = Annotated[Measured, quantity("fraction", above=0.0, maximum=0.5)]


class TolerancesSection(Section):
    """Tolerance of default values, by verification status of their source."""

    read: _Tolerance | None = optional("Tolerance of assumptions with a read source")
    computed: _Tolerance | None = optional("Tolerance of computed assumptions and planning rules")
    secondary: _Tolerance | None = optional("Tolerance of assumptions from a secondary source")
    memory: _Tolerance | None = optional("Tolerance of assumptions from an unverified source")


@dataclass(frozen=True)
class Spread:
    """Distribution of an input, in its SI unit."""

    form: Form
    kind: str  # Kind of the values; ``"count"`` for whole numbers
    low: float  # Lower bound
    high: float  # Upper bound
    centre: float  # Most likely value, or mean of the whole normal distribution
    sd: float = 0.0  # Standard deviation of the whole normal distribution

    def at(self, part: float) -> float:
        """Return the quantile for a probability from 0 to 1."""
        if self.kind == "count":
            return self._whole(part)
        return min(max(self._quantile(part), self.low), self.high)

    def below(self, value: float) -> float:
        """Return the probability of lower values."""
        if value <= self.low:
            return 0.0
        if value >= self.high:
            return 1.0
        width = self.high - self.low
        if self.form == "uniform":
            return (value - self.low) / width
        if self.form == "normal":
            whole, (first, last) = self._normal, self._ends
            return (whole.cdf(value) - first) / (last - first)
        if value <= self.centre:
            return (value - self.low) ** 2 / (width * (self.centre - self.low))
        return 1.0 - (self.high - value) ** 2 / (width * (self.high - self.centre))

    @property
    def _normal(self) -> NormalDist:
        return NormalDist(self.centre, self.sd)

    @property
    def _ends(self) -> tuple[float, float]:
        return self._normal.cdf(self.low), self._normal.cdf(self.high)

    def _quantile(self, part: float) -> float:
        width = self.high - self.low
        if self.form == "uniform":
            return self.low + part * width
        if self.form == "normal":
            first, last = self._ends
            inside = first + part * (last - first)
            return self._normal.inv_cdf(min(max(inside, 1e-16), 1.0 - 1e-16))
        rising = (self.centre - self.low) / width
        if part <= rising:
            return self.low + math.sqrt(part * width * (self.centre - self.low))
        return self.high - math.sqrt((1.0 - part) * width * (self.high - self.centre))

    def _whole(self, part: float) -> float:
        """Return an integer quantile; equal probabilities for a uniform distribution."""
        if self.form == "uniform":
            return min(math.floor(self.low + part * (self.high - self.low + 1.0)), self.high)
        return float(round(self._quantile(part)))

    def shown(self) -> str:
        """Return the distribution as text."""
        low, high, centre = (self.text(x) for x in (self.low, self.high, self.centre))
        if self.form == "uniform":
            return f"uniform, {low} to {high}"
        if self.form == "triangular":
            return f"triangular, {low} to {high}, most likely {centre}"
        sd = show_exact(self.sd, _DIFFERENCE.get(self.kind, self.kind))
        return f"normal, mean {centre}, standard deviation {sd}, cut to {low} to {high}"

    def text(self, value: float) -> str:
        """Return one value as text."""
        return f"{value:g}" if self.kind == "count" else show_exact(value, self.kind)

    def typed(self, value: float) -> str:
        """Return one value as in a project file, at full precision."""
        return f"{value:.0f}" if self.kind == "count" else f"{float(value)!r} {KINDS[self.kind].si}"


@dataclass(frozen=True)
class Ranged:
    """Varied input: path, meaning, and distribution."""

    path: str
    meaning: str
    spread: Spread


def read_ranges(rows: Sequence[RangeSection], project: type[BaseModel]) -> tuple[Ranged, ...]:
    """Return the varied inputs.

    Raises ``UNKNOWN_FIELD``, ``RANGE_FIELD`` for a non-number, ``RANGE_TEXT`` for an invalid
    distribution, ``RANGE_BOUNDS`` outside the bounds of the field, ``RANGE_TWICE``; and
    unit errors of the field.
    """
    known = fields_of(project) if rows else {}
    found: dict[str, Ranged] = {}
    for index, row in enumerate(rows):
        entry, where = _entry(row.field, known, f"ranges[{index}].field"), f"ranges[{index}].range"
        path = normal_path(row.field)
        if path in found:
            raise FacilityError(
                "RANGE_TWICE",
                f"ranges[{index}].field",
                f"{row.field} already has a range.",
                "Enter one range per input.",
            )
        spread = _parse(row.range, entry, where)
        _refuse_outside(spread, entry, row.field, where)
        found[path] = Ranged(path, entry.declared.meaning, spread)
    return tuple(found.values())


def _entry(path: str, known: Mapping[str, Entry], where: str) -> Entry:
    name = declared_path(path)
    if name not in known:
        raise unknown("UNKNOWN_FIELD", where, f"there is no field {path[:80]!r}.", name, known)
    entry = known[name]
    if not entry.kind or entry.many:
        raise FacilityError(
            "RANGE_FIELD",
            where,
            f"{path[:80]} is not a single number and cannot be varied.",
            "Specify ranges for numbers; compare options and lists as separate projects.",
        )
    return entry


def _parse(text: str, entry: Entry, where: str) -> Spread:
    clean = " ".join(text.split())
    call, between = _CALL.fullmatch(clean), _BETWEEN.fullmatch(clean)
    if call is not None:
        form, terms = call[1], [term.strip() for term in call[2].split(",")]
    elif between is not None:
        form, terms = "uniform", [between[1], between[2]]
    else:
        raise FacilityError(
            "RANGE_TEXT", where, f"{clean[:60]!r} is not a valid distribution.", _HINT
        )
    try:
        made = _FORMS[form](_Terms(terms, entry))
    except FacilityError as error:
        raise FacilityError(error.code, where, error.message, error.hint) from None
    ordered = made.low < made.high and made.low <= made.centre <= made.high
    if not ordered or (made.form == "normal" and made.sd <= 0.0):
        raise FacilityError(
            "RANGE_TEXT",
            where,
            f"the numbers of {clean[:60]!r} are not ascending, or its width is zero.",
            _HINT,
        )
    return made


class _Terms:
    """The numbers of a distribution; a number without unit has the unit of the last one."""

    def __init__(self, terms: list[str], entry: Entry) -> None:
        self._terms, self._entry = terms, entry
        found = _UNIT.search(terms[-1])
        self._unit = found[0].strip() if found else ""

    def __len__(self) -> int:
        return len(self._terms)

    def refuse_count(self, *counts: int) -> None:
        """Reject a different number of terms."""
        if len(self) not in counts:
            raise FacilityError("RANGE_TEXT", "", f"{len(self)} numbers are entered.", _HINT)

    @property
    def kind(self) -> str:
        """Kind of the values: kind of the field; for a price, kind of its currency."""
        scalar = self._entry.type
        assert scalar is not None
        return scalar.kind_of(self._terms[-1])

    def si(self, index: int) -> float:
        """Return a term in SI."""
        if self.kind == "count":
            return float(parse_count(self._terms[index], minimum=0))
        return self._measured(self._terms[index], self.kind)

    def sd(self, index: int) -> float:
        """Return a term that is a difference of values, in SI."""
        if self.kind == "count":
            return parse_number(self._terms[index])
        return self._measured(self._terms[index], _DIFFERENCE.get(self.kind, self.kind))

    def _measured(self, text: str, kind: str) -> float:
        bare = re.fullmatch(r"[-+\d.eE]+", text) is not None
        if bare and self._unit in KINDS[kind].units:
            text = f"{text} {self._unit}"
        return parse_quantity(text, kind).si


def _uniform(terms: _Terms) -> Spread:
    terms.refuse_count(2)
    low, high = terms.si(0), terms.si(1)
    return Spread("uniform", terms.kind, low, high, 0.5 * (low + high))


def _triangular(terms: _Terms) -> Spread:
    terms.refuse_count(3)
    return Spread("triangular", terms.kind, terms.si(0), terms.si(2), terms.si(1))


def _normal(terms: _Terms) -> Spread:
    terms.refuse_count(2, 4)
    mean, sd = terms.si(0), terms.sd(1)
    if len(terms) == 2:
        ends = mean - CUT_SD * sd, mean + CUT_SD * sd
    else:
        ends = terms.si(2), terms.si(3)
    return Spread("normal", terms.kind, *ends, mean, sd)


_FORMS: dict[str, Callable[[_Terms], Spread]] = {
    "uniform": _uniform,
    "triangular": _triangular,
    "normal": _normal,
}


def bounds(entry: Entry, kind: str) -> tuple[float, float]:
    """Return the bounds of the field, in SI."""
    assert entry.type is not None
    low, high = entry.type.limits()
    within = entry.declared.within or (-math.inf, HIGHEST.get(kind, math.inf))
    highest = math.inf if entry.declared.max_count is None else float(entry.declared.max_count)
    return max(low, within[0]), min(high, within[1], highest)


def _refuse_outside(spread: Spread, entry: Entry, field: str, where: str) -> None:
    low, high = bounds(entry, spread.kind)
    if low <= spread.low and spread.high <= high:
        return
    outside = spread.below(low) + 1.0 - spread.below(high)
    ends = list(_ends(spread, low, high))
    raise FacilityError(
        "RANGE_BOUNDS",
        where,
        f"{spread.shown()}: {field} must be {' and '.join(ends)}; {outside:.2%} of the "
        "distribution is outside.",
        "Narrow the distribution, or truncate it: normal(mean, standard deviation, low, high).",
    )


def _ends(spread: Spread, low: float, high: float) -> Iterator[str]:
    if spread.low < low:
        yield f"at least {spread.text(low)}"
    if spread.high > high:
        yield f"at most {spread.text(high)}"
