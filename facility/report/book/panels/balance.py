"""The panel index and the Balance sheet: one row per panel, read live from its schedule."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from facility.power.panels.balance.positions import unbalanced
from facility.power.panels.board.currents import PanelLoad, panel_loads
from facility.power.panels.board.layout import PHASE_NAMES
from facility.power.panels.board.model import Panel
from facility.report.book.panels.body import BUS
from facility.report.book.panels.columns import Form
from facility.report.book.panels.loads import ScheduledPanel
from facility.report.book.panels.places import PanelCells
from facility.report.sheet.grid import Column, Grid, GridValue, SheetTable
from facility.report.sheet.model import Conditional, Ref, Sheet, Span
from facility.report.sheet.tables import PageSetup, write_heading

_A, _PART = "current", "fraction"
_LINES = ("a", "b", "c")
DEFINITION = "maximum deviation from the mean / mean, of the phasor line currents, normal state"


@dataclass(frozen=True)
class _Row:
    """Panel with its schedule, if in this workbook, and its imbalance before balancing."""

    scheduled: ScheduledPanel
    panel_cells: PanelCells | None
    workbook: str = ""
    before: float = 0.0

    @property
    def panel(self) -> Panel:
        return self.scheduled.panel

    @property
    def normal(self) -> PanelLoad:
        return self.scheduled.loads[0]

    @property
    def lost(self) -> PanelLoad:
        return self.scheduled.shown_failover

    @property
    def worst_a(self) -> float:
        return max(self.normal.current_max_a, self.lost.current_max_a)

    @property
    def cells(self) -> dict[str, object]:
        """Cells of its schedule by formula key."""
        at = self.panel_cells
        if at is None:
            return {}
        found: dict[str, object] = {f"{key}_of": one.cell for key, one in at.results.items()}
        bus = Form(self.panel.numbering == "IEC").fixed(*BUS)
        found["bus_of"] = f"{at.quoted}!{bus}"
        found["by_va_of"] = _deviation(f"{at.quoted}!{at.spans['phase_va']}")
        for state, key in (("", "lines"), ("lost_", "failover_lines")):
            first = at.spans[key]
            for x, line in enumerate(_LINES):
                found[f"{state}{line}_of"] = (
                    f"{at.quoted}!{Ref('', first.top, first.left + x).here}"
                )
        return found


def _result(key: str, head: str, width: float, kind: str = "", fmt: str = "") -> Column[_Row]:
    def of(row: _Row) -> GridValue:
        return row.panel_cells.results[key].value if row.panel_cells else None

    return Column(key, head, width, kind, f"{{{key}_of}}", number_format=fmt, of=of)


_INDEX: SheetTable[_Row] = SheetTable(
    "Panels",
    (
        Column("panel", "Panel", 16, of=lambda r: r.panel.tag),
        Column("feed", "Feed", 6, of=lambda r: r.panel.side),
        Column("hall", "Location", 16, of=lambda r: r.panel.hall),
        Column("fed_from", "Fed from", 16, of=lambda r: r.panel.fed_from),
        Column("paired", "Paired with", 26, of=lambda r: ", ".join(r.panel.paired)),
        Column("system", "System", 12, of=lambda r: r.panel.system),
        Column(
            "bus",
            "Bus A",
            8,
            _A,
            "{bus_of}",
            number_format="n0",
            live=lambda r: r.panel_cells is not None,
            of=lambda r: r.panel.bus_a,
        ),
        Column("circuits", "Circuits", 9, "count", of=lambda r: len(r.panel.circuits)),
        Column("spaces", "Spaces", 8, "count", of=lambda r: len(r.panel.spaces)),
        _result("demand_kva", "Demand kVA", 12, fmt="n1"),
        _result("share", "Maximum loading, normal", 12, _PART),
        _result("failover_share", "Maximum loading, failover", 12, _PART),
        _result("verdict_normal", "Normal", 10, "verdict"),
        _result("verdict_failover", "Failover", 10, "verdict"),
        _result("verdict_main", "Main OCPD", 10, "verdict"),
        _result("verdict_imbalance", "Imbalance", 10, "verdict"),
        _result("verdict_sccr", "SCCR", 10, "verdict"),
    ),
    28,
    number_role="number",
)


def panels_sheet(
    name: str,
    panels: Sequence[ScheduledPanel],
    panel_cells: Mapping[str, PanelCells],
    page_setup: PageSetup,
    workbooks: Mapping[str, str] | None = None,
) -> Sheet:
    """Return the index of panels, with a link to each schedule and its results.

    `workbooks` gives the file of each panel, by tag, if schedules are in other workbooks.
    """
    sheet = Sheet(name, freeze=(5, 2), page=page_setup.page(large=True, repeat_rows=(4, 4)))
    left_out = len(panels) - len(panel_cells)
    note = f" {left_out} of them have no sheet in this workbook." if left_out else ""
    if workbooks:
        note = (
            " Their schedules and loads are in the workbooks listed; line currents are on sheet "
            "Balance."
        )
    write_heading(sheet, "Panels", f"{len(panels)} panelboards.{note}")
    table, wide = _INDEX, len(_INDEX.columns)
    if workbooks:
        file: Column[_Row] = Column("workbook", "Workbook", 36)
        table = replace(table, columns=(*table.columns, file))
    grid = table.write_alone(sheet, 4, ())
    for scheduled in panels:
        tag = scheduled.panel.tag
        one = _Row(scheduled, panel_cells.get(tag), (workbooks or {}).get(tag, ""))
        row = grid.write(one, one.cells)
        if one.panel_cells is not None:
            sheet.link(row, 1, tag, Ref(one.panel_cells.quoted, 1, 1), "celllink")
    last = 4 + max(1, len(panels))
    sheet.filter_span = Span(4, 1, last, wide)
    span = Span(5, 13, last, 17)
    sheet.conditionals += [
        Conditional(span, 'M5="CHECK"', "bad"),
        Conditional(span, 'M5="OK"', "good"),
    ]
    return sheet


def balance_sheet(
    name: str,
    panels: Sequence[ScheduledPanel],
    panel_cells: Mapping[str, PanelCells],
    page_setup: PageSetup,
) -> Sheet:
    """Return imbalance before and after balancing, and line currents in both states."""
    sheet = Sheet(name, freeze=(6, 2), page=page_setup.page(large=True, repeat_rows=(4, 5)))
    write_heading(
        sheet,
        "Balance",
        f"Imbalance is the {DEFINITION}. Before: the same breakers in list order from the top, "
        "identical whip phasing.",
    )
    sheet.row(4, 1, (None, None), "head")
    sheet.merge(Span(4, 3, 4, 5), "Imbalance", "head")
    sheet.merge(Span(4, 6, 4, 9), "Normal state, phasor line current A", "head")
    sheet.merge(Span(4, 10, 4, 14), "Failover state, phasor line current A", "head")
    phases = PHASE_NAMES[panels[0].panel.numbering if panels else "US"]
    grid = Grid(sheet, 5, _balance_columns(phases), 0)
    grid.set_widths()
    before = _Before()
    rows = [
        _Row(s, panel_cells.get(s.panel.tag), before=before.of(s.panel).imbalance) for s in panels
    ]
    for row in rows:
        grid.write(row, row.cells)
    sheet.filter_span = Span(5, 1, 5 + max(1, len(panels)), len(grid.columns))
    grid.total("Largest", _largest(rows) if rows else {}, by="MAX")
    return sheet


def _balance_columns(phases: Sequence[str]) -> tuple[Column[_Row], ...]:
    def live(
        key: str, head: str, width: float, kind: str, of: Callable[[_Row], float]
    ) -> Column[_Row]:
        formula = f"{{{key}_of}}"
        return Column(
            key, head, width, kind, formula, live=lambda r: r.panel_cells is not None, of=of
        )

    def lines(state: str, of: Callable[[_Row], PanelLoad]) -> Iterator[Column[_Row]]:
        def amperes(x: int) -> Callable[[_Row], float]:
            return lambda row: of(row).line_a[x]

        for x, (line, phase) in enumerate(zip(_LINES, phases, strict=True)):
            yield live(f"{state}{line}", phase, 10, _A, amperes(x))

    return (
        Column("panel", "Panel", 16, of=lambda r: r.panel.tag),
        Column("feed", "Feed", 6, of=lambda r: r.panel.side),
        Column("before", "Before", 12, _PART),
        live("imbalance", "After", 12, _PART, lambda r: r.normal.imbalance),
        live("by_va", "After, by VA", 12, _PART, lambda r: r.normal.imbalance_va),
        *lines("", lambda r: r.normal),
        live("neutral", "Neutral", 10, _A, lambda r: r.normal.neutral_a),
        Column(
            "state",
            "Worst failure",
            12,
            of=lambda r: r.lost.state if r.scheduled.failover else "none",
        ),
        *lines("lost_", lambda r: r.lost),
        Column(
            "worst", "Largest", 12, _A, "MAX({a}:{c},{lost_a}:{lost_c})", of=lambda r: r.worst_a
        ),
    )


def _largest(rows: Sequence[_Row]) -> dict[str, float]:
    return {
        "before": max(row.before for row in rows),
        "imbalance": max(row.normal.imbalance for row in rows),
        "by_va": max(row.normal.imbalance_va for row in rows),
        "neutral": max(row.normal.neutral_a for row in rows),
        "worst": max(row.worst_a for row in rows),
    }


class _Before:
    """Load of a panel before balancing, calculated once for identical panels."""

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


def _deviation(cells: str) -> str:
    mean = f"AVERAGE({cells})"
    return f"IF({mean}=0,0,MAX(MAX({cells})-{mean},{mean}-MIN({cells}))/{mean})"
