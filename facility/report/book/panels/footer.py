"""The footer of a panel schedule: subtotals, phases, load classes, verdicts, revisions, seal."""

from __future__ import annotations

import math
from collections.abc import Container, Mapping
from types import MappingProxyType

from facility.core.rounding import IN_CELLS, ROUNDING, reaches, reaches_in_cells
from facility.power.panels.board.model import Panel
from facility.report.book.panels.body import FAULT, MAIN, PERMITTED, SCCR, VOLTS
from facility.report.book.panels.columns import FORM, PHASE
from facility.report.book.panels.live import IMBALANCE_NAME
from facility.report.book.panels.phases import Foot, write_phases
from facility.report.book.panels.text_grid import row_positions
from facility.report.book.panels.ways import LOOP_NOTE
from facility.report.sheet.model import Conditional, Span, column_letter

_HEADS = (
    (1, 1, "Cont."),
    (2, 2, "Load class"),
    (3, 5, "Demand VA"),
    (6, 6, "Code f."),
    (7, 8, "Design VA"),
)
_VA_COLUMNS = ((3, 5), (7, 8))
_RESULTS = ("demand_va", "design_va")
CLASS_MEANINGS: Mapping[str, str] = MappingProxyType(
    {
        "IT-AI": "AI servers",
        "IT-NET": "network",
        "IT-STO": "storage",
        "IT-MGT": "management servers",
        "COOL": "cooling",
        "LTG": "lighting",
        "REC": "receptacles",
        "EV": "vehicle charging",
        "MISC": "other",
        "SPARE": "breaker, no load",
        "SPACE": "no breaker",
    }
)
LOAD_CLASSES: Mapping[str, bool] = MappingProxyType(
    {code: code not in ("REC", "MISC") for code in CLASS_MEANINGS if code not in ("SPARE", "SPACE")}
)
"""Classes with load, and whether they are continuous: three hours or more at full load."""


def write_classes(foot: Foot, top: int) -> int:
    """Write the table of load classes from row `top`; return the row after it."""
    for first, last, title in _HEADS:
        foot.wide(top, first, last, title, "phead")
    totals = [0.0, 0.0]
    row = top
    for code, continuous in LOAD_CLASSES.items():
        row += 1
        added = _write_class(foot, row, code, continuous)
        totals = [total + part for total, part in zip(totals, added, strict=True)]
    row += 1
    foot.wide(row, 1, 2, "This panel", "ptotal")
    for (first, last), value, name in zip(_VA_COLUMNS, totals, _RESULTS, strict=True):
        column = foot.form.at(first)
        span = Span(top + 1, column, row - 1, column)
        foot.found.put(
            name, foot.wide_formula(row, first, last, f"SUM({span})", value, "ptotal.n0"), value
        )
    foot.put(row, 6, None, "ptotal")
    return row + 1


def _write_class(foot: Foot, row: int, code: str, continuous: bool) -> tuple[float, float]:
    """Write one class; return its connected and design VA."""
    frame, form = foot.frame, foot.form
    va = sum(sum(c.pole_va()) for c in foot.panel.circuits if c.class_code == code)
    applied = foot.context.factor(foot.panel) if continuous else 1.0
    foot.put(row, 1, "yes" if continuous else "no", "pcode")
    foot.put(row, 2, code, "pcalc")
    formula = "+".join(
        f"SUMPRODUCT(({frame.codes(side)}=$B{row})*({frame.va(side).fixed}))"
        for side in frame.sides
    )
    foot.wide_formula(row, 3, 5, formula, va, "pcalc.va")
    formula = f'IF(A{row}="yes",1/{form.fixed(*PERMITTED)},1)'
    foot.formula(row, 6, formula, applied, "pcalc.n2")
    foot.wide_formula(row, 7, 8, f"C{row}*{form.here(row, 6)}", va * applied, "pcalc.va")
    return va, va * applied


_LEGEND = (
    "Black: formula. Violet: engine result. Grey: not applicable. VA and trips refer to the sheet "
    "Loads. IT demand factors are included. LOW: trip below the minimum rating. SPARE: "
    "breaker, no load. SPACE: no breaker. Normal and failover are alternatives, never added. "
    "Size on phasor amperes. Neutral: fundamental only; {}: largest load between a phase and "
    "neutral; triplen: with the rack harmonics."
)
_CODES = "Class codes: " + ", ".join(f"{code} {text}" for code, text in CLASS_MEANINGS.items())
_DISCLAIMER = "Design aid: the engineer of record is responsible."
_OK, _CHECK = "OK", "CHECK"
_SUMMARY_ROWS = 4


