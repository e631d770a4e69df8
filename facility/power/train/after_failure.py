"""UPS output in every sizing state, and the most loaded phase of a bus."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from facility.core.kinds import FloatArray
from facility.core.rounding import ROUNDING
from facility.core.trace import SILENT, Trace
from facility.model.power.chain import PowerChain
from facility.physics.circuits.distribution import apparent_of_parts, shared_power
from facility.power.train.flow import largest, rack_side, ups_output
from facility.power.train.schemes import Shares
from facility.power.train.state import Power, State, UpsOutput, Wiring
from facility.power.train.types import ChainDemand, TransformerDesign, UpsDesign

_NO_LOAD_W = 1e-9


@dataclass(frozen=True)
class BusLoad:
    """Load of the most loaded output bus in one state, with all phases at its maximum phase.

    `racks` and `cooling` are the output of all systems; `share` and `cooling_share` the shares of
    the bus. `modules_out` are modules of the bus out of service.
    """

    state: str
    racks: Power
    cooling: Power
    share: float
    cooling_share: float
    modules_out: int = 0

    @cached_property
    def power(self) -> Power:
        """Load of the bus."""
        return self.of_bus()

    def of_bus(self, trace: Trace = SILENT) -> Power:
        """Return `power`, recorded as ``ups.bus_load`` and ``ups.bus_load_va``."""
        at = "ups.bus_load"
        racks_w = trace.do(
            f"{at}.racks",
            shared_power,
            load_w=trace.link("ups.failure_output", self.racks.w),
            share=trace.link("ups.bus_share", self.share),
        )
        cooling_w = trace.do(
            f"{at}.cooling",
            shared_power,
            "the systems share it evenly; on the bus of the racks that it cools",
            load_w=trace.link("chain.design.mech_ups", self.cooling.w),
            share=self.cooling_share,
        )
        parts = {f"{at}.racks": racks_w, f"{at}.cooling": cooling_w}
        power_w = trace.add(at, "active_power", "one output bus", parts)
        power = Power(power_w, self.racks.var * self.share + self.cooling.var * self.cooling_share)
        of = {"power_w": trace.link(at, power.w), "reactive_var": power.var}
        trace.do(f"{at}_va", apparent_of_parts, **of)
        return power


def failure_output(
    chain: PowerChain,
    wiring: Wiring,
    pdus: TransformerDesign | None,
    feeds: Shares,
    lost: int,
    demand: ChainDemand,
) -> UpsOutput:
    """Return the output of all UPS systems with the feed `lost`.

    The other feeds carry its load: their conductor losses vary with the sum of the squared shares,
    their PDU transformers with partial load.
    """
    parts = feeds.after[lost]
    ratio = sum(part * part for part in parts) / sum(part * part for part in feeds.normal)
    raised = Wiring(
        wiring.rack_pdu_w * ratio, wiring.branch_w * ratio, wiring.feeder_w * ratio, wiring.board_w
    )
    below, loss = rack_side(raised, pdus, tuple(part for part in parts if part > 0.0), demand)
    return ups_output(below, loss, demand, chain.mechanical_power_factor)


def bus_loads(
    chain: PowerChain,
    wiring: Wiring,
    pdus: TransformerDesign | None,
    feeds: Shares,
    states: Sequence[State],
    demand: ChainDemand,
    output: UpsOutput,
) -> Iterator[BusLoad]:
    """Yield the load of the most loaded output bus in every state.

    Panels are on a bus in whole groups and load its phases unequally: the rack load of the most
    loaded phase of a bus is its `PowerChain.bus_phases` times the mean. Cooling is on the bus of
    the racks that it cools: the most loaded bus has the largest sum. A converter leg is rated for a
    third of its module.

    chain: Scheme, buses, and their most loaded phases.
    wiring, pdus: Losses downstream of the UPS with all in service, and the PDU transformers.
    feeds: Load shares of the feeds.
    states: The states of `sizing_states`.
    output: Output with all in service.
    """
    phases, shape = np.array(chain.bus_phases), np.shape(output.racks.w)
    total_w = np.maximum(demand.mech_ups_w, _NO_LOAD_W)
    cooling_w = demand.mech_ups_of_buses(chain)
    if shape:
        on_bus = np.array([np.broadcast_to(one / total_w, shape) for one in cooling_w])
    else:
        on_bus = np.array(cooling_w) / total_w
    buses = chain.ups.buses
    own_feeds = not (chain.scheme.one_system or chain.scheme.reserve)
    for state in states:
        lost = state.lost if own_feeds else state.feed_lost
        given = output
        if lost is not None:
            given = failure_output(chain, wiring, pdus, feeds, lost, demand)
        for share, cooling in zip(state.shares, state.cooling_shares, strict=True):
            parts = _max_share(given, share * phases / buses, cooling * on_bus)
            yield BusLoad(state.id, given.racks, given.cooling, *parts, state.modules_out // buses)


def _max_share(output: UpsOutput, racks: FloatArray, cooling: FloatArray) -> tuple[float, float]:
    """Return the shares of the bus with the largest sum; shares of each bus, buses first."""
    of_racks = racks.reshape(-1, *(1,) * (cooling.ndim - 1))
    sums_w = output.racks.w * of_racks + output.cooling.w * cooling
    number = np.argmax(sums_w >= sums_w.max(axis=0) * (1.0 - ROUNDING), axis=0)
    if cooling.ndim == 1:
        return racks[number], cooling[number]
    return racks[number], np.take_along_axis(cooling, number[None], axis=0)[0]


def max_phase_loading(ups: UpsDesign, loads: Sequence[BusLoad]) -> Any:
    """Return the maximum module loading by kW or kVA over the loads of its bus."""
    module, on_bus = ups.module, ups.modules_per_system // ups.buses

    def units(load: BusLoad) -> int:
        return max(1, on_bus - load.modules_out)

    return largest(
        part
        for load in loads
        for part in (
            load.power.w / (units(load) * module.rating_w),
            load.power.va / (units(load) * module.rating_va),
        )
    )
