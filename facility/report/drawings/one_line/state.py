"""The one-line diagram of a design in the state after an outage, by state id."""

from __future__ import annotations

from typing import Literal

from facility.core.errors import FacilityError, near_matches
from facility.power.network.graph.types import Network
from facility.power.network.outages.cases import Case, cases
from facility.power.network.outages.states import StateSolver
from facility.report.drawings.one_line.diagram import Diagram, draw
from facility.report.drawings.one_line.parts import Drawing

Moment = Literal["settled", "on battery"]
_AND = " during maintenance of "
_MOMENTS: dict[Moment, str] = {
    "settled": "settled",
    "on battery": "on battery, generators not started",
}


def find_case(network: Network, state: str) -> Case:
    """Return the outage whose id is `state`, among all of one or two at a time.

    Raises ``UNKNOWN_STATE`` (exit code 2), with near matches.
    """
    known = []
    for case in cases(network, 2 if _AND in state else 1, grouped=False):
        if case.outage.id == state:
            return case
        known.append(case.outage.id)
    raise FacilityError(
        "UNKNOWN_STATE",
        "state",
        f"the network has no state {state[:80]!r}.",
        near_matches(state, known) or "`facility failures --all` lists them.",
    )


def state_drawings(
    diagram: Diagram, solver: StateSolver, case: Case, moment: Moment = "settled", name: str = ""
) -> tuple[Drawing, ...]:
    """Return the one-line diagram of one state, one drawing for each sheet.

    diagram: The layout, from `lay_out`.
    solver: Solver of its network.
    case: The outage.
    moment: The final state, or the state before the generators have started.
    name: Name of the project, for the heading.
    """
    riding = moment == "on battery"
    flow = solver.riding(case.outage) if riding else solver.settled(case.outage)
    title = " · ".join(part for part in (name, f"state: {state_words(case, moment)}") if part)
    return draw(diagram, flow, outage=case.outage, title=title)


def state_words(case: Case, moment: Moment) -> str:
    """Return the name of a state at one moment."""
    return case.outage.id if case.kind == "normal" else f"{case.outage.id}, {_MOMENTS[moment]}"
