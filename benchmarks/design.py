"""What a design costs: in process, at 100,000 GPUs, and as a command.

Run with ``python -m benchmarks.design`` from the project folder.
"""

from __future__ import annotations

import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

from facility.files.project.file import default_project, parse_project
from facility.files.workbook.book import workbook_bytes
from facility.study.design.design import design

_SITE = """\
schema_version: 1
it: {gpu_model: H100 SXM5, gpus: 100000}
power: {redundancy: 3N/2}
cooling: {method: air}
"""

_OPEN = "schema_version: 1\nit: {{gpu_model: H100 SXM5, gpus: {gpus}}}\n"


def median_s(call: Callable[[], object], runs: int = 7) -> float:
    """Return the median time of `runs` calls in seconds."""
    times = []
    for _ in range(runs):
        start = time.perf_counter()
        call()
        times.append(time.perf_counter() - start)
    return statistics.median(times)


def processor_s(text: str, calls: int = 3) -> list[float]:
    """Return the processor time of each of the first calls of a design in seconds."""
    project, times = parse_project(text), []
    for _ in range(calls):
        start = time.process_time()
        design(project)
        times.append(time.process_time() - start)
    return times


_FIRST = """\
import facility, time
facility.design(facility.default_project())
print(time.process_time())
"""


def first_s(runs: int = 7) -> float:
    """Return the least processor time in which a new process reaches its first design."""
    command = [sys.executable, "-c", _FIRST]
    runs_of = (subprocess.run(command, check=True, capture_output=True) for _ in range(runs))
    return min(float(one.stdout) for one in runs_of)


def command_s(*arguments: str) -> float:
    """Return the median time of the command line as a whole process in seconds."""
    command = [str(Path(sys.executable).with_name("facility")), *arguments]
    return median_s(lambda: subprocess.run(command, check=True, capture_output=True))


def main() -> None:
    """Print the table of design times."""
    reference, site = default_project(), parse_project(_SITE)
    found = design(reference)
    rows = [
        ("first design of a process, processor", first_s()),
        ("design of h100-10k, in process", median_s(lambda: design(reference))),
        ("design of 100,000 GPUs, in process", median_s(lambda: design(site))),
    ]
    peak_mb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    rows += [
        ("workbook of h100-10k, bytes", median_s(lambda: workbook_bytes(found), runs=3)),
        ("facility --help, process", command_s("--help")),
        ("facility --version, process", command_s("--version")),
        ("facility design --json, process", command_s("design", "--json")),
    ]
    for name, seconds in rows:
        print(f"{name:40s} {seconds:8.3f} s")
    for gpus in (256, 4608, 100_000):
        times = processor_s(_OPEN.format(gpus=gpus))
        listed = ", ".join(f"{one:.2f}" for one in times)
        print(f"{gpus:7,} GPUs, all else open, processor time by call: {listed} s")
    print(f"{'peak memory after the 100,000-GPU design':40s} {peak_mb:8.0f} MB")


if __name__ == "__main__":
    main()
