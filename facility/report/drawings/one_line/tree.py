"""Drawn network: equipment or groups of equal equipment, as trees of preferred sources."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from facility.power.network.graph.types import Equipment, EquipmentKind, Network
from facility.report.drawings.one_line.parts import BYPASSES

Detail = Literal["grouped", "full"]
LEVELS: dict[EquipmentKind, int] = {
    "utility": 0,
    "generator-plant": 0,
    "mv-switchgear": 1,
    "transformer": 2,
    "generator-bus": 2,
    "ats": 3,
    "lv-board": 4,
    "tie": 5,
    "ups": 6,
    "static-bypass": 6,
    "maintenance-bypass": 6,
    "ups-output": 7,
    "sts": 8,
    "pdu": 9,
    "panel": 10,
    "busway": 10,
}
_TOGETHER = ("pdu", "panel", "busway", "sts")


@dataclass(frozen=True)
class SymbolGroup:
    """Equipment drawn as one symbol, and the groups that can supply it, preferred source first."""

    kind: EquipmentKind
    members: tuple[int, ...]
    sources: tuple[int, ...]


@dataclass(frozen=True)
class Tree:
    """Groups of a network by preferred source."""

    groups: tuple[SymbolGroup, ...]  # Upstream before downstream
    levels: tuple[int, ...]  # Level of each, from the utility down
    children: tuple[
        tuple[int, ...], ...
    ]  # Groups each supplies as preferred source, except bypasses
    bypasses: Mapping[int, tuple[int, ...]]  # Bypasses of each UPS

    @property
    def roots(self) -> tuple[int, ...]:
        """Groups without a source: generators first, drawn at the left."""
        found = [n for n, group in enumerate(self.groups) if not group.sources]
        return tuple(sorted(found, key=lambda n: self.groups[n].kind != "generator-plant"))

    @property
    def leaves(self) -> int:
        """Number of PDUs drawn, or of panelboards without PDUs."""
        kinds = [group.kind for group in self.groups]
        return kinds.count("pdu") or kinds.count("panel") + kinds.count("busway")

    def ways(self, n: int) -> tuple[int, ...]:
        """Return the numbers of the inputs of `n` that are drawn separately."""
        group = self.groups[n]
        return tuple(
            way
            for way, source in enumerate(group.sources)
            if self.groups[source].kind not in BYPASSES
        )

    def above(self, n: int) -> int:
        """Return the switchgear or board that feeds `n`, or `n` itself without one."""
        while self.groups[n].kind != "mv-switchgear" and self.groups[n].sources:
            first = self.groups[n].sources[0]
            if self.groups[first].kind == "utility":
                break
            n = first
        return n


def build_tree(network: Network, detail: Detail = "grouped") -> Tree:
    """Return the tree; `"grouped"` draws equal PDUs and panels of one source once."""
    groups = _groups(network, detail)
    bypassed = _bypassed_ups(groups)
    children: dict[int, list[int]] = defaultdict(list)
    bypasses: dict[int, tuple[int, ...]] = {}
    levels: list[int] = []
    for n, group in enumerate(groups):
        above = (levels[s] if s < n else LEVELS[groups[s].kind] for s in group.sources)
        levels.append(max([LEVELS[group.kind], *(level + 1 for level in above)]))
        if n in bypassed:
            ups = bypassed[n]
            bypasses[ups] = (*bypasses.get(ups, ()), n)
        elif group.sources:
            children[group.sources[0]].append(n)
    return Tree(
        tuple(groups),
        tuple(levels),
        tuple(tuple(children[n]) for n in range(len(groups))),
        bypasses,
    )


def _groups(network: Network, detail: Detail) -> list[SymbolGroup]:
    groups: list[SymbolGroup] = []
    of: dict[int, int] = {}
    together: dict[tuple[object, ...], int] = {}
    for n, one in enumerate(network.equipment):
        if one.kind not in LEVELS:
            continue
        # A tie may come from equipment further down the list, which has no group yet.
        known = tuple(of.get(network.index[link.source], link.source) for link in one.links)
        key = _sort(one, known)
        if detail == "grouped" and one.kind in _TOGETHER and key in together:
            of[n] = together[key]
            found = groups[of[n]]
            groups[of[n]] = SymbolGroup(found.kind, (*found.members, n), ())
            continue
        together[key] = of[n] = len(groups)
        groups.append(SymbolGroup(one.kind, (n,), ()))
    return [replace(group, sources=_sources(network, group, of)) for group in groups]


def _sources(network: Network, group: SymbolGroup, of: Mapping[int, int]) -> tuple[int, ...]:
    return tuple(
        of[network.index[link.source]] for link in network.equipment[group.members[0]].links
    )


def _sort(one: Equipment, sources: tuple[object, ...]) -> tuple[object, ...]:
    plate = (one.voltage_v, one.rating_va, one.rating_a, len(one.unit_tags))
    return (one.kind, sources, *plate)


def _bypassed_ups(groups: Sequence[SymbolGroup]) -> dict[int, int]:
    """Return the UPS of each bypass."""
    return {
        source: group.sources[0]
        for group in groups
        if group.kind == "ups-output" and groups[group.sources[0]].kind == "ups"
        for source in group.sources[1:]
        if groups[source].kind in BYPASSES
    }
