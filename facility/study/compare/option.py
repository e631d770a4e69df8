"""One cooling method for the racks of a project: design, units, water and floor area."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from facility.catalogue import table
from facility.core.check import Check, Severity
from facility.core.sources import Source
from facility.model.cooling.air import TERMINAL_NAMES
from facility.study.compare.variants import LABELS, OptionName
from facility.study.cost.machines import units_of
from facility.study.cost.prices import CapitalCost, price_list
from facility.study.design.design import Design


@dataclass(frozen=True)
class WaterUse:
    """Water of towers and pads at the design hour [m3/s]."""

    evaporation_m3_s: float
    makeup_m3_s: float


@dataclass(frozen=True)
class FloorPart:
    """Floor area of one unit type in the halls.

    `each_m2` is the footprint of one unit, None if not published; `source` is its source.
    """

    kind: str
    units: int
    each_m2: float | None
    source: Source

    @property
    def area_m2(self) -> float | None:
        """Floor area of all units."""
        return None if self.each_m2 is None else self.units * self.each_m2


@dataclass(frozen=True, eq=False)
class CoolingOption:
    """One cooling method for the racks."""

    name: OptionName  # `air`, `in_row`, `rear_door`, `hybrid` or `liquid`
    own: bool  # Whether it is the cooling of the project
    changes: tuple[str, ...]  # What differs from the project
    design: Design | None  # Its design; None if the design fails
    reason: str  # The limit exceeded, with numbers; empty if feasible

    @property
    def label(self) -> str:
        """Displayed name, by the units in its halls."""
        if self.name != "air" or self.design is None:
            return LABELS[self.name]
        unit = self.design.facility.cooling.crah.path.unit_name
        return LABELS[self.name].replace(TERMINAL_NAMES["crah"], unit)

    @property
    def feasible(self) -> bool:
        """Whether no limit is exceeded."""
        return not self.reason

    @cached_property
    def units(self) -> dict[str, int]:
        """Units installed by type; empty without a design."""
        return units_of(self.design) if self.design is not None else {}

    @cached_property
    def water(self) -> WaterUse | None:
        """Water of the towers at the design hour."""
        if self.design is None:
            return None
        trace = self.design.trace
        return WaterUse(trace.value("water.evaporation"), trace.value("water.makeup"))

    @cached_property
    def floor(self) -> tuple[FloorPart, ...]:
        """Floor area of the units in the halls."""
        return floor_parts(self.units, self.design) if self.design is not None else ()

    @cached_property
    def cost(self) -> CapitalCost | None:
        """Capital cost of the priced cooling equipment."""
        if self.design is None:
            return None
        facility = self.design.facility
        return price_list(facility.cost, facility.site.country).equipment("cooling", self.design)

    @property
    def cautions(self) -> tuple[Check, ...]:
        """Warnings of the cooling that leave it feasible."""
        if self.design is None:
            return ()
        checks = (*self.design.cooling.checks, *self.design.cooling_flow.checks)
        return tuple(c for c in checks if c.failed and c.severity is Severity.WARNING)


def floor_parts(units: Mapping[str, int], design: Design) -> tuple[FloorPart, ...]:
    """Return the floor area of cooling units in the halls, without plant rooms."""
    chain = design.facility.cooling
    models = {
        "crah": chain.crah.unit.model,
        "in_row": chain.crah.unit.model,
        "doors": chain.crah.path.door.model if chain.crah.path.door is not None else "",
        "cdu": chain.cdu.unit.model if chain.cdu is not None else "",
    }
    rows = table("cooling/footprints")
    parts = []
    for kind, model in models.items():
        if kind not in units:
            continue
        found = rows.select(kind=kind, model=model) or rows.select(kind=kind, model=None)
        each = found[0].si_or_none("footprint_m2") if found else None
        source = found[0].cite("footprint_m2") if found else Source("unknown", "no footprint")
        parts.append(FloorPart(kind, units[kind], each, source))
    return tuple(parts)
