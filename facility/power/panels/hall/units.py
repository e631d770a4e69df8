"""A hall taken apart for balancing: sorts of circuits, units that move as one, sites of panels."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from facility.core.errors import FacilityError
from facility.core.kinds import ComplexArray
from facility.model.it import ItPlan
from facility.power.panels.balance.lines import IntArray
from facility.power.panels.board.model import Circuit, Panel
from facility.power.panels.design.groups import rack_names
from facility.power.panels.design.halls import PanelSet
from facility.power.panels.design.lineups import panel_groups
from facility.power.panels.design.racks import cord_banks, supply_power

SortKey = tuple[int, int, bool]
"""Kind of rack, number of the circuit within the rack, and whether its banks run 1, 3, 2."""

CordKey = tuple[str, str, int]
"""Name of the kind of rack, feed, and number of the circuit on it, from 0."""


@dataclass(frozen=True, slots=True)
class Member:
    """One rack circuit of the hall as it is given.

    `start` is the line of outlet bank 1 of a 3-pole circuit, of the first pole of another one.
    `pinned` says that panel, position and banks stay.
    """

    panel: int
    index: int
    sort: SortKey
    start: int
    pinned: bool


@dataclass(frozen=True, slots=True)
class RackCircuits:
    """Circuits of one rack that change panels together, by index of the member.

    `sorts` are those of its members: units of equal sorts may stand in for each other.
    """

    members: tuple[int, ...]
    sorts: tuple[SortKey, ...]
    site: int
    pinned: bool


@dataclass(frozen=True, slots=True)
class UnitSite:
    """Where a unit may stand: one panel for each feed, by its index."""

    hall: str
    panels: dict[str, int]


@dataclass(frozen=True, eq=False)
class CircuitCords:
    """The cords of the 1- and 3-phase supplies of one circuit of a kind of rack."""

    key: CordKey  # Kind of rack, feed and number of the circuit
    power_va: ComplexArray  # Power of each cord, rack PDU loss included [VA]; shape (states, cords)
    # Outlet bank of each cord as given; -1 for one of three phases. Shape (cords,).
    banks: IntArray


@dataclass(frozen=True, eq=False)
class HallUnits:
    """Everything that balancing knows of the panels given."""

    found: PanelSet
    members: tuple[Member, ...]
    units: tuple[RackCircuits, ...]  # What moves together
    sites: tuple[UnitSite, ...]  # Where to
    # Cords of the 3-pole circuits of every kind of rack in the halls looked at, by (kind, circuit).
    cords: dict[tuple[int, int], CircuitCords]
    feed_of: dict[SortKey, str]  # Feed of each sort of circuit
    template: dict[SortKey, Circuit]  # One circuit of each sort

    def panel(self, member: int) -> Panel:
        """Return the panel of a member as given."""
        return self.found.panels[self.members[member].panel]

    def circuit(self, member: int) -> Circuit:
        """Return the circuit of a member as given."""
        return self.panel(member).circuits[self.members[member].index]

    @cached_property
    def site_of(self) -> dict[int, int]:
        """Site of each panel."""
        return {p: k for k, site in enumerate(self.sites) for p in site.panels.values()}

    @cached_property
    def by_feed(self) -> dict[tuple[str, str], list[int]]:
        """Panels of each feed in each hall."""
        feeds: dict[tuple[str, str], list[int]] = {}
        for site in self.sites:
            for feed, panel in site.panels.items():
                feeds.setdefault((site.hall, feed), []).append(panel)
        return feeds

    @property
    def panels(self) -> tuple[int, ...]:
        """Indices of the panels of all sites."""
        return tuple(p for site in self.sites for p in site.panels.values())


def take_apart(
    plan: ItPlan,
    found: PanelSet,
    halls: Collection[str],
    fixed: Collection[str],
    *,
    racks_stay: bool,
    keep_pairs: bool,
) -> HallUnits:
    """Return the panels of `halls` as members, units and sites.

    A circuit is pinned when it is fixed, named in `fixed`, or one of a group that stands together
    or apart; a unit with a pinned member stays on its panels, as do all with `racks_stay`.
    """
    kinds = dict(rack_names(plan))
    sites = tuple(_sites(found.panels, halls, keep_pairs))
    members: list[Member] = []
    units: list[RackCircuits] = []
    template: dict[SortKey, Circuit] = {}
    for number, site in enumerate(sites):
        mine: dict[str, list[int]] = {}
        for panel in site.panels.values():
            for index, circuit in enumerate(found.panels[panel].circuits):
                if circuit.rack in kinds:
                    member = _member(plan, found.panels[panel], panel, index, kinds, fixed)
                    template.setdefault(member.sort, circuit)
                    mine.setdefault(circuit.rack, []).append(len(members))
                    members.append(member)
        for rack in sorted(mine):
            chosen = sorted(mine[rack], key=lambda m: members[m].sort)
            pinned = racks_stay or any(members[m].pinned for m in chosen)
            sorts = tuple(members[m].sort for m in chosen)
            units.append(RackCircuits(tuple(chosen), sorts, number, pinned))
    feeds = {key: plan.racks[key[0]].circuits[key[1]].feed for key in template}
    return HallUnits(
        found, tuple(members), tuple(units), sites, _cords(plan, found, halls), feeds, template
    )


def _sites(panels: Sequence[Panel], halls: Collection[str], keep_pairs: bool) -> list[UnitSite]:
    index = {panel.tag: number for number, panel in enumerate(panels)}
    sites = []
    for _, group in panel_groups(panels):
        if group[0].hall not in halls:
            continue
        by_feed = {panel.side: index[panel.tag] for panel in group}
        if keep_pairs and len(by_feed) == len(group):
            sites.append(UnitSite(group[0].hall, by_feed))
        else:
            sites += [UnitSite(p.hall, {p.side: index[p.tag]}) for p in group]
    return sites


def _member(
    plan: ItPlan,
    panel: Panel,
    number: int,
    index: int,
    kinds: dict[str, int],
    fixed: Collection[str],
) -> Member:
    circuit = panel.circuits[index]
    kind = kinds[circuit.rack]
    same_feed = [k for k, c in enumerate(plan.racks[kind].circuits) if c.feed == panel.side]
    pinned = circuit.fixed or circuit.id in fixed or bool(circuit.together or circuit.apart)
    start = panel.layout.phase(circuit.position or 1)
    turned = False
    if circuit.poles == 3:
        first = circuit.banks.index(0)
        turned = circuit.banks[(first + 1) % 3] == 2
        start = (start + first) % 3
    return Member(number, index, (kind, same_feed[circuit.ordinal], turned), start, pinned)


def _cords(
    plan: ItPlan, found: PanelSet, halls: Collection[str]
) -> dict[tuple[int, int], CircuitCords]:
    basis = found.basis
    cords = {}
    for kind, rack in enumerate(plan.racks):
        if rack.hall not in halls:
            continue
        power = supply_power(rack, plan, basis.feeds)
        where = np.array([s.circuit for s in rack.supplies], dtype=np.int64)
        three_phase = np.array([rack.device_phases[s.device] == 3 for s in rack.supplies])
        seen: Counter[str] = Counter()
        for number, given in enumerate(rack.circuits):
            key = (rack.name, given.feed, seen[given.feed])
            seen[given.feed] += 1
            mine = np.flatnonzero(where == number)
            if given.poles == 3 and len(mine):
                each = power[:, mine]
                banks = cord_banks(rack, number, each, three_phase[mine], basis)
                cords[kind, number] = CircuitCords(key, each, banks)
    return cords


def refuse_busways(hall: HallUnits) -> None:
    """Refuse a hall with busways, whose tap-offs do not tell the phase.

    Raises ``HALL_BUSWAY``.
    """
    for number in hall.panels:
        if hall.found.panels[number].numbering == "BUSWAY":
            raise FacilityError(
                "HALL_BUSWAY",
                hall.found.panels[number].tag,
                "a busway has no positions that tell the phases.",
                "Balance the busway by itself.",
            )
