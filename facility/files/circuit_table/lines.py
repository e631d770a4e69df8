"""Rows of a table of circuits: one line a row and side, numbers with their units, total rows."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from facility.core.errors import FacilityError
from facility.core.parse import parse_number
from facility.files.circuit_table.headings import (
    LOAD_FIELDS,
    PHASE_FIELDS,
    UNITS,
    CircuitSide,
    Headings,
    group_unit,
    with_units,
)
from facility.files.circuit_table.rows import MAX_VA, Cells, plain_text
from facility.files.incoming.columns import IGNORE, MappedColumn, TableQuestion, plain
from facility.files.incoming.grid import ReadCells
from facility.files.incoming.text_table import Decimal, decimal_styles, plain_number
from facility.files.workbook.cells import ErrorText

Kind = Literal["VA", "W", "A"]
MAX_ROWS = 400
"""Maximum rows of one panel; 84 poles in one column with a heading on each page are 100."""
MAX_NUMBER = 64
NO_NUMBER = frozenset({"", "-", "--", "–", "—", "n/a", "na"})
_SCALES: Mapping[str, tuple[Kind, float]] = {
    "VA": ("VA", 1.0),
    "kVA": ("VA", 1e3),
    "W": ("W", 1.0),
    "kW": ("W", 1e3),
    "A": ("A", 1.0),
}
_TOTAL = re.compile(
    r"\b(?:sub-?)?totals?\b|^sum(?:me)?\b|^connected (?:load|k?va)|^load summary|^phase [abc]\b",
    re.IGNORECASE,
)
_OF_PHASE = re.compile(r"\bphase ([abc])\b", re.IGNORECASE)
_NOT_COMPARED = re.compile(r"demand|spare|%|percent|amp|available|design", re.IGNORECASE)
_WITH_UNIT = re.compile(r"(?P<number>[-+]?[\d.,'’\s]*\d)\s*(?P<unit>[A-Za-z]{1,7})?\.?")
_PAIR = re.compile(r"\s*(?:/|\n|\||(?<=[A-Za-z])\s+(?=\d))\s*")
_EXPONENT = re.compile(r"\d+(?:\.\d+)?[eE][-+]?\d{1,3}", re.ASCII)
_PLAIN = re.compile(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d{1,9}(?:\.\d{1,6})?", re.ASCII)
_BARE = re.compile(r"[\d.,'’\s/|]*[1-9][\d.,'’\s/|]*")
_POINTED = re.compile(r"[1-9]\d{0,2}\.\d{3}(?!\d)")


@dataclass(frozen=True)
class LoadAmount:
    """A load as written: its value in VA, W or A, its address and its last digit."""

    value: float
    kind: Kind
    where: str
    step: float  # Value of its last digit


@dataclass(frozen=True)
class _SheetCells(Cells):
    """Cells of a row, located by the address in the sheet."""

    addresses: Mapping[str, str] = field(default_factory=dict)

    def location(self, column: str) -> str:
        return self.addresses.get(column, self.where)


@dataclass(frozen=True)
class Line:
    """One row of one side: its cells by field, and its loads."""

    row: int
    side: int
    cells: Cells
    amounts: Mapping[str, LoadAmount]
    problem: FacilityError | None = None  # A cell that cannot be read

    @property
    def where(self) -> str:
        """Address of the circuit number, else of the first cell."""
        return self.cells.location("position")

    def text(self, name: str) -> str:
        """Return a cell as text; empty without one."""
        return self.cells.cells.get(name, "")


@dataclass(frozen=True)
class Total:
    """A number in a total row, of a side and phase or of the whole panel."""

    amount: LoadAmount
    label: str
    side: int | None
    phase: int | None


@dataclass(frozen=True)
class TableLines:
    """The rows of a table: circuits, totals, and rows that are neither."""

    headings: Headings
    lines: tuple[Line, ...]
    totals: tuple[Total, ...]
    rest: FacilityError | None  # The first row with a circuit that is not read
    questions: tuple[TableQuestion, ...]
    notes: tuple[str, ...]


def read_lines(grid: ReadCells, headings: Headings, decimal: Decimal | None) -> TableLines:
    """Return the rows below the headings.

    decimal: Decimal sign; default: the one that the cells show.
    """
    rows: dict[int, dict[int, str]] = {}
    for row, column in sorted({*grid.values, *grid.formulas}):
        if row > headings.row:
            rows.setdefault(row, {})[column] = grid.text(row, column).strip()
    body, footer, rest = _parts(grid, rows, headings)
    headings, questions, notes = _units(grid, headings, rows, body, footer)
    style, decimal_questions = _style(grid, headings, body, decimal)
    of_text = all(isinstance(value, str) for value in grid.values.values())
    last = {row: max(texts) for row, texts in rows.items() if of_text}
    reader = _Reader(grid, headings, style, last)
    lines = tuple(
        line
        for row in body
        for number, side in enumerate(headings.sides)
        if (line := reader.line(row, number, side)) is not None
    )
    totals = tuple(total for row in footer for total in reader.totals(row, rows[row]))
    return TableLines(headings, lines, totals, rest, (*questions, *decimal_questions), notes)


def _parts(
    grid: ReadCells, rows: Mapping[int, dict[int, str]], headings: Headings
) -> tuple[list[int], list[int], FacilityError | None]:
    """Return the rows of circuits, the total rows, and the first circuit that is in neither."""
    body: list[int] = []
    footer: list[int] = []
    rest: FacilityError | None = None
    heads = {one.number: plain(one.heading) for one in headings.columns}
    positions = [one.number for one in headings.columns if one.field == "position"]
    devices = [one.number for one in headings.columns if one.field in ("poles", "breaker_a")]
    circuits = [one.number for one in headings.columns if one.field]
    for row, texts in rows.items():
        first = next((text for _, text in sorted(texts.items()) if text), "")
        numbered = any(re.search(r"\d", texts.get(number, "")) for number in positions)
        if sum(plain(text) == heads.get(column) for column, text in texts.items()) > 2:
            continue  # The headings again, on the next page
        device = any(re.search(r"\d", texts.get(number, "")) for number in devices)
        if first and _TOTAL.search(first) and not numbered and not device:
            footer.append(row)
        elif footer or not any(texts.get(number) for number in circuits):
            if footer and numbered and rest is None and sum(map(bool, texts.values())) > 2:
                rest = _left(
                    grid.location(row, min(texts)), "there is a circuit below the total row."
                )
        elif len(body) == MAX_ROWS:
            rest = rest or _left(grid.location(row, min(texts)), f"more than {MAX_ROWS} rows.")
        else:
            body.append(row)
    return body, footer, rest


def _left(where: str, message: str) -> FacilityError:
    hint = "Import each panel from its own sheet or file."
    return FacilityError("PANEL_CSV_ROW", where, message, hint)


def _units(
    grid: ReadCells,
    headings: Headings,
    rows: Mapping[int, dict[int, str]],
    body: Sequence[int],
    footer: Sequence[int],
) -> tuple[Headings, list[TableQuestion], tuple[str, ...]]:
    """Return the headings with the unit of the total row where they have none, else a question."""
    bare = [
        one
        for one in headings.columns
        if one.field in LOAD_FIELDS
        and not one.unit
        and any(_BARE.fullmatch(rows[row].get(one.number, "")[:MAX_NUMBER]) for row in body)
    ]
    if not bare:
        return headings, [], ()
    above = headings.row - 1
    stated: dict[str, str] = {}
    for one in bare:
        left = [column for column in range(1, one.number + 1) if grid.text(above, column)]
        text = grid.text(above, left[-1]) if left else ""
        if unit := group_unit(text):
            stated.setdefault(unit, f"of {grid.location(above, left[-1])} {text[:40]!r}")
    for row in footer:
        label = next(text for _, text in sorted(rows[row].items()) if text)
        numbers = [one for one in bare if re.search(r"\d", rows[row].get(one.number, ""))]
        unit = _unit_in(label)
        if (
            unit in ("VA", "kVA", "W", "kW")
            and len(numbers) > 1
            and not _NOT_COMPARED.search(label)
        ):
            stated.setdefault(
                unit, f"of the total row {grid.location(row, min(rows[row]))} {label[:40]!r}"
            )
    if not stated:
        loads = [rows[row].get(one.number, "") for row in body for one in bare]
        stated = dict(_units_by_sum(grid, rows, footer, loads))
    if len(stated) == 1:
        unit, where = next(iter(stated.items()))
        found = with_units(headings, {one.field or "": unit for one in bare})
        return found, [], (f"loads in {unit}, the unit {where}",)
    names = list(dict.fromkeys(one.heading for one in bare))
    options = " ".join(
        f"--map '{name}={next(one.field for one in bare if one.heading == name)} VA'"
        for name in names
    )
    text = f"the loads under {', '.join(repr(name) for name in names)} have no unit."
    hint = f"Add {options} (or with kVA, W, kW or A)."
    whole = [one for one in headings.columns if one.field == "va"]
    if whole and _are_row_sums([rows[row] for row in body], bare, whole):
        ignored = " ".join(f"--map '{name}={IGNORE}'" for name in names)
        text = text.removesuffix(".") + f"; each is the sum of {whole[0].heading!r} in its row."
        hint = f"Add {ignored}."
    return headings, [TableQuestion(bare[0].where, text, hint)], ()


def _units_by_sum(
    grid: ReadCells, rows: Mapping[int, dict[int, str]], footer: Sequence[int], loads: Sequence[str]
) -> Iterator[tuple[str, str]]:
    """Yield the unit in which the loads add up to a total that has one, and where it is."""
    summed = sum(float(text.replace(",", "")) for text in loads if _PLAIN.fullmatch(text))
    for row in footer:
        cells = [text for _, text in sorted(rows[row].items()) if text]
        numbers = [text for text in cells if _PLAIN.fullmatch(text)]
        unit = _unit_in(" ".join(cells))
        if len(numbers) != 1 or unit not in ("VA", "kVA") or _NOT_COMPARED.search(cells[0]):
            continue
        total = float(numbers[0].replace(",", "")) * _SCALES[unit][1]
        rounding = _SCALES[unit][1] * 10.0 ** -len(numbers[0].partition(".")[2]) / 2.0
        for name in ("VA", "kVA"):
            if summed and abs(summed * _SCALES[name][1] - total) <= rounding * 1.001:
                where = grid.location(row, min(rows[row]))
                yield name, f"in which they add up to {where} {cells[0][:40]!r}"


def _are_row_sums(
    rows: Sequence[Mapping[int, str]], phases: Sequence[MappedColumn], loads: Sequence[MappedColumn]
) -> bool:
    """Return whether the phase columns only repeat, in each row, the sum of its loads."""
    compared = 0
    for texts in rows:
        left, right = (
            [texts.get(one.number, "").replace(",", "") for one in columns]
            for columns in (phases, loads)
        )
        if not all(_PLAIN.fullmatch(text) for text in (*left, *right) if text):
            return False
        sums = [sum(float(text) for text in texts if text) for texts in (left, right)]
        if abs(sums[0] - sums[1]) > 0.005 * sums[1] + 1e-9:
            return False
        compared += sums[0] > 0.0
    return compared > 1


def _unit_in(text: str) -> str:
    words = re.findall(r"[A-Za-z]+", text)
    return next((UNITS[word.casefold()] for word in words if word.casefold() in UNITS), "")


def _style(
    grid: ReadCells, headings: Headings, body: Sequence[int], decimal: Decimal | None
) -> tuple[Decimal, list[TableQuestion]]:
    """Return the decimal sign of the numbers, and the question where they leave it open.

    Three digits after a comma are thousands where the load is in VA or W: no load is known to a
    thousandth of a volt-ampere.
    """
    if decimal is not None:
        return decimal, []
    texts: dict[bool, list[tuple[str, str]]] = {True: [], False: []}
    inside = set(body)
    fine = {
        one.number: one.unit in ("VA", "W") for one in headings.columns if one.field in LOAD_FIELDS
    }
    others = {one.number: False for one in headings.columns if one.field in ("breaker_a", "pf")}
    for (row, column), value in grid.values.items():
        if row in inside and isinstance(value, str) and column in fine | others:
            for part in _PAIR.split(value):
                texts[(fine | others)[column]].append((part, grid.location(row, column)))
    shown, _ = decimal_styles(text for found in texts.values() for text, _ in found)
    hint = "Add --decimal . or --decimal ,."
    if len(shown) > 1:
        text = f"{shown['.'][:20]!r} has a decimal point, {shown[','][:20]!r} a decimal comma."
        return ".", [TableQuestion(grid.name, text, hint)]
    if shown:
        return next(iter(shown)), []
    for text, where in texts[True]:
        if _POINTED.match(text):
            return ".", [
                TableQuestion(where, f"{text[:20]!r} can be thousands or a decimal fraction.", hint)
            ]
    for text, where in texts[False]:
        if decimal_styles([text])[1]:
            return ".", [
                TableQuestion(where, f"{text[:20]!r} can be thousands or a decimal fraction.", hint)
            ]
    return ".", []


@dataclass(frozen=True)
class _Reader:
    grid: ReadCells
    headings: Headings
    decimal: Decimal
    last: Mapping[int, int]  # Last cell of each row of a text table

    def line(self, row: int, number: int, side: CircuitSide) -> Line | None:
        """Return the line of a side in a row; None for an empty one."""
        addresses = {name: self.grid.location(row, side.number(name)) for name in side.columns}
        texts: dict[str, str] = {}
        amounts: dict[str, LoadAmount] = {}
        problem = None
        for name in side.columns:
            try:
                text = self._text(row, side.number(name))
                if name in LOAD_FIELDS:
                    amount = self._amount(row, name, side, text)
                    if amount is not None:
                        amounts[name] = amount
                elif text:
                    texts[name] = text
            except FacilityError as error:
                problem = problem or error
        if len(self.headings.sides) == 1:
            problem = self._beyond(row) or problem
        own = {name for name in texts if name not in side.shared}
        if not own and not amounts and problem is None:
            return None
        where = addresses.get("position") or self.grid.location(
            row, min(side.number(name) for name in side.columns)
        )
        return Line(row, number, _SheetCells(texts, where, addresses), amounts, problem)

    def _beyond(self, row: int) -> FacilityError | None:
        """Return the error of a text row with more cells than headings."""
        if self.last.get(row, 0) <= max(one.number for one in self.headings.columns):
            return None
        return FacilityError(
            "PANEL_CSV_ROW",
            self.grid.location(row, self.last[row]),
            "the row has more cells than the headings.",
            "Put quotation marks around text that contains the delimiter.",
        )

    def _text(self, row: int, column: int) -> str:
        value = self.grid.calculated(row, column)
        if isinstance(value, ErrorText):
            where, shown = self.grid.location(row, column), f"the cell shows {value}."
            raise FacilityError("IMPORT_CELL", where, shown, "Correct the formula.")
        return plain_text(self.grid.text(row, column).strip(), self.grid.location(row, column))

    def _amount(self, row: int, name: str, side: CircuitSide, text: str) -> LoadAmount | None:
        where = self.grid.location(row, side.number(name))
        if name in side.shared and name not in side.after:
            parts = _PAIR.split(text)
            if len(parts) == 1 and text.casefold() not in NO_NUMBER:
                other = self.headings.sides[1 - side.index]
                mine, opposite = (
                    self.grid.text(row, one.number("description")).strip() for one in (side, other)
                )
                if is_space(mine) or (opposite and not mine):
                    return None
                if opposite and not is_space(opposite):
                    message = f"{text[:40]!r} is one load for the two circuits in the row."
                    hint = "Enter both, left circuit first, e.g. '1200 / 800'."
                    raise FacilityError("PANEL_CSV_CELL", where, message, hint)
            text = parts[min(side.index, len(parts) - 1)]
        return self.amount(
            text, side.columns[name].unit, where, self.grid.value(row, side.number(name))
        )

    def amount(self, text: str, unit: str, where: str, value: object = "") -> LoadAmount | None:
        """Return the number in a cell, in VA, W or A; None for an empty cell.

        Raises ``NOT_A_NUMBER``, ``UNIT_WRONG`` or ``PANEL_CSV_CELL``.
        """
        if text.casefold() in NO_NUMBER:
            return None
        if len(text) > MAX_NUMBER:
            raise FacilityError("NOT_A_NUMBER", where, f"{text[:30]!r} ... is not a number.")
        written_by_hand = isinstance(value, str) and not _EXPONENT.fullmatch(text)
        plainly = plain_number(text, self.decimal) if written_by_hand else text
        found = _WITH_UNIT.fullmatch(plainly)
        written = (found["unit"] or "") if found else ""
        own = "A" if written.casefold() == "a" else UNITS.get(written.casefold(), "")
        if written and not own:
            hint = f"Write {', '.join(_SCALES)}."
            raise FacilityError("UNIT_WRONG", where, f"{text[:40]!r} is not a load.", hint)
        bare = found["number"].strip() if found and own else plainly
        number = parse_number(bare, where)
        kind, scale = _SCALES[own or unit or "VA"]
        if not 0.0 <= number * scale <= MAX_VA:
            raise FacilityError(
                "PANEL_CSV_CELL",
                where,
                f"{number:g} {own or unit or 'VA'} is not between 0 and 10 MVA.",
                "A circuit draws power and cannot supply it.",
            )
        digits = 6 if "e" in bare.casefold() else len(bare.partition(".")[2])
        return LoadAmount(number * scale, kind, where, scale * 10.0**-digits)

    def totals(self, row: int, texts: Mapping[int, str]) -> Iterator[Total]:
        """Yield the numbers of a total row that can be compared with the circuits."""
        cells = sorted((column, text) for column, text in texts.items() if text)
        label = cells[0][1]
        phases = {
            side.number(name): (number, PHASE_FIELDS.index(name))
            for number, side in reversed(list(enumerate(self.headings.sides)))
            for name in PHASE_FIELDS
            if name in side.columns
        }
        units = {one.number: one.unit for one in self.headings.columns}
        unit = _unit_in(label)
        numbers: list[tuple[int, LoadAmount]] = []
        for column, text in cells:
            where = self.grid.location(row, column)
            rest = text.partition(":")[2].strip() if column == cells[0][0] else text
            own = _unit_in(rest) or unit or units.get(column, "")
            if not re.search(r"\d", rest) or not own or own == "A" or _NOT_COMPARED.search(label):
                continue
            try:
                amount = self.amount(rest, own, where, self.grid.value(row, column))
            except FacilityError:
                continue
            if amount is not None:
                numbers.append((column, amount))
        by_phase = [(phases[column], amount) for column, amount in numbers if column in phases]
        if len(by_phase) > 1:
            for (side, phase), amount in by_phase:
                yield Total(amount, label, side, phase)
        elif len(numbers) == 1:
            of_phase = _OF_PHASE.search(label)
            yield Total(
                numbers[0][1],
                label,
                None,
                None if of_phase is None else "ABC".index(of_phase[1].upper()),
            )


_SPACE = re.compile(r"(?:\w+ )?spaces?(?: only)?|blank|unused|empty", re.IGNORECASE)


def is_space(text: str) -> bool:
    """Return whether a description is of a position without a breaker."""
    return bool(_SPACE.fullmatch(text.strip()))
