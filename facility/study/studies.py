"""Interface between a design and its studies: inputs, outcomes, and failed studies."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, Protocol, TypeVar

from facility.catalogue.weather import WeatherYear
from facility.cooling.chain.flow import CoolingDesign, CoolingFlow
from facility.core.check import Check
from facility.core.errors import FacilityError
from facility.core.ledger import Assumption
from facility.core.table import Results, Value
from facility.core.trace import Trace
from facility.model.facility import Facility
from facility.power.it.load import ItLoad
from facility.power.panels.design.halls import PanelSet
from facility.power.train.types import ChainDesign
from facility.study.design.electrical import ElectricalDesign
from facility.study.loop import OperatingPoint
from facility.study.rules import RULES

if TYPE_CHECKING:
    from facility.power.network.outages.states import StateSolver
    from facility.study.distribution.study import Distribution

PARTS: Mapping[str, str] = {
    "distribution": "distribution",
    "outages": "outages",
    "air": "room_air",
    "hydraulics": "hydraulics",
    "liquid": "liquid_path",
    "plant": "plant_options",
    "ride-through": "ride_through",
    "load": "moving_load",
    "year": "hours",
}
"""Attribute of a design by study name, in the order of `Design.checks`."""
YEAR_FIRST = tuple(sorted(PARTS, key=lambda name: name != "year"))
"""The studies in the order of trace and lists: the annual study follows the sizing."""
MULTI_STATE_STUDIES = ("outages", "ride-through")
"""Studies of many states, which do not continue the trace of the sizing."""


@dataclass(frozen=True, eq=False)
class StudyContext:
    """The inputs of these studies from a `Design`, described there."""

    facility: Facility
    it: ItLoad
    panels: PanelSet
    chain: ChainDesign
    cooling: CoolingDesign
    electrical: ElectricalDesign
    point: OperatingPoint
    results: Results
    trace: Trace

    @property
    def cooling_flow(self) -> CoolingFlow:
        """The cooling at the design hour."""
        return self.point.cooling

    @property
    def open_assumptions(self) -> Iterator[Assumption]:
        """Assumptions not confirmed by the user."""
        return (a for a in self.trace.ledger if a.status == "open")

    @property
    def weather_year(self) -> WeatherYear | None:
        """The typical weather year of the site; None without one."""
        raise NotImplementedError

    @property
    def distribution(self) -> Distribution:
        """Network, conductors and fault currents."""
        raise NotImplementedError

    @property
    def states(self) -> StateSolver:
        """Solver of any outage of the power network."""
        raise NotImplementedError


class WithChecks(Protocol):
    """A study or its outcome."""

    @property
    def checks(self) -> tuple[Check, ...]:
        """Checks of the design by the study."""


class Studied(WithChecks, Protocol):
    """A study that continues the trace of a design."""

    @property
    def results(self) -> Mapping[str, Value]:
        """Results by dotted key."""

    @property
    def trace(self) -> Trace:
        """Derivation of the results."""


_Found = TypeVar("_Found", bound=WithChecks)


@dataclass(frozen=True, eq=False)
class StudyOutcome(Generic[_Found]):
    """Outcome of a study."""

    study: _Found | None  # The study; None if it failed
    # Checks of the study; if it failed, one check not evaluated, with the reason.
    checks: tuple[Check, ...]
    refusal: str = ""  # Why it was not run; empty if it was


def run_study(title: str, run: Callable[[], _Found]) -> StudyOutcome[_Found]:
    """Run a study; a failure is reported by a check not evaluated.

    Raises for a defect of the program (exit code 1), which is not a finding about the design.
    """
    try:
        study = run()
    except FacilityError as error:
        if error.exit_code == 1:
            raise
        refusal = str(error)
        why = f"study not run ({title}): {refusal}"
        return StudyOutcome(None, (RULES["STUDY-NOT-RUN"].not_evaluated(title, why),), refusal)
    return StudyOutcome(study, study.checks)
