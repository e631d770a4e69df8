"""Load shares by feed and by UPS system, in every designed state.

A load is connected to a group of feeds. If one feed is lost, the other feeds of the group carry its
share; every single loss is calculated, so that unequal groups are sized on their worst state.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations

from facility.core.errors import unknown
from facility.model.it import Rack
from facility.model.power.redundancy import Scheme
from facility.physics.circuits.distribution import share_after_loss


@dataclass(frozen=True)
class FeedGroup:
    """Part of the IT load on the same feeds in the same proportion."""

    weight: float  # Fraction of the IT load
    # Feed and its normal share of the group's load; the shares sum to 1.
    shares: tuple[tuple[str, float], ...]


@dataclass(frozen=True)
class Shares:
    """Load shares by carrier (feed or UPS system)."""

    names: tuple[str, ...]  # Carriers
    normal: tuple[float, ...]  # Share of each carrier with all in service
    # `after[i]`: shares with carrier i lost; empty if no loss is designed for.
    after: tuple[tuple[float, ...], ...]

    @property
    def worst(self) -> tuple[float, ...]:
        """Largest share of each carrier over all states."""
        return tuple(max(parts) for parts in zip(self.normal, *self.after, strict=True))


def equal_groups(feeds: tuple[str, ...]) -> tuple[FeedGroup, ...]:
    """Return dual-corded load in equal groups, one for each pair of feeds."""
    if len(feeds) == 1:
        return (FeedGroup(1.0, ((feeds[0], 1.0),)),)
    pairs = tuple(combinations(feeds, 2))
    return tuple(FeedGroup(1.0 / len(pairs), tuple((f, 0.5) for f in pair)) for pair in pairs)


@lru_cache(maxsize=64)
def feed_groups(racks: tuple[Rack, ...], feeds: tuple[str, ...]) -> tuple[FeedGroup, ...]:
    """Return the feed groups of the rack supplies.

    Each device shares its load equally over its supplies; devices with the same numbers of supplies
    on the same feeds form a group, weighted by their power. Every balance of a design
    requests the same racks: the groups are cached.

    Raises ``UNKNOWN_FEED`` for a supply on a feed outside the scheme.
    """
    power: dict[tuple[tuple[str, float], ...], float] = {}
    for rack in racks:
        cords: list[Counter[str]] = [Counter() for _ in rack.device_w]
        for supply in rack.supplies:
            if supply.feed not in feeds:
                raise unknown(
                    "UNKNOWN_FEED",
                    f"it.racks[{rack.name}].feeds",
                    f"there is no feed {supply.feed!r}; the power scheme has {', '.join(feeds)}.",
                    supply.feed,
                    feeds,
                )
            cords[supply.device][supply.feed] += 1
        for cord, device_w in zip(cords, rack.device_w, strict=True):
            total = cord.total()
            if total:
                shares = tuple((feed, cord[feed] / total) for feed in feeds if cord[feed])
                power[shares] = power.get(shares, 0.0) + rack.count * device_w
    sum_w = sum(power.values())
    return tuple(FeedGroup(w / sum_w, shares) for shares, w in sorted(power.items()) if w > 0)


def _sum_by_feed(
    feeds: tuple[str, ...], groups: tuple[FeedGroup, ...], lost: str
) -> tuple[float, ...]:
    parts = dict.fromkeys(feeds, 0.0)
    for group in groups:
        gone = dict(group.shares).get(lost, 0.0)
        for feed, share in group.shares:
            if feed != lost:
                parts[feed] += group.weight * float(share_after_loss.si(share, gone))
    return tuple(parts.values())


def feed_shares(feeds: tuple[str, ...], groups: tuple[FeedGroup, ...]) -> Shares:
    """Return the load share of each feed, normally and after the loss of each feed.

    A group on the lost feed only is dropped and loads no other.
    """
    normal = _sum_by_feed(feeds, groups, "")
    after = tuple(_sum_by_feed(feeds, groups, lost) for lost in feeds) if len(feeds) > 1 else ()
    return Shares(feeds, normal, after)


def system_shares(scheme: Scheme, feeds: tuple[str, ...], groups: tuple[FeedGroup, ...]) -> Shares:
    """Return the UPS load share of each system, normally and after each single loss.

    One system carries all. With one system per feed it has the share of the feed. In a block-
    redundant scheme the load is divided equally over the primaries, and the static transfer
    switches transfer the share of a lost primary to the reserve.
    """
    if scheme.one_system:
        return Shares(scheme.systems, (1.0,), ())
    if not scheme.reserve:
        return feed_shares(feeds, groups)
    part = 1.0 / (len(scheme.systems) - 1)
    primaries = dict.fromkeys(scheme.systems, part) | {scheme.reserve: 0.0}
    after = (primaries | {scheme.reserve: primaries[lost], lost: 0.0} for lost in scheme.systems)
    parts = tuple(tuple(each.values()) for each in after)
    return Shares(scheme.systems, tuple(primaries.values()), parts)


def cooling_systems(scheme: Scheme) -> tuple[str, ...]:
    """Return the UPS systems that can supply cooling: all except the reserve.

    The reserve takes over loads on transfer switches; cooling is connected to each of the other
    systems and needs none. With a single primary system the reserve must supply it.
    """
    primaries = tuple(name for name in scheme.systems if name != scheme.reserve)
    return primaries if len(primaries) > 1 else scheme.systems


def cooling_shares(scheme: Scheme) -> Shares:
    """Return the UPS cooling share of each system, normally and after each loss.

    The systems of `cooling_systems` share it evenly; the others carry the share of a lost one.
    """
    return even_shares(scheme.systems, cooling_systems(scheme))


def even_shares(names: tuple[str, ...], able: tuple[str, ...] = ()) -> Shares:
    """Return even load shares of carriers, transferred to the remaining ones after a loss.

    able: Participating carriers of `names`; default all.
    """
    able = able or names

    def shared(lost: str) -> tuple[float, ...]:
        left = [name for name in able if name != lost]
        return tuple(1.0 / len(left) if name in left else 0.0 for name in names)

    after = tuple(shared(lost) for lost in names) if len(able) > 1 else ()
    return Shares(names, shared(""), after)
