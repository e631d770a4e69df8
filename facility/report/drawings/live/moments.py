"""Moments of an outage: before it, on battery, and after all switching.

Drawing and failure study use the same solver.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from facility.core.errors import FacilityError
from facility.core.views import System, show
from facility.power.network.flow.solve import Flow
from facility.power.network.graph.types import Outage
from facility.power.network.outages.cases import Case
from facility.power.network.outages.opened import openable, opened_case
from facility.power.network.outages.states import OutageState, StateSolver
from facility.report.drawings.live.racks import Dropped, HallLoads
from facility.report.drawings.one_line.state import state_words

Instant = Literal["before", "on battery", "settled"]
_NORMAL = Case(Outage("normal"), "normal")


@dataclass(frozen=True, eq=False)
class LiveState:
    """One moment of an outage, solved.

    `state` is the whole outage as the study of failures has it, `flow`, `loading` and `dropped` are
    those of the moment; the final loading of a UPS that transfers to its static bypass is the
    loading that caused the transfer. `refused` states what could not be opened; the rest is shown.
    """

    case: Case
    instant: Instant
    state: OutageState
    flow: Flow
    loading: NDArray[np.float64]
    dropped: Dropped
    opened: tuple[str, ...]
    refused: tuple[FacilityError, ...]

    @property
    def drawn(self) -> Outage:
        """Equipment out of service in the moment, opened manually or failed."""
        return _NORMAL.outage if self.instant == "before" else self.case.outage

    @property
    def words(self) -> str:
        """Name of the state at this moment."""
        return (
            state_words(_NORMAL, "settled")
            if self.instant == "before"
            else state_words(self.case, self.instant)
        )


def live_state(
    solver: StateSolver,
    loads: HallLoads,
    base: Case,
    opened: Sequence[str],
    instant: Instant = "settled",
) -> LiveState:
    """Return one moment of the outage `base` with additional open equipment.

    Equipment that cannot be opened stays closed, with the reason; so does all of it if the
    remaining network cannot carry the load.
    """
    opened_now, refused = openable(solver.network, base, opened)
    try:
        return _solved(
            solver,
            loads,
            opened_case(solver.network, base, opened_now),
            instant,
            opened_now,
            refused,
        )
    except FacilityError as error:
        if not opened_now:
            raise
        return _solved(solver, loads, base, instant, (), (*refused, error))


def _solved(
    solver: StateSolver,
    loads: HallLoads,
    case: Case,
    instant: Instant,
    opened: tuple[str, ...],
    refused: tuple[FacilityError, ...],
) -> LiveState:
    (columns,) = solver.columns(iter((case,)))
    if instant == "on battery":
        flow = solver.riding(case.outage)
    else:
        flow = solver.settled(_NORMAL.outage if instant == "before" else case.outage)
    loading = columns.loading[0] if instant == "settled" else flow.loading[:, 0]
    dropped = loads.dropped(flow)
    return LiveState(case, instant, columns.states[0], flow, loading, dropped, opened, refused)


def instant_words(live: LiveState, system: System = "si") -> str:
    """Return the description of the moment shown."""
    state = live.state
    if live.case.kind == "normal":
        return "Nothing is out of service: all times are identical."
    if live.instant == "before":
        return "Everything is in service."
    if live.instant == "on battery":
        if not state.riding:
            return "No UPS is on battery: this state lasts until the next switching event."
        count = len(state.riding)
        if state.battery_s is None:
            return f"{count} UPS on battery; autonomy unknown: {state.battery_reason}."
        return f"{count} UPS on battery, minimum autonomy {show(state.battery_s, 'time', system)}."
    return f"Transfers: {'; '.join(state.transfers) or 'none'}."
