"""Neutral tables of power network states: worst states, effect of one, loading by type."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from facility.core.rounding import rounded
from facility.core.views import System, show
from facility.power.network.build.facility import HOUSE, MECH, MECH_UPS
from facility.power.network.outages.by_kind import highest_by_kind
from facility.power.network.outages.cases import Case
from facility.power.network.outages.states import OutageState
from facility.study.failures.study import FailureStudy

_LOAD_WORDS = {HOUSE: "building load", MECH: "cooling load", MECH_UPS: "cooling load on UPS"}
_OTHER_LOADS = re.compile(rf"\b({MECH_UPS}|{MECH}|{HOUSE})(?:-(\d+))?\b")


def worst_first(states: Iterable[OutageState]) -> list[OutageState]:
    """Return the states by load dropped or interrupted, capped, then overload, then without UPS."""
    return sorted(
        states,
        key=lambda s: (
            -rounded(s.dropped_w + s.interrupted_w),
            -rounded(s.capped.load_w),
            -rounded(s.overloads[0][1] if s.overloads else 0.0),
            -rounded(s.unprotected_w),
            -rounded(s.worst_loading[1] if s.worst_loading else 0.0),
            s.case.outage.id,
        ),
    )


def verdict_lines(study: FailureStudy) -> Iterator[str]:
    """Yield the verdicts, each with its deciding reason."""
    for name, verdict in (
        ("Concurrently maintainable", study.concurrently_maintainable),
        ("Fault tolerant", study.fault_tolerant),
    ):
        yield f"{name}, power: {'met' if verdict.holds else 'not met'}; {verdict.because}."
    capped = study.runs_capped
    yield f"Power-capped IT load: {capped.because if capped.holds else 'none'}."
    count = sum(len(point.alike) for point in study.single_points)
    yield f"Single points of failure: {count or 'none'}."


_FIRST: tuple[str, ...] = ("normal", "utility", "utility-generator")
_LAST = ("rack-pdu", "circuit")
_SHOWN = 4
STATE_KEYS = {
    "IT load dropped": "state.load_dropped",
    "IT load capped": "state.load_capped",
    "Racks without power": "state.racks",
    "IT load off until generators start": "state.load_interrupted",
    "IT load without UPS": "state.load_unprotected",
    "Other load dropped": "state.other_dropped",
    "Overloads": "state.overload",
    "Maximum loading": "state.highest_loading",
    "Minimum load voltage": "state.lowest_voltage",
    "Battery autonomy": "state.battery",
}
"""Result keys of the state facts, by label."""


@dataclass(frozen=True)
class MatrixRow:
    """State with the maximum loading of each equipment type, if any."""

    case: Case
    state: str
    dropped_w: float
    capped_w: float
    racks: int
    overload: str
    loading: Mapping[str, float | None]


def case_name(case: Case) -> str:
    """Return the state id, and the number of equal states."""
    return f"{case.outage.id} ({case.size:,} equal)" if case.size > 1 else case.outage.id


_NOUNS = {
    "mv-switchgear": "switchgear ",
    "transformer": "transformer ",
    "lv-board": "LV board ",
    "ats": "transfer switch ",
    "ups-output": "UPS output ",
    "static-bypass": "static bypass ",
    "maintenance-bypass": "maintenance bypass ",
    "generator-plant": "generator ",
    "generator-bus": "generator bus ",
    "sts": "static switch ",
    "panel": "panel ",
    "busway": "busway ",
    "rack-pdu": "rack PDU ",
    "circuit": "circuit ",
}


def case_title(case: Case) -> str:
    """Return a state as a heading, e.g. "Loss of switchgear MVS-A"."""
    if case.kind == "normal":
        return "Normal operation"
    title = case.outage.id.replace(" of all of ", " of all units of ")
    if case.component and case.kind in ("loss", "maintenance"):
        noun, tag = _NOUNS.get(case.component_kind, ""), case.component.removeprefix("RPDU ")
        if not tag.startswith("all of "):
            title = f"{case.kind} of {noun}{tag}"
    equal = f", {case.size:,} identical" if case.size > 1 else ""
    return f"{title[0].upper()}{title[1:]}{equal}"


def choice_order(found: Iterable[Case]) -> list[Case]:
    """Return the selectable states: normal, loss of utility, power train, circuits, racks."""
    rank = {kind: n for n, kind in enumerate(_FIRST)}

    def rank_of(case: Case) -> tuple[int, int]:
        return rank.get(case.kind, len(_FIRST)), int(case.component_kind in _LAST)

    return sorted(found, key=rank_of)


def state_facts(state: OutageState, system: System = "si") -> Iterator[tuple[str, str]]:
    """Yield the effects of a state, as label and value."""
    first = f", first {state.racks[0][0]}" if state.racks else ""
    yield "IT load dropped", _power(state.dropped_w, system)
    if state.capped.load_w:
        drawn = show(state.capped.drawn_w, "active_power", system)
        conflict = "; published figures conflict" if state.capped.conflict else ""
        load = _power(state.capped.load_w, system)
        yield "IT load capped", f"{load}, capped demand {drawn}{conflict}"
    yield "Racks without power", f"{len(state.racks):,}{first}" if state.racks else "none"
    if state.interrupted_w:
        yield "IT load off until generators start", _power(state.interrupted_w, system)
    yield "IT load without UPS", _power(state.unprotected_w, system)
    yield "Other load dropped", _power(state.other_dropped_w, system)
    over = [f"{tag} {show(loading, 'fraction')}" for tag, loading in state.overloads[:_SHOWN]]
    more = len(state.overloads) - _SHOWN
    yield "Overloads", "; ".join([*over, *([f"{more} more"] if more > 0 else [])]) or "none"
    yield "Maximum loading", _figure(state.worst_loading)
    yield "Minimum load voltage", _figure(state.lowest_voltage)
    yield "Battery autonomy", _battery(state)


def _power(value_w: float, system: System) -> str:
    return show(value_w, "active_power", system) if value_w else "none"


def load_words(tag: str) -> str:
    """Return the tag of a load or circuit with words for cooling and building loads.

    Examples
    --------
    >>> load_words("HOUSE-2"), load_words("UPO-A1>MECH-UPS-1"), load_words("RPP-A01")
    ('building load 2', 'UPO-A1>cooling load on UPS 1', 'RPP-A01')
    """
    return _OTHER_LOADS.sub(lambda found: f"{_LOAD_WORDS[found[1]]} {found[2] or ''}".strip(), tag)


def _figure(found: tuple[str, float] | None) -> str:
    return "" if found is None else f"{show(found[1], 'fraction')} at {load_words(found[0])}"


def _battery(state: OutageState) -> str:
    if not state.riding:
        return "not used"
    if state.battery_s is None:
        return f"not known: {state.battery_reason}"
    return f"{show(state.battery_s, 'time')}, {len(state.riding)} UPS on battery"


def matrix_rows(study: FailureStudy, limit: int) -> Iterator[MatrixRow]:
    """Yield the worst `limit` single outages with the maximum loading of each type."""
    column = {state.case.outage.id: n for n, state in enumerate(study.states)}
    for state in worst_first(study.single)[:limit]:
        yield MatrixRow(
            state.case,
            case_name(state.case),
            state.dropped_w,
            state.capped.load_w,
            len(state.racks),
            _figure(state.overloads[0]) if state.overloads else "none",
            highest_by_kind(study.network, study.columns[column[state.case.outage.id]]),
        )
