"""Annual study and dynamic load of a design: run time and memory."""

from __future__ import annotations

import time
import tracemalloc
from collections.abc import Callable

from facility.core.reference import reference_path
from facility.files.project.file import load_project
from facility.study.annual.study import annual
from facility.study.design.design import design
from facility.study.transient.load.study import load_motion

PROJECTS = ("h100-10k", "dgx-su-32", "nvl72-hall", "mixed-hall")
_TIMES = 15


def _least_s(run: Callable[[], object]) -> float:
    taken = []
    for _ in range(_TIMES):
        start = time.process_time()
        run()
        taken.append(time.process_time() - start)
    return min(taken)


def main() -> None:
    """Print processor time of year and load profile, and the memory of a year, by project."""
    print("project        year, ms   memory, MB   dynamic load, ms")
    for name in PROJECTS:
        found = design(load_project(reference_path("projects", f"{name}.yaml")))
        annual(found)
        least_s = _least_s(lambda found=found: annual(found))  # type: ignore[misc]
        tracemalloc.start()
        annual(found)
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        moved_s = _least_s(lambda found=found: load_motion(found))  # type: ignore[misc]
        times = f"{least_s * 1e3:8.1f}   {peak / 1e6:10.1f}   {moved_s * 1e3:19.1f}"
        print(f"{name:<14} {times}")


if __name__ == "__main__":
    main()
