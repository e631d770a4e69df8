"""The circuits of a balanced hall as CSV, one row each."""

from __future__ import annotations

from collections.abc import Sequence

from facility.core.table import csv_text
from facility.power.panels.board.moves import stand
from facility.power.panels.hall.result import HallBalance

COLUMNS = ("panel", "position", "rack", "feed", "circuit", "phases", "banks", "moved_from")

_RISKY = ("=", "+", "-", "@", "\t", "\r")


def write_hall_csv(found: HallBalance) -> str:
    """Return the rack circuits of the halls as the text of a CSV, panel by panel.

    `circuit` is the number, from 1, among those of the rack on its feed; `banks` are the outlet
    banks of the rack PDU on the phases, in the same order; `moved_from` is the panel and position
    as given where these change. Text that a spreadsheet would run as a formula gets an apostrophe
    in front.
    """
    before = {(m.rack, m.feed, m.circuit): m.before for m in found.moves}
    rows: list[Sequence[str]] = [COLUMNS]
    for panel in found.panels:
        for circuit in panel.circuits:
            if not circuit.rack:
                continue
            here = stand(panel, circuit)
            number = circuit.ordinal + 1
            old = before.get((circuit.rack, panel.side, number))
            moved = ""
            if old is not None and old.id != here.id:
                moved = f"{old.panel} {old.label}"
            row = (
                here.panel,
                here.label,
                circuit.rack,
                panel.side,
                number,
                here.phases,
                " ".join(map(str, here.banks)),
                moved,
            )
            rows.append([_safe(str(cell)) for cell in row])
    return csv_text(rows)


def _safe(text: str) -> str:
    return f"'{text}" if text.startswith(_RISKY) else text
