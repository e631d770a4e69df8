"""The hydraulics of the loops, resolved: routes from the halls, pipes, components, limits."""

from __future__ import annotations

import math

from facility.catalogue import table
from facility.core.sources import DERIVED, Source
from facility.core.trace import Trace
from facility.model.cooling.hydraulics import Component, HydraulicsPlan, PipeSize
from facility.model.inputs.cooling.hydraulics import HydraulicsSection
from facility.model.it import ItPlan
from facility.study.resolve.criteria import given_or_assumed

_PRACTICE = Source("memory-cooling-practice", verified="memory")
_ID = "cooling.hydraulics"
_PLANT_M = 50.0
_REJECTION_M = 40.0
_BRANCH_M = 10.0
_HOSE_M = 3.0
_ELBOW_SPACING_M = 12.0
_ROUGHNESS_M = 45e-6
_VELOCITY_MIN_M_S, _VELOCITY_MAX_M_S = 1.2, 3.0
_GRADIENT_MAX_PA_M = 400.0
_FILL_C = 15.0
_ROW_PITCH_M = 2.7


def resolve_hydraulics(section: HydraulicsSection, plan: ItPlan, trace: Trace) -> HydraulicsPlan:
    """Return what the loops are laid out with; every length nobody gave is in the ledger.

    Parameters
    ----------
    section : HydraulicsSection
        What the project says.
    plan : ItPlan
        Halls and racks.
    trace : Trace
        Receives the givens and the defaults.
    """
    rows, tcs_m, plant_m, rejection_m = _routes(section, plan, trace)
    fittings = {str(row["fitting"]): row for row in table("cooling/pipe_fittings").rows}
    return HydraulicsPlan(
        tcs_route_m=tcs_m, row_pitch_m=_ROW_PITCH_M, rows=rows, plant_route_m=plant_m,
        rejection_route_m=rejection_m,
        branch_m=_assumed(trace, "branch", _BRANCH_M, "length", "from a header to one unit"),
        hose_m=_assumed(trace, "hose", _HOSE_M, "length", "from the header to one rack"),
        elbow_spacing_m=_assumed(
            trace, "elbow_spacing", _ELBOW_SPACING_M, "length",
            "one elbow on this length; and four tees, four valves, a check valve",
        ),
        roughness_m=given_or_assumed(
            trace, f"{_ID}.roughness", section.roughness, _ROUGHNESS_M, "length",
            "commercial steel; 1.5 um for plastic", _PRACTICE,
        ),
        velocity_min_m_s=_assumed(
            trace, "velocity_min", _VELOCITY_MIN_M_S, "velocity", "carries air along in the mains"
        ),
        velocity_max_m_s=given_or_assumed(
            trace, f"{_ID}.velocity_max", section.velocity_max, _VELOCITY_MAX_M_S, "velocity",
            "noise and erosion; the table of ASHRAE 90.1 goes by size", _PRACTICE,
        ),
        gradient_max_pa_m=given_or_assumed(
            trace, f"{_ID}.gradient_max", section.gradient_max, _GRADIENT_MAX_PA_M, "pressure",
            "on one metre of pipe", _PRACTICE,
        ),
        fill_c=_assumed(trace, "fill", _FILL_C, "temperature", "coolant when it is filled in"),
        sizes=_sizes(), components=component_drops(),
        fittings={n: row.si("length_over_diameter") for n, row in fittings.items()},
        from_memory=_recalled(),
    )  # fmt: skip


def _routes(
    section: HydraulicsSection, plan: ItPlan, trace: Trace
) -> tuple[int, float, float, float]:
    """Return the rows with liquid, and the routes of coolant, plant and heat rejection."""
    rows, header_m = _liquid_rows(plan)
    tcs_m = 0.0
    if rows:
        tcs_m = given_or_assumed(
            trace,
            f"{_ID}.tcs_route",
            section.tcs_route,
            header_m,
            "length",
            "CDUs at the end of the rows: the longest route along a row of racks",
            DERIVED,
        )
    largest_m2 = max(hall.floor_area_m2 for hall in plan.halls)
    plant_m = given_or_assumed(
        trace,
        f"{_ID}.plant_route",
        section.plant_route,
        _PLANT_M + 2.0 * math.sqrt(largest_m2),
        "length",
        f"{_PLANT_M:g} m from the plant to the hall and half of its perimeter",
        _PRACTICE,
    )
    rejection_m = given_or_assumed(
        trace,
        f"{_ID}.rejection_route",
        section.rejection_route,
        _REJECTION_M,
        "length",
        "from the plant to towers or dry coolers",
        _PRACTICE,
    )
    return rows, tcs_m, plant_m, rejection_m


def _recalled() -> tuple[str, ...]:
    drops, fittings = table("cooling/component_drops"), table("cooling/pipe_fittings")
    recalled = [str(row["component"]) for row in drops.rows if row.is_memory("drop_kpa")]
    recalled += [
        str(row["fitting"]) for row in fittings.rows if row.is_memory("length_over_diameter")
    ]
    return tuple(recalled)


def _assumed(trace: Trace, name: str, value: float, kind: str, basis: str) -> float:
    return trace.assume(f"{_ID}.{name}", value, kind, basis, _PRACTICE)


def _sizes() -> tuple[PipeSize, ...]:
    found = [
        PipeSize(row.integer("dn"), row.si("inside_diameter_mm"))
        for row in table("cooling/pipe_sizes").rows
    ]
    return tuple(sorted(found, key=lambda size: size.inside_m))


def component_drops() -> dict[str, Component]:
    """Return the pressure drops of the components of the loops by name."""
    return {
        str(row["component"]): Component(
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
