"""Every study of a project, as `facility check` runs them: processor time of each.

Run with ``python -m benchmarks.checks`` from the project folder. Nothing here is asserted.
"""

from __future__ import annotations

import time
from collections.abc import Callable

from facility import load_project
from facility.core.reference import reference_path
from facility.files.project.file import parse_project
from facility.model.inputs.document import Project
from facility.study.design.design import Design, design

_OWN = """
schema_version: 1
project: {{name: own}}
site: {{station: ashburn}}
it: {{gpus: {gpus}, gpu_model: H100 SXM5}}
power: {{redundancy: 2N}}
cooling: {{method: air}}
"""
SIZES = (10_000, 25_000, 50_000, 100_000)


def measure(name: str, project: Project) -> None:
    """Print the processor time of each study of a project [s]."""
    start = time.process_time()
    found = design(project)
    used = [f"design {time.process_time() - start:.2f}"]
    studies: dict[str, Callable[[Design], object]] = {
        "distribution": lambda one: one.distribution,
        "outages": lambda one: one.outages,
        "ride-through": lambda one: one.ride_through,
        "checks": lambda one: one.checks,
    }
    for title, study in studies.items():
        begun = time.process_time()
        study(found)
        used.append(f"{title} {time.process_time() - begun:.2f}")
    print(f"{name}: {', '.join(used)}; all {time.process_time() - start:.2f} s")


def main() -> None:
    """Print the times."""
    measure("h100-10k", load_project(reference_path("projects", "h100-10k.yaml")))
    for gpus in SIZES:
        measure(f"{gpus:,} GPUs, 2N", parse_project(_OWN.format(gpus=gpus), "own"))


if __name__ == "__main__":
    main()
