"""Repeated grid sags: response of a UPS with an event counter."""

from __future__ import annotations

from dataclasses import dataclass

from facility.core.rounding import within
from facility.model.load_motion import Sags


@dataclass(frozen=True)
class SagEvent:
    """One sag: time, transfer of the UPS, and event count."""

    time_s: float
    transfers: bool
    counted: int


@dataclass(frozen=True)
class SagRide:
    """Response to the sags."""

    events: tuple[SagEvent, ...]
    locked_s: float | None  # Time the counter is full: the load remains off the utility from then
    battery_s: float  # On battery until the last retransfer, or until the counter is full

    @property
    def transfers(self) -> int:
        """Number of transfers of the load off the utility."""
        return sum(event.transfers for event in self.events)


def ride_sags(sags: Sags) -> SagRide:
    """Return the response of a UPS to sags at equal intervals.

    Each sag is an event of the counter, also while the UPS is still on battery; the UPS returns to
    the utility after the retransfer time. Once the set number of events occurs within the set time,
    it remains off the utility until returned by an operator.
    """
    gap_s = sags.within_s / (sags.count - 1) if sags.count > 1 else 0.0
    times_s = [n * gap_s for n in range(sags.count)]
    events: list[SagEvent] = []
    battery_s, back_s = 0.0, 0.0
    for n, time_s in enumerate(times_s):
        counted = sum(within(time_s - t, sags.events_within_s) for t in times_s[: n + 1])
        transfers = n == 0 or time_s >= back_s
        until_s = time_s + sags.each_s + sags.retransfer_s
        events.append(SagEvent(time_s, transfers, counted))
        if counted >= sags.events:
            battery_s += 0.0 if transfers else time_s - back_s
            return SagRide(tuple(events), time_s, battery_s)
        battery_s += until_s - (time_s if transfers else back_s)
        back_s = until_s
    return SagRide(tuple(events), None, battery_s)
