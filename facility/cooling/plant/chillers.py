"""Chillers at work: how many run, and their COP by the curve set of the machine."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from facility.catalogue import Row, table
from facility.core.rounding import whole_units, whole_units_each
from facility.model.cooling.chain import ChillerPlan
from facility.physics.elementwise import most, plain
from facility.physics.plant.chiller.curves import EirCurves
from facility.physics.plant.chiller.switched import LiftLimits, switched_hours

CURVE_SETS = "cooling/chillers_eir"
_LEAST_W = 1.0
"""Load of a chiller that has none: its COP there is that of its least part load."""


@dataclass(frozen=True)
class Chillers:
    """Duty chillers and the capacity of each at the design hour."""

    duty: int
    capacity_w: float

    def running(self, load_w: float, stage_up: float) -> int:
        """Return the fewest chillers with which none is loaded above `stage_up`.

        At the design load all duty chillers run, loaded as high as they are sized; compressors of
        CRACs are no chillers.
        """
        if self.duty == 0:
            return 0
        needed = load_w / (stage_up * self.capacity_w)
        if isinstance(needed, float):
            return min(self.duty, whole_units(needed))
        return np.minimum(whole_units_each(needed), self.duty)


def curves_of(plan: ChillerPlan, rated_w: float) -> EirCurves | None:
    """Return the curve set of one chiller of a rated capacity; None for the lift."""
    if plan.curves is None:
        return None
    found = eir_curves(table(CURVE_SETS).get(plan.curves))
    return replace(found, capacity_w=found.capacity_w * rated_w / plan.rated_w)


def capacity_ratio(plan: ChillerPlan, chilled_c: float, sink_c: float) -> float:
    """Return the capacity of a chiller at water temperatures over that of its rating.

    By its curves, at the edge of their box where the temperatures lie outside; 1 for the lift,
    which knows of none.
    """
    if plan.curves is None:
        return 1.0
    found = eir_curves(table(CURVE_SETS).get(plan.curves))
    return (
        found.at(chilled_c - plan.glycol_k, sink_c + plan.thin_air_k, 1.0).capacity_w / plan.rated_w
    )


def cop_by_curves(
    curves: EirCurves,
    plan: ChillerPlan,
    water_c: tuple[float, float],
    to_condensing_k: float,
    load_w: float,
    running: int,
) -> float:
    """Return the COP of chillers that share a load; beyond the box of their set by the lift.

    curves, plan: The set of one chiller, and what the lift model needs beside it.
    water_c: Leaving chilled water; entering condenser water or air.
    to_condensing_k: Condensing temperature above what enters the condenser.
    load_w, running: Heat they take together, and how many share it.
    """
    chilled_c, sink_c = water_c[0] - plan.glycol_k, water_c[1]
    limits = LiftLimits(
        plan.evaporator_approach_k - plan.glycol_k,
        to_condensing_k - plan.thin_air_k,
        plan.least_lift_k,
        plan.cop_limit,
    )
    each_w = most(load_w / most(running, 1), _LEAST_W)
    return plain(switched_hours(curves, limits, chilled_c, sink_c + plan.thin_air_k, each_w).cop)


def eir_curves(row: Row) -> EirCurves:
    """Return a curve set of the catalogue."""
    terms = ("1", "x", "x2", "y", "y2", "xy")
    return EirCurves(
        name=str(row["name"]),
        capacity_w=row.si("cap_ref_kw"),
        cop=row.si("cop_ref"),
        capacity_curve=tuple(row.si(f"capft_{term}") for term in terms),
        input_curve=tuple(row.si(f"eirft_{term}") for term in terms),
        part_load_curve=(row.si("eirfplr_1"), row.si("eirfplr_p"), row.si("eirfplr_p2")),
        box_chw_c=(row.si("x_min_c"), row.si("x_max_c")),
        box_condenser_c=(row.si("y_min_c"), row.si("y_max_c")),
        box_plr=(row.si("plr_min"), row.si("plr_max")),
    )
