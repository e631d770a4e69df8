"""The power chain in operation: from the load of the racks to the demand at the utility.

Everything here is plain arithmetic on a design that is fixed; IT, cooling and house load may be
arrays. Each stage adds its loss to what it passes on, so the demand at the utility is the sum of
all loads and all losses.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import reduce
from typing import Any

import numpy as np

from facility.model.power.chain import WiringBasis
from facility.physics.circuits.currents import reactive_power
from facility.physics.circuits.distribution import (
    conductor_loss,
    reactive_of_parts,
)
from facility.physics.machines.transformer import transformer_loss, transformer_reactive
from facility.physics.machines.ups import loading, recharge_power, ups_loss
from facility.power.train.state import ZERO, Power, State, UpsFlow, UpsOutput, Wiring
from facility.power.train.types import ChainDemand, TransformerDesign, UpsDesign


def largest(values: Iterable[Any]) -> Any:
    """Return the largest of numbers, or of arrays element by element."""
    return _plain(reduce(np.maximum, values))


def _plain(value: Any) -> Any:
    return float(value) if np.ndim(value) == 0 else value


def _lagging(power_w: Any, power_factor: float) -> Any:
    return _plain(reactive_power.si(power_w, power_factor))


def wiring_losses(wiring: WiringBasis, demand: ChainDemand, reference_it_w: float) -> Wiring:
    """Return the losses in rack PDUs, branch circuits, feeders and LV boards.

    Each is a stated fraction of the IT load at `reference_it_w` and goes with its square.
    """
    fractions = (
        demand.rack_pdu_fraction,
        wiring.branch_loss,
        wiring.feeder_loss,
        wiring.lv_loss,
    )
    return Wiring(*(conductor_loss.si(demand.it_w, reference_it_w, f) for f in fractions))


def transformer_flow(design: TransformerDesign, loads: Iterable[Power], out: int = 0) -> Power:
    """Return the loss and reactive power of transformers under the load of each live carrier."""
    unit, units = design.unit, max(1, design.per_carrier - out)
    total = ZERO
    for load in loads:
        loss_w = transformer_loss.si(
            load.va, units, unit.rating_va, unit.no_load_w, unit.load_loss_w
        )
        reactive_var = transformer_reactive.si(
            load.va, units, unit.rating_va, unit.load_loss_w, unit.impedance
        )
        total = total.plus(Power(loss_w, reactive_var))
    return total


def rack_side(
    wiring: Wiring,
    pdus: TransformerDesign | None,
    feed_parts: tuple[float, ...],
    demand: ChainDemand,
) -> tuple[Power, Power]:
    """Return the load at the PDU transformer secondaries, and the transformers' own loss."""
    it = Power(demand.it_w, reactive_of_parts.si(demand.it_va, demand.it_w))
    below = it.plus(Power(wiring.rack_pdu_w + wiring.branch_w + wiring.feeder_w, 0.0))
    if pdus is None:
        return below, ZERO
    return below, transformer_flow(pdus, (below.part(part) for part in feed_parts))


def ups_output(below: Power, pdu_loss: Power, demand: ChainDemand, mech_factor: float) -> UpsOutput:
    """Return the output of all UPS systems together."""
    cooling = Power(demand.mech_ups_w, _lagging(demand.mech_ups_w, mech_factor))
    return UpsOutput(below.plus(pdu_loss), cooling)


def ups_flows(ups: UpsDesign, output: UpsOutput, state: State) -> tuple[UpsFlow, ...]:
    """Return the flow through each UPS system in one state; a lost system has none."""
    module = ups.module
    units = max(1, ups.modules_per_system - state.modules_out)
    flows = []
    for index in range(len(state.shares)):
        if index == state.lost:
            flows.append(UpsFlow(ZERO, 0.0, ZERO, 0.0, 0.0))
            continue
        out = output.of_system(state, index)
        loss_w = ups_loss.si(
            out.w, units, module.rating_w, module.constant, module.linear, module.quadratic
        )
        input_w = out.w + loss_w
        taken = Power(input_w, _lagging(input_w, module.input_power_factor))
        flows.append(
            UpsFlow(
                out,
                loss_w,
                taken,
                loading.si(out.w, units, module.rating_w),
                out.va / (units * module.rating_va),
            )
        )
    return tuple(flows)


def board_loads(
    flows: tuple[UpsFlow, ...], state: State, other: Power, board_w: Any
) -> tuple[Power, ...]:
    """Return the load on the LV board of each system: UPS, cooling, house, and board losses."""
    parts = other.plus(Power(board_w, 0.0))
    return tuple(
        flow.input.plus(parts.part(share))
        for flow, share in zip(flows, state.board_shares, strict=True)
    )


def other_load(demand: ChainDemand, mech_factor: float, house_factor: float) -> Power:
    """Return cooling and house load on the LV boards, outside the UPS."""
    cooling = Power(demand.mech_w, _lagging(demand.mech_w, mech_factor))
    house = Power(demand.house_w, _lagging(demand.house_w, house_factor))
    return cooling.plus(house)


def generator_load(ups: UpsDesign, boards: Iterable[Power], recharge: float) -> Power:
    """Return the load of the generator plant: all LV boards, and the recharge of the batteries."""
    return reduce(Power.plus, boards).plus(_recharge(ups, ups.modules, recharge))


def recharging_va(ups: UpsDesign, boards: Iterable[Power], recharge: float) -> float:
    """Return the largest load of one LV board while the batteries of its system recharge."""
    charge = _recharge(ups, ups.modules_per_system, recharge)
    return max(float(board.plus(charge).va) for board in boards)


def _recharge(ups: UpsDesign, modules: int, recharge: float) -> Power:
    charge_w = recharge_power.si(recharge, modules, ups.module.rating_w)
    return Power(charge_w, _lagging(charge_w, ups.module.input_power_factor))
