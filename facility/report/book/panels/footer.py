"""The footer of a panel schedule: subtotals, phases, load classes, verdicts, revisions, seal."""

from __future__ import annotations

import math
from collections.abc import Container

from facility.core.rounding import IN_CELLS, ROUNDING
from facility.power.panels.board.model import Panel
from facility.report.book.panels.body import MAIN, PERMITTED, VOLTS
from facility.report.book.panels.columns import FORM, PHASE
from facility.report.book.panels.phases import Foot, write_phases
from facility.report.book.panels.text_grid import row_positions
from facility.report.book.panels.ways import LOOP_NOTE
from facility.report.book.settings import CLASS_MEANINGS, IMBALANCE_NAME, LoadClass
from facility.report.sheet.model import Conditional, Span, Validation, column_letter

_HEADS = (
    (1, 1, "Cont."),
    (2, 2, "Load class"),
    (3, 4, "Connected VA"),
    (5, 5, "Dem. f."),
    (6, 6, "Dem. VA"),
    (7, 7, "Code f."),
    (8, 8, "Design VA"),
)
_VA_COLUMNS = ((3, 4), (6, 6), (8, 8))
_RESULTS = ("connected_va", "demand_va", "design_va")
_MEASURE = 28
_INCLUDING = "Including downstream"
_OVERRIDDEN = "OVERRIDDEN BY USER"


def write_classes(foot: Foot, top: int) -> int:
    """Write the table of load classes from row `top`; return the row after it."""
    for first, last, title in _HEADS:
        foot.wide(top, first, last, title, "phead")
    foot.put(top, _MEASURE, "Demand-rule basis", "label")
    foot.sheet.widths[foot.form.at(_MEASURE)] = 22
    connected, circuits = _by_class(foot.panel)
    totals = [0.0, 0.0, 0.0]
    row = top
    for load_class in foot.context.classes:
        row += 1
        code = load_class.code
        added = _write_class(foot, row, load_class, connected.get(code, 0.0), circuits.get(code, 0))
        totals = [total + part for total, part in zip(totals, added, strict=True)]
    _write_total(foot, top, row + 1, totals)
    _write_downstream(foot, row + 2, totals)
    return row + 5


def _by_class(panel: Panel) -> tuple[dict[str, float], dict[str, int]]:
    """Return connected VA and number of circuits by load class."""
    connected: dict[str, float] = {}
    circuits: dict[str, int] = {}
    for circuit in panel.circuits:
        code = circuit.class_code
        connected[code] = connected.get(code, 0.0) + sum(circuit.pole_va())
        circuits[code] = circuits.get(code, 0) + 1
    return connected, circuits


def _write_class(
    foot: Foot, row: int, load_class: LoadClass, va: float, number: int
) -> tuple[float, float, float]:
    """Write one class; return its connected, demand and design VA."""
    frame, form = foot.frame, foot.form
    rule, continuous = load_class.demand, load_class.continuous
    factor = rule.factor(va, number)
    applied = foot.context.factor(foot.panel) if continuous else 1.0
    yes_no = "yes" if continuous else "no"
    foot.formula(row, 1, str(load_class.cells.continuous), yes_no, "pcode")
    foot.put(row, 2, load_class.code, "pcalc")
    formula = "+".join(
        f"SUMPRODUCT(({frame.codes(side)}=$B{row})*({frame.va(side).fixed}))"
        for side in frame.sides
    )
    foot.wide_formula(row, 3, 4, formula, va, "pcalc.va")
    counted = "+".join(
        f'COUNTIFS({frame.codes(side)},$B{row},{frame.cells(side, "poles").fixed},">0")'
        for side in frame.sides
    )
    measure = foot.formula(
        row,
        _MEASURE,
        load_class.measure_formula(f"C{row}", counted),
        rule.measure(va, number),
        "calc.n0",
    ).here
    foot.formula(row, 5, load_class.factor_formula(measure), factor, "pcalc.n2")
    foot.wide_formula(row, 6, 6, f"C{row}*E{row}", va * factor, "pcalc.va")
    formula = f'IF(A{row}="yes",1/{form.fixed(*PERMITTED)},1)'
    foot.formula(row, 7, formula, applied, "pcalc.n2")
    formula = f"{form.here(row, 6)}*{form.here(row, 7)}"
    foot.formula(row, 8, formula, va * factor * applied, "pcalc.va")
    return va, va * factor, va * factor * applied


