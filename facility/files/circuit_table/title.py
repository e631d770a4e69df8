"""Ratings, positions and system in the title of a schedule: ``LP-2 208Y/120V 225A MLO 42CKT``."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from facility.core.errors import FacilityError
from facility.files.circuit_table.rows import MAX_TEXT
from facility.model.inputs.power.section import RACK_SYSTEMS
from facility.power.panels.board.model import MAX_POLES

VOLTS = re.compile(r"(\d{3})\s*V?\s*Y?\s*/\s*(\d{3})", re.IGNORECASE)
ONE_PHASE = re.compile(r"\b(?:1|single)[\s-]*(?:ph|ø|φ|phase)", re.IGNORECASE)
LUGS_ONLY = re.compile(r"\bM\.?L\.?O\b|lugs only", re.IGNORECASE)
_SUPPLY = re.compile(r"\b(?:fed|feed|feeder|supplied|supply|source|upstream)\b", re.IGNORECASE)
_SUPPLY_LABEL = re.compile(_SUPPLY.pattern + r"(?:\s+(?:from|by))?\s*[:=]?\s*\Z", re.IGNORECASE)
_LUGS = r"M\.?L\.?O\.?|MAIN\s+LUGS?(?:\s+ONLY)?|LUGS\s+ONLY|BUS(?:SING|BAR)?"
_BREAKER = r"MCB|MAIN\s+(?:CIRCUIT\s+)?BREAKER|MAIN\s+CB|MAINS?"
_AMPERES = r"(\d{2,4})\s*-?\s*A(?:MPERES?|MPS?|T)?\.?(?!\w)"
_RATED = re.compile(
    rf"(?<![\w.,/]){_AMPERES}(?:\s*/\s*\d{{2,4}}\s*AF)?(?:[\s/,-]*[23]\s*-?\s*P(?:OLE)?)?"
    rf"[\s/,;-]*(?:({_LUGS})|({_BREAKER}))(?!\w)"
    rf"|(?<!\w)(?:({_LUGS})|({_BREAKER}))\s*[:=-]?\s*{_AMPERES}",
    re.IGNORECASE | re.ASCII,
)
_POSITIONS = re.compile(
    r"(?<![\w.,/-])(\d{1,2})\s*-?\s*(?:(CIRCUITS?|CKTS?|CCTS?)|SPACES?|POLES?|POSITIONS?|P)(?!\w)",
    re.IGNORECASE | re.ASCII,
)
_DELTA = re.compile(r"\bdelta\b|\bdreieck\b|\btriangle\b|[Δ∆]", re.IGNORECASE)
_MIN_POSITIONS = 6
"""Fewest positions that are read from a title: ``3P`` there is the main breaker."""
_LINE_VOLTS = re.compile(
    r"(?<![\d/.])([2-6]\d\d)\s*-?\s*V(?:olts?|ac)?(?![\w/]|\s*Y?\s*/)", re.IGNORECASE | re.ASCII
)
_FOUR_WIRE = re.compile(r"(?<!\d)4\s*-?\s*(?:W|wire)", re.IGNORECASE)
_SPLIT = 2.0
_CLOSE = 0.01


def own_texts(texts: Mapping[int, str]) -> Iterator[tuple[int, str]]:
    """Yield column and text of the cells of a row, without data on the supply."""
    before = ""
    for column, text in sorted(texts.items()):
        if not _SUPPLY_LABEL.search(before):
            yield column, _SUPPLY.split(" ".join(text[:MAX_TEXT].split()))[0]
        before = text


def stated_in_title(text: str) -> Iterator[tuple[str, str]]:
    """Yield rating and positions of a title as key and value of the comment line.

    Examples
    --------
    >>> list(stated_in_title("PANEL LP-2 208Y/120V 3PH 4W 225A MLO 42CKT"))
    [('bus', '225 A'), ('poles', '42')]
    """
    for found in _RATED.finditer(text):
        mains = (found[3] or found[5] or "").upper() in ("MAIN", "MAINS")
        is_bus = found[2] or found[4] or (mains and LUGS_ONLY.search(text))
        yield ("bus" if is_bus else "main"), f"{found[1] or found[6]} A"
    counts = [(int(m[1]), bool(m[2])) for m in _POSITIONS.finditer(text)]
    counts = [one for one in counts if _MIN_POSITIONS <= one[0] <= MAX_POLES]
    spaces = [number for number, circuits in counts if not circuits]
    yield from (("poles", str(n)) for n in spaces or [number for number, _ in counts])


def wye_of_line_voltage(text: str) -> str:
    """Return the wye system with the one line voltage that a text states; empty without one.

    Line currents of line-to-line loads are the same on a delta of this voltage.

    Examples
    --------
    >>> wye_of_line_voltage("480V 3PH 3W"), wye_of_line_voltage("240 V delta, 3 wire")
    ('480Y/277', '240Y/139')
    >>> wye_of_line_voltage("208Y/120V 3PH 4W"), wye_of_line_voltage("240V DELTA 4W")
    ('', '')
    """
    volts = {int(found[1]) for found in _LINE_VOLTS.finditer(text)}
    high_leg = _DELTA.search(text) and _FOUR_WIRE.search(text)
    if len(volts) != 1 or VOLTS.search(text) or ONE_PHASE.search(text) or high_leg:
        return ""
    (line,) = volts
    known = (name for name, (line_v, _) in RACK_SYSTEMS.items() if round(line_v) == line)
    return next(known, f"{line}Y/{round(line / 3.0**0.5)}")


def unsupported_system(text: str, where: str) -> FacilityError | None:
    """Return the error of a cell with a single-phase or four-wire delta system; None for others.

    A three-wire system has no line-to-neutral load: `wye_of_line_voltage` gives its line currents.
    """
    volts = VOLTS.search(text)
    low, high = sorted((int(volts[1]), int(volts[2]))) if volts else (0, 0)
    split = low and abs(high / low / _SPLIT - 1.0) < _CLOSE
    delta = _DELTA.search(text) and re.search(r"(?<!\d)[2-6]\d\d(?!\d)|\bsystem\b", text, re.I)
    if not (ONE_PHASE.search(text) or split or delta) or wye_of_line_voltage(text):
        return None
    name = "delta" if delta else "single-phase"
    return FacilityError(
        "PANEL_CSV_HEADER",
        where,
        f"{' '.join(text.split())[:60]!r} is a {name} system; panels have the phases A, B and C "
        "of a wye (e.g. 208Y/120), or three wires with line-to-line circuits only.",
        "Correct the cell if the panel is one of these; single-phase (120/240) and four-wire "
        "delta panels are not supported.",
    )
