"""A static transfer switch prefers a source behind a running UPS to one on bypass."""

from __future__ import annotations

from facility.power.network.flow.solve import compile_network, solve
from facility.power.network.graph.types import Outage
from tests.power.network.schemes import scheme_network


def test_switch_leaves_a_primary_on_bypass_for_the_reserve() -> None:
    network = scheme_network("block-redundant", 600e3)
    switch = next(one for one in network.equipment if one.kind == "sts")
    primary, reserve = (link.source for link in switch.links)
    ups = next(link.source for link in network[primary].links if network[link.source].kind == "ups")
    outages = (
        Outage("normal"),
        Outage("UPS lost", (ups,)),
        Outage("reserve lost", (reserve,)),
        Outage("UPS and reserve lost", (ups, reserve)),
    )
    flow = solve(compile_network(network), outages)
    row = network.index[switch.tag]
    assert flow.taken[row].tolist() == [0, 1, 0, 0]
    assert not flow.unprotected[:, :3].any()
    assert flow.unprotected[:, 3].any()
    assert flow.dropped_w.max() == 0.0
