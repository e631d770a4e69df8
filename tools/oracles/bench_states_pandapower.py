"""Run and time pandapower on the states: ``python -m tools.oracles.bench_states_pandapower``.

Records the voltages of every state, at a power tolerance of 1e-10 MVA, and prints the time of a
state with the default call and with what speeds it up without changing the answer.
"""

from __future__ import annotations

import time
from typing import Any

import numpy as np
import pandapower as pp
from numpy.typing import NDArray

from tests.oracles.networks import Network, States, read_network, read_states
from tools.oracles.pandapower_net import build
from tools.oracles.tables import COLUMNS, DATA, today, write

FOLDER = "network_190"
REPEATS = 2


def run(network: Network, states: States, **options: Any) -> NDArray[np.float64]:
    """Return the voltage magnitudes by bus and state."""
    net = build(network)
    loads = [network.bus_index[load.bus] for load in network.loads]
    lines = len(network.branches)
    voltage = np.empty((len(network.buses), len(states.names)))
    for s in range(len(states.names)):
        net.load["p_mw"] = states.p_w[loads, s] / 1e6
        net.load["q_mvar"] = states.q_var[loads, s] / 1e6
        net.line["in_service"] = states.in_service[:lines, s]
        net.trafo["in_service"] = states.in_service[lines:, s]
        pp.runpp(net, **options)
        voltage[:, s] = net.res_bus["vm_pu"].to_numpy()
    return voltage


def milliseconds(network: Network, states: States, **options: Any) -> float:
    """Return the best processor time of a state over a few runs of all of them."""
    best = np.inf
    for _ in range(REPEATS):
        start = time.process_time()
        run(network, states, **options)
        best = min(best, time.process_time() - start)
    return 1e3 * best / len(states.names)


def main() -> None:
    """Record the voltages, then time."""
    network = read_network(FOLDER)
    states = read_states(FOLDER, network)
    voltage = run(network, states, tolerance_mva=1e-10)
    cells = (
        [bus.id, *("" if np.isnan(v) else f"{v:.12f}" for v in row)]
        for bus, row in zip(network.buses, voltage, strict=True)
    )
    write(DATA / FOLDER / "voltage_pu.csv.gz", ["bus", *states.names], cells)
    write(
        DATA / FOLDER / "recorded.csv",
        COLUMNS["recorded"],
        [
            (
                "pandapower",
                pp.__version__,
                today(),
                "voltage_pu.csv.gz: Newton-Raphson, tolerance 1e-10 MVA",
            )
        ],
    )
    print(f"pandapower {pp.__version__}, {len(states.names)} states, {len(network.buses)} buses")
    quick = {"calculate_voltage_angles": False, "only_v_results": True}
    for name, options in {"runpp(net)": {}, "runpp, voltages only": quick}.items():
        print(f"{name}: {milliseconds(network, states, **options):.2f} ms per state")


if __name__ == "__main__":
    main()
