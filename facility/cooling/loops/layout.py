"""Layout of the loops between plant and halls: facility, chilled, condenser and tower water.

Pumps without a stated head have the head of their loop, so that loops are laid out when the pumps
are sized. `hydraulics` reports the same loops, and lays out the coolant loop.
"""

from __future__ import annotations

from dataclasses import replace

from facility.cooling.loops.loop import (
    LoopRow,
    PartDrop,
    Stretch,
    expansion_of,
    laid_out,
    loop_liquid,
    part_of,
    parts_of,
)
from facility.cooling.parts.cdu import CduDesign
from facility.cooling.parts.fluids import drop_ratio
from facility.core.sources import Source
from facility.model.cooling.chain import ChilledWaterPlan, FacilityWaterPlan, SinkPlan
from facility.model.cooling.units import HydraulicsPlan

_OWN_DROP = "XDU1350"
AS_KNOWN = Source("modelica-buildings-cdu", "as the XDU1350 at its rated flow", "", "memory")
MIN_AUTHORITY = 0.25
"""Minimum valve authority: valve drop over drop of valve, unit and branch."""
_VALVE = "control valve"
_CONTROLLED = ("CDU, facility side", "cooling coil")
"""Units whose flow a control valve sets."""


def governed_pa(row: LoopRow) -> float | None:
    """Return the drop of unit and branch controlled by a valve; None without one [Pa]."""
    drops = {part.name: part.drop_pa for part in row.parts}
    unit = next((drops[name] for name in _CONTROLLED if name in drops), None)
    if unit is None or _VALVE not in drops:
        return None
    return unit + row.flows[-1].straight_pa + row.flows[-1].fittings_pa


def _with_valve(row: LoopRow, stated_pa: float | None) -> LoopRow:
    """Return the loop with its control valve as stated, else with at least `MIN_AUTHORITY`."""
    rest_pa = governed_pa(row)
    if rest_pa is None:
        return row
    min_pa = rest_pa * MIN_AUTHORITY / (1.0 - MIN_AUTHORITY)
    valve = next(part for part in row.parts if part.name == _VALVE)
    if stated_pa is not None:
        valve = PartDrop(_VALVE, stated_pa, "cooling.hydraulics.valve_drop")
    elif valve.drop_pa < min_pa:
        valve = PartDrop(_VALVE, min_pa, f"for an authority of {MIN_AUTHORITY:g}")
    parts = (valve if part.name == _VALVE else part for part in row.parts)
    return replace(row, parts=tuple(parts))


def facility_water_loop(
    water: FacilityWaterPlan, cdus: CduDesign, rise_k: float, plan: HydraulicsPlan
) -> LoopRow:
    """Return the loop between the CDUs and the facility water heat sink.

    water, cdus: The loop, and the units on it at their design flow.
    rise_k: Rise of the water at design.
    """
    supply_c, return_c, full = water.supply_c, water.supply_c + rise_k, cdus.fws_flow_m3_s
    filled = loop_liquid(water.fluid, supply_c, return_c, "fws")
    each = full / max(cdus.on_duty, 1)
    unit, rated = cdus.plan.unit, plan.components["CDU, facility side"]
    if unit.model != _OWN_DROP:
        rated = replace(rated, flow_m3_s=unit.fws_flow_m3_s, source=AS_KNOWN)
    outdoors = water.source == "dry_cooler"
    others = [_VALVE, "strainer", "dry cooler" if outdoors else "plate exchanger"]
    of_fluid = drop_ratio(water.fluid, plan.water, 0.5 * (supply_c + return_c))
    parts = [part_of(rated, each, "", of_fluid), *parts_of(others, full, plan, of_fluid)]
    if water.trim:
        exchanger = plan.components["plate exchanger"]
        parts.append(part_of(exchanger, full, "plate exchanger to the chilled water", of_fluid))
    length_m = 2.0 * plan.plant_route_m + (2.0 * plan.rejection_route_m if outdoors else 0.0)
    mains = laid_out("mains", full, length_m, filled, plan)
    row = LoopRow(
        name="fws",
        title="facility water (FWS)",
        liquid=filled,
        fluid=water.fluid,
        flow_m3_s=full,
        running_m3_s=full,
        supply_c=supply_c,
        return_c=return_c,
        stretches=(
            mains,
            laid_out("branch to a CDU", each, 2.0 * plan.branch_m, filled, plan, cdus.installed),
        ),
        parts=tuple(parts),
        head_given_pa=water.pump.head_pa,
        efficiency=water.pump.efficiency,
        other_volume_m3=second_route_m3(mains, plan),
        expansion=expansion_of(water.fluid, plan.fill_c, return_c),
        outdoors=outdoors,
    )
    return _with_valve(row, plan.valve_drop_pa)


