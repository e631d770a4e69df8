"""Power chain in operation: from the rack load to the utility demand.

All functions are plain arithmetic on a fixed design; IT, cooling and building load may be arrays.
Each stage adds its loss to its load, so the utility demand is the sum of all loads and
losses.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import Any

from facility.core.sources import DERIVED, PROJECT
from facility.core.trace import SILENT, Trace
from facility.model.power.chain import WiringBasis
from facility.physics.circuits.currents import reactive_power
from facility.physics.circuits.distribution import conductor_loss, reactive_of_parts
from facility.physics.elementwise import maximum, plain
from facility.physics.machines.transformer import transformer_loss, transformer_reactive
from facility.physics.machines.ups import loading, recharge_power, ups_loss
from facility.power.train.results import ChainFlow
from facility.power.train.state import ZERO, Power, State, UpsFlow, UpsOutput, Wiring
from facility.power.train.types import ChainDemand, ChainDesign, TransformerDesign, UpsDesign


def largest(values: Iterable[Any]) -> Any:
    """Return the maximum of numbers, or of arrays element by element."""
    return plain(reduce(maximum, values))


def _lagging(power_w: Any, power_factor: float) -> Any:
    return plain(reactive_power.si(power_w, power_factor))


@dataclass(frozen=True)
class FlowSteps:
    """Trace of a flow through the chain, and the ids of its steps."""

    trace: Trace = SILENT
    it: str = "load.it"
    mech: str = "chain.mech"
    losses: str = "losses"
    output: str = "ups.output"
    words: str = "IT, losses below the UPS, cooling on it"


def with_growth_in(trace: Trace) -> FlowSteps:
    """Return the trace steps of the flow with growth."""
    grown = "chain.design"
    words = f"{FlowSteps.words}, growth"
    return FlowSteps(trace, f"{grown}.it", f"{grown}.mech", grown, "ups.design_output", words)


_UNSEEN = FlowSteps()


def wiring_losses(
    wiring: WiringBasis, demand: ChainDemand, reference_it_w: float, steps: FlowSteps = _UNSEEN
) -> Wiring:
    """Return the losses in rack PDUs, branch circuits, feeders and LV boards.

    Each is a specified fraction of the IT load at `reference_it_w` and varies with its square.
    """
    trace, load = steps.trace, steps.trace.link(steps.it, demand.it_w)

    def loss(name: str, id: str, fraction: float) -> float:
        found: float = trace.do(
            f"{steps.losses}.{name}", conductor_loss, load_w=load,
            reference_w=reference_it_w, fraction=trace.link(id, fraction),
        )  # fmt: skip
        return found

    return Wiring(
        loss("rack_pdu", "it.rack_pdu_loss", demand.rack_pdu_fraction),
        loss("branch", "power.branch_loss", wiring.branch_loss),
        loss("feeder", "power.feeder_loss", wiring.feeder_loss),
        loss("lv_board", "power.board_loss", wiring.lv_loss),
    )


def transformer_flow(
    design: TransformerDesign, loads: Iterable[Power], trace: Trace = SILENT, *ids: str
) -> Power:
    """Return loss and reactive power of the transformers at the load of each live carrier.

    `ids` are the steps of loss and rating in `trace`.
    """
    id, rating = ids or ("", "")
    unit, units = design.unit, max(1, design.per_carrier)
    steps = trace if design.present else SILENT
    lost: dict[str, float] = {}
    loads = tuple(loads)
    for carrier, load in zip(design.carriers, loads, strict=False):
        name = f"{id}.{carrier}"
        lost[name] = steps.do(
            name, transformer_loss, load_va=load.va, units=units,
            rating_va=steps.link(rating, unit.rating_va), no_load_w=unit.no_load_w,
            load_loss_w=unit.load_loss_w,
        )  # fmt: skip
    if not design.present:
        trace.given(id, 0.0, "active_power", PROJECT, "service at low voltage")
    drawn_var = sum(
        transformer_reactive.si(load.va, units, unit.rating_va, unit.load_loss_w, unit.impedance)
        for load in loads
    )
    words = f"{design.per_carrier} transformer{'' if design.per_carrier == 1 else 's'} each"
    return Power(steps.add(id, "active_power", words, lost), drawn_var)


def rack_side(
    wiring: Wiring,
    pdus: TransformerDesign | None,
    feed_parts: tuple[float, ...],
    demand: ChainDemand,
    steps: FlowSteps = _UNSEEN,
) -> tuple[Power, Power]:
    """Return the load at the PDU transformer secondaries, and the transformer loss."""
    trace, losses = steps.trace, steps.losses
    parts = {
        steps.it: demand.it_w, f"{losses}.rack_pdu": wiring.rack_pdu_w,
        f"{losses}.branch": wiring.branch_w, f"{losses}.feeder": wiring.feeder_w,
    }  # fmt: skip
    below_w = trace.add(f"{steps.output}.below", "active_power", "IT and wiring", parts)
    below = Power(below_w, reactive_of_parts.si(demand.it_va, demand.it_w))
    id = f"{losses}.pdu_transformer"
    if pdus is None:
        why = "none: racks use the UPS voltage"
        return below, Power(trace.given(id, 0.0, "active_power", DERIVED, why), 0.0)
    loads = (below.part(part) for part in feed_parts)
    return below, transformer_flow(pdus, loads, trace, id, "pdu.rating_kva")


def ups_output(
    below: Power,
    pdu_loss: Power,
    demand: ChainDemand,
    mech_factor: float,
    steps: FlowSteps = _UNSEEN,
) -> UpsOutput:
    """Return the output of all UPS systems together."""
    trace, id, mech_w = steps.trace, steps.output, demand.mech_ups_w
    parts = {f"{id}.below": below.w, f"{steps.losses}.pdu_transformer": pdu_loss.w}
    words = "IT and losses below the UPS"
    racks_w = trace.add(f"{id}.racks", "active_power", words, parts)
    parts = {f"{id}.racks": racks_w, f"{steps.mech}_ups": mech_w}
    trace.add(id, "active_power", steps.words, parts)
    cooling = Power(mech_w, _lagging(mech_w, mech_factor))
    return UpsOutput(Power(racks_w, below.var + pdu_loss.var), cooling)


def ups_flows(
    ups: UpsDesign, output: UpsOutput, state: State, trace: Trace = SILENT, id: str = "ups"
) -> tuple[UpsFlow, ...]:
    """Return the flow through each UPS system in one state; none for a lost system.

    Steps of `trace` are below `id`.
    """
    module = ups.module
    units = max(1, ups.modules_per_system - state.modules_out)
    rating = {"modules": units, "module_w": trace.link("ups.module_rating", module.rating_w)}
    flows = []
    for index, name in enumerate(ups.systems[: len(state.shares)]):
        if index == state.lost:
            flows.append(UpsFlow(ZERO, 0.0, ZERO, 0.0, 0.0))
            continue
        out = output.of_system(state, index, trace, id, name)
        load = trace.link(f"{id}.output.{name}", out.w)
        loss_w = trace.do(
            f"{id}.losses.{name}", ups_loss, f"loss curve {module.curve}", output_w=load,
            **rating, constant=module.constant, linear=module.linear, quadratic=module.quadratic,
        )  # fmt: skip
        input_w = out.w + loss_w
        taken = Power(input_w, _lagging(input_w, module.input_power_factor))
        part = trace.do(f"{id}.loading.{name}", loading, load_w=load, **rating)
        flows.append(UpsFlow(out, loss_w, taken, part, out.va / (units * module.rating_va)))
    return tuple(flows)


def board_loads(
    flows: tuple[UpsFlow, ...], state: State, other: Power, board_w: Any
) -> tuple[Power, ...]:
    """Return the LV board load of each system: UPS, cooling, building load, and board losses."""
    parts = other.plus(Power(board_w, 0.0))
    return tuple(
        flow.input.plus(parts.part(share))
        for flow, share in zip(flows, state.board_shares, strict=True)
    )


def in_states(
    ups: UpsDesign,
    output: UpsOutput,
    states: Sequence[State],
    other: Power,
    wiring: Wiring,
    trace: Trace = SILENT,
) -> tuple[tuple[tuple[UpsFlow, ...], ...], tuple[tuple[Power, ...], ...]]:
    """Return UPS flows and LV board loads in every state; the first is recorded in `trace`."""
    normal, *failures = states
    flows = (
        ups_flows(ups, output, normal, trace),
        *(ups_flows(ups, output, state) for state in failures),
    )
    boards = tuple(
        board_loads(systems, state, other, wiring.board_w)
        for systems, state in zip(flows, states, strict=True)
    )
    return flows, boards


def other_load(demand: ChainDemand, mech_factor: float, house_factor: float) -> Power:
    """Return cooling and building load on the LV boards, outside the UPS."""
    cooling = Power(demand.mech_w, _lagging(demand.mech_w, mech_factor))
    house = Power(demand.house_w, _lagging(demand.house_w, house_factor))
    return cooling.plus(house)


def generator_load(ups: UpsDesign, boards: Iterable[Power], recharge: float) -> Power:
    """Return the load of the generator plant: all LV boards, and the recharge of the batteries."""
    return reduce(Power.plus, boards).plus(recharge_load(ups, ups.modules, recharge))


def recharging_va(
    ups: UpsDesign, boards: Iterable[Power], recharge: float, unevenness: float
) -> float:
    """Return the load of a system with all buses at the maximum bus load, recharging [VA].

    Every bus has the same number of chargers: `unevenness`, most loaded bus / mean, excludes
    them.
    """
    charge = recharge_load(ups, ups.modules_per_system, recharge)
    return max(float(board.part(unevenness).plus(charge).va) for board in boards)


def recharge_load(
    ups: UpsDesign, modules: int, recharge: float, trace: Trace = SILENT, id: str = ""
) -> Power:
    """Return the charger load of `modules`, the step `id` of `trace`."""
    charge_w = trace.do(
        id, recharge_power, recharge=trace.link("power.ups.recharge", recharge), modules=modules,
        module_w=trace.link("ups.module_rating", ups.module.rating_w),
    )  # fmt: skip
    return Power(charge_w, _lagging(charge_w, ups.module.input_power_factor))


@dataclass(frozen=True)
class PowerHour:
    """Power chain as designed, with its flow including growth."""

    design: ChainDesign
    flow: ChainFlow

    @property
    def recharging_loading(self) -> float:
        """Transformer loading with all in service, most loaded lineup, while batteries recharge."""
        design, chain = self.design, self.design.chain
        boards = [
            Power(system.board_w, reactive_of_parts.si(system.board_va, system.board_w))
            for system in self.flow.systems
        ]
        installed_va = design.transformers.per_carrier * design.transformers.unit.rating_va
        load_va = recharging_va(design.ups, boards, chain.ups.recharge, chain.unevenness)
        return load_va / installed_va
