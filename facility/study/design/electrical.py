"""Electrical studies of a sized facility in addition to the power chain."""

from __future__ import annotations

from dataclasses import dataclass

from facility.core.check import Check
from facility.core.table import Value
from facility.core.trace import Trace
from facility.model.facility import Facility
from facility.power.backup.study import MotorLoad, study_generators
from facility.power.battery.checks import battery_checks
from facility.power.battery.sizing import BatteryDesign, size_battery
from facility.power.battery.study import battery_results
from facility.power.chain.sizing import solve_chain
from facility.power.dc.distribution import design_dc
from facility.power.feeders.cords import receptacle_checks
from facility.power.panels.design.halls import PanelSet
from facility.power.substation.study import study_transformers
from facility.power.train.results import ChainFlow
from facility.power.train.types import ChainDemand
from facility.power.ups.study import ups_study
from facility.study.loop import OperatingPoint, Sized


def design_plant(
    facility: Facility,
    sized: Sized,
    point: OperatingPoint,
    grown: ChainDemand,
    flow: ChainFlow,
    trace: Trace,
) -> tuple[dict[str, Value], tuple[Check, ...]]:
    """Return results and checks of generators and transformers at the design hour.

    Raises the errors of the studies, with the project field.
    """
    growth = facility.criteria.growth
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


@dataclass(frozen=True, eq=False)
class ElectricalDesign:
    """Results of the electrical studies."""

    checks: tuple[Check, ...]  # All checks of the studies
    results: dict[str, Value]  # Results by dotted key
    batteries: BatteryDesign


def design_backup(
    facility: Facility, sized: Sized, point: OperatingPoint, grown: ChainFlow, trace: Trace
) -> ElectricalDesign:
    """Return UPS currents and options, and the batteries sized for the load with growth.

    Raises the errors of `size_battery`.
    """
    chain, basis, criteria = sized.chain, facility.electrical.battery, facility.criteria
    ups = ups_study(chain, point.flow, grown, criteria, trace)
    batteries = size_battery(basis, chain, trace.value("ups.design_output"), trace)
    values = ups.results | battery_results(
        batteries,
        chain,
        max(float(system.output_w) for system in point.flow.systems),
        chain.chain.ups.recharge,
        trace,
    )
    found = battery_checks(batteries, chain.generators.count > 0, trace)
    return ElectricalDesign((*ups.checks, *found), values, batteries)


def design_electrical(
    facility: Facility, panels: PanelSet, sized: Sized, point: OperatingPoint, trace: Trace
) -> ElectricalDesign:
    """Return the electrical studies of the facility at its design hour.

    Raises the errors of the studies, with the project field.
    """
    rack_w = max(rack.input_w for rack in facility.it.racks)
    dc = design_dc(facility.electrical.dc, rack_w, facility.criteria, trace)
    grown = point.demand.grown(facility.criteria.growth)
    flow = solve_chain(sized.chain, grown)
    results, checks = design_plant(facility, sized, point, grown, flow, trace)
    backup = design_backup(facility, sized, point, flow, trace)
    return ElectricalDesign(
        checks=(*dc.checks, *receptacle_checks(panels, facility.criteria), *checks, *backup.checks),
        results={**dc.results, **results, **backup.results},
        batteries=backup.batteries,
    )