def _write_total(foot: Foot, top: int, row: int, totals: list[float]) -> None:
    foot.wide(row, 1, 2, "This panel", "ptotal")
    for (first, last), value in zip(_VA_COLUMNS, totals, strict=True):
        column = foot.form.at(first)
        span = Span(top + 1, column, row - 1, column)
        foot.wide_formula(row, first, last, f"SUM({span})", value, "ptotal.n0")
    for column in (5, 7):
        foot.put(row, column, None, "ptotal")


def _write_downstream(foot: Foot, row: int, totals: list[float]) -> None:
    """Write the load of downstream panels, the override, and the total used.

    No panel of a design feeds another, so the first line is zero until the user enters a value.
    """
    sheet, form = foot.sheet, foot.form
    foot.wide(row, 1, 2, "Downstream panels", "plabel")
    foot.wide(row + 1, 1, 2, "Override VA (or blank)", "plabel")
    typed = ",".join(form.here(row + 1, first) for first, _ in _VA_COLUMNS)
    foot.wide_formula(
        row + 2, 1, 2, f'IF(COUNT({typed})>0,"{_OVERRIDDEN}","{_INCLUDING}")', _INCLUDING, "ptotal"
    )
    for (first, last), value, name in zip(_VA_COLUMNS, totals, _RESULTS, strict=True):
        foot.wide(row, first, last, 0.0, "pinputcell.n0")
        foot.wide(row + 1, first, last, None, "pinputcell.n0")
        own, below, instead = (form.here(row + step, first) for step in (-1, 0, 1))
        cell = foot.wide_formula(
            row + 2, first, last, f'IF({instead}="",{own}+{below},{instead})', value, "ptotal.n0"
        )
        foot.found.put(name, cell, value)
    for column in (5, 7):
        foot.put(row, column, None, "pna")
        foot.put(row + 1, column, None, "pna")
        foot.put(row + 2, column, None, "ptotal")
    overridden = f'{form.fixed(row + 2, 1)}="{_OVERRIDDEN}"'
    total = Span(row + 2, 1, row + 2, form.at(8))
    sheet.conditionals.append(Conditional(total, overridden, "override"))
    sheet.validations.append(
        Validation(
            Span(row, 3, row + 1, form.at(8)),
            minimum=0.0,
            stop=True,
            message="Volt-amperes of at least 0.",
        )
    )


_LEGEND = (
    "Blue: input. Black: formula. Grey: not applicable. VA refer to the sheet Loads; a typed value "
    "shows red, and amperes still follow Loads. LOW: trip below the minimum rating. SPARE: "
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
    sheet, panel, load_cells, frame = foot.sheet, foot.panel, foot.load_cells, foot.frame
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
    on_loads = "+".join(load_cells.total(panel.tag, load_cells.normal, x, "va") for x in range(3))
    here = "+".join(f"SUM({Span(row, side.va, row, side.va + 2)})" for side in frame.sides)
    text = "as on sheet Loads"
    differs = f"ABS({here}-({on_loads}))>0.5"
    formula = f'IF({differs},"TYPED OVER: amperes follow Loads","{text}")'
    foot.wide_formula(row, 15, FORM, formula, text, "pnote")


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
    connected, demand, design = (at[x] for x in ("connected_va", "demand_va", "design_va"))
    root3 = math.sqrt(3.0) * foot.panel.v_ll
    connected_kva = f"{connected.cell.here}/1000", _number(connected.value) / 1e3
    demand_kva = f"{demand.cell.here}/1000", _number(demand.value) / 1e3
    volts = foot.form.fixed(*VOLTS)
    demand_a = f"C{top + 1}*1000/(SQRT(3)*{volts})", _number(demand.value) / root3
    design_a = f"{design.cell.here}/(SQRT(3)*{volts})", _number(design.value) / root3
    left = (
        ("Connected kVA", *connected_kva, "n1"),
        ("Demand kVA", *demand_kva, "n1"),
        ("Demand A, balanced", *demand_a, "a1"),
        ("Design A, balanced", *design_a, "a1"),
    )
    for row, (label, formula, value, number_format) in enumerate(left, start=top):
        foot.wide(row, 1, 2, label, "plabel")
        cell = foot.wide_formula(row, 3, 4, formula, value, f"ptotal.{number_format}")
        if row == top + 1:
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
    span = foot.form.span(top, 15, top + 3, 16)
    first = f"${column_letter(span.left)}{top}"
    foot.sheet.conditionals += [
        Conditional(span, f'{first}="{_CHECK}"', "bad"),
        Conditional(span, f'{first}="{_OK}"', "good"),
    ]


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
