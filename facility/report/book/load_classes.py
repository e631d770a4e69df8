"""Load classes as the Settings sheet states them, and the rule of their demand factor."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from facility.report.sheet.cells import Ref

CONSTANT = "constant"
DEMAND_RULES = (
    CONSTANT,
    "by load",
    "by load, per portion",
    "by quantity",
    "by quantity, per portion",
)
CLASS_MEANINGS: Mapping[str, str] = MappingProxyType(
    {
        "IT-AI": "AI servers",
        "IT-NET": "network",
        "IT-STO": "storage",
        "IT-MGT": "management servers",
        "COOL": "cooling",
        "LTG": "lighting",
        "REC": "receptacles",
        "EV": "vehicle charging",
        "MISC": "other",
        "SPARE": "breaker, no load",
        "SPACE": "no breaker",
    }
)


@dataclass(frozen=True)
class DemandRule:
    """How a class finds its demand factor."""

    # One of `DEMAND_RULES`. By load, the connected VA chooses the factor; by quantity, the number
    # of circuits. Per portion, each factor counts for its own part alone; else the factor of the
    # range that the whole falls in counts for all of it.
    kind: str = CONSTANT
    # Up to the first limit, up to the second one, above it.
    factors: tuple[float, float, float] = (1.0, 1.0, 1.0)
    # Limits [VA or circuits]; None for none.
    limits: tuple[float | None, float | None] = (None, None)

    def measure(self, connected_va: float, circuits: int) -> float:
        """Return what the limits are held against: VA, or the number of circuits."""
        return float(circuits) if self.kind.startswith("by quantity") else connected_va

    def factor(self, connected_va: float, circuits: int) -> float:
        """Return the demand factor of the class in one panel."""
        whole = self.measure(connected_va, circuits)
        first, second, third = self.factors
        if self.kind == CONSTANT or whole == 0.0:
            return first
        low, high = (math.inf if limit is None else limit for limit in self.limits)
        high = max(low, high)
        if not self.kind.endswith("portion"):
            return first if whole <= low else second if whole <= high else third
        middle, above = max(0.0, min(whole, high) - low), max(0.0, whole - high)
        return (min(whole, low) * first + middle * second + above * third) / whole


@dataclass(frozen=True)
class ClassCells:
    """Where the Settings sheet states a class.

    `limits` are the cells that formulas use: those typed, or a large number where none is.
    """

    continuous: Ref
    kind: Ref
    factors: tuple[Ref, Ref, Ref]
    limits: tuple[Ref, Ref]


@dataclass(frozen=True)
class LoadClass:
    """A load class: its code, whether it is continuous, its demand rule, and its cells."""

    code: str
    continuous: bool
    demand: DemandRule
    cells: ClassCells

    def measure_formula(self, connected: str, circuits: str) -> str:
        """Return the formula of what the limits are held against, `circuits` being a formula."""
        return f'IF(LEFT({self.cells.kind},11)="by quantity",{circuits},{connected})'

    def factor_formula(self, measure: str) -> str:
        """Return the formula of the demand factor on the cell of the measure."""
        low, high = self.cells.limits
        first, second, third = self.cells.factors
        portions = (
            f"(MIN({measure},{low})*{first}+MAX(0,MIN({measure},{high})-{low})*{second}"
            f"+MAX(0,{measure}-{high})*{third})/{measure}"
        )
        whole = f"IF({measure}<={low},{first},IF({measure}<={high},{second},{third}))"
        kind = self.cells.kind
        return (
            f'IF(OR({kind}="{CONSTANT}",{measure}=0),{first},'
            f'IF(RIGHT({kind},7)="portion",{portions},{whole}))'
        )
