r"""Lost supplies of one kind of rack: which of them put more on a circuit than any lost feed does.

When one supply of a device dies, feeds alive, the others of the device carry its share, up to what
`draw_with` says that its circuits are sized for. A rack has as many such states as supplies, and
most of them need not be looked at.

On the circuits of one feed, let c be the part of a device that each outlet bank carries; the line
currents are sums of c x (power of the device) over what stands in the panel. A lost supply is
covered where every c of it is no larger than in the normal state, or with one other feed lost of
which it is known that all other devices of the panel then carry no less there than they do normally
(`covering_feeds`). That alone does not prove a smaller line current, for phasors added may cancel.
It does where what the loads may add to one line lies within 90 degrees: x and y of such a sector
have :math:`\Re(\bar x y) \ge 0`, hence :math:`|x + y|^2 \ge |x|^2 + |y|^2`. To one line, loads to
neutral add at minus their phase angle, loads between lines at that and 30 degrees to either side.
Phase angles of lagging loads lie within 90 degrees, so that loads to neutral alone always meet it;
with loads between lines their angles must lie within 30 degrees (power factors of 0.87 to 1). Where
that fails, only states equal to another are covered.
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
    """Lost supplies that matter to the circuits of a rack on one feed."""

    names: tuple[str, ...]  # One name per distinct change, e.g. "supply 2 of R760"
    # Part of its device that each supply of the rack carries; zero on other feeds. Shape (changes,
    # supplies).
    shares: FloatArray


@dataclass(frozen=True, eq=False)
class RackLost:
    """Lost supplies of one kind of rack."""

    by_feed: dict[str, FeedLost]  # What is left to be looked at, by feed of the rack
    supplies: int  # Supplies of one rack, each lost once
    covered: int  # Those whose loss is covered on every feed


@dataclass(frozen=True, eq=False)
class LostLegs:
    """Legs of one circuit with one supply of its rack lost."""

    # Supplies lost, one at a time; the same for all circuits of the rack on one feed.
    names: tuple[str, ...]
    # P + jQ of the legs as the circuit of the rack has them before it is turned [VA];
    # shape (changes, legs).
    power_va: ComplexArray
    # Most that one lost supply changes a line current through all circuits of the rack on this feed
    # together [A].
    rise_a: float = 0.0

    def of(self, circuit: Circuit) -> Circuit:
        """Return `circuit` with these legs, by change, on the poles where it has its banks."""
        return replace(circuit, power_va=_rows(self._turned(circuit)))

    def change(self, circuit: Circuit) -> Circuit:
        """Return `circuit` with what these legs are more than its legs in the normal state."""
        return replace(circuit, power_va=_rows(self._turned(circuit) - circuit.power_va[0]))

    def _turned(self, circuit: Circuit) -> ComplexArray:
        legs = self.power_va
        return legs[:, list(circuit.banks)] if legs.shape[1] == 3 else legs


def _rows(legs: ComplexArray) -> tuple[tuple[complex, ...], ...]:
    return tuple(tuple(complex(value) for value in row) for row in legs)


NOTHING_LOST = LostLegs((), np.zeros((0, 1), dtype=np.complex128))


def one_sector(power_factors: Iterable[float], line_to_line: bool) -> bool:
    """Return whether what the loads of a panel add to a line lies within 90 degrees.

    power_factors: Lagging power factors of all loads that may meet in a panel.
    line_to_line: Whether some of them are connected between lines.
    """
    angles = [math.acos(min(1.0, factor)) for factor in power_factors]
    spread = max(angles, default=0.0) - min(angles, default=0.0)
    return spread + (_LINE_TO_LINE_SPREAD if line_to_line else 0.0) <= _SECTOR + _EQUAL


def covering_feeds(racks: Iterable[Rack], feeds: tuple[str, ...]) -> frozenset[str]:
    """Return the feeds whose loss leaves no supply of any rack with less than it carries normally.

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
    others by the loss of its own feed, as long as those feeds are `covering` and do not cap the
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
    """Return whether a lost feed leaves each supply of `device` what one lost supply does."""
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
    """Return the lost supplies of `rack` that must be looked at, feed by feed.

    feeds: Feeds, each lost in a state of its own.
    banks: Outlet bank of each supply; -1 for one on all three, 0 on circuits without banks, shape
        (supplies,).
    sector: Whether `one_sector` holds for all that may meet in a panel.
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
    kept = supply_shares(rack, feed[None, :] != states)
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
            known = kept[others] * mine
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
    """Return the part of its device's input that the circuit of each supply is sized for.

    By row of `live`, shape (rows, supplies).
    """
    device = np.array([s.device for s in rack.supplies], dtype=np.int64)
    same = (device[:, None] == device[None, :]).astype(np.int64)
    left = live.astype(np.int64) @ same
    return np.where(live, rack_draw(rack, live).sized[:, device] / np.maximum(left, 1), 0.0)


def _covered(lost: FloatArray, known: FloatArray, sector: bool) -> NDArray[np.bool_]:
    """Return which rows of `lost` are nowhere above, or else equal to, one row of `known`."""
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
