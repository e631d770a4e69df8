"""Installed units and their load; as-built counts may be insufficient."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from facility.cooling.chain.flow import CoolingDesign, CoolingFlow
from facility.cooling.plant.sinks import Sink
from facility.core.kinds import FloatArray, Numeric
from facility.core.rounding import OVER


@dataclass(frozen=True)
class InstalledUnits:
    """Units of one type: required load or flow, and total installed capacity."""

    name: str
    field: str  # Field that states their number
    installed: int
    required: Numeric  # At one hour or over hours
    capacity: Numeric  # For chillers with curves it depends on the condenser inlet temperature
    kind: str  # Kind of both quantities
    heat_w: Numeric  # Heat transferred

    @property
    def shortfall(self) -> FloatArray:
        """Requirement above installed capacity."""
        required = np.asarray(self.required, dtype=np.float64)
        over = required > self.capacity * OVER
        return np.where(over, required - self.capacity, 0.0)

    @property
    def unserved_w(self) -> FloatArray:
        """Heat not removed; for flow-limited units, proportional to the missing flow."""
        required = np.asarray(self.required, dtype=np.float64)
        return self.shortfall / np.where(required > 0.0, required, 1.0) * self.heat_w


def installed_units(design: CoolingDesign, flow: CoolingFlow) -> Iterator[InstalledUnits]:
    """Yield air handlers, CDUs, chillers and heat rejection in operation, all units installed."""
    cdus, chilled, water = design.cdus, design.chilled, design.water
    if design.crah.duty:
        yield _air_handlers(design, flow)
    if cdus is not None:
        pumped = cdus.installed * cdus.plan.unit.tcs_flow_m3_s
        yield InstalledUnits(
            "CDUs", "cooling.cdu.count", cdus.installed, flow.tcs_flow_m3_s, pumped, "liquid_flow",
            flow.facility_water_w,
        )  # fmt: skip
    if not chilled.plan.direct:
        yield InstalledUnits(
            "chillers", "cooling.plant.chiller.count", chilled.installed,
            flow.chiller_load_w, chilled.installed * chilled.capacity_at(flow.condenser_in_c),
            "heat_flow", flow.chiller_load_w,
        )  # fmt: skip
    yield from _sink("chiller heat rejection", "plant", chilled.sink, flow.rejection.heat_w)
    if water is not None and water.sink is not None and flow.fws_rejection is not None:
        name, heat_w = "facility water heat rejection", flow.fws_rejection.heat_w
        yield from _sink(name, "facility_water", water.sink, heat_w)


def _air_handlers(design: CoolingDesign, flow: CoolingFlow) -> InstalledUnits:
    """Return the air handlers of the halls by air flow or heat, the larger shortfall."""
    crah, plan = design.crah, design.chain.crah
    moved = crah.installed * plan.unit.air_flow_m3_s
    free_w = flow.economizer_w if design.chain.economizer.on_air else 0.0
    required_w, capacity_w = flow.coils_w - free_w, flow.coil_capacity_w
    air = InstalledUnits(
        f"{plan.path.unit_name}s", "cooling.crah.count", crah.installed, flow.crah_airflow_m3_s,
        moved, "air_flow", flow.coils_w,
    )  # fmt: skip
    heat = replace(
        air, required=required_w, capacity=capacity_w, kind="heat_flow", heat_w=required_w
    )
    return heat if np.max(heat.unserved_w) > np.max(air.unserved_w) else air


def _sink(name: str, section: str, sink: Sink, heat_w: Numeric) -> Iterator[InstalledUnits]:
    if sink.duty:
        capacity_w = sink.heat_w * sink.installed / sink.duty
        field = f"cooling.{section}.rejection.count"
        yield InstalledUnits(name, field, sink.installed, heat_w, capacity_w, "heat_flow", heat_w)
