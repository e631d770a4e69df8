"""The panel CSV: one comment line about the panel, then one row per circuit.

``# panel: RPP-1A; system: 208Y/120; poles: 42; bus: 400 A`` and the columns
``description,poles,va,pf,breaker_a,position,fixed``, optionally
``id,va_b,va_c,class,rack,side,partner,connection,together,apart,harmonics``. The comment may also
contain ``main``, ``side``, ``hall``, ``fed from``, ``listed 100`` (yes or no) and ``numbering``:
US,
IEC, SINGLE (one column) or BUSWAY.

Circuits with the same word in ``together`` are placed adjacent; single-pole circuits with the
same word in ``apart`` never share a phase. ``partner`` names the circuits that feed the same rack,
separated by strokes. ``harmonics`` is the third-harmonic current in % of the fundamental.

A busway has ``tap-offs: 24`` in its comment instead of ``poles``. The position of a circuit is its
tap-off, counted from the feed end; its phases are in the column ``phases``, e.g. ``CA``, and are
selected by the balancing if empty.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import get_args

from facility.catalogue.user_file import open_file
from facility.core.errors import FacilityError, unknown
from facility.core.parse import parse_count, parse_quantity
from facility.core.table import csv_text
from facility.files.io.file_names import safe_file_name
from facility.files.io.safe_text import looks_like_formula
from facility.files.panel_csv.rows import (
    OPTIONAL,
    REQUIRED,
    Cells,
    circuit_of,
    flag,
    plain_text,
    with_states,
)
from facility.model.power.hall_distribution import Numbering
from facility.power.panels.board.constraints import check_partners
from facility.power.panels.board.layout import LAYOUTS
from facility.power.panels.board.model import MAX_POLES, MIN_POLES, Circuit, Panel, check_layout


def columns_of(panel: Panel) -> tuple[str, ...]:
    """Return the optional columns of a panel CSV."""
    return (*OPTIONAL, "phases") if panel.is_busway else OPTIONAL


def rows_of(
    lines: Sequence[str], where: str, first: int, panel: Panel
) -> list[tuple[int, dict[str, str]]]:
    """Return the rows below the heading, each with its line in the file and its cells by column.

    lines: Heading and rows.
    where: Name of the file.
    first: Number in the file of the line above them.
    panel: Panel they belong to, which determines the columns.

    Raises ``PANEL_CSV_ROW`` or ``PANEL_CSV_COLUMN``.
    """
    reader = csv.reader(lines, strict=True)
    names: list[str] = []
    rows = []
    try:
        for cells in reader:
            line = reader.line_num + first
            if not any(cell.strip() for cell in cells):
                continue
            if not names:
                heads = [cell.strip().casefold() for cell in cells]
                names = _columns(heads, f"{where}:{line}", columns_of(panel))
                continue
            if len(cells) != len(names):
                raise FacilityError(
                    "PANEL_CSV_ROW",
                    f"{where}:{line}",
                    f"{len(cells)} cells; the heading has {len(names)}.",
                    "Quote a text that contains a comma.",
                )
            rows.append((line, dict(zip(names, cells, strict=True))))
    except csv.Error as error:
        raise FacilityError(
            "PANEL_CSV_ROW",
            f"{where}:{reader.line_num + first}",
            f"not readable as CSV: {error}.",
            "Check the quotation marks.",
        ) from None
    if not names:
        raise FacilityError(
            "PANEL_CSV_COLUMN",
            f"{where}:{first + 1}",
            "the heading is missing.",
            "Write " + ",".join(REQUIRED) + ".",
        )
    return rows


def _columns(names: list[str], where: str, optional: tuple[str, ...]) -> list[str]:
    for index, name in enumerate(names):
        if name not in (*REQUIRED, *optional):
            raise unknown(
                "PANEL_CSV_COLUMN",
                f"{where}:{name[:40]}",
                "there is no such column.",
                name[:40],
                (*REQUIRED, *optional),
            )
        if name in names[:index]:
            raise FacilityError("PANEL_CSV_COLUMN", f"{where}:{name}", "it occurs twice.", "")
    for name in REQUIRED:
        if name not in names:
            raise FacilityError(
                "PANEL_CSV_COLUMN",
                f"{where}:{name}",
                "the column is missing.",
                "Needed: " + ",".join(REQUIRED) + ".",
            )
    return names


MAX_BYTES = 262_144
_NO_LOAD_VA = 1e-9
_HEADER_KEYS = (
    "panel",
    "system",
    "poles",
    "bus",
    "main",
    "side",
    "hall",
    "fed from",
    "listed 100",
    "numbering",
    "tap-offs",
)
_SYSTEM = re.compile(r"(\d{3})Y/(\d{3})\Z", re.ASCII)
MAX_TAP_OFFS = 250
_EXAMPLE = "Write e.g. '# panel: RPP-1A; system: 208Y/120; poles: 42; bus: 400 A'."
_NUMBERINGS: dict[str, Numbering] = {name: name for name in get_args(Numbering)}


def load_panel_csv(path: Path) -> Panel:
    """Return the panel in the file `path`.

    Raises ``FILE_UNREADABLE``, ``FILE_TOO_LARGE`` or ``FILE_BINARY`` (exit code 6), and as
    `read_panel_csv`.
    """
    return read_panel_csv(text_of_file(path), path.name)


def text_of_file(path: Path) -> str:
    """Return the text of a panel CSV.

    Raises ``FILE_UNREADABLE``, ``FILE_TOO_LARGE`` or ``FILE_BINARY`` (exit code 6).
    """
    where = path.name
    try:
        with open_file(path) as stream:
            content = stream.read(MAX_BYTES + 1)
    except OSError as error:
        raise FacilityError(
            "FILE_UNREADABLE",
            where,
            f"the file cannot be read ({error.strerror}).",
            "Check the path.",
        ) from None
    if len(content) > MAX_BYTES:
        raise FacilityError(
            "FILE_TOO_LARGE",
            where,
            f"the file is larger than {MAX_BYTES // 1024} kB.",
            f"A panel has at most {MAX_POLES} circuits.",
        )
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise FacilityError(
            "FILE_BINARY", where, "the file is not UTF-8 text.", "Export the panel as CSV (UTF-8)."
        ) from None


def read_panel_csv(text: str, where: str = "panel") -> Panel:
    """Return the panel written in `text`.

    text: Content of a panel CSV.
    where: Name of the file, for messages, which also name line and column.

    Raises ``PANEL_CSV_HEADER``, ``PANEL_CSV_COLUMN``, ``PANEL_CSV_ROW``, ``PANEL_CSV_CELL``,
    ``PANEL_DUPLICATE``, ``PANEL_PARTNER``, ``PANEL_POSITION``, ``PANEL_OVERLAP`` or ``PANEL_FULL``.
    """
    refuse_binary(text, where)
    panel, locations = read_block(text.splitlines(), where)
    if not panel.circuits:
        raise FacilityError("PANEL_CSV_ROW", where, "the file contains no circuit.", "Add one.")
    check_partners(panel.circuits, locations)
    complete = with_states(panel, panel.circuits)
    check_layout(complete, locations)
    return complete


def refuse_binary(text: str, where: str) -> None:
    """Reject a text that is not CSV, or too long.

    Raises ``FILE_BINARY`` (exit code 6).
    """
    if "\0" in text or len(text) > MAX_BYTES:
        raise FacilityError(
            "FILE_BINARY", where, "the file is not a CSV text.", "Export the panel as CSV."
        )


def read_block(
    lines: Sequence[str], where: str, first: int = 1, *, of_cabinet: bool = False
) -> tuple[Panel, tuple[str, ...]]:
    """Return the panel in `lines`, in its normal state, and the file position of each circuit.

    lines: Comment line, heading and rows.
    where: Name of the file.
    first: Number in the file of the first of the lines.
    of_cabinet: Whether the panelboard is one of several: circuits without an id get ids with its
    tag as prefix, and it may list more circuits than its capacity.

    Raises as `read_panel_csv`, except errors between circuits.
    """
    head = lines[0].strip().strip('",; ') if lines else ""
    if not head.startswith("#"):
        raise _refused(f"{where}:{first}", "the comment line about the panel is missing.", _EXAMPLE)
    panel = panel_of_header(_header(head, f"{where}:{first}"), f"{where}:{first}")
    circuits: list[Circuit] = []
    locations: list[str] = []
    for line, cells in rows_of(lines[1:], where, first, panel):
        row = Cells(cells, f"{where}:{line}")
        circuit = circuit_of(row, len(circuits) + 1, panel)
        if of_cabinet and not row.text("id"):
            circuit = replace(circuit, id=f"{panel.tag}-{circuit.id}")
        circuits.append(circuit)
        locations.append(f"{where}:{line}")
        if len(circuits) > panel.poles and not of_cabinet:
            what = "tap-offs" if panel.is_busway else "poles"
            raise FacilityError(
                "PANEL_FULL",
                row.where,
                f"more circuits than the {panel.poles} {what}.",
                "Split the panel.",
            )
    return replace(panel, circuits=tuple(circuits)), tuple(locations)


def _refused(where: str, message: str, hint: str = "") -> FacilityError:
    return FacilityError("PANEL_CSV_HEADER", where, message, hint)


def panel_of_comment(line: str, where: str) -> Panel:
    """Return the panel that a comment line describes, without circuits.

    Raises ``PANEL_CSV_HEADER``.
    """
    return panel_of_header(_header(line.strip().strip('",; '), where), where)


def _header(line: str, where: str) -> dict[str, str]:
    found: dict[str, str] = {}
    for part in line.removeprefix("#").split(";"):
        key, colon, value = part.partition(":")
        name = " ".join(key.split()).casefold()
        if not colon or name not in _HEADER_KEYS:
            raise unknown(
                "PANEL_CSV_HEADER",
                where,
                f"{part.strip()[:40]!r} is unknown in the comment line.",
                name,
                _HEADER_KEYS,
            )
        if name in found:
            raise _refused(where, f"{name!r} occurs twice.")
        found[name] = plain_text(value.strip(), f"{where}:{name}")
    busway = found.get("numbering", "").upper() == "BUSWAY"
    room, other = ("tap-offs", "poles") if busway else ("poles", "tap-offs")
    if other in found:
        raise _refused(
            f"{where}:{other}",
            f"{other!r} does not match the numbering; write {room!r}.",
            "A busway (numbering: BUSWAY) has tap-offs, a panelboard has poles.",
        )
    for name in ("panel", "system", room):
        if not found.get(name):
            raise _refused(where, f"{name!r} is missing in the comment line.", _EXAMPLE)
    return found


def panel_of_header(header: Mapping[str, str], where: str) -> Panel:
    """Return the panel, without circuits, that the keys of a comment line describe.

    Raises ``PANEL_CSV_HEADER``.
    """
    numbering = _NUMBERINGS.get(header.get("numbering", "US").upper())
    if numbering is None:
        raise _refused(
            f"{where}:numbering", "the numbering is not one of US, IEC, SINGLE and BUSWAY."
        )
    system = header["system"].replace(" ", "").upper()
    return Panel(
        tag=header["panel"],
        side=header.get("side", ""),
        hall=header.get("hall", ""),
        system=system,
        v_ll=_line_voltage(system, f"{where}:system"),
        poles=_room(header, numbering, where),
        bus_a=_amperes(header, "bus", where),
        main_a=_amperes(header, "main", where),
        listed_100=flag(header.get("listed 100", "no"), f"{where}:listed 100"),
        fed_from=header.get("fed from", ""),
        paired=(),
        numbering=numbering,
        states=("normal",),
        circuits=(),
    )


def _room(header: Mapping[str, str], numbering: Numbering, where: str) -> int:
    if numbering == "BUSWAY":
        if "tap-offs" not in header:
            raise _refused(
                f"{where}:numbering",
                "a busway has tap-offs, not poles.",
                "Describe it in a panel CSV with '# panel: BW-1; system: 415Y/240; tap-offs: 24; "
                "numbering: BUSWAY'.",
            )
        taps = parse_count(header["tap-offs"], f"{where}:tap-offs", 1)
        if taps <= MAX_TAP_OFFS:
            return taps
        raise _refused(
            f"{where}:tap-offs",
            f"{taps} tap-offs; at most {MAX_TAP_OFFS} are supported.",
            "Split the busway.",
        )
    poles = parse_count(header["poles"], f"{where}:poles", MIN_POLES)
    if poles > MAX_POLES:
        raise _refused(
            f"{where}:poles",
            f"{poles} poles; a panel has at most {MAX_POLES}.",
            "Describe each panelboard of a cabinet separately.",
        )
    LAYOUTS[numbering].refuse_broken(poles, f"{where}:poles")
    return poles


def _line_voltage(system: str, where: str) -> float:
    match = _SYSTEM.match(system)
    if match is not None:
        line_v, phase_v = float(match[1]), float(match[2])
        if phase_v and abs(line_v / phase_v / 3.0**0.5 - 1.0) < 0.01:
            return line_v
    raise _refused(
        where,
        f"{system[:40]!r} is not a three-phase wye system.",
        "Write e.g. 208Y/120, 380Y/220, 400Y/230, 415Y/240 or 480Y/277.",
    )


def _amperes(header: Mapping[str, str], key: str, where: str) -> float | None:
    if not header.get(key):
        return None
    value = parse_quantity(header[key], "current", f"{where}:{key}").si
    if value <= 0.0:
        raise _refused(f"{where}:{key}", "a rating must be above zero.")
    return value


def write_panel_csv(panel: Panel) -> str:
    """Return `panel` in its normal state as the text of a panel CSV.

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
    rows = [_row(circuit) | {"phases": panel.phases(circuit)} for circuit in panel.circuits]
    used = [n for n in columns_of(panel) if n == "id" or any(row[n] for row in rows)]
    heads = ["id", *REQUIRED, *(n for n in used if n != "id")]
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