def write_footer(foot: Foot) -> int:
    """Write everything below the circuits; return the last row."""
    subtotal = foot.frame.last + 1
    _write_subtotal(foot, subtotal)
    top = subtotal + 1
    summary = max(write_phases(foot, top, subtotal), write_classes(foot, top))
    _write_summary(foot, summary)
    last = _write_revisions(foot, summary + _SUMMARY_ROWS)
    seal = foot.form.span(top, 17, summary + _SUMMARY_ROWS - 1, FORM)
    foot.sheet.merge(seal, "Seal and signature of the engineer of record", "seal")
    return last


def _write_subtotal(foot: Foot, row: int) -> None:
    sheet, panel, frame = foot.sheet, foot.panel, foot.frame
    title = "Subtotal, VA" if frame.single else "Subtotal per side, VA"
    foot.wide(row, 1, 7, title, "ptotal")
    sheet.row(row, PHASE, ("Σ", None, None, None), "ptotal")
    columns = [set(side) for side in zip(*row_positions(panel), strict=True)]
    positions = [columns[0] | columns[1]] if frame.single else columns
    for taken, side in zip(positions, frame.sides, strict=True):
        for phase, value in enumerate(_phase_va(panel, taken)):
            column = side.va + phase
            span = Span(frame.first, column, frame.last, column)
            sheet.formula(row, column, f"SUM({span})", value, "ptotal.n0")


def _phase_va(panel: Panel, positions: Container[int | None]) -> list[float]:
    """Return the schedule VA on each phase of the poles at these positions."""
    total = [0.0, 0.0, 0.0]
    for circuit in panel.circuits:
        powers = circuit.pole_va()
        for pole, position in enumerate(panel.occupied(circuit)):
            if position in positions:
                total[panel.layout.phase(position)] += powers[pole]
    return total


def _write_summary(foot: Foot, top: int) -> None:
    at = foot.found.results
    demand, design = (at[x] for x in _RESULTS)
    root3 = math.sqrt(3.0) * foot.panel.v_ll
    demand_kva = f"{demand.cell.here}/1000", _number(demand.value) / 1e3
    volts = foot.form.fixed(*VOLTS)
    demand_a = f"C{top}*1000/(SQRT(3)*{volts})", _number(demand.value) / root3
    design_a = f"{design.cell.here}/(SQRT(3)*{volts})", _number(design.value) / root3
    left = (
        ("Demand kVA", *demand_kva, "n1"),
        ("Demand A, balanced", *demand_a, "a1"),
        ("Design A, balanced", *design_a, "a1"),
    )
    for row, (label, formula, value, number_format) in enumerate(left, start=top):
        foot.wide(row, 1, 2, label, "plabel")
        cell = foot.wide_formula(row, 3, 4, formula, value, f"ptotal.{number_format}")
        if row == top:
            foot.found.put("demand_kva", cell, value)
    _write_sizes(foot, top)
    _write_verdicts(foot, top)


def _write_sizes(foot: Foot, top: int) -> None:
    panel, found = foot.panel, foot.found
    loads = (foot.scheduled.loads[0], foot.scheduled.shown_failover)
    worst = max(load.current_max_a for load in loads)
    min_a = worst * foot.context.factor(panel)
    largest = f"MAX({found.spans['lines']},{found.spans['failover_lines']})"
    foot.wide(top, 5, 8, "Min. OCPD A, worst state", "plabel")
    share, main = (foot.form.fixed(*at) for at in (PERMITTED, MAIN))
    cell = foot.wide_formula(top, 9, 11, f"{largest}/{share}", min_a, "ptotal.a1")
    found.put("least_ocpd", cell, min_a)
    foot.wide(top + 1, 5, 8, "Main A", "plabel")
    foot.wide_formula(top + 1, 9, 11, main, panel.main_a or "MLO", "ptotal.n0")
    foot.wide(top + 2, 5, 8, "Spare A to permitted load", "plabel")
    permitted = found.results["permitted"]
    if isinstance(permitted.value, float):
        formula, spare = f"{permitted.cell.here}-{largest}", permitted.value - worst
        foot.wide_formula(top + 2, 9, 11, formula, spare, "ptotal.a1")
    else:
        foot.wide(top + 2, 9, 11, "not stated", "ptotal")
    foot.wide(top + 3, 5, 8, "Poles: spare breakers / spaces", "plabel")
    spares = sum(c.poles for c in panel.circuits if c.class_code == "SPARE")
    text = f"{spares} / {len(panel.spaces)}"

    def count(code: str) -> str:
        frame = foot.frame
        return "+".join(f'COUNTIF({frame.codes(side)},"{code}")' for side in frame.sides)

    formula = f'({count("SPARE")})&" / "&({count("SPACE")})'
    foot.wide_formula(top + 3, 9, 11, formula, text, "ptotal")


