"""Build a pandapower network from the tables of `tests.oracles.networks`."""

from __future__ import annotations

import pandapower as pp

from tests.oracles.networks import Network


def build(network: Network) -> pp.pandapowerNet:
    """Return the network with its loads; positions in every table are those of the files.

    A branch is a line of one kilometre without capacitance. The nominal voltage of a line is
    that of its from-side, the same as of its to-side.
    """
    net = pp.create_empty_network(sn_mva=1.0)
    for bus in network.buses:
        pp.create_bus(net, vn_kv=bus.nominal_kv, name=bus.id)
    index = network.bus_index
    for bus in network.buses:
        if bus.source_pu is not None:
            pp.create_ext_grid(net, index[bus.id], vm_pu=bus.source_pu)
    for branch in network.branches:
        pp.create_line_from_parameters(
            net,
            index[branch.from_bus],
            index[branch.to_bus],
            length_km=1.0,
            name=branch.id,
            r_ohm_per_km=branch.r_ohm,
            x_ohm_per_km=branch.x_ohm,
            c_nf_per_km=0.0,
            max_i_ka=branch.rating_a / 1e3,
        )
    for unit in network.transformers:
        high, low = index[unit.from_bus], index[unit.to_bus]
        pp.create_transformer_from_parameters(
            net,
            high,
            low,
            name=unit.id,
            sn_mva=unit.sn_kva / 1e3,
            vn_hv_kv=network.buses[high].nominal_kv,
            vn_lv_kv=network.buses[low].nominal_kv,
            vk_percent=unit.vk_percent,
            vkr_percent=unit.vkr_percent,
            pfe_kw=unit.pfe_kw,
            i0_percent=unit.i0_percent,
        )
    for load in network.loads:
        pp.create_load(net, index[load.bus], p_mw=load.p_kw / 1e3, q_mvar=load.q_kvar / 1e3)
    return net
