"""The panel index and the Balance sheet: one row per panel, read live from its schedule."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from facility.power.panels.balance.unbalanced import unbalanced
from facility.power.panels.board.currents import PanelLoad, panel_loads
from facility.power.panels.board.model import Panel
from facility.report.book.panels.loads import ScheduledPanel
from facility.report.book.panels.places import PHASE_NAMES, PanelPlaces
from facility.report.sheet.cells import Ref, Span
from facility.report.sheet.lines import table_row
from facility.report.sheet.model import Conditional, Sheet
from facility.report.sheet.tables import Furniture, write_heading

_A, _PART = "current", "fraction"
_INDEX_HEADS = (
    "Panel",
    "Feed",
    "Location",
    "Fed from",
    "Paired with",
    "System",
    "Bus A",
    "Circuits",
    "Spaces",
    "Demand kVA",
    "Largest share, normal",
    "Largest share, failover",
    "Normal",
    "Failover",
    "Main OCPD",
    "Imbalance",
)
_VERDICTS = ("verdict_normal", "verdict_failover", "verdict_main", "verdict_imbalance")
DEFINITION = "maximum deviation from the mean / mean, of the phasor line currents, normal state"


def panels_sheet(
    name: str,
    panels: Sequence[ScheduledPanel],
    places: Mapping[str, PanelPlaces],
    furniture: Furniture,
    workbooks: Mapping[str, str] | None = None,
) -> Sheet:
    """Return the index of panels, with a link to each schedule and its results.

    `workbooks` names the file of each panel, by tag, where the schedules stand in others.
    """
    sheet = Sheet(name, freeze=(5, 2), page=furniture.page(large=True, repeat_rows=(4, 4)))
    left_out = len(panels) - len(places)
    note = f" {left_out} of them have no sheet here." if left_out else ""
    if workbooks:
        note = " Their schedules and loads are in the workbooks named; line currents on Balance."
    write_heading(sheet, "Panels", f"{len(panels)} panelboards.{note}")
    sheet.row(4, 1, _INDEX_HEADS, "head")
    sheet.heights[4] = 28
    for row, scheduled in enumerate(panels, start=5):
        _index_row(sheet, row, scheduled, places.get(scheduled.panel.tag))
        if workbooks:
            sheet.put(row, len(_INDEX_HEADS) + 1, workbooks[scheduled.panel.tag], "listed")
    if workbooks:
        sheet.put(4, len(_INDEX_HEADS) + 1, "Workbook", "head")
        sheet.widths[len(_INDEX_HEADS) + 1] = 36
    last = 4 + max(1, len(panels))
    sheet.set_widths(16, 6, 16, 16, 26, 12, 8, 9, 8, 12, 12, 12, 10, 10, 10, 10)
    sheet.filter_span = Span(4, 1, last, len(_INDEX_HEADS))
    span = Span(5, 13, last, 16)
    sheet.conditionals += [
        Conditional(span, 'M5="CHECK"', "bad"),
        Conditional(span, 'M5="OK"', "good"),
    ]
    return sheet


def _index_row(
    sheet: Sheet, row: int, scheduled: ScheduledPanel, places: PanelPlaces | None
) -> None:
    panel = scheduled.panel
    if places is None:
        sheet.put(row, 1, panel.tag, "listed")
    else:
        sheet.link(row, 1, panel.tag, Ref(places.quoted, 1, 1), "celllink")
    words = (panel.side, panel.hall, panel.fed_from, ", ".join(panel.paired), panel.system)
    sheet.row(row, 2, words, "listed")
    sheet.put(row, 7, panel.bus_a, "number.n0")
    sheet.put(row, 8, len(panel.circuits), "number.n0")
    sheet.put(row, 9, len(panel.spaces), "number.n0")
    if places is None:
        sheet.row(row, 10, [None] * 7, "pna")
        return
    at = places.results
    styles = ("calc.n1", "calc.pct", "calc.pct")
    for column, (key, style) in enumerate(
        zip(("demand_kva", "share", "failover_share"), styles, strict=True), start=10
    ):
        if at[key].value is None:
            sheet.put(row, column, None, "pna")
        else:
            sheet.formula(row, column, str(at[key].cell), at[key].value, style)
    for column, key in enumerate(_VERDICTS, start=13):
        sheet.formula(row, column, str(at[key].cell), at[key].value, "verdict")


def balance_sheet(
    name: str,
    panels: Sequence[ScheduledPanel],
    places: Mapping[str, PanelPlaces],
    furniture: Furniture,
) -> Sheet:
    """Return imbalance before and after balancing, and line currents in both states."""
    sheet = Sheet(name, freeze=(6, 2), page=furniture.page(large=True, repeat_rows=(4, 5)))
    write_heading(
        sheet,
        "Balance",
        f"Imbalance is the {DEFINITION}. Before: the same breakers in list order from the top, "
        "all whips wired alike.",
    )
    sheet.row(4, 1, (None, None), "head")
    sheet.merge(Span(4, 3, 4, 5), "Imbalance", "head")
    sheet.merge(Span(4, 6, 4, 9), "Normal state, phasor line current A", "head")
    sheet.merge(Span(4, 10, 4, 14), "Failover state, phasor line current A", "head")
    phases = PHASE_NAMES[panels[0].panel.numbering if panels else "US"]
    heads = (
        "Panel",
        "Feed",
        "Before",
        "After",
        "After, by VA",
        *phases,
        "Neutral",
        "Worst loss",
        *phases,
        "Largest",
    )
    sheet.row(5, 1, heads, "head")
    before = _Before()
    for row, scheduled in enumerate(panels, start=6):
        _balance_row(sheet, row, scheduled, places.get(scheduled.panel.tag), before)
    last = 5 + max(1, len(panels))
    sheet.put(last + 1, 1, "Largest", "total")
    for column in range(2, len(heads) + 1):
        sheet.put(last + 1, column, None, "total")
    _write_largest(sheet, last, panels, before)
    sheet.set_widths(16, 6, 12, 12, 12, 10, 10, 10, 10, 12, 10, 10, 10, 12)
    sheet.filter_span = Span(5, 1, last, len(heads))
    return sheet


class _Before:
    """Load of a panel before balancing, worked out once for panels filled alike."""

    def __init__(self) -> None:
        self._known: dict[tuple[object, ...], PanelLoad] = {}

    def of(self, panel: Panel) -> PanelLoad:
        key = (
            panel.poles,
            panel.v_ll,
            panel.numbering,
            tuple((c.poles, c.connection, c.position, c.power_va) for c in panel.circuits),
        )
        if key not in self._known:
            self._known[key] = panel_loads(unbalanced(panel))[0]
        return self._known[key]


def _balance_row(
    sheet: Sheet, row: int, scheduled: ScheduledPanel, places: PanelPlaces | None, before: _Before
) -> None:
    panel, normal, lost = scheduled.panel, scheduled.loads[0], scheduled.shown_failover
    sheet.put(row, 1, panel.tag, "listed")
    sheet.put(row, 2, panel.side, "listed")
    table_row(sheet, row, 3, before.of(panel).imbalance, _PART)
    spans = places.spans if places else {}
    prefix = f"{places.quoted}!" if places else ""
    imbalance = str(places.results["imbalance"].cell) if places else ""
    table_row(sheet, row, 4, normal.imbalance, _PART, imbalance)
    by_va = _deviation(prefix, spans["phase_va"]) if places else ""
    table_row(sheet, row, 5, normal.imbalance_va, _PART, by_va)
    for first, key, load in ((6, "lines", normal), (11, "failover_lines", lost)):
        for x in range(3):
            cell = Ref("", spans[key].top, spans[key].left + x).here if places else ""
            table_row(sheet, row, first + x, load.line_a[x], _A, f"{prefix}{cell}")
    neutral = str(places.results["neutral"].cell) if places else ""
    table_row(sheet, row, 9, normal.neutral_a, _A, neutral)
    sheet.put(row, 10, lost.state if scheduled.failover else "none", "listed")
    worst = max(normal.current_max_a, lost.current_max_a)
    table_row(sheet, row, 14, worst, _A, f"MAX(F{row}:H{row},K{row}:M{row})")


def _deviation(prefix: str, span: Span) -> str:
    cells = f"{prefix}{span}"
    mean = f"AVERAGE({cells})"
    return f"IF({mean}=0,0,MAX(MAX({cells})-{mean},{mean}-MIN({cells}))/{mean})"


def _write_largest(
    sheet: Sheet, last: int, panels: Sequence[ScheduledPanel], before: _Before
) -> None:
    if not panels:
        return
    normal = [s.loads[0] for s in panels]
    worst = [max(s.loads[0].current_max_a, s.shown_failover.current_max_a) for s in panels]
    columns = (
        (3, "C", max(before.of(s.panel).imbalance for s in panels), _PART),
        (4, "D", max(load.imbalance for load in normal), _PART),
        (5, "E", max(load.imbalance_va for load in normal), _PART),
        (9, "I", max(load.neutral_a for load in normal), _A),
        (14, "N", max(worst), _A),
    )
    for column, letter, si, kind in columns:
        table_row(sheet, last + 1, column, si, kind, f"MAX({letter}6:{letter}{last})", "total")
