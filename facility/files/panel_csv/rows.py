"""Row of a panel CSV as a circuit, and the states from partners."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, replace

from facility.core.errors import FacilityError, unknown
from facility.core.parse import parse_count, parse_number
from facility.files.io.safe_text import looks_like_formula
from facility.model.power.hall_distribution import Connection
from facility.physics.circuits.currents import reactive_power
from facility.power.panels.board.constraints import partner_ids
from facility.power.panels.board.layout import PHASES
from facility.power.panels.board.model import CLASS_CODES, Circuit, Panel

REQUIRED = ("description", "poles", "va", "pf", "breaker_a", "position", "fixed")
OPTIONAL = (
    "id",
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
)

MAX_TEXT = 200
MAX_VA = 1e7
_MAX_HARMONIC = 100.0
"""Maximum third harmonic accepted [% of the fundamental]."""
_PARTNER_LOST = "partner lost"
_UNPRINTED = frozenset({"Cc", "Cs", "Cn", "Zl", "Zp"})
_CONNECTIONS: dict[str, Connection] = {"L-N": "L-N", "L-L": "L-L"}


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

    def required(self, column: str) -> float:
        """Return the cell as a number; an empty cell is rejected."""
        value = self.number(column)
        if value is None:
            raise self.refused(
                column,
                "the cell is empty; a number is needed.",
                "Unknown is not zero: enter the value.",
            )
        return value


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


def circuit_of(row: Cells, number: int, panel: Panel) -> Circuit:
    """Return the circuit of one row; without an id it is named by its row number.

    Raises ``PANEL_CSV_CELL`` or ``NOT_A_NUMBER`` with line and column.
    """
    poles = parse_count(row.text("poles"), row.location("poles"), 1)
    if poles > 3:
        raise row.refused("poles", f"{poles} poles; a breaker has 1, 2 or 3.")
    connection, legs = _legs(row, poles)
    breaker_a = row.number("breaker_a")
    if breaker_a is not None and breaker_a <= 0.0:
        raise row.refused(
            "breaker_a",
            "a rating must be above zero.",
            "Leave the cell empty if the rating is unknown.",
        )
    id, position = row.text("id") or str(number), row.text("position")
    return Circuit(
        id=id,
        description=row.text("description"),
        class_code=_class_code(row),
        poles=poles,
        connection=connection,
        power_va=(legs,),
        breaker_a=breaker_a,
        position=parse_count(position, row.location("position"), 1) if position else None,
        fixed=flag(row.text("fixed"), row.location("fixed")),
        rack=row.text("rack"),
        side=row.text("side") or panel.side,
        partner=_partner(row, id),
        together=row.text("together"),
        apart=row.text("apart"),
        third_harmonic=_third_harmonic(row),
        tap_phase=_tap_phase(row, poles) if panel.is_busway else None,
    )


def _partner(row: Cells, id: str) -> str:
    text = row.text("partner")
    if id in (text, *(name.strip() for name in text.split("/"))):
        raise row.refused(
            "partner",
            f"circuit {id!r} is its own partner.",
            "Name the circuits that feed the same rack from other feeds.",
        )
    return text


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


def _class_code(row: Cells) -> str:
    code = row.text("class").upper() or "MISC"
    if code not in CLASS_CODES:
        raise unknown(
            "PANEL_CSV_CELL",
            row.location("class"),
            f"{code!r} is not a load class.",
            code,
            CLASS_CODES,
        )
    return code


def _legs(row: Cells, poles: int) -> tuple[Connection, tuple[complex, ...]]:
    given = [row.required("va"), row.number("va_b"), row.number("va_c")]
    values = [value for value in given if value is not None]
    for column, value in zip(("va", "va_b", "va_c"), given, strict=True):
        if value is not None and not 0.0 <= value <= MAX_VA:
            raise row.refused(
                column,
                f"{value:g} VA is not between 0 and 10 MVA.",
                "A circuit draws power and cannot supply it.",
            )
    if len(values) == 2 or (len(values) == 3 and poles != 3):
        raise row.refused(
            "va_b",
            "va_b and va_c belong together, to a 3-pole row.",
            "Enter all three legs, or only va for the whole circuit.",
        )
    power_factor = row.required("pf")
    if not 0.0 < power_factor <= 1.0:
        raise row.refused(
            "pf", f"{power_factor:g} is not a power factor.", "Enter a value above 0, at most 1."
        )
    if poles == 3 and len(values) == 1:
        values = [values[0] / 3.0] * 3
    return _connection(row, poles, len([v for v in given if v is not None])), tuple(
        _power(value, power_factor) for value in values
    )


def _power(apparent_va: float, power_factor: float) -> complex:
    power_w = apparent_va * power_factor
    return complex(power_w, float(reactive_power.si(power_w, power_factor)))


def _connection(row: Cells, poles: int, given: int) -> Connection:
    usual: Connection = "L-L" if poles == 2 else "L-N"
    text = row.text("connection").upper()
    if not text:
        return usual
    if text not in _CONNECTIONS or (_CONNECTIONS[text] != usual and given != 3):
        raise row.refused(
            "connection",
            f"{text[:40]!r} does not fit {poles} poles.",
            "1-pole is L-N, 2-pole L-L; a 3-pole row with three legs is L-N or L-L.",
        )
    return _CONNECTIONS[text]


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
    """Return the partners of each circuit, named by it or naming it."""
    named = {
        id: [circuit.partner] if circuit.partner in by_id else list(partner_ids(circuit))
        for id, circuit in by_id.items()
    }
    for id, names in list(named.items()):
        for name in names:
            if name in named and id not in named[name]:
                named[name].append(id)
    return named
