"""Sags of the utility and the counter of a UPS, worked once more as intervals of time."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from facility.model.load_motion import Sags
from facility.study.transient.load.sags import ride_sags
from tests.results.second import differs

_CASES = 60


def sags_on_the_ups() -> Iterator[str]:
    """On battery from a sag to the retransfer; off for good once the counter is full."""
    chance = Random(21)
    for number in range(_CASES):
        count = chance.choice([1, 2, 5, 6, 12])
        sags = Sags(
            count=count, within_s=chance.choice([30.0, 82.0, 600.0]),
            each_s=chance.choice([0.1, 2.0]),
            retransfer_s=chance.choice([1.0, 10.0, 90.0]), events=chance.choice([2, 3, 6, 20]),
            events_within_s=chance.choice([20.0, 60.0, 300.0]), counter_stated=True,
        )  # fmt: skip
        times = [sags.within_s * n / max(count - 1, 1) for n in range(count)]
        full = None
        for n, at_s in enumerate(times):
            recent = [t for t in times[: n + 1] if at_s - t <= sags.events_within_s * (1.0 + 1e-9)]
            if len(recent) >= sags.events:
                full = at_s
                break
        seen = [t for t in times if full is None or t <= full]
        battery, transfers, until = 0.0, 0, -1.0
        for at_s in seen:
            transfers += at_s >= until
            end = at_s + sags.each_s + sags.retransfer_s
            end = end if full is None else min(end, full)
            battery += max(0.0, end - max(at_s, until))
            until = max(until, at_s + sags.each_s + sags.retransfer_s)
        found = ride_sags(sags)
        at = f"case {number}: {sags}"
        if (found.locked_s is None) != (full is None) or len(found.events) != len(seen):
            yield f"{at}: off at {found.locked_s}, by hand {full}"
        for event in found.events:
            spans = [event.time_s - t for t in times if t <= event.time_s + 1e-9]
            near = sum(span <= sags.events_within_s * (1.0 + 1e-9) for span in spans)
            if event.counted != near:
                yield f"{at}: {event}, by hand {near}"
        yield from differs(f"{at}: off for good", found.locked_s or 0.0, full or 0.0)
        if found.transfers != transfers:
            yield f"{at}: {found.transfers} transfers, by hand {transfers}"
        yield from differs(f"{at}: on battery", found.battery_s, battery)
