"""A text table from outside as cells: common encodings, delimiters and decimal styles."""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from collections.abc import Iterable
from typing import Literal

from facility.core.errors import FacilityError
from facility.files.incoming.grid import ReadCells
from facility.files.io.read_text import check_size

MAX_BYTES = 32_000_000
"""100,000 devices with ten columns are about 10 MB."""
_MAX_COLUMNS = 200
_DELIMITERS = "\t;,|"
_SAMPLED_ROWS = 50
_MARKS = ((b"\xef\xbb\xbf", "utf-8-sig"), (b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16"))
_CONTROL = re.compile("[\x00-\x08\x0b\x0e-\x1f\x7f]")
_SEPARATOR_LINE = re.compile(r"sep=(.)\s*\Z", re.IGNORECASE)
Decimal = Literal[".", ","]

# The number at the start of a cell; a unit may follow.
_NUMBER = r"[-+]?\s?(?:\d[\d.,'’\s_]*\d|\d)"
_AT_START = re.compile(_NUMBER)
_STYLES: tuple[tuple[Decimal, re.Pattern[str]], ...] = (
    (",", re.compile(r"[-+]?\d{1,3}(?:[.\s'’]\d{3})+,\d+")),
    (".", re.compile(r"[-+]?\d{1,3}(?:[,\s'’]\d{3})+\.\d+")),
    (",", re.compile(r"[-+]?\d{1,3}(?:\.\d{3}){2,}")),
    (".", re.compile(r"[-+]?\d{1,3}(?:,\d{3}){2,}")),
    (",", re.compile(r"[-+]?(?:\d+,(?:\d{1,2}|\d{4,})|0,\d{3}|\d{4,},\d{3})")),
    (".", re.compile(r"[-+]?(?:\d+\.(?:\d{1,2}|\d{4,})|0\.\d{3}|\d{4,}\.\d{3})")),
)
_EITHER = re.compile(r"[-+]?[1-9]\d{0,2},\d{3}")


def text_table(content: bytes | str, name: str, limit: int = MAX_BYTES) -> ReadCells:
    """Return a text table as cells; lines that begin with ``#`` are one cell.

    content: The file, in UTF-8, UTF-16 with its mark, or Windows-1252; or pasted text.
    name: Name of the file, for messages.
    limit: Maximum size [bytes].

    Raises ``FILE_TOO_LARGE``, ``FILE_EMPTY``, ``FILE_NOT_TEXT`` or ``TABLE_ROW``.
    """
    raw = content.encode(errors="surrogatepass") if isinstance(content, str) else content
    check_size(raw, name, limit)
    text = content if isinstance(content, str) else decoded(raw, name)
    found = _CONTROL.search(text)
    if found:
        line = text.count("\n", 0, found.start()) + 1
        raise FacilityError(
            "FILE_NOT_TEXT",
            name,
            f"line {line:,} contains the control character U+{ord(found[0]):04X}.",
            "Save it as CSV in UTF-8.",
        )
    lines = text.splitlines(keepends=True)
    stated = _SEPARATOR_LINE.match(lines[0].strip()) if lines else None
    delimiter = stated[1] if stated else _delimiter(lines)
    values: dict[tuple[int, int], str] = {}
    row = 0
    for row, written in enumerate(lines, start=1):
        if written.lstrip('"').startswith("#"):
            comment = written.strip().rstrip(delimiter).strip()
            values[row, 1] = comment[1:-1] if comment[:1] == comment[-1:] == '"' else comment
        elif not stated or row > 1:
            row -= 1
            break
    reader = csv.reader(io.StringIO("".join(lines[row:])), delimiter=delimiter, strict=True)
    try:
        for number, cells in enumerate(reader, start=row + 1):
            for column, cell in enumerate(cells[:_MAX_COLUMNS], start=1):
                if cell and not cell.isspace():
                    values[number, column] = cell.strip()
    except csv.Error as error:
        raise FacilityError(
            "TABLE_ROW",
            f"{name}, line {reader.line_num + row}",
            f"the file cannot be read as a table: {error}.",
            "Check the quotation marks.",
        ) from None
    return ReadCells(name, values, {})


def decoded(content: bytes, name: str) -> str:
    """Return the text of a file in UTF-8, UTF-16 with its mark, or Windows-1252.

    Raises ``FILE_NOT_TEXT``.
    """
    encoding = next((code for mark, code in _MARKS if content.startswith(mark)), "utf-8")
    try:
        return content.decode(encoding)
    except UnicodeDecodeError:
        if encoding != "utf-8" or b"\0" in content:
            raise FacilityError(
                "FILE_NOT_TEXT",
                name,
                f"the file is not valid {encoding.upper()} text.",
                "Save it as CSV in UTF-8.",
            ) from None
    # What spreadsheets of Western Europe and the Americas write by default.
    return content.decode("cp1252", errors="replace")


def _delimiter(lines: list[str]) -> str:
    """Return the delimiter with the most rows of equal width; of equals, the widest rows."""
    sample = [line for line in lines if line.strip() and not line.lstrip('"').startswith("#")]
    best, top = ",", (0, 0)
    for delimiter in _DELIMITERS:
        try:
            rows = list(csv.reader(sample[:_SAMPLED_ROWS], delimiter=delimiter))
        except csv.Error:
            continue
        widths = Counter(len(row) for row in rows if len(row) > 1)
        if widths:
            width, count = max(widths.items(), key=lambda item: (item[1], item[0]))
            if (sum(widths.values()), count * width) > top:
                best, top = delimiter, (sum(widths.values()), count * width)
    return best


def decimal_styles(texts: Iterable[str]) -> tuple[dict[Decimal, str], str]:
    """Return the decimal styles that cells show, each with an example; and one that shows neither.

    ``1.234,5`` shows a comma, ``12.5`` a point; ``1,250`` is 1250 or 1.25.
    """
    shown: dict[Decimal, str] = {}
    either = ""
    for text in texts:
        found = _AT_START.match(text)
        if found is None:
            continue
        number = found[0].strip()
        style = next((style for style, form in _STYLES if form.fullmatch(number)), None)
        if style is not None:
            shown.setdefault(style, text)
        elif not either and _EITHER.fullmatch(number):
            either = text
    return shown, either


def plain_number(text: str, decimal: Decimal) -> str:
    """Return a cell with its number in plain form; a unit after it stays.

    Examples
    --------
    >>> plain_number("1.234,5 kW", ","), plain_number("1,250 W", ".")
    ('1234.5 kW', '1250 W')
    """
    found = _AT_START.match(text)
    if found is None:
        return text
    number = re.sub(r"[\s'’_]", "", found[0])
    number = number.replace("." if decimal == "," else ",", "").replace(",", ".")
    rest = text[found.end() :].strip()
    return f"{number} {rest}".strip()
