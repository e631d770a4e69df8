"""The studies of generators and transformers, with what they need of the cooling."""

from __future__ import annotations

from facility.core.check import Check
from facility.core.table import Value
from facility.core.trace import Trace
from facility.model.facility import Facility
from facility.power.backup.study import MotorLoad, study_generators
from facility.power.chain.sizing import solve_chain
from facility.power.substation.study import study_transformers
from facility.study.loop import OperatingPoint, Sized


def design_plant(
    facility: Facility, sized: Sized, point: OperatingPoint, trace: Trace
) -> tuple[dict[str, Value], tuple[Check, ...]]:
    """Return results and checks of generators and transformers at the design hour.

    Raises
    ------
    FacilityError
        What a study refuses, naming the field of the project.
    """
    growth = facility.criteria.growth
    grown = point.demand.grown(growth)
    flow = solve_chain(sized.chain, grown)
    motor = largest_motor(sized, point, growth)
    generators = study_generators(sized.chain, grown, flow, point.flow, motor, trace)
    transformers = study_transformers(sized.chain, flow, point.flow, facility.criteria, trace)
    return (
        {**generators.results, **transformers.results},
        (*generators.checks, *transformers.checks),
    )


def largest_motor(sized: Sized, point: OperatingPoint, growth: float) -> MotorLoad | None:
    """Return the compressor of one chiller as the largest motor, None without chillers."""
    chillers, power_w = sized.cooling.counts.chillers_duty, point.cooling.power.chillers_w
    if not chillers or not power_w:
        return None
    return MotorLoad("chiller compressor", float(power_w) * (1.0 + growth) / chillers)
