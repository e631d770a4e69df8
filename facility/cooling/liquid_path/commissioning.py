"""The commissioning checklist of the liquid loops, with the numbers of this design."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from facility.cooling.loops.loop import LoopRow
from facility.core.sources import DERIVED, Source
from facility.core.views import show
from facility.model.cooling.chain import CduPlan
from facility.model.cooling.liquid import LiquidPlan, Requirement

_FLUSH_OVER_DESIGN = 1.1
_TEST = "hydrostatic test over design pressure"
_FLUSH = "flushing velocity in the mains"
_DESIGN = "design pressure of the racks"
_OVER_DEW_POINT = "supply above the room dew point, at least"
_FILTER = "operating filter"


@dataclass(frozen=True)
class CommissioningStep:
    """One line of the checklist.

    `key` is that of a result of the design, and `kind` its kind; both are empty for a value that
    is as published, whose `value` is in `unit`.
    """

    loop: str
    words: str
    value: float
    kind: str
    unit: str
    source: Source
    key: str = ""

    @property
    def shown(self) -> str:
        """The value with its unit."""
        if self.kind:
            return show(self.value, self.kind)
        return f"{self.value:g} {self.unit}".strip()


def commissioning_steps(
    plan: LiquidPlan, cdus: CduPlan, loop: LoopRow, dew_point_c: float
) -> tuple[CommissioningStep, ...]:
    """Return the checklist.

    plan: Requirements and the working pressure of the racks.
    loop: The coolant loop as laid out.
    """
    return tuple(_steps(plan, cdus, loop, dew_point_c))


def _steps(
    plan: LiquidPlan, cdus: CduPlan, loop: LoopRow, dew_point_c: float
) -> Iterator[CommissioningStep]:
    by_name = {(need.loop, need.item): need for need in plan.requirements}
    test, flush = by_name["TCS", _TEST], by_name["TCS", _FLUSH]
    over = by_name["TCS", _OVER_DEW_POINT]
    yield CommissioningStep(
        "TCS", "hydrostatic test pressure, racks isolated", test.value * plan.design_pressure_pa,
        "pressure", "", test.source, "tcs.test_pressure",
    )  # fmt: skip
    velocity = max(flush.value, _FLUSH_OVER_DESIGN * loop.flows[0].velocity_m_s)
    yield CommissioningStep(
        "TCS", "flushing velocity in the mains, racks bypassed", velocity, "velocity", "",
        flush.source, "tcs.flush_velocity",
    )  # fmt: skip
    yield CommissioningStep(
        "TCS", "flow that flushes the main", velocity / loop.flows[0].velocity_m_s
        * loop.main.flow_m3_s, "liquid_flow", "", DERIVED, "tcs.flush_flow",
    )  # fmt: skip
    yield CommissioningStep(
        "TCS", "lowest supply: dew point of the room and its margin", dew_point_c + over.value,
        "temperature", "", over.source, "tcs.supply_least",
    )  # fmt: skip
    yield CommissioningStep(
        "TCS", f"coolant to fill in, {cdus.fluid.name}", loop.volume_m3, "volume", "", DERIVED,
        "tcs.volume",
    )  # fmt: skip
    own = plan.own(cdus.unit)
    for need in plan.requirements:
        if need in (test, flush, over) or need.item == _DESIGN:
            continue
        if need.item == _FILTER and own is not None and own.filter_um is not None:
            yield CommissioningStep(
                "TCS", f"{_FILTER} of the CDU", own.filter_um, "", "um", cdus.unit.source
            )
            continue
        yield _as_published(need)


def _as_published(need: Requirement) -> CommissioningStep:
    return CommissioningStep(need.loop, need.item, need.value, "", need.unit, need.source)
