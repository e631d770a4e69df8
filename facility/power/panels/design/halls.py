"""Panelboards of the halls: rack assignment, phase balance, states with each feed lost."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from facility.core.check import Check
from facility.core.errors import FacilityError, near_matches
from facility.core.rounding import argmax_within_rounding, within
from facility.core.sources import DERIVED
from facility.core.trace import Trace, cached_with_trace
from facility.model.facility import Criteria
from facility.model.it import ItPlan, Rack
from facility.model.power.hall_distribution import AsBuiltCords, PanelBasis
from facility.physics.circuits import phasor
from facility.physics.circuits.currents import continuous_limit, sizing_factor
from facility.power.panels.board.constraints import group_checks
from facility.power.panels.board.currents import circuit_current
from facility.power.panels.board.layout import PHASES
from facility.power.panels.board.model import Circuit, Panel
from facility.power.panels.design.checks import set_checks
from facility.power.panels.design.fill import Filling, fill_hall, units_of
from facility.power.panels.design.groups import Built, build_all
from facility.power.panels.design.lost_states import PanelLost
from facility.power.panels.design.pdu_units import PduUnits, pdu_units
from facility.power.panels.design.racks import feed_states, lost_supplies, rack_tap_offs
from facility.power.panels.design.supplies_lost import covering_feeds

Inlet = tuple[str, int, float]
"""Receptacle or rack PDU, poles and breaker [A]."""

_CACHED = 4
"""Cached panel sets: for a sweep over sites or growth, or repeated edits."""


def refuse_unknown_cords(plan: ItPlan, basis: PanelBasis) -> None:
    """Reject cord data for a nonexistent rack, circuit or supply.

    Raises ``UNKNOWN_RACK``, ``UNKNOWN_CIRCUIT`` or ``PANEL_BANKS``, with the project field.
    """
    for index, cords in enumerate(basis.cords):
        where = f"panels.cords[{index}]"
        kinds = [rack for rack in plan.racks if rack.name == cords.rack]
        if not kinds:
            raise FacilityError(
                "UNKNOWN_RACK",
                f"{where}.rack",
                f"there is no rack type {cords.rack!r}.",
                f"{near_matches(cords.rack, dict.fromkeys(r.name for r in plan.racks))} Enter the"
                " rack type, not one rack; or remove the entry.".strip(),
            )
        for rack in kinds:
            _refuse_unlike_cords(cords, rack, where)


def _refuse_unlike_cords(cords: AsBuiltCords, rack: Rack, where: str) -> None:
    on_feed = [n for n, circuit in enumerate(rack.circuits) if circuit.feed == cords.feed]
    if cords.number >= len(on_feed):
        feeds = ", ".join(dict.fromkeys(circuit.feed for circuit in rack.circuits))
        raise FacilityError(
            "UNKNOWN_CIRCUIT",
            where,
            f"rack {rack.name!r} has {len(on_feed)} circuits on feed {cords.feed!r}; got circuit"
            f" {cords.number + 1}.",
            f"Its feeds are {feeds}. Correct feed or circuit, or remove the entry.",
        )
    number = on_feed[cords.number]
    if rack.circuits[number].poles != 3:
        raise FacilityError(
            "PANEL_BANKS",
            f"{where}.banks",
            "the circuit has no outlet banks: it does not have 3 poles.",
            "Remove the entry.",
        )
    supplies = [s for s in rack.supplies if s.circuit == number]
    if len(supplies) != len(cords.banks):
        raise FacilityError(
            "PANEL_BANKS",
            f"{where}.banks",
            f"{len(cords.banks)} banks are specified; {len(supplies)} supplies of a rack are"
            " connected to this circuit.",
            "Enter one bank for each supply, in the order of the devices.",
        )
    for index, (supply, bank) in enumerate(zip(supplies, cords.banks, strict=True)):
        if (rack.device_phases[supply.device] == 3) != (bank < 0):
            sort, right = ("three-phase", "0") if bank >= 0 else ("single-phase", "1, 2 or 3")
            raise FacilityError(
                "PANEL_BANKS",
                f"{where}.banks[{index}]",
                f"the cord is {sort}; got bank {bank + 1}.",
                f"Enter {right}.",
            )


@dataclass(frozen=True, eq=False)
class PanelSet:
    """All panelboards of the halls."""

    basis: PanelBasis  # Panel data
    states: tuple[str, ...]  # "normal" and each feed lost
    panels: tuple[Panel, ...]  # Panels, group by group, feeds in order within a group
    phasors: NDArray[np.complex128]  # Phasor currents A, B, C, N [A]; shape (panels, states, 4)
    # Magnitude of the phasor currents A, B, C, N [A]; shape (panels, states, 4).
    line_a: NDArray[np.float64]
    # Maximum deviation from the mean / mean of the line currents, normal state;
    # shape (panels,).
    imbalance: NDArray[np.float64]
    limit_a: float  # Largest continuous line current of a panel [A]
    # One per rule and panel type: identical panels are checked once.
    checks: tuple[Check, ...]
    # Each panel with a supply of one of its racks lost; None if covered by `states`.
    lost: tuple[PanelLost | None, ...]
    supplies: int  # Supplies of all racks, each lost once
    supplies_covered: int  # Supplies whose loss is covered by `states`

    @cached_property
    def pdu_units(self) -> PduUnits:
        """Panels fed together from one PDU."""
        return pdu_units(self.panels, self.phasors[:, :, :3], self.basis.transformer_a)

    @property
    def current_max_a(self) -> NDArray[np.float64]:
        """Largest line current of each panel: normal, each feed lost, each supply lost [A]."""
        worst_a = self.line_a[:, :, :3].max(axis=(1, 2), initial=0.0)
        for index, state in enumerate(self.lost):
            if state is not None:
                worst_a[index] = max(worst_a[index], float(state.line_a[:3].max()))
        return np.asarray(worst_a)

    def circuits_lost(self) -> Iterator[tuple[Panel, Circuit, float]]:
        """Yield every circuit with its panel, and its largest current with a supply lost [A].

        The current is zero if the states of the panel cover it.
        """
        for panel, lost in zip(self.panels, self.lost, strict=True):
            amperes = (0.0,) * len(panel.circuits) if lost is None else lost.circuit_a
            yield from ((panel, *each) for each in zip(panel.circuits, amperes, strict=True))

    def worst_by_inlet(self, of: Callable[[Circuit], bool]) -> dict[Inlet, float]:
        """Return the largest current of some circuits by inlet; identical racks count once."""
        distinct: dict[tuple[Inlet, int, float], Circuit] = {}
        for _, circuit, lost_a in self.circuits_lost():
            if circuit.breaker_a is not None and of(circuit):
                inlet = (circuit.receptacle, circuit.poles, circuit.breaker_a)
                distinct.setdefault((inlet, id(circuit.power_va), lost_a), circuit)
        worst: dict[Inlet, float] = {}
        for (inlet, _, lost_a), circuit in distinct.items():
            current_a = float(circuit_current(circuit, self.basis.v_ll).max())
            worst[inlet] = max(worst.get(inlet, 0.0), current_a, lost_a)
        return worst

    @property
    def count(self) -> int:
        """Number of panelboards."""
        return len(self.panels)

    @property
    def circuits(self) -> int:
        """Number of circuits."""
        return sum(len(panel.circuits) for panel in self.panels)


@cached_with_trace(_CACHED)
def build_panels(plan: ItPlan, basis: PanelBasis, criteria: Criteria, trace: Trace) -> PanelSet:
    """Return the panelboards that feed the racks of `plan`.

    Panels form groups, one per feed, filled until in the worst state (each feed lost in turn) a
    line would exceed the bus limit at the lowest permitted voltage, with its continuous factor;
    each rack is on all panels of its group. Identical groups are calculated once. Each supply of a
    rack is lost once too, feeds alive; such a state is evaluated if it is not covered by a state
    with a feed lost.

    Result ids: ``panels.bus_limit``, ``panels.fill_limit``, ``panels.count``,
    ``panels.imbalance_max``, ``panels.lost_supplies`` with ``panels.lost_supplies_covered`` and,
    for each panel, ``panel.<tag>.current_max``.

    Raises ``UNKNOWN_FEED``, ``NO_BREAKER`` or ``PANEL_FULL``; the errors of `refuse_unknown_cords`,
    `restated` and `standing` for as-built data.
    """
    rating_a = min(basis.bus_a, basis.main_a)
    factor = 1.0 if basis.listed_100 else criteria.continuous_factor
    because = "listed for 100 %" if basis.listed_100 else f"{criteria.code} {criteria.edition}"
    limit = trace.do(
        "panels.bus_limit", continuous_limit, because, rating_a=rating_a, continuous_factor=factor
    )
    limit_a = float(limit)
    refuse_unknown_cords(plan, basis)
    covering = covering_feeds(plan.racks, basis.feeds)
    lost = [(rack, lost_supplies(rack, plan, basis, covering)) for rack in plan.racks]
    tap_offs = [rack_tap_offs(rack, plan, basis, criteria, gone) for rack, gone in lost]
    filling = Filling(basis, _fill_limit(basis, criteria, trace))
    groups = []
    for hall in plan.halls:
        kinds = [(k, rack) for k, rack in enumerate(plan.racks) if rack.hall == hall.name]
        groups += [(hall, group) for group in fill_hall(filling, units_of(kinds, tap_offs))]
    built = build_all(groups, plan, basis, filling)
    line_a = np.abs(built.phasors)
    imbalance = np.asarray(phasor.imbalance.si(*line_a[:, 0, :3].T))
    found = PanelSet(
        basis=basis,
        states=feed_states(basis.feeds),
        panels=built.panels,
        phasors=built.phasors,
        line_a=line_a,
        imbalance=imbalance,
        limit_a=limit_a,
        checks=(*set_checks(built, plan, basis, criteria), *group_checks(built.panels)),
        lost=built.lost,
        supplies=sum(rack.count * found.supplies for rack, found in lost),
        supplies_covered=sum(rack.count * found.covered for rack, found in lost),
    )
    _record(found, built, trace)
    return found


def _fill_limit(basis: PanelBasis, criteria: Criteria, trace: Trace) -> float:
    """Return the fill limit of a panel at nominal voltage [A].

    Each panel is on one PDU transformer, and limited by the largest PDU rating.
    """
    factor = trace.do(
        "panels.sizing_factor",
        sizing_factor,
        "constant power at the lowest permitted voltage",
        continuous_factor=1.0 if basis.listed_100 else criteria.continuous_factor,
        voltage_drop=criteria.sized_drop,
    )
    downstream_pdu = math.isfinite(basis.transformer_a)
    bus_id = "panels.bus_fill" if downstream_pdu else "panels.fill_limit"
    limit = trace.do(
        bus_id,
        continuous_limit,
        "at nominal voltage",
        rating_a=min(basis.bus_a, basis.main_a),
        continuous_factor=factor,
    )
    if not downstream_pdu:
        return float(limit)
    words = f"bus and main, or {basis.transformer_a:,.0f} A of the largest PDU transformer"
    lower = min(float(limit), basis.transformer_a)
    return float(trace.derive("panels.fill_limit", lower, "current", words, bus=bus_id))


def _record(found: PanelSet, built: Built, trace: Trace) -> None:
    basis = found.basis
    for index, panel in enumerate(found.panels):
        lines, lost = found.line_a[index, :, :3], found.lost[index]
        number, line = divmod(argmax_within_rounding(lines), 3)
        state, power = found.states[number], built.class_power[index][number]
        if lost is not None and not within(lost.line_a[:3].max(), lines.max()):
            state, power, line = lost.state, lost.power_va, argmax_within_rounding(lost.line_a[:3])
        own, leading, lagging = power[line], power[3 + line], power[3 + (line + 2) % 3]
        trace.do(
            f"panel.{panel.tag}.current_max", phasor.line_current,
            f"line {PHASES[line]}, {state}; bus limit {found.limit_a:,.0f} A",
            neutral_w=own.real, neutral_var=own.imag,
            leading_w=leading.real, leading_var=leading.imag,
            lagging_w=lagging.real, lagging_var=lagging.imag, line_voltage_v=basis.v_ll,
        )  # fmt: skip
    sides = Counter(panel.side for panel in found.panels)
    split = ", ".join(f"{count} on feed {side}" for side, count in sorted(sides.items()))
    trace.choose(
        "panels.count",
        found.count,
        "count",
        f"{basis.system} panels of {basis.poles} poles, {basis.bus_a:,g} A bus, filled to "
        f"the fill limit in the worst state: {split}",
        DERIVED,
        limit="panels.fill_limit",
    )
    _record_lost(found, trace)
    if found.count:
        worst = argmax_within_rounding(found.imbalance)
        a, b, c = (float(x) for x in found.line_a[worst, 0, :3])
        trace.do(
            "panels.imbalance_max",
            phasor.imbalance,
            f"panel {found.panels[worst].tag}, normal state",
            a_a=a,
            b_a=b,
            c_a=c,
        )


def _record_lost(found: PanelSet, trace: Trace) -> None:
    looked_at = sum(lost.states for lost in found.lost if lost is not None)
    trace.choose(
        "panels.lost_supplies",
        found.supplies,
        "count",
        f"all rack supplies, each lost once with the feeds alive; for supplies that are not"
        f" covered, {looked_at} states of a panel are evaluated",
        DERIVED,
    )
    trace.choose(
        "panels.lost_supplies_covered",
        found.supplies_covered,
        "count",
        "supplies whose loss adds no load to any outlet bank beyond the normal state or a lost"
        " feed",
        DERIVED,
        supplies="panels.lost_supplies",
    )
