"""Cells of one sheet of a workbook, each with its value and its formula, read in one pass.

`guard` has searched each part for declarations; a document type declaration is nevertheless
rejected here. Declared dimensions are not trusted: reading is bounded by the number of elements
parsed.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import lru_cache
from typing import IO, Any
from xml.parsers import expat

from openpyxl.formula.translate import Translator
from openpyxl.utils.cell import column_index_from_string, get_column_letter
from openpyxl.utils.datetime import from_excel, from_ISO8601

CellIndex = tuple[int, int]
_SPACE = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_ROW, _CELL, _VALUE, _FORMULA, _TEXT, _PHONETIC, _STRING = (
    f"{_SPACE} {name}" for name in ("row", "c", "v", "f", "t", "rPh", "si")
)
_MERGED = f"{_SPACE} mergeCell"
_RANGE = re.compile(r"([A-Z]{1,3})([1-9]\d{0,6}):[A-Z]{1,3}([1-9]\d{0,6})")
_ELEMENTS_OF_CELL = 5
_EXTRA_ELEMENTS = 50_000  # Columns, merged cells, rules of formats
_MAX_IN_ROW = 50_000
_FAR_ROW, _FAR_COLUMN = 199_999, 702  # ZZ
_CHUNK = 2**15
_LONGEST_TAG = 2**18
_DIGITS = "0123456789"


class ErrorText(str):
    """Error shown by a spreadsheet instead of a value, e.g. ``#REF!``."""

    __slots__ = ()


@dataclass(frozen=True)
class CellBasis:
    """Data referenced by cells: shared strings, date styles, and the date origin."""

    strings: Sequence[str]
    dates: frozenset[int]
    durations: frozenset[int]
    epoch: Any


@dataclass
class SheetCells:
    """Values and formulas of a sheet by row and column, from 1; a formula starts with ``=``.

    Empty cells are not in `values`.
    """

    values: dict[CellIndex, Any] = field(default_factory=dict)
    formulas: dict[CellIndex, str] = field(default_factory=dict)
    merged: dict[CellIndex, int] = field(default_factory=dict)  # Last row of cells over rows
    elements: int = 0  # Number of XML elements parsed


def elements_of(rows: int, columns: int) -> int:
    """Return the maximum elements of rows and columns full of formulas, with margin."""
    return _ELEMENTS_OF_CELL * rows * columns + _EXTRA_ELEMENTS


class BeyondBounds(Exception):
    """Part with more content, or farther cells, than accepted."""


def read_cells(
    stream: IO[bytes], basis: CellBasis, rows: int, columns: int, limit: int
) -> SheetCells:
    """Return the cells of the first rows and columns of a sheet's part.

    limit: Maximum elements parsed, `elements_of` rows and columns.

    Raises
    ------
    BeyondBounds
        For more elements, in the part or in one row, and for a cell outside the range of a
        schedule.
    expat.ExpatError, ValueError, IndexError
        For a part that is not a sheet.
    """
    found = SheetCells()
    reader = _Reader(found, basis, (rows, columns), limit)
    with suppress(_Enough):
        _parse(reader.parser, stream)
    return found


def read_strings(stream: IO[bytes]) -> list[str]:
    """Return the shared strings of a workbook, without phonetic text.

    Raises
    ------
    expat.ExpatError, ValueError
        For a part that is not a string table.
    """
    found: list[str] = []
    texts: list[str] = []
    depth_of_phonetic = 0
    parser = expat.ParserCreate(namespace_separator=" ")
    parser.buffer_text = True

    def start(name: str, _: dict[str, str]) -> None:
        nonlocal depth_of_phonetic
        if name == _TEXT and not depth_of_phonetic:
            parser.CharacterDataHandler = texts.append
        elif name == _PHONETIC:
            depth_of_phonetic += 1

    def end(name: str) -> None:
        nonlocal depth_of_phonetic
        if name == _TEXT:
            parser.CharacterDataHandler = None
        elif name == _STRING:
            found.append("".join(texts).replace("x005F_", ""))
            texts.clear()
        elif name == _PHONETIC:
            depth_of_phonetic -= 1

    parser.StartElementHandler, parser.EndElementHandler = start, end
    parser.StartDoctypeDeclHandler = _refuse_declaration
    _parse(parser, stream)
    return found


def _parse(parser: expat.XMLParserType, stream: IO[bytes]) -> None:
    fed = 0
    while chunk := stream.read(_CHUNK):
        parser.Parse(chunk, False)
        fed += len(chunk)
        # The parser restarts an unfinished tag with each chunk.
        if fed - parser.CurrentByteIndex > _LONGEST_TAG:
            raise BeyondBounds("a part has an unclosed tag")
    parser.Parse(b"", True)


def _refuse_declaration(*_: Any) -> None:
    raise ValueError("a part declares a document type")


class _Enough(Exception):
    """The last required row has been read."""


