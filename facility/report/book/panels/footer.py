"""The foot of a panel schedule: subtotals, phases, load classes, verdicts, revisions, seal."""

from __future__ import annotations

import math
from collections.abc import Container

from facility.core.rounding import IN_CELLS, ROUNDING
from facility.power.panels.board.model import Panel
from facility.report.book.load_classes import CLASS_MEANINGS
from facility.report.book.panels.classes import write_classes
from facility.report.book.panels.foot import Foot
from facility.report.book.panels.phases import write_phases
from facility.report.book.panels.text_grid import row_positions
from facility.report.book.panels.ways import LOOP_NOTE
from facility.report.sheet.cells import Span
from facility.report.sheet.model import Conditional

_LEGEND = (
    "Blue: input. Black: formula. Grey: not applicable. VA refer to the sheet Loads; a value typed "
    "over one shows red, amperes keep following Loads. LOW: trip below the least rating. SPARE: "
    "breaker, no load. SPACE: no breaker. Normal and failover are alternatives, never added. "
    "Size on phasor amperes. Neutral: fundamental alone; {}: the largest load between a phase "
    "and neutral; triplen: with the harmonics stated for the racks."
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
    seal = Span(top, 17, summary + _SUMMARY_ROWS - 1, 21)
    foot.sheet.merge(seal, "Seal and signature of the engineer of record", "seal")
    return last


def _write_subtotal(foot: Foot, row: int) -> None:
    sheet, panel, places, frame = foot.sheet, foot.panel, foot.places, foot.frame
    title = "Subtotal, VA" if frame.single else "Subtotal per side, VA"
    sheet.merge(Span(row, 1, row, 7), title, "ptotal")
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
    differs = f"ABS({here}-({on_loads}))>0.5"
    formula = f'IF({differs},"TYPED OVER: amperes follow Loads","{text}")'
    foot.wide_formula(row, 15, 21, formula, text, "pnote")


def _phase_va(panel: Panel, held: Container[int | None]) -> list[float]:
    """Return the schedule VA on each phase of the poles that stand at the positions `held`."""
    total = [0.0, 0.0, 0.0]
    for circuit in panel.circuits:
        powers = circuit.pole_va()
        for pole, position in enumerate(panel.occupied(circuit)):
            if position in held:
                total[panel.layout.phase(position)] += powers[pole]
    return total


def _write_summary(foot: Foot, top: int) -> None:
    at = foot.found.results
    connected, demand, design = (at[x] for x in ("connected_va", "demand_va", "design_va"))
    root3 = math.sqrt(3.0) * foot.panel.v_ll
    connected_kva = f"{connected.cell.here}/1000", _number(connected.value) / 1e3
    demand_kva = f"{demand.cell.here}/1000", _number(demand.value) / 1e3
    demand_a = f"C{top + 1}*1000/(SQRT(3)*$J$2)", _number(demand.value) / root3
    design_a = f"{design.cell.here}/(SQRT(3)*$J$2)", _number(design.value) / root3
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
    least = worst * foot.context.factor(panel)
    largest = f"MAX({found.spans['lines']},{found.spans['failover_lines']})"
    foot.wide(top, 5, 8, "Least OCPD A, worst state", "plabel")
    cell = foot.wide_formula(top, 9, 11, f"{largest}/$N$6", least, "ptotal.a1")
    found.put("least_ocpd", cell, least)
    foot.wide(top + 1, 5, 8, "Main A", "plabel")
    foot.wide_formula(top + 1, 9, 11, "$N$3", panel.main_a or "MLO", "ptotal.n0")
    foot.wide(top + 2, 5, 8, "Spare A to the permitted load", "plabel")
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
        sides = foot.frame.sides
        return "+".join(f'COUNTIF({foot.frame.codes(letter)},"{code}")' for letter, _ in sides)

    formula = f'({count("SPARE")})&" / "&({count("SPACE")})'
    foot.wide_formula(top + 3, 9, 11, formula, text, "ptotal")


def _write_verdicts(foot: Foot, top: int) -> None:
    panel, context, found, at = foot.panel, foot.context, foot.found, foot.found.results
    known, slack = panel.bus_a is not None or panel.main_a is not None, f"1+{IN_CELLS}"
    main, main_a = f"$N$3*({slack})", (panel.main_a or 0.0) * (1.0 + ROUNDING)
    lines = (
        ("Normal state", "verdict_normal", "share", slack, 1.0 + ROUNDING, known),
        ("Failover state", "verdict_failover", "failover_share", slack, 1.0 + ROUNDING, known),
        ("Main OCPD", "verdict_main", "least_ocpd", main, main_a, panel.main_a is not None),
        ("Imbalance", "verdict_imbalance", "imbalance", context.imbalance_name,
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
    span, first = Span(top, 15, top + 3, 16), f"$O{top}"
    foot.sheet.conditionals += [
        Conditional(span, f'{first}="{_CHECK}"', "bad"),
        Conditional(span, f'{first}="{_OK}"', "good"),
    ]


def _write_revisions(foot: Foot, top: int) -> int:
    sheet, context = foot.sheet, foot.context
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
    sheet.merge(Span(top, 9, top + 4, 21), legend, "pnote")
    sheet.merge(Span(top + 5, 1, top + 5, 21), f"{_CODES}.", "pnote")
    sheet.merge(Span(top + 6, 1, top + 6, 21), f"{context.tool} · {_DISCLAIMER}", "pnote")
    return top + 6


def _number(value: object) -> float:
    return float(value) if isinstance(value, int | float) else 0.0
