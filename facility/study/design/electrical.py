"""The electrical studies of a sized facility, beside the power chain itself."""

from __future__ import annotations

from dataclasses import dataclass

from facility.core.check import Check
from facility.core.table import Value
from facility.core.trace import Trace
from facility.model.facility import Facility
from facility.power.battery.sizing import BatteryDesign
from facility.power.dc.distribution import design_dc
from facility.power.feeders.cords import receptacle_checks
from facility.power.panels.design.halls import PanelSet
from facility.study.design.backup import design_backup
from facility.study.design.plant import design_plant
from facility.study.loop import OperatingPoint, Sized


@dataclass(frozen=True, eq=False)
class ElectricalDesign:
    """What the electrical studies found.

    Attributes
    ----------
    checks : tuple[Check, ...]
        Every check of the studies.
    results : dict[str, Value]
        Results by dotted key.
    batteries : BatteryDesign
        The UPS batteries.
    """

    checks: tuple[Check, ...]
    results: dict[str, Value]
    batteries: BatteryDesign


def design_electrical(
    facility: Facility, panels: PanelSet, sized: Sized, point: OperatingPoint, trace: Trace
) -> ElectricalDesign:
    """Return the electrical studies of the facility at its design hour.

    Raises
    ------
    FacilityError
        What a study refuses, naming the field of the project.
    """
    rack_w = max(rack.input_w for rack in facility.it.racks)
    dc = design_dc(facility.electrical.dc, rack_w, facility.criteria, trace)
    results, checks = design_plant(facility, sized, point, trace)
    backup = design_backup(facility, sized, point, trace)
    return ElectricalDesign(
        checks=(*dc.checks, *receptacle_checks(panels, facility.criteria), *checks, *backup.checks),
        results={**dc.results, **results, **backup.results},
        batteries=backup.batteries,
    )
