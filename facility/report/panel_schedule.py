"""One panel schedule: header and circuit body of a mirrored panelboard, on one page.

Columns A to J hold the left circuits, K the phase, L to U the right circuits mirrored. Every VA
cell refers to the Loads sheet; a number typed over it shows red.
"""

from __future__ import annotations

from dataclasses import dataclass

from facility.power.panel_model import CLASS_CODES, Circuit, Panel
from facility.report.panel_footer import write_footer
from facility.report.panel_grid import row_positions
from facility.report.panel_places import PHASE_NAMES, PanelContext, PanelFrame, PanelPlaces
from facility.report.sheet_cells import CellValue, Span
from facility.report.sheet_model import Conditional, Sheet, Validation
from facility.report.sheets_loads import LoadsPlaces, ScheduledPanel

FIRST_ROW = 9
_WIDTHS = (4.5, 24, 6, 4.5, 5, 7, 4.5, 8, 8, 8, 3, 8, 8, 8, 4.5, 7, 5, 4.5, 6, 24, 4.5)
_LARGE_WIDTHS = (5, 42, 9, 6, 6, 12, 7, 11, 11, 11, 4, 11, 11, 11, 7, 12, 6, 6, 9, 42, 5)
_HEADS = {
    "US": ("Ckt", "Description", "Class", "Poles", "Trip\nA", "Wire", "Note"),
    "IEC": ("Way", "Description", "Class", "Poles", "In\nA", "Cable", "Note"),
}
_WIRES = {"US": "3Ø 4W+G", "IEC": "3P+N+PE"}
_LINE_CHARACTERS = 1.25
_SMALL_ROW, _LARGE_ROW = 12.5, 13.5
_NOT_STATED = "not stated"


@dataclass(frozen=True)
class _Side:
    """The columns of one side of the schedule."""

    ckt: int
    description: int
    code: int
    poles: int
    trip: int
    wire: int
    note: int
    va: int


_Block = tuple[tuple[int, int, int, int], tuple[tuple[str, CellValue, str], ...]]

_LEFT = _Side(1, 2, 3, 4, 5, 6, 7, 8)
_RIGHT = _Side(21, 20, 19, 18, 17, 16, 15, 12)


def panel_sheet(
    name: str, scheduled: ScheduledPanel, places: LoadsPlaces, context: PanelContext
) -> tuple[Sheet, PanelPlaces]:
    """Return the schedule of one panel, and where its results stand.

    Parameters
    ----------
    name : str
        Sheet name, allocated for the whole book.
    scheduled : ScheduledPanel
        Panel and its loads by state.
    places : LoadsPlaces
        Where its circuits stand on the Loads sheet.
    context : PanelContext
        What all schedules share: code basis, limits, class factors, page furniture.
    """
    panel = scheduled.panel
    sheet = Sheet(name, freeze=(FIRST_ROW, 3), protected=True)
    large = panel.poles > 42
    sheet.set_widths(*(_LARGE_WIDTHS if large else _WIDTHS))
    positions = row_positions(panel)
    frame = PanelFrame(FIRST_ROW, FIRST_ROW + len(positions) - 1)
    _write_title(sheet, panel, context)
    _write_body(sheet, panel, positions, places)
    _add_rules(sheet, frame)
    last, panel_places = write_footer(sheet, scheduled, places, context, frame)
    for row in range(2, last + 1):
        sheet.heights.setdefault(row, _SMALL_ROW if large else _LARGE_ROW)
    sheet.heights[1], sheet.heights[7], sheet.heights[8] = 20, 4, 26
    sheet.page = context.furniture.page(
        large=large, fit_height=1, repeat_rows=(1, 8), area=Span(1, 1, last, len(_WIDTHS))
    )
    return sheet, panel_places


def _write_title(sheet: Sheet, panel: Panel, context: PanelContext) -> None:
    room = f" · {panel.hall}" if panel.hall else ""
    sheet.merge(Span(1, 1, 1, 21), f"PANEL {panel.tag} · SIDE {panel.side}{room}", "ptitle")
    for (label, label_end, value, value_end), lines in _header_blocks(panel, context):
        for row, (text, content, style) in enumerate(lines, start=2):
            sheet.merge(Span(row, label, row, label_end), text, "plabel")
            sheet.merge(Span(row, value, row, value_end), content, style)
    sheet.formula(3, 10, "J2/SQRT(3)", panel.v_ln, "pvalue.n1")
    if not panel.listed_100:
        sheet.formula(6, 14, f"1/{context.continuous_name}", 1.0 / context.factor(panel),
                      "pvalue.pct")  # fmt: skip


def _header_blocks(panel: Panel, context: PanelContext) -> tuple[_Block, ...]:
    """Return the header: columns of label and value, then (label, value, style) by row."""
    return (
        ((1, 2, 3, 7), (
            ("Location", panel.hall or _NOT_STATED, "pinput"),
            ("Fed from", panel.fed_from or _NOT_STATED, "pinput"),
            ("Mounting", _NOT_STATED, "pinput"),
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
            ("Feeder", _NOT_STATED, "pinput"),
            ("Neutral %", _NOT_STATED, "pinput"),
            ("Load permitted", 1.0 / context.factor(panel), "pvalue.pct"),
        )),
        ((17, 19, 20, 21), (
            ("SCCR kA sym", _NOT_STATED, "pinput"),
            ("Avail. fault kA", "not calculated", "pinput"),
            ("Fault calc date", "not calculated", "pinput"),
            ("Code edition", context.code, "pvalue"),
            ("Rev / date / status", context.issue, "pvalue"),
        )),
    )  # fmt: skip


