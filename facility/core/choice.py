"""Selection among few discrete candidates by result: data, loss, machines, installed power."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from facility.core.kinds import money_kind
from facility.core.rounding import rounded, within
from facility.core.views import show

NEAR = 0.10
"""Installed power above the minimum, as a fraction, within which the loss decides."""
EQUAL_LOSS = 0.01
"""Difference of losses, as a fraction, below the accuracy of the loss curves."""
FINALISTS = 4
"""Candidates of a subsystem that are designed completely."""

CRITERION = (
    f"lowest loss within {100.0 * NEAR:.0f} % of the lowest installed power (nameplates);"
    " unverified loss data only where no product with published data is within that limit;"
    f" among losses within {100.0 * EQUAL_LOSS:.0f} % of the lowest: fewest machines, then"
    " lowest installed power"
)

COST_CRITERION = (
    "lowest life-cycle cost (machines installed at the stated prices, plus present value of loss"
    " energy and, where its price is stated, of make-up water); unverified loss data only where no"
    f" product with published data is within {100.0 * NEAR:.0f} % of the lowest cost"
)

Item = TypeVar("Item", covariant=True)
Other = TypeVar("Other")


@dataclass(frozen=True)
class LifeCycleCost:
    """Capital of the machines of a candidate, and present value of its losses and its water."""

    capital: float
    energy: float
    currency: str
    water: float = 0.0
    missing: tuple[str, ...] = ()  # Prices and terms that are not stated: the cost is not known

    @property
    def total(self) -> float:
        """Capital, energy and water."""
        return self.capital + self.energy + self.water

    @property
    def words(self) -> str:
        """The cost and its parts as text; empty if unknown."""
        if self.missing:
            return ""
        parts = {"capital": self.capital, "energy": self.energy, "water": self.water}
        kind = money_kind(self.currency)
        listed = ", ".join(f"{name} {show(x, kind)}" for name, x in parts.items() if x)
        return f", life-cycle cost {show(self.total, kind)} ({listed})"


@dataclass(frozen=True)
class Alternative(Generic[Item]):
    """One way to build a subsystem, with the figures that decide.

    `loss_w` is the mean of the year where the hours of the site are known, else that of the
    design hour.
    """

    name: str
    item: Item
    loss_w: float
    installed_w: float
    machines: int = 0
    recalled: bool = False  # Whether its losses rest on data that no source was read for
    excluded: str = ""  # Rules that it fails and others do not
    cost: LifeCycleCost | None = None  # None where the project states no price of its machines

    def with_item(self, item: Other) -> Alternative[Other]:
        """Return the alternative with a different item."""
        figures = self.loss_w, self.installed_w, self.machines
        return Alternative(self.name, item, *figures, self.recalled, self.excluded, self.cost)

    @property
    def figures(self) -> str:
        """Name, loss, installed power and machines in words."""
        loss = show(self.loss_w, "active_power", digits=2)
        name = self.name.replace("_", " ")
        words = f"{name}: {loss} loss, {self.installed_w / 1e3:,.0f} kW installed"
        words += f", {self.machines:,} machines" if self.machines else ""
        words += "" if self.cost is None else self.cost.words
        words += ", unverified loss data" if self.recalled else ""
        return words + (f" (fails {self.excluded})" if self.excluded else "")


def ranked(candidates: Iterable[Alternative[Item]]) -> list[Alternative[Item]]:
    """Return the candidates in the order of `CRITERION`, the chosen one first.

    By `COST_CRITERION` where the life-cycle cost of all is known. Those above the limit of
    installed power follow by installed power, the excluded ones last. Equal ones keep the order in
    which they are offered.
    """
    offered = list(candidates)
    found = [one for one in offered if not one.excluded]
    if _costed(found):
        return [*_by_cost(found), *(one for one in offered if one.excluded)]
    max_w = (1.0 + NEAR) * min((one.installed_w for one in found), default=0.0)
    near = [one for one in found if within(one.installed_w, max_w)]
    return [
        *_by_loss([one for one in near if not one.recalled]),
        *_by_loss([one for one in near if one.recalled]),
        *sorted(
            (one for one in found if not within(one.installed_w, max_w)),
            key=lambda one: (rounded(one.installed_w), rounded(one.loss_w)),
        ),
        *(one for one in offered if one.excluded),
    ]


def _by_loss(found: Sequence[Alternative[Item]]) -> list[Alternative[Item]]:
    """Return the candidates by loss; equal losses by machines, then installed power."""
    remaining, order = list(found), []
    while remaining:
        # Equal to the lowest remaining loss: "within 1 %" is not transitive.
        limit_w = (1.0 + EQUAL_LOSS) * min(one.loss_w for one in remaining)
        equal = [one for one in remaining if within(one.loss_w, limit_w)]
        remaining = [one for one in remaining if not within(one.loss_w, limit_w)]
        order += sorted(equal, key=_of_equal_loss)
    return order


def _by_cost(found: Sequence[Alternative[Item]]) -> list[Alternative[Item]]:
    """Return the candidates by life-cycle cost, published data before recalled within `NEAR`."""
    limit = (1.0 + NEAR) * min(_total(one) for one in found)

    def key(one: Alternative[Item]) -> tuple[bool, bool, float, int, float, float]:
        near = within(_total(one), limit)
        return not near, near and one.recalled, _total(one), *_of_equal_loss(one)

    return sorted(found, key=key)


def _of_equal_loss(one: Alternative[Item]) -> tuple[int, float, float]:
    return one.machines, rounded(one.installed_w), rounded(one.loss_w)


def _costed(found: Sequence[Alternative[Item]]) -> bool:
    """Return whether the life-cycle cost of each candidate that is not excluded is known."""
    costs = [one.cost for one in found if not one.excluded]
    return bool(costs) and all(cost is not None and not cost.missing for cost in costs)


def _total(one: Alternative[Item]) -> float:
    return rounded(math.inf if one.cost is None else one.cost.total)


def preferred(
    candidates: Iterable[Alternative[Item]], kind: Callable[[Alternative[Item]], object]
) -> list[Alternative[Item]]:
    """Return the candidates in the order in which they are designed completely.

    The best, the best with published data, the best of each kind, the one with the lowest installed
    power, the candidates not dominated in loss and installed power, then the others. Where the best
    has published data, candidates with unverified data come last. Capital replaces installed power
    where the life-cycle cost of all is known.

    kind: Property of which each value is represented: the voltage, the number of buses.
    """
    found = ranked(candidates)
    if not found:
        return []
    published = [one for one in found if not one.recalled]
    compared = found if found[0].recalled else published
    best = {kind(one): one for one in reversed(compared)}
    size = _capital if _costed(found) else _installed
    minimum = min(compared, key=size)
    order = [found[0], *published[:1], *reversed(best.values()), minimum]
    order += [*undominated(compared, size), *compared, *found]
    return list({id(one): one for one in order}.values())


def _installed(one: Alternative[Item]) -> float:
    return one.installed_w


def _capital(one: Alternative[Item]) -> float:
    return math.inf if one.cost is None else one.cost.capital


def undominated(
    found: Sequence[Alternative[Item]], size: Callable[[Alternative[Item]], float] = _installed
) -> list[Alternative[Item]]:
    """Return the candidates that no other betters in both loss and size (installed power)."""
    best: list[Alternative[Item]] = []
    minimum = math.inf
    for one in sorted(found, key=lambda each: (rounded(each.loss_w), rounded(size(each)))):
        if size(one) < minimum:
            best.append(one)
            minimum = size(one)
    retained = {id(one) for one in best}
    return [one for one in found if id(one) in retained]


@dataclass(frozen=True)
class Selection(Generic[Item]):
    """The candidates of one subsystem that were designed, the chosen one first."""

    subject: str
    loss: str  # What the loss is, and of what period
    candidates: tuple[Alternative[Item], ...]

    @property
    def chosen(self) -> Alternative[Item]:
        """The candidate that the criterion names."""
        return self.candidates[0]

    @property
    def criterion(self) -> str:
        """Selection criterion, the loss compared, and items missing in a life-cycle cost."""
        if _costed(self.candidates):
            return f"{COST_CRITERION}; loss: {self.loss}"
        costs = [one.cost for one in self.candidates if one.cost is not None and not one.excluded]
        missing = sorted({name for cost in costs for name in cost.missing})
        without = f", no life-cycle cost without {', '.join(missing)}" if missing else ""
        return f"{CRITERION}{without}; loss: {self.loss}"

    @property
    def because(self) -> str:
        """The chosen candidate and the losing ones with their figures."""
        figures = "; ".join(one.figures for one in self.candidates)
        return f"{figures}. By {self.criterion}"
