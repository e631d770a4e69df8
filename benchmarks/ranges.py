"""The year over ranges: time of a run, of its samples, and the memory that they take."""

from __future__ import annotations

import time
import tracemalloc

from facility.core.reference import reference_path
from facility.files.project.file import load_project
from facility.study.design.design import design
from facility.study.ranges.draw import Method
from facility.study.ranges.study import ranges

ROWS = {
    "site.tariff": "0.04 .. 0.06 USD/kWh",
    "it.load_factor": "normal(80 %, 4 %)",
    "cooling.supply_air": "23 .. 26 degC",
    "cooling.plant.chilled_water_supply": "17 .. 19 degC",
    "cooling.plant.pump.efficiency": "triangular(55, 65, 75 %)",
    "power.distribution.feeder_loss": "0.3 .. 1 %",
}
CASES: tuple[tuple[Method, int], ...] = (("lhs", 1000), ("mc", 1000), ("sobol", 128))


def main() -> None:
    """Print processor time and memory of the samples of h100-10k, six inputs spread."""
    project = load_project(reference_path("projects", "h100-10k.yaml"))
    rows = [{"field": field, "range": text} for field, text in ROWS.items()]
    found = design(project.with_({"ranges": rows}))
    ranges(found, samples=2)
    print("method    years   time, s   ms a year")
    for method, samples in CASES:
        start = time.process_time()
        study = ranges(found, samples=samples, method=method)
        taken_s, years = time.process_time() - start, study.samples + 2 * len(study.inputs)
        print(f"{method:<8} {years:6,} {taken_s:9.1f} {taken_s / years * 1e3:11.1f}")
    tracemalloc.start()
    ranges(found, samples=100)
    _, peak = tracemalloc.get_traced_memory()
    print(f"memory of 100 samples beyond the design: {peak / 1e6:.0f} MB")


if __name__ == "__main__":
    main()
