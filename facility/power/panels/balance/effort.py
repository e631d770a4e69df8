"""Limits, progress and end status of an exact balance."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from facility.core.errors import FacilityError

Status = Literal["optimal", "gap", "nodes", "time", "cancelled", "heuristic"]

GAP = 1e-4
NODES = 20_000

EQUAL = 1e-6
"""Objective and bound within this fraction are equal for the solver."""


@dataclass(frozen=True)
class Progress:
    """Progress of an exact balance."""

    nodes: int  # Search-tree nodes evaluated
    node_limit: int  # Node limit
    reached: float  # Best objective found [A or VA]
    bound: float  # Proven bound so far [A or VA]


ProgressCall = Callable[[Progress], None]
CancelCall = Callable[[], bool]


@dataclass(frozen=True)
class Effort:
    """Limits of an exact balance."""

    gap: float = GAP  # Permitted gap of the objective above the bound, as a fraction
    nodes: int = NODES  # Search-tree nodes, total of all iterations
    # Time limit; None for no limit. A run ended by it is not reproducible.
    seconds: float | None = None

    def __post_init__(self) -> None:
        limits = (("gap", self.gap, 0.0), ("nodes", self.nodes, 1), ("seconds", self.seconds, 0.0))
        for name, value, minimum in limits:
            if value is not None and not minimum <= value < float("inf"):
                raise FacilityError(
                    "BALANCE_LIMIT",
                    name,
                    f"got {value}, expected a number of at least {minimum:g}.",
                    "Enter the gap as a fraction (0.0001 is 0.01 %) and the time in seconds.",
                )


class Watch:
    """Stop condition of a search, with its reason.

    seconds: Time limit from now.
    cancel: Called repeatedly; True ends the search.
    """

    def __init__(self, seconds: float | None = None, cancel: CancelCall | None = None) -> None:
        self._deadline = None if seconds is None else time.monotonic() + seconds
        self._cancel = cancel
        self.reason: Literal["time", "cancelled"] | None = None

    def stopped(self) -> bool:
        """Return whether the search must end now."""
        if self.reason is None:
            if self._cancel is not None and self._cancel():
                self.reason = "cancelled"
            elif self._deadline is not None and time.monotonic() >= self._deadline:
                self.reason = "time"
        return self.reason is not None


def ended(reached: float, bound: float, effort: Effort, watch: Watch) -> Status:
    """Return why a search with objective `reached` and bound `bound` ended."""
    if watch.reason is not None:
        return watch.reason
    if reached <= bound * (1.0 + EQUAL):
        return "optimal"
    return "gap" if reached <= bound * (1.0 + effort.gap) else "nodes"
