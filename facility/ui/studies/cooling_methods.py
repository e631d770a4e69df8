"""Cooling comparison: five cooling methods for the same racks, and the crossover density."""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast

from facility.core.views import System, show
from facility.report.book.record import ASSUMPTIONS
from facility.report.drawings.charts.compare import power_by_method, power_over_density
from facility.report.studies.compare import Comparison
from facility.report.why.known import known
from facility.report.why.pages import of_comparison
from facility.study.compare.ways import CoolingComparison
from facility.study.design.design import Design
from facility.ui.blocks.blocks import (
    Beside,
    Block,
    ChartBlock,
    DisplayTable,
    NumberCell,
    Numbers,
    Tabs,
    TextBlock,
    cell,
    loading,
)
from facility.ui.studies import lines, requests
from facility.ui.studies.frame import StudyView

_FIVE = (
    "Perimeter air handlers, in-row coolers, rear-door coolers, liquid with residual air cooling, "
    "and full liquid cooling. Each method is designed for the racks of this project, checked "
    "against its limits, and evaluated over a range of rack densities. A method that exceeds a "
    "limit is marked not feasible, with that limit."
)


_SETTINGS = (
    ("GPU", "it.gpu_model"),
    ("Cooling method of the project", "cooling.method"),
    ("Weather", "site.station"),
    ("Supply air", "cooling.supply_air"),
)
_KEY = "cooling"


def _cells(comparison: CoolingComparison, system: System) -> list[NumberCell]:
    turn, results = comparison.crossover, comparison.results
    feasible = [option for option in comparison.options if option.feasible]
    density = show(comparison.density_w, "active_power", system)
    at = "None" if turn.density_w is None else show(turn.density_w, "active_power", system)
    key = "crossover.because" if turn.density_w is None else "crossover.density"
    per_rack = "IT power per rack"
    cells = [
        cell(
            "Feasible cooling methods",
            f"{len(feasible)} of {len(comparison.options)}",
            "At the project rack density",
            why="option.feasible",
        ),
        cell("Highest rack density", density, f"{per_rack}, this project", why="density.project"),
        cell("Crossover, air to liquid", at, per_rack, why=key),
    ]
    if feasible:
        best = min(feasible, key=lambda option: results[f"option.{option.name}.power"].si)
        key = f"option.{best.name}.power"
        cells.append(cell("Lowest cooling power", results[key].shown(system), best.label, why=key))
    return cells


def _refusals(comparison: CoolingComparison) -> Iterator[TextBlock]:
    """Yield the infeasible methods with their reasons."""
    refused: dict[str, list[str]] = {}
    for option in comparison.options:
        if not option.feasible:
            refused.setdefault(option.reason, []).append(option.label)
    for reason, labels in refused.items():
        yield TextBlock(reason, f"Not feasible: {'; '.join(labels)}", "over")


def _charts(comparison: CoolingComparison) -> Beside:
    designs = {str(one.name): one.design for one in comparison.options if one.design is not None}
    return Beside(
        (
            ChartBlock(
                "Cooling power by equipment",
                power_by_method(comparison),
                "compare-power",
                "Bar chart: cooling power of each feasible method by equipment",
                page=lambda way: known(designs[way]) if way else of_comparison(comparison),
            ),
            ChartBlock(
                "Cooling power vs. rack density",
                power_over_density(comparison),
                "compare-density",
                "Line chart: cooling power of each method vs. power per rack",
                "A cross at the end of a line: above this density the method exceeds a "
                "limit. Total rack heat is constant, so a higher density means fewer racks.",
                of_comparison(comparison),
            ),
        )
    )


def _blocks(design: Design, system: System) -> Iterator[Block]:
    """Yield the comparison of cooling methods."""
    run = requests.requested(_KEY)
    found = run and requests.result(run, "comparison of cooling methods")
    if found is None:
        yield loading(("Feasible cooling methods", "Crossover, air to liquid"), "compare-loading")
        yield TextBlock(_FIVE)
        return
    comparison = cast(CoolingComparison, found)
    page, study = of_comparison(comparison), Comparison(comparison)
    yield Numbers(_cells(comparison, system), "compare-numbers", page)
    yield TextBlock(f"Crossover: {comparison.crossover.because}.".replace("..", "."))
    yield _charts(comparison)
    ways, *details = study.tables(system)
    yield DisplayTable(ways, "compare-options", page)
    yield from _refusals(comparison)
    assumed = ASSUMPTIONS.text(study.assumptions, system, *study.warnings)
    yield Tabs([*details, assumed], "compare", page)
    yield TextBlock(_FIVE)


def _request() -> None:
    requests.request(_KEY, "cooling methods")


def _line(found: object) -> str:
    options = cast(CoolingComparison, found).options
    return f"{sum(option.feasible for option in options)} of {len(options)} methods feasible"


COOLING = StudyView(
    _KEY,
    "Cooling comparison",
    _blocks,
    lambda: lines.of_request(_KEY, "Air vs. four other methods", _line),
    _SETTINGS,
    request=_request,
)
