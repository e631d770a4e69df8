"""A comparison of ways to cool as the doors show it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from facility.core.check import Check
from facility.core.ledger import Assumption
from facility.core.views import System, view_value
from facility.model.inputs.document import project_sha256
from facility.report.sheet.grid import TextTable
from facility.report.studies.protocol import Object, Study
from facility.report.tables import compare as rows
from facility.study.compare.density import DensityCurve
from facility.study.compare.option import CoolingOption
from facility.study.compare.variants import OPTIONS
from facility.study.compare.ways import CoolingComparison

UNNAMED = "Unnamed project"


@dataclass(frozen=True)
class Comparison(Study):
    """Ways to cool the same racks, held against each other."""

    found: CoolingComparison
    verb = "compare"

    @property
    def project(self) -> Mapping[str, str]:
        """Name and hash."""
        project = self.found.project
        return {"name": project.project.name or UNNAMED, "sha256": project_sha256(project)}

    @property
    def results(self) -> Mapping[str, object]:
        """Results by way to cool; those promised that have no value are null."""
        return self.found.results.as_json() | null_keys(self.found)

    @property
    def checks(self) -> Sequence[Check]:
        """Checks of every way."""
        return self.found.checks

    @property
    def assumptions(self) -> Iterator[Assumption]:
        """What the comparison assumes beside its designs."""
        return iter(self.found.assumptions)

    @property
    def warnings(self) -> Sequence[str]:
        """What follows for the choice."""
        return list(rows.summary_lines(self.found))

    def lists(self) -> Mapping[str, Sequence[Object]]:
        """Return the ways to cool."""
        return {"options": [option_object(self.found, option) for option in self.found.options]}

    def tables(self, system: System) -> Iterator[TextTable]:
        """Return the ways, their power, density and cost."""
        found, density = self.found, f"{self.found.density_w / 1e3:,.1f} kW"
        title = f"Ways to cool the same racks ({density} in the densest compute rack)"
        power, dense = rows.power_rows(found, system), rows.density_rows(found, system)
        yield TextTable(title, rows.OPTION_HEADS, rows.option_rows(found, system))
        yield TextTable("Cooling power by part", rows.POWER_HEADS, power)
        yield TextTable("Rack density", rows.DENSITY_HEADS, dense)
        yield TextTable("Capital cost by part", rows.COST_HEADS, rows.cost_rows(found))

    def closing(self, system: System) -> Iterator[str]:
        """Return what is assumed, and what follows."""
        yield from rows.assumption_lines(self.found, system)
        yield from rows.summary_lines(self.found)


def option_object(comparison: CoolingComparison, option: CoolingOption) -> Object:
    """Return a way to cool as the JSON contract has it: powers in kW, areas in m2."""
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
                "usd": part.cost if option.cost.currency == "USD" else None,
                "cost": part.cost,
                "currency": option.cost.currency,
                "price_year": part.price_year,
                "why": part.why,
                "source": None if part.source is None else str(part.source),
            }
            for part in option.cost.parts
        ]
        if option.cost is not None
        else [],
        "curve": None if curve is None else _curve_object(curve),
    }


def _curve_object(curve: DensityCurve) -> Object:
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
