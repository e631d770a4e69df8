"""Phase balancing of seeded panels: ours, greedy longest-first, and CP-SAT of OR-Tools.

Run with ``python -m benchmarks.panels`` from the project folder. The instances are the first that
``numpy.random.default_rng(0)`` gives; nothing here is asserted. OR-Tools solves the same instances
by ``tools/oracles/balance_ortools.py`` if its environment is in ``.oracles/ortools``.
"""

from __future__ import annotations

import resource
import subprocess
import sys
import time
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from benchmarks.panel_instances import SIZES, Loads, loads, seeded
from facility.power.panels.balance.lines import Objective, line_parts
from facility.power.panels.balance.one_panel import balance
from facility.power.panels.balance.positions import position_circuits
from facility.power.panels.board.currents import panel_loads
from facility.power.panels.board.model import Circuit, Panel

SEEDED_PANELS = 500
WORKERS = 2
CP_SAT = Path(".oracles/ortools/bin/python")
ROUGH_KICKS = 60
ROUGH_NODES = 200


@dataclass(frozen=True)
class Outcome:
    """Largest phase over the mean less one, by objective and by current; gap, end, time."""

    excess: float
    excess_current: float
    gap: float
    status: str
    seconds: float


def panel_of(tag: str, poles: int, drawn: Loads) -> Panel:
    """Return a 208Y/120 panel of loads not placed yet, power factor 1."""
    circuits = []
    for number, (pole_count, load_va) in enumerate(drawn, start=1):
        legs = (complex(load_va),) if pole_count < 3 else (complex(load_va / 3.0),) * 3
        name = f"{pole_count}P-{number}"
        connection = "L-L" if pole_count == 2 else "L-N"
        circuits.append(Circuit(name, name, "MISC", pole_count, connection, (legs,)))
    return Panel(
        tag=tag,
        side="",
        hall="",
        system="208Y/120",
        v_ll=208.0,
        poles=poles,
        bus_a=400.0,
        main_a=None,
        listed_100=False,
        fed_from="",
        paired=(),
        numbering="US",
        states=("normal",),
        circuits=tuple(circuits),
    )


def instance(ones: int, twos: int, threes: int, poles: int, rng: np.random.Generator) -> Panel:
    """Return the panel of the next loads of `rng`."""
    return panel_of(f"{ones}/{twos}/{threes}", poles, loads(ones, twos, threes, rng))


def greedy(panel: Panel, objective: Objective) -> Panel:
    """Return `panel` filled longest first: each load on the phase that is least loaded then."""
    parts = [
        np.stack([line_parts(circuit, start, panel, objective) for start in range(3)])
        for circuit in panel.circuits
    ]
    lines = np.zeros((1, 3), dtype=np.complex128)
    starts: dict[int, int] = {}
    for index in sorted(range(len(parts)), key=lambda i: -float(np.abs(parts[i]).max())):
        peaks = np.abs(lines + parts[index]).max(axis=(1, 2))
        starts[index] = int(peaks.argmin())
        lines = lines + parts[index][starts[index]]
    any_start = {i: 3 if panel.circuits[i].poles == 3 else s for i, s in starts.items()}
    return position_circuits(panel, dict(sorted(any_start.items())))


def excess(panel: Panel, objective: Objective) -> float:
    """Return the largest phase over the mean, less one."""
    load = panel_loads(panel)[0]
    values = load.phase_va if objective == "va" else load.line_a
    return max(values) / (sum(values) / 3.0) - 1.0


def ours(panel: Panel, objective: Objective, *, exact: bool) -> Outcome:
    """Return what balancing one panel gave, and the processor time it took."""
    start = time.process_time()
    found = balance(panel, objective, exact=exact)
    seconds = time.process_time() - start
    return Outcome(
        excess(found.panel, objective),
        excess(found.panel, "current"),
        found.gap,
        found.status,
        seconds,
    )


def one_of_many(seed: int) -> tuple[float, str]:
    """Return the gap to the bound, and how the search ended, of one panel with a separate seed."""
    panel = instance(*SIZES[0], np.random.default_rng(seed))
    found = balance(panel, "va", kicks=ROUGH_KICKS, exact=True, gap=2e-4, nodes=ROUGH_NODES)
    return found.gap, found.status


def many() -> None:
    """Print the time of many differently seeded panels, with a progress line."""
    start, before = time.perf_counter(), _children_s()
    gaps, ends = [], Counter[str]()
    with ProcessPoolExecutor(WORKERS) as pool:
        for gap, status in pool.map(one_of_many, range(SEEDED_PANELS), chunksize=5):
            gaps.append(gap)
            ends[status] += 1
            if len(gaps) % 10 == 0:
                sys.stderr.write(f"\r{len(gaps)} of {SEEDED_PANELS} panels")
    sys.stderr.write("\n")
    peak_mib = max(
        resource.getrusage(who).ru_maxrss / 1024.0
        for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    )
    print(
        f"{SEEDED_PANELS} panels of 20/6/2, {ROUGH_KICKS} kicks, then at most {ROUGH_NODES} nodes "
        f"to 0.02 %, {WORKERS} processes: {time.perf_counter() - start:.1f} s by the clock, "
        f"{_children_s() - before:.1f} s of processor, worst gap to bound "
        f"{max(gaps):.4%}, {dict(sorted(ends.items()))}; largest process {peak_mib:.0f} MiB"
    )


def _children_s() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def cp_sat() -> None:
    """Print what CP-SAT finds for the objective ``va``, in a separate environment."""
    print("CP-SAT, objective va, two workers, 1 s each:", flush=True)
    if CP_SAT.exists():
        subprocess.run([CP_SAT, "-m", "tools.oracles.balance_ortools"], check=True)
    else:
        print(f"  not run: {CP_SAT} is missing; make .oracles/ortools/.installed builds it")


def main() -> None:
    """Print the comparison, then the many panels."""
    objectives: tuple[Objective, ...] = ("va", "current")
    for objective in objectives:
        print(f"objective {objective}: largest phase over the mean")
        for name, poles, drawn in seeded():
            panel = panel_of(name, poles, drawn)
            first = greedy(panel, objective)
            print(
                f"  {name:16s} greedy {excess(first, objective):9.4%}  current "
                f"{excess(first, 'current'):8.4%}"
            )
            for exact in (False, True):
                found = ours(panel, objective, exact=exact)
                print(
                    f"  {'':16s} {'exact ' if exact else 'kicks '} {found.excess:9.4%}  current "
                    f"{found.excess_current:8.4%}  gap to bound {found.gap:9.5%}  "
                    f"{found.seconds:5.2f} s  {found.status}"
                )
    many()
    cp_sat()


if __name__ == "__main__":
    main()
