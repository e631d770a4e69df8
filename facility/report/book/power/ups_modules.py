"""Lines of the UPS sheet about its modules: the shortlist compared, and their currents."""

from __future__ import annotations

from collections.abc import Sequence

from facility.power.train.types import UpsOption
from facility.report.sheet.cells import Span, column_letter
from facility.report.sheet.lines import Cited, Lines, table_row
from facility.report.sheet.trace_lines import TraceLines

_W, _PART = "active_power", "fraction"
_HEADS = (
    "Module",
    "Modules",
    "Installed kW",
    "Loading, normal",
    "Loading, failure",
    "Efficiency, normal",
    "Efficiency, failure",
    "Loss, normal kW",
    "Loss, failure kW",
    "Margin",
)


def write_shortlist(
    lines: Lines, options: Sequence[UpsOption], permitted: Cited, last_column: int
) -> None:
    """Write the modules compared; the margin to the loading permitted is live."""
    lines.row += 1
    sheet, top = lines.sheet, lines.row
    sheet.put(top, 1, "Shortlist of modules, under the design output", "section")
    sheet.row(top + 1, 1, _HEADS, "head")
    wide = len(_HEADS) + 1
    sheet.merge(Span(top + 1, wide, top + 1, last_column), "Loss curve and source", "head")
    sheet.heights[top + 1] = 40
    limit = f"${column_letter(permitted.cell.column)}${permitted.cell.row}"
    for row, option in enumerate(options, start=top + 2):
        sheet.put(row, 1, option.model, "cell")
        numbers = (
            (option.modules, "count"),
            (option.installed_w, _W),
            (option.loading_normal, _PART),
            (option.loading_failure, _PART),
            (option.efficiency_normal, _PART),
            (option.efficiency_failure, _PART),
            (option.loss_normal_w, _W),
            (option.loss_failure_w, _W),
        )
        for column, (si, kind) in enumerate(numbers, start=2):
            table_row(sheet, row, column, float(si), kind)
        table_row(sheet, row, 10, option.margin, _PART, f"1-E{row}/{limit}")
        source = f"loss curve {option.curve}; {option.source}"
        sheet.merge(Span(row, wide, row, last_column), source, "cell")
    lines.row = top + 2 + len(options)


def write_currents(at: TraceLines) -> None:
    """Write the currents of a module and of a system at low line, with recharge."""
    at.lines.section("Currents")
    id = "ups.input_current_low_line"
    voltage = at.lines.given(
        "Voltage", at.input(id, "voltage_v"), "line_voltage", "input and output"
    )
    sag = at.lines.given("Low line", at.input(id, "sag"), _PART, "part of the voltage missing")
    factor = at.lines.given("Input power factor", at.input(id, "power_factor"), "ratio")
    line = f"(SQRT(3)*{voltage.here}*(1-{sag.here})*{factor.here})"
    for title, key in (("one module", id), ("one system, designed failure", f"{id}.system")):
        parts = [
            at.lines.given(f"{label}, {title}", at.input(key, name), _W).here
            for label, name in (
                ("Output", "output_w"),
                ("Loss", "loss_w"),
                ("Recharge", "charge_w"),
            )
        ]
        at.live(f"Input current, {title}", key, f"({'+'.join(parts)})*1000/{line}", total=True)
    at.given("Least rating of the input, one module", "ups.input_rating_minimum")
    rating = at.lines.given(
        "Rating of one module", at.input("ups.output_current", "apparent_va"), "apparent_power"
    ).here
    at.live(
        "Output current, one module",
        "ups.output_current",
        f"{rating}*1000/(SQRT(3)*{voltage.here})",
        total=True,
    )
