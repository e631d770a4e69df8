"""Event sequence after a failure: power restored, chillers cooling again, batteries empty."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from facility.cooling.ride_through.schedule import PARTS, Part
from facility.core.rounding import rounded
from facility.study.transient.result import RideResult
from facility.study.transient.study import TransientStudy

SERIES_NAMES = {
    "inlet_worst": "equipment inlet, worst",
    "inlet": "equipment inlet, mean",
    "tcs_supply": "coolant supply (TCS)",
    "fws_supply": "facility water supply (FWS)",
    "chw_supply": "chilled water supply (CHW)",
}
"""Temperatures with a curve, by series name."""
_FOCUS, _MIN_FOCUS_S = 1.5, 300.0


@dataclass(frozen=True)
class RideEvent:
    """An event at a time after the failure [s]."""

    time_s: float
    what: str


def ride_events(study: TransientStudy, found: RideResult) -> tuple[RideEvent, ...]:
    """Return the events of a case in time order, within the simulated time.

    study: Its plant has the restart times.
    found: The case.
    """
    events = sorted(_events(study, found), key=lambda event: rounded(event.time_s))
    return tuple(event for event in events if event.time_s <= found.horizon_s)


def focus_s(found: RideResult, events: tuple[RideEvent, ...]) -> float:
    """Return the time of the last event or exceeded limit, with a margin [s]."""
    last_s = max([event.time_s for event in events] + [t for _, t, _ in found.limits if t])
    return min(found.horizon_s, max(_FOCUS * last_s, _MIN_FOCUS_S))


def _events(study: TransientStudy, found: RideResult) -> Iterator[RideEvent]:
    case, restart = found.case, study.plant.thermal.restart
    power, banks = case.power, study.plant.banks
    waits = power.restored_s != float("inf")
    if waits and power.on_board[0] < 1.0:
        there = (part for part in PARTS if part in case.supplied and study.plant.has(part))
        on_ups = ", ".join(_PART_WORDS[part] for part in there)
        yield RideEvent(0.0, f"utility lost; on the UPS: {on_ups or 'no part of the cooling'}")
        yield RideEvent(power.restored_s, "generators supply the cooling")
        if banks["rejection"].installed:
            yield RideEvent(power.restored_s + restart.rejection_s, "heat rejection in operation")
        if banks["chillers"].installed:
            cold = "compressors" if study.plant.direct else "chillers"
            yield RideEvent(power.restored_s + restart.chiller_s, f"{cold} start cooling")
            at_s = power.restored_s + restart.chiller_s + restart.chiller_ramp_s
            yield RideEvent(at_s, f"{cold} at capacity")
    else:
        yield RideEvent(0.0, case.title)
    if power.exhausted and power.battery_s is not None:
        yield RideEvent(power.battery_s, "batteries empty")
    if "chillers" in case.lost and banks["chillers"].installed > banks["chillers"].running:
        yield RideEvent(restart.chiller_s, "standby chiller starts cooling")
    if case.back_s is not None:
        yield RideEvent(case.back_s, "standby pump in operation")


_PART_WORDS: dict[Part, str] = {
    "fans": "air-handler fans",
    "cdus": "CDU pumps",
    "fws_pumps": "facility-water pumps",
    "chw_pumps": "chilled-water pumps",
    "chillers": "chillers",
    "rejection": "heat rejection",
    "fws_rejection": "facility-water heat rejection",
}
