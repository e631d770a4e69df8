"""The recorded networks of buses and branches as networks of equipment.

A bus becomes the equipment that its branch or transformer ends in. A source that holds another
voltage than its nominal one is expressed by nominal voltages higher by as much on its side: the
network in volts, ohms and watts is the same.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from facility.power.network.graph.types import (
    Cord,
    Equipment,
    EquipmentKind,
    Link,
    Load,
    LoadKind,
    Network,
    Outage,
)
from tests.oracles import networks
from tests.oracles.networks import Branch, States, Transformer


def bus_network(recorded: networks.Network, *, balanced: bool) -> Network:
    """Return the network with a load of 1 W and one of 1 var on each bus that has load."""
    kinds = (("P", unit_kind("1 W", 1.0 + 0.0j)), ("Q", unit_kind("1 var", 1.0j)))
    loads = [
        Load(f"{name}-{load.bus}", kind, (Cord(Link(load.bus)),))
        for name, kind in kinds
        for load in recorded.loads
    ]
    return Network(equipment(recorded), tuple(loads), balanced=balanced)


def load_factor(recorded: networks.Network, states: States) -> NDArray[np.float64]:
    """Return the watts and vars of each state, in the order of the loads of `bus_network`."""
    rows = [recorded.bus_index[load.bus] for load in recorded.loads]
    return np.concatenate([states.p_w[rows], states.q_var[rows]])


def outages(states: States) -> list[Outage]:
    """Return the states."""
    return [Outage(name, out) for name, out in zip(states.names, states.outages, strict=True)]


def unit_kind(name: str, power_va: complex) -> LoadKind:
    """Return a single-corded load of a power, balanced."""
    table = np.zeros((2, 1, 3), dtype=np.complex128)
    table[1] = power_va / 3.0
    return LoadKind(
        name, table, np.zeros_like(table), np.array([power_va.real, 0.0]), np.array([True, False])
    )


def scales(recorded: networks.Network) -> dict[str, float]:
    """Return the voltage of the source of each bus [pu]."""
    above = {one.to_bus: one.from_bus for one in recorded.elements}
    held = {bus.id: bus.source_pu for bus in recorded.buses if bus.source_pu is not None}

    def source(bus: str) -> str:
        return bus if bus in held else source(above[bus])

    return {bus.id: held[source(bus.id)] for bus in recorded.buses}


def equipment(recorded: networks.Network) -> tuple[Equipment, ...]:
    """Return one piece of equipment for each bus, in the order of the buses."""
    fed_by = {one.to_bus: one for one in recorded.elements}
    scale = scales(recorded)
    found = []
    for bus in recorded.buses:
        volts = bus.nominal_kv * 1e3 * scale[bus.id]
        one = fed_by.get(bus.id)
        kind: EquipmentKind = "utility" if one is None else "panel"
        if isinstance(one, Branch):
            link = Link(one.from_bus, one.id, one.r_ohm, one.x_ohm, one.rating_a)
            found.append(Equipment(bus.id, kind, volts, (link,)))
        elif isinstance(one, Transformer):
            z = one.vk_percent / 100.0 * (bus.nominal_kv * 1e3) ** 2 / (one.sn_kva * 1e3)
            r = z * one.vkr_percent / one.vk_percent
            found.append(
                Equipment(
                    bus.id,
                    "transformer",
                    volts,
                    (Link(one.from_bus, one.id),),
                    rating_va=one.sn_kva * 1e3 * scale[bus.id],
                    resistance_ohm=r,
                    reactance_ohm=float(np.sqrt(z**2 - r**2)),
                    no_load_w=one.pfe_kw * 1e3 * scale[bus.id] ** 2,
                    delta_wye=True,
                )
            )
        else:
            found.append(Equipment(bus.id, kind, volts))
    return tuple(found)
