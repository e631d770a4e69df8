"""Key numbers of a design."""

from __future__ import annotations

from facility.core.views import System
from facility.study.design.design import Design
from facility.ui.blocks.blocks import Kpi
from facility.ui.blocks.render import numbers

_YEAR: tuple[Kpi, ...] = (
    ("", "pue.annual", "pue.design", "Design hour {}"),
    ("Average monthly cost", "cost.month_estimate", "energy.annual", "{} per year"),
)
_ESTIMATE: tuple[Kpi, ...] = (
    ("PUE, design hour", "pue.design", "pue.estimate", "Mean weather {}"),
    ("Monthly cost, estimate", "cost.month_estimate", "energy.annual_estimate", "{} per year"),
)
_KPIS: tuple[Kpi, ...] = (
    ("IT load", "load.it", "load.racks", "{} racks"),
    ("Facility load", "load.facility", "load.cooling", "Cooling {}"),
    (
        "UPS loading, after design failure",
        "ups.loading_failure",
        "ups.loading_normal",
        "Normal {}, by kW",
    ),
    ("Air-side heat load", "heat.room", "heat.liquid", "To liquid {}"),
)


def key_numbers(design: Design, system: System) -> None:
    """Show the key numbers, from the annual simulation if there is one."""
    results = design.results
    if design.year is not None:
        results = results | design.year.results
    pue, cost = _YEAR if design.year is not None else _ESTIMATE
    load, facility, *rest = _KPIS
    numbers(results, (load, facility, pue, *rest, cost), "design-numbers", system)
