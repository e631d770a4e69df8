"""The liquid path of a finished design: racks, classes, cold plate, CDUs, commissioning."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from facility.cooling.chain.flow import CoolingDesign, CoolingFlow
from facility.cooling.hydraulics.study import heads_by_mount
from facility.cooling.liquid.facility_water import FacilityWater
from facility.cooling.liquid.selection import CduDuty, CduOption, rank_cdus
from facility.cooling.liquid_path.checks import OPERATING_FILTER, liquid_checks
from facility.cooling.loops.loop import LoopRow
from facility.cooling.parts.cdu import CduDesign
from facility.core.check import Check
from facility.core.rounding import argmax_within_rounding, within
from facility.core.sources import DERIVED, Source
from facility.core.table import Value
from facility.core.trace import SILENT, Trace
from facility.core.views import printed_unit, show
from facility.model.cooling.chain import CduPlan
from facility.model.cooling.liquid import ColdPlate, LiquidPlan, RackCoolant
from facility.model.cooling.units import HydraulicsPlan
from facility.physics.liquids.cold_plate import case_temperature
from facility.physics.liquids.coolant import coolant_temperature_rise

_FLUSH_OVER_DESIGN = 1.1
"""Flushing velocity over design velocity, as noted in `cooling/liquid_commissioning`."""
_TEST = "hydrostatic test over design pressure"
_FLUSH = "flushing velocity in the mains"
_DESIGN = "design pressure of the racks"
_OVER_DEW_POINT = "supply above the room dew point, at least"


@dataclass(frozen=True)
class CommissioningStep:
    """One line of the checklist.

    `key` is a result of the design, and `kind` its kind; both are empty for a published value,
    whose `value` is in `unit`.
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
        return f"{self.value:g} {printed_unit(self.unit)}".strip()


def commissioning_steps(
    plan: LiquidPlan, cdus: CduPlan, loop: LoopRow, dew_point_c: float
) -> Iterator[CommissioningStep]:
    """Yield the checklist.

    plan: Requirements and the working pressure of the racks.
    loop: The coolant loop as laid out.
    """
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
        "TCS", "flushing flow of the main", velocity / loop.flows[0].velocity_m_s
        * loop.main.flow_m3_s, "liquid_flow", "", DERIVED, "tcs.flush_flow",
    )  # fmt: skip
    yield CommissioningStep(
        "TCS", "minimum supply: room dew point plus margin", dew_point_c + over.value,
        "temperature", "", over.source, "tcs.supply_least",
    )  # fmt: skip
    yield CommissioningStep(
        "TCS", f"coolant fill volume, {cdus.fluid.name}", loop.volume_m3, "volume", "", DERIVED,
        "tcs.volume",
    )  # fmt: skip
    own = plan.own(cdus.unit)
    for need in plan.requirements:
        if need in (test, flush, over) or need.item == _DESIGN:
            continue
        if need.item == OPERATING_FILTER and own is not None and own.filter_um is not None:
            yield CommissioningStep(
                "TCS", f"{OPERATING_FILTER} of the CDU", own.filter_um, "", "um", cdus.unit.source
            )
            continue
        yield CommissioningStep(need.loop, need.item, need.value, "", need.unit, need.source)


@dataclass(frozen=True)
class RackRow:
    """Coolant of one rack type at the design hour; return temperature at the supplied flow."""

    rack: RackCoolant
    supply_c: float
    return_c: float

    @property
    def rise_k(self) -> float:
        """Rise of the coolant in the rack."""
        return self.return_c - self.supply_c


@dataclass(frozen=True)
class LiquidPath:
    """The liquid path."""

    racks: tuple[RackRow, ...]  # Coolant of each rack type
    cdus: tuple[CduOption, ...]  # All catalogue CDUs for this loop, suitable ones first
    chosen: str  # Model of the design
    supply_class: str  # S class of the supplied coolant
    water_class: str  # W class of the supplied facility water
    # Case temperature of the stated chip; None without one, or without data.
    case_c: float | None
    leak_rack_m3: float  # Coolant volume that one rack can lose
    leak_loop_m3: float  # Coolant volume that one loop with its racks can lose
    steps: tuple[CommissioningStep, ...]  # The commissioning checklist
    checks: tuple[Check, ...]
    results: dict[str, Value]  # Results by dotted key
    trace: Trace  # Their derivation


NO_LIQUID = LiquidPath((), (), "", "", "", None, 0.0, 0.0, (), (), {}, SILENT)
"""The liquid path of an air-cooled design."""


