"""Ways to cool the same racks, each designed, priced and held against its limits.

Five ways are compared: air handlers around the hall, in-row coolers, rear doors, liquid with air
for the rest, and full liquid. Each is a design of the same project with other cooling. A way that
breaks a limit is refused with it.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from facility.core.check import Check, Rule, Severity
from facility.core.errors import FacilityError
from facility.core.ledger import Assumption, Ledger
from facility.core.sources import DERIVED
from facility.core.table import Results
from facility.core.trace import Trace
from facility.model.inputs.document import Project
from facility.study.compare.costs import assume_costs
from facility.study.compare.density import (
    Crossover,
    DensityCurve,
    DensitySweep,
    crossover,
    density_curve,
    project_density,
)
from facility.study.compare.fit import best_variant
from facility.study.compare.limits import (
    assume_limits,
    broken_limit,
    limit_checks,
    reason_of,
    room_checks,
)
from facility.study.compare.option import CoolingOption
from facility.study.compare.quantities import assume_water
from facility.study.compare.results import comparison_results
from facility.study.compare.variants import OPTIONS, OptionName, Variant, variants
from facility.study.design.design import design
from facility.study.plausible import refuse_impossible
from facility.study.resolve.facility import resolve

HEAT_SPLIT = Rule(
    "VARIANT-HEAT-SPLIT",
    "Heat to coolant as the maker sells the equipment",
    Severity.ADVICE,
    DERIVED,
    "Ask the maker for a version with cold plates and its heat to coolant.",
)
FEASIBLE = Rule(
    "OPTION-FEASIBLE",
    "Way of cooling feasible",
    Severity.ADVICE,
    DERIVED,
    "Choose another way of cooling, or lift the limit that is named.",
)


@dataclass(frozen=True, eq=False)
class CoolingComparison:
    """Ways to cool the same racks.

    Attributes
    ----------
    project : Project
        The project that is compared.
    density_w : float
        IT power of its densest compute rack.
    options : tuple of CoolingOption
        The five ways, in the order air, in_row, rear_door, hybrid, liquid.
    curves : tuple of DensityCurve
        Cooling power over rack density of the ways that could be designed.
    crossover : Crossover
        Where the choice turns from air to liquid.
    assumptions : tuple of Assumption
        What the comparison assumes beside the designs.
    """

    project: Project
    density_w: float
    options: tuple[CoolingOption, ...]
    curves: tuple[DensityCurve, ...]
    crossover: Crossover
    assumptions: tuple[Assumption, ...]

    def option(self, name: OptionName) -> CoolingOption:
        """Return one way to cool."""
        return next(option for option in self.options if option.name == name)

    @cached_property
    def results(self) -> Results:
        """Results by dotted key; what an infeasible way has no value for is left out."""
        return refuse_impossible(
            Results(comparison_results(self.options, self.crossover, self.density_w))
        )

    @cached_property
    def checks(self) -> tuple[Check, ...]:
        """Feasibility of each way, and the assumed heat splits."""
        checks = [
            FEASIBLE.verdict(option.label, option.feasible, option.reason or "no limit is broken")
            for option in self.options
        ]
        checks += [
            HEAT_SPLIT.verdict(assumption.id.rpartition(".")[2], False, assumption.basis)
            for assumption in self.assumptions
            if assumption.id.startswith("compare.liquid_fraction.")
        ]
        return tuple(checks)

    @property
    def own(self) -> CoolingOption:
        """The cooling of the project."""
        return next(option for option in self.options if option.own)


def compare_cooling(project: Project) -> CoolingComparison:
    """Return the five ways to cool the racks of `project`, and where the choice turns.

    Parameters
    ----------
    project : Project
        What the user said; its own cooling is one of the five and is left as it is.

    Raises
    ------
    FacilityError
        For input that is wrong or contradictory, and where no way to cool can be designed.
    """
    trace = Trace(Ledger(frozenset(project.confirmed or ())))
    facility, _ = resolve(project, Trace(Ledger()))
    for assume in (assume_limits, assume_water, assume_costs):
        assume(trace)
    usual_c = facility.cooling.chilled_water.supply_c
    options = tuple(_option(variants(project, facility, name, trace), usual_c) for name in OPTIONS)
    designs = {option.name: option.design for option in options if option.design is not None}
    if not designs:
        reasons = "; ".join(f"{option.name}: {option.reason}" for option in options)
        raise FacilityError(
            "NO_COOLING",
            "cooling",
            f"no way to cool these racks can be designed. {reasons}",
            "Lift one of the limits named.",
            exit_code=4,
        )
    density_w = project_density(next(iter(designs.values())))
    sweeps = {name: DensitySweep(name, found) for name, found in designs.items()}
    curves = {name: density_curve(sweep, density_w) for name, sweep in sweeps.items()}
    turn = crossover(sweeps, curves, options[0].reason)
    return CoolingComparison(
        project, density_w, options, tuple(curves.values()), turn, tuple(trace.ledger)
    )


def _option(found: list[Variant], usual_c: float) -> CoolingOption:
    """Return the way to cool that the best of the variants is.

    Input that is wrong whatever the cooling is refused where the project's own is designed.
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
    checks = (
        *limit_checks(variant.name, result.facility, result.cooling),
        *result.cooling.checks,
        *result.cooling_flow.checks,
        *room_checks(
            variant.name, result.facility, result.cooling, result.cooling_flow, result.point.heat
        ),
    )
    broken = broken_limit(checks)
    reason = reason_of(broken) if broken is not None else ""
    return CoolingOption(variant.name, variant.own, variant.changes, result, reason)
