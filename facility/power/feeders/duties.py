"""Design currents of all circuits, the common source for sizing, checks and sheets.

The largest of the power flow in any state with fixed load shares, the worst current of the
downstream panel, and the rating of the PDU transformer, UPS input or bypass fed by the circuit.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType

import numpy as np

from facility.core.rounding import OVER, ROUNDING, argmax_within_rounding, within
from facility.physics.circuits.currents import sizing_factor, three_phase_current
from facility.power.feeders.circuit_currents import CircuitCurrents
from facility.power.feeders.mains import units_va
from facility.power.network.build.plan import NetworkPlan, PlannedCircuit
from facility.power.network.flow.solve import Flow
from facility.power.network.graph.types import Outage
from facility.power.panels.board.currents import circuit_current
from facility.power.panels.design.halls import PanelSet

_WITHOUT_ALLOWANCE = ("branch", "mv")
"""Branch-circuit breakers include the allowance, and their conductors match the breaker; the
permitted voltage drop is the low-voltage value."""
Need = tuple[float, str]
"""Current [A], and the governing state or rating."""


@dataclass(frozen=True)
class UnitCurrents:
    """Unit currents that do not occur in any network state."""

    # Largest input current of one UPS module: at its rating, at low line with recharge, or the
    # limit of its rectifier.
    ups_input: Need = (0.0, "")
    # Output current of one UPS module at its kVA rating, through its static switch [A].
    module_a: float = 0.0
    # Output current of all UPS modules of one bus at their kVA rating, through its maintenance
    # bypass [A].
    bus_a: float = 0.0
    # Current of the most loaded LV board after the design failure, with growth, or with its UPS
    # at its rating [A].
    board_a: float = 0.0
    # Current that the chargers of one lineup add upstream of its LV board [A]: recharge lasts for
    # hours after every battery discharge, with all systems in service again.
    recharge_a: float = 0.0
    # Load of one duty generator set under the design load of its plant, the maximum of all
    # sections [VA]: includes the recharge, which the network states exclude.
    set_va: float = 0.0


@dataclass(frozen=True)
class Duty:
    """Design current of one run of a circuit."""

    normal_a: float  # Largest line current with all in service [A]
    worst_a: float  # Required continuous current of the run [A]
    because: str  # Governing state or rating
    power_factor: float  # Load power factor in the worst state


def circuit_duties(
    plan: NetworkPlan,
    outages: Sequence[Outage],
    units: UnitCurrents,
    panels: PanelSet | None = None,
    seen: Mapping[str, Need] = MappingProxyType({}),
    allowance: float = 1.0,
) -> dict[str, Duty]:
    """Return the design current of each circuit, by tag.

    outages: Sizing states, the normal one first.
    units: UPS inputs and recharge.
    panels: Panels, whose currents exclude diversity, and the states with a rack supply lost.
    seen: Current of one run and its state for previously overloaded conductors: see
        `overloaded_runs`.
    allowance: Current at minimum voltage / current at nominal voltage, see `voltage_allowance`:
        for constant-power loads, not for unit ratings.
    """
    flow = CircuitCurrents(plan.with_fixed_load_shares, outages)
    below = {} if panels is None else dict(_panel_needs(panels))
    found: dict[str, Duty] = {}
    for circuit in plan.circuits.values():
        worst_a, state, power_factor = flow.worst(circuit)
        boards = ((a / circuit.duty_runs, why) for a, why in _board_supplies(circuit, flow, units))
        loads = [(worst_a / circuit.duty_runs, state), *boards]
        loads += below.get(circuit.target if circuit.stage == "feeder" else circuit.tag, ())
        low = 1.0 if circuit.stage in _WITHOUT_ALLOWANCE else allowance
        needs = [*_at_lowest_voltage(loads, low), *_ratings(circuit, plan, units)]
        if circuit.tag in seen:
            needs.append(seen[circuit.tag])
        # The first of equal currents applies, which is the power flow
        worst = (0.0, "")
        for need in needs:
            if not worst[1] or need[0] > worst[0] * OVER:
                worst = need
        worst_a, state = worst
        normal_a = flow.normal(circuit.tag) / circuit.runs
        found[circuit.tag] = Duty(normal_a, worst_a, state, power_factor)
    return found | dict(_into_switches(plan, found))


def voltage_allowance(continuous_factor: float, voltage_drop: float) -> float:
    """Return the ratio of sizing current to current at nominal voltage, before continuous factor.

    Supplies and drives draw constant power. A device selected at 125 % of the nominal current
    carries the current at the lowest permitted voltage; a device selected at 100 % (IEC, or listed
    for it) must be selected for that current.
    """
    return float(sizing_factor.si(continuous_factor, voltage_drop)) / continuous_factor


def _at_lowest_voltage(needs: Iterable[Need], allowance: float) -> Iterator[Need]:
    for amperes, state in needs:
        if allowance > 1.0 and amperes > 0.0:
            yield amperes * allowance, f"{state}, at the lowest permitted voltage"
        else:
            yield amperes, state


def overloaded_runs(plan: NetworkPlan, flow: Flow) -> dict[str, Need]:
    """Return the circuits above their rating, by tag: current of one run, and its state.

    Design currents are calculated at nominal voltage by NEC 220.5(A); constant-power loads draw
    more at the voltage at the end of the selected conductors, and the conductors themselves lose
    power.

    plan: Network with its conductors.
    flow: Power flow with fixed load shares, in the sizing states.
    """
    found: dict[str, Need] = {}
    over = np.any(flow.circuit_loading > 1.0 + ROUNDING, axis=1)
    for row, (_, link) in enumerate(plan.network.links):
        if link.rating_a is None or not over[row]:
            continue
        loading = flow.circuit_loading[row]
        state = argmax_within_rounding(loading)
        amperes = float(loading[state]) * link.rating_a / plan.circuits[link.circuit].duty_runs
        because = f"{flow.outages[state].id}, at the voltage and losses of the conductors"
        found[link.circuit] = amperes, because
    return found


def _ratings(circuit: PlannedCircuit, plan: NetworkPlan, units: UnitCurrents) -> Iterator[Need]:
    """Yield the rating of the fed equipment, if the circuit must carry the full rating."""
    if circuit.stage == "set":
        set_a = float(three_phase_current.si(units.set_va, circuit.voltage_v))
        yield set_a, "design load of a duty generator set, batteries recharging"
    elif circuit.stage == "ups-input":
        yield units.ups_input
    elif circuit.stage == "bypass":
        if plan.network[circuit.target].kind == "static-bypass":
            yield units.module_a, "static switch of one UPS module at its rating"
        else:
            yield units.bus_a / circuit.runs, "rating of the UPS"
    elif circuit.stage == "pdu":
        fed = plan.network[circuit.target]
        if fed.rating_va is not None:
            rated_a = float(three_phase_current.si(fed.rating_va, circuit.voltage_v))
            why = f"rating of the PDU transformer, {fed.rating_va / 1e3:,.0f} kVA"
            yield rated_a / circuit.runs, why
    elif circuit.motors is not None:
        yield circuit.motors.load_a, "rated input of the mechanical-board cooling units"
    elif circuit.stage == "mv":
        fed_va = _transformers_fed(circuit, plan)
        rated_a = float(three_phase_current.si(fed_va, circuit.voltage_v))
        yield rated_a, f"rating of the transformers fed, {fed_va / 1e3:,.0f} kVA"


def _transformers_fed(circuit: PlannedCircuit, plan: NetworkPlan) -> float:
    """Return the rating of the MV/LV transformers on one medium-voltage run [VA].

    Transformer feeders have at least the transformer rating, NEC 235.202(A); spare transformers
    downstream of a switchgear are omitted.
    """
    fed = plan.network[circuit.target]
    if fed.kind == "transformer":
        return units_va(fed, circuit.runs)
    downstream = (one for one in plan.circuits.values() if one.source == circuit.target)
    return sum(units_va(plan.network[one.target], one.runs) * one.duty_runs for one in downstream)


def _board_supplies(
    circuit: PlannedCircuit, flow: CircuitCurrents, units: UnitCurrents
) -> Iterator[Need]:
    """Yield the board currents supplied by transformer or generators, besides the power flow."""
    if circuit.stage not in ("transformer", "service", "generator", "board"):
        return
    own_a, state = flow.recharging(circuit.tag)
    if circuit.stage == "generator":
        for normal in ("transformer", "service"):
            yield flow.max_current_into(circuit.target, normal), f"as the {normal}"
            own_a = max(own_a, flow.max_current_into(circuit.target, normal, recharging=True))
    if circuit.stage != "board":
        yield units.board_a, "LV board after the design failure, or its UPS at its rating"
    if own_a > 0.0:
        yield own_a + units.recharge_a, f"{state}, batteries recharging"


def _into_switches(plan: NetworkPlan, found: dict[str, Duty]) -> Iterator[tuple[str, Duty]]:
    """Yield the circuits into transfer switches, at least the largest downstream circuit.

    Without downstream transformers a switch carries the power-flow sum, which is at least that.
    """
    largest: dict[str, Duty] = {}
    for circuit in plan.circuits.values():
        if circuit.source not in largest or (
            not within(found[circuit.tag].worst_a, largest[circuit.source].worst_a)
        ):
            largest[circuit.source] = found[circuit.tag]
    for circuit in plan.circuits.values():
        if circuit.stage != "pdu" or plan.network[circuit.target].kind != "sts":
            continue
        own, next_one = found[circuit.tag], largest.get(circuit.target)
        if next_one is not None and next_one.worst_a > own.worst_a * OVER:
            because = next_one.because
            yield circuit.tag, replace(own, worst_a=next_one.worst_a, because=because)


def _panel_needs(panels: PanelSet) -> Iterator[tuple[str, list[Need]]]:
    """Yield panels by tag and branch circuits by id with their worst-state currents."""
    kinds: dict[tuple[int, int, str], Need] = {}
    lost_a = {id(circuit): amperes for _, circuit, amperes in panels.circuits_lost()}
    for number, panel in enumerate(panels.panels):
        lines, lost = panels.line_a[number, :, :3].max(axis=1), panels.lost[number]
        state = argmax_within_rounding(lines)
        needs = [(float(lines[state]), _panel_state(panels.states[state]))]
        if lost is not None:
            needs.append((float(lost.line_a[:3].max()), lost.state))
        yield panel.tag, needs
        for circuit in panel.circuits:
            kind = (id(circuit.power_va), circuit.poles, circuit.connection)
            if kind not in kinds:
                amperes = circuit_current(circuit, panel.v_ll)
                state = argmax_within_rounding(amperes)
                kinds[kind] = float(amperes[state]), _panel_state(panels.states[state])
            gone = (lost_a[id(circuit)], f"a supply in {circuit.rack} lost")
            yield circuit.id, [kinds[kind], gone]


def _panel_state(state: str) -> str:
    return f"feed {state}" if state.endswith(" lost") else state
