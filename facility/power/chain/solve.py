"""Solution of the power chain: losses, loadings in every state, utility demand."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import reduce
from typing import Any

from facility.core.sources import DERIVED
from facility.core.trace import SILENT, Trace
from facility.physics.circuits.currents import three_phase_current
from facility.physics.circuits.distribution import apparent_of_parts
from facility.physics.machines.generator import set_loading
from facility.power.backup.voltages import step_up_flow
from facility.power.train.after_failure import bus_loads, max_phase_loading
from facility.power.train.flow import (
    FlowSteps,
    generator_load,
    in_states,
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
    PowerFlow,
    SystemFlow,
    UpsFlows,
    UtilityFlow,
)
from facility.power.train.state import Power, State, UpsFlow, UpsOutput, Wiring
from facility.power.train.types import ChainDemand, ChainDesign


@dataclass(frozen=True)
class _Solved:
    """Power flow at every stage, by designed state; the first has all in service."""

    wiring: Wiring
    below: Power
    pdu_loss: Power
    output: UpsOutput
    states: tuple[State, ...]
    ups: tuple[tuple[UpsFlow, ...], ...]
    boards: tuple[tuple[Power, ...], ...]


def solve_chain(design: ChainDesign, demand: ChainDemand, trace: Trace = SILENT) -> ChainFlow:
    """Return the power flow through `design` under `demand`.

    design: Return value of `size_chain`.
    demand: Loads; floats, or arrays of equal shape for simultaneous hours.
    """
    solved = _solve(design, demand, design.states, trace)
    transformer = _transformers(design, solved, trace)
    parts = _parts(design, solved, transformer.w, trace)
    return ChainFlow(
        parts=parts,
        systems=_systems(design, solved),
        ups=_ups(design, demand, solved, trace),
        pdus=Loadings(
            _pdu_loading(design, solved.below, max(design.feeds.normal)),
            _pdu_loading(design, solved.below, max(design.feeds.worst)),
        ),
        transformers=Loadings(
            _transformer_loading(design, solved.states[:1], solved.boards),
            _transformer_loading(design, solved.states, solved.boards),
        ),
        generators=_generators(design, solved.boards[0], transformer, trace),
        utility=_utility(design, demand, parts, (*solved.boards[0], transformer), trace),
        board_va_worst=largest(load.va for loads in solved.boards for load in loads),
    )


def solve_normal(design: ChainDesign, demand: ChainDemand) -> PowerFlow:
    """Return the power flow with all in service only; see `solve_chain`.

    For balance iterations and hourly calculations.
    """
    solved = _solve(design, demand, design.states[:1], SILENT)
    transformer = _transformers(design, solved, SILENT)
    parts = _parts(design, solved, transformer.w, SILENT)
    loads = (*solved.boards[0], transformer)
    return PowerFlow(
        parts=parts,
        systems=_systems(design, solved),
        utility=_utility(design, demand, parts, loads, SILENT),
    )


def _transformers(design: ChainDesign, solved: _Solved, trace: Trace) -> Power:
    return transformer_flow(
        design.transformers, solved.boards[0], trace, "losses.transformer", "transformer.rating_kva"
    )


def _solve(
    design: ChainDesign, demand: ChainDemand, states: tuple[State, ...], trace: Trace
) -> _Solved:
    chain, steps = design.chain, FlowSteps(trace)
    wiring = wiring_losses(chain.wiring, demand, design.reference_it_w, steps)
    below, pdu_loss = rack_side(wiring, design.pdus, design.feeds.normal, demand, steps)
    output = ups_output(below, pdu_loss, demand, chain.mechanical_power_factor, steps)
    other = other_load(demand, chain.mechanical_power_factor, chain.house_power_factor)
    flows, boards = in_states(design.ups, output, states, other, wiring, trace)
    return _Solved(wiring, below, pdu_loss, output, states, flows, boards)


def _utility(
    design: ChainDesign,
    demand: ChainDemand,
    parts: tuple[LossPart, ...],
    loads: tuple[Power, ...],
    trace: Trace,
) -> UtilityFlow:
    """Return the utility demand: all loads and losses, with reactive power."""
    losses = {f"losses.{part.id}": part.loss_w for part in parts}
    words = "from the meter to the equipment inputs"
    of = {
        "load.it": demand.it_w, "chain.mech_ups": demand.mech_ups_w, "chain.mech": demand.mech_w,
        "chain.house": demand.house_w,
        "load.losses": trace.add("load.losses", "active_power", words, losses),
    }  # fmt: skip
    id = "utility.demand"
    power = Power(trace.add(id, "active_power", "all loads and all losses", of),
                  sum(load.var for load in loads))  # fmt: skip
    va = trace.do(f"{id}_kva", apparent_of_parts, power_w=trace.link(id, power.w),
                  reactive_var=power.var)  # fmt: skip
    current_a = trace.do(
        "utility.current", three_phase_current, apparent_va=trace.link(f"{id}_kva", va),
        line_voltage_v=trace.link("site.utility_voltage", design.utility_voltage_v),
    )  # fmt: skip
    return UtilityFlow(power.w, power.var, va, power.w / va, current_a)


def _parts(
    design: ChainDesign, solved: _Solved, transformer_w: Any, trace: Trace
) -> tuple[LossPart, ...]:
    wiring = solved.wiring
    feeder_hall_w = wiring.feeder_w * design.chain.wiring.feeder_in_hall
    lost = {
        f"ups.losses.{name}": flow.loss_w
        for name, flow in zip(design.ups.systems, solved.ups[0], strict=True)
    }
    ups_w = trace.add("ups.losses", "active_power", "all systems", lost)
    trace.add("losses.ups", "active_power", "all systems", {"ups.losses": ups_w})
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


def _ups(design: ChainDesign, demand: ChainDemand, solved: _Solved, trace: Trace) -> UpsFlows:
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

    loadings = Loadings(worst(solved.ups[:1], "loading"), worst(solved.ups, "loading"))
    system_w = largest(flow.output.w for flows in solved.ups for flow in flows)
    if trace is not SILENT:
        _record_worst(design, solved, loadings, system_w, trace)
    return UpsFlows(
        output_w=output.w,
        output_va=output.va,
        input_w=taken.w,
        input_va=taken.va,
        losses_w=losses_w[0],
        losses_failure_w=largest(losses_w),
        loading=loadings,
        loading_va=Loadings(worst(solved.ups[:1], "loading_va"), worst(solved.ups, "loading_va")),
        system_w_worst=system_w,
        most_loaded_phase=max_phase_loading(design.ups, tuple(loads)),
    )


def _record_worst(
    design: ChainDesign, solved: _Solved, loadings: Loadings, system_w: float, trace: Trace
) -> None:
    """Record the largest output and loadings of a system, with their states."""

    def first(of: str, value: float) -> tuple[int, str]:
        return next(
            (index, name)
            for index, flows in enumerate(solved.ups)
            for name, flow in zip(design.ups.systems, flows, strict=True)
            if (flow.loading if of == "loading" else flow.output.w) == value
        )

    results = (
        ("ups.loading_normal", "loading", loadings.normal, "most loaded, all in service"),
        ("ups.loading_failure", "loading", loadings.failure, "most loaded, worst designed state"),
        ("ups.output.failure", "output", system_w, "largest on one system in a designed state"),
    )
    for id, of, value, words in results:
        index, name = first(of, value)
        state = solved.states[index]
        at = f"ups.state.{index}" if index else "ups"
        if index:
            ups_flows(design.ups, solved.output, state, trace, at)
        kind = "fraction" if of == "loading" else "active_power"
        system = f"{at}.{of}.{name}"
        trace.choose(id, value, kind, f"{words}: {state.id}", DERIVED, system=system)


def _pdu_loading(design: ChainDesign, below: Power, share: float) -> Any:
    if design.pdus is None:
        return 0.0 * below.w
    return below.va * share / (design.pdus.per_carrier * design.pdus.unit.rating_va)


def _transformer_loading(
    design: ChainDesign, states: tuple[State, ...], boards: tuple[tuple[Power, ...], ...]
) -> Any:
    """Return the transformer loading of the most loaded output bus, by state and system."""
    transformers = design.transformers
    return largest(
        load.va
        * design.chain.unevenness
        / (max(1, transformers.per_carrier - state.transformers_out) * transformers.unit.rating_va)
        for state, loads in zip(states, boards, strict=False)
        for index, load in enumerate(loads)
        if index != state.lost
    )


def _generators(
    design: ChainDesign, boards: tuple[Power, ...], transformer: Power, trace: Trace
) -> GeneratorFlow:
    plant = design.generators
    load = generator_load(design.ups, boards, design.chain.ups.recharge)
    if plant.connection == "MV":
        load = load.plus(transformer)
    raised = step_up_flow(plant, load)
    load = load.plus(raised)
    id, words = "generator.load", f"with recharge, sets on the {plant.connection} side"
    load_w = trace.given(id, load.w, "active_power", DERIVED, words)
    loading = trace.do(
        "generator.loading", set_loading, load_w=trace.link(id, load_w), sets=plant.on_duty,
        set_w=trace.link("generator.rating", plant.rating_w),
        derate=trace.link("generator.derate", plant.derate),
    )  # fmt: skip
    return GeneratorFlow(load_w, load.va, loading, raised.w)


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
