"""What a study of failures says first: its verdicts, and its states with the worst first."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from facility.core.rounding import rounded
from facility.power.network.outages.states import OutageState
from facility.study.failures.study import FailureStudy


def worst_first(states: Iterable[OutageState]) -> list[OutageState]:
    """Return the states by load dropped or interrupted, then overload, then load without UPS."""
    return sorted(
        states,
        key=lambda s: (
            -rounded(s.dropped_w + s.interrupted_w),
            -rounded(s.overloads[0][1] if s.overloads else 0.0),
            -rounded(s.unprotected_w),
            -rounded(s.worst_loading[1] if s.worst_loading else 0.0),
            s.case.outage.id,
        ),
    )


def verdict_lines(study: FailureStudy) -> Iterator[str]:
    """Yield the verdicts, each with what decides it."""
    for name, verdict in (
        ("Concurrently maintainable", study.concurrently_maintainable),
        ("Fault tolerant", study.fault_tolerant),
    ):
        yield f"{name}: {'yes' if verdict.holds else 'no'}. {verdict.because}"
    count = sum(len(point.alike) for point in study.single_points)
    yield f"Single points of failure: {count or 'none'}."
