"""Whole halls: the search that counts racks alike, and the engine that names every option.

Run with ``python -m benchmarks.halls`` from the project folder; project files may follow.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

from facility import design, load_project
from facility.power.panels.balance.arrange import arrange
from facility.power.panels.balance.one_panel import largest_line
from facility.power.panels.design.halls import PanelSet
from facility.power.panels.hall.balance import balance_hall
from facility.power.panels.hall.units import take_apart

PROJECTS = Path("reference/projects")
NAMES = ("dgx-su-32", "mixed-hall", "h100-10k")
GROWING = (4, 8, 16, 24)
"""Panels of one feed that the engine is given as a cabinet; more take minutes and gigabytes."""

_COMPLEX_BYTES = 16


def whole(file: Path) -> PanelSet:
    """Print time and result of the search over a hall, and what the engine would hold for it."""
    project = load_project(file)
    made = design(project)
    plan, panels = made.facility.it, made.panels
    names = [hall.name for hall in plan.halls]
    hall = take_apart(plan, panels, names, (), racks_stay=False, keep_pairs=True)
    sites = [sum(other.hall == site.hall for other in hall.sites) for site in hall.sites]
    options = sum(3 * sites[unit.site] for unit in hall.units)
    lines = 3 * len(hall.panels) * len(panels.states)
    start = time.process_time()
    found = balance_hall(plan, panels, made.facility.criteria)
    seconds = time.process_time() - start
    print(
        f"{file.stem:16s} {len(hall.panels):5d} panels {len(hall.units):5d} racks of "
        f"{len({unit.sorts for unit in hall.units})} sorts: {seconds:6.2f} s, "
        f"{found.reached:.1f} A over a bound of {found.bound:.1f} A, {found.status}; "
        f"options by name at least {options:,d}, {options * lines * _COMPLEX_BYTES / 1e9:.2g} GB, "
        f"exchanges {len(hall.units) * (len(hall.units) - 1) // 2:,d}",
        flush=True,
    )
    return panels


def as_cabinet(panels: PanelSet, count: int) -> None:
    """Print the time of one descent of the engine over the first panels of one feed."""
    side = panels.panels[0].side
    some = [panel for panel in panels.panels if panel.side == side][:count]
    start = time.process_time()
    found = arrange(some, "current", 0, (1.0,) * len(some))
    seconds = time.process_time() - start
    reached = max(largest_line(panel, "current") for panel in found.panels)
    print(
        f"  engine, {len(some)} panels of one feed, {sum(len(p.circuits) for p in some)} circuits, "
        f"no kicks: {seconds:.2f} s, {reached:.1f} A",
        flush=True,
    )


def main() -> None:
    """Print the halls, then the engine on more and more panels of the last one."""
    files = [Path(name) for name in sys.argv[1:]] or [PROJECTS / f"{name}.yaml" for name in NAMES]
    for file in files:
        panels = whole(file)
    for count in GROWING:
        as_cabinet(panels, count)


if __name__ == "__main__":
    main()
