"""Sags of the grid one after another: what a UPS does that counts them."""

from __future__ import annotations

from dataclasses import dataclass

from facility.core.rounding import within
from facility.model.load_motion import Sags


@dataclass(frozen=True)
class SagEvent:
    """One sag: when it comes, whether the UPS transfers for it, and how many its counter holds."""

    time_s: float
    transfers: bool
    counted: int


@dataclass(frozen=True)
class SagRide:
    """What came of the sags."""

    events: tuple[SagEvent, ...]
    locked_s: float | None  # When the counter is full: the load stays off the utility from then
    battery_s: float  # On battery until the last retransfer, or until the counter is full

    @property
    def transfers(self) -> int:
        """How often the load left the utility."""
        return sum(event.transfers for event in self.events)


def ride_sags(sags: Sags) -> SagRide:
    """Return what a UPS does through sags at equal intervals.

    Each sag is an event of the counter, also one that comes while the UPS is still on its battery;
    it goes back to the utility when that has been well for a while. Once as many events as it is
    set to lie within its time, it stays off until somebody sends it back.
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
