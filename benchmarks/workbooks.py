"""Export of many panels, split into workbooks by room and side: time and memory, nothing asserted.

Run with ``python -m benchmarks.workbooks`` from the project folder. The panels of a hall are
repeated under new tags until there are 500: of 42 poles (21 rows) and 84 (42 rows) filled with
3-pole circuits, and of 84 poles filled with single-pole ones.
"""

from __future__ import annotations

import resource
import tempfile
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from facility.core.reference import reference_path
from facility.files.project.file import load_project
from facility.files.workbook.split import write_split
from facility.power.panels.board.model import Circuit, Panel
from facility.study.design.design import Design, design

PANELS = 500
HALLS = 5
CASES = ((42, 3), (84, 3), (84, 1))


def filled(panel: Panel, number: int, poles: int, each: int) -> Panel:
    """Return `panel` under a new tag, filled with circuits of `each` poles (1 or 3)."""
    tag, first = f"P-{number:03d}", panel.circuits[0]
    step = 2 * each
    starts = [step * group + side for group in range(poles // step) for side in (1, 2)]
    return replace(
        panel,
        tag=tag,
        poles=poles,
        hall=f"Hall {number % HALLS + 1}",
        circuits=tuple(_circuit(first, f"{tag}-{at}", at, each) for at in starts),
    )


def _circuit(circuit: Circuit, name: str, position: int, poles: int) -> Circuit:
    placed = replace(circuit, id=name, position=position)
    if poles == circuit.poles:
        return placed
    legs = tuple(power[:poles] for power in circuit.power_va)
    return replace(placed, poles=poles, connection="L-N", power_va=legs)


def large(base: Design, poles: int, each: int) -> Design:
    """Return the design with `PANELS` full panels in `HALLS` halls."""
    first = base.panels.panels[0]
    panels = tuple(filled(first, number, poles, each) for number in range(PANELS))
    found = replace(base, panels=replace(base.panels, panels=panels, lost=(None,) * PANELS))
    vars(found)["distribution"] = base.distribution  # its racks are not connected to these panels
    return found


def rows() -> Iterator[str]:
    """Yield one line per size of panel."""
    base = design(load_project(reference_path("projects", "mixed-hall.yaml")))
    for poles, each in CASES:
        found = large(base, poles, each)
        circuits = sum(len(panel.circuits) for panel in found.panels.panels)
        start, processor = time.perf_counter(), _processor_s()
        with tempfile.TemporaryDirectory() as folder:
            written = write_split(found, Path(folder) / "books")
            size = sum(path.stat().st_size for path in written)
        yield (
            f"{PANELS} panels of {poles} poles, {circuits:,} circuits of {each} poles: "
            f"{len(written)} workbooks, {size / 1e6:.1f} MB, "
            f"{time.perf_counter() - start:.1f} s by the clock, "
            f"{_processor_s() - processor:.1f} s processor, at most {_most_mb(_OWN):.0f} MB "
            f"in this process, {_most_mb(_COPIES):.0f} MB in the largest of its copies"
        )


_OWN, _COPIES = resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN


def _processor_s() -> float:
    used = (resource.getrusage(_OWN), resource.getrusage(_COPIES))
    return sum(one.ru_utime + one.ru_stime for one in used)


def _most_mb(whose: int) -> float:
    return resource.getrusage(whose).ru_maxrss / 1024.0


def main() -> None:
    """Print time and memory."""
    for line in rows():
        print(line)


if __name__ == "__main__":
    main()
