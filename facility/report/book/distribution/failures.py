"""The Failures sheet: verdicts, single points of failure, every outage with what it does."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from facility.power.network.outages.states import State
from facility.power.network.outages.verdicts import SinglePoint
from facility.report.sheet.cells import Span
from facility.report.sheet.grid import Column, GridValue, Table
from facility.report.sheet.model import Conditional, Sheet
from facility.report.sheet.tables import Furniture, fit_heights, write_heading
from facility.report.tables.failures import verdict_lines, worst_first
from facility.study.failures.study import FailureStudy

MAX_STATES = 200
_ALWAYS = ("normal", "utility", "utility-generator")
_W, _PART = "active_power", "fraction"
_UNTIL = "IT load off until the sets start kW"
_NONE = ("", None)
_ABOVE_ZERO = "AND(ISNUMBER({0}),{0}>0)"


def _battery(state: State) -> GridValue:
    """Return the time that the batteries which carry load last, or the words for it."""
    if not state.riding:
        return "none used"
    return "not known" if state.battery_s is None else state.battery_s


def _dropped(key: str, head: str, of: Callable[[State], float], width: float = 11) -> Column[State]:
    return Column(key, head, width, _W, number_format="n1z", of=of)


def _counted(key: str, head: str, width: float, of: Callable[[State], int]) -> Column[State]:
    return Column(key, head, width, "count", number_format="n0z", of=of)


_STATES: Table[State] = Table(
    "Outages: all in service, utility lost, then the worst first",
    (
        Column("outage", "Outage", 32, of=lambda s: s.case.outage.id),
        Column("alike", "Alike", 7, "count", of=lambda s: s.case.size),
        _dropped("dropped", "IT load dropped kW", lambda s: s.dropped_w),
        _counted("racks", "Racks dropped", 9, lambda s: len(s.racks)),
        _dropped("interrupted", _UNTIL, lambda s: s.interrupted_w, 13),
        _dropped("bare", "IT load without UPS kW", lambda s: s.unprotected_w),
        _dropped("other", "Other load dropped kW", lambda s: s.other_dropped_w),
        Column("loading", "Highest loading", 10, _PART, of=lambda s: (s.worst_loading or _NONE)[1]),
        Column("where", "Of", 20, of=lambda s: (s.worst_loading or _NONE)[0]),
        _counted("over", "Overloads", 10, lambda s: len(s.overloads)),
        Column("voltage", "Lowest voltage", 10, _PART, of=lambda s: (s.lowest_voltage or _NONE)[1]),
        Column("battery", "Battery lasts s", 12, "time", number_format="n0", of=_battery),
        Column("transfers", "Transfers", 60, style="cell", of=lambda s: "; ".join(s.transfers)),
    ),
    head_height=54,
    marks=(
        ("dropped", _ABOVE_ZERO, "bad"),
        ("interrupted", _ABOVE_ZERO, "warn"),
        ("bare", _ABOVE_ZERO, "warn"),
    ),
)
_POINTS: Table[SinglePoint] = Table(
    "Single points of failure",
    (
        Column("component", "Component", 0, of=lambda p: f"{p.component} ({p.kind})"),
        Column("alike", "Alike", 0, "count", of=lambda p: len(p.alike)),
        Column("lost", "IT load lost kW", 0, _W, of=lambda p: p.lost_w),
        Column("racks", "Racks", 0, "count", of=lambda p: len(p.racks)),
    ),
    head_height=0,
)


def failures_sheet(name: str, study: FailureStudy, furniture: Furniture) -> Sheet:
    """Return the verdicts, and the outages with the worst first.

    One state of the study stands for all outages that are like it.
    """
    sheet = Sheet(name, freeze=(1, 2))
    write_heading(
        sheet,
        "Failures",
        f"{study.outages:,} outages, solved as {len(study.states):,} states: every single loss, "
        "every maintenance outage, loss of the utility.",
    )
    row = _write_verdicts(sheet, study, 4)
    row = _POINTS.write_if(sheet, row, study.single_points[:MAX_STATES])
    sheet.page = furniture.page(large=True, repeat_rows=(row + 1, row + 1))
    _write_states(sheet, study, shown_states(study), row)
    fit_heights(sheet, 3)
    return sheet


def shown_states(study: FailureStudy) -> list[State]:
    """Return the states that the workbook shows: normal, utility lost, then the worst first."""
    first = [state for state in study.states if state.case.kind in _ALWAYS]
    others = (state for state in study.states if state.case.kind not in _ALWAYS)
    return [*first, *worst_first(others)[:MAX_STATES]]


def _wide(sheet: Sheet, row: int, text: str, style: str) -> int:
    sheet.merge(Span(row, 1, row, 13), text, style)
    return row + 1


def _write_verdicts(sheet: Sheet, study: FailureStudy, row: int) -> int:
    sheet.put(row, 1, "Verdicts", "section")
    row += 1
    holds = (
        study.concurrently_maintainable.holds,
        study.fault_tolerant.holds,
        not study.single_points,
    )
    for good, text in zip(holds, verdict_lines(study), strict=True):
        row = _wide(sheet, row, text, "clear" if good else "alert")
    return row + 1


def _write_states(sheet: Sheet, study: FailureStudy, states: Sequence[State], row: int) -> None:
    grid = _STATES.write(sheet, row, states)
    grid.set_widths()
    mark_loading(sheet, grid.span("loading"))
    left = len(study.states) - len(states)
    if left:
        text = (
            f"{left:,} states more are not shown: none of them drops more load or overloads more "
            "than the last one here. All of them: facility failures."
        )
        _wide(sheet, grid.row, text, "note")


def mark_loading(sheet: Sheet, span: Span) -> None:
    """Colour loadings above 80 % and above the rating."""
    first = span.first
    sheet.conditionals += [
        Conditional(span, f"AND(ISNUMBER({first}),{first}>1+1E-6)", "bad"),
        Conditional(span, f"AND(ISNUMBER({first}),{first}>0.8)", "warn"),
    ]
