"""Export of many panels, split into workbooks by room and side: time and memory, nothing asserted.

Run with ``python -m benchmarks.workbooks`` from the project folder. The panels of a hall are
repeated under new tags until there are 500, filled to 42 poles (21 rows) and to 84 (42 rows).
"""

from __future__ import annotations

import resource
import tempfile
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from facility.core.reference import reference_path
from facility.files.project_file import load_project
from facility.files.workbook_split import write_split
from facility.power.panel_model import Circuit, Panel
from facility.study.design import Design, design

PANELS = 500
HALLS = 5
POLES = (42, 84)


def filled(panel: Panel, number: int, poles: int) -> Panel:
    """Return `panel` under a tag of its own, every position taken by circuits like its first."""
    tag, first = f"P-{number:03d}", panel.circuits[0]
    starts = [6 * group + side for group in range(poles // 6) for side in (1, 2)]
    return replace(
        panel, tag=tag, poles=poles, hall=f"Hall {number % HALLS + 1}",
        circuits=tuple(_circuit(first, f"{tag}-{at}", at) for at in starts),
    )  # fmt: skip


def _circuit(circuit: Circuit, name: str, position: int) -> Circuit:
    return replace(circuit, id=name, position=position)


def large(base: Design, poles: int) -> Design:
    """Return the design with `PANELS` full panels in `HALLS` halls."""
    first = base.panels.panels[0]
    panels = tuple(filled(first, number, poles) for number in range(PANELS))
    found = replace(base, panels=replace(base.panels, panels=panels))
    vars(found)["distribution"] = base.distribution  # its racks do not hang on these panels
    return found


def rows() -> Iterator[str]:
    """Yield one line per size of panel."""
    base = design(load_project(reference_path("projects", "mixed-hall.yaml")))
    for poles in POLES:
        found = large(base, poles)
        start, processor = time.perf_counter(), time.process_time()
        with tempfile.TemporaryDirectory() as folder:
            written = write_split(found, Path(folder) / "books")
            size = sum(path.stat().st_size for path in written)
        memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024.0
        yield (
            f"{PANELS} panels of {poles} poles: {len(written)} workbooks, {size / 1e6:.1f} MB, "
            f"{time.perf_counter() - start:.1f} s by the clock, "
            f"{time.process_time() - processor:.1f} s processor, {memory:.0f} MB at most"
        )


def main() -> None:
    """Print time and memory."""
    for line in rows():
        print(line)


if __name__ == "__main__":
    main()
