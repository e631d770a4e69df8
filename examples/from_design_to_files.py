"""From a few lines to files an engineer can review: design, question, change, export, verify.

Run with ``python examples/from_design_to_files.py FOLDER``; it writes a workbook, the lists for
the site and the one-line diagram into the folder.
"""

from __future__ import annotations

import sys
from pathlib import Path

import facility

PROJECT = """\
schema_version: 1
project: {name: pilot}
it: {gpu_model: H100 SXM5, gpus: 128}
power: {redundancy: 2N}
cooling: {method: air}
"""


def main(folder: Path) -> None:
    """Design the pilot, change two things of it, and write its files into `folder`."""
    project = facility.project(PROJECT).with_(
        {"site.tariff": "0.08 USD/kWh", "cooling.supply_air": facility.quantity(22, "degC")}
    )
    design = facility.design(project)
    print(design)
    print(facility.explain(design, "ups.module_rating"))

    outages = facility.failures(design)
    print(outages, "fault tolerant:", outages.fault_tolerant.holds)

    panel = design.panels.panels[0]
    print(facility.balance(panel, exact=True))

    (workbook,) = facility.export(design, folder / "pilot.xlsx", force=True)
    facility.export(design, folder / "pilot-lists.xlsx", "lists", force=True)
    facility.export(design, folder / "pilot.svg", "one-line", force=True)
    print(*facility.verify(workbook).lines())


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path())
