"""Shares of the supplies of racks with a feed or a supply lost, counted supply by supply."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import product

import numpy as np

from facility.model.it import CappedMode, PsuSet, Rack
from facility.power.panels.design.supplies_lost import (
    covered_by_feeds,
    covering_feeds,
    supply_shares,
)
from tests.power.panels.helpers import DGX, MAKER, rack
from tests.results.second import differs

_OUTPUT = 0.9
"""Output over input of any supply at least: the rating is output, the draw is input."""


def _racks() -> Iterator[tuple[str, Rack]]:
    """Supplies of 1 kW to 6 kW that carry their device, or a part of it, after a loss."""
    for count, needed in ((1, 1), (2, 1), (4, 2), (6, 4), (6, 6)):
        for rating_w in (1000.0, 2000.0, 6000.0):
            psu = PsuSet(count, needed, rating_w, 200.0, 240.0, 1, 0.98, (), MAKER)
            device = replace(DGX, maximum_w=5000.0, psu=psu)
            capped = replace(device, psu=replace(psu, capped=CappedMode(1, 800.0, None, MAKER)))
            for feeds, one in product(("A", "AB", "ABC"), (device, capped)):
                at = f"{count} supplies of {rating_w:g} W, {needed} needed, on {feeds}"
                yield f"{at}, {one is capped}", rack(1, feeds, devices=2, device=one)


def _share(found: Rack, live: int) -> float:
    """Part of the device that each of its live supplies is sized for."""
    psu = found.placed[0].device.psu
    assert psu is not None
    full_w, rated_w = found.device_w[0], live * psu.rating_w
    if psu.capped is not None and 0 < live < psu.needed:
        return min(full_w * 800.0 / 5000.0, rated_w) / full_w / live
    enough = live >= psu.needed or rated_w >= _OUTPUT * full_w
    return (1.0 if enough else rated_w / full_w) / live if live else 0.0


def shares_of_supplies() -> Iterator[str]:
    """Every feed lost and every supply lost; which feeds then cover which supplies."""
    for at, found in _racks():
        supplies = found.supplies
        states = [("", -1), *((feed, -1) for feed in found.feeds)]
        states += [("", number) for number in range(len(supplies))]
        rows = [[s.feed != f and n != k for n, s in enumerate(supplies)] for f, k in states]
        shown = supply_shares(found, np.array(rows))
        normal: list[float] = []
        lower: set[str] = set()
        for (feed, number), row, own in zip(states, rows, shown, strict=True):
            for n, supply in enumerate(supplies):
                alive = sum(r for r, s in zip(row, supplies, strict=True)
                            if s.device == supply.device)  # fmt: skip
                wanted = _share(found, alive) if row[n] else 0.0
                yield from differs(f"{at}, {feed or number} lost: {n}", float(own[n]), wanted)
                if (feed, number) == ("", -1):
                    normal.append(wanted)
                elif feed and row[n] and wanted < normal[n] * (1.0 - 1e-9):
                    lower.add(feed)
        covering = covering_feeds([found], found.feeds)
        if covering != set(found.feeds) - lower:
            yield f"{at}: {sorted(covering)} cover, by hand all but {sorted(lower)}"
        every = frozenset(found.feeds)
        on = [s.feed for s in supplies if s.device == 0]
        lost_one = _share(found, len(on) - 1)
        carries = len(set(on)) > 1 and all(
            _share(found, len(on) - on.count(feed)) >= lost_one * (1.0 - 1e-9) for feed in set(on)
        )
        for sector, cover, wanted_cover in (
            (True, every, carries), (False, every, False), (True, frozenset("Z"), False),
        ):  # fmt: skip
            if covered_by_feeds(found, sector, cover) is not wanted_cover:
                yield f"{at}: covered by {sorted(cover)}, one sector {sector}: not {wanted_cover}"
