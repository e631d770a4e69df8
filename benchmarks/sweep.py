"""A sweep: processor time of a design with its year and the checks of its sizing, one row each.

``python -m benchmarks.sweep`` makes every 49th of 10,000 designs in this process, and every fifth
of 100 GPU counts that are only sized;
``python -m benchmarks.sweep all`` makes all of them in two processes, by the clock.
"""

from __future__ import annotations

import gc
import sys
import time

from facility.core.reference import reference_path
from facility.files.project.file import load_project, parse_project
from facility.study.sweep.axes import axis_of
from facility.study.sweep.engine import Engine, run_tasks
from facility.study.sweep.plan import Plan, planned, sites_axis

PROJECTS = ("h100-10k", "dgx-su-32")
COMMON = (
    "cooling.supply_air=20..24.5/0.5 degC",
    "cooling.plant.chilled_water_supply=8..12.5/0.5 degC",
    "criteria.growth=0..0.24/0.01",
    "cooling.economizer.kind=none,integrated-water-side",
)
SITES = ("ashburn", "phoenix")
_OPEN = "schema_version: 1\nit: {gpu_model: H100 SXM5, gpus: 4000}\n"
DESIGNS = 10_000
_EVERY = 49
_WARM = 3
_COUNTS = "4000..11920/80"
_COUNTED = 5


def plan_of(name: str) -> Plan:
    """Return the 10,000 designs of a reference project."""
    project = load_project(reference_path("projects", f"{name}.yaml"))
    plan = planned(project, [sites_axis(SITES), *map(axis_of, COMMON)])
    assert len(plan) == DESIGNS
    return plan


def _some(name: str) -> None:
    plan = plan_of(name)
    tasks = [plan.task(number) for number in range(1, DESIGNS + 1, _EVERY)]
    list(run_tasks(plan.job, tasks[:_WARM], Engine()))
    start = time.process_time()
    rows = list(run_tasks(plan.job, tasks, Engine()))
    each_s = (time.process_time() - start) / len(tasks)
    refused = sum(row.cells["status"] != "ok" for row in rows)
    minutes = each_s * DESIGNS / 2 / 60
    print(f"{name:<12} {each_s * 1e3:10.0f} {minutes:26.1f} {refused:5} of {len(tasks)}")


def main() -> None:
    """Print the processor time of a design, and what 10,000 take on two cores."""
    gc.set_threshold(50_000, 20, 20)
    print("project      design, ms   10,000 on two cores, min  refused")
    for name in PROJECTS:
        _some(name)
    counts()


def counts() -> None:
    """Print the processor time of 100 GPU counts, sized only, with and without stated equipment."""
    stated = load_project(reference_path("projects", f"{PROJECTS[0]}.yaml"))
    free = parse_project(_OPEN)
    axis = axis_of(f"it.gpus={_COUNTS}")
    for name, project in (("equipment stated", stated), ("all else open", free)):
        plan = planned(project, [axis], studies=("sizing",))
        tasks = [plan.task(number) for number in range(1, len(plan) + 1, _COUNTED)]
        list(run_tasks(plan.job, tasks[:_WARM], Engine()))
        start = time.process_time()
        list(run_tasks(plan.job, tasks, Engine()))
        each_s = (time.process_time() - start) / len(tasks)
        print(f"100 GPU counts, {name:<17} {each_s * 100:6.1f} s")


def every() -> None:
    """Make all designs of the first project in two processes, and print the time of the clock."""
    plan = plan_of(PROJECTS[0])
    start = time.monotonic()
    count = sum(1 for _ in run_tasks(plan.job, plan.pending(set()), Engine(jobs=2)))
    print(f"{PROJECTS[0]}: {count:,} designs in {(time.monotonic() - start) / 60:.1f} min")


if __name__ == "__main__":
    every() if sys.argv[1:] == ["all"] else main()
