"""The schedule of an IEC board: one list of ways, with device, cable and earth-fault loop.

Columns A to K equal the left side of a mirrored schedule; the right side lists device and cable.
The maximum loop impedance follows from the entered curve.
"""

from __future__ import annotations

from facility.physics.circuits.iec_conductors import largest_loop_impedance
from facility.power.panels.board.layout import PHASE_NAMES
from facility.power.panels.board.model import Circuit
from facility.report.book.panels.body import (
    FIRST_ROW,
    HEAD_ROW,
    VOLTS_TO_NEUTRAL,
    Body,
    add_rules,
    write_pole,
)
from facility.report.book.panels.columns import LEFT, PHASE, SCHEDULE, WAY, WAYS, CircuitEntry, Form
from facility.report.book.panels.places import PanelFrame
from facility.report.book.panels.text_grid import occupants
from facility.report.sheet.model import CellValue, Ref

_HEADS = tuple(column.way or column.head for column in SCHEDULE)
_DETAILS = (*(column.head for column in WAYS), _HEADS[0])
_MULTIPLES = {"B": 5.0, "C": 10.0, "D": 20.0}
LOOP_NOTE = (
    "Cable: line/protective conductor. Max Zs = 0.95·U0 / (n·In), n = 5, 10, 20 for curve B, C, D "
    "of an MCB (IEC 60898-1; IEC 60364-4-41, 411.4.4); curve: panels.nameplate."
)


def write_ways(body: Body) -> PanelFrame:
    """Write one row per pole, way by way; return their cells."""
    sheet, panel = body.sheet, body.panel
    phases = PHASE_NAMES[panel.numbering]
    va_heads = tuple(f"{phase}\nVA" for phase in phases)
    sheet.row(HEAD_ROW, 1, (*_HEADS, *va_heads, "Ø", *_DETAILS), "phead")
    occupant = occupants(panel)
    for row, position in enumerate(range(1, panel.poles + 1), start=FIRST_ROW):
        phase = panel.layout.phase(position)
        found = occupant.get(position)
        sheet.put(row, PHASE, phases[phase], "pphase")
        write_pole(body, row, LEFT, position, phase, found)
        for column in WAYS:
            sheet.put(row, WAY[column.key], None, column.style)
        sheet.put(row, PHASE + len(_DETAILS), panel.layout.label(position), "pckt")
        if found is not None and found[1] == 0:
            _write_details(body, row, found[0])
    frame = PanelFrame(FIRST_ROW, FIRST_ROW + panel.poles - 1, single=True)
    add_rules(sheet, frame)
    return frame


def _write_details(body: Body, row: int, circuit: Circuit) -> None:
    """Write device, cable run, load and loop of a circuit; unknown data stay blank."""
    sheet, panel = body.sheet, body.panel
    entry = CircuitEntry(panel, circuit, body.supply)
    for column in WAYS:
        sheet.put(row, WAY[column.key], column.of(entry), column.style)
    worst, worst_a = body.load_cells.worst_current(panel.tag, circuit.id)
    sheet.formula(row, WAY["load"], worst, worst_a, "pcalc.a1")
    curve, rating = Ref("", row, WAY["curve"]).here, Ref("", row, LEFT.at["trip"]).here
    multiple = f'INDEX({{5,10,20}},MATCH({curve},{{"B","C","D"}},0))'
    to_neutral = Form(single=True).fixed(*VOLTS_TO_NEUTRAL)
    formula = f'IF({curve}="","",IFERROR(0.95*{to_neutral}/({multiple}*{rating}),""))'
    times, trip_a = _MULTIPLES.get(entry.supply.plate.curve or ""), circuit.breaker_a
    value: CellValue = ""
    if times is not None and trip_a is not None:
        value = float(largest_loop_impedance.si(panel.v_ln, 0.95, times * trip_a))
    sheet.formula(row, WAY["loop"], formula, value, "pcalc.n3")
