"""Balance the seeded panels with OR-Tools CP-SAT: ``python -m tools.oracles.balance_ortools``.

The start phase of each load is decided, in steps of 0.01 VA, so that the largest phase is least.
Positions are not decided: the panel only has to hold as many poles of each phase as are used.
Prints the largest phase over the mean, two workers and one second for each panel; writes nothing.
"""

from __future__ import annotations

import sys
import time

from ortools.sat.python import cp_model

from benchmarks.panel_instances import Loads, seeded

WORKERS = 2
STEPS_PER_VA = 100.0


def largest_phase(poles: int, loads: Loads, seconds: float) -> tuple[float, str]:
    """Return the largest phase found over the mean, less one, and how the search ended."""
    model = cp_model.CpModel()
    starts = [[model.new_bool_var("") for _ in range(3)] for _ in loads]
    va: list[list[cp_model.LinearExprT]] = [[], [], []]
    used: list[list[cp_model.LinearExprT]] = [[], [], []]
    for (pole_count, load_va), choice in zip(loads, starts, strict=True):
        model.add_exactly_one(choice)
        for start, chosen in enumerate(choice):
            for pole in range(pole_count):
                va[(start + pole) % 3].append(round(STEPS_PER_VA * load_va / pole_count) * chosen)
                used[(start + pole) % 3].append(chosen)
    most = round(STEPS_PER_VA * sum(load_va for _, load_va in loads))
    peak = model.new_int_var(0, most, "")
    for phase in range(3):
        model.add(sum(va[phase]) <= peak)
        model.add(sum(used[phase]) <= poles // 3)
    model.minimize(peak)
    solver = cp_model.CpSolver()
    solver.parameters.max_time_in_seconds = seconds
    solver.parameters.num_workers = WORKERS
    status = solver.solve(model)
    phases = [0.0, 0.0, 0.0]
    for (pole_count, load_va), choice in zip(loads, starts, strict=True):
        start = next(p for p in range(3) if solver.boolean_value(choice[p]))
        for pole in range(pole_count):
            phases[(start + pole) % 3] += load_va / pole_count
    return max(phases) / (sum(phases) / 3.0) - 1.0, solver.status_name(status)


def main() -> None:
    """Print one line for each panel; the argument is the time for each, 1 s without it."""
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 1.0
    for name, poles, loads in seeded():
        start = time.perf_counter()
        excess, status = largest_phase(poles, loads, seconds)
        print(f"{name:16s} {excess:9.4%}  {time.perf_counter() - start:5.2f} s  {status}")


if __name__ == "__main__":
    main()
