r"""Lost supplies of one rack type: which put more load on a circuit than any lost feed.

If one supply of a device fails, feeds alive, the others of the device carry its share, up to the
circuit sizing limit of `draw_with`. A rack has as many such states as supplies, and most of them
need not be evaluated.

On the circuits of one feed, let c be the fraction of a device on each outlet bank; the line
currents are sums of c x (power of the device) over the panel. A lost supply is covered if every c
of it is at most that of the normal state, or of another lost feed for which it is known that all
other devices of the panel then carry at least as much there as normally (`covering_feeds`). That
alone does not prove a smaller line current, since added phasors may cancel. It does if the
contributions of the loads to one line lie within 90 degrees: x and y of such a sector have
:math:`\Re(\bar x y) \ge 0`, hence :math:`|x + y|^2 \ge |x|^2 + |y|^2`. To one line,
line-to-neutral loads add at minus their phase angle, line-to-line loads at this angle and 30
degrees to either side. Phase angles of lagging loads lie within 90 degrees, so line-to-neutral
loads alone always meet this condition; with line-to-line loads the angles must lie within 30
degrees (power factors of 0.87 to 1). Otherwise only states equal to another are covered.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from facility.core.kinds import ComplexArray, FloatArray
from facility.model.it import Device, Rack
from facility.physics.circuits.currents import reactive_power
from facility.power.it.supplies import draw_with, rack_draw
from facility.power.panels.board.model import Circuit

_EQUAL = 1e-12
_SECTOR = math.radians(90.0)
_LINE_TO_LINE_SPREAD = math.radians(60.0)


@dataclass(frozen=True, eq=False)
class FeedLost:
    """Lost supplies that affect the circuits of a rack on one feed."""

    names: tuple[str, ...]  # One name per distinct change, e.g. "supply 2 of R760"
    # Fraction of its device on each supply of the rack; zero on other feeds. Shape (changes,
    # supplies).
    shares: FloatArray


@dataclass(frozen=True, eq=False)
class RackLost:
    """Lost supplies of one rack type."""

    by_feed: dict[str, FeedLost]  # Remaining states to evaluate, by feed of the rack
    supplies: int  # Supplies of one rack, each lost once
    covered: int  # Supplies whose loss is covered on every feed


@dataclass(frozen=True, eq=False)
class LostLegs:
    """Legs of one circuit with one supply of its rack lost."""

    # Supplies lost, one at a time; identical for all circuits of the rack on one feed.
    names: tuple[str, ...]
    # P + jQ of the legs as on the circuit of the rack before rotation [VA];
    # shape (changes, legs).
    power_va: ComplexArray
    # Maximum change of a line current by one lost supply, total of all circuits of the rack on
    # this feed [A].
    rise_a: float = 0.0

    def of(self, circuit: Circuit) -> Circuit:
        """Return `circuit` with these legs, by change, on the poles of its banks."""
        return replace(circuit, power_va=_rows(self._turned(circuit)))

    def change(self, circuit: Circuit) -> Circuit:
        """Return `circuit` with the difference of these legs to its legs in the normal state."""
        return replace(circuit, power_va=_rows(self._turned(circuit) - circuit.power_va[0]))

    def _turned(self, circuit: Circuit) -> ComplexArray:
        legs = self.power_va
        return legs[:, list(circuit.banks)] if legs.shape[1] == 3 else legs


def _rows(legs: ComplexArray) -> tuple[tuple[complex, ...], ...]:
    return tuple(tuple(complex(value) for value in row) for row in legs)


NOTHING_LOST = LostLegs((), np.zeros((0, 1), dtype=np.complex128))


def one_sector(power_factors: Iterable[float], line_to_line: bool) -> bool:
    """Return whether the load contributions to a line lie within 90 degrees.

    power_factors: Lagging power factors of all loads that may share a panel.
    line_to_line: Whether some of them are connected line to line.
    """
    angles = [math.acos(min(1.0, factor)) for factor in power_factors]
    spread = max(angles, default=0.0) - min(angles, default=0.0)
    return spread + (_LINE_TO_LINE_SPREAD if line_to_line else 0.0) <= _SECTOR + _EQUAL


def covering_feeds(racks: Iterable[Rack], feeds: tuple[str, ...]) -> frozenset[str]:
    """Return the feeds whose loss reduces the load of no remaining supply.

    With other feeds lost some device is capped so far that its other cords carry less.
    """
    found = set(feeds)
    for rack in racks:
        feed = np.array([s.feed for s in rack.supplies])
        normal = supply_shares(rack, np.ones((1, len(feed)), dtype=np.bool_))[0]
        for name in feeds:
            left = feed != name
            lost = supply_shares(rack, left[None, :])[0]
            if np.any(left & (lost < normal - _EQUAL)):
                found.discard(name)
    return frozenset(found)


def covered_by_feeds(rack: Rack, sector: bool, covering: frozenset[str]) -> bool:
    """Return whether a lost feed covers every lost supply: each device has cords on two or more.

    On its own feed a lost supply is covered by the loss of another feed of the device, on the
    others by the loss of its feed, if these feeds are `covering` and do not cap the
    device so far that its supplies carry less.
    """
    feeds: dict[int, Counter[str]] = {}
    for supply in rack.supplies:
        feeds.setdefault(supply.device, Counter())[supply.feed] += 1
    devices = [placed.device for placed in rack.placed for _ in range(placed.count)]
    return sector and all(
        len(on) > 1 and covering.issuperset(on) and _carry_no_less(devices[number], on)
        for number, on in feeds.items()
    )


def _carry_no_less(device: Device, split: Counter[str]) -> bool:
    """Return whether a lost feed leaves each supply of `device` at least its one-lost share."""
    count = split.total()

    def share_w(lost: int) -> float:
        draw = draw_with(device, count - lost, device.maximum_w)
        return draw.sized_w / (count - lost)

    return all(share_w(lost) >= share_w(1) - _EQUAL * device.maximum_w for lost in split.values())


def rack_lost(
    rack: Rack,
    feeds: tuple[str, ...],
    banks: NDArray[np.int64],
    sector: bool,
    covering: frozenset[str],
) -> RackLost:
    """Return the lost supplies of `rack` to be evaluated, feed by feed.

    feeds: Feeds, each lost in a separate state.
    banks: Outlet bank of each supply; -1 for one on all three, 0 on circuits without banks, shape
        (supplies,).
    sector: Whether `one_sector` is true for all loads that may share a panel.
    covering: See `covering_feeds`.
    """
    count = len(rack.supplies)
    if count == 0:
        return RackLost({}, 0, 0)
    device = np.array([s.device for s in rack.supplies], dtype=np.int64)
    circuit = np.array([s.circuit for s in rack.supplies], dtype=np.int64)
    feed = np.array([feeds.index(s.feed) for s in rack.supplies], dtype=np.int64)
    lost = supply_shares(rack, ~np.eye(count, dtype=np.bool_))
    states = np.arange(1 + len(feeds))[:, None] - 1
    remaining = supply_shares(rack, feed[None, :] != states)
    covers = np.array([True, *(name in covering for name in feeds)])
    bank = _member(circuit, banks)
    part = _member(circuit, banks, device)
    power_w = np.array(rack.device_w)
    power_va = (power_w + 1j * reactive_power.si(power_w, np.array(rack.device_pf)))[device]
    covered = np.ones(count, dtype=np.bool_)
    by_feed = {}
    for number, name in enumerate(feeds):
        mine = feed == number
        if mine.any():
            here = lost * mine
            others = covers & (np.arange(len(covers)) != number + 1)
            known = remaining[others] * mine
            matters = ~_covered(here @ part, known @ part, sector)
            covered &= ~matters
            change_va = ((here - known[0]) * power_va) @ bank
            rows = _distinct(change_va, np.flatnonzero(matters))
            names = tuple(supply_name(rack, row) for row in rows)
            by_feed[name] = FeedLost(names, here[rows])
    return RackLost(by_feed, count, int(covered.sum()))


def _member(*columns: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Return which supply belongs to which combination of the values in `columns`."""
    each = np.stack(columns, axis=1)
    return np.asarray((each[:, None, :] == np.unique(each, axis=0)[None, :, :]).all(axis=2))


