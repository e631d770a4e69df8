"""Power and cooling design of AI data centers, from the GPU to the utility and the weather.

Everything is imported on first use, so that ``facility --help`` pays for nothing.
"""

from __future__ import annotations

import importlib
from typing import Any

__version__ = "0.4.0"

_LAZY: dict[str, str] = {
    "FacilityError": "facility.core.errors",
    "quantity": "facility.core.units",
    "design": "facility.study.design.design",
    "failures": "facility.study.failures.study",
    "transient": "facility.study.transient.study",
    "load_project": "facility.files.project.file",
    "default_project": "facility.files.project.file",
    "explain": "facility.core.trace",
}

__all__ = [
    "FacilityError",
    "__version__",
    "default_project",
    "design",
    "explain",
    "failures",
    "load_project",
    "quantity",
    "transient",
]


def __getattr__(name: str) -> Any:
    if name not in _LAZY:
        raise AttributeError(f"module 'facility' has no attribute {name!r}")
    return getattr(importlib.import_module(_LAZY[name]), name)


def __dir__() -> list[str]:
    return sorted(__all__)