def study_liquid(
    design: CoolingDesign, flow: CoolingFlow, loop: LoopRow | None, trace: Trace
) -> LiquidPath:
    """Return the liquid path of a finished design.

    design, flow: The cooling as sized, and at the design hour.
    loop: The coolant loop as laid out.
    """
    plan, cdus, water = design.chain.liquid, design.cdus, design.water
    if plan is None or cdus is None or water is None or loop is None:
        return NO_LIQUID
    hydraulics = design.chain.hydraulics
    racks = tuple(_row(rack, flow.tcs_supply_c, cdus) for rack in plan.racks)
    options = rank_cdus(plan.candidates, _duty(plan, hydraulics, cdus, water, loop))
    case_c = _case(plan.cold_plate, flow.tcs_supply_c, trace)
    # One rack with hoses, and one row loop without shutoff.
    count = sum(rack.count for rack in plan.racks)
    leak_rack_m3 = plan.rack_volume_m3 + loop.stretches[-1].volume_m3 / max(count, 1)
    leak_loop_m3 = loop.volume_m3 / max(hydraulics.rows, 1)
    supply_class = class_of(plan.supply_classes, flow.tcs_supply_c)
    water_class = class_of(plan.water_classes, flow.fws_supply_c)
    steps = tuple(commissioning_steps(plan, cdus.plan, loop, design.chain.hall_dew_points_c[1]))
    checks = tuple(liquid_checks(design, flow, plan, options, case_c))
    found = LiquidPath(
        racks,
        options,
        cdus.plan.unit.model,
        supply_class,
        water_class,
        case_c,
        leak_rack_m3,
        leak_loop_m3,
        steps,
        checks,
        {},
        trace,
    )
    found.results.update(_results(found, flow, design, trace))
    return found


def class_of(classes: tuple[tuple[str, float | None], ...], supply_c: float) -> str:
    """Return the coldest class that includes a supply temperature."""
    for name, highest_c in classes:
        if highest_c is None or within(supply_c, highest_c):
            return name
    return f"above {classes[-1][0]}"


def _row(rack: RackCoolant, supply_c: float, cdus: CduDesign) -> RackRow:
    rise_k = coolant_temperature_rise.si(rack.liquid_w, rack.flow_m3_s, **cdus.tcs.properties)
    return RackRow(rack, supply_c, supply_c + float(rise_k))


def _duty(
    plan: LiquidPlan,
    hydraulics: HydraulicsPlan,
    cdus: CduDesign,
    water: FacilityWater,
    loop: LoopRow,
) -> CduDuty:
    """Return the CDU requirements at the sizing heat."""
    flows, at_c = (cdus.tcs_flow_m3_s, loop.running_m3_s), (loop.supply_c, loop.return_c)
    heads = heads_by_mount(hydraulics, plan, cdus.plan.fluid, flows, at_c)
    return CduDuty(
        cdus.plan, water.plan, cdus.design_w, cdus.tcs_flow_m3_s, heads, plan.racks, plan.mount
    )


def _case(plate: ColdPlate | None, supply_c: float, trace: Trace) -> float | None:
    if plate is None or plate.resistance_k_w is None:
        return None
    trace.given(
        "tcs.plate.resistance",
        plate.resistance_k_w,
        "thermal_resistance",
        plate.source,
        "interpolated between published points",
    )
    return float(
        trace.do(
            "tcs.case",
            case_temperature,
            supply_c=supply_c,
            resistance_k_w="tcs.plate.resistance",
            heat_w=plate.chip_w,
        )
    )


def _results(
    found: LiquidPath, flow: CoolingFlow, design: CoolingDesign, trace: Trace
) -> dict[str, Value]:
    heaviest = found.racks[argmax_within_rounding([row.rack.flow_m3_s for row in found.racks])]
    dew_c = design.chain.hall_dew_points_c[1]
    values = {
        "tcs.rack_flow": Value(heaviest.rack.flow_m3_s, "liquid_flow", heaviest.rack.name),
        "tcs.rack_drop": Value(heaviest.rack.drop_pa, "pressure", heaviest.rack.drop_basis),
        "tcs.rack_return": Value(
            max(row.return_c for row in found.racks), "temperature", "warmest rack"
        ),
        "tcs.rack_air": Value(
            max(row.rack.air_w for row in found.racks), "heat_flow", "to the room, per rack"
        ),
        "tcs.over_dew_point": Value(flow.tcs_supply_c - dew_c, "temperature_difference"),
        "tcs.leak_rack": Value(found.leak_rack_m3, "volume", "one rack and its hoses"),
        "tcs.leak_loop": Value(found.leak_loop_m3, "volume", "one row, without shutoff"),
        "fws.over_dew_point": Value(flow.fws_supply_c - dew_c, "temperature_difference"),
    }
    for key, value in values.items():
        trace.derive(key, float(value.si), value.kind, value.basis or "supply less dew point")
    for step in found.steps:
        if step.key:
            values[step.key] = Value(step.value, step.kind, step.words)
            trace.derive(step.key, step.value, step.kind, step.words)
    if found.case_c is not None:
        values["tcs.case"] = Value(found.case_c, "temperature", "chip on its cold plate")
    suiting = [option.model for option in found.cdus if option.suits]
    return {
        **values,
        "tcs.class": Value(found.supply_class, "", "recalled"),
        "fws.class": Value(found.water_class),
        "cdu.model": Value(found.chosen),
        "cdu.first_choice": Value(
            suiting[0] if suiting else "none", "", "minimum units, then minimum pump power"
        ),
        "cdu.options": Value(len(suiting), "count", "suitable catalogue CDUs"),
    }
