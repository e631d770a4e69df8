"""Power and cooling design of AI data centers, from the GPU to the utility and the weather.

The library is what stands in ``__all__``; each name is imported on first use, so that
``facility --help`` pays for nothing.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

from facility.core.errors import asking
from facility.core.version import __version__

if TYPE_CHECKING:
    from facility.api import balance, explain, export, optimise, project, sweep, verify
    from facility.core.errors import FacilityError
    from facility.core.units import quantity
    from facility.files.project.file import default_project, load_project
    from facility.study.annual.study import annual
    from facility.study.compare.ways import compare_cooling
    from facility.study.design.design import design
    from facility.study.failures.study import failures
    from facility.study.ranges.study import ranges
    from facility.study.transient.load.study import load_motion
    from facility.study.transient.study import transient

__all__ = [
    "FacilityError",
    "__version__",
    "annual",
    "balance",
    "compare_cooling",
    "default_project",
    "design",
    "explain",
    "export",
    "failures",
    "load_motion",
    "load_project",
    "optimise",
    "project",
    "quantity",
    "ranges",
    "sweep",
    "transient",
    "verify",
]

_HOME = {
    "FacilityError": "facility.core.errors",
    "quantity": "facility.core.units",
    "default_project": "facility.files.project.file",
    "load_project": "facility.files.project.file",
    "annual": "facility.study.annual.study",
    "compare_cooling": "facility.study.compare.ways",
    "design": "facility.study.design.design",
    "failures": "facility.study.failures.study",
    "load_motion": "facility.study.transient.load.study",
    "ranges": "facility.study.ranges.study",
    "transient": "facility.study.transient.study",
}


_OF_PROJECT = ("design", "compare_cooling", "sweep", "optimise")
_OF_DESIGN = ("annual", "failures", "transient", "load_motion", "explain", "export")


def __getattr__(name: str) -> object:
    if name not in __all__:
        raise AttributeError(f"module 'facility' has no attribute {name!r}")
    found = getattr(importlib.import_module(_HOME.get(name, "facility.api")), name)
    if name in _OF_PROJECT:
        found = asking(found, "Project", "Read one: facility.project(...) or load_project(path).")
    if name in _OF_DESIGN:
        found = asking(found, "Design", "Make one: facility.design(project).")
    if name == "ranges":
        found = asking(found, "Project or Design", "Give a project, or its design.")
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted(__all__)
