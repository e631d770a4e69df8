"""Plant options, resolved: curve sets of chillers."""

from __future__ import annotations

from facility.catalogue import Row
from facility.physics.chiller_reformulated import ReformulatedCurves

_TERMS = ("1", "x", "x2", "y", "y2", "xy")
_PART_LOAD_TERMS = (*_TERMS, "x3", "y3", "x2y", "xy2")


def reformulated_curves(row: Row) -> ReformulatedCurves:
    """Return a curve set of the table ``cooling/chillers_reformulated_eir``."""
    return ReformulatedCurves(
        name=str(row["name"]), capacity_w=row.si("cap_ref_kw"), cop=row.si("cop_ref"),
        capacity_curve=tuple(row.si(f"capft_{term}") for term in _TERMS),
        input_curve=tuple(row.si(f"eirft_{term}") for term in _TERMS),
        part_load_curve=tuple(row.si(f"eirfplr_{term}") for term in _PART_LOAD_TERMS),
        box_chw_c=(row.si("x_min_c"), row.si("x_max_c")),
        box_leaving_c=(row.si("y_min_c"), row.si("y_max_c")),
        box_plr=(row.si("plr_min"), row.si("plr_max")),
    )  # fmt: skip
