"""Data of a panel above its circuits: a comment line, labelled cells, or an option.

The comment line is ``# panel: RPP-1A; system: 208Y/120; poles: 42; bus: 400 A``; it may also
contain ``main``, ``side``, ``hall``, ``fed from``, ``listed 100`` (yes or no) and ``numbering``.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import get_args

from facility.core.errors import FacilityError, unknown
from facility.core.parse import parse_count, parse_quantity
from facility.files.circuit_table.rows import flag, plain_text
from facility.files.circuit_table.title import (
    LUGS_ONLY,
    ONE_PHASE,
    VOLTS,
    own_texts,
    stated_in_title,
    unsupported_system,
    wye_of_line_voltage,
)
from facility.files.incoming.grid import ReadCells
from facility.model.power.hall_distribution import Numbering
from facility.power.panels.board.layout import LAYOUTS
from facility.power.panels.board.model import MAX_POLES, MIN_POLES, Panel

KEYS = (
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
EXAMPLE = "Write e.g. '# panel: RPP-1A; system: 208Y/120; poles: 42; bus: 400 A'."
MAX_TAP_OFFS = 250
LINE_VOLTAGE = "line voltage"
"""Key of a text with a line voltage only, ``480V 3PH 3W``; the system is a question."""
_USUAL_POLES = 42
_NUMBERINGS: dict[str, Numbering] = {name: name for name in get_args(Numbering)}
_SYSTEM = re.compile(r"(\d{3})Y/(\d{3})\Z", re.ASCII)
_LABELS = {
    "panel": "branch panel|panelboard name|panelboard|panel board|panel name|panel tag|panel id"
    "|panel designation|panel schedule|panel|distribution board|db ref|board name|board|tableau"
    "|verteiler|unterverteilung",
    "system": "distribution system|voltage system|voltage|volts|system|service|spannung|tension",
    "bus": "mains rating|bus rating|busbar rating|bus amps|bus size|bus a|busbar|bus",
    "main": "mains|main breaker|mcb rating|main cb|main ocpd|main device|main a|main",
    "fed from": "supply from|supplied from|fed from|fed by|feed from|source",
    "hall": "location|room",
    "poles": "number of poles|no. of poles|# of poles|# poles|poles|number of spaces|no. of spaces"
    "|# of spaces|number of circuits|no. of circuits|# of circuits|# of ckts|no. of ckts",
    "side": "side",
    "phases": "phases|phase",
    "": "mounting|enclosure|wires|a.i.c. rating|aic rating|a.i.c.|aic|mains type|notes|sccr|date"
    "|project|job|revision|rev|hz|frequency|feeder|neutral|fault current|designed by",
}
"""Labels of cells above a schedule by key; a label without a key ends the preceding value."""
_KEY_OF = {label: key for key, labels in _LABELS.items() for label in labels.split("|")}
_ALTERNATIVES = "|".join(re.escape(one) for one in sorted(_KEY_OF, key=len, reverse=True))
_LABELLED = re.compile(rf"(?<![\w.])({_ALTERNATIVES})\s*(?:\([AVk]+\)\s*)?[:=]\s*", re.IGNORECASE)
_TITLE = re.compile(
    r"panel(?:board)?(?:\s+schedule)?\s*[-–:]?\s*['\"]?(?P<after>[\w./-]*\d[\w./-]*)['\"]?"
    r"|(?P<before>[\w./-]*\d[\w./-]*)\s+panel(?:board)?\s+schedule",
    re.IGNORECASE,
)
_AMPERES = re.compile(r"(\d{2,4}(?:\.\d+)?)\s*-?\s*(?:A|AT|AF|AMPS?|AMPERES?)?(?![\dA-Z])", re.I)
_WYE = 3.0**0.5
_CLOSE = 0.01


@dataclass(frozen=True)
class Fact:
    """A datum of the panel as text, and where it is stated."""

    text: str
    where: str


Facts = dict[str, Fact]


def facts_above(grid: ReadCells, top: int, answered: Collection[str] = ()) -> Facts:
    """Return the data of the panel stated above row `top`: comment line, labelled cells, title.

    answered: Keys that the option states, whose doubts are settled.

    Raises ``PANEL_CSV_HEADER`` for a comment line that cannot be read.
    """
    rows = list(grid.rows(top - 1))
    for row, texts in rows:
        for column, text in texts.items():
            bare = text.strip().strip('",; ')
            names = {part.partition(":")[0].strip("# ").casefold() for part in bare.split(";")}
            if bare.startswith("#") and names & set(KEYS) and bare.casefold() not in _KEY_OF:
                where = grid.location(row, column)
                line = ";".join([bare, *(t for c, t in texts.items() if c > column)])
                return facts_of_comment(line.rstrip("; "), where)
    found: Facts = {}
    for row, texts in rows:
        for column, key, value in _labelled(texts):
            if key and value and key not in found:
                where = grid.location(row, column)
                found[key] = Fact(plain_text(value, where), where)
    return _with_title(_usual(found), grid, rows, answered)


def _with_title(
    found: Facts,
    grid: ReadCells,
    rows: Sequence[tuple[int, dict[int, str]]],
    answered: Collection[str],
) -> Facts:
    """Return the data, completed from the titles above a schedule where they are unambiguous.

    Raises ``PANEL_CSV_HEADER`` for a single-phase or delta system, and for two values of a rating.
    """
    seen: dict[str, dict[str, Fact]] = {}
    wrong = []
    line_voltage: Facts = {}
    for row, texts in rows:
        for column, text in own_texts(texts):
            where, system = grid.location(row, column), _system(text)
            stated = [*stated_in_title(text), *([("system", system)] * bool(_SYSTEM.match(system)))]
            rated = any(found[key].where == where for key in ("bus", "main") if key in found)
            for key, value in stated:
                if rated and key in ("bus", "main"):
                    continue  # Read with its label
                seen.setdefault(key, {}).setdefault(value, Fact(value, where))
            wrong += [unsupported_system(text, where)] if system == text else []
            if system == text and wye_of_line_voltage(text):
                line_voltage = {LINE_VOLTAGE: Fact(text, where)}
    system_read = _SYSTEM.match(found["system"].text) if "system" in found else "system" in seen
    if not system_read:
        for problem in filter(None, wrong):
            raise problem
    for key in ("bus", "main"):
        values = list(seen.get(key, {}).values())
        if key not in (*found, *answered) and len(values) > 1:
            first, second = (fact.text for fact in values[:2])
            hint = f"Add --panel '{key}: {first}' or --panel '{key}: {second}'."
            raise _refused(values[1].where, f"the {key} rating can be {first} or {second}.", hint)
    one = {key: next(iter(values.values())) for key, values in seen.items() if len(values) == 1}
    if line_voltage and not system_read:
        found.pop("system", None)
        found |= line_voltage
    return {**one, **found}


def facts_of_comment(line: str, where: str) -> Facts:
    """Return the data in a comment line.

    Raises ``PANEL_CSV_HEADER`` for an unknown key, or one that occurs twice.
    """
    found: Facts = {}
    for part in line.removeprefix("#").split(";"):
        key, colon, value = part.partition(":")
        name = " ".join(key.split()).casefold()
        if not colon or name not in KEYS:
            message = f"{part.strip()[:40]!r} in the comment line is unknown."
            raise unknown("PANEL_CSV_HEADER", where, message, name, KEYS)
        if name in found:
            raise _refused(where, f"{name!r} occurs twice.")
        found[name] = Fact(plain_text(value.strip(), f"{where}:{name}"), f"{where}:{name}")
    return found


def facts_of_option(text: str) -> Facts:
    """Return the data stated as ``RPP-1A; 208Y/120; 42; 225 A``, with or without their keys.

    Raises ``PANEL_CSV_HEADER``.
    """
    found: Facts = {}
    where = "--panel"
    for part in (one.strip() for one in text.split(";") if one.strip()):
        name, colon, value = (one.strip() for one in part.partition(":"))
        key = " ".join(name.split()).casefold() if colon else _key_of(part)
        if key not in KEYS or key in found:
            message = f"{part[:40]!r} is not panel data, or is a repeated item."
            hint = "Write e.g. --panel 'RPP-1A; 208Y/120; 42; 225 A; main: 200 A; numbering: US'."
            raise _refused(where, message, hint)
        found[key] = Fact(plain_text(value if colon else part, where), where)
    return found


def _key_of(part: str) -> str:
    if VOLTS.fullmatch(part.removesuffix("V").strip()):
        return "system"
    if part.isascii() and part.isdigit():
        return "poles"
    if re.fullmatch(r"\d+(?:\.\d+)?\s*A", part, re.ASCII):
        return "bus"
    return "numbering" if part.upper() in _NUMBERINGS else "panel"


def _labelled(texts: Mapping[int, str]) -> Iterator[tuple[int, str, str]]:
    """Yield column, key and value of each label in a row; values in its cell or the next one."""
    columns = sorted(texts)
    for index, column in enumerate(columns):
        text = " ".join(texts[column].split())
        labels = list(_LABELLED.finditer(text))
        for label, end in zip_longest(labels, [one.start() for one in labels[1:]]):
            value = text[label.end() : end].strip(" ,;|")
            if not value and end is None and index + 1 < len(columns):
                value = _value(texts[columns[index + 1]])
            yield column, _KEY_OF[label[1].casefold()], value
        if labels:
            continue
        key = _KEY_OF.get(text.casefold().rstrip("."))
        if key and index + 1 < len(columns):
            yield column, key, _value(texts[columns[index + 1]])
        elif title := _TITLE.search(text):
            yield column, "panel", title["after"] or title["before"]


def _value(text: str) -> str:
    """Return the cell next to a label; empty where it is a label itself."""
    bare = " ".join(text.split())
    return "" if _LABELLED.match(bare) or bare.casefold() in _KEY_OF else bare


def _usual(found: Facts) -> Facts:
    """Return data as people write them in the form of the comment line."""
    facts = {key: fact for key, fact in found.items() if key not in ("system", "bus", "main")}
    if "system" in found:
        facts["system"] = Fact(_system(found["system"].text), found["system"].where)
    for key in ("bus", "main"):
        fact = found.get(key)
        amperes = _AMPERES.search(fact.text) if fact else None
        if fact is None or amperes is None:
            continue
        if key == "main" and LUGS_ONLY.search(fact.text):
            facts.setdefault("bus", Fact(f"{amperes[1]} A", fact.where))
        else:
            facts[key] = Fact(f"{amperes[1]} A", fact.where)
    return facts


def _system(text: str) -> str:
    """Return ``208Y/120`` for ``120/208 Wye`` or ``208Y/120V 3PH 4W``; else the text."""
    found = VOLTS.search(text)
    if found is None or ONE_PHASE.search(text):
        return text
    high, low = sorted((int(found[1]), int(found[2])), reverse=True)
    return f"{high}Y/{low}" if low and abs(high / low / _WYE - 1.0) < _CLOSE else text


_THREE_WIRE = (
    "With three wires, all circuits are line to line (2 or 3 poles), and line currents do not "
    "depend on the winding."
)


def panel_of_facts(facts: Mapping[str, Fact], name: str, listed: int = 0) -> Panel:
    """Return the panel, without circuits, that its data describe.

    facts: Data by key.
    name: Name of the file or sheet, for messages.
    listed: Highest pole in the table, for the poles that a message proposes.

    Raises ``PANEL_CSV_HEADER`` for what is missing, with the option that states it; for a system
    other than three-phase wye; ``NOT_A_COUNT`` or ``UNIT_WRONG``.
    """
    texts = {key: fact.text for key, fact in facts.items()}
    where = {key: fact.where for key, fact in facts.items()}
    numbering = _NUMBERINGS.get(texts.get("numbering", "US").upper())
    if numbering is None:
        raise _refused(
            where["numbering"], "the numbering is not one of US, IEC, SINGLE and BUSWAY."
        )
    room, other = ("tap-offs", "poles") if numbering == "BUSWAY" else ("poles", "tap-offs")
    if other in facts:
        raise _refused(
            where[other],
            f"{other!r} does not match the numbering; use {room!r}.",
            "A busway (numbering: BUSWAY) has tap-offs, a panelboard has poles.",
        )
    if re.match(r"[12](?!\d)|single|one|two", texts.get("phases", "3"), re.IGNORECASE):
        raise _refused(
            where["phases"], f"a panel of {texts['phases'][:20]} phases is not supported."
        )
    system = texts.get("system", "").replace(" ", "").upper().removesuffix("V")
    v_ll = _line_voltage(texts["system"], where["system"]) if system else 0.0
    typed = texts.get(LINE_VOLTAGE, "")
    if v_ll and typed and not wye_of_line_voltage(typed).startswith(f"{v_ll:.0f}Y"):
        raise _refused(where[LINE_VOLTAGE], f"{typed[:60]!r} differs from {system}.", EXAMPLE)
    missing = [key for key in ("panel", "system", room) if not texts.get(key)]
    if missing:
        at = next((fact.where.rpartition(":")[0] for fact in facts.values()), "") or name
        names = " and ".join(repr(key) for key in missing)
        read = {key: fact.text for key, fact in facts.items() if fact.where != name}
        option = _proposed(read, room, listed)
        hint = f"Add --panel '{option}' with the panel data. {EXAMPLE}"
        text = f"panel data {names} {'are' * (len(missing) > 1) or 'is'} missing."
        if typed:
            hint = f"Add --panel '{option}'. {_THREE_WIRE}"
            text = f"{text[:-1]}: {typed[:60]!r} states no line-to-neutral voltage."
        raise _refused(at, text, hint)
    return Panel(
        tag=texts["panel"],
        side=texts.get("side", ""),
        hall=texts.get("hall", ""),
        system=system,
        v_ll=v_ll,
        poles=_room(facts, numbering),
        bus_a=_amperes(facts.get("bus")),
        main_a=_amperes(facts.get("main")),
        listed_100=flag(texts.get("listed 100", "no"), where.get("listed 100", "")),
        fed_from=texts.get("fed from", ""),
        paired=(),
        numbering=numbering,
        states=("normal",),
        circuits=(),
    )


def _proposed(texts: Mapping[str, str], room: str, listed: int) -> str:
    """Return the option that states the panel: data read, with examples for missing data."""
    samples = {
        "panel": "RPP-1A",
        "system": wye_of_line_voltage(texts.get(LINE_VOLTAGE, "")) or "208Y/120",
        room: str(_USUAL_POLES if listed <= _USUAL_POLES else MAX_POLES),
    }
    known = {key: texts[key].replace(";", ",") for key in KEYS if texts.get(key)}
    parts = {key: known.get(key, sample) for key, sample in samples.items()} | known
    return "; ".join(
        text if _key_of(text) == key and "'" not in text else f"{key}: {text}".replace("'", "’")
        for key, text in parts.items()
    )


def _room(facts: Mapping[str, Fact], numbering: Numbering) -> int:
    if numbering == "BUSWAY":
        fact = facts["tap-offs"]
        taps = parse_count(fact.text, fact.where, 1)
        if taps <= MAX_TAP_OFFS:
            return taps
        message = f"{taps} tap-offs; at most {MAX_TAP_OFFS} are supported."
        raise _refused(fact.where, message, "Split the busway.")
    fact = facts["poles"]
    poles = parse_count(fact.text, fact.where, MIN_POLES)
    if poles > MAX_POLES:
        raise _refused(
            fact.where,
            f"{poles} poles; a panel has at most {MAX_POLES}.",
            "Describe each panelboard of a cabinet separately.",
        )
    LAYOUTS[numbering].refuse_broken(poles, fact.where)
    return poles


def _line_voltage(text: str, where: str) -> float:
    """Return the line voltage of a system [V]; raise ``PANEL_CSV_HEADER`` for other text."""
    system = text.replace(" ", "").upper().removesuffix("V")
    match = _SYSTEM.match(system)
    if match is not None:
        line_v, phase_v = float(match[1]), float(match[2])
        if phase_v and abs(line_v / phase_v / _WYE - 1.0) < _CLOSE:
            return line_v
    raise _refused(
        where,
        f"{text[:40]!r} is not a three-phase wye system.",
        f"Write {proposed}. {_THREE_WIRE}"
        if (proposed := wye_of_line_voltage(f"{text} V" if text.isdecimal() else text))
        else "Write e.g. 208Y/120, 380Y/220, 400Y/230, 415Y/240 or 480Y/277.",
    )


def _amperes(fact: Fact | None) -> float | None:
    if fact is None or not fact.text:
        return None
    value = parse_quantity(fact.text, "current", fact.where).si
    if value <= 0.0:
        raise _refused(fact.where, "a rating must be above zero.")
    return value


def _refused(where: str, message: str, hint: str = "") -> FacilityError:
    return FacilityError("PANEL_CSV_HEADER", where, message, hint)
