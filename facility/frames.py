"""Tables of a design as pandas frames: ``facility.frames.hours(design)``.

Every number is numeric and in the unit of its column: ``si`` in ``si_unit``, or the unit at the end
of the heading (``it_kw``, ``dropped_w``). pandas is imported when a frame is requested; each
function raises ``NO_PANDAS`` (`FacilityError`) where it is not installed.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta, timezone
from typing import TYPE_CHECKING, ParamSpec

from facility.core.errors import with_checked_argument
from facility.core.kinds import KINDS
from facility.core.table import data_frame
from facility.core.views import show
from facility.power.panels.board.model import CIRCUIT_COLUMNS
from facility.report.tables.hours import HOUR_COLUMNS
from facility.study.annual.study import annual
from facility.study.design.design import Design
from facility.study.failures.study import failures

if TYPE_CHECKING:
    from pandas import DataFrame

__all__ = ["assumptions", "checks", "circuits", "hours", "panels", "results", "states"]

_YEAR, _LEAP_YEAR, _LEAP_HOURS = 2001, 2004, 8784
_P = ParamSpec("_P")


def _of_design(function: Callable[_P, DataFrame]) -> Callable[_P, DataFrame]:
    """Return a function that rejects arguments other than a design."""
    return with_checked_argument(function, "Design", "Create one: facility.design(project).")


@_of_design
def results(design: Design) -> DataFrame:
    """Return the results of sizing and studies, one row per key; see `Results.to_frame`.

    Parameters
    ----------
    design : Design
        The design; studies that have not run yet are run.
    """
    return design.all_results.to_frame()


@_of_design
def hours(design: Design) -> DataFrame:
    """Return weather, power, heat and water over the typical year, one row per time step.

    Parameters
    ----------
    design : Design
        The design; its year is run if it has not been.

    Returns
    -------
    DataFrame
        Columns end in their unit (``dry_bulb_c``, ``it_kw``, ``makeup_m3_h``). The index is the
        start of each step, in the standard time of the site (no daylight saving time). A typical
        year has no calendar year; its dates are those of 2001, or of 2004 with 29 February.

    Raises
    ------
    FacilityError
        Where the site has no hourly weather.
    """
    year, weather = annual(design).year, design.weather_year
    zone_h = 0.0 if weather is None else weather.station.time_zone_h
    zone = timezone(timedelta(hours=zone_h))
    first = datetime(
        _LEAP_YEAR if 24 * year.hours.days >= _LEAP_HOURS else _YEAR, 1, 1, tzinfo=zone
    )
    step = timedelta(seconds=year.hours.step_s)
    columns = {column.key: column.in_unit(year) for column in HOUR_COLUMNS}
    frame = data_frame(
        columns, index=[first + timedelta(hours=end) - step for end in year.hours.ends_h.tolist()]
    )
    frame.index.name = "standard time"
    return frame


@_of_design
def checks(design: Design) -> DataFrame:
    """Return the checks of all studies, one row per check.

    Parameters
    ----------
    design : Design
        The design; studies that have not run yet are run.

    Returns
    -------
    DataFrame
        Columns are rule, subject, count (subjects with the same finding), severity, outcome,
        value, limit (in ``si_unit``), si_unit, margin (fraction of the limit), display (value and
        limit as text), why, remedy, source.
    """
    rows = [
        {
            "rule": one.rule,
            "subject": one.subject,
            "count": one.count,
            "severity": one.severity.value,
            "outcome": one.outcome.value,
            "value": one.value,
            "limit": one.limit,
            "si_unit": KINDS[one.kind].si if one.kind else "",
            "margin": one.margin,
            "display": one.comparison(),
            "why": one.why,
            "remedy": one.remedy,
            "source": str(one.source),
        }
        for one in design.checks
    ]
    return data_frame(rows).astype({"value": float, "limit": float, "margin": float})


@_of_design
def assumptions(design: Design) -> DataFrame:
    """Return the assumption ledger, one row per assumption.

    Parameters
    ----------
    design : Design
        The design.

    Returns
    -------
    DataFrame
        Columns are id, si (NaN for words), si_unit, display, basis, source, status.
    """
    rows = [
        {
            "id": one.id,
            "si": one.value,
            "si_unit": KINDS[one.kind].si if one.kind else "",
            "display": one.text or show(one.value or 0.0, one.kind),
            "basis": one.basis,
            "source": str(one.source),
            "status": one.status,
        }
        for one in design.ledger
    ]
    return data_frame(rows).astype({"si": float})


@_of_design
def states(design: Design, depth: int = 1) -> DataFrame:
    """Return the outage states of the power network, the normal state first.

    Parameters
    ----------
    design : Design
        The design.
    depth : int
        1: single outages; 2: also every loss during every maintenance.

    Returns
    -------
    DataFrame
        Columns are state, kind, component, count (equal outages), dropped_w, capped_w,
        interrupted_w, unprotected_w (IT load), other_dropped_w, worst_component, worst_loading,
        lowest_voltage_pu, battery_s (NaN where unknown).
    """
    rows = [
        {
            "state": one.case.outage.id,
            "kind": one.case.kind,
            "component": one.case.component,
            "count": one.case.size,
            "dropped_w": one.dropped_w,
            "capped_w": one.capped.load_w,
            "interrupted_w": one.interrupted_w,
            "unprotected_w": one.unprotected_w,
            "other_dropped_w": one.other_dropped_w,
            "worst_component": one.worst_loading[0] if one.worst_loading else "",
            "worst_loading": one.worst_loading[1] if one.worst_loading else None,
            "lowest_voltage_pu": one.lowest_voltage[1] if one.lowest_voltage else None,
            "battery_s": one.battery_s,
        }
        for one in failures(design, depth).states
    ]
    unknown = ("worst_loading", "lowest_voltage_pu", "battery_s")
    return data_frame(rows).astype(dict.fromkeys(unknown, float))


@_of_design
def circuits(design: Design) -> DataFrame:
    """Return the branch circuits of all panels, one row per circuit.

    Parameters
    ----------
    design : Design
        The design.

    Returns
    -------
    DataFrame
        Columns are those of `Panel.to_frame`: breaker rating in A, normal load in W and VA.
    """
    rows = [row for panel in design.panels.panels for row in panel.circuit_rows()]
    return data_frame(rows, columns=list(CIRCUIT_COLUMNS))


@_of_design
def panels(design: Design) -> DataFrame:
    """Return the panelboards, one row per panel.

    Parameters
    ----------
    design : Design
        The design.

    Returns
    -------
    DataFrame
        Columns are panel, side, hall, system, fed_from, poles, poles_used, circuits, bus_a, main_a,
        current_max_a (largest line current in any state), imbalance (fraction, normal state).
    """
    found = design.panels
    rows = [
        {
            "panel": one.tag,
            "side": one.side,
            "hall": one.hall,
            "system": one.system,
            "fed_from": one.fed_from,
            "poles": one.poles,
            "poles_used": one.poles_used,
            "circuits": len(one.circuits),
            "bus_a": one.bus_a,
            "main_a": one.main_a,
            "current_max_a": current_a,
            "imbalance": imbalance,
        }
        for one, current_a, imbalance in zip(
            found.panels, found.current_max_a, found.imbalance, strict=True
        )
    ]
    return data_frame(rows)
