"""Comparison of cooling methods for the same racks, each designed, priced and checked.

Five methods are compared: perimeter air handlers, in-row coolers, rear doors, liquid with residual
air cooling, and full liquid cooling. Each is a design of the same project with other cooling. A
method that exceeds a limit is reported as infeasible with that limit.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from facility.cooling.chain.flow import CoolingDesign
from facility.core.check import Check
from facility.core.errors import FacilityError
from facility.core.kinds import money_kind
from facility.core.ledger import Assumption, Ledger
from facility.core.rounding import rounded, whole_units
from facility.core.table import Results, ShownByResults, Value
from facility.core.trace import Trace
from facility.model.facility import Facility
from facility.model.inputs.document import Project
from facility.study.compare.density import (
    Crossover,
    DensityCurve,
    DensitySweep,
    crossover,
    density_curve,
    project_density,
)
from facility.study.compare.limits import assume_limits, broken_limit, option_checks, reason_of
from facility.study.compare.option import CoolingOption
from facility.study.compare.variants import OPTIONS, OptionName, Variant, variants
from facility.study.cost.machines import assume_spares
from facility.study.design.design import design
from facility.study.design.variants import Variants
from facility.study.equipped import equipped
from facility.study.loop import OperatingPoint, converge, operate
from facility.study.overrides import ledger_of
from facility.study.plausible import refuse_impossible
from facility.study.resolve.facility import resolve
from facility.study.rules import RULES

COLDEST_C = 6.0
"""Minimum chilled-water temperature in a comparison."""
_STEP_K = 2.0
_OVER_AIR = 1.25


@dataclass(frozen=True)
class _Tried:
    """A balanced variant; `fits` if its coils require no more units than its airflow."""

    variant: Variant
    facility: Facility
    cooling: CoolingDesign
    point: OperatingPoint
    fits: bool

    @property
    def feasible(self) -> bool:
        """Whether no limit is exceeded."""
        name, flow, heat = self.variant.name, self.point.cooling, self.point.heat
        return broken_limit(option_checks(name, self.facility, self.cooling, flow, heat)) is None

    @property
    def faults(self) -> tuple[bool, bool]:
        """Faults of a variant: an exceeded limit, a misfit."""
        return not self.feasible, not self.fits

    @property
    def power_w(self) -> float:
        """Cooling power at the design hour."""
        return self.point.cooling.power.total_w


def best_variant(found: Sequence[Variant], usual_c: float) -> Variant:
    """Return the variant to design: the feasible one with the lowest power.

    A cooling method other than that of the project has the warmest chilled water, in steps of 2 K
    down from that of the project, at which its coils require at most a quarter more units than its
    airflow. If none is feasible, the first is returned for its reason.

    Raises the error of the first variant if none can be designed.
    """
    if found[0].own:
        return found[0]
    tried: list[_Tried] = []
    refused: FacilityError | None = None
    for variant in found:
        try:
            tried.append(_fitted(variant, usual_c))
        except FacilityError as error:
            refused = refused or error
    if refused is not None and not tried:
        raise refused
    return min(tried, key=lambda one: (*one.faults, rounded(one.power_w))).variant


def _fitted(variant: Variant, usual_c: float) -> _Tried:
    """Return the variant with the warmest suitable chilled water, or the nearest to it."""
    first: _Tried | None = None
    refused: FacilityError | None = None
    candidate, own_c = variant, usual_c
    try:
        own_c = Variants(variant.project)("").facility.cooling.chilled_water.supply_c
    except FacilityError as error:
        if error.code == "LIQUID_REQUIRED":
            raise
        refused = error
    for supply_c in _waters(own_c):
        try:
            if supply_c != own_c:
                candidate = variant.at_chilled_water(supply_c)
            found = _tried(candidate)
        except FacilityError as error:
            refused = refused or error
        else:
            if found.fits:
                return found
            first = first or found
    if first is None:
        assert refused is not None
        raise refused
    return first


def _waters(warmest_c: float) -> Iterator[float]:
    """Yield chilled-water temperatures from `warmest_c` down to the coldest."""
    yield warmest_c
    for step in range(1, int((warmest_c - COLDEST_C) // _STEP_K) + 1):
        yield warmest_c - step * _STEP_K


def _tried(variant: Variant) -> _Tried:
    chosen = Variants(variant.project)("")
    facility, it = chosen.facility, chosen.it
    sized, _ = converge(facility, it)
    point = operate(facility, it, sized, facility.site.design)
    crah = sized.cooling.crah
    by_air = whole_units(crah.airflow_m3_s / facility.cooling.crah.unit.air_flow_m3_s)
    groups = len(facility.cooling.crah.path.groups)
    fits = crah.duty <= _OVER_AIR * by_air + groups
    return _Tried(variant, facility, sized.cooling, point, fits)


_HOUR = "at design weather, not annual"


def comparison_results(
    options: Sequence[CoolingOption], crossover: Crossover, density_w: float
) -> dict[str, Value]:
    """Return the results; unknown numbers have no key."""
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
    yield "feasible", Value(option.feasible, basis=option.reason or "no limit is exceeded")
    yield "reason", Value(option.reason, basis="limit exceeded; empty without one")
    yield "own", Value(option.own, basis="cooling method of the project")
    if option.design is None or not option.feasible:
        return
    point, power = option.design.point, option.design.cooling_flow.power
    yield "pue", Value(point.facility_w / point.demand.it_w, "ratio", _HOUR)
    yield "power", Value(power.total_w, "active_power", _HOUR)
    for name, power_w in power.parts.items():
        yield f"power.{name}", Value(power_w, "active_power", _HOUR)
    yield "units", Value(sum(option.units.values()), "count", "all cooling units installed")
    for kind, count in option.units.items():
        yield f"units.{kind}", Value(count, "count", "installed")
    if not option.design.facility.cooling.chilled_water.direct:
        yield "chilled_water", Value(option.design.cooling_flow.chw_supply_c, "temperature")
    yield "heat.liquid", Value(point.heat.liquid_it_w, "heat_flow", "IT heat to coolant")
    yield "heat.air", Value(point.heat.air_it_w, "heat_flow", "IT heat to air")
    yield from _resources(option, point.demand.it_w)


def _resources(option: CoolingOption, it_w: float) -> Iterator[tuple[str, Value]]:
    """Yield water, floor area and cost."""
    if option.water is not None:
        yield "water", Value(option.water.makeup_m3_s, "liquid_flow", f"make-up water {_HOUR}")
        yield "water.evaporation", Value(option.water.evaporation_m3_s, "liquid_flow", _HOUR)
        per_energy = option.water.makeup_m3_s / it_w
        yield "water.per_it_energy", Value(per_energy, "water_per_energy", _HOUR)
    areas = [part.area_m2 for part in option.floor]
    known = [area for area in areas if area is not None]
    if known and len(known) == len(areas):
        yield (
            "floor",
            Value(sum(known), "area", "footprints in the halls, without service clearance"),
        )
    if option.cost is not None:
        if option.cost.is_known:
            kind = money_kind(option.cost.currency)
            yield "cost.known", Value(option.cost.known, kind, "installed, not escalated")
        yield "cost.lacks", Value(", ".join(option.cost.unpriced))
        yield "cost.years", Value(", ".join(str(year) for year in option.cost.years))


@dataclass(frozen=True, eq=False)
class CoolingComparison(ShownByResults):
    """Comparison of cooling methods for the same racks.

    Attributes
    ----------
    project : Project
        The compared project.
    density_w : float
        IT power of its densest compute rack.
    options : tuple of CoolingOption
        The five methods, in the order air, in_row, rear_door, hybrid, liquid.
    curves : tuple of DensityCurve
        Cooling power over rack density of the designed methods.
    crossover : Crossover
        Crossover from air to liquid.
    assumptions : tuple of Assumption
        Assumptions of the comparison in addition to the designs.
    """

    project: Project
    density_w: float
    options: tuple[CoolingOption, ...]
    curves: tuple[DensityCurve, ...]
    crossover: Crossover
    assumptions: tuple[Assumption, ...]

    def __repr__(self) -> str:
        return f"<CoolingComparison: {', '.join(option.name for option in self.options)}>"

    def option(self, name: OptionName) -> CoolingOption:
        """Return one cooling method."""
        return next(option for option in self.options if option.name == name)

    @cached_property
    def results(self) -> Results:
        """Results by dotted key; missing values of infeasible methods are omitted."""
        return refuse_impossible(
            Results(comparison_results(self.options, self.crossover, self.density_w))
        )

    @cached_property
    def checks(self) -> tuple[Check, ...]:
        """Feasibility of each method, and the assumed heat splits."""
        checks = [
            RULES["OPTION-FEASIBLE"].verdict(
                option.label, option.feasible, option.reason or "no limit is exceeded"
            )
            for option in self.options
        ]
        checks += [
            RULES["VARIANT-HEAT-SPLIT"].verdict(
                assumption.id.rpartition(".")[2], False, assumption.basis
            )
            for assumption in self.assumptions
            if assumption.id.startswith("compare.liquid_fraction.")
        ]
        return tuple(checks)

    @property
    def own(self) -> CoolingOption:
        """The cooling of the project."""
        return next(option for option in self.options if option.own)


@equipped
def compare_cooling(project: Project) -> CoolingComparison:
    """Return the comparison of five cooling methods for the racks of `project`.

    Parameters
    ----------
    project : Project
        The project; its own cooling is one of the five methods, unchanged.

    Raises
    ------
    FacilityError
        For invalid or contradictory input, and if no cooling method can be designed.
    """
    trace = Trace(ledger_of(project))
    facility, _ = resolve(project, Trace(Ledger()))
    assume_limits(trace)
    assume_spares(trace, "compare.pumps_per_loop")
    usual_c = facility.cooling.chilled_water.supply_c
    options = tuple(_option(variants(project, facility, name, trace), usual_c) for name in OPTIONS)
    designs = {option.name: option.design for option in options if option.design is not None}
    if not designs:
        reasons = "; ".join(f"{option.name}: {option.reason}" for option in options)
        raise FacilityError(
            "NO_COOLING",
            "cooling",
            f"no cooling method for these racks can be designed. {reasons}",
            "Raise one of the limits named.",
        )
    density_w = project_density(next(iter(designs.values())))
    sweeps = {name: DensitySweep(name, found) for name, found in designs.items()}
    curves = {name: density_curve(sweep, density_w) for name, sweep in sweeps.items()}
    turn = crossover(sweeps, curves, options[0].reason)
    return CoolingComparison(
        project, density_w, options, tuple(curves.values()), turn, tuple(trace.ledger)
    )


def _option(found: list[Variant], usual_c: float) -> CoolingOption:
    """Return the cooling method of the best variant.

    Input that is invalid with any cooling is rejected in the design of the project itself.
    """
    variant = found[0]
    try:
        variant = best_variant(found, usual_c)
        result = design(variant.project)
    except FacilityError as error:
        if variant.own and error.exit_code != 4:
            raise
        reason = f"{error.code}: {error.message}"
        return CoolingOption(variant.name, variant.own, variant.changes, None, reason)
    flow, heat = result.cooling_flow, result.point.heat
    checks = option_checks(variant.name, result.facility, result.cooling, flow, heat)
    broken = broken_limit(checks)
    reason = reason_of(broken) if broken is not None else ""
    return CoolingOption(variant.name, variant.own, variant.changes, result, reason)
