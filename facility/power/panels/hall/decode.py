"""From units counted by type and site to an arrangement: which racks move, and how circuits turn.

Of racks that may stand in for each other those stay that stand there already; of the ways to turn
the circuits of a panel those are chosen that even out the feed and change least.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from scipy.optimize import linear_sum_assignment

from facility.power.panels.balance.lines import IntArray, kept_first
from facility.power.panels.hall.search import HallSearch
from facility.power.panels.hall.tables import Banks
from facility.power.panels.hall.turns import PanelWays, chosen_ways, panel_ways
from facility.power.panels.hall.units import HallUnits


@dataclass(frozen=True, eq=False)
class Arrangement:
    """Where every circuit of a hall stands."""

    banks: Banks  # Outlet bank of each cord, by (kind, circuit)
    panels: IntArray  # Panel of each member; shape (members,)
    starts: IntArray  # Line of bank 1 or of the first pole of each member; shape (members,)


def given_arrangement(hall: HallUnits) -> Arrangement:
    """Return the arrangement of a hall as it is given."""
    return Arrangement(
        {key: cords.banks for key, cords in hall.cords.items()},
        np.array([member.panel for member in hall.members], dtype=np.int64),
        np.array([member.start for member in hall.members], dtype=np.int64),
    )


def state_of(search: HallSearch, at: Arrangement) -> IntArray:
    """Return how many units that may leave stand at each site, by type."""
    state = np.zeros_like(search.given)
    site_of = search.hall.site_of
    for unit, sort in zip(search.hall.units, search.type_of, strict=True):
        if not unit.pinned:
            state[site_of[int(at.panels[unit.members[0]])], sort] += 1
    return state


def decoded(
    search: HallSearch, state: IntArray, caps: tuple[float, ...], given: Arrangement, most: float
) -> Arrangement:
    """Return an arrangement with `state`, or one nearer to `given` that keeps `caps` as well.

    state: Units by site and type, shape (sites, types).
    caps: Most current and neutral current over the limit, and imbalance, of a panel.
    given: What circuits should stay near to.
    most: Imbalance of the total of a feed as given; infinite where it does not count.
    """
    hall = search.hall
    before = state_of(search, given)
    state = search.brought_back(_exchanged(search, state, before), before, caps)
    panels = _moved(search, state, given)
    starts = given.starts.copy()
    turning: dict[int, dict[int, list[int]]] = defaultdict(lambda: defaultdict(list))
    for number, member in enumerate(hall.members):
        if not member.pinned:
            turning[int(panels[number])][search.class_of[member.sort]].append(number)
    staying = panels == given.panels
    for (_, feed), mine in sorted(hall.by_feed.items()):
        ways = []
        for panel in mine:
            here = {
                number: np.bincount(given.starts[[m for m in members if staying[m]]], minlength=3)
                for number, members in turning[panel].items()
            }
            site = hall.site_of[panel]
            content = search.content(site, state[site], feed)
            ways.append(panel_ways(search.known_turnings, content, caps, here))
        for panel, each, way in zip(mine, ways, chosen_ways(ways, most), strict=True):
            _turn(search, starts, turning[panel], staying, each, int(way))
    return Arrangement(search.banks, panels, starts)


def _turn(
    search: HallSearch,
    starts: IntArray,
    turning: Mapping[int, list[int]],
    staying: IntArray,
    ways: PanelWays,
    way: int,
) -> None:
    """Give the circuits of a panel their starts, in place; those that stay keep theirs first."""
    turnings = search.known_turnings.turnings(ways.content)
    counts = dict(zip(turnings.classes, turnings.counts[ways.rows[way]], strict=True))
    for number, members in turning.items():
        if search.known_turnings.classes[number].loose:
            continue
        mine = sorted(members, key=lambda m: (not staying[m], m))
        starts[mine] = kept_first(np.where(staying[mine], starts[mine], -1), counts[number])


def _exchanged(search: HallSearch, state: IntArray, before: IntArray) -> IntArray:
    """Return `state` with sites alike exchanged so that most circuits stay."""
    found = state.copy()
    size = np.array([len(sorts) for sorts in search.types])
    alike: dict[int, list[int]] = defaultdict(list)
    for number, sort in enumerate(search.site_sort):
        alike[sort].append(number)
    for sites in alike.values():
        kept = np.minimum(before[sites][:, None, :], state[sites][None, :, :]) @ size
        rows, columns = linear_sum_assignment(-kept)
        if kept[rows, columns].sum() > np.trace(kept):
            found[np.array(sites)[rows]] = state[np.array(sites)[columns]]
    return found


def _moved(search: HallSearch, state: IntArray, given: Arrangement) -> IntArray:
    """Return the panel of each member, units staying where they are as far as may be."""
    hall = search.hall
    panels = given.panels.copy()
    left = state.copy()
    homeless: dict[tuple[str, int], list[int]] = defaultdict(list)
    for number, unit in enumerate(hall.units):
        if unit.pinned:
            continue
        sort = search.type_of[number]
        site = hall.site_of[int(given.panels[unit.members[0]])]
        if left[site, sort] > 0:
            left[site, sort] -= 1
        else:
            homeless[hall.sites[site].hall, sort].append(number)
    for site, sort in np.argwhere(left > 0):
        target = hall.sites[site]
        for _ in range(int(left[site, sort])):
            unit = hall.units[homeless[target.hall, int(sort)].pop(0)]
            for m in unit.members:
                panels[m] = target.panels[hall.feed_of[hall.members[m].sort]]
    return panels
