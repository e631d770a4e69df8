"""Run and time OpenDSS on the states: ``python -m tools.oracles.bench_states_opendss``.

The network is three-phase with all windings in grounded wye; each state sets the loads, opens what
is out at its supply end, solves, and reads the voltage magnitudes. The voltages are compared with
those recorded.
"""

from __future__ import annotations

import time

import numpy as np
from numpy.typing import NDArray
from opendssdirect import dss

from tests.oracles.networks import Network, States, read_network, read_recorded, read_states

FOLDER = "network_190"
REPEATS = 3
_SQRT3 = 3.0**0.5


def build(network: Network) -> None:
    """Make the circuit; the sources have no impedance to speak of."""
    kv = {bus.id: bus.nominal_kv for bus in network.buses}
    dss.Text.Command("clear")
    kind = "new circuit.feeder"
    for bus in network.buses:
        if bus.source_pu is not None:
            dss.Text.Command(
                f"{kind} bus1={bus.id} basekv={bus.nominal_kv} pu={bus.source_pu} "
                "r1=1e-9 x1=1e-9 r0=1e-9 x0=1e-9"
            )
            kind = "new vsource.second"
    for b in network.branches:
        dss.Text.Command(
            f"new line.{b.id} bus1={b.from_bus} bus2={b.to_bus} length=1 r1={b.r_ohm} x1={b.x_ohm} "
            f"r0={b.r_ohm} x0={b.x_ohm} c1=0 c0=0"
        )
    for t in network.transformers:
        x_percent = (t.vk_percent**2 - t.vkr_percent**2) ** 0.5
        dss.Text.Command(
            f"new transformer.{t.id} windings=2 buses=[{t.from_bus} {t.to_bus}] conns=[wye wye] "
            f"kvs=[{kv[t.from_bus]} {kv[t.to_bus]}] kvas=[{t.sn_kva} {t.sn_kva}] "
            f"%loadloss={t.vkr_percent} xhl={x_percent} "
            f"%noloadloss={100.0 * t.pfe_kw / t.sn_kva} %imag={t.i0_percent} ppm_antifloat=0"
        )
    for load in network.loads:
        dss.Text.Command(
            f"new load.{load.bus} bus1={load.bus} kv={kv[load.bus]} model=1 vminpu=0.1 vmaxpu=2 "
            f"kw={load.p_kw} kvar={load.q_kvar}"
        )
    bases = sorted({bus.nominal_kv for bus in network.buses})
    dss.Text.Command(f"set voltagebases={bases}")
    dss.Text.Command("calcvoltagebases")
    dss.Text.Command("set tolerance=1e-9")
    dss.Text.Command("set maxiterations=100")


def set_state(network: Network, states: States, s: int, before: int | None) -> None:
    """Set the loads of state `s`, close what was open before and open what is out now."""
    rows = [network.bus_index[load.bus] for load in network.loads]
    more = dss.Loads.First()
    for p_w, q_var in zip(
        states.p_w[rows, s].tolist(), states.q_var[rows, s].tolist(), strict=True
    ):
        assert more
        dss.Loads.kW(p_w / 1e3)
        dss.Loads.kvar(q_var / 1e3)
        more = dss.Loads.Next()
    branches = {branch.id for branch in network.branches}
    for outages, verb in (
        (states.outages[before] if before is not None else (), "close"),
        (states.outages[s], "open"),
    ):
        for element in outages:
            kind = "line" if element in branches else "transformer"
            dss.Text.Command(f"{verb} {kind}.{element} term=1")


def run(network: Network, states: States) -> tuple[NDArray[np.float64], float, float]:
    """Return voltage magnitudes by bus and state [pu], and the seconds in all and in solving."""
    build(network)
    dss.Solution.Solve()
    order = [name.upper() for name in dss.Circuit.AllNodeNames()]
    first = [order.index(f"{bus.id.upper()}.1") for bus in network.buses]
    voltage = np.empty((len(network.buses), len(states.names)))
    solving, begin = 0.0, time.process_time()
    for s in range(len(states.names)):
        set_state(network, states, s, s - 1 if s else None)
        start = time.process_time()
        dss.Solution.Solve()
        solving += time.process_time() - start
        if not dss.Solution.Converged():
            raise RuntimeError(f"{states.names[s]} did not converge")
        voltage[:, s] = np.asarray(dss.Circuit.AllBusMagPu())[first]
    return voltage, time.process_time() - begin, solving


def main() -> None:
    """Compare, then time."""
    network = read_network(FOLDER)
    states = read_states(FOLDER, network)
    recorded = read_recorded(FOLDER, network, states)
    runs = [run(network, states) for _ in range(REPEATS)]
    voltage = runs[0][0]
    alive = ~np.isnan(recorded.voltage_pu)
    worst = np.abs(voltage - recorded.voltage_pu)[alive].max()
    print(f"{dss.Basic.Version().splitlines()[0]}, {len(states.names)} states")
    print(
        f"largest difference from {recorded.solver}: {worst:.1e} pu; "
        f"at dead buses {voltage[~alive].max():.1e} pu"
    )
    whole, solving = (min(found[i] for found in runs) / len(states.names) for i in (1, 2))
    print(f"{1e3 * whole:.2f} ms per state, of which {1e3 * solving:.2f} ms in solving")


if __name__ == "__main__":
    main()
