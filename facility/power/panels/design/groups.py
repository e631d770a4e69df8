"""Panel groups with tags, racks and partners: identical groups share one pattern."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from facility.core.kinds import ComplexArray
from facility.model.it import Hall, ItPlan
from facility.model.power.hall_distribution import PanelBasis
from facility.power.panels.board.currents import class_power, currents
from facility.power.panels.board.layout import LAYOUTS
from facility.power.panels.board.model import Circuit, Panel
from facility.power.panels.design.as_built import AssignedCircuit, Board, rearranged
from facility.power.panels.design.fill import Assigned, Filling, Group
from facility.power.panels.design.lost_states import PanelLost, panel_lost
from facility.power.panels.design.pattern import framed, panel_pattern, turned
from facility.power.panels.design.positions import placed_panel
from facility.power.panels.design.racks import feed_states
from facility.power.panels.design.supplies_lost import NOTHING_LOST, LostLegs


@dataclass(frozen=True, eq=False)
class Built:
    """Panels with their phasors, before totals and checks."""

    panels: tuple[Panel, ...]  # Panels, group by group
    phasors: ComplexArray  # Phasor currents of A, B, C, N [A]; shape (panels, states, 4)
    # Power on AN, BN, CN, AB, BC, CA of each panel [VA]; shape (states, 6) each.
    class_power: tuple[ComplexArray, ...]
    identical: tuple[tuple[int, ...], ...]  # Indices of identically filled panels, by type
    # Each panel with a rack supply lost, if no other state covers it.
    lost: tuple[PanelLost | None, ...]


@dataclass(frozen=True, eq=False)
class _Sheet:
    """Calculated panel: circuits and derived data."""

    circuits: tuple[Circuit, ...]
    class_power: ComplexArray
    phasors: ComplexArray


@dataclass(frozen=True, eq=False)
class _NamedPanel:
    """Panel with its tag, and rack and description of each circuit; empty if none.

    Panels that share racks have one index `group`, also on one feed if a rack is too large for one
    panel: the whole group is on one output bus, so that the loss of a bus also drops the rack and
    does not transfer its load to the others.
    """

    tag: str
    feed: str
    group: int
    turn: int
    hall: Hall
    sheet: _Sheet
    assigned: tuple[Assigned, ...]
    racks: tuple[str, ...]
    texts: tuple[str, ...]
    paired: tuple[str, ...]
    sort: object


def build_all(
    groups: Sequence[tuple[Hall, Group]], plan: ItPlan, basis: PanelBasis, filling: Filling
) -> Built:
    """Return all panels of `groups`, in order.

    Identical groups are rotated by one phase each, so that the remaining imbalance of each panel
    cancels upstream. As-built boards are arranged as specified.

    Raises the errors of `rearranged` and `placed_panel` for infeasible as-built data.
    """
    named = _designed(groups, plan, basis, filling)
    if basis.stated:
        named = _as_built(named, basis)
    partners = _partners(named, basis)
    identical: dict[object, list[int]] = {}
    for index, one in enumerate(named):
        identical.setdefault(one.sort, []).append(index)
    made = [one.sheet for one in named]
    states = len(feed_states(basis.feeds))
    panels = tuple(_panel(one, partners, basis) for one in named)
    return Built(
        panels=panels,
        phasors=np.array([s.phasors for s in made]).reshape(len(made), states, 4),
        class_power=tuple(s.class_power for s in made),
        identical=tuple(tuple(rows) for rows in identical.values()),
        lost=tuple(
            panel_lost(panel, _lost_legs(one)) for panel, one in zip(panels, named, strict=True)
        ),
    )


def _lost_legs(named: _NamedPanel) -> list[LostLegs]:
    spares = len(named.racks) - len(named.assigned)
    return [*(one.tap_off.lost for one in named.assigned), *[NOTHING_LOST] * spares]


def _designed(
    groups: Sequence[tuple[Hall, Group]], plan: ItPlan, basis: PanelBasis, filling: Filling
) -> list[_NamedPanel]:
    assigned: dict[Group, dict[str, tuple[Assigned, ...]]] = {}
    sheets: dict[tuple[Group, int], dict[str, _Sheet]] = {}
    names = _RackNames(plan)
    named: list[_NamedPanel] = []
    group_of: dict[str, int] = {}
    width = max(2, len(str(len(groups))))
    for number, (hall, group) in enumerate(groups, start=1):
        turn = (number - 1) % 3
        if group not in assigned:
            assigned[group] = _assigned(group, basis)
            sheets[group, 0] = {
                feed: _sheet(panel_pattern(on, filling, basis), basis)
                for feed, on in assigned[group].items()
            }
        if (group, turn) not in sheets:
            sheets[group, turn] = {
                feed: _turned(sheet, assigned[group][feed], turn, basis)
                for feed, sheet in sheets[group, 0].items()
            }
        tags = {feed: f"{basis.tag_prefix}-{feed}{number:0{width}d}" for feed in assigned[group]}
        racks = {feed: tuple(map(names.next, on)) for feed, on in assigned[group].items()}
        sharing = next((group_of[one] for each in racks.values() for one in each
                        if one in group_of), len(set(group_of.values())))  # fmt: skip
        group_of |= dict.fromkeys((one for each in racks.values() for one in each), sharing)
        for feed, on in assigned[group].items():
            others = tuple(tag for other, tag in tags.items() if other != feed)
            named.append(_NamedPanel(
                tags[feed], feed, sharing, turn, hall, sheets[group, turn][feed], on,
                racks[feed], ("",) * len(on), others, (group, feed),
            ))  # fmt: skip
    return named


def _assigned(group: Group, basis: PanelBasis) -> dict[str, tuple[Assigned, ...]]:
    found = {}
    for feed in basis.feeds:
        on = tuple(h for unit, count in group for _ in range(count) for h in unit.on(feed))
        if on:
            found[feed] = on
    return found


def _turned(sheet: _Sheet, assigned: tuple[Assigned, ...], steps: int, basis: PanelBasis) -> _Sheet:
    if steps == 0 or not all(one.tap_off.turns for one in assigned):
        return sheet
    return _sheet(turned(sheet.circuits, steps), basis)


def _sheet(circuits: tuple[Circuit, ...], basis: PanelBasis) -> _Sheet:
    layout = LAYOUTS[basis.numbering]
    states = len(feed_states(basis.feeds))
    total = np.zeros((states, 6), dtype=np.complex128)
    for circuit in circuits:
        total += class_power(circuit, layout.phase(circuit.position or 1), states)
    return _Sheet(circuits, total, currents(total, basis.v_ll))


def _as_built(named: list[_NamedPanel], basis: PanelBasis) -> list[_NamedPanel]:
    """Return the panels with the as-built boards as specified; empty ones are removed."""
    boards = [
        Board(
            one_panel.tag,
            one_panel.feed,
            one_panel.hall.name,
            tuple(map(AssignedCircuit, one_panel.assigned, one_panel.racks)),
        )
        for one_panel in named
    ]
    changed = rearranged(boards, basis.stated)
    states = feed_states(basis.feeds)
    found = list(named)
    moved = set()
    for index, board in changed.items():
        panel = placed_panel(board, named[index].turn, basis, states)
        one_panel = named[index]
        spares = ("",) * len(board.spares)
        texts = tuple(
            "" if one.as_built is None else one.as_built.description for one in board.carried
        )
        plain = tuple(replace(circuit, id="", rack="") for circuit in panel.circuits)
        loads = tuple(replace(c, fixed=False, together="", apart="") for c in plain)
        as_designed = loads == one_panel.sheet.circuits
        found[index] = replace(
            one_panel,
            sheet=_sheet(plain, basis),
            assigned=tuple(one.assigned for one in board.carried),
            racks=(*(one.rack for one in board.carried), *spares),
            texts=(*texts, *spares),
            sort=one_panel.sort if as_designed else (one_panel.feed, loads),
        )
        if Counter(found[index].racks) != Counter(named[index].racks):
            moved.add(named[index].group)
    left = [
        one_panel
        for index, one_panel in enumerate(found)
        if one_panel.sheet.circuits or (index in changed and changed[index].where)
    ]
    return _paired_again(left, moved) if moved else left


def _paired_again(named: list[_NamedPanel], groups: set[int]) -> list[_NamedPanel]:
    """Return the panels, with `groups` paired with the panels that now share their racks."""
    feeding: dict[str, list[_NamedPanel]] = {}
    for one in named:
        for rack in set(filter(None, one.racks)):
            feeding.setdefault(rack, []).append(one)

    def paired(one: _NamedPanel) -> tuple[str, ...]:
        sharing = {
            other.tag
            for rack in filter(None, one.racks)
            for other in feeding[rack]
            if other.feed != one.feed
        }
        own = [tag for tag in one.paired if tag in sharing]
        return tuple(dict.fromkeys([*own, *(p.tag for p in named if p.tag in sharing)]))

    return [replace(one, paired=paired(one)) if one.group in groups else one for one in named]


class _RackNames:
    """Rack names, stated or by type and serial number, identical for all circuits of a rack."""

    def __init__(self, plan: ItPlan) -> None:
        total: Counter[str] = Counter()
        offset = []
        for rack in plan.racks:
            offset.append(total[rack.name])
            total[rack.name] += rack.count
        self.names: list[list[str]] = []  # Of the racks of each type
        for before, rack in zip(offset, plan.racks, strict=True):
            width = max(2, len(str(total[rack.name])))
            numbered = (f"{rack.name} {before + n:0{width}d}" for n in range(1, rack.count + 1))
            single = [rack.name] if total[rack.name] == 1 else list(numbered)
            self.names.append(list(rack.names) or single)
        # A circuit names its rack: a stated name that is repeated is preceded by its hall, or type.
        for field in ("hall", "name"):
            repeated = Counter(name for names in self.names for name in names)
            self.names = [
                [f"{getattr(rack, field)} {one}" if repeated[one] > 1 else one for one in names]
                for rack, names in zip(plan.racks, self.names, strict=True)
            ]
        self._used: Counter[tuple[int, str, int]] = Counter()

    def next(self, assigned: Assigned) -> str:
        key = (assigned.kind, assigned.tap_off.feed, assigned.tap_off.ordinal)
        self._used[key] += 1
        return self.names[assigned.kind][self._used[key] - 1]


def rack_names(plan: ItPlan) -> Iterator[tuple[str, int]]:
    """Yield the name of every rack with the index of its type, as named in the circuits."""
    for kind, names in enumerate(_RackNames(plan).names):
        for name in names:
            yield name, kind


def _panel(
    one: _NamedPanel, partners: dict[str, list[tuple[str, int, str]]], basis: PanelBasis
) -> Panel:
    circuits = []
    for circuit, rack, text in zip(one.sheet.circuits, one.racks, one.texts, strict=True):
        id = _id(one.tag, circuit, basis)
        if not rack:
            circuits.append(replace(circuit, id=id))
            continue
        others = (
            other
            for feed, number, other in partners[rack]
            if feed != one.feed and number == circuit.ordinal
        )
        inputs = sum(feed == one.feed for feed, _, _ in partners[rack])
        name = f"{rack} input {circuit.ordinal + 1}" if inputs > 1 else rack
        description = text or f"{name}: {circuit.description}"
        partner, route_m = " / ".join(others), one.hall.route_max_m
        circuits.append(circuit.named(id, description, rack, partner, route_m))
    states = feed_states(basis.feeds)
    panel = framed(basis, tuple(circuits), states, tag=one.tag, side=one.feed, hall=one.hall.name)
    return replace(panel, paired=one.paired, group=one.group)


def _id(tag: str, circuit: Circuit, basis: PanelBasis) -> str:
    return f"{tag}-{LAYOUTS[basis.numbering].label(circuit.position or 0)}"


def _partners(
    named: Sequence[_NamedPanel], basis: PanelBasis
) -> dict[str, list[tuple[str, int, str]]]:
    """Return feed, number and id of the circuits of each rack, in order of the feeds."""
    found: dict[str, list[tuple[str, int, str]]] = {}
    for one in named:
        for circuit, rack in zip(one.sheet.circuits, one.racks, strict=True):
            if rack:
                entry = one.feed, circuit.ordinal, _id(one.tag, circuit, basis)
                found.setdefault(rack, []).append(entry)
    if basis.stated:
        for entries in found.values():
            entries.sort(key=lambda entry: basis.feeds.index(entry[0]))
    return found
