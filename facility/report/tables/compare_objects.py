"""Ways to cool as objects of the JSON contract."""

from __future__ import annotations

from typing import Any

from facility.core.views import view_value
from facility.study.compare.density import DensityCurve
from facility.study.compare.option import CoolingOption
from facility.study.compare.variants import OPTIONS
from facility.study.compare.ways import CoolingComparison


def option_object(comparison: CoolingComparison, option: CoolingOption) -> dict[str, Any]:
    """Return a way to cool as the JSON contract has it: powers in kW, areas in m2, costs in USD."""
    curve = next((c for c in comparison.curves if c.name == option.name), None)
    return {
        "id": option.name,
        "label": option.label,
        "own": option.own,
        "feasible": option.feasible,
        "reason": option.reason,
        "changes": list(option.changes),
        "cautions": [f"{c.rule}: {c.subject}: {c.why}" for c in option.cautions],
        "floor": [
            {
                "kind": part.kind,
                "units": part.units,
                "area": part.area_m2,
                "source": str(part.source),
            }
            for part in option.floor
        ],
        "cost": [
            {
                "part": part.part,
                "units": part.units,
                "usd": part.usd,
                "price_year": part.price_year,
                "why": part.why,
                "source": None if part.source is None else str(part.source),
            }
            for part in (option.cost.parts if option.cost is not None else ())
        ],
        "curve": None if curve is None else _curve_object(curve),
    }


def _curve_object(curve: DensityCurve) -> dict[str, Any]:
    return {
        "ends": None if curve.ends_w is None else view_value(curve.ends_w, "active_power"),
        "because": curve.because,
        "points": [
            {
                "density": view_value(point.density_w, "active_power"),
                "power": None
                if point.power_w is None
                else view_value(point.power_w, "active_power"),
            }
            for point in curve.points
        ],
    }


def null_keys(comparison: CoolingComparison) -> dict[str, None]:
    """Return the promised keys that have no value: those of refused ways, and no crossover."""
    keys = [f"option.{name}.{key}" for name in OPTIONS for key in ("pue", "power", "units")]
    return {key: None for key in (*keys, "crossover.density") if key not in comparison.results}
