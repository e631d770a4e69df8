"""Designs of the reference projects and of small projects, each computed once."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path

from facility.core.check import Check
from facility.core.reference import reference_path
from facility.core.table import HasResults
from facility.files.project.file import apply_sets, load_project, parse_project
from facility.study.design.design import Design, design

DATA = Path(__file__).parent / "data"
PROJECTS = ("h100-10k", "dgx-su-32", "nvl72-hall", "mixed-hall")
SMALL: Mapping[str, object] = {
    "schema_version": 1,
    "site": {"station": "phoenix", "tariff": "0.08 USD/kWh"},
    "it": {"gpu_model": "H100 SXM5", "gpus": 64},
    "power": {"redundancy": "N+1"},
    "cooling": {"method": "air", "plant": {"heat_rejection": "tower"}},
}
SHORTEST = """\
schema_version: 1
it: {gpu_model: H100 SXM5, gpus: 64}
power: {redundancy: N+1}
cooling: {method: air, plant: {heat_rejection: tower}}
"""


@lru_cache(12)
def reference(name: str, *sets: str) -> Design:
    """Return the design of a reference project with changes."""
    return design(apply_sets(load_project(reference_path("projects", f"{name}.yaml")), sets))


@lru_cache(12)
def design_of(text: str, *sets: str) -> Design:
    """Return the design of the project in `text` with changes; CRACs have no towers."""
    if "cooling.air.terminal=crac" in sets:
        text = text.replace(", plant: {heat_rejection: tower}", "")
    return design(apply_sets(parse_project(text), sets))


def si(found: HasResults, key: str) -> float:
    """Return the SI number of a result of a design or a study."""
    return float(found.results[key].si)


def checks_of(found: Design, rule: str) -> list[Check]:
    """Return the checks of one rule."""
    return [check for check in found.checks if check.rule == rule]


def failed_rules(found: Design, severity: str) -> set[str]:
    """Return the rules of one severity that failed."""
    return {c.rule for c in found.checks if c.failed and c.severity.value == severity}


def results_text(found: Design) -> str:
    """Return the results as canonical JSON."""
    return json.dumps(found.results.as_json(), sort_keys=True, allow_nan=False)
