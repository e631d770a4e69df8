"""Which output bus of which UPS system feeds which panels, and how uneven that is.

Panels filled with the same racks form a group; a group hangs whole on one bus of each system.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import groupby

import numpy as np
from numpy.typing import NDArray

from facility.model.redundancy import Scheme
from facility.power.panel_model import Panel
from facility.power.panels import PanelSet


def panel_groups(panels: Sequence[Panel]) -> Iterator[tuple[int, list[Panel]]]:
    """Yield each group of panels that share racks, as a rule one per feed, after its number."""
    for group, members in groupby(panels, key=lambda panel: panel.group):
        yield group, list(members)


def lineup_of(scheme: Scheme, buses: int, feed: str, group: int) -> tuple[str, int]:
    """Return the UPS system and the number of its output bus that a panel hangs on normally.

    Groups take the buses in turn; behind transfer switches they take the primary systems in turn.

    Parameters
    ----------
    scheme : Scheme
        The systems.
    buses : int
        Output buses of each system.
    feed : str
        Feed of the panel.
    group : int
        Number of its group, from 0.
    """
    if scheme.one_system:
        return scheme.systems[0], group % buses
    if not scheme.reserve:
        return feed, group % buses
    primaries = [name for name in scheme.systems if name != scheme.reserve]
    return primaries[group % len(primaries)], group // len(primaries) % buses


def hung_loads(panels: Sequence[Panel]) -> tuple[tuple[str, int, float], ...]:
    """Return feed, number of the group and load [VA] of every panel, group by group."""
    return tuple(
        (panel.side, group, abs(sum((circuit.total_va(0) for circuit in panel.circuits), 0j)))
        for group, members in panel_groups(panels)
        for panel in members
    )


def unevenness(hung: Sequence[tuple[str, int, float]], scheme: Scheme, buses: int) -> float:
    """Return the largest load of an output bus over the mean of those that share with it.

    The buses of one system share its load; behind transfer switches all primary systems do. Whole
    groups of panels do not divide evenly, so one bus carries more than its part.

    Parameters
    ----------
    hung : sequence of tuple
        All panelboards, as `hung_loads` returns them.
    scheme : Scheme
        The systems.
    buses : int
        Output buses of each system.
    """
    load_va: dict[tuple[str, int], float] = defaultdict(float)
    for feed, group, power_va in hung:
        load_va[lineup_of(scheme, buses, feed, group)] += power_va
    sharing: dict[str, list[float]] = defaultdict(list)
    for (system, _), power in load_va.items():
        sharing["" if scheme.reserve else system].append(power)
    count = buses * (len(scheme.systems) - 1) if scheme.reserve else buses
    ratios = [max(loads) * count / sum(loads) for loads in sharing.values() if sum(loads) > 0.0]
    return max(ratios, default=1.0)


def fullest_phase(panels: PanelSet, scheme: Scheme, buses: int, transformed: bool) -> float:
    """Return three times the load of the fullest phase of an output bus over the mean bus load.

    Over all states of the panels, feeds lost included; the mean is that of the buses that share
    with it in the worst state. Delta-wye transformers turn a current between two secondary lines
    into one of two primary lines: I_A = (I_a - I_b) / sqrt(3) in per unit.

    Parameters
    ----------
    panels : PanelSet
        All panelboards, with the phasors of their currents.
    scheme : Scheme
        The systems.
    buses : int
        Output buses of each system.
    transformed : bool
        Whether PDU transformers stand between.
    """
    states = panels.phasors.shape[1]
    lines_a: dict[tuple[str, int], NDArray[np.complex128]] = defaultdict(
        lambda: np.zeros((states, 3), dtype=np.complex128)
    )
    rows = iter(panels.phasors)
    for group, members in panel_groups(panels.panels):
        for panel in members:
            lines_a[lineup_of(scheme, buses, panel.side, group)] += next(rows)[:, :3]
    sharing: dict[str, list[tuple[str, int]]] = defaultdict(list)
    for lineup in lines_a:
        sharing["" if scheme.reserve else lineup[0]].append(lineup)
    count = buses * (len(scheme.systems) - 1) if scheme.reserve else buses
    turn = np.exp(2j * np.pi / 3.0 * np.arange(3))
    ratios = [1.0]
    for lineups in sharing.values():
        amperes = np.array([lines_a[lineup] for lineup in lineups])
        mean_a = np.abs((amperes * turn).sum(axis=(0, 2))).max() / 3.0 / count
        if transformed:
            amperes = (amperes - np.roll(amperes, -1, axis=2)) / np.sqrt(3.0)
        if mean_a > 0.0:
            ratios.append(float(np.abs(amperes).max() / mean_a))
    return max(ratios)
