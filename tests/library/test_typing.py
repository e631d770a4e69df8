"""What a type checker knows of the library: results and fields by name."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tools.stubs import ROOT, written

USES = """
import facility
from facility import Check, Design, Failures, Project, Results, Value

project: Project = facility.project({"it": {"gpu_model": "H100 SXM5", "gpus": 64}})
design: Design = facility.design(project.with_(it__gpus=128, site__tariff="0.07 USD/kWh"))
results: Results = design.results
load: Value = results.load.it
print(load.to("MW"), results["load.it"], results.load.si.it, results.loop.tcs.flow)
checks: tuple[Check, ...] = design.checks
failures: Failures = facility.failures(design)
print(facility.frames.checks(design), facility.explain(design, "load.it").to_dict())
print(facility.equations.circuits.three_phase_current.si(1e6, 480.0), project.with_({"it.gpus": 8}))
"""
FAULTS = {
    "project.with_(it__gpuzz=5)": "it__gpuzz",
    "results.load.nonsense": "nonsense",
    "results.laod": "laod",
    "facility.desing": "desing",
}


def test_the_stubs_are_those_of_the_declarations() -> None:
    for path, text in written().items():
        assert path.read_text(encoding="utf-8") == text, f"{path}: run make inputs"


def mypy(text: str, folder: Path) -> list[str]:
    """Return the errors that mypy finds in a module."""
    file = folder / "uses.py"
    file.write_text(text, encoding="utf-8")
    command = (sys.executable, "-m", "mypy", "--strict", "--no-error-summary", str(file))
    found = subprocess.run(
        command,
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": "", "MYPYPATH": str(ROOT)},
        capture_output=True,
        text=True,
    )
    return [line for line in found.stdout.splitlines() if "uses.py" in line]


@pytest.mark.nightly
def test_mypy_accepts_the_library_and_rejects_unknown_names(tmp_path: Path) -> None:
    assert mypy(USES, tmp_path) == []
    found = mypy(USES + "\n".join(FAULTS), tmp_path)
    for line, (fault, word) in enumerate(FAULTS.items(), len(USES.splitlines()) + 1):
        assert any(f"uses.py:{line}:" in one and word in one for one in found), (fault, found)
