"""The sheet Failures: verdicts and every outage."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

from facility.core.views import show
from facility.power.network.outages.states import OutageState
from facility.power.network.outages.verdicts import SinglePoint, capped_words
from facility.report.sheet.entries import Reach
from facility.report.sheet.grid import Column, GridValue, SheetTable
from facility.report.sheet.model import Conditional, Sheet, Span, literal_text
from facility.report.sheet.staleness import stale_or
from facility.report.sheet.tables import PageSetup, fit_heights, write_heading
from facility.report.tables.states import verdict_lines, worst_first
from facility.study.failures.study import FailureStudy

MAX_STATES = 200
_ALWAYS = ("normal", "utility", "utility-generator")
_W, _PART = "active_power", "fraction"
_UNTIL = "IT load off until generators start (kW)"
_NONE = ("", None)
_ABOVE_ZERO = "AND(ISNUMBER({0}),{0}>0)"
_NAMED = 3


def _battery(state: OutageState) -> GridValue:
    """Return the autonomy of the batteries on load, or its text."""
    if not state.riding:
        return "none used"
    return "not known" if state.battery_s is None else state.battery_s


def effects(state: OutageState) -> Iterator[str]:
    """Yield the effects of an outage on loads and equipment."""
    if state.capped.load_w:
        yield capped_words(state.capped)
    if state.interrupted_w:
        power = show(state.interrupted_w, _W)
        yield f"{power} of IT load off until the generators have started"
    for tag, loading in state.overloads[:_NAMED]:
        yield f"{tag} overloaded, {show(loading, _PART)}"
    if len(state.overloads) > _NAMED:
        yield f"{len(state.overloads) - _NAMED} more overloaded"
    if state.unprotected:
        yield f"{len(state.unprotected)} racks without UPS"
    if state.other_dropped_w:
        yield f"{show(state.other_dropped_w, _W)} of other load dropped"


def _first_racks(point: SinglePoint) -> str:
    return ", ".join(point.racks[:_NAMED]) + (", ..." if len(point.racks) > _NAMED else "")


_power: partial[Column[OutageState]] = partial(Column, kind=_W, number_format="n1z")
_count: partial[Column[OutageState]] = partial(Column, kind="count", number_format="n0z")
_words: partial[Column[OutageState]] = partial(Column, door="text")
STATES: SheetTable[OutageState] = SheetTable(
    "Outages: all in service, utility lost, then by severity",
    (
        Column("outage", "Outage", 32, of=lambda s: s.case.outage.id),
        Column("alike", "Equal components", 7, "count", of=lambda s: s.case.size),
        _power("dropped", "IT load dropped (kW)", 11, of=lambda s: s.dropped_w),
        _power("capped", "IT load capped (kW)", 11, of=lambda s: s.capped.load_w),
        _count("racks", "Racks dropped", 9, of=lambda s: len(s.racks)),
        _power("interrupted", _UNTIL, 13, of=lambda s: s.interrupted_w, door="sheet"),
        _power("bare", "IT load without UPS (kW)", 11, of=lambda s: s.unprotected_w, door="sheet"),
        _power("other", "Other load dropped (kW)", 11, of=lambda s: s.other_dropped_w,
               door="sheet"),
        Column("loading", "Maximum loading", 10, _PART, of=lambda s: (s.worst_loading or _NONE)[1]),
        Column("where", "Most loaded component", 20, style="choice",
               of=lambda s: (s.worst_loading or _NONE)[0]),
        _count("over", "Overloads", 10, of=lambda s: len(s.overloads), door="sheet"),
        Column("voltage", "Lowest voltage", 10, _PART, of=lambda s: (s.lowest_voltage or _NONE)[1]),
        _words("at", "Lowest-voltage load", 0, of=lambda s: (s.lowest_voltage or _NONE)[0]),
        Column("battery", "Battery lasts (s)", 12, "time", number_format="n0", of=_battery),
        _words("events", "Effect", 0, of=lambda s: "; ".join((*effects(s), *s.transfers))),
        Column("transfers", "Transfers", 60, of=lambda s: "; ".join(s.transfers), style="finding",
               door="sheet"),
    ),
    head_height=54,
    marks=(
        ("dropped", _ABOVE_ZERO, "bad"),
        ("capped", _ABOVE_ZERO, "warn"),
        ("interrupted", _ABOVE_ZERO, "warn"),
        ("bare", _ABOVE_ZERO, "warn"),
    ),
)  # fmt: skip
POINTS: SheetTable[SinglePoint] = SheetTable(
    "Single points of failure",
    (
        Column("component", "Component", 0, of=lambda p: f"{p.component} ({p.kind})"),
        Column("alike", "Equal components", 0, "count", of=lambda p: len(p.alike)),
        Column("lost", "IT load lost per component (kW)", 0, _W, of=lambda p: p.lost_w),
        Column("racks", "Racks", 0, "count", of=lambda p: len(p.racks)),
        Column("first", "First rack", 0, of=_first_racks, door="text"),
    ),
    head_height=0,
)


def failures_sheet(name: str, study: FailureStudy, page_setup: PageSetup) -> Sheet:
    """Return the verdicts and the outages, worst first.

    One state of the study represents all equivalent outages.
    """
    sheet = Sheet(name, freeze=(1, 2))
    write_heading(
        sheet,
        "Failures",
        f"{study.outages:,} outages, solved as {len(study.states):,} states: every single loss, "
        "every maintenance outage, loss of the utility.",
    )
    row = _write_verdicts(sheet, study, 4)
    row = POINTS.write_if(sheet, row, study.single_points[:MAX_STATES])
    sheet.page = page_setup.page(large=True, repeat_rows=(row + 1, row + 1))
    _write_states(sheet, study, shown_states(study), row)
    fit_heights(sheet, 3)
    return sheet


def shown_states(study: FailureStudy) -> list[OutageState]:
    """Return the states shown in the workbook: normal, utility lost, then by severity."""
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
        not study.runs_capped.holds,
        not study.single_points,
    )
    for good, text in zip(holds, verdict_lines(study), strict=True):
        _wide(sheet, row, text, "clear" if good else "alert")
        stale = stale_or(literal_text(text), Reach.LOAD)
        sheet.formula(row, 1, stale, text, "clear" if good else "alert")
        row += 1
    return row + 1


def _write_states(
    sheet: Sheet, study: FailureStudy, states: Sequence[OutageState], row: int
) -> None:
    grid = STATES.write(sheet, row, states)
    grid.set_widths()
    mark_loading(sheet, grid.span("loading"))
    left = len(study.states) - len(states)
    if left:
        text = (
            f"{left:,} more states are not listed: none drops more load or overloads equipment "
            f"more than the last one here. Full list: facility failures."
        )
        _wide(sheet, grid.row, text, "note")


def mark_loading(sheet: Sheet, span: Span) -> None:
    """Colour loadings above 80 % and above the rating."""
    first = span.first
    sheet.conditionals += [
        Conditional(span, f"AND(ISNUMBER({first}),{first}>1+1E-6)", "bad"),
        Conditional(span, f"AND(ISNUMBER({first}),{first}>0.8)", "warn"),
    ]
