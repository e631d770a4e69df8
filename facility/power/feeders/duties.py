"""What every circuit must carry: one place, read by sizing, checks and sheets.

The largest of the power flow of any state with the load kept, the worst of the panel below, and
the rating of the PDU transformer, UPS input or bypass that the circuit feeds.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from facility.physics.circuits import three_phase_current
from facility.power.feeders.circuit_currents import CircuitCurrents
from facility.power.network.plan import NetworkPlan, PlannedCircuit
from facility.power.network.types import Outage
from facility.power.panel_currents import circuit_current
from facility.power.panels import PanelSet

_ROUNDING = 1e-6
_Need = tuple[float, str]


@dataclass(frozen=True)
class UnitCurrents:
    """Currents of units that no state of the network shows.

    Attributes
    ----------
    ups_input_a : float
        Input current of one UPS module at its rating, at low line with recharge [A].
    module_a : float
        Output current of one UPS module at its kVA rating, through its static switch [A].
    board_a : float
        Current of the fullest LV board after the designed failure, under the load with growth [A].
    recharge_a : float
        Current that the chargers of one lineup add ahead of its LV board [A]: recharge lasts for
        hours and follows every run on batteries, when all systems are in service again.
    """

    ups_input_a: float = 0.0
    module_a: float = 0.0
    board_a: float = 0.0
    recharge_a: float = 0.0


@dataclass(frozen=True)
class Duty:
    """What one run of a circuit must carry.

    Attributes
    ----------
    normal_a, worst_a : float
        Largest line current with all in service, and what the run must carry continuously [A].
    because : str
        The state or the rating that asks for it.
    power_factor : float
        Of the load in its worst state.
    """

    normal_a: float
    worst_a: float
    because: str
    power_factor: float


def circuit_duties(
    plan: NetworkPlan, outages: Sequence[Outage], units: UnitCurrents,
    panels: PanelSet | None = None,
) -> dict[str, Duty]:  # fmt: skip
    """Return what each circuit must carry, by tag.

    Parameters
    ----------
    plan : NetworkPlan
        The network and its circuits.
    outages : sequence of Outage
        States that the circuits are sized on, the normal one first.
    units : UnitCurrents
        UPS inputs and recharge.
    panels : PanelSet, optional
        Panels, whose currents know no diversity, and the states with a supply of a rack lost.
    """
    flow = CircuitCurrents(plan.with_load_kept(), outages)
    below = {} if panels is None else dict(_panel_needs(panels))
    found: dict[str, Duty] = {}
    for circuit in plan.circuits.values():
        worst_a, state, power_factor = flow.worst(circuit)
        needs = [(worst_a / circuit.runs, state), *_ratings(circuit, plan, units)]
        needs += _ahead_of_boards(circuit, flow, units)
        needs += below.get(circuit.target if circuit.stage == "feeder" else circuit.tag, ())
        worst_a, state = _largest(needs)
        normal_a = flow.normal(circuit.tag) / circuit.runs
        found[circuit.tag] = Duty(normal_a, worst_a, state, power_factor)
    return found | dict(_into_switches(plan, found))


def _largest(needs: Iterable[_Need]) -> _Need:
    """Return the largest; of equal ones the first, which is the power flow."""
    worst = (0.0, "")
    for need in needs:
        if not worst[1] or need[0] > worst[0] * (1.0 + _ROUNDING):
            worst = need
    return worst


def _ratings(circuit: PlannedCircuit, plan: NetworkPlan, units: UnitCurrents) -> Iterator[_Need]:
    """Yield the rating of the equipment that a circuit feeds, where it must carry all of it."""
    if circuit.stage == "ups-input":
        yield units.ups_input_a, "UPS module at its rating, low line, recharging"
    elif circuit.stage in ("bypass", "pdu"):
        fed = plan.network[circuit.target]
        if fed.kind == "static-bypass":
            yield units.module_a, "static switch of one UPS module at its rating"
        elif fed.rating_va is not None:
            what = "PDU transformer" if circuit.stage == "pdu" else "UPS"
            rated_a = float(three_phase_current.si(fed.rating_va, circuit.voltage_v))
            yield rated_a / circuit.runs, f"rating of the {what}, {fed.rating_va / 1e3:,.0f} kVA"


def _ahead_of_boards(
    circuit: PlannedCircuit, flow: CircuitCurrents, units: UnitCurrents
) -> Iterator[_Need]:
    """Yield what a transformer or the generators must give to a board beside the power flow."""
    if circuit.stage not in ("transformer", "service", "generator", "board"):
        return
    own_a, state = flow.recharging(circuit.tag)
    if circuit.stage == "generator":
        for normal in ("transformer", "service"):
            yield flow.most_into(circuit.target, normal), f"as the {normal}"
            own_a = max(own_a, flow.most_into(circuit.target, normal, recharging=True))
    if circuit.stage != "board":
        yield units.board_a, "LV board after the designed failure, with growth"
    if own_a > 0.0:
        yield own_a + units.recharge_a, f"{state}, batteries recharging"


def _into_switches(plan: NetworkPlan, found: dict[str, Duty]) -> Iterator[tuple[str, Duty]]:
    """Yield the circuits into transfer switches, which carry at least what one circuit behind does.

    Without transformers behind it a switch carries the sum by power flow, which is no less.
    """
    behind: dict[str, Duty] = {}
    for circuit in plan.circuits.values():
        if circuit.source not in behind or (
            found[circuit.tag].worst_a > behind[circuit.source].worst_a
        ):
            behind[circuit.source] = found[circuit.tag]
    for circuit in plan.circuits.values():
        if circuit.stage != "pdu" or plan.network[circuit.target].kind != "sts":
            continue
        own, next_one = found[circuit.tag], behind.get(circuit.target)
        if next_one is not None and next_one.worst_a > own.worst_a * (1.0 + _ROUNDING):
            yield (
                circuit.tag,
                Duty(own.normal_a, next_one.worst_a, next_one.because, own.power_factor),
            )


def _panel_needs(panels: PanelSet) -> Iterator[tuple[str, list[_Need]]]:
    """Yield panels by tag and branch circuits by id with their currents in the worst state."""
    kinds: dict[tuple[int, int, str], _Need] = {}
    lost_a = {id(circuit): amperes for _, circuit, amperes in panels.circuits_lost()}
    for number, panel in enumerate(panels.panels):
        lines, lost = panels.line_a[number, :, :3].max(axis=1), panels.lost[number]
        state = int(lines.argmax())
        needs = [(float(lines[state]), _panel_state(panels.states[state]))]
        if lost is not None:
            needs.append((float(lost.line_a[:3].max()), lost.state))
        yield panel.tag, needs
        for circuit in panel.circuits:
            kind = (id(circuit.power_va), circuit.poles, circuit.connection)
            if kind not in kinds:
                amperes = circuit_current(circuit, panel.v_ll)
                state = int(amperes.argmax())
                kinds[kind] = float(amperes[state]), _panel_state(panels.states[state])
            gone = (lost_a[id(circuit)], f"a supply in {circuit.rack} lost")
            yield circuit.id, [kinds[kind], gone]


def _panel_state(state: str) -> str:
    return f"feed {state}" if state.endswith(" lost") else state
