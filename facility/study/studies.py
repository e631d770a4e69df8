"""What the studies of outages, of ride-through and of the year read of a design, and what came."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

from facility.catalogue.weather import WeatherYear
from facility.cooling.chain.flow import CoolingDesign, CoolingFlow
from facility.core.check import Check
from facility.core.errors import FacilityError
from facility.core.ledger import Assumption
from facility.core.table import Results, Value
from facility.core.trace import Trace
from facility.model.facility import Facility
from facility.power.it.load import ItLoad
from facility.power.network.outages.states import StateSolver
from facility.power.panels.design.halls import PanelSet
from facility.power.train.types import ChainDesign
from facility.study.design.electrical import ElectricalDesign
from facility.study.distribution.study import Distribution
from facility.study.loop import OperatingPoint
from facility.study.rules import RULES

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
"""By the name of a study: where its design keeps it; in the order of `Design.checks`."""
YEAR_FIRST = tuple(sorted(PARTS, key=lambda name: name != "year"))
"""The studies as they are traced and listed: the year after the sizing, whose rating it goes on."""
BESIDE = ("outages", "ride-through")
"""Studies of many states, which do not go on from the trace of the sizing."""


@dataclass(frozen=True, eq=False)
class Designed:
    """What these studies read of a `Design`, whose docstring says what each is."""

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
        """Assumptions that nobody has confirmed."""
        return (a for a in self.trace.ledger if a.status == "open")

    @property
    def weather_year(self) -> WeatherYear | None:
        """The typical year of the site; None where no year of hours is of it."""
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
    """A study, or what came of it."""

    @property
    def checks(self) -> tuple[Check, ...]:
        """What it found about the design."""


class Studied(WithChecks, Protocol):
    """A study that goes on from the trace of a design."""

    @property
    def results(self) -> Mapping[str, Value]:
        """Results by dotted key."""

    @property
    def trace(self) -> Trace:
        """How they came about."""


_Found = TypeVar("_Found", bound=WithChecks)


@dataclass(frozen=True, eq=False)
class Ran(Generic[_Found]):
    """What came of a study."""

    study: _Found | None  # What it found; None where it was refused
    # Its checks; one that is not evaluated, with the reason, where it was refused.
    checks: tuple[Check, ...]
    refusal: str = ""  # Why it was not run; empty where it was


def ran(title: str, run: Callable[[], _Found]) -> Ran[_Found]:
    """Run a study; what refuses it is a check that is not evaluated, never silence.

    Raises for a defect of the tool (exit code 1), which is no finding about the design.
    """
    try:
        study = run()
    except FacilityError as error:
        if error.exit_code == 1:
            raise
        refusal = str(error)
        why = f"the study of {title} has not been run: {refusal}"
        return Ran(None, (RULES["STUDY-NOT-RUN"].not_evaluated(title, why),), refusal)
    return Ran(study, study.checks)
