"""Lineups of a power network in one state: the loading and status of each of their parts."""

from __future__ import annotations

import math
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from facility.core.rounding import argmax_within_rounding
from facility.core.views import System, show, show_short
from facility.power.network.graph.types import Equipment, EquipmentKind, Load, Network
from facility.report.drawings.live.moments import LiveState
from facility.report.drawings.one_line.status import Status, states_of, worst_of
from facility.report.drawings.overview.parts import Margin, margin_of

ROW_TITLES: dict[EquipmentKind, str] = {
    "transformer": "Transformers",
    "ats": "ATS",
    "lv-board": "LV boards",
    "ups": "UPS",
    "sts": "STS",
    "pdu": "PDUs",
    "panel": "Panels",
}
"""Rows of the overview from the switchgear down."""
_PANELS = ("panel", "busway")
_DEVICE = re.compile(r" device \d+$")


@dataclass(frozen=True)
class LineupCell:
    """Equipment of one row in a lineup, or in several identical ones.

    `tag` is that of the most loaded, `supply` the supply in use of a transfer switch, `units_out`
    the number of its units out of service where others run.
    """

    tag: str
    tags: tuple[str, ...]
    loading: float | None
    status: Status
    supply: str = ""
    units_out: int = 0

    @property
    def margin(self) -> Margin:
        """Margin to the limit of the most loaded."""
        return margin_of(self.loading, self.status)


@dataclass(frozen=True)
class LineupColumn:
    """One lineup, or several identical lineups; `name` of the most loaded."""

    name: str
    names: tuple[str, ...]
    cells: Mapping[EquipmentKind, LineupCell]

    @property
    def worst(self) -> tuple[bool, float]:
        """Sort key: without voltage, then the highest loading."""
        found = [cell.loading for cell in self.cells.values() if cell.loading is not None]
        return self.cells["ups"].margin == "off", round(max(found, default=0.0), 4)


@dataclass(frozen=True)
class Switchgear:
    """Medium-voltage switchgear, or that of one system in several sections, with its lineups.

    `feeds` are its supplies, by the tag of the source: whether it is in use.
    """

    tags: tuple[str, ...]
    status: Status
    feeds: tuple[tuple[str, bool], ...]
    columns: tuple[LineupColumn, ...]

    @property
    def name(self) -> str:
        """Its tag, or that of its system with the number of sections; empty without switchgear."""
        if len(self.tags) > 1:
            return f"{'-'.join(self.tags[0].split('-')[:2])} ×{len(self.tags)}"
        return self.tags[0] if self.tags else ""


@dataclass(frozen=True)
class PowerSource:
    """The utility, or all generators, with two lines of text."""

    kind: EquipmentKind
    tags: tuple[str, ...]
    title: str
    remark: str
    status: Status
    margin: Margin
    used: bool


@dataclass(frozen=True)
class RowHead:
    """Row of the overview: its equipment and the basis of its numbers."""

    kind: EquipmentKind
    title: str
    basis: str


@dataclass(frozen=True)
class HallBar:
    """Racks of a hall: number, power, and lost load."""

    name: str
    racks: int
    panels: int
    load_w: float
    dropped: int
    dropped_w: float


@dataclass(frozen=True)
class PowerOverview:
    """Power train of a design in one state, as columns of lineups."""

    sources: tuple[PowerSource, ...]
    voltage: str
    switchgear: tuple[Switchgear, ...]
    rows: tuple[RowHead, ...]
    halls: tuple[HallBar, ...]
    feeds: tuple[int, int]  # Smallest and largest number of panels that feed a rack

    @property
    def columns(self) -> tuple[LineupColumn, ...]:
        """All columns."""
        return tuple(column for one in self.switchgear for column in one.columns)


def power_overview(live: LiveState, network: Network, system: System = "si") -> PowerOverview:
    """Return the power train in the moment `live` with one column for each lineup."""
    reader = _Reader(live, network, system)
    rows = tuple(reader.heads())
    feeds = [len(_feeds(network, load)) for load in reader.racks] or [0]
    return PowerOverview(
        tuple(reader.sources()),
        reader.voltage,
        tuple(reader.switchgear()),
        rows,
        tuple(reader.halls()),
        (min(feeds), max(feeds)),
    )


