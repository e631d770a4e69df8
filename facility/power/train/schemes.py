"""Who carries what: shares of the load by feed and by UPS system, in every designed state.

A load hangs on a group of feeds. When one of them is lost, the group's other feeds take its part;
every single loss is computed, so that unequal groups are sized on their worst state.
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
    """A part of the IT load that hangs on the same feeds in the same proportion."""

    weight: float  # Part of the IT load
    # Feed and the part of the group's load it carries normally; the parts sum to 1.
    shares: tuple[tuple[str, float], ...]


@dataclass(frozen=True)
class Shares:
    """Parts of the load by carrier (feed or UPS system)."""

    names: tuple[str, ...]  # The carriers
    normal: tuple[float, ...]  # Part of the load on each with all in service
    # `after[i]`: parts when carrier i is lost; empty where no loss is designed for.
    after: tuple[tuple[float, ...], ...]

    @property
    def worst(self) -> tuple[float, ...]:
        """Largest part on each carrier over all states."""
        return tuple(max(parts) for parts in zip(self.normal, *self.after, strict=True))


def equal_groups(feeds: tuple[str, ...]) -> tuple[FeedGroup, ...]:
    """Return dual-corded load in equal groups, one for each pair of feeds."""
    if len(feeds) == 1:
        return (FeedGroup(1.0, ((feeds[0], 1.0),)),)
    pairs = tuple(combinations(feeds, 2))
    return tuple(FeedGroup(1.0 / len(pairs), tuple((f, 0.5) for f in pair)) for pair in pairs)


@lru_cache(maxsize=64)
def feed_groups(racks: tuple[Rack, ...], feeds: tuple[str, ...]) -> tuple[FeedGroup, ...]:
    """Return the groups that the supplies of the racks form.

    Each device shares its load equally over its supplies; devices whose supplies hang on the
    same feeds in the same numbers form a group, weighted by their power. Every balance of a design
    asks for those of the same racks: they are kept.

    Raises ``UNKNOWN_FEED`` for a supply on a feed that the scheme does not have.
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
    """Return the part of the load on each feed, normally and after the loss of each feed.

    A group that hangs on the lost feed alone is dropped and burdens no other.
    """
    normal = _sum_by_feed(feeds, groups, "")
    after = tuple(_sum_by_feed(feeds, groups, lost) for lost in feeds) if len(feeds) > 1 else ()
    return Shares(feeds, normal, after)


def system_shares(scheme: Scheme, feeds: tuple[str, ...], groups: tuple[FeedGroup, ...]) -> Shares:
    """Return the part of the UPS load on each system, normally and after each single loss.

    One system carries all. With a system per feed its part is that of the feed. In a block-
    redundant scheme the load is split equally over the primaries, and the static transfer
    switches move the part of a lost primary to the reserve.
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
    """Return the UPS systems that cooling on the UPS can be taken from: all but the reserve.

    The reserve catches what hangs behind transfer switches; cooling has a way from each of the
    other systems and needs none. Beside a single primary system the reserve has to serve.
    """
    primaries = tuple(name for name in scheme.systems if name != scheme.reserve)
    return primaries if len(primaries) > 1 else scheme.systems


def cooling_shares(scheme: Scheme) -> Shares:
    """Return the part of the cooling on the UPS on each system, normally and after each loss.

    The systems of `cooling_systems` share it evenly, and those left take the part of a lost one.
    """
    return even_shares(scheme.systems, cooling_systems(scheme))


def even_shares(names: tuple[str, ...], able: tuple[str, ...] = ()) -> Shares:
    """Return the parts of a load that carriers share evenly, with transfer to those left.

    able: Those of `names` that take part; all by default.
    """
    able = able or names

    def shared(lost: str) -> tuple[float, ...]:
        left = [name for name in able if name != lost]
        return tuple(1.0 / len(left) if name in left else 0.0 for name in names)

    after = tuple(shared(lost) for lost in names) if len(able) > 1 else ()
    return Shares(names, shared(""), after)
