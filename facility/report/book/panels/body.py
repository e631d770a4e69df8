"""Header and circuits of a panel schedule: poles, VA that refer to the Loads sheet, rules."""

from __future__ import annotations

from dataclasses import dataclass

from facility.power.panels.board.constraints import partner_ids
from facility.power.panels.board.layout import PHASE_NAMES
from facility.power.panels.board.model import Circuit, Panel
from facility.report.book.panels.columns import (
    FORM,
    LEFT,
    PHASE,
    RIGHT,
    SCHEDULE,
    CircuitEntry,
    Form,
    Side,
)
from facility.report.book.panels.live import CONTINUOUS_NAME
from facility.report.book.panels.loads import LoadsCells
from facility.report.book.panels.places import PanelContext, PanelFrame
from facility.report.book.panels.supply import PanelSupply
from facility.report.book.panels.text_grid import occupants, row_positions
from facility.report.sheet.entries import cell_name
from facility.report.sheet.model import CellValue, Conditional, Sheet, literal_text

_WIRES = {"US": "3Ø 4W+G", "SINGLE": "3Ø 4W+G", "IEC": "3P+N+PE"}
_NOT_STATED = "not stated"
_NOT_KNOWN = "not known"

VOLTS, VOLTS_TO_NEUTRAL = (2, 10), (3, 10)
SCCR, FAULT = (2, 20), (3, 20)
BUS, MAIN, PERMITTED = (2, 14), (3, 14), (6, 14)
"""Form row and column of cells that formulas of schedule and loads refer to."""
FED_FROM_ROWS = (3, 4)
"""First and last row of source and feeder, whose text may need several lines."""
_Block = tuple[tuple[int, int, int, int], tuple[tuple[str, CellValue, str], ...]]


def write_header(sheet: Sheet, panel: Panel, context: PanelContext) -> None:
    """Write rows 1 to 6: the title, and four blocks of labels and values."""
    side = f"SIDE {panel.side}" if panel.side else ""
    title = " · ".join(part for part in (f"PANEL {panel.tag}", side, panel.hall) if part)
    form = Form(panel.numbering == "IEC")
    sheet.merge(form.span(1, 1, 1, FORM), title, "ptitle")
    for (label, label_end, value, value_end), lines in _blocks(panel, context):
        for row, (text, content, style) in enumerate(lines, start=2):
            sheet.merge(form.span(row, label, row, label_end), text, "plabel")
            sheet.merge(form.span(row, value, row, value_end), content, style)
    row, column = VOLTS_TO_NEUTRAL
    to_neutral = f"{form.here(*VOLTS)}/SQRT(3)"
    sheet.formula(row, form.at(column), to_neutral, panel.v_ln, "pvalue.n1")
    if not panel.listed_100:
        (row, column), share = PERMITTED, 1.0 / context.factor(panel)
        sheet.formula(row, form.at(column), f"1/{CONTINUOUS_NAME}", share, "pvalue.pct")
    if panel.tag in context.sccr:
        (row, column), name = SCCR, context.sccr[panel.tag].name
        sheet.make_live(row, form.at(column), f"{name}/1000")
    for (row, column), path, of_all in (
        (BUS, "bus", context.bus_a),
        (MAIN, "main", context.main_a),
    ):
        if of_all is not None and sheet.cells[row, form.at(column)].value == of_all:
            name = cell_name(f"power.distribution.panel_{path}")
            sheet.make_live(row, form.at(column), name)


def _blocks(panel: Panel, context: PanelContext) -> tuple[_Block, ...]:
    """Return the header: columns of label and value, then (label, value, style) by row."""
    supply = context.supply(panel)
    plate = supply.plate
    return (
        ((1, 2, 3, 7), (
            ("Location", plate.location or panel.hall or _NOT_STATED, "pvalue"),
            ("Fed from, circuit", supply.source or panel.fed_from or _NOT_STATED, "plines"),
            ("Feeder", supply.feeder or _NOT_STATED, "pchoice"),
            ("Enclosure (NEMA / IP)", plate.enclosure or _NOT_STATED, "pvalue"),
            ("Paired panel", ", ".join(panel.paired) or "none", "pvalue"),
        )),
        ((8, 9, 10, 11), (
            ("Volts L-L", panel.v_ll, "pvalue.n0"),
            ("Volts L-N", None, "pvalue.n1"),
            ("Phase / wire", _WIRES[panel.numbering], "pvalue"),
            ("Frequency Hz", context.frequency_hz, "pvalue.n0"),
            ("Poles", panel.poles, "pvalue.n0"),
        )),
        ((12, 13, 14, 16), (
            ("Bus A", panel.bus_a, "pvalue.n0"),
            ("Main A", panel.main_a if panel.main_a else "MLO", "pvalue.n0"),
            ("Mounting", plate.mounting or _NOT_STATED, "pvalue"),
            ("Neutral of feeder", supply.neutral or _NOT_STATED, "pvalue.pct0"),
            ("Load permitted", 1.0 / context.factor(panel), "pvalue.pct"),
        )),
        ((17, 19, 20, 21), (
            ("SCCR kA sym", _kiloamperes(supply.sccr_a, _NOT_STATED), "pgiven.n0"),
            ("Avail. fault kA", _kiloamperes(supply.fault_a, _NOT_KNOWN), "pgiven.n1"),
            ("Fault date; from", supply.fault_basis or _NOT_KNOWN, "pvalue"),
            ("Code edition", context.code, "pvalue"),
            ("Rev / date / status", context.issue, "pvalue"),
        )),
    )  # fmt: skip


def _kiloamperes(current_a: float | None, otherwise: str) -> float | str:
    return otherwise if current_a is None else current_a / 1e3


