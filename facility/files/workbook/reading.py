"""A workbook open for reading: the names of its sheets, and their cells within bounds.

Only the parts that cells depend on are read, and each is measured before it is parsed: a short file
can unpack to millions of strings or styles.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from xml.etree.ElementTree import ParseError
from xml.parsers.expat import ExpatError
from zipfile import BadZipFile

from defusedxml.common import DefusedXmlException
from openpyxl.packaging.relationship import get_rels_path
from openpyxl.reader.excel import ExcelReader, _find_workbook_part  # type: ignore[attr-defined]
from openpyxl.styles.stylesheet import apply_stylesheet
from openpyxl.utils.exceptions import InvalidFileException
from openpyxl.xml.constants import ARC_CONTENT_TYPES, ARC_STYLE, SHARED_STRINGS

from facility.core.errors import FacilityError
from facility.files.workbook.cells import (
    BeyondBounds,
    CellBasis,
    SheetCells,
    elements_of,
    read_cells,
)
from facility.files.workbook.cells import read_strings as strings_in
from facility.files.workbook.guard import check_workbook_file, refused

MAX_TAGS = 60_000
"""Maximum tags of all parts other than sheets and strings; exports have 15 per sheet."""
MAX_PART_BYTES = 4 * 2**20
MAX_STRING_TAGS = 1_000_000
"""Maximum tags of the shared strings; 10,000 GPUs with all panels have 42,000."""
MAX_HEAD_ELEMENTS = 600_000
"""Maximum elements in the first rows of all sheets; a panel has about 600."""
HEAD_ROWS = 20
MAX_COLUMNS = 60
_CHUNK = 2**20
_UNREADABLE = (
    InvalidFileException,
    BadZipFile,
    DefusedXmlException,
    ParseError,
    ExpatError,
    OSError,
    KeyError,
    ValueError,
    TypeError,
    AttributeError,
    IndexError,
    EOFError,
    RecursionError,
)


class _Package(ExcelReader):
    """Reads the parts that cells depend on: part directory, strings, styles, sheet names."""

    def __init__(self, path: Path) -> None:
        super().__init__(path, read_only=True, data_only=True, keep_links=False)
        self.parts: dict[str, tuple[str, bool]] = {}  # Part and visibility of a sheet by its name
        self._left = MAX_TAGS

    def read(self) -> None:
        """Read all parts except cells."""
        self._measure(ARC_CONTENT_TYPES)
        self.read_manifest()
        self.read_strings()
        book = _find_workbook_part(self.package).PartName[1:]
        self._measure(book)
        self._measure(get_rels_path(book))  # type: ignore[no-untyped-call]
        self.read_workbook()
        if ARC_STYLE in self.valid_files:
            self._measure(ARC_STYLE)
        apply_stylesheet(self.archive, self.wb)
        for sheet, part in self.parser.find_sheets():
            if part.target in self.valid_files and "chartsheet" not in part.Type:
                self.parts[sheet.name] = part.target, sheet.state == "visible"

    def read_strings(self) -> None:
        """Read the shared strings."""
        part = self.package.find(SHARED_STRINGS)  # type: ignore[no-untyped-call]
        if part is not None:
            name = part.PartName[1:]
            if self._tags(name, MAX_STRING_TAGS) > MAX_STRING_TAGS:
                raise BeyondBounds(f"{name} contains more strings than a panel schedule")
            with self.archive.open(name) as stream:
                self.shared_strings = strings_in(stream)

    def _measure(self, name: str) -> None:
        self._left -= self._tags(name, self._left)
        if self._left < 0 or self.archive.getinfo(name).file_size > MAX_PART_BYTES:
            raise BeyondBounds(f"{name} is larger than a panel schedule")

    def _tags(self, name: str, limit: int) -> int:
        """Return the number of tags of a part, or a number above `limit`."""
        found = 0
        with self.archive.open(name) as stream:
            while found <= limit and (chunk := stream.read(_CHUNK)):
                found += chunk.count(b"<")
        return found


@dataclass
class OpenWorkbook:
    """Workbook open for reading."""

    path: Path
    package: _Package
    _heads_left: int = field(default=MAX_HEAD_ELEMENTS, init=False)

    @property
    def sheets(self) -> tuple[str, ...]:
        """Names of its sheets, in order."""
        return tuple(self.package.parts)

    @property
    def visible(self) -> tuple[str, ...]:
        """Names of the sheets that are not hidden, in order."""
        return tuple(name for name, (_, visible) in self.package.parts.items() if visible)

    def cells(self, name: str, rows: int, columns: int) -> SheetCells:
        """Return the cells of the first rows and columns of a sheet.

        Raises ``WORKBOOK_REFUSED`` for a sheet beyond the size of a panel schedule;
        ``NOT_A_WORKBOOK`` for a damaged one.
        """
        return self._cells(name, rows, columns, elements_of(rows, columns))

    def heads(self) -> Iterator[tuple[str, SheetCells]]:
        """Yield the first rows of every visible sheet, with its name.

        Raises as `cells`; ``WORKBOOK_REFUSED`` for too much content in total.
        """
        for name in self.visible:
            limit = min(self._heads_left, elements_of(HEAD_ROWS, MAX_COLUMNS))
            found = self._cells(name, HEAD_ROWS, MAX_COLUMNS, limit)
            self._heads_left -= found.elements
            yield name, found

    def _cells(self, name: str, rows: int, columns: int, limit: int) -> SheetCells:
        package = self.package
        book: Any = package.wb
        basis = CellBasis(
            package.shared_strings,
            frozenset(book._date_formats),
            frozenset(book._timedelta_formats),
            book.epoch,
        )
        with readable(self.path), package.archive.open(package.parts[name][0]) as stream:
            return read_cells(stream, basis, rows, columns, limit)


@contextmanager
def open_workbook(path: Path) -> Iterator[OpenWorkbook]:
    """Open the workbook at `path` for reading.

    Raises with exit code 6 for a file that is rejected or cannot be read.
    """
    check_workbook_file(path)
    with readable(path):
        package = _Package(path)
    with closing(package.archive):
        with readable(path):
            package.read()
        yield OpenWorkbook(path, package)


@contextmanager
def readable(path: Path) -> Iterator[None]:
    """Raise a coded error for a file that cannot be read as a workbook."""
    try:
        yield
    except BeyondBounds as error:
        raise refused("WORKBOOK_REFUSED", path, f"{error}.") from None
    except _UNREADABLE as error:
        raise FacilityError(
            "NOT_A_WORKBOOK",
            path.name,
            f"the workbook cannot be read ({str(error)[:200]}).",
            "Open it in Excel or LibreOffice and save it again as .xlsx.",
        ) from None
