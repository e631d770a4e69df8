"""Power and cooling design of AI data centers, from the GPU to the utility and the weather.

The library is the names in ``__all__``: functions, the types that they return, and the modules
`equations` and `frames`. Each is imported on first use, so that ``facility --help`` stays fast.
"""

from __future__ import annotations

import gc
import importlib
from typing import TYPE_CHECKING

from facility.core import __version__
from facility.core.errors import with_checked_argument

if TYPE_CHECKING:
    from facility import equations, frames
    from facility.api import (
        balance,
        explain,
        export,
        issue,
        largest,
        new,
        optimise,
        project,
        sweep,
        verify,
    )
    from facility.core.check import Check, Outcome, Severity
    from facility.core.errors import FacilityError
    from facility.core.ledger import Assumption, Ledger
    from facility.core.table import Results, Value
    from facility.core.units import Quantity, quantity
    from facility.files.project.file import default_project, load_project
    from facility.files.svg.drawn import SvgDrawing, draw
    from facility.files.svg.plot import plot
    from facility.files.weather_frame import weather_from_frame
    from facility.files.workbook.verify import VerifyReport
    from facility.model.inputs.document import Project
    from facility.power.panels.balance.one_panel import BalanceResult
    from facility.power.panels.board.model import Circuit, Panel
    from facility.report.why.explanation import Explanation
    from facility.study.annual.result import AnnualStudy
    from facility.study.annual.study import annual
    from facility.study.brief.fit import Fit
    from facility.study.commissioning.limits import operating_limits
    from facility.study.commissioning.model import CommissioningPlan
    from facility.study.commissioning.study import commissioning
    from facility.study.compare.ways import CoolingComparison as Comparison
    from facility.study.compare.ways import compare_cooling
    from facility.study.design.design import Design, design
    from facility.study.failures.study import FailureStudy as Failures
    from facility.study.failures.study import failures
    from facility.study.isolation.study import Isolation, isolation, isolations
    from facility.study.measured.study import measured
    from facility.study.optimise.study import Optimum
    from facility.study.ranges.result import RangesStudy
    from facility.study.ranges.study import ranges
    from facility.study.sweep.study import Sweep
    from facility.study.transient.load.result import LoadStudy
    from facility.study.transient.load.study import load_motion
    from facility.study.transient.study import TransientStudy, transient
    from facility.study.verification.outcome import CaseOutcome

__all__ = [
    "AnnualStudy",
    "Assumption",
    "BalanceResult",
    "CaseOutcome",
    "Check",
    "Circuit",
    "CommissioningPlan",
    "Comparison",
    "Design",
    "Explanation",
    "FacilityError",
    "Failures",
    "Fit",
    "Isolation",
    "Ledger",
    "LoadStudy",
    "Optimum",
    "Outcome",
    "Panel",
    "Project",
    "Quantity",
    "RangesStudy",
    "Results",
    "Severity",
    "SvgDrawing",
    "Sweep",
    "TransientStudy",
    "Value",
    "VerifyReport",
    "__version__",
    "annual",
    "balance",
    "commissioning",
    "compare_cooling",
    "default_project",
    "design",
    "draw",
    "equations",
    "explain",
    "export",
    "failures",
    "frames",
    "isolation",
    "isolations",
    "issue",
    "largest",
    "load_motion",
    "load_project",
    "measured",
    "new",
    "operating_limits",
    "optimise",
    "plot",
    "project",
    "quantity",
    "ranges",
    "sweep",
    "transient",
    "verify",
    "weather_from_frame",
]

_HOME = {
    "AnnualStudy": "facility.study.annual.result",
    "Assumption": "facility.core.ledger",
    "BalanceResult": "facility.power.panels.balance.one_panel",
    "CaseOutcome": "facility.study.verification.outcome",
    "Check": "facility.core.check",
    "Circuit": "facility.power.panels.board.model",
    "CommissioningPlan": "facility.study.commissioning.model",
    "Comparison": "facility.study.compare.ways",
    "Design": "facility.study.design.design",
    "Explanation": "facility.report.why.explanation",
    "FacilityError": "facility.core.errors",
    "Failures": "facility.study.failures.study",
    "Fit": "facility.study.brief.fit",
    "Isolation": "facility.study.isolation.study",
    "Ledger": "facility.core.ledger",
    "LoadStudy": "facility.study.transient.load.result",
    "Optimum": "facility.study.optimise.study",
    "Outcome": "facility.core.check",
    "Panel": "facility.power.panels.board.model",
    "Project": "facility.model.inputs.document",
    "Quantity": "facility.core.units",
    "RangesStudy": "facility.study.ranges.result",
    "Results": "facility.core.table",
    "Severity": "facility.core.check",
    "SvgDrawing": "facility.files.svg.drawn",
    "Sweep": "facility.study.sweep.study",
    "TransientStudy": "facility.study.transient.study",
    "Value": "facility.core.table",
    "VerifyReport": "facility.files.workbook.verify",
    "quantity": "facility.core.units",
    "default_project": "facility.files.project.file",
    "load_project": "facility.files.project.file",
    "annual": "facility.study.annual.study",
    "commissioning": "facility.study.commissioning.study",
    "compare_cooling": "facility.study.compare.ways",
    "design": "facility.study.design.design",
    "draw": "facility.files.svg.drawn",
    "failures": "facility.study.failures.study",
    "isolation": "facility.study.isolation.study",
    "isolations": "facility.study.isolation.study",
    "load_motion": "facility.study.transient.load.study",
    "measured": "facility.study.measured.study",
    "operating_limits": "facility.study.commissioning.limits",
    "ranges": "facility.study.ranges.study",
    "plot": "facility.files.svg.plot",
    "transient": "facility.study.transient.study",
    "weather_from_frame": "facility.files.weather_frame",
}
_CLASS = {"Comparison": "CoolingComparison", "Failures": "FailureStudy"}
"""Classes that the library exports under a shorter name."""

_MODULES = ("equations", "frames")
_OF_PROJECT = ("design", "compare_cooling", "sweep", "optimise")
_OF_DESIGN = (
    *("annual", "failures", "isolation", "isolations", "transient", "load_motion"),
    *("explain", "export", "issue", "draw", "commissioning", "operating_limits"),
)


if not TYPE_CHECKING:  # The type checker reads the imports above.

    def __getattr__(name: str) -> object:
        if name not in __all__:
            raise AttributeError(f"module 'facility' has no attribute {name!r}")
        if name in _MODULES:
            return importlib.import_module(f"facility.{name}")
        # Modules live as long as the process: the collector would look through them in vain.
        collecting = gc.isenabled()
        gc.disable()
        try:
            home = importlib.import_module(_HOME.get(name, "facility.api"))
        finally:
            if collecting:
                gc.enable()
        found = getattr(home, _CLASS.get(name, name))
        if name in _OF_PROJECT:
            found = with_checked_argument(
                found, "Project", "Read one: facility.project(...) or load_project(path)."
            )
        if name in _OF_DESIGN:
            found = with_checked_argument(found, "Design", "Make one: facility.design(project).")
        if name == "ranges":
            found = with_checked_argument(
                found, "Project or Design", "Supply a project, or its design."
            )
        globals()[name] = found
        return found


def __dir__() -> list[str]:
    return sorted(__all__)
