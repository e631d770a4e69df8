"""The output of the UPS systems after the designed failure."""

from __future__ import annotations

from facility.model.power_chain import PowerChain
from facility.power.chain_flow import rack_side, ups_output
from facility.power.chain_state import Power, Wiring
from facility.power.chain_types import ChainDemand, TransformerDesign
from facility.power.schemes import Shares


def failure_output(
    chain: PowerChain,
    wiring: Wiring,
    pdus: TransformerDesign | None,
    feeds: Shares,
    lost: int | None,
    demand: ChainDemand,
    output: Power,
) -> Power:
    """Return the output of all UPS systems together in a state, `output` being the normal one.

    Where each system has a feed of its own, the loss of one leaves its load to the other feeds:
    their conductors lose with the sum of the squares of the parts, their PDU transformers at
    their part load.
    """
    if lost is None or chain.scheme.one_system or chain.scheme.reserve:
        return output
    parts = feeds.after[lost]
    ratio = sum(part * part for part in parts) / sum(part * part for part in feeds.normal)
    raised = Wiring(
        wiring.rack_pdu_w * ratio, wiring.branch_w * ratio, wiring.feeder_w * ratio,
        wiring.board_w,
    )  # fmt: skip
    below, loss = rack_side(raised, pdus, tuple(part for part in parts if part > 0.0), demand)
    return ups_output(below, loss, demand, chain.mechanical_power_factor)
