"""One way to cool the racks of a project: its design, and what follows from it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from facility.core.check import Check, Severity
from facility.study.compare.quantities import FloorPart, WaterUse, floor_parts, water_use
from facility.study.compare.variants import LABELS, OptionName
from facility.study.cost.machines import units_of
from facility.study.cost.prices import CapitalCost, price_list
from facility.study.design.design import Design


@dataclass(frozen=True, eq=False)
class CoolingOption:
    """One way to cool the racks."""

    name: OptionName  # `air`, `in_row`, `rear_door`, `hybrid` or `liquid`
    own: bool  # Whether it is the cooling of the project
    changes: tuple[str, ...]  # What differs from the project
    design: Design | None  # Its design; None where it cannot be designed
    reason: str  # The limit it breaks, with numbers; empty where it is feasible

    @property
    def label(self) -> str:
        """What it is called."""
        return LABELS[self.name]

    @property
    def feasible(self) -> bool:
        """Whether it breaks no limit."""
        return not self.reason

    @cached_property
    def units(self) -> dict[str, int]:
        """Units installed by kind; none without a design."""
        return units_of(self.design) if self.design is not None else {}

    @cached_property
    def water(self) -> WaterUse | None:
        """Water of the towers at the design hour."""
        return water_use(self.design) if self.design is not None else None

    @cached_property
    def floor(self) -> tuple[FloorPart, ...]:
        """Floor of the units in the halls."""
        return floor_parts(self.units, self.design) if self.design is not None else ()

    @cached_property
    def cost(self) -> CapitalCost | None:
        """Capital cost of the cooling, by the equipment that has a price."""
        if self.design is None:
            return None
        facility = self.design.facility
        return price_list(facility.cost, facility.site.country).equipment("cooling", self.design)

    @property
    def cautions(self) -> tuple[Check, ...]:
        """Warnings of its cooling that do not make it infeasible."""
        if self.design is None:
            return ()
        checks = (*self.design.cooling.checks, *self.design.cooling_flow.checks)
        return tuple(c for c in checks if c.failed and c.severity is Severity.WARNING)