def _write_body(
    sheet: Sheet, panel: Panel, positions: list[tuple[int | None, int | None]],
    places: LoadsPlaces,
) -> None:  # fmt: skip
    heads, phases = _HEADS[panel.numbering], PHASE_NAMES[panel.numbering]
    va_heads = tuple(f"{phase}\nVA" for phase in phases)
    sheet.row(8, 1, (*heads, *va_heads, "Ø", *va_heads, *reversed(heads)), "phead")
    occupant = {
        position: (circuit, pole)
        for circuit in panel.circuits
        for pole, position in enumerate(panel.occupied(circuit))
    }
    for row, pair in enumerate(positions, start=FIRST_ROW):
        phase = panel.layout.phase(next(p for p in pair if p is not None))
        sheet.put(row, 11, phases[phase], "pphase")
        for side, position in zip((_LEFT, _RIGHT), pair, strict=True):
            _write_pole(sheet, row, side, panel, position, phase)
            if position in occupant:
                circuit, pole = occupant[position]
                _write_circuit(sheet, row, side, panel, circuit, pole, phase, places)


def _write_pole(
    sheet: Sheet, row: int, side: _Side, panel: Panel, position: int | None, phase: int
) -> None:
    """Write an empty pole: its number, SPACE, and grey VA cells."""
    label = panel.layout.label(position) if position else ""
    number = int(label) if label.isdigit() else label
    sheet.put(row, side.ckt, number, "pckt")
    space = "SPACE" if position else None
    sheet.put(row, side.description, space, "ptext")
    sheet.put(row, side.code, space, "pcode")
    for column in (side.poles, side.trip, side.wire, side.note):
        sheet.put(row, column, None, "pcode")
    for x in range(3):
        sheet.put(row, side.va + x, None, "pna")


def _write_circuit(
    sheet: Sheet, row: int, side: _Side, panel: Panel, circuit: Circuit, pole: int, phase: int,
    places: LoadsPlaces,
) -> None:  # fmt: skip
    width = sheet.widths[side.description] * _LINE_CHARACTERS
    sheet.put(row, side.description, description_line(circuit, pole, width), "ptext")
    sheet.put(row, side.code, circuit.class_code, "pcode")
    if pole == 0:
        sheet.put(row, side.poles, circuit.poles, "pcode")
        sheet.put(row, side.trip, circuit.breaker_a, "ptrip.n0")
        _write_note(sheet, row, side, panel, circuit, places)
    value = circuit.pole_va()[pole]
    formula = places.pole_va(panel.tag, circuit.id, phase)
    sheet.formula(row, side.va + phase, formula, value, "pva.va")


def description_line(circuit: Circuit, pole: int, width: float) -> str:
    """Return what the row of a pole says: the description, ``|`` on the rows that follow.

    A text wider than `width` characters is carried on, at a word, to the second row.
    """
    text = circuit.description
    first, rest = text, ""
    if len(text) > width and circuit.poles > 1:
        cut = text.rfind(" ", 0, int(width) + 1)
        if cut > 0:
            first, rest = text[:cut], text[cut + 1 :]
    return (first, f"| {rest}".rstrip(), "|")[pole]


def _write_note(
    sheet: Sheet, row: int, side: _Side, panel: Panel, circuit: Circuit, places: LoadsPlaces
) -> None:
    """Write the mark of a trip rating below the least one: text, coloured by a rule."""
    if circuit.breaker_a is None:
        return
    verdict = places.trip_verdict(panel.tag, circuit.id)
    low = (panel.tag, circuit.id) in places.low_trips
    sheet.formula(row, side.note, f'IF({verdict}="LOW","LOW","")', "LOW" if low else "", "pcode")


def _add_rules(sheet: Sheet, frame: PanelFrame) -> None:
    top, end = frame.first, frame.last
    for side in (_LEFT, _RIGHT):
        va = Span(top, side.va, end, side.va + 2)
        code = Span(top, side.code, end, side.code)
        text = Span(top, side.description, end, side.description)
        trip = Span(top, side.trip, end, side.trip)
        note = Span(top, side.note, end, side.note)
        mark, tag, first_va = note.first, code.first, va.first
        override = f'AND({first_va}<>"",NOT(_xlfn.ISFORMULA({first_va})))'
        sheet.conditionals.append(Conditional(va, override, "override"))
        low = f'${mark}="LOW"'
        sheet.conditionals += [Conditional(trip, low, "bad"), Conditional(note, low, "bad")]
        idle = f'OR(${tag}="SPARE",${tag}="SPACE")'
        sheet.conditionals += [Conditional(text, idle, "spare"), Conditional(code, idle, "spare")]
        _validate(sheet, side, frame)


def _validate(sheet: Sheet, side: _Side, frame: PanelFrame) -> None:
    top, end = frame.first, frame.last
    sheet.validations += [
        Validation(Span(top, side.code, end, side.code), "Class_List",
                   message=f"A load class: {', '.join(CLASS_CODES)}."),
        Validation(Span(top, side.poles, end, side.poles), "Pole_List", stop=True,
                   message="1, 2 or 3 poles."),
        Validation(Span(top, side.trip, end, side.trip), "Trip_List",
                   message="Not a standard rating of the sheet Settings. Keep it?"),
        Validation(Span(top, side.va, end, side.va + 2), minimum=0.0, stop=True,
                   message="Volt-amperes of at least 0. A typed value shows red."),
    ]  # fmt: skip
