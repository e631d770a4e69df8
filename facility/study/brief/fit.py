"""Largest cluster within limits: grid connection, water, floor area, budget, IT load.

Each number of servers is judged by its design. The number that fits is bracketed by doubling and
found by bisection. Equipment comes in steps, so that a larger cluster can need less than a smaller
one: `EXTRA_TRIALS` larger numbers are designed before one is taken as the largest.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from facility.core.errors import FacilityError
from facility.core.parse import parse_quantity
from facility.core.views import show
from facility.model.inputs.document import Project
from facility.study.annual.study import annual
from facility.study.design.design import Design, design

EXTRA_TRIALS = 3
"""Larger numbers of servers designed above the largest that fits."""
_MAX_SERVERS = 1_000_000
_GUESSES = 8


@dataclass(frozen=True)
class LimitKind:
    """A resource that limits the size of a cluster."""

    title: str
    kind: str  # Kind of quantity
    use: Callable[[Design], float]  # Use in a design [SI]
    more: str  # Amount by which the limit is relaxed


def _result(key: str) -> Callable[[Design], float]:
    return lambda found: float(found.results[key].si)


def _of_year(key: str) -> Callable[[Design], float]:
    return lambda found: float(annual(found).results[key].si)


LIMIT_KINDS = {
    "grid": LimitKind("Grid connection", "active_power", _result("utility.demand"), "1 MW"),
    "grid_kva": LimitKind(
        "Grid connection", "apparent_power", _result("utility.demand_kva"), "1 MVA"
    ),
    "power": LimitKind("IT load", "active_power", _result("load.it"), "1 MW"),
    "water": LimitKind("Annual water use", "volume", _of_year("water.annual"), "10000 m3"),
    "area": LimitKind(
        "Hall floor area",
        "area",
        lambda found: sum(hall.floor_area_m2 for hall in found.facility.it.halls),
        "100 m2",
    ),
    "budget": LimitKind("Capital cost", "money", _of_year("cost.capital"), "1000 kUSD"),
}
"""Limits of the brief."""


@dataclass(frozen=True)
class ResourceLimit:
    """A stated limit."""

    key: str  # Of `LIMIT_KINDS`
    value: float  # SI

    @property
    def kind(self) -> LimitKind:
        """The resource."""
        return LIMIT_KINDS[self.key]


@dataclass(frozen=True)
class LimitUse:
    """Use of a limit by the largest cluster."""

    title: str
    limit: str  # As displayed
    use: str
    share: float  # Use over limit


@dataclass(frozen=True, eq=False)
class Fit:
    """The largest cluster within the limits.

    Attributes
    ----------
    project, design : Project, Design
        The project, and its design.
    gpus : int
        Number of GPUs.
    uses : tuple[LimitUse, ...]
        Use of each limit.
    binding : str
        Limit that one more server exceeds; or the error of a larger cluster.
    more : str
        Amount by which the binding limit is relaxed, as 1 MW; empty where no limit binds.
    gain : int
        GPUs that fit in addition with this amount, by a second search.
    then : str
        Limit that binds within this amount; empty if it is the same.
    unpriced : str
        Items that the capital cost leaves out, where it is limited.
    """

    project: Project
    design: Design
    gpus: int
    uses: tuple[LimitUse, ...]
    binding: str
    unpriced: str = ""
    more: str = ""
    gain: int = 0
    then: str = ""

    def __repr__(self) -> str:
        return f"<Fit: {self.gpus:,} GPUs, limited by {self.binding}>"

    @property
    def words(self) -> str:
        """Binding limit and the gain of relaxing it, in sentences."""
        if not self.more:
            return f"Binding limit: {self.binding}."
        then = f"; the next limit is then {self.then}" if self.then else ""
        gained = (
            f"{self.more} more allows {self.gain:,} more GPUs"
            if self.gain
            else (f"{self.more} more allows no further server")
        )
        return f"Binding limit: {self.binding}. {gained}{then}."


def stated_limits(texts: Mapping[str, str]) -> tuple[ResourceLimit, ...]:
    """Return the stated limits by key, without empty entries.

    A grid connection in kVA or MVA limits the apparent power.

    Raises ``BRIEF_LIMIT``.
    """
    found = []
    for key, text in texts.items():
        if not text:
            continue
        name = "grid_kva" if key == "grid" and text.strip().upper().endswith("VA") else key
        value = parse_quantity(text, LIMIT_KINDS[name].kind, key).si
        if not value > 0.0:
            raise FacilityError(
                "BRIEF_LIMIT",
                key,
                f"{text[:40]!r} is not a valid limit.",
                "Enter a limit above zero.",
            )
        found.append(ResourceLimit(name, value))
    return tuple(found)


def largest(make: Callable[[int], Project], limits: Sequence[ResourceLimit]) -> Fit:
    """Return the largest cluster within the limits.

    make: Returns the project with a number of servers.
    limits: At least one.

    Raises ``NO_FEASIBLE`` (exit code 4) if one server does not fit; the error of its design.
    """
    search = _Search(make, limits)
    servers = search.largest()
    if not servers:
        if 1 in search.refused:
            raise search.refused[1]
        over = {one.key: search.uses(1)[one.key] for one in limits}
        worst = max(limits, key=lambda one: over[one.key])
        need, limit = (
            show(value, worst.kind.kind)
            for value in (worst.kind.use(search.designs[1]), worst.value)
        )
        raise FacilityError(
            "NO_FEASIBLE",
            worst.key.partition("_")[0],
            f"one server does not fit: {worst.kind.title.lower()} {limit}, required {need}.",
            "Relax the limit, or choose a smaller server.",
        )
    largest = search.designs[servers]
    gpus = int(largest.results["load.gpus"].si)
    uses = tuple(
        LimitUse(
            one.kind.title,
            show(one.value, one.kind.kind),
            show(one.kind.use(largest), one.kind.kind),
            one.kind.use(largest) / one.value,
        )
        for one in limits
    )
    priced = any(one.key == "budget" for one in limits)
    unpriced = str(annual(largest).results["cost.lacks"].si) if priced else ""
    found = Fit(make(servers), largest, gpus, uses, search.binding(servers), unpriced)
    binding = next((one for one in limits if one.kind.title == found.binding), None)
    if binding is None:
        return found
    more = parse_quantity(binding.kind.more, binding.kind.kind).si
    relaxed = [replace(one, value=one.value + more) if one is binding else one for one in limits]
    wider = _Search(make, relaxed, search.designs, search.refused)
    many = wider.largest(servers)
    gain = int(wider.designs[many].results["load.gpus"].si) - gpus
    then = wider.binding(many)
    return replace(
        found, more=binding.kind.more, gain=gain, then="" if then == found.binding else then
    )


@dataclass(eq=False)
class _Search:
    """Cache of designs of a project by number of servers."""

    make: Callable[[int], Project]
    limits: Sequence[ResourceLimit]
    designs: dict[int, Design] = field(default_factory=dict)
    refused: dict[int, FacilityError] = field(default_factory=dict)

    def uses(self, servers: int) -> dict[str, float]:
        """Return the utilisation of each limit; empty without a feasible design."""
        if servers in self.refused:
            return {}
        try:
            if servers not in self.designs:
                self.designs[servers] = design(self.make(servers))
            found = self.designs[servers]
            return {one.key: one.kind.use(found) / one.value for one in self.limits}
        except FacilityError as error:
            self.refused[servers] = error
            return {}

    def fits(self, servers: int) -> bool:
        """Return whether a number of servers is designed within all limits."""
        uses = self.uses(servers)
        return bool(uses) and max(uses.values()) <= 1.0

    def binding(self, servers: int) -> str:
        """Return the limit that one more server exceeds, or the error of its design."""
        above = self.uses(servers + 1)
        if above:
            return max(self.limits, key=lambda one: above[one.key]).kind.title
        error = self.refused[servers + 1]
        return f"{error.code} ({error.message})"

    def largest(self, known: int = 1) -> int:
        """Return the largest number of servers that fits; 0 if `known` does not.

        The use of a limit is nearly proportional to the servers, so that a few guesses bracket the
        number; the rest is bisection.
        """
        if not self.fits(known):
            return 0
        low, high, at = known, _MAX_SERVERS, known
        for _ in range(_GUESSES):
            uses = self.uses(at)
            if uses and max(uses.values()) <= 1.0:
                low = max(low, at)
            else:
                high = min(high, at)
            guess = int(at / max(uses.values())) if uses else 0
            if not low < guess < high:
                break
            at = guess
        step = 1
        while low + step < high and self.fits(low + step):
            low, step = low + step, 2 * step
        high = min(high, low + step)
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (middle, high) if self.fits(middle) else (low, middle)
        return max([low, *(n for n in range(low + 1, low + 1 + EXTRA_TRIALS) if self.fits(n))])