def chilled_water_loop(
    chilled: ChilledWaterPlan, flow_m3_s: float, units: tuple[int, int], plan: HydraulicsPlan
) -> LoopRow:
    """Return the loop between the chillers and the coils.

    flow_m3_s: Flow at design.
    units: Units of the halls and doors, on duty and installed.
    """
    duty, installed = (max(count, 1) for count in units)
    return_c = chilled.return_c
    filled = loop_liquid(chilled.fluid, chilled.supply_c, return_c, "chw")
    names = ("chiller, evaporator", "cooling coil", _VALVE, "strainer")
    of_fluid = drop_ratio(chilled.fluid, plan.water, 0.5 * (chilled.supply_c + return_c))
    parts = list(parts_of(names, flow_m3_s, plan, of_fluid))
    if chilled.pump.extra_pa > 0.0:
        basis = "cooling.economizer.pressure_drop"
        parts.append(PartDrop("exchanger of the economizer", chilled.pump.extra_pa, basis))
    branch_m = 2.0 * plan.branch_m
    mains = laid_out("mains", flow_m3_s, 2.0 * plan.plant_route_m, filled, plan)
    row = LoopRow(
        name="chw",
        title="chilled water",
        liquid=filled,
        fluid=chilled.fluid,
        flow_m3_s=flow_m3_s,
        running_m3_s=flow_m3_s,
        supply_c=chilled.supply_c,
        return_c=return_c,
        stretches=(
            mains,
            laid_out("branch to a unit", flow_m3_s / duty, branch_m, filled, plan, installed),
        ),
        parts=tuple(parts),
        head_given_pa=chilled.pump.head_pa,
        efficiency=chilled.pump.efficiency,
        other_volume_m3=second_route_m3(mains, plan),
        expansion=expansion_of(chilled.fluid, plan.fill_c, return_c),
        outdoors=chilled.outdoors,
    )
    return _with_valve(row, plan.valve_drop_pa)


def second_route_m3(mains: Stretch, plan: HydraulicsPlan) -> float:
    """Return the volume of the second route of a ring or of dual headers [m3].

    Length and size equal the first route, which carries the full flow while the second is isolated.
    """
    if plan.header == "single":
        return 0.0
    return replace(mains, length_m=2.0 * plan.plant_route_m).volume_m3


def rejection_loop(
    name: str,
    sink: SinkPlan,
    flow_m3_s: float,
    temperatures_c: tuple[float, float],
    plan: HydraulicsPlan,
) -> LoopRow:
    """Return the loop between an exchanger and its heat rejection.

    name: ``cw``, condenser water of the chillers, or ``fws_tower``, downstream of the facility
        water.
    sink: Towers or dry coolers, and their pumps.
    flow_m3_s: Flow at design.
    temperatures_c: Water to the exchanger, and back from it.
    """
    supply_c, return_c = temperatures_c
    filled = loop_liquid(sink.fluid, supply_c, return_c, name)
    of_fluid = drop_ratio(sink.fluid, plan.water, 0.5 * (supply_c + return_c))
    condenser = name == "cw"
    names = ["chiller, condenser" if condenser else "plate exchanger", "strainer"]
    tower = sink.kind == "tower"
    names += ["cooling tower, lift", "cooling tower, nozzles"] if tower else ["dry cooler"]
    title = "condenser water of the chillers" if condenser else "tower water of the facility water"
    pump, mains_m = sink.pump, 2.0 * plan.rejection_route_m
    return LoopRow(
        name=name,
        title=title,
        liquid=filled,
        fluid=sink.fluid,
        flow_m3_s=flow_m3_s,
        running_m3_s=flow_m3_s,
        supply_c=supply_c,
        return_c=return_c,
        stretches=(laid_out("mains", flow_m3_s, mains_m, filled, plan),),
        parts=parts_of(names, flow_m3_s, plan, of_fluid),
        head_given_pa=pump.head_pa if pump is not None else None,
        efficiency=pump.efficiency if pump is not None else None,
        other_volume_m3=0.0,
        expansion=expansion_of(sink.fluid, plan.fill_c, return_c),
        outdoors=True,
    )
