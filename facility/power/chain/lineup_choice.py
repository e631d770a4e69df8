"""How many lineups a UPS system is split into, where the project leaves it to the design.

A lineup is one output bus with its modules, its LV board and its transformer. Bus count, module
and transformer are chosen together: the chain is sized for each count, and of those that hold the
one of the least installed kVA is taken.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from facility.core.errors import FacilityError
from facility.core.trace import Quiet
from facility.model.facility import Criteria, Site
from facility.model.power.chain import PowerChain
from facility.model.power.faults import FaultBasis
from facility.power.chain.sizing import size_chain
from facility.power.faults.bare_board import bare_board_fault
from facility.power.panels.design.halls import PanelSet
from facility.power.panels.design.lineups import (
    PanelOnBus,
    bus_parts,
    bus_phases,
    fullest_pdu,
    unevenness,
)
from facility.power.substation.interrupting_ratings import assembly_ratings
from facility.power.train.types import ChainDemand, ChainDesign

_SURE = 0.9
MORE_LINEUPS = 1.25
"""Lineups that may be built, over the fewest that hold, where they save installed kVA."""

_MUST_HOLD = frozenset(
    (
        "UPS-LOADING-NORMAL",
        "UPS-LOADING-FAILURE",
        "UPS-KVA",
        "UPS-FULLEST-PHASE",
        "UPS-SPARE",
        "UPS-PARALLEL",
        "UPS-OUTPUT-BUS",
        "LV-BOARD-BUS",
        "LV-BOARD-TRANSFORMERS",
        "TRANSFORMER-LOADING-NORMAL",
        "TRANSFORMER-LOADING-FAILURE",
        "TRANSFORMER-SPARE",
        "TRANSFORMER-RECHARGE",
    )
)


@dataclass(frozen=True)
class LineupChoice:
    """Lineups of each system, and why; `because` is empty where there was nothing to choose."""

    buses: int
    because: str = ""


@dataclass(frozen=True)
class Sizer:
    """Sizes a chain with any number of lineups."""

    # What is given.
    chain: PowerChain
    site: Site
    criteria: Criteria
    panels: PanelSet
    on_bus: Sequence[PanelOnBus]  # What each of them hangs on its bus
    basis: FaultBasis  # How fault currents are calculated
    # The fault current of the fullest LV board by the fault study, cables included [A].
    board_fault_a: Callable[[ChainDesign, ChainDemand], float]

    def with_buses(self, buses: int) -> PowerChain:
        """Return the chain with `buses` lineups in each system."""
        chain, transformed = self.chain, self.chain.wiring.has_pdu_transformers
        return replace(
            chain,
            ups=replace(chain.ups, buses=buses),
            unevenness=unevenness(self.on_bus, chain.scheme, buses),
            bus_air=bus_parts(self.on_bus, chain.scheme, buses, coolant=0.0),
            bus_coolant=bus_parts(self.on_bus, chain.scheme, buses, coolant=1.0),
            bus_load=tuple(
                bus_parts(self.on_bus, chain.scheme, buses, 0.5, name)
                for name in chain.scheme.systems
            ),
            bus_phases=bus_phases(self.panels, chain.scheme, buses, transformed),
            fullest_pdu=fullest_pdu(self.panels, chain.scheme, buses) if transformed else (),
        )

    def sized(self, buses: int, demand: ChainDemand) -> ChainDesign | None:
        """Return the chain sized with `buses` lineups, None where its counts do not divide."""
        try:
            return size_chain(
                self.with_buses(buses), self.site, self.criteria, demand, None, Quiet()
            )
        except FacilityError as error:
            if error.code == "COUNT_NOT_EVEN":
                return None
            raise

    def holds(self, design: ChainDesign, demand: ChainDemand) -> bool:
        """Return whether a chain passes the checks of its lineups, and its boards can be had."""
        return self.bears(design) and (
            self.boards_surely_hold(design, demand) or self.boards_hold(design, demand)
        )

    def bears(self, design: ChainDesign) -> bool:
        """Return whether a chain passes the checks of its lineups."""
        return not any(check.failed and check.rule in _MUST_HOLD for check in design.checks)

    def boards_surely_hold(self, design: ChainDesign, demand: ChainDemand) -> bool:
        """Return whether LV boards are made for the fault current that no cable ahead limits."""
        most_a = bare_board_fault(design, demand, self.site, self.basis)
        return most_a <= self._largest_rating_a(design)

    def boards_hold(self, design: ChainDesign, demand: ChainDemand) -> bool:
        """Return whether LV boards are made for what the fault study finds at them."""
        try:
            return self.board_fault_a(design, demand) <= self._largest_rating_a(design)
        except FacilityError:
            return False

    def _largest_rating_a(self, design: ChainDesign) -> float:
        voltage_v = design.chain.wiring.lv_voltage_v
        ratings = assembly_ratings("lv-board", self.criteria.code, voltage_v)
        return ratings[-1].rating_a if ratings else math.inf


def choose_lineups(sizer: Sizer, demand: ChainDemand, least: int = 1) -> LineupChoice:
    """Return the number of lineups of the least installed kVA that holds.

    Counts are tried from the fewest that hold to a quarter more. Installed kVA of the UPS comes
    first, then that of the transformers, then the number of units. What the project states of
    buses, modules and transformers is kept. Where no count holds, the fewest lineups that leave
    each with one transformer are taken, and the checks say what fails.

    sizer: The chain and its panels.
    demand: Loads of today, cooling included.
    least: Fewest lineups to try.
    """
    groups = max(1, len({one.group for one in sizer.on_bus}))
    found, sure = _that_bear(sizer, demand, least, groups)
    fewest = bisect_left(found, True, hi=sure, key=lambda one: sizer.boards_hold(one, demand))
    if fewest == len(found):
        return LineupChoice(_one_transformer_each(sizer, demand, groups))
    most = MORE_LINEUPS * found[fewest].ups.buses
    near = [one for one in found[fewest:] if one.ups.buses <= most]
    design = next(one for one in sorted(near, key=_installed) if sizer.holds(one, demand))
    return LineupChoice(design.ups.buses, _because(design, found[fewest]))


def _that_bear(
    sizer: Sizer, demand: ChainDemand, least: int, groups: int
) -> tuple[list[ChainDesign], int]:
    """Return the chains that bear their load, to a quarter over the first whose boards surely hold.

    The place of that one comes with them: the length of the list where there is none.
    """
    found: list[ChainDesign] = []
    sure: int | None = None
    for buses, design in _tried(sizer, demand, least, groups):
        if sure is not None and buses > MORE_LINEUPS * found[sure].ups.buses:
            break
        if sizer.bears(design):
            if sure is None and sizer.boards_surely_hold(design, demand):
                sure = len(found)
            found.append(design)
    return found, len(found) if sure is None else sure


def _tried(
    sizer: Sizer, demand: ChainDemand, least: int, groups: int
) -> Iterator[tuple[int, ChainDesign]]:
    """Yield the chain for each count of lineups, from near the fewest that can hold."""
    first = sizer.sized(1, demand)
    start = least
    if first is not None and sizer.chain.transformer.count is None:
        start = max(least, math.floor(_SURE * _fewest(first)))
    for buses in range(start, max(start, groups) + 1):
        design = sizer.sized(buses, demand)
        if design is not None:
            yield buses, design


def _fewest(design: ChainDesign) -> int:
    """Return the transformers on duty of one system, were they all of the largest rating."""
    return design.transformers.duty_per_carrier


def _one_transformer_each(sizer: Sizer, demand: ChainDemand, groups: int) -> int:
    if sizer.chain.transformer.count is not None:
        return 1
    design = sizer.sized(1, demand)
    return 1 if design is None else min(groups, max(1, _fewest(design)))


def _installed(design: ChainDesign) -> tuple[float, float, int]:
    ups, transformers = design.ups, design.transformers
    return (
        ups.modules * ups.module.rating_va,
        transformers.count * transformers.unit.rating_va,
        ups.modules + transformers.count,
    )


def _because(design: ChainDesign, fewest: ChainDesign) -> str:
    ups, transformers = design.ups, design.transformers
    ups_va, transformer_va, _ = _installed(design)
    words = (
        f"{ups.modules} modules of {ups.module.rating_va / 1e3:,.0f} kVA"
        f" ({ups_va / 1e6:,.1f} MVA) and {transformers.count} transformers of"
        f" {transformers.unit.rating_va / 1e3:,.0f} kVA ({transformer_va / 1e6:,.1f} MVA):"
        " the least installed kVA of those that hold with one transformer on duty in each"
        " lineup, one main breaker, and a fault level that boards are made for"
    )
    if fewest.ups.buses != ups.buses:
        least_va, _, _ = _installed(fewest)
        words += f"; the fewest, {fewest.ups.buses}, take {least_va / 1e6:,.1f} MVA of UPS"
    return words
