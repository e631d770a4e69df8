"""Neutral tables of a study of failures, for terminal, app and workbook alike."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from facility.core.views import System, show
from facility.power.network.outages.availability import LoadAvailability
from facility.power.network.outages.states import State
from facility.power.network.outages.verdicts import LoadGroup
from facility.study.failures.study import FailureStudy

_Row = tuple[str, ...]
STATE_HEADS = (
    "Outage",
    "Alike",
    "IT load dropped",
    "Racks",
    "Highest loading",
    "Lowest voltage",
    "Battery",
    "What happens",
)
POINT_HEADS = ("Component", "Kind", "Number", "IT load dropped by one", "Racks")
GROUP_HEADS = ("UPS systems", "Loads", "IT load", "Highest loading", "In")
AVAILABILITY_HEADS = (
    "Loads",
    "First",
    "Availability",
    "Minutes per year",
    "Cut sets",
    "Leading contributor",
)


def worst_first(states: Iterable[State]) -> list[State]:
    """Return the states by load dropped or interrupted, then overload, then load without UPS."""
    return sorted(
        states,
        key=lambda s: (
            -(s.dropped_w + s.interrupted_w),
            -(s.overloads[0][1] if s.overloads else 0.0),
            -s.unprotected_w,
            -(s.worst_loading[1] if s.worst_loading else 0.0),
            s.case.outage.id,
        ),
    )


def state_rows(states: Iterable[State], system: System = "si") -> Iterator[_Row]:
    """Yield one row of text by state, under `STATE_HEADS`."""
    for state in states:
        yield (
            state.case.outage.id,
            f"{state.case.size:,}",
            show(state.dropped_w, "active_power", system) if state.dropped_w else "none",
            f"{len(state.racks):,}",
            _figure(state.worst_loading),
            _figure(state.lowest_voltage),
            _battery(state),
            "; ".join(_events(state, system)),
        )


def _battery(state: State) -> str:
    """Return how long the batteries that carry load last, in words."""
    if not state.riding:
        return "none used"
    return f"{state.battery_s:,.0f} s" if state.battery_s is not None else "not known"


def _figure(found: tuple[str, float] | None) -> str:
    return f"{show(found[1], 'fraction')} {found[0]}" if found is not None else ""


def _events(state: State, system: System) -> Iterator[str]:
    if state.interrupted_w:
        power = show(state.interrupted_w, "active_power", system)
        yield f"{power} of IT load off until the generators have started"
    for tag, loading in state.overloads[:3]:
        yield f"{tag} overloaded, {show(loading, 'fraction')}"
    if len(state.overloads) > 3:
        yield f"{len(state.overloads) - 3} more overloaded"
    if state.unprotected:
        yield f"{len(state.unprotected)} racks without UPS"
    if state.other_dropped_w:
        yield f"{show(state.other_dropped_w, 'active_power', system)} of other load dropped"
    yield from state.transfers


def verdict_lines(study: FailureStudy) -> Iterator[str]:
    """Yield the verdicts, each with what decides it."""
    for name, verdict in (
        ("Concurrently maintainable", study.concurrently_maintainable),
        ("Fault tolerant", study.fault_tolerant),
    ):
        yield f"{name}: {'yes' if verdict.holds else 'no'}. {verdict.because}"
    count = sum(len(point.alike) for point in study.single_points)
    yield f"Single points of failure: {count or 'none'}."


def point_rows(study: FailureStudy, system: System = "si") -> Iterator[_Row]:
    """Yield the single points of failure, under `POINT_HEADS`."""
    for point in study.single_points:
        power = show(point.lost_w, "active_power", system)
        first = ", ".join(point.racks[:3]) + (", ..." if len(point.racks) > 3 else "")
        yield point.component, point.kind, f"{len(point.alike):,}", power, first


def group_rows(groups: Iterable[LoadGroup], system: System = "si") -> Iterator[_Row]:
    """Yield the IT load by the UPS systems it hangs on, under `GROUP_HEADS`."""
    for group in groups:
        tag, loading, state = group.worst or ("", 0.0, "")
        yield (
            " and ".join(group.systems) or "none",
            f"{group.loads:,}",
            show(group.load_w, "active_power", system),
            _figure((tag, loading) if tag else None),
            state,
        )


def _not_known(one: LoadAvailability) -> str:
    if one.missing:
        return "no times of " + ", ".join(one.missing)
    return "more than two components must be down"


def availability_rows(study: FailureStudy) -> Iterator[_Row]:
    """Yield the availability by class of IT load, under `AVAILABILITY_HEADS`."""
    for one in study.availability:
        known = one.unavailability is not None and one.down_s is not None
        leading = one.contributors[0] if one.contributors else ("", 0.0)
        yield (
            f"{len(one.loads):,}",
            one.loads[0],
            f"{1.0 - (one.unavailability or 0.0):.7%}" if known else "not evaluated",
            f"{(one.down_s or 0.0) / 60.0:,.3g}" if known else "",
            f"{len(one.cuts):,}",
            f"{leading[0]}, {leading[1]:.0%}" if known else _not_known(one),
        )
