"""Pumps of a closed loop with variable flow."""

from __future__ import annotations

from dataclasses import dataclass

from facility.core.trace import Trace
from facility.model.cooling.units import Pump
from facility.physics.elementwise import plain
from facility.physics.plant.fans_pumps import (
    part_load_power_ratio,
    pump_power,
    running_pumps_power,
    to_one,
)


@dataclass(frozen=True)
class LoopPump:
    """Pumps of one loop, sized at its design flow."""

    plan: Pump
    flow_m3_s: float
    head_pa: float
    power_w: float

    @classmethod
    def sized(cls, plan: Pump, flow_m3_s: float, head_pa: float) -> LoopPump:
        """Return the pumps for a design flow and its head."""
        power_w = float(pump_power.si(flow_m3_s, head_pa, plan.efficiency))
        return cls(plan, flow_m3_s, head_pa, power_w)

    def power_at(self, subject: str, flow_m3_s: float, trace: Trace) -> float:
        """Return and record their power at another flow, from the part-load curve."""
        trace.do(
            f"{subject}.pump_power_full",
            pump_power,
            "at design flow and the head of the loop",
            flow_m3_s=self.flow_m3_s,
            head_pa=self.head_pa,
            efficiency=self.plan.efficiency,
        )
        ratio = flow_m3_s / self.flow_m3_s if self.flow_m3_s > 0.0 else 0.0
        trace.do(
            f"{subject}.pump_power_ratio",
            part_load_power_ratio,
            flow_ratio=ratio,
            **to_one(self.plan.curve),
        )
        return plain(
            trace.do(
                f"{subject}.pump_power",
                running_pumps_power,
                units=1.0,
                rated_power_w=f"{subject}.pump_power_full",
                power_ratio=f"{subject}.pump_power_ratio",
            )
        )
