"""What bridges the loss of the utility: the UPS in all its states, and its batteries."""

from __future__ import annotations

from dataclasses import dataclass

from facility.core.check import Check
from facility.core.table import Value
from facility.core.trace import Trace
from facility.model.facility import Facility
from facility.power.battery.checks import battery_checks
from facility.power.battery.record import battery_results
from facility.power.battery.sizing import BatteryDesign, size_battery
from facility.power.ups.study import ups_study
from facility.study.loop import OperatingPoint, Sized


@dataclass(frozen=True, eq=False)
class BackupDesign:
    """The batteries, and the checks and results of UPS and batteries."""

    batteries: BatteryDesign
    checks: tuple[Check, ...]
    results: dict[str, Value]


def design_backup(
    facility: Facility, sized: Sized, point: OperatingPoint, trace: Trace
) -> BackupDesign:
    """Return UPS currents and options, and the batteries sized on the load with growth.

    Parameters
    ----------
    facility : Facility
        Bases of power chain and batteries.
    sized : Sized
        The chain as designed.
    point : OperatingPoint
        Its load at the design hour.
    trace : Trace
        Holds the steps of the chain; takes those of this study.

    Raises
    ------
    FacilityError
        What `size_battery` refuses.
    """
    chain, basis, criteria = sized.chain, facility.electrical.battery, facility.criteria
    values, checks = ups_study(chain, point.flow, criteria, trace)
    batteries = size_battery(basis, chain, trace.value("ups.design_output"), trace)
    ups, scheme = chain.ups, chain.chain.scheme
    values |= battery_results(
        batteries,
        max(float(system.output_w) for system in point.flow.systems),
        max(1, ups.modules_per_system - scheme.spare_units * ups.buses),
        chain.chain.ups.recharge,
        trace,
    )
    found = battery_checks(batteries, chain.generators.count > 0, trace)
    return BackupDesign(batteries, (*checks, *found), values)
