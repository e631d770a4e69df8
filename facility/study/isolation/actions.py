"""Switching actions, and the view of one state that they are derived from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

import numpy as np

from facility.power.network.flow.compile import Compiled
from facility.power.network.flow.transfer import Routes
from facility.power.network.graph.types import Outage

Phase = Literal[
    "check",
    "hold",
    "shut down",
    "transfer",
    "open",
    "verify",
    "discharge",
    "lock",
    "test",
    "ground",
    "adjacent",
    "close",
    "return",
    "start",
]
_LISTED = 4
"""Devices named in one sentence; all are in the list of devices."""


@dataclass(frozen=True, slots=True)
class SwitchingAction:
    """Switching action, its reversal, and the equipment out of service after it."""

    phase: Phase
    text: str
    undo: str  # Text of the restoring step; empty if there is none
    devices: tuple[str, ...] = ()  # Tags of the circuits and equipment switched
    location: str = ""
    outage: Outage = field(default_factory=lambda: Outage(""))
    moves: tuple[tuple[str, str], ...] = ()  # Devices and sources, with their position after it


@dataclass(frozen=True, eq=False)
class RouteView:
    """Live elements and supplies in use in one state."""

    compiled: Compiled
    routes: Routes
    state: int

    @cached_property
    def live(self) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
        """Whether each equipment of the network is live."""
        found = np.empty(self.compiled.order.size, dtype=np.bool_)
        found[self.compiled.order] = self.routes.live[:, self.state]
        return found

    @cached_property
    def taken(self) -> np.ndarray[tuple[int], np.dtype[np.int8]]:
        """Supply in use of each equipment of the network; -1 if none."""
        found = np.empty(self.compiled.order.size, dtype=np.int8)
        found[self.compiled.order] = self.routes.taken[:, self.state]
        return found

    @cached_property
    def pattern(self) -> np.ndarray[tuple[int], np.dtype[np.int32]]:
        """Set of live cords of each load."""
        return self.routes.pattern[:, self.state]


def listed(tags: Sequence[str]) -> str:
    """Return the first tags as text, with the number of the others."""
    more = len(tags) - _LISTED
    return ", ".join(tags[:_LISTED]) + (f" and {more} more" if more > 0 else "")
