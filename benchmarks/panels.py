"""Phase balancing of seeded panels: ours against greedy longest-first, objective by objective.

Run with ``python -m benchmarks.panels`` from the project folder. The instances are the first that
``numpy.random.default_rng(0)`` gives; nothing here is asserted.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from facility.power.balance import BalanceResult, balance
from facility.power.panel_currents import panel_loads
from facility.power.panel_model import Circuit, Panel
from facility.power.panel_place import place
from facility.power.panel_problem import Objective, line_parts

SIZES = ((20, 6, 2, 42), (30, 0, 0, 42), (10, 8, 4, 42), (40, 10, 6, 84))
SEEDED_PANELS = 500


@dataclass(frozen=True)
class Outcome:
    """Largest phase over the mean less one, by greedy and by ours, and the time of ours."""

    greedy: float
    ours: float
    gap: float
    seconds: float


def instance(ones: int, twos: int, threes: int, poles: int, rng: np.random.Generator) -> Panel:
    """Return a 208Y/120 panel of loads not placed yet, power factor 1."""
    ranges = ((1, ones, 500.0, 4000.0), (2, twos, 2000.0, 8000.0), (3, threes, 5000.0, 17000.0))
    circuits = []
    for pole_count, number, low_va, high_va in ranges:
        for load_va in rng.uniform(low_va, high_va, number):
            legs = (complex(load_va),) if pole_count < 3 else (complex(load_va / 3.0),) * 3
            name = f"{pole_count}P-{len(circuits) + 1}"
            connection = "L-L" if pole_count == 2 else "L-N"
            circuits.append(Circuit(name, name, "MISC", pole_count, connection, (legs,)))
    return Panel(
        tag=f"{ones}/{twos}/{threes}", side="", hall="", system="208Y/120", v_ll=208.0,
        poles=poles, bus_a=400.0, main_a=None, listed_100=False, fed_from="", paired=(),
        numbering="US", states=("normal",), circuits=tuple(circuits),
    )  # fmt: skip


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
    return place(panel, dict(sorted(any_start.items())))


def excess(panel: Panel, objective: Objective) -> float:
    """Return the largest phase over the mean, less one."""
    load = panel_loads(panel)[0]
    values = load.phase_va if objective == "va" else load.line_a
    return max(values) / (sum(values) / 3.0) - 1.0


def compare(panel: Panel, objective: Objective) -> Outcome:
    """Return greedy and ours on one panel."""
    start = time.perf_counter()
    found: BalanceResult = balance(panel, objective)
    seconds = time.perf_counter() - start
    return Outcome(
        excess(greedy(panel, objective), objective),
        excess(found.panel, objective),
        found.gap,
        seconds,
    )


def rows(objective: Objective) -> Iterator[tuple[str, Outcome]]:
    """Yield the instances of `SIZES` by name."""
    rng = np.random.default_rng(0)
    for ones, twos, threes, poles in SIZES:
        panel = instance(ones, twos, threes, poles, rng)
        yield f"{panel.tag} in {poles}", compare(panel, objective)


def main() -> None:
    """Print the comparison, and the time of many differently seeded panels."""
    objectives: tuple[Objective, ...] = ("va", "current")
    for objective in objectives:
        print(f"objective {objective}: largest phase over the mean")
        for name, outcome in rows(objective):
            print(
                f"  {name:16s} greedy {outcome.greedy:8.4%}  ours {outcome.ours:8.4%}  "
                f"gap to bound {outcome.gap:8.4%}  {outcome.seconds:5.2f} s"
            )
    start = time.perf_counter()
    worst = 0.0
    for seed in range(SEEDED_PANELS):
        panel = instance(20, 6, 2, 42, np.random.default_rng(seed))
        worst = max(worst, balance(panel, "va", kicks=60).gap)
    print(
        f"{SEEDED_PANELS} panels of 20/6/2, 60 kicks each: {time.perf_counter() - start:.1f} s, "
        f"worst gap to bound {worst:.4%}"
    )


if __name__ == "__main__":
    main()
