"""How many lineups a UPS system is split into, where the project leaves it to the design.

A lineup is one output bus with its modules, its LV board and its transformer. Bus count, module
and transformer are chosen together: the chain is sized for each count, and of those that hold the
one of the least installed kVA is taken.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from facility.core.errors import FacilityError
from facility.core.trace import Quiet
from facility.model.facility import Criteria, Site
from facility.model.power.chain import PowerChain
from facility.model.power.faults import SourceData
from facility.physics.circuits.currents import three_phase_current
from facility.physics.machines.transformer import fault_current_behind
from facility.power.backup.sections import fault_of_one_set
from facility.power.backup.voltages import MOST_ON_ONE_BUS
from facility.power.chain.sizing import size_chain
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

_MOST = 1.10
"""Covers c over K_T of IEC 60909, and impedances up to 9 % below the nameplate."""

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
    sources: SourceData  # What motors and generator sets give to a fault

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
        if any(check.failed and check.rule in _MUST_HOLD for check in design.checks):
            return False
        voltage_v = design.chain.wiring.lv_voltage_v
        ratings = assembly_ratings("lv-board", self.criteria.code, voltage_v)
        return not ratings or self._board_fault_a(design, demand) <= ratings[-1].rating_a

    def _board_fault_a(self, design: ChainDesign, demand: ChainDemand) -> float:
        """Return an upper bound of the fault current of one LV board [A]."""
        buses, voltage_v = design.ups.buses, design.chain.wiring.lv_voltage_v
        unit = design.transformers.unit
        level_va = self.site.fault_level_va or math.inf
        if not design.transformers.present:
            return float(three_phase_current.si(level_va, voltage_v))
        level_va = max(level_va, self._generators_va(design))
        transformers_a = max(_MOST, 1.0 / (1.0 - design.chain.transformer.tolerance)) * float(
            fault_current_behind.si(
                unit.rating_va * (design.transformers.per_carrier // buses),
                voltage_v,
                unit.impedance,
                level_va,
            )
        )
        motors_w = max(demand.mech_of_buses(design.chain)) / len(design.chain.scheme.systems)
        motors_va = motors_w / design.chain.mechanical_power_factor
        motor_factor = self.sources.motor_multiple * self.sources.motor_share
        return transformers_a + motor_factor * float(three_phase_current.si(motors_va, voltage_v))

    def _generators_va(self, design: ChainDesign) -> float:
        """Return the fault level of as many sets at medium voltage as one bus may have [VA]."""
        plant = design.generators
        if plant.connection != "MV" or not plant.count:
            return 0.0
        bus_v = design.utility_voltage_v
        set_a = fault_of_one_set(plant, bus_v, self.sources)
        return min(plant.count, MOST_ON_ONE_BUS) * math.sqrt(3.0) * bus_v * set_a


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
    found: list[tuple[tuple[float, float, int], ChainDesign]] = []
    for buses, design in _tried(sizer, demand, least, groups):
        if found and buses > MORE_LINEUPS * found[0][1].ups.buses:
            break
        if sizer.holds(design, demand):
            found.append((_installed(design), design))
    if not found:
        return LineupChoice(_one_transformer_each(sizer, demand, groups))
    design = min(found, key=lambda one: one[0])[1]
    return LineupChoice(design.ups.buses, _because(design, found[0][1]))


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
        " lineup, one main breaker, and a fault level that boards are made for by an upper bound"
        " without cables (fewer may do: state power.ups.buses)"
    )
    if fewest.ups.buses != ups.buses:
        least_va, _, _ = _installed(fewest)
        words += f"; the fewest, {fewest.ups.buses}, take {least_va / 1e6:,.1f} MVA of UPS"
    return words
