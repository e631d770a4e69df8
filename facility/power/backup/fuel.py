"""Fuel of the generator plant: consumption, tanks and autonomy."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from facility.catalogue import table
from facility.core.check import Check
from facility.core.sources import PROJECT, Source
from facility.core.table import Value
from facility.core.trace import Findings
from facility.physics.machines.generator import running_time, tank_volume
from facility.power.backup.sets import OWN_SET
from facility.power.rules import RULES
from facility.power.train.types import ChainDesign, GeneratorDesign

_POINTS = (0.25, 0.50, 0.75, 1.00)
_COLUMNS = ("25", "50", "75", "100")
_MIN_POINTS = 2


@dataclass(frozen=True)
class FuelCurve:
    """Fuel consumption of one set: rising (fraction of `basis_w`, flow [m3/s]), and source."""

    points: tuple[tuple[float, float], ...]
    basis_w: float
    source: Source
    words: str

    def at(self, load_w: float) -> float | None:
        """Return the fuel consumption of one set at a load; None outside the points."""
        part = load_w / self.basis_w
        loads, flows = zip(*self.points, strict=True)
        if not loads[0] <= part <= loads[-1]:
            return None
        return float(np.interp(part, loads, flows))


def fuel_curve(plant: GeneratorDesign) -> FuelCurve | None:
    """Return the fuel curve of one set, from its data sheet or the chart by rating.

    Ratings between two rows of the chart are interpolated; above the largest row its consumption
    per kW applies. None below the smallest row.
    """
    return _of_sheet(plant) or _of_chart(plant.rating_w)


def _of_sheet(plant: GeneratorDesign) -> FuelCurve | None:
    if plant.model == OWN_SET:
        return None
    row = table("equipment/generators").get(plant.model)
    basis_w = row.si_or_none("fuel_basis_kw")
    flows = [row.si_or_none(f"fuel_{column}_l_h") for column in _COLUMNS]
    points = tuple((x, flow) for x, flow in zip(_POINTS, flows, strict=True) if flow is not None)
    if basis_w is None or len(points) < _MIN_POINTS:
        return None
    return FuelCurve(points, basis_w, row.cite("fuel_100_l_h"), f"data sheet of {plant.model}")


def _of_chart(rating_w: float) -> FuelCurve | None:
    rows = table("electrical/generator_diesel").rows
    ratings = np.array([row.si("rating_kw") for row in rows])
    if rating_w < ratings[0]:
        return None
    chart_w = min(rating_w, float(ratings[-1]))
    scale = rating_w / chart_w
    points = []
    for load, column in zip(_POINTS, _COLUMNS, strict=True):
        flows = np.array([row.si(f"gal_per_h_{column}pct") for row in rows])
        points.append((load, scale * float(np.interp(chart_w, ratings, flows))))
    words = f"approximate chart for {chart_w / 1e3:,.0f} kW"
    if scale > 1.0:
        words += f", scaled to {rating_w / 1e3:,.0f} kW: the upper end of the chart"
    return FuelCurve(tuple(points), rating_w, rows[-1].cite("gal_per_h_100pct"), words)


def study_fuel(design: ChainDesign, load_w: float, found: Findings) -> Check:
    """Return the check of the tank from fuel rate and running time at the design load.

    load_w: Load of the plant on the duty sets [W].
    found: Records ``generator.fuel_rate``, ``generator.tank`` and ``generator.fuel_time``.
    """
    plant, operation, trace = design.generators, design.chain.generator.operation, found.trace
    sets = plant.on_duty
    curve = fuel_curve(plant)
    flow = curve.at(load_w / sets) if curve is not None else None
    rule = RULES["GENERATOR-FUEL"]
    if curve is None or flow is None:
        return rule.not_evaluated(plant.model, _unknown(curve, load_w / sets))
    words = f"{sets} sets at {load_w / sets / 1e3:,.0f} kW each; {curve.words}"
    trace.given("generator.fuel_per_set", flow, "liquid_flow", curve.source, curve.words)
    trace.derive(
        "generator.fuel_rate", sets * flow, "liquid_flow", f"{words}, interpolated",
        each="generator.fuel_per_set", load="generator.design_load",
    )  # fmt: skip
    found.show("generator.fuel_rate", words)
    if operation.tank_m3 is None:
        tank = trace.do(
            "generator.tank", tank_volume, "for the specified time",
            fuel_m3_s="generator.fuel_rate", duration_s="power.generator.fuel_hours",
            usable="power.generator.tank_usable",
        )  # fmt: skip
    else:
        tank = trace.given("generator.tank", operation.tank_m3, "volume", PROJECT, "as built")
    as_built = "as built" if operation.tank_m3 else ""
    found.results["generator.tank"] = Value(float(tank), "volume", as_built)
    lasts = found.do(
        "generator.fuel_time", running_time, "at the design load", tank_m3="generator.tank",
        fuel_m3_s="generator.fuel_rate", usable="power.generator.tank_usable",
    )  # fmt: skip
    rate = sets * flow * 3.6e6
    why = (
        f"{float(tank):,.1f} m3, {operation.tank_usable:.0%} usable, lasts {lasts / 3600:,.1f} h at"
        f" {rate:,.{1 if rate < 100.0 else 0}f} L/h; {operation.fuel_s / 3600:,.0f} h required"
    )
    return rule.at_least(plant.model, lasts, operation.fuel_s, "time", why)


def _unknown(curve: FuelCurve | None, set_w: float) -> str:
    if curve is None:
        return "no fuel data: no sheet with two points, and rating outside the chart"
    low, high = curve.points[0][0], curve.points[-1][0]
    return (
        f"each set carries {set_w / curve.basis_w:.0%} of {curve.basis_w / 1e3:,.0f} kW; the"
        f" {curve.words} covers {low:.0%} to {high:.0%} and is not extrapolated"
    )
