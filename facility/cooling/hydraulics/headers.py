"""Supply and return headers of a water loop by section, and flow with one section isolated.

Units are connected to a supply and a return header of equal pipe, which isolation valves divide
into sections. A single header is fed from one end, a ring at two opposite points, and of two
headers either one feeds all units. Every route is sized for the full loop flow.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from facility.cooling.loops.loop import LoopRow
from facility.core.rounding import ROUNDING
from facility.model.cooling.units import HydraulicsPlan
from facility.physics.liquids.network import NetworkLinks, network_flows

_AT_UNITS = ("cooling coil", "control valve", "CDU, facility side")
"""Components at each unit; the others are at the plant."""
_MAX_SECTIONS = 12
"""Maximum sections of the network; more are lumped."""
_RETURN, _SUPPLY, _FIRST = 0, 1, 2
"""Nodes: return and supply of the plant, then the supply header and the return header."""
_NO_PIPE_M = 1.0
STATED = "stated"


@dataclass(frozen=True)
class HeaderLoss:
    """Effect of the worst isolated header section of a loop."""

    header: str  # Arrangement: single, ring or dual; `STATED` for a stated remaining flow
    sections: int  # Sections between isolation valves, of the supply and of the return each
    section: int  # Section with the lowest remaining flow, counted from the plant
    isolated: int  # Units on it, without water
    left: float  # Flow of the remaining units, over the design flow of the loop
    min_unit_flow: float  # Minimum unit flow over an equal share of the design flow
    unit: str = "units"  # Units on the headers

    @property
    def words(self) -> str:
        """Text of the arrangement and the loss."""
        if self.header == STATED:
            return "as stated (cooling.thermal.header_flow)"
        found = f"{self.header} header, section {self.section} of {self.sections} shut"
        return f"{found}, {self.unit} isolated: {self.isolated}" if self.isolated else found


@dataclass(frozen=True)
class _Header:
    """The network of a loop for one of parallel mains; flows per main."""

    whole_m3_s: float  # Flow at design
    each_m3_s: float  # Flow of one unit on duty at design
    counts: tuple[int, ...]  # Units on each section
    lift_pa: float  # Shutoff head of the pumps
    plant: float  # Resistance of pumps, plant and throttle [Pa/(m3/s)2]
    unit: float  # Resistance of one unit with its branch [Pa/(m3/s)2]
    riser_m: float  # Main from the plant to a header, one way
    section_m: float  # Header between two sections
    fittings: float  # Resistance of the fittings of a main, one way [Pa/(m3/s)2]
    diameter_m: float
    roughness_m: float
    ring: bool

    @property
    def feeds(self) -> tuple[int, ...]:
        """Sections connected to a plant main."""
        return tuple(sorted({0, len(self.counts) // 2})) if self.ring else (0,)

    @property
    def joints(self) -> list[tuple[int, int]]:
        """Neighbouring sections."""
        last = len(self.counts) - 1
        found = [(n, n + 1) for n in range(last)]
        return [*found, (last, 0)] if self.ring and last > 0 else found

    def open_sections(self, shut: int | None, isolated: int) -> tuple[list[int], ...]:
        """Return the units on each section with water, and the mains, with a section isolated.

        A shut section loses its main, its joint to the next section and `isolated` of its units;
        all of its joints if no unit remains on it.
        """
        counts = list(self.counts)
        if shut is not None:
            counts[shut] -= isolated
        mains = [n for n in self.feeds if n != shut]
        served = set(mains)
        for _ in counts:
            served |= {n for pair in self.joined(shut, counts) if served & set(pair) for n in pair}
        return [count if n in served else 0 for n, count in enumerate(counts)], mains

    def joined(self, shut: int | None, counts: list[int]) -> list[tuple[int, int]]:
        """Return the open joints; `counts` are the remaining units on each section."""
        gone = {n for n, count in enumerate(counts) if count <= 0}
        return [(a, b) for a, b in self.joints if a != shut and not gone & {a, b}]

    def links(self, shut: int | None, counts: list[int], mains: list[int]) -> NetworkLinks:
        """Return the links of the network, one branch for each section with water at the end."""
        returns, inf, none = _FIRST + len(counts), math.inf, 0.0
        main = self.fittings, self.riser_m, none, inf, False
        joint = none, self.section_m, none, inf, False
        rows = [(_RETURN, _SUPPLY, self.plant, none, self.lift_pa, inf, True)]
        for n in mains:
            rows += [(_SUPPLY, _FIRST + n, *main), (returns + n, _RETURN, *main)]
        for a, b in self.joined(shut, counts):
            rows += [(_FIRST + a, _FIRST + b, *joint), (returns + b, returns + a, *joint)]
        for n, count in enumerate(counts):
            if count > 0:
                unit, pumped_m3_s = self.unit / count**2, count * self.each_m3_s
                rows.append((_FIRST + n, returns + n, unit, none, none, pumped_m3_s, False))
        columns = [np.array(column) for column in zip(*rows, strict=True)]
        start, end, resistance, length_m, lift_pa, max_m3_s, one_way = columns
        bore_m, rough_m = (np.full(len(rows), m) for m in (self.diameter_m, self.roughness_m))
        return NetworkLinks(
            start, end, resistance, length_m, bore_m, rough_m, lift_pa, max_m3_s, one_way
        )

    def flows(
        self, shut: int | None, isolated: int, fluid: tuple[float, float]
    ) -> tuple[float, float]:
        """Return the flow of all units of a main [m3/s], and the minimum unit flow over share."""
        counts, mains = self.open_sections(shut, isolated)
        left = np.array([count for count in counts if count > 0])
        if not len(left):
            return 0.0, 0.0
        flow = network_flows(self.links(shut, counts, mains), _FIRST + 2 * len(counts), *fluid)
        of_units = flow[-len(left) :]
        share_m3_s = self.whole_m3_s / left.sum()
        return float(of_units.sum()), float((of_units / (left * share_m3_s)).min())


@lru_cache(maxsize=256)
def _flows(
    header: _Header, shut: int | None, isolated: int, fluid: tuple[float, float]
) -> tuple[float, float]:
    """Return the flows of a header, cached: a study reads its loops repeatedly."""
    return header.flows(shut, isolated, fluid)


def header_loss(
    row: LoopRow, plan: HydraulicsPlan, spare: int, *, doors: int = 0, head_pa: float | None = None
) -> HeaderLoss:
    """Return the remaining flow of a loop with its worst header section isolated.

    The unit control valves open up to the unit design flow; the pumps maintain their
    speed and follow their curve. Supply and return are isolated at the same section, which leaves
    no more flow than either isolation alone.

    row: The loop as laid out, its branches last.
    spare: Units that the loop can lose, the maximum per section; at least one.
    doors: Units among them without redundancy: a spare unit elsewhere has water for its own
        heat, not for a rack with an isolated door.
    head_pa: Head of secondary pumps, which supply only the headers; None for pumps of the full
        loop.
    """
    installed = row.stretches[-1].places
    isolated = min(max(spare, 1), installed)
    sections = math.ceil(installed / isolated)
    fluid = row.liquid.density_kg_m3, row.liquid.viscosity_pa_s
    if plan.header == "dual":
        header = _header(row, plan, sections, head_pa, ring=False)
        flow, smallest = _flows(header, None, 0, fluid)
        return HeaderLoss("dual", sections, 1, 0, _part(flow, row), smallest)
    if not plan.header_valves:
        return HeaderLoss(plan.header, 1, 1, installed, 0.0, 0.0)
    header = _header(row, plan, sections, head_pa, ring=plan.header == "ring")
    found = []
    for n, count in enumerate(header.counts):
        found.append((*_flows(header, n, min(isolated, count), fluid), n))
    flow, smallest, worst = min(found)
    section = 1 + round(worst * sections / len(header.counts))
    lost = isolated if flow > 0.0 else installed
    duty = row.flow_m3_s / row.stretches[-1].flow_m3_s
    left = min(_part(flow, row), 1.0 - min(isolated, doors) / duty)
    return HeaderLoss(plan.header, sections, section, lost, left, smallest if left > 0.0 else 0.0)


def coolant_header_loss(row: LoopRow, plan: HydraulicsPlan) -> HeaderLoss | None:
    """Return the remaining flow of the coolant loop with its worst header section isolated.

    Racks have no spare: a section has one rack, lost with it in a ring. A single header loses
    all racks downstream of the section: one row, or all rows where a cross header supplies
    the rows. Two pairs of headers supply every rack. None for in-rack CDUs.

    row: The loop as laid out: headers, then the hoses of a rack.
    """
    if len(row.stretches) < 2:
        return None
    along, racks, arrangement = row.stretches[-2], row.stretches[-1].places, plan.tcs_header
    of_row = math.ceil(racks / along.places)
    if arrangement == "single":
        lost = racks if len(row.stretches) > 2 or not plan.header_valves else of_row
        sections = of_row if plan.header_valves else 1
        left = 1.0 - lost / racks
        return HeaderLoss(arrangement, sections, 1, lost, left, float(left > 0.0), "racks")
    header = _coolant_header(row, plan, of_row, ring=arrangement == "ring")
    fluid = row.liquid.density_kg_m3, row.liquid.viscosity_pa_s
    if arrangement == "dual":
        flow, smallest = _flows(header, None, 0, fluid)
        left = min(flow / header.whole_m3_s, 1.0)
        return HeaderLoss(arrangement, of_row, 1, 0, left, smallest, "racks")
    flow, smallest, worst = min(
        (*_flows(header, n, 1, fluid), n) for n in range(len(header.counts))
    )
    section = 1 + round(worst * of_row / len(header.counts))
    left = 1.0 - (1.0 - min(flow / header.whole_m3_s, 1.0 - 1.0 / of_row)) / along.places
    # Each of the other racks has its own share of the design flow, without the share of the lost
    # rack.
    smallest = smallest * of_row / (of_row - 1) if of_row > 1 else 1.0
    return HeaderLoss(arrangement, of_row, section, 1, left, smallest, "racks")


def _coolant_header(row: LoopRow, plan: HydraulicsPlan, racks: int, *, ring: bool) -> _Header:
    """Return the network of a rack row with CDU head at design flow.

    A cross header counts with the CDUs; the racks of a row are assumed equal.
    """
    along, pipes = row.stretches[-2], row.stretches[-2].pipes
    straight = row.flows[-1]
    at_rack_pa = straight.straight_pa + straight.fittings_pa + sum(p.drop_pa for p in row.parts)
    across_pa = sum(one.straight_pa + one.fittings_pa for one in row.flows[:-2])
    surplus_pa = max(row.pump_head_pa - row.head_pa, 0.0)
    curve_pa = (plan.pump_shutoff - 1.0) * row.pump_head_pa
    flow_m3_s, count = along.flow_m3_s / pipes, min(racks, _MAX_SECTIONS)
    each_m3_s = flow_m3_s / racks
    counts = np.diff(np.round(np.linspace(0, racks, count + 1))).astype(int)
    return _Header(
        whole_m3_s=flow_m3_s,
        each_m3_s=each_m3_s,
        counts=tuple(int(n) for n in counts),
        lift_pa=plan.pump_shutoff * row.pump_head_pa,
        plant=(curve_pa + across_pa + surplus_pa) / flow_m3_s**2,
        unit=at_rack_pa / each_m3_s**2,
        riser_m=_NO_PIPE_M,
        section_m=(1.0 if ring else 0.5) * along.length_m / count,
        fittings=0.5 * row.flows[-2].fittings_pa / flow_m3_s**2,
        diameter_m=along.size.inside_m,
        roughness_m=along.roughness_m,
        ring=ring,
    )


def flow_without_a_pump(duty: int, shutoff: float) -> float:
    """Return the flow of equal parallel pumps with one stopped, over the flow of all.

    The others maintain speed and follow their curve, H = H0 - k q^2 each; the check valve of
    the failed pump closes, and the loop resistance is unchanged.

    duty: Pumps in operation before.
    shutoff: Shutoff head over the head at design flow.
    """
    if duty < 2:
        return 0.0
    steeper = (duty / (duty - 1)) ** 2
    return math.sqrt(shutoff / ((shutoff - 1.0) * steeper + 1.0))


def _part(flow_m3_s: float, row: LoopRow) -> float:
    """Return the flow of one main over loop design flow, at most 1."""
    part = flow_m3_s * row.main.pipes / row.flow_m3_s
    return 1.0 if part >= 1.0 - 1e3 * ROUNDING else part


def _header(
    row: LoopRow, plan: HydraulicsPlan, sections: int, secondary_pa: float | None, *, ring: bool
) -> _Header:
    """Return the network of a loop with pump head at design flow.

    Secondary pumps do not pump through the plant: their surplus head over pipes and units
    is lost in a throttling valve.
    """
    main, branch, pipes = row.main, row.stretches[-1], row.main.pipes
    flow_m3_s, each_m3_s = row.flow_m3_s / pipes, branch.flow_m3_s / pipes
    straight_of_branch = row.flows[-1]
    at_unit_pa = straight_of_branch.straight_pa + straight_of_branch.fittings_pa
    at_unit_pa += sum(part.drop_pa for part in row.parts if part.name in _AT_UNITS)
    at_plant_pa = sum(part.drop_pa for part in row.parts if part.name not in _AT_UNITS)
    pump_pa = row.pump_head_pa if secondary_pa is None else secondary_pa
    surplus_pa = max(pump_pa - row.head_pa, 0.0)
    if secondary_pa is not None:
        surplus_pa = max(secondary_pa - (row.head_pa - at_plant_pa), 0.0)
        at_plant_pa = 0.0
    curve_pa = (plan.pump_shutoff - 1.0) * pump_pa
    count = min(sections, _MAX_SECTIONS)
    counts = np.diff(np.round(np.linspace(0, branch.places, count + 1))).astype(int)
    header_m = min(plan.header_m, plan.plant_route_m)
    # A main of an outdoor loop includes the outdoor part of the route.
    riser_m = max(0.5 * main.length_m - header_m, _NO_PIPE_M)
    return _Header(
        whole_m3_s=flow_m3_s, each_m3_s=each_m3_s, counts=tuple(int(n) for n in counts),
        lift_pa=plan.pump_shutoff * pump_pa,
        plant=(curve_pa + at_plant_pa + surplus_pa) / flow_m3_s**2,
        unit=at_unit_pa / each_m3_s**2,
        riser_m=riser_m, section_m=(2.0 if ring else 1.0) * header_m / count,
        fittings=0.5 * row.flows[0].fittings_pa / flow_m3_s**2,
        diameter_m=main.size.inside_m, roughness_m=main.roughness_m, ring=ring,
    )  # fmt: skip
