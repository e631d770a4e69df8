"""Results of a comparison of ways to cool, by dotted key."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import fields

from facility.core.table import Value
from facility.study.compare.density import Crossover
from facility.study.compare.option import CoolingOption

_HOUR = "at design weather, not annual"


def comparison_results(
    options: Sequence[CoolingOption], crossover: Crossover, density_w: float
) -> dict[str, Value]:
    """Return the results; a number that is not known has no key."""
    found = {
        f"option.{option.name}.{key}": value
        for option in options
        for key, value in _option_results(option)
    }
    found["density.project"] = Value(density_w, "active_power", "densest compute rack")
    for name, at_w, because in (
        ("density", crossover.density_w, crossover.because),
        ("by_power", crossover.by_power_w, crossover.by_power_because),
        ("by_limit", crossover.by_limit_w, crossover.by_limit_because),
    ):
        if at_w is not None:
            found[f"crossover.{name}"] = Value(at_w, "active_power", because)
        found[f"crossover.{name}.because"] = Value(because)
    found["crossover.because"] = Value(crossover.because)
    return found


def _option_results(option: CoolingOption) -> Iterator[tuple[str, Value]]:
    yield "feasible", Value(option.feasible)
    yield "reason", Value(option.reason)
    yield "own", Value(option.own)
    if option.design is None or not option.feasible:
        return
    point, power = option.design.point, option.design.cooling_flow.power
    yield "pue", Value(point.facility_w / point.demand.it_w, "ratio", _HOUR)
    yield "power", Value(power.total_w, "active_power", _HOUR)
    for part in fields(power):
        name = part.name.removesuffix("_w")
        yield f"power.{name}", Value(getattr(power, part.name), "active_power", _HOUR)
    yield "units", Value(sum(option.units.values()), "count", "all cooling units installed")
    for kind, count in option.units.items():
        yield f"units.{kind}", Value(count, "count", "installed")
    if not option.design.facility.cooling.chilled_water.direct:
        yield "chilled_water", Value(option.design.cooling_flow.chw_supply_c, "temperature")
    yield "heat.liquid", Value(point.heat.liquid_it_w, "heat_flow", "IT heat to coolant")
    yield "heat.air", Value(point.heat.air_it_w, "heat_flow", "IT heat to air")
    yield from _resources(option, point.demand.it_w)


def _resources(option: CoolingOption, it_w: float) -> Iterator[tuple[str, Value]]:
    """Yield water, floor and cost."""
    if option.water is not None:
        yield "water", Value(option.water.makeup_m3_s, "liquid_flow", f"make-up {_HOUR}")
        yield "water.evaporation", Value(option.water.evaporation_m3_s, "liquid_flow", _HOUR)
        per_energy = option.water.makeup_m3_s / it_w
        yield "water.per_it_energy", Value(per_energy, "water_per_energy", _HOUR)
    areas = [part.area_m2 for part in option.floor]
    known = [area for area in areas if area is not None]
    if known and len(known) == len(areas):
        yield "floor", Value(sum(known), "area", "footprints in the halls, no service space")
    if option.cost is not None:
        if option.cost.is_known:
            yield "cost.known", Value(option.cost.known_usd, "money", "equipment, not escalated")
        yield "cost.lacks", Value(", ".join(option.cost.lacks))
        yield "cost.years", Value(", ".join(str(year) for year in option.cost.years))