def supply_shares(rack: Rack, live: NDArray[np.bool_]) -> FloatArray:
    """Return the fraction of its device's sizing input on the circuit of each supply.

    By row of `live`, shape (rows, supplies).
    """
    device = np.array([s.device for s in rack.supplies], dtype=np.int64)
    same = (device[:, None] == device[None, :]).astype(np.int64)
    left = live.astype(np.int64) @ same
    return np.where(live, rack_draw(rack, live).sized[:, device] / np.maximum(left, 1), 0.0)


def _covered(lost: FloatArray, known: FloatArray, sector: bool) -> NDArray[np.bool_]:
    """Return which rows of `lost` do not exceed, or otherwise equal, one row of `known`."""
    difference = lost[:, None, :] - known[None, :, :]
    if not sector:
        difference = np.abs(difference)
    return np.asarray(np.any(np.all(difference <= _EQUAL, axis=2), axis=1))


def _distinct(change_va: ComplexArray, rows: NDArray[np.int64]) -> list[int]:
    """Return the first of `rows` of each change of the outlet banks, to a millionth of a VA."""
    first: dict[bytes, int] = {}
    for row in rows:
        first.setdefault((np.round(change_va[row], 6) + 0.0).tobytes(), int(row))
    return list(first.values())


def supply_name(rack: Rack, number: int) -> str:
    """Return the name of one supply of a rack, e.g. ``"supply 2 of R760 no. 3"``."""
    device = rack.supplies[number].device
    ordinal = sum(s.device == device for s in rack.supplies[: number + 1])
    first = 0
    for placed in rack.placed:
        if device < first + placed.count:
            break
        first += placed.count
    which = f" no. {device - first + 1}" if placed.count > 1 else ""
    return f"supply {ordinal} of {placed.device.model}{which}"
