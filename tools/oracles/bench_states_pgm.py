"""Time power-grid-model on the states: ``python -m tools.oracles.bench_states_pgm``.

One batch of all states, columnar: the loads and what is in service by state go in, voltages,
currents, loadings and powers come as by ``python -m benchmarks.states``, which runs this where
the environment stands. Transformers are grounded wye on both sides. The voltages are compared with
those recorded. Prints ``phases,method,ms by the clock,ms of processor,difference in pu``, times
those of a state in the best run on all processors.
"""

from __future__ import annotations

import time
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray
from power_grid_model import PowerGridModel, initialize_array

from tests.oracles.networks import (
    Branch,
    Network,
    States,
    Transformer,
    read_network,
    read_recorded,
    read_states,
)

FOLDER = "network_190"
REPEATS = 5
TOLERANCE = 1e-9
METHODS = ("newton_raphson", "iterative_current")
_OUT = {
    "node": ["u_pu", "u_angle"],
    "line": ["i_from", "loading", "p_from", "p_to"],
    "transformer": ["i_from", "loading", "p_from", "p_to"],
}
_STIFF_VA, _WYE_N = 1e20, 1


def _table(name: str, columns: dict[str, Any]) -> NDArray[Any]:
    table = initialize_array("input", name, len(columns["id"]))
    for column, values in columns.items():
        table[column] = values
    return table


def _branches(network: Network, of: tuple[Branch, ...] | tuple[Transformer, ...]) -> dict[str, Any]:
    index = network.bus_index
    return {
        "from_node": [index[one.from_bus] for one in of],
        "to_node": [index[one.to_bus] for one in of],
        "from_status": 1,
        "to_status": 1,
    }


def build(network: Network) -> PowerGridModel:
    """Return the network; ids are those of buses, then elements, loads and sources."""
    kv, index = {bus.id: bus.nominal_kv for bus in network.buses}, network.bus_index
    lines, units, loads = network.branches, network.transformers, network.loads
    sources = [bus for bus in network.buses if bus.source_pu is not None]
    first = np.cumsum([len(kv), len(lines), len(units), len(loads), len(sources)])
    r_ohm, x_ohm = [one.r_ohm for one in lines], [one.x_ohm for one in lines]
    nothing = dict.fromkeys(("c1", "tan1", "c0", "tan0"), 0.0)
    columns: dict[str, dict[str, Any]] = {
        "node": {"id": range(first[0]), "u_rated": [1e3 * one for one in kv.values()]},
        "line": {
            "id": range(first[0], first[1]),
            **_branches(network, lines),
            **{"r1": r_ohm, "r0": r_ohm, "x1": x_ohm, "x0": x_ohm, **nothing},
            "i_n": [one.rating_a for one in lines],
        },
        "transformer": {
            "id": range(first[1], first[2]),
            **_branches(network, units),
            "u1": [1e3 * kv[one.from_bus] for one in units],
            "u2": [1e3 * kv[one.to_bus] for one in units],
            "sn": [1e3 * one.sn_kva for one in units],
            "uk": [one.vk_percent / 100.0 for one in units],
            "pk": [one.vkr_percent / 100.0 * 1e3 * one.sn_kva for one in units],
            "i0": [one.i0_percent / 100.0 for one in units],
            "p0": [1e3 * one.pfe_kw for one in units],
            **dict.fromkeys(("winding_from", "winding_to"), _WYE_N),
            **dict.fromkeys(("clock", "tap_side", "tap_pos", "tap_min", "tap_max", "tap_size"), 0),
        },
        "sym_load": {
            "id": range(first[2], first[3]),
            "node": [index[one.bus] for one in loads],
            **{"status": 1, "type": 0, "p_specified": 0.0, "q_specified": 0.0},
        },
        "source": {
            "id": range(first[3], first[4]),
            "node": [index[bus.id] for bus in sources],
            "u_ref": [bus.source_pu for bus in sources],
            **{"status": 1, "sk": _STIFF_VA},
        },
    }
    return PowerGridModel({name: _table(name, found) for name, found in columns.items()})


def batch(network: Network, states: States) -> dict[str, dict[str, NDArray[Any]]]:
    """Return loads and switching of all states, by component and attribute."""
    rows = [network.bus_index[load.bus] for load in network.loads]
    lines = len(network.branches)
    closed = states.in_service.T.astype(np.int8)
    status = {"line": closed[:, :lines], "transformer": closed[:, lines:]}
    switched = {
        name: {end: np.ascontiguousarray(of) for end in ("from_status", "to_status")}
        for name, of in status.items()
    }
    power = {"p_specified": states.p_w, "q_specified": states.q_var}
    loads = {name: np.ascontiguousarray(of[rows].T) for name, of in power.items()}
    return {"sym_load": loads, **switched}


def main() -> None:
    """Time each method, one phase and three, and compare."""
    network = read_network(FOLDER)
    states = read_states(FOLDER, network)
    recorded = read_recorded(FOLDER, network, states)
    model, changes = build(network), batch(network, states)
    alive = ~np.isnan(recorded.voltage_pu)
    for phases, method in product((1, 3), METHODS):
        taken = []
        for _ in range(REPEATS):
            start, used = time.perf_counter(), time.process_time()
            found = model.calculate_power_flow(
                symmetric=phases == 1,
                error_tolerance=TOLERANCE,
                calculation_method=method,
                update_data=changes,
                threading=0,
                output_component_types=_OUT,
            )
            taken.append((time.perf_counter() - start, time.process_time() - used))
        voltage = found["node"]["u_pu"].reshape(len(states.names), len(network.buses), phases)
        worst = np.abs(voltage[..., 0].T - recorded.voltage_pu)[alive].max()
        wall, processor = (1e3 * min(each) / len(states.names) for each in zip(*taken, strict=True))
        print(f"{phases},{method},{wall:.4f},{processor:.4f},{worst:.1e}")


if __name__ == "__main__":
    main()
