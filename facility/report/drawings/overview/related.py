"""Related racks and equipment: supplies of a rack, and racks fed by equipment."""

from __future__ import annotations

from collections import defaultdict

from facility.power.network.graph.types import Network
from facility.report.drawings.overview.lineups import rack_of


class Related:
    """Equipment upstream of each rack by its preferred supplies, and the racks downstream."""

    def __init__(self, network: Network) -> None:
        above: dict[str, tuple[str, ...]] = {}
        for one in network.equipment:
            first = one.links[0].source if one.links else ""
            above[one.tag] = (one.tag, *above.get(first, ())) if first else (one.tag,)
        self._feeding: dict[str, dict[str, None]] = defaultdict(dict)
        self._fed: dict[str, dict[str, None]] = defaultdict(dict)
        for load in network.loads:
            if not load.kind.critical:
                continue
            rack = rack_of(load.tag)
            for cord in load.cords:
                for tag in above[cord.link.source]:
                    self._feeding[rack][tag] = None
                    self._fed[tag][rack] = None
            self._fed[load.hall][rack] = None

    def of(self, tag: str) -> tuple[str, ...]:
        """Return the supplies of a rack, or the racks fed by equipment or in a hall; else empty."""
        return tuple(self._feeding.get(tag) or self._fed.get(tag) or ())
