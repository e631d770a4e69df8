"""What a hall is judged by."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from facility.core.kinds import ComplexArray
from facility.core.rounding import first_largest
from facility.physics.circuits import phasor
from facility.power.panels.board.currents import currents, panel_power
from facility.power.panels.board.model import Panel


@dataclass(frozen=True)
class HallFigures:
    """What a hall is judged by, each the largest there is."""

    current_a: float  # Phasor line current of a panel, any state [A]
    # Where that is.
    panel: str
    state: str
    neutral_a: float  # Neutral current of a panel, any state, fundamental only [A]
    # Imbalance of a panel in the normal state: maximum deviation from the mean over the mean of the
    # phasor line currents.
    imbalance: float
    # The same of the sum of all panels of a feed, which PDU and UPS see, by (hall, feed).
    feeds: dict[tuple[str, str], float]

    @property
    def feed_imbalance(self) -> float:
        """Largest imbalance of the total of a feed."""
        return max(self.feeds.values(), default=0.0)


def hall_figures(panels: Sequence[Panel]) -> HallFigures:
    """Return the figures of `panels`, from their circuits as they stand."""
    if not panels:
        return HallFigures(0.0, "", "", 0.0, 0.0, {})
    phasors = np.array([currents(panel_power(p), p.v_ll) for p in panels])
    size = np.abs(phasors)
    at, state, _ = np.unravel_index(first_largest(size[:, :, :3]), size[:, :, :3].shape)
    totals: dict[tuple[str, str], ComplexArray] = defaultdict(
        lambda: np.zeros(3, dtype=np.complex128)
    )
    for panel, lines in zip(panels, phasors, strict=True):
        totals[panel.hall, panel.side] += lines[0, :3]
    return HallFigures(
        current_a=float(size[:, :, :3].max()),
        panel=panels[int(at)].tag,
        state=panels[int(at)].states[int(state)],
        neutral_a=_without_noise(size[:, :, 3].max()),
        imbalance=_without_noise(np.max(phasor.imbalance.si(*size[:, 0, :3].T))),
        feeds={
            where: _without_noise(float(phasor.imbalance.si(*np.abs(total))))
            for where, total in totals.items()
        },
    )


def _without_noise(value: float) -> float:
    """Return an imbalance, or A, without what rounding leaves of equal lines."""
    return round(float(value), 12)
