"""Small networks of the standard redundancy schemes, for studies that have no project.

The equipment is typical and not designed: transformers of 5.75 % impedance, circuits that lose 1 %
of the voltage at their rating, double-conversion modules of about 97 %.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import combinations

import numpy as np

from facility.core.rounding import whole_units
from facility.model.power.redundancy import Scheme, build_scheme, default_feeds, scheme_name
from facility.power.network.graph.types import (
    Converter,
    Cord,
    Equipment,
    EquipmentKind,
    Link,
    Load,
    LoadKind,
    Network,
)
from facility.power.train.schemes import FeedGroup, system_shares

MV_V, LV_V, RACK_V = 13_800.0, 480.0, 415.0
Legs = tuple[float, float, float]
_EVEN: Legs = (1.0 / 3.0, 1.0 / 3.0, 1.0 / 3.0)
_DROP = 0.01
_SPARE = 1.25
_DISTRIBUTION = 1.08
"""Apparent power of a UPS over that of its racks: losses and reactive power in between."""
_CONVERTER = Converter(constant=0.008, linear=0.006, quadratic=0.014, input_power_factor=0.99)


@dataclass(frozen=True)
class SchemeOptions:
    """What of a generated network may be chosen."""

    racks: int = 24  # Loads, all equal
    # Feeds: each a system where the scheme has several, each a cord of every rack where it has one
    # system or a reserve. Empty for those of the scheme, else A and B.
    feeds: tuple[str, ...] = ()
    blocks: int = 3  # Primary systems of a block-redundant scheme
    # Part of the racks on each set of feeds, one cord on each; empty for equal parts on all pairs
    # of feeds.
    groups: Mapping[tuple[str, ...], float] = field(default_factory=dict)
    module_w: float = 500e3  # Rating of a UPS module [W]; kVA the same
    # Size of the distribution.
    racks_per_panel: int = 8
    panels_per_pdu: int = 4
    power_factor: float = 0.97  # Of the racks, lagging
    legs: Legs = _EVEN  # Part of a rack's power on each phase; even for a balanced network
    ties: bool = False  # Whether each LV board has the incomer of the next system as second choice


def scheme_network(name: str, load_w: float, options: SchemeOptions = SchemeOptions()) -> Network:
    """Return a network of a standard scheme, from the utility to the cords.

    name: One of `SCHEMES` of the model.
    load_w: Power of all racks together [W].
    options: Everything else.

    Raises ``UNKNOWN_REDUNDANCY`` for another name, ``REDUNDANCY_CONTRADICTION`` for feeds or blocks
    that do not fit it.
    """
    known = scheme_name(name, "scheme")
    feeds = options.feeds or default_feeds(known)
    scheme = build_scheme(known, feeds, options.blocks, "scheme")
    return _Generator(scheme, feeds, load_w, options).network()


def sharing_kind(
    name: str, power_w: float, cords: int, power_factor: float = 0.97, legs: Legs = _EVEN
) -> LoadKind:
    """Return a load that shares its power equally over the live cords, and runs on any one.

    power_w: Power with any cord alive [W].
    cords: Number of cords.
    power_factor: Lagging.
    legs: Part of the power on each leg.
    """
    power_va = power_w * complex(1.0, math.tan(math.acos(power_factor)))
    sets = np.arange(2**cords)
    live = (sets[:, None] >> np.arange(cords)) & 1
    share = live / np.maximum(live.sum(axis=1, keepdims=True), 1)
    neutral_va = power_va * share[:, :, None] * np.array(legs)
    none = sets == 0
    return LoadKind(name, neutral_va, np.zeros_like(neutral_va), np.where(none, power_w, 0.0), none)


class _Generator:
    """Collects the equipment and the loads of one scheme."""

    def __init__(
        self, scheme: Scheme, feeds: tuple[str, ...], load_w: float, options: SchemeOptions
    ) -> None:
        self.scheme = scheme
        self.cords = feeds
        self.load_w = load_w
        self.options = options
        self.equipment: list[Equipment] = []
        self.loads: list[Load] = []
        self.groups = self._groups()
        self.feeds = tuple(dict.fromkeys(feed for group in self.groups for feed in group))

    def network(self) -> Network:
        """Return the network."""
        even = len(set(self.options.legs)) == 1
        self._sources()
        for system in self.scheme.systems:
            self._lineup(system)
        panels = {feed: self._distribution(feed) for feed in self.feeds}
        self._racks(panels)
        return Network(tuple(self.equipment), tuple(self.loads), balanced=even)

    def _groups(self) -> dict[tuple[str, ...], int]:
        """Return the racks on each set of feeds, by largest remainder."""
        options, scheme = self.options, self.scheme
        parts: Mapping[tuple[str, ...], float] = options.groups
        if not parts and scheme.reserve:
            primaries = [s for s in scheme.systems if s != scheme.reserve]
            parts = {tuple(f"{s}-{feed}" for feed in self.cords): 1.0 for s in primaries}
        elif not parts and scheme.one_system:
            parts = {self.cords: 1.0}
        elif not parts:
            parts = dict.fromkeys(combinations(scheme.systems, 2), 1.0)
        total = sum(parts.values())
        exact = {feeds: options.racks * part / total for feeds, part in parts.items()}
        counts = {feeds: math.floor(count) for feeds, count in exact.items()}
        rest = sorted(exact, key=lambda feeds: counts[feeds] - exact[feeds])
        for feeds in rest[: options.racks - sum(counts.values())]:
            counts[feeds] += 1
        return counts

    def _system(self, feed: str) -> str:
        """Return the UPS system that supplies a feed."""
        if self.scheme.one_system:
            return self.scheme.systems[0]
        return feed.split("-")[0] if self.scheme.reserve else feed

    def _worst_va(self) -> dict[str, float]:
        """Return the largest load of each system over the normal state and single losses [VA]."""
        groups = tuple(
            FeedGroup(count / self.options.racks, tuple((f, 1.0 / len(feeds)) for f in feeds))
            for feeds, count in self.groups.items()
        )
        feeds = self.scheme.systems if not self.scheme.one_system else self.feeds
        shares = system_shares(self.scheme, feeds, groups)
        racks_va = self.load_w / self.options.power_factor * _DISTRIBUTION
        return {
            name: part * racks_va for name, part in zip(shares.names, shares.worst, strict=True)
        }

    def _sources(self) -> None:
        largest = self.load_w * _SPARE
        count = whole_units(largest / 2e6) + 1
        self._add("utility", "UTILITY", MV_V)
        self._add("generator-plant", "GEN", LV_V, units=count, rating_w=2e6, rating_va=2.5e6)

    def _add(
        self,
        kind: EquipmentKind,
        tag: str,
        voltage_v: float,
        *links: Link,
        units: int = 1,
        rating_va: float | None = None,
        rating_w: float | None = None,
        rating_a: float | None = None,
    ) -> None:
        """Add equipment; transformers with their impedance, UPS with their losses."""
        step_down = kind in ("transformer", "pdu") and rating_va is not None
        z = 0.0575 * voltage_v**2 / rating_va if step_down and rating_va else 0.0
        self.equipment.append(
            Equipment(
                tag,
                kind,
                voltage_v,
                links,
                tuple(f"{tag}-{n + 1}" for n in range(units)) if units > 1 else (),
                rating_va=rating_va,
                rating_w=rating_w,
                rating_a=rating_a,
                resistance_ohm=0.15 * z,
                reactance_ohm=math.sqrt(1.0 - 0.15**2) * z,
                no_load_w=0.001 * rating_va if step_down and rating_va else 0.0,
                delta_wye=step_down,
                converter=_CONVERTER if kind == "ups" else None,
            )
        )

    def _circuit(self, source: str, target: str, voltage_v: float, power_va: float) -> Link:
        """Return a circuit rated for a load with a reserve of a quarter."""
        rating_a = _SPARE * power_va / (math.sqrt(3.0) * voltage_v)
        z = _DROP * voltage_v / math.sqrt(3.0) / rating_a
        return Link(source, f"{source}>{target}", 0.8 * z, 0.6 * z, rating_a)

    def _lineup(self, system: str) -> None:
        """Add a system from its MV switchgear to its UPS output."""
        worst_va = max(self._worst_va()[system], 1.0)
        input_va = 1.1 * worst_va
        mvs, tx, ats, board = (f"{kind}-{system}" for kind in ("MVS", "TX", "ATS", "BD"))
        ups, static, maintenance, out = (f"{k}-{system}" for k in ("UPS", "SBP", "MBP", "OUT"))
        both_va = 2.0 * input_va if self.options.ties else input_va
        self._add("mv-switchgear", mvs, MV_V, self._circuit("UTILITY", mvs, MV_V, both_va))
        rating_va = 250e3 * math.ceil(_SPARE * both_va / 250e3)
        self._add(
            "transformer", tx, LV_V, self._circuit(mvs, tx, MV_V, both_va), rating_va=rating_va
        )
        ways = self._circuit(tx, ats, LV_V, both_va), self._circuit("GEN", ats, LV_V, both_va)
        self._add("ats", ats, LV_V, *ways, rating_a=ways[0].rating_a)
        incomers = [Link(ats)]
        systems = self.scheme.systems
        if self.options.ties and len(systems) > 1:
            after = systems[(systems.index(system) + 1) % len(systems)]
            incomers.append(self._circuit(f"ATS-{after}", board, LV_V, both_va))
        self._add("lv-board", board, LV_V, *incomers)
        modules = (
            whole_units(worst_va / self.options.module_w, minimum=1) + self.scheme.spare_modules
        )
        rating = self.options.module_w
        self._add(
            "ups",
            ups,
            LV_V,
            self._circuit(board, ups, LV_V, input_va),
            units=modules,
            rating_w=rating,
            rating_va=rating,
        )
        self._add("static-bypass", static, LV_V, self._circuit(board, static, LV_V, worst_va))
        self._add(
            "maintenance-bypass",
            maintenance,
            LV_V,
            self._circuit(board, maintenance, LV_V, worst_va),
        )
        self._add("ups-output", out, LV_V, Link(ups), Link(static), Link(maintenance))

    def _distribution(self, feed: str) -> list[str]:
        """Add the PDUs and panels of a feed; return the tags of the panels."""
        options = self.options
        racks = sum(count for feeds, count in self.groups.items() if feed in feeds)
        panels = max(1, math.ceil(racks / options.racks_per_panel))
        rack_va = self.load_w / options.racks / options.power_factor
        panel_va = rack_va * min(racks, options.racks_per_panel)
        out, reserve = f"OUT-{self._system(feed)}", self.scheme.reserve
        tags = []
        for number in range(panels):
            pdu = f"PDU-{feed}-{number // options.panels_per_pdu + 1}"
            pdu_va = panel_va * min(options.panels_per_pdu, panels)
            if number % options.panels_per_pdu == 0:
                source = out
                if reserve:
                    source = pdu.replace("PDU", "STS")
                    self._add(
                        "sts",
                        source,
                        LV_V,
                        self._circuit(out, source, LV_V, pdu_va),
                        self._circuit(f"OUT-{reserve}", source, LV_V, pdu_va),
                    )
                rating_va = 75e3 * math.ceil(_SPARE * pdu_va / 75e3)
                self._add(
                    "pdu",
                    pdu,
                    RACK_V,
                    self._circuit(source, pdu, LV_V, pdu_va),
                    rating_va=rating_va,
                )
            panel = f"PNL-{feed}-{number + 1}"
            link = self._circuit(pdu, panel, RACK_V, panel_va)
            self._add("panel", panel, RACK_V, link, rating_a=link.rating_a)
            tags.append(panel)
        return tags

    def _racks(self, panels: dict[str, list[str]]) -> None:
        """Add the racks, filling the panels of each feed in turn."""
        options = self.options
        power_w = self.load_w / options.racks
        kinds = {
            n: sharing_kind(f"{n}-corded", power_w, n, options.power_factor, options.legs)
            for n in sorted({len(feeds) for feeds in self.groups})
        }
        placed = dict.fromkeys(self.feeds, 0)
        for feeds, count in self.groups.items():
            for _ in range(count):
                tag = f"R{len(self.loads) + 1}"
                cords = []
                for feed in feeds:
                    panel = panels[feed][placed[feed] // options.racks_per_panel]
                    placed[feed] += 1
                    link = self._circuit(panel, tag, RACK_V, power_w / options.power_factor)
                    cords.append(Cord(link))
                self.loads.append(Load(tag, kinds[len(feeds)], tuple(cords)))
