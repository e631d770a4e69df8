"""Smallest conduit of a set of conductors, by NEC chapter 9."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from facility.core.rounding import within
from facility.physics.circuits.conductors import conduit_fill
from facility.power.feeders.nec.tables import conduits, insulated_area

_LIMITS = {1: 0.53, 2: 0.31}
_OVER_TWO = 0.40
_NIPPLE = 0.60


@dataclass(frozen=True)
class Raceway:
    """A conduit and how far it is filled.

    `trade_size` is empty and `fill` None when it is `unknown`, in words, what would fit; both are
    empty without a reason when no conduit of the type is large enough.
    """

    trade_size: str
    fill: float | None
    limit: float
    unknown: str = ""

    @property
    def fits(self) -> bool:
        """Whether a conduit was found, or nothing speaks against one."""
        return bool(self.trade_size or self.unknown)


def fill_limit(conductors: int, nipple: bool = False) -> float:
    """Return the part of a raceway that its conductors may fill, chapter 9, table 1 and note 4."""
    return _NIPPLE if nipple else _LIMITS.get(conductors, _OVER_TWO)


def smallest_conduit(
    raceway: str, insulation: str, conductors: Mapping[str, int], nipple: bool = False
) -> Raceway:
    """Return the smallest trade size of a type of conduit for some conductors.

    raceway: Type of conduit, e.g. ``"EMT"``.
    insulation: Type of the insulation, of the grounding conductor too.
    conductors: Number of conductors by size.
    nipple: Whether the raceway is at most 24 in long.
    """
    limit = fill_limit(sum(conductors.values()), nipple)
    area_m2 = 0.0
    for size, count in conductors.items():
        one_m2 = insulated_area(size, insulation)
        if one_m2 is None:
            reason = f"chapter 9, table 5 as carried here has no {insulation} of size {size}"
            return Raceway("", None, limit, reason)
        area_m2 += count * one_m2
    known = conduits(raceway)
    if not known:
        return Raceway("", None, limit, f"chapter 9, table 4 as carried here has no {raceway}")
    for trade_size, inner_m2 in known:
        fill = float(conduit_fill.si(area_m2, inner_m2))
        if within(fill, limit):
            return Raceway(trade_size, fill, limit)
    return Raceway("", None, limit)
