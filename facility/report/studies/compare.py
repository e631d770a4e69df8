"""Presentation of cooling-method and scenario comparisons: tables and JSON."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from facility.core.check import Check, Severity, counted
from facility.core.kinds import KINDS, money_kind, value_in
from facility.core.ledger import Assumption
from facility.core.table import Results, Value
from facility.core.views import System, show, view_value
from facility.model.cooling.air import TERMINAL_NAMES
from facility.report.book import scenarios as tables
from facility.report.sheet.grid import Amount, GridValue, TextTable
from facility.report.studies.protocol import Object, Study, identity_of, notices_of_project
from facility.report.tables.verdict import findings
from facility.study.compare.density import DENSITIES_W, DensityCurve
from facility.study.compare.option import CoolingOption
from facility.study.compare.parts import POWER_PARTS, part_id, part_powers
from facility.study.compare.variants import OPTIONS
from facility.study.compare.ways import CoolingComparison
from facility.study.scenarios import Scenarios

_Row = tuple[GridValue, ...]
_OPTION_FIGURES = ("Cooling", "Feasible", "Units", "Cooling power", "Design PUE", "Water", "Floor")
OPTION_HEADS = (*_OPTION_FIGURES, "Priced cost", "Unpriced items")
_OF_OPTION = {
    "Units": "units",
    "Cooling power": "power",
    "Design PUE": "pue",
    "Water": "water",
    "Floor": "floor",
    "Priced cost": "cost.known",
    "Unpriced items": "cost.lacks",
}
_UNKNOWN = "-"
_UNIT_WORDS = {
    "crah": ("air handler", "air handlers"),
    "in_row": ("in-row cooler", "in-row coolers"),
    "doors": ("rear door", "rear doors"),
    "cdu": ("CDU", "CDUs"),
    "electrical_crah": ("electrical-room CRAH", "electrical-room CRAHs"),
    "chillers": ("chiller", "chillers"),
    "rejection": ("heat-rejection unit", "heat-rejection units"),
    "fws_rejection": ("facility-water heat-rejection unit", "facility-water heat-rejection units"),
}


def option_table(comparison: CoolingComparison, system: System = "si") -> TextTable:
    """Return the cooling methods, one row each; without cost columns if no cost is known."""
    density = f"{comparison.density_w / 1e3:,.1f} kW"
    title = f"Cooling methods for the same racks ({density} in the densest compute rack)"
    heads = _OPTION_FIGURES if unpriced(comparison) else OPTION_HEADS
    rows = (row[: len(heads)] for row in option_rows(comparison, system))
    keys = [option_keys(option) for option in comparison.options]
    return TextTable.of(title, heads, rows, system, keys)


def unpriced(comparison: CoolingComparison) -> str:
    """Return why no part of any method has a price; empty if one has."""
    parts = [part for option in comparison.options if option.cost for part in option.cost.parts]
    if any(part.cost is not None for part in parts):
        return ""
    return next((part.why for part in parts), "")


def option_rows(comparison: CoolingComparison, system: System = "si") -> Iterator[_Row]:
    """Yield one row of text per cooling method, under `OPTION_HEADS`."""
    for option in comparison.options:
        name = f"{option.label} (project)" if option.own else option.label
        if not option.feasible or option.design is None:
            yield (name, "no", *[_UNKNOWN] * (len(OPTION_HEADS) - 2))
            continue
        yield (name, "yes", _units(option), *_figures(option, system), *_cost(option))


def option_keys(option: CoolingOption) -> dict[str, str]:
    """Return the result ids of a cooling method by heading."""
    heads = _OF_OPTION if option.feasible else {"Feasible": "reason"}
    return {head: f"option.{option.name}.{name}" for head, name in heads.items()}


def _units(option: CoolingOption) -> str:
    words = ", ".join(
        f"{count} {_UNIT_WORDS[kind][count != 1]}" for kind, count in option.units.items()
    )
    direct = option.design is not None and option.design.cooling.chilled.plan.direct
    return words.replace(TERMINAL_NAMES["crah"], TERMINAL_NAMES["crac"]) if direct else words


def _figures(option: CoolingOption, system: System) -> _Row:
    assert option.design is not None
    assert option.water is not None
    point = option.design.point
    areas = [part.area_m2 for part in option.floor]
    known = [area for area in areas if area is not None]
    litres_h = value_in(KINDS["liquid_flow"], option.water.makeup_m3_s, "L/h")
    water = (
        f"{litres_h:,.0f} L/h"
        if system == "si"
        else show(option.water.makeup_m3_s, "liquid_flow", system)
    )
    return (
        Amount(point.cooling.power.total_w, "active_power"),
        Amount(point.facility_w / point.demand.it_w, "ratio"),
        water,
        Amount(sum(known), "area") if len(known) == len(areas) else _UNKNOWN,
    )


def _cost(option: CoolingOption) -> _Row:
    assert option.cost is not None
    money = money_kind(option.cost.currency)
    known = Amount(option.cost.known, money) if option.cost.is_known else _UNKNOWN
    return known, ", ".join(option.cost.unpriced) or "none"


def power_table(comparison: CoolingComparison, system: System = "si") -> TextTable:
    """Return the power by part of each feasible cooling method."""
    found = _feasible(comparison)
    rows: list[_Row] = [
        (one.label, *(Amount(part, "active_power") for part in part_powers(one).values()))
        for one in found
    ]
    keys = [{head: part_id(one.name, head) for head in POWER_PARTS} for one in found]
    heads = ("Cooling", *POWER_PARTS)
    return TextTable.of("Cooling power by component", heads, rows, system, keys)


def _feasible(comparison: CoolingComparison) -> list[CoolingOption]:
    return [one for one in comparison.options if one.feasible and one.design is not None]


def density_table(comparison: CoolingComparison, system: System = "si") -> TextTable:
    """Return the feasible rack density of each cooling method."""
    curves = {curve.name: curve for curve in comparison.curves}
    rows, keys = list[_Row](), list[dict[str, str]]()
    limit: _Row
    for option in comparison.options:
        curve = curves.get(option.name)
        if curve is None or not curve.feasible:
            limit = "never", option.reason if curve is None else curve.because
        elif curve.ends_w is None:
            limit = f"{show(DENSITIES_W[1], 'active_power', system)} or more", ""
        else:
            limit = Amount(curve.ends_w, "active_power"), curve.because
        is_number = curve is not None and curve.feasible and curve.ends_w is not None
        rows.append((option.label, *limit))
        keys.append({"Feasible to": part_id(option.name, "densest")} if is_number else {})
    heads = ("Cooling", "Feasible to", "Limit")
    return TextTable.of("Rack density", heads, rows, system, keys)


def cost_table(comparison: CoolingComparison) -> TextTable:
    """Return the capital cost by part of each feasible cooling method."""
    rows, keys = list[_Row](), list[dict[str, str]]()
    for option in _feasible(comparison):
        assert option.cost is not None
        money = money_kind(option.cost.currency)
        for part in option.cost.parts:
            cost = _UNKNOWN if part.cost is None else Amount(part.cost, money)
            year = _UNKNOWN if part.price_year is None else str(part.price_year)
            why = part.why + (f" ({part.source.id})" if part.source is not None else "")
            units = Amount(part.units, "count")
            rows.append((option.label, part.part, units, cost, year, why))
            known = part.cost is not None
            keys.append({"Cost": part_id(option.name, f"cost.{part.part}")} if known else {})
    heads = ("Cooling", "Part", "Units", "Cost", "Price year", "Basis")
    return TextTable.of("Capital cost by component", heads, rows, keys=keys)


def assumption_lines(comparison: CoolingComparison, system: System = "si") -> Iterator[str]:
    """Yield the additional assumptions of the comparison, by id."""
    for assumption in comparison.assumptions:
        value = assumption.text
        if assumption.value is not None:
            value = show(assumption.value, assumption.kind, system)
        yield f"Assumed {assumption.id}: {value}; {assumption.basis}"


def summary_lines(comparison: CoolingComparison) -> Iterator[str]:
    """Yield conclusions: infeasible methods, cautions, crossover, constant inputs."""
    infeasible: dict[str, list[str]] = {}
    for option in comparison.options:
        if not option.feasible:
            infeasible.setdefault(option.reason, []).append(option.label)
    for reason, labels in infeasible.items():
        yield f"{'; '.join(labels)}: not feasible. {reason}"
    for option in comparison.options:
        for change in option.changes[1:]:
            yield f"{option.label}: {change}"
        for caution in option.cautions:
            yield f"{option.label}: caution {caution.rule}: {caution.subject}: {caution.why}"
    turn = comparison.crossover
    at = "none" if turn.density_w is None else f"{show(turn.density_w, 'active_power')} per rack"
    yield f"Crossover: {at}. {turn.because[:1].upper()}{turn.because[1:]}"
    yield (
        "Constant over density: heat by stream, losses, other racks, design weather, temperatures "
        "and unit type. Water, power and PUE are for the design hour."
    )
    why = unpriced(comparison)
    yield (
        f"No cost is known: {why}. Enter cost.equipment."
        if why
        else "Costs are for priced equipment, installed, not escalated; totals with different "
        "unpriced items are not comparable."
    )


@dataclass(frozen=True)
class Comparison(Study):
    """Comparison of cooling methods for the same racks."""

    found: CoolingComparison
    verb = "compare"

    @property
    def project(self) -> Mapping[str, str]:
        """Name and hash."""
        return identity_of(self.found.project)

    @property
    def results(self) -> Mapping[str, object]:
        """Results by cooling method; documented keys without value are null."""
        return self.found.results.as_json() | null_keys(self.found)

    @property
    def checks(self) -> Sequence[Check]:
        """Checks of every method."""
        return self.found.checks

    @property
    def assumptions(self) -> Iterator[Assumption]:
        """Additional assumptions of the comparison."""
        return iter(self.found.assumptions)

    @property
    def warnings(self) -> Sequence[str]:
        """Conclusions of the comparison."""
        return [*self.notices, *summary_lines(self.found)]

    @property
    def notices(self) -> Sequence[str]:
        """Stated editions and classes that are not covered."""
        return notices_of_project(self.found.project)

    def lists(self) -> Mapping[str, Sequence[Object]]:
        """Return the cooling methods."""
        return {"options": [option_object(self.found, option) for option in self.found.options]}

    def tables(self, system: System) -> Iterator[TextTable]:
        """Return the methods with power, density and cost."""
        found = self.found
        yield option_table(found, system)
        yield power_table(found, system)
        yield density_table(found, system)
        if not unpriced(found):
            yield cost_table(found)

    def closing(self, system: System) -> Iterator[str]:
        """Return assumptions and conclusions."""
        yield from assumption_lines(self.found, system)
        yield from summary_lines(self.found)


def option_object(comparison: CoolingComparison, option: CoolingOption) -> Object:
    """Return a cooling method as a JSON object: powers in kW, areas in m2."""
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
    """Return the documented keys without value: of infeasible methods, and a missing crossover."""
    keys = [f"option.{name}.{key}" for name in OPTIONS for key in ("pue", "power", "units")]
    return {key: None for key in (*keys, "crossover.density") if key not in comparison.results}


@dataclass(frozen=True)
class InScenarios(Study):
    """A project and its scenarios, with all studies run for each."""

    found: Scenarios
    verb = "compare"

    @property
    def title(self) -> str:
        """Name of the project."""
        return self.found.base.title

    @property
    def project(self) -> Mapping[str, str]:
        """Name and hash of the base project."""
        return self.found.base.project_identity

    @property
    def notices(self) -> Sequence[str]:
        """Stated editions and classes that are not covered, of the base project."""
        return notices_of_project(self.found.base.project)

    @property
    def results(self) -> Mapping[str, object]:
        """Results of the project, and of the scenarios by their numbers from 1."""
        values: dict[str, Value] = {}
        for figure in self.found.figures:
            for index, si in enumerate((figure.base, *figure.values)):
                if si is not None:
                    key = f"scenario.{index}.{figure.key}" if index else figure.key
                    values[key] = Value(si, figure.kind)
        return Results(values).as_json()

    def lists(self) -> Mapping[str, Sequence[Object]]:
        """Return the scenarios: changes and outcome of each."""
        return {
            "scenarios": [
                {
                    "id": one.name,
                    "changes": dict(one.changes),
                    "sha256": None if one.design is None else one.design.sha256,
                    "violations": None if one.design is None else counted(one.checks)["VIOLATION"],
                    "error": None if one.error is None else one.error.as_dict(),
                }
                for one in self.found.scenarios
            ]
        }

    def tables(self, system: System) -> Iterator[TextTable]:
        """Return inputs, results and verdicts."""
        found = self.found
        yield tables.inputs_table(found).text(tables.input_rows(found), system)
        yield tables.figures_table(found).text(found.figures, system)
        yield tables.verdict_table(found)

    def closing(self, system: System) -> Iterator[str]:
        """Return the violations of each design by name, with their findings."""
        listed = [("Project", self.found.checks)]
        listed += [(one.name, one.checks) for one in self.found.scenarios]
        for name, checks in listed:
            for found in findings([check for check in checks if check.failed]):
                if found.word == Severity.VIOLATION.value:
                    check = found.checks[0]
                    more = len(found.checks) - 1
                    also = f" ({more} more)" if more else ""
                    text = f"{check.about()}: {check.found(system)}".rstrip(".")
                    yield f"{name}: VIOLATION {found.rule}: {text}{also}."
