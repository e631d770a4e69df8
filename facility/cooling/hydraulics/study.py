"""Hydraulics of all loops: pipes, heads vs. pump heads, volumes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from facility.cooling.chain.flow import CoolingDesign, CoolingFlow
from facility.cooling.liquid.selection import MOUNTS, mount_of
from facility.cooling.loops.layout import AS_KNOWN, MIN_AUTHORITY, governed_pa
from facility.cooling.loops.loop import (
    LoopRow,
    PartDrop,
    Stretch,
    expansion_of,
    laid_out,
    loop_liquid,
    part_of,
)
from facility.cooling.plant.rejection import Rejection
from facility.cooling.rules import RULES
from facility.core.check import Check, Rule
from facility.core.rounding import argmax_within_rounding
from facility.core.table import Value
from facility.core.trace import Findings, Trace
from facility.core.views import show
from facility.model.cooling.liquid import LiquidPlan
from facility.model.cooling.units import Fluid, HydraulicsPlan
from facility.model.facility import Site
from facility.physics.plant.fans_pumps import pump_power

_COIL_REMEDY = (
    "Increase the glycol concentration (cooling.plant.fluid), drain or heat-trace evaporators, "
    "coils and pipes "
    "outdoors, or keep the chilled water indoors (cooling.plant.heat_rejection: dry_cooler or "
    "tower, with a plate exchanger instead of a coil)."
)


@dataclass(frozen=True)
class Hydraulics:
    """The loops as laid out, their checks, and results by dotted key with their trace."""

    loops: tuple[LoopRow, ...]
    checks: tuple[Check, ...]
    results: dict[str, Value]
    trace: Trace

    def loop(self, name: str) -> LoopRow | None:
        """Return the loop `name`: tcs, fws, fws_tower, chw or cw; None if absent."""
        return next((row for row in self.loops if row.name == name), None)


def study_hydraulics(
    design: CoolingDesign, flow: CoolingFlow, site: Site | None, trace: Trace
) -> Hydraulics:
    """Return the hydraulics of a finished cooling design.

    design, flow: The cooling as sized, and at the design hour.
    site: Coldest outdoor air; None without a freeze check.

    Raises ``LOOP_TEMPERATURES`` and ``OUT_OF_RANGE`` with the loop name, ``PIPE_TOO_SMALL``.
    """
    loops = tuple(_loops(design, flow))
    results: dict[str, Value] = {}
    for row in loops:
        results |= _results(row, trace)
    checks = tuple(_checks(loops, design.chain.hydraulics, design.chain.liquid, site))
    return Hydraulics(loops, checks, results, trace)


def _results(row: LoopRow, trace: Trace) -> dict[str, Value]:
    """Return the results of a loop, each a step of the trace."""
    found, id, idle = Findings(trace), row.id, row.running_m3_s == 0.0
    hour = "no flow in the design hour" if idle else "design hour"
    found.note(f"{id}.flow", row.flow_m3_s, "liquid_flow", row.title)
    found.note(f"{id}.supply", row.supply_c, "temperature", hour)
    found.note(f"{id}.return", row.return_c, "temperature", hour)
    row.head(trace)
    found.show(f"{id}.head")
    main = row.main
    at = row.pipe_id(main)
    found.note(f"{id}.velocity", trace.value(f"{at}.velocity"), "velocity", main.name,
               velocity=f"{at}.velocity")  # fmt: skip
    found.note(f"{id}.dn", main.size.dn, "count", "nominal size of the mains")
    found.note(f"{id}.pipes", main.pipes, "count", "parallel mains")
    words = "cross-section times length of all pipes, second header routes, and racks"
    trace.derive(f"{id}.volume", row.volume_m3, "volume", words)
    found.show(f"{id}.volume", "pipes and racks; equipment not included")
    words = "density at filling over density at the return, less one, times the volume"
    trace.derive(f"{id}.expansion", row.expansion_m3, "volume", words, volume=f"{id}.volume")
    found.show(f"{id}.expansion", "from filling to return temperature")
    if row.efficiency is not None or row.head_given_pa is not None:
        words = "pump head from loop layout"
        if row.head_given_pa is not None:
            words = "external head of the CDU" if id == "loop.tcs" else "pump head as stated"
        found.note(f"{id}.head_given", row.pump_head_pa, "pressure", words)
    if row.efficiency is not None:
        found.do(f"{id}.pump_power", pump_power, "at design flow", head_pa=f"{id}.head",
                 flow_m3_s=f"{id}.flow", efficiency=row.efficiency)  # fmt: skip
    return found.results


def _loops(design: CoolingDesign, flow: CoolingFlow) -> Iterator[LoopRow]:
    plan, liquid, cdus = design.chain.hydraulics, design.chain.liquid, design.cdus
    if liquid is not None and cdus is not None:
        yield coolant_loop(
            plan,
            liquid,
            cdus.plan.fluid,
            (cdus.tcs_flow_m3_s, flow.tcs_flow_m3_s),
            (flow.tcs_supply_c, flow.tcs_return_c),
            mount_of(liquid.own(cdus.plan.unit)),
            cdus.plan.unit.head_pa,
        )
    water, chilled = design.water, design.chilled
    if water is not None:
        yield water.loop.at_work(flow.fws_flow_m3_s, flow.fws_supply_c, flow.fws_return_c)
        sink = water.sink
        if sink is not None and sink.loop is not None:
            yield _rejecting(sink.loop, flow.fws_rejection)
    if chilled.loop is not None:
        yield chilled.loop.at_work(flow.chw_flow_m3_s, flow.chw_supply_c, flow.chw_return_c)
    if chilled.sink.loop is not None:
        ends_c = (flow.condenser_in_c, flow.condenser_out_c)
        yield chilled.sink.loop.at_work(flow.condenser_flow_m3_s, *ends_c)


def _rejecting(loop: LoopRow, rejection: Rejection | None) -> LoopRow:
    """Return the loop of the heat rejection of facility water, idle without heat."""
    if rejection is None:
        return replace(loop, running_m3_s=0.0)
    cold_c, flow = rejection.water.leaving_c, rejection.flow_m3_s
    return loop.at_work(flow, cold_c, cold_c + rejection.whole_w / loop.liquid.rate_w_k(flow))


def coolant_loop(
    plan: HydraulicsPlan,
    liquid: LiquidPlan,
    fluid: Fluid,
    flows_m3_s: tuple[float, float],
    temperatures_c: tuple[float, float],
    mount: str,
    head_pa: float | None,
) -> LoopRow:
    """Return the coolant loop between the CDUs and the worst rack.

    In-row CDUs supply a header along their row, perimeter CDUs also a header across the rows,
    in-rack CDUs only the hoses of the rack.

    plan, liquid: Pipes and racks.
    flows_m3_s, temperatures_c: Flow at design and at the design hour; supply and return.
    mount: CDU mounting: in-rack, in-row or row/perimeter.
    head_pa: External head of the CDUs.
    """
    flow, running = flows_m3_s
    filled = loop_liquid(fluid, *temperatures_c, "tcs")
    worst = liquid.racks[argmax_within_rounding([rack.flow_m3_s for rack in liquid.racks])]
    racks = sum(rack.count for rack in liquid.racks)
    stretches: list[Stretch] = []
    if mount != "in-rack":
        if mount == "row/perimeter" and plan.rows > 1:
            across_m = 2.0 * (plan.rows - 1) * plan.row_pitch_m
            stretches.append(laid_out("header across the rows", flow, across_m, filled, plan))
        stretches.append(
            laid_out(
                "header along a row",
                flow / plan.rows,
                2.0 * plan.tcs_route_m,
                filled,
                plan,
                plan.rows,
            )
        )
    # The second route of coolant headers is identical to the first.
    routes = 0.0 if plan.tcs_header == "single" else 1.0
    second_m3 = routes * sum(header.volume_m3 for header in stretches)
    hose_m = 2.0 * plan.hose_m
    stretches.append(laid_out("hoses of a rack", worst.flow_m3_s, hose_m, filled, plan, racks))
    return LoopRow(
        name="tcs",
        title="coolant (TCS)",
        liquid=filled,
        fluid=fluid,
        flow_m3_s=flow,
        running_m3_s=running,
        supply_c=temperatures_c[0],
        return_c=temperatures_c[1],
        stretches=tuple(stretches),
        parts=_rack_parts(plan, liquid),
        head_given_pa=head_pa,
        efficiency=None,
        other_volume_m3=racks * liquid.rack_volume_m3 + second_m3,
        expansion=expansion_of(fluid, plan.fill_c, temperatures_c[1]),
        outdoors=False,
    )


def heads_by_mount(
    plan: HydraulicsPlan,
    liquid: LiquidPlan,
    fluid: Fluid,
    flows_m3_s: tuple[float, float],
    temperatures_c: tuple[float, float],
) -> dict[str, float]:
    """Return the head of the coolant loop, including margin, by CDU mounting."""
    return {
        mount: (1.0 + liquid.head_margin)
        * coolant_loop(plan, liquid, fluid, flows_m3_s, temperatures_c, mount, None).head_pa
        for mount in MOUNTS
    }


def _rack_parts(plan: HydraulicsPlan, liquid: LiquidPlan) -> tuple[PartDrop, ...]:
    """Return the drops of the rack with the highest head, its manifold and its valve."""
    found: list[tuple[PartDrop, ...]] = []
    for rack in liquid.racks:
        name = f"rack {rack.name}: cold plates and quick disconnects"
        parts = [PartDrop(name, rack.drop_pa, rack.drop_basis)]
        if not rack.with_manifold:
            manifold = part_of(plan.components["rack manifold and hoses"], rack.flow_m3_s)
            parts.append(replace(manifold, drop_pa=manifold.drop_pa * rack.of_fluid))
        parts.append(part_of(plan.components["balancing valve"], rack.flow_m3_s))
        found.append(tuple(parts))
    return found[argmax_within_rounding([sum(part.drop_pa for part in parts) for parts in found])]


def _checks(
    loops: tuple[LoopRow, ...], plan: HydraulicsPlan, liquid: LiquidPlan | None, site: Site | None
) -> Iterator[Check]:
    for row in loops:
        if row.name == "tcs" and liquid is not None:
            yield _coolant_head(row, liquid)
        else:
            yield from RULES.checks(row)
        yield from _authority(row)
        fastest = max(flow.velocity_m_s for flow in row.flows)
        yield RULES["PIPE-VELOCITY"].at_most(row.title, fastest, plan.velocity_max_m_s, "velocity")
        yield RULES["PIPE-AIR"].at_least(
            row.title, row.flows[0].velocity_m_s, plan.velocity_min_m_s, "velocity"
        )
        if row.outdoors and site is not None:
            yield _freeze(row, site)
    if not loops:
        return
    scaled = [part.name for row in loops for part in row.parts if part.basis == str(AS_KNOWN)]
    recalled = ", ".join([*plan.from_memory, *scaled])
    yield RULES["HYDRAULICS-DATA"].verdict(
        "components and fittings of the loops", not recalled, f"unverified: {recalled}"
    )


def _authority(row: LoopRow) -> Iterator[Check]:
    """Yield the authority of the control valve over unit and branch (two-way valves, full flow).

    N = valve / (valve + unit + branch): the total drop controlled by the valve.
    """
    rest_pa = governed_pa(row)
    if rest_pa is None:
        return
    valve_pa = next(part.drop_pa for part in row.parts if part.name == "control valve")
    sensible = show(rest_pa * MIN_AUTHORITY / (1.0 - MIN_AUTHORITY), "pressure")
    found = valve_pa / (valve_pa + rest_pa)
    yield RULES["VALVE-AUTHORITY"].at_least(
        row.title,
        found,
        MIN_AUTHORITY,
        "fraction",
        f"valve {show(valve_pa, 'pressure')}, unit and branch {show(rest_pa, 'pressure')}; "
        f"recommended valve drop: {sensible} or more",
    )


def _coolant_head(row: LoopRow, liquid: LiquidPlan) -> Check:
    rule, required_pa = RULES["TCS-HEAD"], row.head_pa * (1.0 + liquid.head_margin)
    if row.head_given_pa is None:
        return rule.not_evaluated(
            row.title, "the external head of the CDU is unknown (cooling.cdu.rating)"
        )
    return rule.at_most(row.title, required_pa, row.head_given_pa, "pressure")


def _freeze(row: LoopRow, site: Site) -> Check:
    is_open = any(part.name.startswith("cooling tower") for part in row.parts)
    rule = RULES["TOWER-FREEZE" if is_open else "COOLANT-FREEZE"]
    check = _against_frost(rule, row, site)
    return replace(check, remedy=_COIL_REMEDY) if row.name == "chw" and check.remedy else check


def _against_frost(rule: Rule, row: LoopRow, site: Site) -> Check:
    """Return the check; the coldest hour can prove freezing, not its absence."""
    freezing_c, hour_c = row.fluid.freezing_c, site.coldest_hour_c
    if site.coldest_c is None and hour_c is None:
        return rule.not_evaluated(
            row.title, "the 20-year minimum dry bulb is unknown: site.coldest_dry_bulb"
        )
    if freezing_c is None:
        return rule.not_evaluated(row.title, f"the freezing point of {row.fluid.name} is unknown")
    if site.coldest_c is not None:
        return rule.at_least(row.title, site.coldest_c, freezing_c, "temperature")
    hour_c = float(hour_c or 0.0)
    unknown = "the 20-year minimum dry bulb is unknown"
    hour = f"coldest hour of the weather record, {show(hour_c, 'temperature')}"
    check = rule.at_least(row.title, hour_c, freezing_c, "temperature", f"{hour}; {unknown}")
    return (
        check
        if check.failed
        else rule.not_evaluated(row.title, f"{unknown}; passed for the {hour}")
    )
