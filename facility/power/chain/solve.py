"""Solving the power chain: losses by part, loadings in every state, demand at the utility."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import reduce
from typing import Any

from facility.physics.circuits.currents import three_phase_current
from facility.physics.machines.generator import set_loading
from facility.power.backup.voltages import step_up_flow
from facility.power.train.after_failure import bus_loads, fullest_loading
from facility.power.train.flow import (
    board_loads,
    generator_load,
    largest,
    other_load,
    rack_side,
    transformer_flow,
    ups_flows,
    ups_output,
    wiring_losses,
)
from facility.power.train.results import (
    ChainFlow,
    GeneratorFlow,
    Loadings,
    LossPart,
    SystemFlow,
    UpsFlows,
    UtilityFlow,
)
from facility.power.train.state import Power, State, UpsFlow, UpsOutput, Wiring
from facility.power.train.types import ChainDemand, ChainDesign


@dataclass(frozen=True)
class _Solved:
    """The flow at every stage, by designed state; the first state has all in service."""

    wiring: Wiring
    below: Power
    pdu_loss: Power
    output: UpsOutput
    states: tuple[State, ...]
    ups: tuple[tuple[UpsFlow, ...], ...]
    boards: tuple[tuple[Power, ...], ...]


def solve_chain(design: ChainDesign, demand: ChainDemand) -> ChainFlow:
    """Return the flow of power through `design` under `demand`.

    Parameters
    ----------
    design : ChainDesign
        What `size_chain` returned.
    demand : ChainDemand
        Loads; floats, or arrays of equal shape for many hours at once.
    """
    solved = _solve(design, demand)
    transformer = transformer_flow(design.transformers, solved.boards[0])
    utility = reduce(Power.plus, solved.boards[0]).plus(transformer)
    return ChainFlow(
        parts=_parts(design, solved, transformer.w),
        systems=_systems(design, solved),
        ups=_ups(design, demand, solved),
        pdus=Loadings(
            _pdu_loading(design, solved.below, max(design.feeds.normal)),
            _pdu_loading(design, solved.below, max(design.feeds.worst)),
        ),
        transformers=Loadings(
            _transformer_loading(design, solved.states[:1], solved.boards),
            _transformer_loading(design, solved.states, solved.boards),
        ),
        generators=_generators(design, solved.boards[0], transformer),
        utility=UtilityFlow(
            demand_w=utility.w,
            demand_var=utility.var,
            demand_va=utility.va,
            power_factor=utility.w / utility.va,
            # Hours pass through the chain as arrays, whatever its results are declared as.
            current_a=three_phase_current.si(utility.va, design.utility_voltage_v),  # type: ignore[arg-type]
        ),
        board_va_worst=largest(load.va for loads in solved.boards for load in loads),
    )


def _solve(design: ChainDesign, demand: ChainDemand) -> _Solved:
    chain = design.chain
    wiring = wiring_losses(chain.wiring, demand, design.reference_it_w)
    below, pdu_loss = rack_side(wiring, design.pdus, design.feeds.normal, demand)
    output = ups_output(below, pdu_loss, demand, chain.mechanical_power_factor)
    other = other_load(demand, chain.mechanical_power_factor, chain.house_power_factor)
    states = design.states
    flows = tuple(ups_flows(design.ups, output, state) for state in states)
    boards = tuple(
        board_loads(systems, state, other, wiring.board_w)
        for systems, state in zip(flows, states, strict=True)
    )
    return _Solved(wiring, below, pdu_loss, output, states, flows, boards)


def _parts(design: ChainDesign, solved: _Solved, transformer_w: Any) -> tuple[LossPart, ...]:
    wiring = solved.wiring
    feeder_hall_w = wiring.feeder_w * design.chain.wiring.feeder_in_hall
    ups_w = sum(flow.loss_w for flow in solved.ups[0])
    none = 0.0 * wiring.rack_pdu_w
    return (
        LossPart("rack_pdu", wiring.rack_pdu_w, wiring.rack_pdu_w, none, none),
        LossPart("branch", wiring.branch_w, wiring.branch_w, none, none),
        LossPart("feeder", wiring.feeder_w, feeder_hall_w, wiring.feeder_w - feeder_hall_w, none),
        LossPart("pdu_transformer", solved.pdu_loss.w, solved.pdu_loss.w, none, none),
        LossPart("ups", ups_w, none, ups_w, none),
        LossPart("lv_board", wiring.board_w, none, wiring.board_w, none),
        LossPart("transformer", transformer_w, none, none, transformer_w),
    )


def _ups(design: ChainDesign, demand: ChainDemand, solved: _Solved) -> UpsFlows:
    output = solved.output.total
    loads = bus_loads(
        design.chain,
        solved.wiring,
        design.pdus,
        design.feeds,
        design.sizing_states,
        demand,
        solved.output,
    )
    taken = reduce(Power.plus, (flow.input for flow in solved.ups[0]))
    losses_w = [sum(flow.loss_w for flow in flows) for flows in solved.ups]

    def worst(flows: Iterable[tuple[UpsFlow, ...]], name: str) -> Any:
        return largest(getattr(flow, name) for systems in flows for flow in systems)

    return UpsFlows(
        output_w=output.w,
        output_va=output.va,
        input_w=taken.w,
        input_va=taken.va,
        losses_w=losses_w[0],
        losses_failure_w=largest(losses_w),
        loading=Loadings(worst(solved.ups[:1], "loading"), worst(solved.ups, "loading")),
        loading_va=Loadings(worst(solved.ups[:1], "loading_va"), worst(solved.ups, "loading_va")),
        system_w_worst=largest(flow.output.w for flows in solved.ups for flow in flows),
        fullest=fullest_loading(design.ups, tuple(loads)),
    )


def _pdu_loading(design: ChainDesign, below: Power, share: float) -> Any:
    if design.pdus is None:
        return 0.0 * below.w
    return below.va * share / (design.pdus.per_carrier * design.pdus.unit.rating_va)


def _transformer_loading(
    design: ChainDesign, states: tuple[State, ...], boards: tuple[tuple[Power, ...], ...]
) -> Any:
    transformers = design.transformers
    return largest(
        load.va
        / (max(1, transformers.per_carrier - state.transformers_out) * transformers.unit.rating_va)
        for state, loads in zip(states, boards, strict=False)
        for index, load in enumerate(loads)
        if index != state.lost
    )


def _generators(
    design: ChainDesign, boards: tuple[Power, ...], transformer: Power
) -> GeneratorFlow:
    plant = design.generators
    load = generator_load(design.ups, boards, design.chain.ups.recharge)
    if plant.connection == "MV":
        load = load.plus(transformer)
    raised = step_up_flow(plant, load)
    load = load.plus(raised)
    return GeneratorFlow(
        load.w,
        load.va,
        set_loading.si(load.w, plant.on_duty, plant.rating_w, plant.derate),  # type: ignore[arg-type]
        raised.w,
    )


def _systems(design: ChainDesign, solved: _Solved) -> tuple[SystemFlow, ...]:
    installed_va = design.transformers.per_carrier * design.transformers.unit.rating_va
    return tuple(
        SystemFlow(
            name=name,
            output_w=flow.output.w,
            output_va=flow.output.va,
            loading=flow.loading,
            loss_w=flow.loss_w,
            input_w=flow.input.w,
            board_w=board.w,
            board_va=board.va,
            transformer_loading=board.va / installed_va,
        )
        for name, flow, board in zip(
            design.ups.systems, solved.ups[0], solved.boards[0], strict=True
        )
    )
