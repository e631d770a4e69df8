"""Points list of a design: every measured quantity with range, alarm limits and their sources."""

from __future__ import annotations

import re
import unicodedata
import zlib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from urllib.parse import unquote

from facility.core.views import view_unit
from facility.study.design.design import Design
from facility.study.points.equipment import MonitoredItem, instances, monitored
from facility.study.points.limits import AlarmLimit, LimitSet, alarm_limits
from facility.study.points.margins import with_margins
from facility.study.points.ranges import ExpectedRange, PointRanges
from facility.study.points.schedule import (
    DCGM,
    LIMITED_AS,
    QUANTITIES,
    REDFISH,
    MeasuredQuantity,
    metric_of,
)

NOT_STATED = "not stated"
"""Text of a limit that no check and no input has."""


@dataclass(frozen=True)
class MeasuredPoint:
    """One measured quantity of one piece of equipment."""

    item: MonitoredItem
    quantity: str
    site: str
    expected: ExpectedRange | None  # None where no study has it
    limits: tuple[AlarmLimit, ...] = ()
    limit_class: str = ""  # Name of the limits that this point shares; empty without limits

    @property
    def name(self) -> str:
        """Hierarchical name: site/hall/row/rack/equipment/quantity."""
        item = self.item
        row = f"row {item.row}" if item.row else ""
        rack = "" if item.equipment == "rack" else item.rack
        hall = "" if item.equipment == "hall" else item.hall
        places = [self.site, hall, row if item.equipment != "row" else "", rack]
        named = [one for one in (*places, item.tag, self.quantity) if one]
        return "/".join(one.replace("%", "%25").replace("/", "%2F") for one in named)

    @property
    def machine_name(self) -> str:
        """Name of ASCII letters, digits, hyphens, underscores and points, for BACnet and Modbus."""
        return ".".join(_machine_part(part) for part in self.name.split("/"))

    @property
    def about(self) -> MeasuredQuantity:
        """The measured quantity."""
        return QUANTITIES[self.quantity]

    @property
    def unit(self) -> str:
        """Unit of ranges and limits in the list; empty for a contact."""
        return view_unit(self.about.kind) if self.about.kind else ""

    @property
    def metric(self) -> str:
        """Prometheus metric, in base units."""
        return metric_of(self.quantity)

    @property
    def dcgm(self) -> str:
        """DCGM field; empty for points that are not of a GPU."""
        return DCGM.get(self.quantity, "")

    @property
    def redfish(self) -> str:
        """Redfish resource; empty for other points."""
        return REDFISH.get((self.item.equipment, self.quantity), "")

    @property
    def count(self) -> int:
        """Identical instances: lines of a current, GPUs of a server."""
        return instances(self.item, self.quantity)

    def at(self, level: str) -> AlarmLimit | None:
        """Return the limit of a level; None if not stated."""
        return next((one for one in self.limits if one.level == level), None)


def _machine_part(text: str) -> str:
    """Return a part of a name in ASCII; a text without ASCII letters has a checksum instead."""
    plain = unicodedata.normalize("NFKD", unquote(text)).encode("ascii", "ignore").decode()
    found = re.sub(r"[^A-Za-z0-9-]+", "_", plain).strip("_")
    return found or f"x{zlib.crc32(text.encode('utf-8', 'replace')):08x}"


class LimitIndex:
    """Alarm limits by equipment and quantity, each set with a name."""

    def __init__(self, sets: Iterable[LimitSet]) -> None:
        self.sets = tuple(sets)
        self._found: dict[tuple[str, str, str], LimitSet] = {}
        for one in self.sets:
            for tag in one.tags or ("",):
                self._found[one.equipment, one.quantity, tag] = one
        self._shared = Counter((one.equipment, one.quantity) for one in self.sets)

    def of(self, equipment: str, quantity: str, *keys: str) -> LimitSet | None:
        """Return the limits of a quantity of equipment; None without any.

        keys: Tag and type of the equipment; without them, the limits of the whole class.
        """
        limited = LIMITED_AS.get(equipment, equipment)
        found = (self._found.get((limited, quantity, key)) for key in (*keys, ""))
        return next((one for one in found if one is not None), None)

    def name(self, one: LimitSet) -> str:
        """Return the name of a set: class and quantity, with its values where these differ."""
        name = f"{one.equipment}:{one.quantity}"
        if self._shared[one.equipment, one.quantity] == 1:
            return name
        return f"{name}:{'/'.join(f'{limit.value:.6g}' for limit in one.limits)}"


@dataclass(frozen=True, eq=False)
class PointsList:
    """The points of a design, generated on demand: a large plant has over 100,000."""

    design: Design
    sets: LimitIndex

    @property
    def site(self) -> str:
        """Name of the site in point names and labels: its place, else the project."""
        return self.design.facility.site.place or self.design.facility.identity.name

    @cached_property
    def items(self) -> tuple[MonitoredItem, ...]:
        """Everything with points."""
        return tuple(monitored(self.design))

    def __iter__(self) -> Iterator[MeasuredPoint]:
        """Yield the points, in the order of the equipment."""
        ranges, site = PointRanges(self.design), self.site
        for item in self.items:
            for quantity in item.quantities:
                found = self.sets.of(item.equipment, quantity, *item.limit_keys)
                limits, name = (found.limits, self.sets.name(found)) if found else ((), "")
                yield MeasuredPoint(item, quantity, site, ranges.of(item, quantity), limits, name)

    @cached_property
    def counts(self) -> Mapping[str, int]:
        """Number of points by class of equipment."""
        found: Counter[str] = Counter()
        for item in self.items:
            found[item.equipment] += len(item.quantities)
        return found

    @cached_property
    def used_sets(self) -> tuple[LimitSet, ...]:
        """The limits that at least one point has."""
        used: dict[int, LimitSet] = {}
        for item in self.items:
            for quantity in item.quantities:
                found = self.sets.of(item.equipment, quantity, *item.limit_keys)
                if found is not None:
                    used[id(found)] = found
        return tuple(one for one in self.sets.sets if id(one) in used)


def design_points(design: Design) -> PointsList:
    """Return the points list of a design; runs its studies for limits and ranges."""
    sets = with_margins(alarm_limits(design), monitored(design), PointRanges(design))
    return PointsList(design, LimitIndex(sets))
