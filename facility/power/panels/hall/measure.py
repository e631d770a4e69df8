"""What a hall is judged by, and the bound that no arrangement of it can beat."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

import numpy as np

from facility.core.kinds import ComplexArray
from facility.physics.circuits import phasor
from facility.power.panels.board.currents import class_power, currents, panel_power
from facility.power.panels.board.model import Panel
from facility.power.panels.hall.units import HallUnits

_TURN = np.exp(-2j * np.pi / 3.0 * np.array([0.0, -1.0, 1.0]))
"""Turns the phase voltages of A, B, C (0, -120, 120 degrees) to zero degrees."""


@dataclass(frozen=True)
class HallFigures:
    """What a hall is judged by, each the largest there is.

    Attributes
    ----------
    current_a : float
        Phasor line current of a panel, any state [A].
    panel, state : str
        Where that is.
    neutral_a : float
        Neutral current of a panel, any state, fundamental only [A].
    imbalance : float
        Imbalance of a panel in the normal state: maximum deviation from the mean over the mean of
        the phasor line currents.
    feeds : dict of (hall, feed) to float
        The same of the sum of all panels of a feed, which PDU and UPS see.
    """

    current_a: float
    panel: str
    state: str
    neutral_a: float
    imbalance: float
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
    at, state, _ = np.unravel_index(int(size[:, :, :3].argmax()), size[:, :, :3].shape)
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


def least_current(
    hall: HallUnits, *, racks_stay: bool, pluggable: Collection[tuple[int, int]]
) -> float:
    r"""Return a bound that the largest line current of no arrangement can beat [A].

    For a line x let J_x be its current turned by the voltage of its phase, so that V J_x* is the
    complex power that line x delivers. Over the lines of all panels of one feed these powers add
    up to the power S of all its circuits, in each state, whatever panel, position, turn or bank
    each load has: :math:`\sum J^* = S / V`. The largest of 3 n lines is not below the mean,

    .. math:: \max |I| \ge |S| / (3 n V).

    With racks that stay, the same holds panel by panel.

    Where no load draws negative Re J from a line (loads to neutral never do, loads between lines
    down to a power factor of 0.5), a line carries at least Re J of any one load on it. Hence the
    current of a single circuit counts, on its best phase; where cords may be replugged, that of
    its largest cord and the mean of its three lines; and what pinned circuits put on their panel.
    """
    panels = hall.found.panels
    v_ll = hall.found.basis.v_ll
    phase_v = v_ll / 3.0**0.5
    groups: dict[object, list[int]] = defaultdict(list)
    for number in hall.panels:
        panel = panels[number]
        groups[number if racks_stay else (panel.hall, panel.side)].append(number)
    bound = 0.0
    for mine in groups.values():
        power = sum(np.asarray(panel_power(panels[n])).sum(axis=1) for n in mine)
        bound = max(bound, float(np.abs(power).max()) / (3.0 * len(mine) * phase_v))
    if not _only_draws(hall):
        return bound
    alone = [
        _real(class_power(c, 0, len(c.power_va)), v_ll)
        for key, c in hall.template.items()
        if key[:2] not in pluggable
    ]
    alone += [_cord_alone(hall, key, v_ll) for key in pluggable]
    return max(bound, *alone, *_pinned(hall), 0.0)


def _only_draws(hall: HallUnits) -> bool:
    """Return whether no load puts a negative Re J on a line, wherever it starts."""
    least = {"L-N": 0.0, "L-L": 0.5}
    for key, circuit in hall.template.items():
        cords = hall.cords.get(key[:2])
        power = np.array(circuit.power_va).ravel() if cords is None else cords.power_va.ravel()
        if (power.real < (least[circuit.connection] - 1e-12) * np.abs(power)).any():
            return False
    return True


def _real(power: ComplexArray, v_ll: float) -> float:
    """Return the largest Re J that power on the six classes (last axis) puts on a line [A]."""
    return float((currents(power, v_ll)[..., :3] * _TURN).real.max())


def _cord_alone(hall: HallUnits, key: tuple[int, int], v_ll: float) -> float:
    """Return what the largest cord, or the mean of all, puts on a line [A]."""
    cords = hall.cords[key]
    wired = next(c.connection for sort, c in hall.template.items() if sort[:2] == key)
    single = cords.power_va[:, cords.banks >= 0]
    power = np.zeros((*single.shape, 6), dtype=np.complex128)
    power[..., 0 if wired == "L-N" else 3] = single
    mean: float = cords.power_va.sum(axis=1).real.max() / (3.0**0.5 * v_ll)
    return max(_real(power, v_ll) if single.size else 0.0, mean)


def _pinned(hall: HallUnits) -> list[float]:
    """Return what the pinned circuits of each panel put on one of its lines [A]."""
    fixed: dict[int, list[int]] = defaultdict(list)
    for member in hall.members:
        if member.pinned:
            fixed[member.panel].append(member.index)
    found = []
    for number, indices in fixed.items():
        panel = hall.found.panels[number]
        circuits = tuple(panel.circuits[index] for index in indices)
        power = panel_power(replace(panel, circuits=circuits))
        found.append(_real(power, panel.v_ll))
    return found