class _Reader:
    """Handlers of the parser: one cell at a time, texts collected in order."""

    def __init__(
        self, found: SheetCells, basis: CellBasis, last: CellIndex, max_elements: int
    ) -> None:
        self._found, self._basis = found, basis
        self._last, self._max = last, max_elements
        self._row_began = 0  # Elements passed before the row
        self._row = self._column = 0
        self._address = ""
        self._cell: dict[str, str] = {}
        self._formula: dict[str, str] | None = None
        self._texts: dict[str, list[str]] = {}
        self._gathered: list[str] | None = None
        self._phonetic = False
        self._shared: dict[str, Translator] = {}
        self.parser = expat.ParserCreate(namespace_separator=" ")
        self.parser.buffer_text = True
        self.parser.StartElementHandler = self._start
        self.parser.EndElementHandler = self._end
        self.parser.StartDoctypeDeclHandler = _refuse_declaration

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        self._found.elements = passed = self._found.elements + 1
        if passed > self._max:
            raise BeyondBounds("a sheet is larger than a panel schedule")
        if name == _CELL:
            self._begin(attributes)
        elif name == _ROW:
            self._row = int(attributes.get("r", self._row + 1))
            self._column, self._address = 0, ""
            self._row_began = passed
            if self._row > _FAR_ROW:
                raise self._far(f"row {self._row}")
            if self._row > self._last[0]:
                raise _Enough
        elif name in (_VALUE, _FORMULA, _TEXT) and not self._phonetic:
            self._gathered = self._texts.setdefault(name, [])
            self.parser.CharacterDataHandler = self._gathered.append
            if name == _FORMULA:
                self._formula = attributes
        elif name == _PHONETIC:
            self._phonetic = True
        elif name == _MERGED:
            span = _RANGE.fullmatch(attributes.get("ref", ""))
            if span and int(span[3]) > int(span[2]):
                last = min(int(span[3]), self._last[0])
                self._found.merged[int(span[2]), _column(span[1])] = last

    @staticmethod
    def _far(index: str) -> BeyondBounds:
        return BeyondBounds(f"a sheet reaches to {index}, beyond the range of a panel schedule")

    def _begin(self, attributes: dict[str, str]) -> None:
        if self._found.elements - self._row_began > _MAX_IN_ROW:
            raise BeyondBounds("a sheet has an unclosed row")
        self._cell, self._formula, self._texts = attributes, None, {}
        if "r" in attributes:
            self._address = attributes["r"]
        else:
            self._column = self._index()[1] + 1
            self._address = ""

    def _index(self) -> CellIndex:
        """Return row and column of the cell, counted if not stated."""
        if self._address:
            letters = self._address.rstrip(_DIGITS)
            self._row = int(self._address[len(letters) :])
            self._column = _column(letters)
        return self._row, self._column

    def _end(self, name: str) -> None:
        if name == _CELL:
            if self._texts or self._formula is not None:
                self._finish()
        elif name == _PHONETIC:
            self._phonetic = False
        elif self._gathered is not None:
            self._gathered = self.parser.CharacterDataHandler = None

    def _finish(self) -> None:
        row, column = index = self._index()
        if row > _FAR_ROW or column > _FAR_COLUMN:
            raise self._far(f"{get_column_letter(column)}{row}")
        if row > self._last[0] or column > self._last[1]:
            return
        if self._formula is not None:
            text = self._formula_text(self._formula, "".join(self._texts.get(_FORMULA, ())))
            self._found.formulas[index] = text
        value = self._value()
        if value is not None and value != "":
            self._found.values[index] = value

    def _formula_text(self, attributes: dict[str, str], text: str) -> str:
        """Return the formula; a shared formula is shifted to this cell."""
        if attributes.get("t") != "shared":
            return f"={text}"
        number, address = attributes.get("si", ""), self._cell.get("r", "A1")
        if number in self._shared:
            return str(self._shared[number].translate_formula(address))
        if text:
            self._shared[number] = Translator(f"={text}", address)
        return f"={text}"

    def _value(self) -> Any:
        kind = self._cell.get("t", "n")
        if kind == "inlineStr":
            return "".join(self._texts.get(_TEXT, ()))
        text = "".join(self._texts.get(_VALUE, ()))
        if not text:
            return None
        if kind == "n":
            return self._number(text)
        if kind == "s":
            return self._basis.strings[int(text)]
        if kind == "b":
            return bool(int(text))
        if kind == "e":
            return ErrorText(text)
        return from_ISO8601(text) if kind == "d" else text  # type: ignore[no-untyped-call]

    def _number(self, text: str) -> Any:
        value = float(text) if "." in text or "e" in text or "E" in text else int(text)
        style = int(self._cell.get("s", 0))
        if style not in self._basis.dates:
            return value
        try:
            return from_excel(value, self._basis.epoch, timedelta=style in self._basis.durations)
        except (OverflowError, ValueError):
            return ErrorText("#VALUE!")


@lru_cache(maxsize=1024)
def _column(letters: str) -> int:
    return int(column_index_from_string(letters))
