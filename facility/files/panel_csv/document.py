"""The panel CSV: one comment line about the panel, then one row per circuit.

``# panel: RPP-1A; system: 208Y/120; poles: 42; bus: 400 A`` and the columns
``description,poles,va,pf,breaker_a,position,fixed``, optionally
``id,va_b,va_c,class,rack,side,partner,connection,together,apart,harmonics``. It is read as any
other table of circuits, see `facility.files.circuit_table`.

Circuits with the same word in ``together`` are placed adjacent; single-pole circuits with the
same word in ``apart`` never share a phase. ``partner`` names the circuits that feed the same rack,
separated by strokes. ``harmonics`` is the third-harmonic current in % of the fundamental.

A busway has ``tap-offs: 24`` in its comment instead of ``poles``. The position of a circuit is its
tap-off, counted from the feed end; its phases are in the column ``phases``, e.g. ``CA``, and are
selected by the balancing if empty.
"""

from __future__ import annotations

from collections.abc import Iterable

from facility.core.errors import FacilityError
from facility.core.table import csv_text
from facility.files.circuit_table.read import MAX_BYTES, TableRead, read_table
from facility.files.circuit_table.rows import with_states
from facility.files.incoming.text_table import text_table
from facility.files.io.file_names import safe_file_name
from facility.files.io.safe_text import looks_like_formula
from facility.power.panels.board.model import Circuit, Panel, check_layout

_NO_LOAD_VA = 1e-9
_FIRST = ("id", "description", "poles", "va", "pf", "breaker_a", "position", "fixed")
_OPTIONAL = (
    "va_b",
    "va_c",
    "class",
    "rack",
    "side",
    "partner",
    "connection",
    "together",
    "apart",
    "harmonics",
    "phases",
)


def read_panel_csv(content: str | bytes, where: str = "panel") -> Panel:
    """Return the panel written in `content`.

    content: A table of circuits with the data of its panel.
    where: Name of the file, for messages, which also name the cell.

    Raises the first problem of the table; ``PANEL_CSV_ROW``, ``PANEL_DUPLICATE``,
    ``PANEL_PARTNER``, ``PANEL_POSITION``, ``PANEL_OVERLAP`` or ``PANEL_FULL``.
    """
    return complete_panel(read_table(text_table(content, where, MAX_BYTES)))


def complete_panel(read: TableRead) -> Panel:
    """Return the panel of a table, with the states that its partners cause.

    Raises as `read_panel_csv`.
    """
    if read.problems:
        raise read.problems[0]
    panel = read.panel
    if not panel.circuits:
        where = read.headings.columns[0].where.partition("!")[0]
        raise FacilityError("PANEL_CSV_ROW", where, "the file contains no circuit.", "Add one.")
    complete = with_partner_states(panel)
    check_layout(complete, read.locations)
    return complete


def with_partner_states(panel: Panel) -> Panel:
    """Return a panel with the states that the partners of its circuits cause."""
    return with_states(panel, panel.circuits)


def write_panel_csv(panel: Panel, *, power_factor: bool = True) -> str:
    """Return `panel` in its normal state as the text of a panel CSV.

    power_factor: Whether the power factors of its circuits are known, and written.

    Text that a spreadsheet would run as a formula gets a leading apostrophe, which reading removes.
    States other than normal are not written: on reading, a circuit with partners shares its load
    equally with them.
    """
    header = {
        "panel": panel.tag,
        "system": panel.system,
        "tap-offs" if panel.is_busway else "poles": str(panel.poles),
        "bus": "" if panel.bus_a is None else f"{_number(panel.bus_a)} A",
        "main": "" if panel.main_a is None else f"{_number(panel.main_a)} A",
        "side": panel.side,
        "hall": panel.hall,
        "fed from": panel.fed_from,
        "listed 100": "yes" if panel.listed_100 else "",
        "numbering": panel.numbering if panel.numbering != "US" else "",
    }
    shown = "; ".join(f"{key}: {in_header(text)}" for key, text in header.items() if text)
    rows = [
        _row(circuit) | {"phases": panel.phases(circuit) if panel.is_busway else ""}
        for circuit in panel.circuits
    ]
    used = [name for name in _OPTIONAL if any(row[name] for row in rows)]
    heads = [name for name in (*_FIRST, *used) if power_factor or name != "pf"]
    return f"# {shown}\n{csv_text([heads, *([row.get(n, '') for n in heads] for row in rows)])}"


def _row(circuit: Circuit) -> dict[str, str]:
    legs = circuit.power_va[0]
    total = circuit.total_va()
    apart = circuit.poles == 3 and (circuit.connection == "L-L" or len(set(legs)) > 1)
    shown = [_number(abs(leg)) for leg in legs] if apart else [_number(abs(total))]
    power_factor = total.real / abs(total) if abs(total) > _NO_LOAD_VA else 1.0
    texts = {
        "id": circuit.id,
        "description": circuit.description,
        "class": circuit.class_code,
        "rack": circuit.rack,
        "side": circuit.side,
        "partner": circuit.partner,
        "together": circuit.together,
        "apart": circuit.apart,
    }
    for name, text in texts.items():
        if looks_like_formula(text) or text.startswith("'"):
            texts[name] = f"'{text}"
    return texts | {
        "poles": str(circuit.poles),
        "va": shown[0],
        "va_b": shown[1] if apart else "",
        "va_c": shown[2] if apart else "",
        "pf": _number(power_factor),
        "breaker_a": "" if circuit.breaker_a is None else _number(circuit.breaker_a),
        "position": "" if circuit.position is None else str(circuit.position),
        "fixed": "yes" if circuit.fixed else "no",
        "connection": "L-L" if apart and circuit.connection == "L-L" else "",
        "harmonics": (
            "" if circuit.third_harmonic is None else _number(100.0 * circuit.third_harmonic)
        ),
    }


def _number(value: float) -> str:
    return f"{value:.12g}"


def in_header(text: str) -> str:
    """Return a text in header form; keys are separated by semicolons."""
    return " ".join(text.replace(";", ",").split())


_BEGINNING = b"# panel:"


def panel_files(texts: Iterable[str]) -> dict[str, bytes]:
    """Return panel CSVs by file name (tag)."""
    found: dict[str, bytes] = {}
    for text in texts:
        tag = text.partition("\n")[0].partition("panel:")[2].partition(";")[0].strip()
        stem = safe_file_name(tag, "panel")
        name, number = f"{stem}.csv", 2
        while name in found:
            name, number = f"{stem}-{number}.csv", number + 1
        found[name] = text.encode()
    return found


def is_panel_file(name: str, content: bytes) -> bool:
    """Return whether a file is a panel CSV."""
    return name.lower().endswith(".csv") and content.startswith(_BEGINNING)
