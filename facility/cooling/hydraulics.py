"""Hydraulics of all loops: pipes, heads against those of the pumps, volumes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from facility.cooling.cdu_selection import MOUNTS, mount_of
from facility.cooling.chilled_water import ChilledWater
from facility.cooling.design import CoolingDesign
from facility.cooling.facility_water import FacilityWater
from facility.cooling.flow import CoolingFlow
from facility.cooling.hydraulic_loop import (
    LoopRow,
    PartDrop,
    Stretch,
    expansion_of,
    laid_out,
    loop_liquid,
    part_of,
    parts_of,
)
from facility.cooling.hydraulic_record import loop_results
from facility.cooling.liquid_rules import LIQUID_RULES
from facility.cooling.sinks import Sink
from facility.core.check import Check
from facility.core.sources import Source
from facility.core.table import Value
from facility.core.trace import Trace
from facility.model.cooling_hydraulics import HydraulicsPlan
from facility.model.cooling_liquid import LiquidPlan
from facility.model.cooling_units import Fluid, Pump

_OWN_DROP = "XDU1350"
_AS_KNOWN = Source("modelica-buildings-cdu", "as the XDU1350 at its rated flow", "", "memory")


@dataclass(frozen=True)
class Hydraulics:
    """The loops as laid out, their checks, and results by dotted key."""

    loops: tuple[LoopRow, ...]
    checks: tuple[Check, ...]
    results: dict[str, Value]

    def loop(self, name: str) -> LoopRow | None:
        """Return the loop `name`: tcs, fws, fws_tower, chw or cw; None where there is none."""
        return next((row for row in self.loops if row.name == name), None)


def study_hydraulics(
    design: CoolingDesign, flow: CoolingFlow, coldest_c: float | None, trace: Trace
) -> Hydraulics:
    """Return the hydraulics of a finished cooling design.

    Parameters
    ----------
    design, flow : CoolingDesign, CoolingFlow
        The cooling as sized, and at the design hour.
    coldest_c : float or None
        Coldest outdoor air of twenty years; None where it is not known.
    trace : Trace
        Takes the derivations.

    Raises
    ------
    FacilityError
        ``LOOP_TEMPERATURES`` and ``OUT_OF_RANGE`` naming the loop, ``PIPE_TOO_SMALL``.
    """
    loops = tuple(_loops(design, flow))
    results: dict[str, Value] = {}
    for row in loops:
        results |= loop_results(row, trace)
    checks = tuple(_checks(loops, design.chain.hydraulics, design.chain.liquid, coldest_c))
    return Hydraulics(loops, checks, results)


def _loops(design: CoolingDesign, flow: CoolingFlow) -> Iterator[LoopRow]:
    plan, liquid, cdus = design.chain.hydraulics, design.chain.liquid, design.cdus
    if liquid is not None and cdus is not None:
        yield coolant_loop(
            plan, liquid, cdus.plan.fluid, (cdus.tcs_flow_m3_s, flow.tcs_flow_m3_s),
            (flow.tcs_supply_c, flow.tcs_return_c), mount_of(liquid.own(cdus.plan.unit)),
            cdus.plan.unit.head_pa,
        )  # fmt: skip
    if design.water is not None:
        yield _facility_water(design.water, plan, flow)
        sink = design.water.sink
        if sink is not None and sink.plan.kind == "tower" and sink.plan.pump is not None:
            warm_c = flow.fws_return_c - design.water.plan.exchanger_approach_k
            cold_c = flow.fws_supply_c - design.water.plan.exchanger_approach_k
            row = _rejection(
                "fws_tower", "tower water of the facility water", sink, "plate exchanger", plan,
                (cold_c, warm_c), sink.heat_w / sink.liquid.rate_w_k(sink.range_k),
            )  # fmt: skip
            yield row
    if not design.chilled.plan.direct:
        yield _chilled_water(design, plan, flow)
        yield from _condenser(design.chilled, plan, flow)


def coolant_loop(
    plan: HydraulicsPlan, liquid: LiquidPlan, fluid: Fluid, flows_m3_s: tuple[float, float],
    temperatures_c: tuple[float, float], mount: str, head_pa: float | None,
) -> LoopRow:  # fmt: skip
    """Return the coolant loop between the CDUs and the worst rack.

    CDUs in the row feed a header along their row, those along a wall a header across the rows
    too, those in the rack its hoses alone.

    Parameters
    ----------
    plan, liquid : HydraulicsPlan, LiquidPlan
        Pipes and racks.
    fluid : Fluid
        The coolant.
    flows_m3_s, temperatures_c : tuple of float
        Flow at design and at the design hour; supply and return.
    mount : str
        Where the CDUs stand: in-rack, in-row or row/perimeter.
    head_pa : float or None
        Head that they leave for the loop.
    """
    flow, running = flows_m3_s
    filled = loop_liquid(fluid, *temperatures_c, "tcs")
    worst = max(liquid.racks, key=lambda rack: rack.flow_m3_s)
    racks = sum(rack.count for rack in liquid.racks)
    stretches: list[Stretch] = []
    if mount != "in-rack":
        if mount == "row/perimeter" and plan.rows > 1:
            across_m = 2.0 * (plan.rows - 1) * plan.row_pitch_m
            stretches.append(laid_out("header across the rows", flow, across_m, filled, plan))
        stretches.append(
            laid_out(
                "header along a row", flow / plan.rows, 2.0 * plan.tcs_route_m, filled, plan,
                plan.rows,
            )
        )  # fmt: skip
    hose_m = 2.0 * plan.hose_m
    stretches.append(laid_out("hoses of a rack", worst.flow_m3_s, hose_m, filled, plan, racks))
    return LoopRow(
        name="tcs", title="coolant (TCS)", liquid=filled, fluid=fluid, flow_m3_s=flow,
        running_m3_s=running, supply_c=temperatures_c[0], return_c=temperatures_c[1],
        stretches=tuple(stretches), parts=_rack_parts(plan, liquid),
        head_given_pa=head_pa, efficiency=None,
        other_volume_m3=racks * liquid.rack_volume_m3,
        expansion=expansion_of(fluid, plan.fill_c, temperatures_c[1]), outdoors=False,
    )  # fmt: skip


def heads_by_mount(
    plan: HydraulicsPlan, liquid: LiquidPlan, fluid: Fluid, flows_m3_s: tuple[float, float],
    temperatures_c: tuple[float, float],
) -> dict[str, float]:  # fmt: skip
    """Return the head of the coolant loop, its margin included, by where the CDUs stand."""
    return {
        mount: (1.0 + liquid.head_margin)
        * coolant_loop(plan, liquid, fluid, flows_m3_s, temperatures_c, mount, None).head_pa
        for mount in MOUNTS
    }


def _rack_parts(plan: HydraulicsPlan, liquid: LiquidPlan) -> tuple[PartDrop, ...]:
    """Return the drops of the rack that takes most head, its manifold and its valve."""
    found: list[tuple[PartDrop, ...]] = []
    for rack in liquid.racks:
        exponent = plan.components["rack without published drop"].exponent
        name = f"rack {rack.name}: cold plates and quick disconnects"
        parts = [PartDrop(name, rack.drop_pa, exponent, rack.drop_basis)]
        if not rack.with_manifold:
            parts.append(part_of(plan.components["rack manifold and hoses"], rack.flow_m3_s))
        parts.append(part_of(plan.components["balancing valve"], rack.flow_m3_s))
        found.append(tuple(parts))
    return max(found, key=lambda parts: sum(part.drop_pa for part in parts))


def _pumped(pump: Pump) -> tuple[float, float]:
    return pump.head_pa, pump.efficiency


def _facility_water(water: FacilityWater, plan: HydraulicsPlan, flow: CoolingFlow) -> LoopRow:
    supply_c, return_c = flow.fws_supply_c, flow.fws_return_c
    fluid, full = water.plan.fluid, water.pump.flow_m3_s
    filled = loop_liquid(fluid, supply_c, return_c, "fws")
    cdus = water.cdus
    each = full / max(cdus.duty, 1)
    unit, rated = cdus.plan.unit, plan.components["CDU, facility side"]
    if unit.model != _OWN_DROP:
        rated = replace(rated, flow_m3_s=unit.fws_flow_m3_s, source=_AS_KNOWN)
    outdoors = water.sink is not None and water.sink.plan.kind == "dry_cooler"
    others = ("control valve", "strainer", "dry cooler" if outdoors else "plate exchanger")
    length_m = 2.0 * plan.plant_route_m + (2.0 * plan.rejection_route_m if outdoors else 0.0)
    head_pa, efficiency = _pumped(water.pump.plan)
    return LoopRow(
        name="fws", title="facility water (FWS)", liquid=filled, fluid=fluid, flow_m3_s=full,
        running_m3_s=flow.fws_flow_m3_s, supply_c=supply_c, return_c=return_c,
        stretches=(
            laid_out("mains", full, length_m, filled, plan),
            laid_out("branch to a CDU", each, 2.0 * plan.branch_m, filled, plan, cdus.installed),
        ),
        parts=(part_of(rated, each), *parts_of(others, full, plan)),
        head_given_pa=head_pa, efficiency=efficiency, other_volume_m3=0.0,
        expansion=expansion_of(fluid, plan.fill_c, return_c), outdoors=outdoors,
    )  # fmt: skip


def _chilled_water(design: CoolingDesign, plan: HydraulicsPlan, flow: CoolingFlow) -> LoopRow:
    chilled, counts = design.chilled, design.counts
    fluid, full = chilled.plan.fluid, chilled.pump.flow_m3_s
    filled = loop_liquid(fluid, flow.chw_supply_c, flow.chw_return_c, "chw")
    doors = 0
    if design.chain.crah.path.door is not None:
        doors = round(sum(rack.count for rack in design.chain.racks if rack.air_w > 0.0))
    duty = max(counts.crah_duty + counts.crah_electrical_duty + doors, 1)
    installed = max(counts.crah + counts.crah_electrical + doors, 1)
    names = ("chiller, evaporator", "cooling coil", "control valve", "strainer")
    head_pa, efficiency = _pumped(chilled.pump.plan)
    return LoopRow(
        name="chw", title="chilled water", liquid=filled, fluid=fluid, flow_m3_s=full,
        running_m3_s=flow.chw_flow_m3_s, supply_c=flow.chw_supply_c, return_c=flow.chw_return_c,
        stretches=(
            laid_out("mains", full, 2.0 * plan.plant_route_m, filled, plan),
            laid_out("branch to a unit", full / duty, 2.0 * plan.branch_m, filled, plan, installed),
        ),
        parts=parts_of(names, full, plan), head_given_pa=head_pa, efficiency=efficiency,
        other_volume_m3=0.0, expansion=expansion_of(fluid, plan.fill_c, flow.chw_return_c),
        outdoors=False,
    )  # fmt: skip


def _condenser(chilled: ChilledWater, plan: HydraulicsPlan, flow: CoolingFlow) -> Iterator[LoopRow]:
    if chilled.sink.plan.kind == "air_cooled":
        return
    temperatures_c = (flow.condenser_in_c, flow.condenser_out_c)
    title = "condenser water of the chillers"
    yield _rejection(
        "cw", title, chilled.sink, "chiller, condenser", plan, temperatures_c,
        flow.condenser_flow_m3_s,
    )  # fmt: skip


def _rejection(
    name: str, title: str, sink: Sink, exchanger: str, plan: HydraulicsPlan,
    temperatures_c: tuple[float, float], running_m3_s: float,
) -> LoopRow:  # fmt: skip
    """Return the loop between an exchanger and the heat rejection."""
    supply_c, return_c = temperatures_c
    fluid = sink.plan.fluid
    filled = loop_liquid(fluid, supply_c, return_c, name)
    full = sink.heat_w / sink.liquid.rate_w_k(sink.range_k)
    names = [exchanger, "strainer"]
    tower = sink.plan.kind == "tower"
    names += ["cooling tower, lift", "cooling tower, nozzles"] if tower else ["dry cooler"]
    pump = sink.plan.pump
    return LoopRow(
        name=name, title=title, liquid=filled, fluid=fluid, flow_m3_s=full,
        running_m3_s=running_m3_s, supply_c=supply_c, return_c=return_c,
        stretches=(laid_out("mains", full, 2.0 * plan.rejection_route_m, filled, plan),),
        parts=parts_of(names, full, plan),
        head_given_pa=pump.head_pa if pump is not None else None,
        efficiency=pump.efficiency if pump is not None else None, other_volume_m3=0.0,
        expansion=expansion_of(fluid, plan.fill_c, return_c), outdoors=True,
    )  # fmt: skip


def _checks(
    loops: tuple[LoopRow, ...], plan: HydraulicsPlan, liquid: LiquidPlan | None,
    coldest_c: float | None,
) -> Iterator[Check]:  # fmt: skip
    for row in loops:
        if row.name == "tcs" and liquid is not None:
            yield _coolant_head(row, liquid)
        elif row.head_given_pa is not None:
            yield LIQUID_RULES["LOOP-HEAD"].compare(
                row.title, row.head_pa, "<=", row.head_given_pa, "pressure"
            )
        fastest = max(stretch.velocity_m_s() for stretch in row.stretches)
        yield LIQUID_RULES["PIPE-VELOCITY"].compare(
            row.title, fastest, "<=", plan.velocity_max_m_s, "velocity"
        )
        yield LIQUID_RULES["PIPE-AIR"].compare(
            row.title, row.main.velocity_m_s(), ">=", plan.velocity_min_m_s, "velocity"
        )
        if row.outdoors:
            yield _freeze(row, coldest_c)
    scaled = [part.name for row in loops for part in row.parts if part.basis == str(_AS_KNOWN)]
    recalled = ", ".join([*plan.from_memory, *scaled])
    yield LIQUID_RULES["HYDRAULICS-DATA"].verdict(
        "components and fittings of the loops", not recalled, f"recalled, not read: {recalled}"
    )


def _coolant_head(row: LoopRow, liquid: LiquidPlan) -> Check:
    rule, wanted_pa = LIQUID_RULES["TCS-HEAD"], row.head_pa * (1.0 + liquid.head_margin)
    if row.head_given_pa is None:
        return rule.not_evaluated(
            row.title, "the head that the CDU leaves outside it is not known (cooling.cdu.rating)"
        )
    return rule.compare(row.title, wanted_pa, "<=", row.head_given_pa, "pressure")


def _freeze(row: LoopRow, coldest_c: float | None) -> Check:
    is_open = any(part.name.startswith("cooling tower") for part in row.parts)
    rule = LIQUID_RULES["TOWER-FREEZE" if is_open else "COOLANT-FREEZE"]
    freezing_c = row.fluid.freezing_c
    if coldest_c is None:
        return rule.not_evaluated(row.title, "the coldest outdoor air is not known")
    if freezing_c is None:
        return rule.not_evaluated(row.title, f"the freezing point of {row.fluid.name} is unknown")
    return rule.compare(row.title, coldest_c, ">=", freezing_c, "temperature")
