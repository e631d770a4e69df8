"""The year of a design: time of the hours after the design, and the memory they take."""

from __future__ import annotations

import time
import tracemalloc
from collections.abc import Callable

from facility.core.reference import reference_path
from facility.files.project.file import load_project
from facility.study.annual.study import annual
from facility.study.design.design import design

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
    """Print processor time and memory of the year of each reference project."""
    print("project        year, ms   memory, MB")
    for name in PROJECTS:
        found = design(load_project(reference_path("projects", f"{name}.yaml")))
        annual(found)
        least_s = _least_s(lambda found=found: annual(found))  # type: ignore[misc]
        tracemalloc.start()
        annual(found)
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        print(f"{name:<14} {least_s * 1e3:8.1f}   {peak / 1e6:8.1f}")


if __name__ == "__main__":
    main()
