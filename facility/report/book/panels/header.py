"""The head of a panel schedule: what the panel is, what feeds it, and what it withstands."""

from __future__ import annotations

from facility.power.panels.board.model import Panel
from facility.report.book.panels.places import PanelContext
from facility.report.book.panels.supply import PanelSupply
from facility.report.sheet.cells import CellValue, Span
from facility.report.sheet.model import Sheet

_WIRES = {"US": "3Ø 4W+G", "SINGLE": "3Ø 4W+G", "IEC": "3P+N+PE"}
_NOT_STATED = "not stated"
_NOT_KNOWN = "not known"

VOLTS = (2, 10)
"""Row and column of the line voltage, which formulas of schedule and loads refer to."""
FED_FROM_ROWS = (3, 4)
"""First and last row of what names source and feeder, whose text may take several lines."""
_Block = tuple[tuple[int, int, int, int], tuple[tuple[str, CellValue, str], ...]]


def write_header(sheet: Sheet, panel: Panel, context: PanelContext) -> None:
    """Write rows 1 to 6: the title, and four blocks of labels and values."""
    side = f"SIDE {panel.side}" if panel.side else ""
    title = " · ".join(part for part in (f"PANEL {panel.tag}", side, panel.hall) if part)
    sheet.merge(Span(1, 1, 1, 21), title, "ptitle")
    for (label, label_end, value, value_end), lines in _blocks(panel, context):
        for row, (text, content, style) in enumerate(lines, start=2):
            sheet.merge(Span(row, label, row, label_end), text, "plabel")
            sheet.merge(Span(row, value, row, value_end), content, style)
    sheet.formula(3, 10, "J2/SQRT(3)", panel.v_ln, "pvalue.n1")
    if not panel.listed_100:
        sheet.formula(
            6, 14, f"1/{context.continuous_name}", 1.0 / context.factor(panel), "pvalue.pct"
        )


def _blocks(panel: Panel, context: PanelContext) -> tuple[_Block, ...]:
    """Return the header: columns of label and value, then (label, value, style) by row."""
    supply = context.supply(panel)
    return (
        ((1, 2, 3, 7), (
            ("Location", panel.hall or _NOT_STATED, "pinput"),
            ("Fed from, circuit", _fed_from(panel, supply), "plines"),
            ("Feeder", supply.feeder or _NOT_STATED, "plines"),
            ("Enclosure (NEMA / IP)", _NOT_STATED, "pinput"),
            ("Paired panel", ", ".join(panel.paired) or "none", "pvalue"),
        )),
        ((8, 9, 10, 11), (
            ("Volts L-L", panel.v_ll, "pinput.n0"),
            ("Volts L-N", None, "pvalue.n1"),
            ("Phase / wire", _WIRES[panel.numbering], "pvalue"),
            ("Frequency Hz", context.frequency_hz, "pvalue.n0"),
            ("Poles", panel.poles, "pvalue.n0"),
        )),
        ((12, 13, 14, 16), (
            ("Bus A", panel.bus_a, "pinput.n0"),
            ("Main A", panel.main_a if panel.main_a else "MLO", "pinput.n0"),
            ("Mounting", _NOT_STATED, "pinput"),
            ("Neutral of feeder", supply.neutral or _NOT_STATED, "pinput.pct0"),
            ("Load permitted", 1.0 / context.factor(panel), "pvalue.pct"),
        )),
        ((17, 19, 20, 21), (
            ("SCCR kA sym", _kiloamperes(supply.sccr_a, _NOT_STATED), "pinput.n0"),
            ("Avail. fault kA", _kiloamperes(supply.fault_a, _NOT_KNOWN), "pinput.n1"),
            ("Fault date; from", supply.fault_basis or _NOT_KNOWN, "pinput"),
            ("Code edition", context.code, "pvalue"),
            ("Rev / date / status", context.issue, "pvalue"),
        )),
    )  # fmt: skip


def _fed_from(panel: Panel, supply: PanelSupply) -> str:
    source = panel.fed_from or _NOT_STATED
    return f"{source}, {supply.circuit}" if supply.circuit else source


def _kiloamperes(current_a: float | None, otherwise: str) -> float | str:
    return otherwise if current_a is None else current_a / 1e3
