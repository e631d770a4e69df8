"""The foot of a panel schedule: subtotals, phases, load classes, verdicts, revisions, seal."""

from __future__ import annotations

import math
from collections.abc import Container

from facility.core.rounding import IN_CELLS, ROUNDING
from facility.power.panels.board.model import Panel
from facility.report.book.load_classes import CLASS_MEANINGS
from facility.report.book.panels.cells import wide, wide_formula
from facility.report.book.panels.classes import write_classes
from facility.report.book.panels.loads import LoadsPlaces, ScheduledPanel
from facility.report.book.panels.phases import write_phases
from facility.report.book.panels.places import PanelContext, PanelFrame, PanelPlaces
from facility.report.book.panels.text_grid import row_positions
from facility.report.book.panels.ways import LOOP_NOTE
from facility.report.sheet.cells import Span
from facility.report.sheet.model import Conditional, Sheet

_LEGEND = (
    "Blue: input. Black: formula. Grey: not applicable. VA refer to the sheet Loads; a value typed "
    "over one shows red, amperes keep following Loads. LOW: trip below the least rating. SPARE: "
    "breaker, no load. SPACE: no breaker. Normal and failover are alternatives, never added. "
    "Size on phasor amperes. Neutral: fundamental alone; 220.61: the largest load between a phase "
    "and neutral; triplen: with the harmonics stated for the racks."
)
_CODES = "Class codes: " + ", ".join(f"{code} {text}" for code, text in CLASS_MEANINGS.items())
_DISCLAIMER = "Design aid: the engineer of record is responsible."
_OK, _CHECK = "OK", "CHECK"
_SUMMARY_ROWS = 4


def write_footer(
    sheet: Sheet,
    scheduled: ScheduledPanel,
    places: LoadsPlaces,
    context: PanelContext,
    frame: PanelFrame,
) -> tuple[int, PanelPlaces]:
    """Write everything below the circuits; return the last row, and where the results stand."""
    found = PanelPlaces(scheduled.panel.tag, sheet.quoted)
    subtotal = frame.last + 1
    _write_subtotal(sheet, subtotal, scheduled, places, frame)
    top = subtotal + 1
    phases = write_phases(sheet, top, subtotal, scheduled, places, context, found, frame)
    classes = write_classes(sheet, top, scheduled, context, frame, found)
    summary = max(phases, classes)
    _write_summary(sheet, summary, scheduled, context, frame, found)
    last = _write_revisions(sheet, summary + _SUMMARY_ROWS, context, frame.single)
    seal = Span(top, 17, summary + _SUMMARY_ROWS - 1, 21)
    sheet.merge(seal, "Seal and signature of the engineer of record", "seal")
    return last, found


def _write_subtotal(
    sheet: Sheet, row: int, scheduled: ScheduledPanel, places: LoadsPlaces, frame: PanelFrame
) -> None:
    title = "Subtotal, VA" if frame.single else "Subtotal per side, VA"
    sheet.merge(Span(row, 1, row, 7), title, "ptotal")
    panel = scheduled.panel
    sheet.row(row, 11, ("Σ", None, None, None), "ptotal")
    columns = [set(side) for side in zip(*row_positions(panel), strict=True)]
    positions = [columns[0] | columns[1]] if frame.single else columns
    for held, (_, left_column) in zip(positions, frame.sides, strict=True):
        for phase, value in enumerate(_phase_va(panel, held)):
            column = left_column + phase
            span = Span(frame.first, column, frame.last, column)
            sheet.formula(row, column, f"SUM({span})", value, "ptotal.n0")
    on_loads = "+".join(places.total(panel.tag, places.normal, x, "va") for x in range(3))
    here = "+".join(f"SUM({Span(row, column, row, column + 2)})" for _, column in frame.sides)
    text = "as on the sheet Loads"
    sheet.merge(Span(row, 15, row, 21), None, "pnote")
    sheet.formula(
        row,
        15,
        f'IF(ABS({here}-({on_loads}))>0.5,"TYPED OVER: amperes follow Loads","{text}")',
        text,
        "pnote",
    )


def _phase_va(panel: Panel, held: Container[int | None]) -> list[float]:
    """Return the schedule VA on each phase of the poles that stand at the positions `held`."""
    total = [0.0, 0.0, 0.0]
    for circuit in panel.circuits:
        powers = circuit.pole_va()
        for pole, position in enumerate(panel.occupied(circuit)):
            if position in held:
                total[panel.layout.phase(position)] += powers[pole]
    return total


def _write_summary(
    sheet: Sheet,
    top: int,
    scheduled: ScheduledPanel,
    context: PanelContext,
    frame: PanelFrame,
    found: PanelPlaces,
) -> None:
    panel, at = scheduled.panel, found.results
    connected, demand, design = (at[x] for x in ("connected_va", "demand_va", "design_va"))
    root3 = math.sqrt(3.0) * panel.v_ll
    left = (
        ("Connected kVA", f"{connected.cell.here}/1000", _number(connected.value) / 1e3, "n1"),
        ("Demand kVA", f"{demand.cell.here}/1000", _number(demand.value) / 1e3, "n1"),
        (
            "Demand A, balanced",
            f"C{top + 1}*1000/(SQRT(3)*$J$2)",
            _number(demand.value) / root3,
            "a1",
        ),
        (
            "Design A, balanced",
            f"{design.cell.here}/(SQRT(3)*$J$2)",
            _number(design.value) / root3,
            "a1",
        ),
    )
    for row, (label, formula, value, number_format) in enumerate(left, start=top):
        wide(sheet, row, 1, 2, label, "plabel")
        cell = wide_formula(sheet, row, 3, 4, formula, value, f"ptotal.{number_format}")
        if row == top + 1:
            found.put("demand_kva", cell, value)
    _write_sizes(sheet, top, scheduled, context, frame, found)
    _write_verdicts(sheet, top, panel, context, found)


