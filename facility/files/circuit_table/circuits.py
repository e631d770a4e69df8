"""Circuits of a panel from the rows of its table: one row a circuit, or one row a pole."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from facility.core.errors import FacilityError
from facility.files.circuit_table.headings import PHASE_FIELDS
from facility.files.circuit_table.lines import Line, TableLines, is_space
from facility.files.circuit_table.loads import legs_of, loads_of, power_factor
from facility.files.circuit_table.numbers import (
    MARKS,
    NO_NUMBER,
    is_way,
    pole_count,
    pole_numbers,
    trip_rating,
)
from facility.files.circuit_table.rows import Breaker, circuit_of, class_code
from facility.files.incoming.columns import plain
from facility.model.power.hall_distribution import Numbering
from facility.power.panels.board.layout import LAYOUTS, PHASES, Layout
from facility.power.panels.board.model import Circuit, Panel

_SPARE = re.compile(r"\bspare\b|^r[eé]serve\b", re.IGNORECASE)
_LETTERS = {"l1": "a", "l2": "b", "l3": "c"}


@dataclass(frozen=True)
class NumberedRow:
    """A row with its pole numbers, and the rows without a number below it."""

    line: Line
    poles: tuple[int, ...]
    more: list[Line] = field(default_factory=list)

    @property
    def description(self) -> str:
        """Description as written."""
        return self.line.text("description")

    @property
    def follows(self) -> bool:
        """Whether the row may be a further pole of the breaker above it."""
        bare = self.description.casefold()
        blank = all(self.line.text(name).casefold() in NO_NUMBER for name in ("poles", "breaker_a"))
        return blank and (bare in MARKS or bare.startswith("|"))

    @property
    def is_space(self) -> bool:
        """Whether the row is a position without a breaker."""
        if is_space(self.description):
            return True
        loaded = any(amount.value for amount in self.line.amounts.values())
        return self.follows and not loaded and self.line.problem is None


@dataclass
class CircuitsRead:
    """Circuits of a table, with their addresses and the unreadable rows."""

    circuits: list[Circuit] = field(default_factory=list)
    lines: list[Line] = field(default_factory=list)
    problems: list[FacilityError] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    power_factors: int = 0  # Loaded circuits with a power factor
    without: list[str] = field(default_factory=list)  # Addresses of loaded circuits without one


def entries_of(lines: TableLines) -> tuple[list[NumberedRow], list[FacilityError]]:
    """Return the rows by circuit number, and the rows with an unreadable number."""
    found: list[NumberedRow] = []
    problems: list[FacilityError] = []
    last: dict[int, NumberedRow] = {}
    ways = counts_ways(lines)
    for line in lines.lines:
        try:
            letters = _phases_written(line)
            phase = letters[0] if len(letters) == 1 else None
            if ways and phase is None:
                loaded = [k for k, name in enumerate(PHASE_FIELDS) if name in line.amounts]
                phase = loaded[0] if len(loaded) == 1 else None
            entry = NumberedRow(line, pole_numbers(line.cells, way=ways, phase=phase))
        except FacilityError as problem:
            problems.append(problem)
            continue
        above = last.get(line.side)
        if not entry.poles and entry.follows and above is not None:
            above.more.append(line)
            continue
        found.append(entry)
        last[line.side] = entry
    return found, problems


def counts_ways(lines: TableLines) -> bool:
    """Return whether plain circuit numbers count three-pole ways."""
    heads = [one for one in lines.headings.columns if one.field == "position"]
    if not heads or not plain(heads[0].heading).startswith("way"):
        return False
    numbered = [line for line in lines.lines if line.text("position")]
    return any(_phases_written(line) for line in numbered) and not any(
        is_way(line.text("position")) for line in numbered
    )


def _phases_written(line: Line) -> tuple[int, ...]:
    """Return the phases in the cell of a row, 0 to 2, in their order; empty where it has none."""
    text = line.text("phases").casefold()
    for name, letter in _LETTERS.items():
        text = text.replace(name, letter)
    bare = re.sub(r"[\s,/\-]", "", text)
    return tuple("abc".index(letter) for letter in bare) if bare and set(bare) <= set("abc") else ()


def numbering_of(lines: TableLines, entries: Sequence[NumberedRow]) -> tuple[Numbering, str]:
    """Return the numbering that circuit numbers and phases show, with a note unless it is usual."""
    if counts_ways(lines) or any(is_way(entry.line.text("position")) for entry in entries):
        return "IEC", ""
    shown: list[tuple[int, set[int]]] = []
    for entry in (one for one in entries if one.poles):
        amounts = [entry.line.amounts.get(name) for name in PHASE_FIELDS]
        loaded = {phase for phase, one in enumerate(amounts) if one is not None and one.value}
        phases = loaded or set(_phases_written(entry.line))
        shown += [(entry.poles[0], phases)] if phases else []
    for name in ("US", "SINGLE"):
        if all(LAYOUTS[name].phase(number) in phases for number, phases in shown):
            note = "numbering SINGLE: poles 1, 2, 3 are on phases A, B, C" if name != "US" else ""
            return name, note
    return "US", ""


def highest_pole(entries: Sequence[NumberedRow], numbering: Numbering) -> int | None:
    """Return the poles of a panel if its table lists every position; otherwise None."""
    found = {pole for entry in entries for pole in entry.poles}
    last = max(found, default=0)
    whole = LAYOUTS[numbering].stride if numbering != "IEC" else 3
    return last if found == set(range(1, last + 1)) and last and last % whole == 0 else None


def read_circuits(
    lines: TableLines,
    entries: Sequence[NumberedRow],
    panel: Panel,
    factor: float | None,
    tag: str = "",
) -> CircuitsRead:
    """Return the circuits of a table; unreadable rows are in its problems.

    entries: Rows by circuit number.
    panel: The panel without circuits.
    factor: Power factor of circuits without one; None to leave it open.
    tag: What begins the names of circuits without an id.
    """
    placed: dict[int, NumberedRow] = {}
    reader = _Reader(lines, panel, factor, CircuitsRead(), placed)
    for entry in (one for one in entries if one.poles and not panel.is_busway):
        other = placed.setdefault(entry.poles[0], entry)
        if other.is_space:
            placed[entry.poles[0]] = entry
        elif other is not entry and not entry.is_space:
            reader.refuse(entry, entry.poles[0], other)
    reader.every = highest_pole(entries, panel.numbering) is not None
    order = {id(entry): number for number, entry in enumerate(entries)}
    rest = [e for e in entries if not placed or not e.poles or placed.get(e.poles[0]) is e]
    for entry in sorted(rest, key=lambda one: (one.poles[:1] or (0,), order[id(one)])):
        if id(entry.line) not in reader.used:
            reader.read(entry)
    return _in_order(reader, entries, tag)


def _in_order(reader: _Reader, entries: Sequence[NumberedRow], tag: str) -> CircuitsRead:
    """Return the circuits in file order; circuits without an id are named by number or row."""
    found, panel = reader.found, reader.panel
    rank = {id(entry.line): number for number, entry in enumerate(entries)}
    pairs = sorted(
        zip(found.circuits, found.lines, strict=True), key=lambda pair: rank[id(pair[1])]
    )
    columns = reader.lines.headings.columns
    # The first pole of a panel CSV is a position; a circuit number is also the circuit's name.
    named = any(one.field == "position" and plain(one.heading) != "position" for one in columns)
    by_pole = (
        named
        and all(circuit.position is not None for circuit, _ in pairs)
        and not any(one.field in ("id", "partner") for one in columns)
    )
    found.circuits, found.lines = [], []
    for number, (circuit, line) in enumerate(pairs, start=1):
        pole = circuit.position if by_pole else None
        label = panel.layout.label(pole) if pole else str(number)
        name = circuit.id or (f"{tag}-{label}" if tag else label)
        found.circuits.append(replace(circuit, id=name))
        found.lines.append(line)
        own = circuit.id or label
        if own in (circuit.partner, *(name.strip() for name in circuit.partner.split("/"))):
            message = f"circuit {own!r} is its own partner."
            hint = "Enter the circuits that supply the same rack from other feeds."
            found.problems.append(line.cells.refused("partner", message, hint))
    return found


@dataclass
class _Reader:
    lines: TableLines
    panel: Panel
    factor: float | None
    found: CircuitsRead
    placed: Mapping[int, NumberedRow]  # Rows by pole number
    every: bool = False  # Whether the table lists every pole
    inside: dict[int, NumberedRow] = field(default_factory=dict)  # Breaker on each pole
    used: set[int] = field(default_factory=set)  # Identities of lines of second and third poles

    def refuse(self, entry: NumberedRow, pole: int, other: NumberedRow) -> None:
        """Add the problem of a pole that two rows occupy."""
        label = self.panel.layout.label(pole)
        self.found.problems.append(
            FacilityError(
                "PANEL_OVERLAP",
                entry.line.where,
                f"pole {label} is occupied by {other.description[:40]!r} in {other.line.where}.",
                "Move one of the two circuits, or correct the poles.",
            )
        )

    def read(self, entry: NumberedRow) -> None:
        """Read the circuit that begins in a row."""
        if entry.is_space:
            if any(amount.value for amount in entry.line.amounts.values()):
                space = entry.line.cells.refused("description", "a space has no load.")
                self.found.problems.append(space)
            elif entry.description and entry.poles[:1] and entry.poles[0] in self.inside:
                self.refuse(entry, entry.poles[0], self.inside[entry.poles[0]])
            return
        occupied: tuple[int, ...] = ()
        try:
            if entry.line.problem is not None:
                raise entry.line.problem
            poles, trip_a = self._device(entry)
            position = entry.poles[0] if entry.poles else None
            if position is not None and not self.panel.is_busway:
                occupied = self.panel.layout.occupied(position, poles)
            twice = [pole for pole in occupied if pole in self.inside]
            if twice:
                self.refuse(entry, twice[0], self.inside[twice[0]])
                return
            further = list(self._further(entry, poles, occupied))
            self._add(entry, further, Breaker(poles, trip_a, position, "L-N", ()))
        except FacilityError as problem:
            self.found.problems.append(problem)
        self.inside |= dict.fromkeys(occupied, entry)

    def _device(self, entry: NumberedRow) -> tuple[int, float | None]:
        """Return poles and rating, from the columns of both, the number, or the rows below."""
        cells = entry.line.cells
        rating, with_rating = trip_rating(cells, cells.text("breaker_a"))
        written = pole_count(cells)
        listed = len(entry.poles) if len(entry.poles) > 1 else None
        stated = {one for one in (written, with_rating, listed) if one}
        if listed == 2 and stated == {2, 3} and entry.poles[1] == entry.poles[0] + 4:
            stated = {3}  # 1-5 for the poles 1, 3, 5
        if len(stated) > 1:
            shown = " and ".join(str(one) for one in sorted(stated))
            raise cells.refused(
                "poles", f"{shown} poles are stated in one row.", "Correct one of them."
            )
        poles = next(iter(stated), None) or self._shown(entry)
        if poles is None:
            raise cells.refused(
                "poles", "the cell is empty; a number is required.", "Enter 1, 2 or 3."
            )
        layout = self.panel.layout
        if listed and entry.poles not in (
            layout.occupied(entry.poles[0], poles),
            layout.occupied(entry.poles[0], poles)[:: max(1, poles - 1)],
        ):
            message = f"{cells.text('position')[:40]!r} are not poles of one breaker."
            raise cells.refused("position", message, "Enter the first pole.")
        return poles, rating

    def _shown(self, entry: NumberedRow) -> int | None:
        """Return the poles of a circuit that states none: by its phases, or the rows below it."""
        loaded = sum(name in entry.line.amounts for name in PHASE_FIELDS) or len(
            _phases_written(entry.line)
        )
        if loaded > 1:
            return loaded
        if not entry.poles:
            return 1 + len(entry.more) if entry.more or loaded else None
        below = 0
        for pole in self.panel.layout.occupied(entry.poles[0], 3)[1:]:
            other = self.placed.get(pole)
            if other is None or not other.follows or not (other.line.amounts or other.description):
                break
            below += 1
        below = max(below, len(entry.more))
        return 1 + below if below or loaded or self.every else None

    def _further(self, entry: NumberedRow, poles: int, occupied: Sequence[int]) -> Iterator[Line]:
        """Yield the rows of the second and third pole."""
        yield from entry.more[: poles - 1]
        for pole in occupied[1:]:
            other = self.placed.get(pole)
            if other is None:
                continue
            # A breaker written again on each pole, with the load of the pole in its phase column.
            again = other.description == entry.description and "va" not in other.line.amounts
            again &= all(
                other.line.text(name) in ("", entry.line.text(name))
                for name in ("poles", "breaker_a")
            )
            if other.follows or again:
                self.used.add(id(other.line))
                if other.line.problem is not None:
                    raise other.line.problem
                yield other.line

    def _add(self, entry: NumberedRow, further: Sequence[Line], breaker: Breaker) -> None:
        cells, position = entry.line.cells, breaker.position
        amounts = [entry.line.amounts, *(line.amounts for line in further)]
        factor = power_factor(cells) or self.factor
        loads = loads_of(amounts, factor, cells)
        code = class_code(cells)
        spare = bool(_SPARE.search(entry.description)) or code == "SPARE"
        if not loads.amounts and not spare:
            name = next(iter(self.lines.headings.sides[entry.line.side].loads), "va")
            message = "the cell is empty; a number is required."
            hint = "Enter the value, or SPARE as the description."
            raise cells.refused(name, message, hint)
        start = None
        if position is not None and not self.panel.is_busway:
            start = self.panel.layout.phase(position)
            self._check_phases(entry.line, self.panel.layout, breaker)
        if loads.amounts:
            connection, legs = legs_of(loads, breaker.poles, start, self.panel.v_ll, cells)
        else:
            connection = "L-L" if breaker.poles == 2 else "L-N"
            legs = (0j,) * (3 if breaker.poles == 3 else 1)
        if spare and loads.is_zero:
            code = "SPARE"
        elif spare:
            code = "MISC" if code == "SPARE" else code
            self.found.notes.append(
                f"{entry.line.where} is described as a spare but has a load; read as a load"
            )
        if not loads.is_zero and factor is not None:
            self.found.power_factors += 1
        elif not loads.is_zero:
            self.found.without.append(cells.location("pf"))
        device = replace(breaker, connection=connection, power_va=legs)
        circuit = circuit_of(cells, cells.text("id"), self.panel, device, code)
        words = [
            c[1:].strip() for line in further if (c := line.text("description")).startswith("|")
        ]
        text = " ".join((circuit.description, *(word for word in words if word)))
        self.found.circuits.append(replace(circuit, description=text))
        self.found.lines.append(entry.line)

    def _check_phases(self, line: Line, layout: Layout, breaker: Breaker) -> None:
        """Reject phases written in a row that its circuit number contradicts."""
        written = set(_phases_written(line))
        mine = layout.phases(breaker.position or 1, breaker.poles)
        if written - {PHASES.index(one) for one in mine}:
            raise line.cells.refused(
                "phases",
                f"phase {line.text('phases')[:20]}; the poles of the circuit are on {mine}.",
                "Correct circuit number, poles or phase.",
            )
