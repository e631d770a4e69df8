"""The one-line diagram of a design in the state that an outage leads to, by the id of the state."""

from __future__ import annotations

from typing import Literal

from facility.core.errors import FacilityError, near_matches
from facility.core.views import System
from facility.power.network.cases import Case, cases
from facility.power.network.states import StateSolver
from facility.power.network.types import Network
from facility.report.one_line import Drawing, one_line

Moment = Literal["settled", "on battery"]
_AND = " during maintenance of "
_MOMENTS: dict[Moment, str] = {
    "settled": "settled", "on battery": "on battery, generators not started",
}  # fmt: skip


def find_case(network: Network, state: str) -> Case:
    """Return the outage whose id is `state`, among all of one or two at a time.

    Raises
    ------
    FacilityError
        ``UNKNOWN_STATE`` (exit code 2), with near matches.
    """
    known = []
    for case in cases(network, 2 if _AND in state else 1, grouped=False):
        if case.outage.id == state:
            return case
        known.append(case.outage.id)
    raise FacilityError(
        "UNKNOWN_STATE", "state", f"the network has no state {state[:80]!r}.",
        near_matches(state, known) or "`facility failures --all` lists them.", exit_code=2,
    )  # fmt: skip


def state_drawing(
    solver: StateSolver, case: Case, moment: Moment = "settled", name: str = "",
    system: System = "si",
) -> Drawing:  # fmt: skip
    """Return the one-line diagram of one state.

    Parameters
    ----------
    solver : StateSolver
        Solver of the network.
    case : Case
        The outage.
    moment : {"settled", "on battery"}
        The final state, or that before the generators have started.
    name : str
        Name of the project, for the heading.
    system : {"si", "ip"}
        Unit system of the labels.
    """
    riding = moment == "on battery"
    flow = solver.riding(case.outage) if riding else solver.settled(case.outage)
    words = case.outage.id if case.kind == "normal" else f"{case.outage.id}, {_MOMENTS[moment]}"
    title = " · ".join(part for part in (name, f"state: {words}") if part)
    return one_line(solver.network, flow, outage=case.outage, title=title, system=system)