def _write_verdicts(foot: Foot, top: int) -> None:
    panel, context, found, at = foot.panel, foot.context, foot.found, foot.found.results
    known, slack = panel.bus_a is not None or panel.main_a is not None, f"1+{IN_CELLS}"
    main, main_a = f"{foot.form.fixed(*MAIN)}*({slack})", (panel.main_a or 0.0) * (1.0 + ROUNDING)
    lines = (
        ("Normal state", "verdict_normal", "share", slack, 1.0 + ROUNDING, known),
        ("Failover state", "verdict_failover", "failover_share", slack, 1.0 + ROUNDING, known),
        ("Main OCPD", "verdict_main", "least_ocpd", main, main_a, panel.main_a is not None),
        ("Imbalance", "verdict_imbalance", "imbalance", IMBALANCE_NAME,
         context.imbalance_limit, True),
    )  # fmt: skip
    for row, (label, name, of, limit_text, limit, evaluated) in enumerate(lines, start=top):
        foot.wide(row, 12, 14, label, "plabel")
        if not evaluated:
            found.put(name, foot.wide(row, 15, 16, "not stated", "pverdict"), "not stated")
            continue
        verdict = _OK if _number(at[of].value) <= limit else _CHECK
        formula = f'IF({at[of].cell.here}<={limit_text},"{_OK}","{_CHECK}")'
        where = foot.wide_formula(row, 15, 16, formula, verdict, "pverdict")
        found.put(name, where, verdict)
    _write_sccr(foot, top + _SUMMARY_ROWS - 1)
    span = foot.form.span(top, 15, top + 3, 16)
    first = f"${column_letter(span.left)}{top}"
    foot.sheet.conditionals += [
        Conditional(span, f'{first}="{_CHECK}"', "bad"),
        Conditional(span, f'{first}="{_OK}"', "good"),
    ]


def _write_sccr(foot: Foot, row: int) -> None:
    """Write the verdict on the short-circuit current rating: the available fault current."""
    supply = foot.context.supply(foot.panel)
    foot.wide(row, 1, 2, "SCCR vs. fault", "plabel")
    rated, fault = (foot.form.fixed(*at) for at in (SCCR, FAULT))
    text = "not stated"
    if supply.sccr_a is not None and supply.fault_a is not None:
        text = _OK if reaches(supply.sccr_a, supply.fault_a) else _CHECK
    formula = (
        f"IF(AND(ISNUMBER({rated}),ISNUMBER({fault})),"
        f'IF({reaches_in_cells(rated, fault)},"{_OK}","{_CHECK}"),"not stated")'
    )
    cell = foot.wide_formula(row, 3, 4, formula, text, "pverdict")
    foot.found.put("verdict_sccr", cell, text)
    foot.sheet.conditionals.append(
        Conditional(foot.form.span(row, 3, row, 4), f'{cell.fixed}="{_CHECK}"', "bad")
    )


def _write_revisions(foot: Foot, top: int) -> int:
    context = foot.context
    columns = ((1, 1), (2, 2), (3, 4), (5, 6), (7, 8))
    lines = [("Rev", "Description", "Date", "By", "Checked")]
    for rev, date, by, text in context.revisions[-4:]:
        author, _, checker = by.partition(" (checked ")
        lines.append((rev, text, date, author, checker.removesuffix(")") or context.checker))
    lines += [("", "", "", "", "")] * (5 - len(lines))
    for row, line in enumerate(lines, start=top):
        for (first, last), text in zip(columns, line, strict=True):
            foot.wide(row, first, last, text, "phead" if row == top else "ptext")
    legend = _LEGEND.format(foot.neutral_load) + f" {LOOP_NOTE}" * foot.frame.single
    foot.sheet.merge(foot.form.span(top, 9, top + 4, FORM), legend, "pnote")
    foot.wide(top + 5, 1, FORM, f"{_CODES}.", "pnote")
    foot.wide(top + 6, 1, FORM, f"{context.tool} · {_DISCLAIMER}", "pnote")
    return top + 6


def _number(value: object) -> float:
    return float(value) if isinstance(value, int | float) else 0.0
