"""The electrical studies of a sized facility, beside the power chain itself."""

from __future__ import annotations

from dataclasses import dataclass

from facility.core.check import Check
from facility.core.table import Value
from facility.core.trace import Trace
from facility.model.facility import Facility
from facility.power.panels import PanelSet
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
    """

    checks: tuple[Check, ...]
    results: dict[str, Value]


def design_electrical(
    facility: Facility, panels: PanelSet, sized: Sized, point: OperatingPoint, trace: Trace
) -> ElectricalDesign:
    """Return the electrical studies of the facility at its design hour.

    Raises
    ------
    FacilityError
        What a study refuses, naming the field of the project.
    """
    return ElectricalDesign(checks=(), results={})
