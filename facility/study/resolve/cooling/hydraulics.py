"""The hydraulics of the loops, resolved: routes from the halls, pipes, components, limits."""

from __future__ import annotations

import math

from facility.catalogue import table
from facility.core.errors import FacilityError
from facility.core.trace import Trace
from facility.core.views import show_exact
from facility.model.cooling.units import Header, HydraulicsPlan, PipeSize, RatedDrop, Spares
from facility.model.facility import Goal
from facility.model.inputs.cooling.hydraulics import HydraulicsSection
from facility.model.it import ItPlan
from facility.study.resolve.cooling.parts import known_fluid
from facility.study.resolve.reader import Reader

_PLANT_M = 50.0


def resolve_hydraulics(
    given: HydraulicsSection | None, plan: ItPlan, spares: Spares, goal: Goal, trace: Trace
) -> HydraulicsPlan:
    """Return the basis of the loop layout; every default length is in the ledger.

    spares: Redundancy of the units of the halls, which determines the water headers.
    goal: Required availability, which determines the coolant headers.

    Raises ``CONTRADICTION`` for velocity_min above velocity_max, and ``HEADER_VALVES``.
    """
    section = given or HydraulicsSection.unstated()
    read = Reader(section, "cooling.hydraulics", trace)
    min_m_s, max_m_s = read("velocity_min"), read("velocity_max")
    if min_m_s > max_m_s:
        raise FacilityError(
            "CONTRADICTION",
            "cooling.hydraulics.velocity_min",
            f"velocity_min ({show_exact(min_m_s, 'velocity')}) is above velocity_max"
            f" ({show_exact(max_m_s, 'velocity')}).",
            "Enter a velocity_min below velocity_max.",
        )
    rows, header_m = _liquid_rows(plan)
    of_coolant = read if rows else Reader(section, "", Trace())
    fittings = {str(row["fitting"]): row for row in table("cooling/pipe_fittings").rows}
    largest_m2 = max(hall.floor_area_m2 for hall in plan.halls)
    found = [
        PipeSize(row.integer("dn"), row.si("inside_diameter_mm"))
        for row in table("cooling/pipe_sizes").rows
    ]
    return HydraulicsPlan(
        tcs_route_m=read("tcs_route", header_m) if rows else 0.0,
        row_pitch_m=max(hall.row_pitch_m for hall in plan.halls),
        rows=rows,
        plant_route_m=read("plant_route", _PLANT_M + 2.0 * math.sqrt(largest_m2)),
        rejection_route_m=read("rejection_route"),
        branch_m=read("branch"),
        hose_m=of_coolant("hose"),
        elbow_spacing_m=read("elbow_spacing"),
        roughness_m=read("roughness"),
        velocity_min_m_s=min_m_s,
        velocity_max_m_s=max_m_s,
        gradient_max_pa_m=read("gradient_max"),
        fill_c=read("fill"),
        sizes=tuple(sorted(found, key=lambda size: size.inside_m)),
        components=component_drops(),
        fittings={n: row.si("length_over_diameter") for n, row in fittings.items()},
        from_memory=_recalled(),
        water=known_fluid("water"),
        header=_header(section, spares, read),
        header_valves=read.flag("header_valves"),
        header_m=2.0 * math.sqrt(largest_m2),
        pump_shutoff=read("pump_shutoff"),
        tcs_header=_coolant_header(section, goal, of_coolant),
        valve_drop_pa=read.given("valve_drop"),
        design_pressure_pa=read.given("design_pressure"),
    )


def _header(section: HydraulicsSection, spares: Spares, read: Reader) -> Header:
    """Return the arrangement of the headers, as stated or from the unit redundancy."""
    usual: Header = "dual" if spares.doubled else "ring" if spares.spare else "single"
    words = f"for {spares.name} (cooling.crah.redundancy)"
    header: Header = read.word("header", section.header, usual, words)
    basis = "stated" if section.header is not None else words
    remedy = "Set header_valves to true, or header to single and cooling.crah.redundancy to N."
    _need_valves(section, "header", f"{header} ({basis})", header, remedy)
    return header


def _coolant_header(section: HydraulicsSection, goal: Goal, read: Reader) -> Header:
    """Return the arrangement of the coolant headers, as stated or as the goal requires."""
    required = goal.maintainable and goal.cooling
    words = "header fed by the CDUs from one end"
    if required:
        words = f"for {goal.availability} (criteria.availability_goal)"
    usual: Header = "dual" if required else "single"
    header: Header = read.word("tcs_header", section.tcs_header, usual, words)
    basis = "stated" if section.tcs_header is not None else words
    remedy = "Set header_valves to true, or tcs_header to single without such a goal."
    _need_valves(section, "tcs_header", f"{header} ({basis})", header, remedy)
    return header


def _need_valves(
    section: HydraulicsSection, field: str, stated: str, header: Header, remedy: str
) -> None:
    """Reject headers requiring isolation of single sections without valves."""
    if section.header_valves is not False or header == "single":
        return
    raise FacilityError(
        "HEADER_VALVES",
        "cooling.hydraulics.header_valves",
        f"there are no isolation valves, but cooling.hydraulics.{field} is {stated}: "
        "single sections cannot be isolated.",
        remedy,
    )


def _recalled() -> tuple[str, ...]:
    drops, fittings = table("cooling/component_drops"), table("cooling/pipe_fittings")
    recalled = [str(row["component"]) for row in drops.rows if row.is_memory("drop_kpa")]
    recalled += [
        str(row["fitting"]) for row in fittings.rows if row.is_memory("length_over_diameter")
    ]
    return tuple(recalled)


def component_drops() -> dict[str, RatedDrop]:
    """Return the pressure drops of the components of the loops by name."""
    return {
        str(row["component"]): RatedDrop(
            str(row["component"]),
            row.si("drop_kpa"),
            row.si_or_none("rated_flow_l_min"),
            float(row.require("flow_exponent")),
            row.cite("drop_kpa"),
        )
        for row in table("cooling/component_drops").rows
    }


def _liquid_rows(plan: ItPlan) -> tuple[int, float]:
    """Return the rows with racks cooled by liquid, and the longest route along one."""
    rows, longest_m = 0, 0.0
    for hall in plan.halls:
        racks = [rack for rack in plan.racks if rack.hall == hall.name]
        liquid = sum(rack.count for rack in racks if rack.liquid_w > 0.0)
        if liquid:
            per_row = math.ceil(sum(rack.count for rack in racks) / hall.rows)
            rows += math.ceil(liquid / per_row)
            longest_m = max(longest_m, hall.route_max_m)
    return rows, longest_m
