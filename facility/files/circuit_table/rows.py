"""Row of a panel CSV as a circuit, and the states from partners."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, replace

from facility.core.errors import FacilityError, unknown
from facility.core.parse import parse_number
from facility.files.io.safe_text import looks_like_formula
from facility.model.power.hall_distribution import Connection
from facility.power.panels.board.constraints import partner_ids
from facility.power.panels.board.layout import PHASES
from facility.power.panels.board.model import CLASS_CODES, Circuit, Panel

MAX_TEXT = 200
MAX_VA = 1e7
_MAX_HARMONIC = 100.0
"""Maximum third harmonic accepted [% of the fundamental]."""
_PARTNER_LOST = "partner lost"
_UNPRINTED = frozenset({"Cc", "Cs", "Cn", "Zl", "Zp"})
_CLASS_WORDS = {
    "lighting": "LTG",
    "lights": "LTG",
    "receptacle": "REC",
    "receptacles": "REC",
    "hvac": "COOL",
    "cooling": "COOL",
    "mechanical": "COOL",
    "spare": "SPARE",
    "other": "MISC",
    "power": "MISC",
}


@dataclass(frozen=True)
class Cells:
    """Cells of one row by column, with the row position."""

    cells: dict[str, str]
    where: str

    def location(self, column: str) -> str:
        """Return file, line and column for a message."""
        return f"{self.where}:{column}"

    def text(self, column: str) -> str:
        """Return the cell as text, without the guard against formulas."""
        raw = self.cells.get(column, "").strip()
        if raw.startswith("'") and (looks_like_formula(raw[1:]) or raw[1:2] == "'"):
            raw = raw[1:]
        return plain_text(raw, self.location(column))

    def refused(self, column: str, message: str, hint: str = "") -> FacilityError:
        """Return the error of a cell."""
        return _refused(self.location(column), message, hint)

    def number(self, column: str) -> float | None:
        """Return the cell as a number, None when it is empty."""
        text = self.text(column)
        return parse_number(text, self.location(column)) if text else None


def _refused(where: str, message: str, hint: str = "") -> FacilityError:
    return FacilityError("PANEL_CSV_CELL", where, message, hint)


def plain_text(text: str, where: str) -> str:
    """Return `text`; reject it if too long or with control characters."""
    if len(text) > MAX_TEXT:
        raise _refused(where, f"the text is longer than {MAX_TEXT} characters.", "Shorten it.")
    if any(unicodedata.category(character) in _UNPRINTED for character in text):
        raise _refused(where, "the text holds a control character.", "Remove it.")
    return text


def flag(text: str, where: str) -> bool:
    """Return yes or no, true or false (an empty text is no)."""
    word = text.strip().casefold()
    if word not in ("yes", "no", "true", "false", ""):
        raise _refused(where, f"{text[:40]!r} is neither yes nor no.")
    return word in ("yes", "true")


@dataclass(frozen=True)
class Breaker:
    """Device and load of a circuit, as read from the rows of its poles."""

    poles: int
    trip_a: float | None  # Trip rating [A]
    position: int | None  # Pole number of its first pole
    connection: Connection
    power_va: tuple[complex, ...]  # P + jQ of the legs [VA]


def circuit_of(row: Cells, id: str, panel: Panel, breaker: Breaker, class_code: str) -> Circuit:
    """Return the circuit of one row.

    Raises ``PANEL_CSV_CELL`` or ``NOT_A_NUMBER`` with the address of the cell.
    """
    return Circuit(
        id=id,
        description=row.text("description"),
        class_code=class_code,
        poles=breaker.poles,
        connection=breaker.connection,
        power_va=(breaker.power_va,),
        breaker_a=breaker.trip_a,
        position=breaker.position,
        fixed=flag(row.text("fixed"), row.location("fixed")),
        rack=row.text("rack"),
        side=row.text("side") or panel.side,
        partner=row.text("partner"),
        together=row.text("together"),
        apart=row.text("apart"),
        third_harmonic=_third_harmonic(row),
        tap_phase=_tap_phase(row, breaker.poles) if panel.is_busway else None,
    )


def _tap_phase(row: Cells, poles: int) -> int | None:
    """Return the phase of the first pole at a tap-off; None if the cell is empty."""
    text = "".join(row.text("phases").upper().replace("-", " ").split())
    if not text:
        return None
    for start in range(3):
        phases = "".join(PHASES[(start + pole) % 3] for pole in range(poles))
        if text == phases or (poles == 2 and text == phases[::-1]):
            return start
    raise row.refused(
        "phases",
        f"{text[:40]!r} does not fit {poles} poles.",
        "1-pole: A, B or C; 2-pole: AB, BC or CA; 3-pole: ABC, BCA or CAB.",
    )


def _third_harmonic(row: Cells) -> float | None:
    """Return the third harmonic of the current over its fundamental, None if empty."""
    percent = row.number("harmonics")
    if percent is None:
        return None
    if not 0.0 <= percent <= _MAX_HARMONIC:
        raise row.refused(
            "harmonics",
            f"{percent:g} % of third harmonic is not between 0 and {_MAX_HARMONIC:g} %.",
            "Enter the third-harmonic current in % of the fundamental, e.g. 15; empty: unknown.",
        )
    return percent / 100.0


def class_code(row: Cells) -> str:
    """Return the load class of a row; MISC if not stated.

    Raises ``PANEL_CSV_CELL`` for an unknown class.
    """
    text = row.text("class")
    code = _CLASS_WORDS.get(text.casefold(), text.upper()) or "MISC"
    if code not in CLASS_CODES:
        known = unknown("", "", "", code, CLASS_CODES).hint
        hint = f"{known} Or omit the column: --map 'HEADING=ignore'."
        raise row.refused("class", f"{text[:40]!r} is not a load class.", hint)
    return code


def with_states(panel: Panel, circuits: tuple[Circuit, ...]) -> Panel:
    """Return `panel` with `circuits` and the states from their partners; see `states_of`."""
    states, complete = states_of(circuits)
    return replace(panel, states=states, circuits=complete)


def states_of(circuits: tuple[Circuit, ...]) -> tuple[tuple[str, ...], tuple[Circuit, ...]]:
    """Return the states from partners, and `circuits` with their load in each state.

    Partners share a load equally: of n circuits on n feeds, each carries n/(n-1) of its load when
    one of the others is lost. If all partners are among `circuits` on different sides, the loss of
    a side transfers its load to the others in equal shares, so that they are never at full load at
    the same time. Partnership is symmetric.
    """
    by_id = {circuit.id: circuit for circuit in circuits}
    named = _partners_named(by_id)
    inside: dict[str, list[Circuit]] = {}
    for circuit in circuits:
        names = named[circuit.id]
        sides = {circuit.side, *(by_id[name].side for name in names if name in by_id)}
        if names and all(name in by_id for name in names) and len(sides) == len(names) + 1:
            inside[circuit.id] = [by_id[name] for name in names]
    outside = {id: len(names) + 1 for id, names in named.items() if names and id not in inside}
    lost = sorted({partner.side for partners in inside.values() for partner in partners})
    states = ("normal", *(f"{side} lost" for side in lost), *([_PARTNER_LOST] if outside else []))

    def factor(circuit: Circuit, state: str) -> float:
        if state == _PARTNER_LOST:
            paths = outside.get(circuit.id, 0)
            return paths / (paths - 1.0) if paths else 1.0
        if state == f"{circuit.side} lost" and circuit.id in inside:
            return 0.0
        own_va = abs(circuit.total_va())
        for partner in inside.get(circuit.id, ()):
            if state == f"{partner.side} lost" and own_va > 0.0:
                return 1.0 + abs(partner.total_va()) / own_va / len(inside[circuit.id])
        return 1.0

    return states, tuple(
        replace(
            circuit,
            power_va=tuple(
                tuple(factor(circuit, state) * leg for leg in circuit.power_va[0])
                for state in states
            ),
        )
        for circuit in circuits
    )


def _partners_named(by_id: Mapping[str, Circuit]) -> dict[str, list[str]]:
    """Return the partners of each circuit, named by either of the two."""
    named = {
        id: [circuit.partner] if circuit.partner in by_id else list(partner_ids(circuit))
        for id, circuit in by_id.items()
    }
    for id, names in list(named.items()):
        for name in names:
            if name in named and id not in named[name]:
                named[name].append(id)
    return named