def rack_of(load: str) -> str:
    """Return the rack of an IT load; a rack of different devices has one load per device."""
    return _DEVICE.sub("", load)


def _feeds(network: Network, load: Load) -> set[str]:
    return {panel_of(network, cord.link.source) for cord in load.cords}


def panel_of(network: Network, tag: str) -> str:
    """Return the panel of a rack PDU, or `tag` of other equipment."""
    one = network[tag]
    return one.links[0].source if one.kind == "rack-pdu" else tag


def combined(cells: Sequence[LineupCell]) -> LineupCell:
    """Return the cell of several: the most loaded, and the worst status."""
    loadings = [-1.0 if cell.loading is None else cell.loading for cell in cells]
    most = cells[argmax_within_rounding(loadings)]
    return LineupCell(
        most.tag,
        tuple(tag for cell in cells for tag in cell.tags),
        most.loading,
        worst_of(cell.status for cell in cells),
        most.supply,
        sum(cell.units_out for cell in cells),
    )


@dataclass(frozen=True)
class _Reader:
    """Reads the state of equipment."""

    live: LiveState
    network: Network
    system: System

    @cached_property
    def statuses(self) -> tuple[Status, ...]:
        """Status of all equipment."""
        return states_of(self.network, self.live.flow, 0, self.live.drawn)

    @cached_property
    def racks(self) -> tuple[Load, ...]:
        """IT loads."""
        return tuple(load for load in self.network.loads if load.kind.critical)

    @cached_property
    def members(self) -> dict[str, dict[EquipmentKind, list[Equipment]]]:
        """Equipment of each lineup by the tag of its UPS, in the rows of the overview."""
        found: dict[str, dict[EquipmentKind, list[Equipment]]] = {}
        ups_of: dict[str, str] = {}
        for one in self.network.equipment:
            if one.kind == "ups":
                found[one.tag] = {kind: [up] for kind, up in self._upstream(one)}
                found[one.tag]["ups"] = [one]
                ups_of[one.tag] = one.tag
            elif one.links and one.links[0].source in ups_of:
                ups_of[one.tag] = ups_of[one.links[0].source]
                kind: EquipmentKind = "panel" if one.kind in _PANELS else one.kind
                if kind in ROW_TITLES:
                    found[ups_of[one.tag]].setdefault(kind, []).append(one)
        return found

    def _upstream(self, one: Equipment) -> Iterator[tuple[EquipmentKind, Equipment]]:
        while one.links:
            one = self.network[one.links[0].source]
            if one.kind in ROW_TITLES or one.kind == "mv-switchgear":
                yield one.kind, one

    def cell(self, one: Equipment) -> LineupCell:
        """Return the cell of one piece of equipment."""
        row = self.network.index[one.tag]
        loading = float(self.live.loading[row])
        taken = int(self.live.flow.taken[row, 0])
        supply = one.links[taken].source if len(one.links) > 1 and taken >= 0 else ""
        known = loading if math.isfinite(loading) else None
        out = len(set(one.unit_tags) & set(self.live.drawn.out))
        units_out = out if out < len(one.unit_tags) else 0
        return LineupCell(one.tag, (one.tag,), known, self.statuses[row], supply, units_out)

    def switchgear(self) -> Iterator[Switchgear]:
        """Yield the switchgear with its lineups; without one, a single group of all."""
        columns: dict[str, list[LineupColumn]] = defaultdict(list)
        for tag, kinds in self.members.items():
            name = tag.removeprefix("UPS-")
            (above,) = kinds.get("mv-switchgear", [None])
            cells = {
                kind: combined([self.cell(one) for one in kinds[kind]])
                for kind in ROW_TITLES
                if kind in kinds
            }
            columns["" if above is None else above.tag].append(LineupColumn(name, (name,), cells))
        for tag, found in columns.items():
            if not tag:
                yield Switchgear((), "live", (), tuple(found))
                continue
            one, row = self.network[tag], self.network.index[tag]
            taken = int(self.live.flow.taken[row, 0])
            feeds = tuple((link.source, n == taken) for n, link in enumerate(one.links))
            yield Switchgear((tag,), self.statuses[row], feeds, tuple(found))

    def heads(self) -> Iterator[RowHead]:
        """Yield the rows that the network has."""
        for kind, title in ROW_TITLES.items():
            found = [one for kinds in self.members.values() for one in kinds.get(kind, ())]
            if found:
                basis = _basis(kind, found, self.system)
                yield RowHead(kind, title, f"worst, {basis}" if kind == "panel" else basis)

    @property
    def voltage(self) -> str:
        """Voltage of the switchgear."""
        found = (one for one in self.network.equipment if one.kind == "mv-switchgear")
        first = next(found, None)
        return "" if first is None else _volts(first.voltage_v)

    def sources(self) -> Iterator[PowerSource]:
        """Yield the utility and the generators."""
        flow, index = self.live.flow, self.network.index
        for kind in ("utility", "generator-plant"):
            found = [one for one in self.network.equipment if one.kind == kind]
            if not found:
                continue
            rows = [index[one.tag] for one in found]
            cell = combined([self.cell(one) for one in found])
            output_va = sum(float(flow.output_va[row, 0]) for row in rows)
            used = any(float(flow.output_w[row, 0]) > 0.0 for row in rows)
            if kind == "utility":
                title, remark = f"Utility, {_volts(found[0].voltage_v)}", "not in use"
                if used:
                    remark = show_short(output_va, "apparent_power", self.system)
            else:
                units = sum(len(one.unit_tags) for one in found)
                rating = _rating(found[0], self.system)
                several = f"{units} × " if units > 1 else ""
                title, remark = f"Generators, {several}{rating}", "standby"
                if used:
                    remark = f"{percent_words(cell.loading)} loaded"
            if cell.status in ("out", "dead"):
                remark = "out of service" if cell.status == "out" else "without voltage"
            margin = cell.margin if used else "none"
            yield PowerSource(found[0].kind, cell.tags, title, remark, cell.status, margin, used)

    def halls(self) -> Iterator[HallBar]:
        """Yield the halls with their racks."""
        lost = dict(self.live.dropped)
        racks: dict[str, dict[str, None]] = defaultdict(dict)
        hit: dict[str, set[str]] = defaultdict(set)
        load_w: dict[str, float] = defaultdict(float)
        dropped_w: dict[str, float] = defaultdict(float)
        panels: dict[str, set[str]] = defaultdict(set)
        for load in self.racks:
            rack, hall = rack_of(load.tag), load.hall
            racks[hall][rack] = None
            load_w[hall] += load.kind.total_w
            panels[hall] |= _feeds(self.network, load)
            if load.tag in lost:
                hit[hall].add(rack)
                dropped_w[hall] += lost[load.tag]
        for hall, found in racks.items():
            counts = len(found), len(panels[hall])
            yield HallBar(hall, *counts, load_w[hall], len(hit[hall]), dropped_w[hall])


def percent_words(loading: float | None) -> str:
    """Return a loading in per cent."""
    return "–" if loading is None else show(loading, "fraction")


def _volts(value_v: float) -> str:
    if value_v < 1e3:
        return show(value_v, "line_voltage")
    return show(value_v, "line_voltage", digits=1, unit="kV")


def _rating(one: Equipment, system: System) -> str:
    for value, kind in (
        (one.rating_w, "active_power"),
        (one.rating_va, "apparent_power"),
        (one.rating_a, "current"),
    ):
        if value is not None:
            return show(value * one.rating_left, kind, system, digits=0)
    return ""


def _basis(kind: EquipmentKind, found: Iterable[Equipment], system: System) -> str:
    """Return what a loading of 100 % is."""
    if kind in ("ats", "sts"):
        return "supply in use"
    plates = {
        (len(one.unit_tags), one.rating_w, one.rating_va, one.rating_a, one.rating_left): one
        for one in found
    }
    if len(plates) != 1:
        return "% of rating"
    ((units, *_), one), *_ = plates.items()
    rating = _rating(one, system)
    if not rating:
        return "no rating"
    return f"% of {units} × {rating}" if units > 1 else f"% of {rating}"
