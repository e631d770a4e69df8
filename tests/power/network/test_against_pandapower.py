"""Every voltage and loading of the 190-bus network in all recorded states, against pandapower."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pytest

from facility.power.network.flow.solve import Flow, compile_network, solve
from facility.power.network.graph.types import Cord, Link, Load, Network
from tests.oracles import networks
from tests.oracles.networks import Branch, Recorded, States, Transformer
from tests.power.network.recorded import bus_network, equipment, load_factor, outages, scales
from tests.power.network.schemes import sharing_kind

FOLDER = "network_190"
TOLERANCE_PU = 1e-4


class Case(NamedTuple):
    """The recorded network, its states, and what the solver found."""

    recorded_network: networks.Network
    states: States
    recorded: Recorded
    network: Network
    flow: Flow


@pytest.fixture(scope="module", params=[True, False], ids=["one phase", "three phases"])
def case(request: pytest.FixtureRequest) -> Case:
    recorded_network = networks.read_network(FOLDER)
    states = networks.read_states(FOLDER, recorded_network)
    recorded = networks.read_recorded(FOLDER, recorded_network, states)
    network = bus_network(recorded_network, balanced=request.param)
    flow = solve(
        compile_network(network), outages(states), load_factor=load_factor(recorded_network, states)
    )
    return Case(recorded_network, states, recorded, network, flow)


def test_every_bus_voltage(case: Case) -> None:
    scale = np.array(list(scales(case.recorded_network).values()))
    ours = case.flow.voltage_pu * scale[:, None]
    theirs = case.recorded.voltage_pu
    assert np.array_equal(np.isnan(ours), np.isnan(theirs))
    assert np.nanmax(np.abs(ours - theirs)) < TOLERANCE_PU


def power_into(case: Case) -> dict[str, np.ndarray]:
    """Return the power through each element at its lower end [VA], from the recorded voltages.

    In a tree the magnitudes suffice: what enters a branch is what leaves it and its loss, which
    goes with the square of the current.
    """
    below: dict[str, list[Branch | Transformer]] = {}
    for one in case.recorded_network.elements:
        below.setdefault(one.from_bus, []).append(one)
    volts = np.array([b.nominal_kv * 1e3 for b in case.recorded_network.buses])
    volts_v = np.nan_to_num(case.recorded.voltage_pu, nan=1.0) * volts[:, None]
    power_va = case.states.p_w + 1j * case.states.q_var
    made = {e.tag: e for e in case.network.equipment}
    found: dict[str, np.ndarray] = {}

    def leaving(bus: str) -> np.ndarray:
        row = case.recorded_network.bus_index[bus]
        total = power_va[row].copy()
        for one in below.get(bus, ()):
            out = leaving(one.to_bus)
            low_v = volts_v[case.recorded_network.bus_index[one.to_bus]]
            if isinstance(one, Transformer):
                own = made[one.to_bus]
                z = complex(own.resistance_ohm, own.reactance_ohm)
                lower = case.recorded_network.bus_index[one.to_bus]
                live = ~np.isnan(case.recorded.voltage_pu[lower])
                out = out + one.pfe_kw * 1e3 * (low_v / volts[lower]) ** 2 * live
            else:
                z = complex(one.r_ohm, one.x_ohm)
            found[one.id] = out
            total += out + z * np.abs(out / low_v) ** 2
        return total

    for bus in case.recorded_network.buses:
        if bus.source_pu is not None:
            leaving(bus.id)
    return found


def test_every_loading(case: Case) -> None:
    power_va = power_into(case)
    number = {link.circuit: n for n, (_, link) in enumerate(case.network.links) if link.circuit}
    volts = {b.id: b.nominal_kv * 1e3 for b in case.recorded_network.buses}
    for one in case.recorded_network.elements:
        row = case.recorded_network.bus_index[one.to_bus]
        low_v = case.recorded.voltage_pu[row] * volts[one.to_bus]
        amperes = np.abs(power_va[one.id]) / (np.sqrt(3.0) * low_v)
        if isinstance(one, Branch):
            expected = amperes / one.rating_a
            ours = case.flow.circuit_loading[number[one.id]]
        else:
            expected = amperes * np.sqrt(3.0) * volts[one.to_bus] / (one.sn_kva * 1e3)
            ours = case.flow.loading[row]
        live = ~np.isnan(low_v)
        assert np.abs(ours[live] - expected[live]).max() < TOLERANCE_PU, one.id
        assert np.all(np.nan_to_num(ours[~live]) == 0.0)


def test_transfer_of_the_racks() -> None:
    """Every rack moves to the side that is left: its power at each bus, up to the state's draw."""
    recorded = networks.read_network(FOLDER)
    states = networks.read_states(FOLDER, recorded)
    racks = list(networks.rows(networks.DATA / FOLDER / "racks.csv"))
    loads = []
    for rack in racks:
        power_w = float(rack["p_w"])
        factor = power_w / abs(complex(power_w, float(rack["q_var"])))
        cords = (Cord(Link(rack["a_bus"])), Cord(Link(rack["b_bus"])))
        loads.append(Load(rack["rack"], sharing_kind("", power_w, 2, factor), cords))
    compiled = compile_network(Network(equipment(recorded), tuple(loads), balanced=True))
    flow = solve(compiled, outages(states))
    for bus in {load.bus for load in recorded.loads}:
        row = recorded.bus_index[bus]
        full_w = flow.output_w[row]
        given_w = states.p_w[row]
        assert np.all(given_w <= full_w + 1.0)
        assert np.all(given_w >= 0.85 * full_w - 1.0)
        assert given_w[0] == pytest.approx(full_w[0], abs=1e-3)
        assert np.array_equal(given_w > 0.0, flow.live[row])
