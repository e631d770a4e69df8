"""Power flow of a network over thousands of states, all of them different.

Run with ``python -m benchmarks.states`` from the project folder. Nothing here is asserted. In the
same run power-grid-model solves the states of the 190 buses (``tools/oracles/bench_states_pgm.py``)
where its environment is in ``.oracles/pgm``.
"""

from __future__ import annotations

import resource
import subprocess
import time
from itertools import chain, combinations
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from facility.power.network.flow.solve import compile_network, solve
from facility.power.network.graph.types import Network, Outage
from tests.oracles import networks
from tests.power.network.recorded import bus_network, load_factor, outages
from tests.power.network.schemes import SchemeOptions, scheme_network

RECORDED = "network_190"
OPTIONS = SchemeOptions(racks=1600, racks_per_panel=10, panels_per_pdu=4)
UNEVEN = SchemeOptions(racks=1600, racks_per_panel=10, panels_per_pdu=4, legs=(0.4, 0.35, 0.25))
LOAD_W = 40e6
STATES = 5000
RUNS = 5
PEER = Path(".oracles/pgm/bin/python")


def losses(network: Network, count: int) -> list[Outage]:
    """Return the normal state, every single loss, then pairs drawn without repetition."""
    units = [unit for one in network.equipment for unit in one.unit_tags]
    tags = units + [link.circuit for _, link in network.links if link.circuit]
    pairs = np.random.default_rng(0).permutation(len(units) * (len(units) - 1) // 2)
    listed = list(combinations(units, 2))
    drawn = (listed[n] for n in pairs)
    every = chain([()], ((tag,) for tag in tags), drawn)
    return [Outage(str(n), out) for n, out in zip(range(count), every, strict=False)]


def measure(
    name: str, network: Network, states: list[Outage], factor: NDArray[np.float64] | None = None
) -> tuple[float, float]:
    """Print the best of several runs: time, processor time, and memory so far.

    Returns the milliseconds of a state by the clock and of processor.
    """
    start = time.perf_counter()
    compiled = compile_network(network)
    compiling = time.perf_counter() - start
    wall, processor, rounds = [], [], 0
    for _ in range(RUNS):
        start, used = time.perf_counter(), time.process_time()
        rounds = solve(compiled, states, load_factor=factor).iterations
        wall.append(time.perf_counter() - start)
        processor.append(time.process_time() - used)
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    print(
        f"{name}: {len(network.equipment)} pieces of equipment, {len(network.loads)} loads, "
        f"{sum(1 for _ in network.links)} links, {len(states)} states\n"
        f"  compiled in {compiling:.2f} s; solved in {min(wall):.2f} s "
        f"({min(wall) / len(states) * 1e3:.3f} ms a state), processor {min(processor):.2f} s, "
        f"{rounds} rounds, memory so far {memory:.2f} GiB"
    )
    return 1e3 * min(wall) / len(states), 1e3 * min(processor) / len(states)


def peer(ours: dict[int, tuple[float, float]]) -> None:
    """Print the times of a state of power-grid-model, and their ratio to `ours`, by phases."""
    if not PEER.exists():
        print(f"power-grid-model: {PEER} is missing; make .oracles/pgm/.installed builds it")
        return
    words = [PEER, "-m", "tools.oracles.bench_states_pgm"]
    ran = subprocess.run(words, capture_output=True, text=True, check=True)
    for line in ran.stdout.splitlines():
        phases, method, wall, processor, difference = line.split(",")
        clock, used = ours[int(phases)]
        print(
            f"power-grid-model, {method}, phases {phases}: {wall} ms a state by the clock, "
            f"{processor} of processor: {float(wall) / clock:.2f} and "
            f"{float(processor) / used:.2f} times ours; voltages differ by {difference} pu"
        )


def main() -> None:
    """Print the times."""
    recorded = networks.read_network(RECORDED)
    states = networks.read_states(RECORDED, recorded)
    factor = load_factor(recorded, states)
    ours = {
        phases: measure(
            f"190 buses, phases {phases}",
            bus_network(recorded, balanced=phases == 1),
            outages(states),
            factor,
        )
        for phases in (1, 3)
    }
    peer(ours)
    for options, phases in ((OPTIONS, "one phase"), (UNEVEN, "three phases")):
        network = scheme_network("2N", LOAD_W, options)
        measure(f"2N, {phases}", network, losses(network, STATES))


if __name__ == "__main__":
    main()
