"""The schedule of an IEC board: one list of ways, with device, cable and earth-fault loop.

Columns A to K are those of the left side of a mirrored schedule; the right side states the device
and the cable. The largest loop impedance follows from the curve that is typed in.
"""

from __future__ import annotations

from facility.power.panels.board.model import Circuit
from facility.report.book.panels.body import FIRST_ROW, HEAD_ROW, LEFT, Body, add_rules, write_pole
from facility.report.book.panels.places import PHASE_NAMES, PanelFrame
from facility.report.book.panels.text_grid import occupants
from facility.report.sheet.model import Ref, Sheet, Span, Validation

_HEADS = ("Way", "Designation", "Class", "Poles", "In\nA", "Cable\nmm²", "Note")
_DETAILS = (
    "Device\ntype",
    "Curve",
    "Icn\nkA",
    "RCD\nmA",
    "Ref.\nmethod",
    "Length\nm",
    "Ib A\nworst",
    "Max Zs\nΩ",
    "Partner circuit / connector",
    "Way",
)
_PHASE, _CURVE, _METHOD, _LENGTH, _LOAD, _LOOP, _PARTNER, _WAY = 11, 13, 16, 17, 18, 19, 20, 21
_INPUTS = (12, 13, 14, 15)
LOOP_NOTE = (
    "Cable: line/protective conductor. Max Zs = 0.95·U0 / (n·In), n = 5, 10, 20 for curve B, C, D "
    "of an MCB (IEC 60898-1; IEC 60364-4-41, 411.4.4): type the curve."
)


def write_ways(body: Body) -> PanelFrame:
    """Write one row per pole, way after way; return where they stand."""
    sheet, panel = body.sheet, body.panel
    phases = PHASE_NAMES[panel.numbering]
    va_heads = tuple(f"{phase}\nVA" for phase in phases)
    sheet.row(HEAD_ROW, 1, (*_HEADS, *va_heads, "Ø", *_DETAILS), "phead")
    occupant = occupants(panel)
    for row, position in enumerate(range(1, panel.poles + 1), start=FIRST_ROW):
        phase = panel.layout.phase(position)
        found = occupant.get(position)
        sheet.put(row, _PHASE, phases[phase], "pphase")
        write_pole(body, row, LEFT, position, phase, found)
        for column in range(_PHASE + 1, _WAY):
            sheet.put(row, column, None, "pcode" if column not in _INPUTS else "ptrip")
        sheet.put(row, _WAY, panel.layout.label(position), "pckt")
        if found is not None and found[1] == 0:
            _write_details(body, row, found[0])
    frame = PanelFrame(FIRST_ROW, FIRST_ROW + panel.poles - 1, single=True)
    add_rules(sheet, (LEFT,), frame)
    _validate(sheet, frame)
    return frame


def _write_details(body: Body, row: int, circuit: Circuit) -> None:
    """Write cable run, load and loop of a circuit; device, curve, Icn and RCD are inputs."""
    sheet, panel = body.sheet, body.panel
    sheet.put(row, _METHOD, body.supply.method or None, "pcode")
    length_m = body.supply.lengths_m.get(circuit.id, circuit.length_m)
    sheet.put(row, _LENGTH, length_m, "pcalc.a1")
    worst, worst_a = body.places.worst_current(panel.tag, circuit.id)
    sheet.formula(row, _LOAD, worst, worst_a, "pcalc.a1")
    curve, rating = Ref("", row, _CURVE).here, Ref("", row, LEFT.trip).here
    multiple = f'INDEX({{5,10,20}},MATCH({curve},{{"B","C","D"}},0))'
    formula = f'IF({curve}="","",IFERROR(0.95*$J$3/({multiple}*{rating}),""))'
    sheet.formula(row, _LOOP, formula, "", "pcalc.n3")
    parts = [part for part in (circuit.partner, circuit.receptacle) if part]
    sheet.put(row, _PARTNER, " · ".join(parts), "ptext")


def _validate(sheet: Sheet, frame: PanelFrame) -> None:
    for column, words in ((14, "Breaking capacity kA"), (15, "Residual current mA")):
        sheet.validations.append(
            Validation(
                Span(frame.first, column, frame.last, column),
                minimum=0.0,
                stop=True,
                message=f"{words}: a number of at least 0.",
            )
        )