def _write_sizes(
    sheet: Sheet,
    top: int,
    scheduled: ScheduledPanel,
    context: PanelContext,
    frame: PanelFrame,
    found: PanelPlaces,
) -> None:
    panel, at = scheduled.panel, found.results
    worst = max(load.current_max_a for load in (scheduled.loads[0], scheduled.shown_failover))
    least = worst * context.factor(panel)
    largest = f"MAX({found.spans['lines']},{found.spans['failover_lines']})"
    wide(sheet, top, 5, 8, "Least OCPD A, worst state", "plabel")
    cell = wide_formula(sheet, top, 9, 11, f"{largest}/$N$6", least, "ptotal.a1")
    found.put("least_ocpd", cell, least)
    wide(sheet, top + 1, 5, 8, "Main A", "plabel")
    wide_formula(sheet, top + 1, 9, 11, "$N$3", panel.main_a or "MLO", "ptotal.n0")
    wide(sheet, top + 2, 5, 8, "Spare A to the permitted load", "plabel")
    permitted = at["permitted"]
    if isinstance(permitted.value, float):
        wide_formula(
            sheet,
            top + 2,
            9,
            11,
            f"{permitted.cell.here}-{largest}",
            permitted.value - worst,
            "ptotal.a1",
        )
    else:
        wide(sheet, top + 2, 9, 11, "not stated", "ptotal")
    wide(sheet, top + 3, 5, 8, "Poles: spare breakers / spaces", "plabel")
    spares = sum(c.poles for c in panel.circuits if c.class_code == "SPARE")
    spaces = len(panel.spaces)

    def count(code: str) -> str:
        return "+".join(f'COUNTIF({frame.codes(letter)},"{code}")' for letter, _ in frame.sides)

    wide_formula(
        sheet,
        top + 3,
        9,
        11,
        f'({count("SPARE")})&" / "&({count("SPACE")})',
        f"{spares} / {spaces}",
        "ptotal",
    )


def _write_verdicts(
    sheet: Sheet, top: int, panel: Panel, context: PanelContext, found: PanelPlaces
) -> None:
    at = found.results
    least, imbalance = at["least_ocpd"], at["imbalance"]
    known, slack = panel.bus_a is not None or panel.main_a is not None, f"1+{IN_CELLS}"
    lines = (
        ("Normal state", "verdict_normal", at["share"], slack, 1.0 + ROUNDING, known),
        ("Failover state", "verdict_failover", at["failover_share"], slack, 1.0 + ROUNDING, known),
        (
            "Main OCPD",
            "verdict_main",
            least,
            f"$N$3*({slack})",
            (panel.main_a or 0.0) * (1.0 + ROUNDING),
            panel.main_a is not None,
        ),
        (
            "Imbalance",
            "verdict_imbalance",
            imbalance,
            context.imbalance_name,
            context.imbalance_limit,
            True,
        ),
    )
    for row, (label, name, cell, limit_text, limit, evaluated) in enumerate(lines, start=top):
        wide(sheet, row, 12, 14, label, "plabel")
        if not evaluated:
            where = wide(sheet, row, 15, 16, "not stated", "pverdict")
            found.put(name, where, "not stated")
            continue
        verdict = _OK if _number(cell.value) <= limit else _CHECK
        formula = f'IF({cell.cell.here}<={limit_text},"{_OK}","{_CHECK}")'
        where = wide_formula(sheet, row, 15, 16, formula, verdict, "pverdict")
        found.put(name, where, verdict)
    span, first = Span(top, 15, top + 3, 16), f"$O{top}"
    sheet.conditionals += [
        Conditional(span, f'{first}="{_CHECK}"', "bad"),
        Conditional(span, f'{first}="{_OK}"', "good"),
    ]


def _write_revisions(sheet: Sheet, top: int, context: PanelContext, single: bool) -> int:
    columns = ((1, 1), (2, 2), (3, 4), (5, 6), (7, 8))
    lines = [("Rev", "Description", "Date", "By", "Checked")]
    for rev, date, by, text in context.revisions[-4:]:
        author, _, checker = by.partition(" (checked ")
        lines.append((rev, text, date, author, checker.removesuffix(")") or context.checker))
    lines += [("", "", "", "", "")] * (5 - len(lines))
    for row, line in enumerate(lines, start=top):
        for (first, last), text in zip(columns, line, strict=True):
            wide(sheet, row, first, last, text, "phead" if row == top else "ptext")
    legend = f"{_LEGEND} {LOOP_NOTE}" if single else _LEGEND
    sheet.merge(Span(top, 9, top + 4, 21), legend, "pnote")
    sheet.merge(Span(top + 5, 1, top + 5, 21), f"{_CODES}.", "pnote")
    sheet.merge(Span(top + 6, 1, top + 6, 21), f"{context.tool} · {_DISCLAIMER}", "pnote")
    return top + 6


def _number(value: object) -> float:
    return float(value) if isinstance(value, int | float) else 0.0