HEAD_ROW = 8
FIRST_ROW = HEAD_ROW + 1
_HEADS = tuple(column.head for column in SCHEDULE)
_LINE_CHARACTERS = 1.25


@dataclass(frozen=True)
class Body:
    """Data for the circuit rows."""

    sheet: Sheet
    panel: Panel
    load_cells: LoadsCells
    supply: PanelSupply


def write_mirrored(body: Body) -> PanelFrame:
    """Write two columns of circuits, the right one mirrored; return their cells."""
    sheet, panel = body.sheet, body.panel
    phases = PHASE_NAMES[panel.numbering]
    va_heads = tuple(f"{phase}\nVA" for phase in phases)
    sheet.row(HEAD_ROW, 1, (*_HEADS, *va_heads, "Ø", *va_heads, *reversed(_HEADS)), "phead")
    occupant = occupants(panel)
    positions = row_positions(panel)
    for row, pair in enumerate(positions, start=FIRST_ROW):
        phase = panel.layout.phase(next(p for p in pair if p is not None))
        sheet.put(row, PHASE, phases[phase], "pphase")
        for side, position in zip((LEFT, RIGHT), pair, strict=True):
            write_pole(body, row, side, position, phase, occupant.get(position or 0))
    frame = PanelFrame(FIRST_ROW, FIRST_ROW + len(positions) - 1)
    add_rules(sheet, frame)
    return frame


def write_pole(
    body: Body,
    row: int,
    side: Side,
    position: int | None,
    phase: int,
    occupant: tuple[Circuit, int] | None,
) -> None:
    """Write a pole: its circuit, or number, SPACE and grey VA cells."""
    sheet, panel = body.sheet, body.panel
    label = panel.layout.label(position) if position else ""
    number = int(label) if label.isdigit() else label
    sheet.blank(row, side.at.values(), "pcode")
    sheet.put(row, side.at["ckt"], number, "pckt")
    space = "SPACE" if position else None
    sheet.put(row, side.at["description"], space, "ptext")
    sheet.put(row, side.at["code"], space, "pcode")
    sheet.blank(row, range(side.va, side.va + 3), "pna")
    if occupant is not None:
        _write_circuit(body, row, side, occupant, phase)


def _write_circuit(
    body: Body, row: int, side: Side, occupant: tuple[Circuit, int], phase: int
) -> None:
    sheet, panel, load_cells = body.sheet, body.panel, body.load_cells
    circuit, pole = occupant
    if pole == 0:
        entry = CircuitEntry(panel, circuit, body.supply)
        for column in SCHEDULE[1:]:
            sheet.put(row, side.at[column.key], column.of(entry), column.style)
        if circuit.breaker_a is not None:
            trip = load_cells.trip(panel.tag, circuit.id)
            sheet.formula(row, side.at["trip"], trip, circuit.breaker_a, "pcode.n0")
    width = sheet.widths[side.at["description"]] * _LINE_CHARACTERS
    sheet.put(row, side.at["description"], description_line(circuit, pole, width), "ptext")
    sheet.put(row, side.at["code"], circuit.class_code, "pcode")
    _write_note(sheet, row, side, panel, occupant, load_cells)
    value = circuit.pole_va()[pole]
    formula = load_cells.pole_va(panel.tag, circuit.id, phase)
    sheet.formula(row, side.va + phase, formula, value, "pcalc.va")


def description_line(circuit: Circuit, pole: int, width: float) -> str:
    """Return the description text of a pole row: ``|`` on the following rows.

    Text wider than `width` characters continues, at a word, on the second row.
    """
    text = circuit.description
    first, rest = text, ""
    if len(text) > width and circuit.poles > 1:
        cut = text.rfind(" ", 0, int(width) + 1)
        if cut > 0:
            first, rest = text[:cut], text[cut + 1 :]
    return (first, f"| {rest}".rstrip(), "|")[pole]


def _write_note(
    sheet: Sheet,
    row: int,
    side: Side,
    panel: Panel,
    occupant: tuple[Circuit, int],
    load_cells: LoadsCells,
) -> None:
    """Write the partner of a circuit, and in its first row a trip rating below the minimum.

    The mark is text, coloured by a rule. A list of ways has a separate column for partners.
    """
    circuit, pole = occupant
    partner = "" if panel.numbering == "IEC" else partner_line(circuit, pole)
    if pole or circuit.breaker_a is None:
        sheet.put(row, side.at["note"], partner, "pcode")
        return
    verdict = load_cells.trip_verdict(panel.tag, circuit.id)
    low = (panel.tag, circuit.id) in load_cells.low_trips
    formula = f'IF({verdict}="LOW","LOW",{literal_text(partner)})'
    sheet.formula(row, side.at["note"], formula, "LOW" if low else partner, "pcode")


def partner_line(circuit: Circuit, pole: int) -> str:
    """Return the partner text of a pole row: one partner per row after the first."""
    names = list(partner_ids(circuit))
    if circuit.poles == 1:
        return " / ".join(names)
    if pole == circuit.poles - 1:
        return " / ".join(names[pole - 1 :])
    return names[pole - 1] if 0 < pole <= len(names) else ""


def add_rules(sheet: Sheet, frame: PanelFrame) -> None:
    """Add conditional formats to the circuit rows."""
    for side in frame.sides:
        keys = ("code", "description", "trip", "note")
        code, text, trip, note = (frame.cells(side, key) for key in keys)
        mark, tag = note.first, code.first
        low = f'${mark}="LOW"'
        sheet.conditionals += [Conditional(trip, low, "bad"), Conditional(note, low, "bad")]
        idle = f'OR(${tag}="SPARE",${tag}="SPACE")'
        sheet.conditionals += [Conditional(text, idle, "spare"), Conditional(code, idle, "spare")]
