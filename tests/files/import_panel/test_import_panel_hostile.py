"""Hostile workbooks: refused with a clear error, within a second of work and 200 MB."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path

import openpyxl
import pytest

_TYPES = (
    '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
    '<Default Extension="xml" ContentType="application/xml"/></Types>'
)
_SHELL = {"[Content_Types].xml": _TYPES.encode(), "xl/workbook.xml": b"<workbook/>"}
_OPEN = b'<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">'
_SHEET = "xl/worksheets/sheet1.xml"

# Address space and processor time are limited from the state the program is in once it is loaded.
_READ = """
import resource, sys
from pathlib import Path
from facility.core.errors import FacilityError
from facility.files.import_panel.read import import_panel
pages = int(Path("/proc/self/statm").read_text().split()[0])
limit = pages * resource.getpagesize() + 200 * 2**20
resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
def used():
    now = resource.getrusage(resource.RUSAGE_SELF)
    return now.ru_utime + now.ru_stime
for path in sys.argv[1:]:
    before = used()
    try:
        import_panel(Path(path))
        print("read")
    except FacilityError as error:
        print(error.code, error.exit_code, used() - before, error)
    except Exception as error:
        print("Traceback", type(error))
"""


def _zip(path: Path, parts: dict[str, bytes]) -> None:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in parts.items():
            archive.writestr(name, content)


def _with(**parts: bytes) -> Callable[[Path], None]:
    named = {
        name.replace("__", "/").replace("_xml", ".xml").replace("_bin", ".bin"): content
        for name, content in parts.items()
    }
    return lambda path: _zip(path, {**_SHELL, **named})


def _far_cell(path: Path) -> None:
    workbook = openpyxl.Workbook()
    workbook["Sheet"]["XFD1048576"] = 1
    workbook.save(path)


def _far_cell_that_lies(path: Path) -> None:
    body = _OPEN + b'<dimension ref="A1"/><sheetData><row r="1048576"><c r="XFD1048576"><v>1</v>'
    _zip(path, {**_SHELL, _SHEET: body + b"</c></row></sheetData></worksheet>"})


def _million_rows(path: Path) -> None:
    rows = b"".join(
        b'<row r="%d"><c r="A%d"><v>%d</v></c></row>' % (n, n, n) for n in range(1, 1_000_001)
    )
    _zip(path, {**_SHELL, _SHEET: _OPEN + b"<sheetData>" + rows + b"</sheetData></worksheet>"})


def _unnumbered_rows(path: Path) -> None:
    rows = b"<row><c><v>1</v></c><c><v>2</v></c></row>" * 600_000
    rows += b"".join(b"<!-- %d -->" % n for n in range(200_000))
    _zip(path, {**_SHELL, _SHEET: _OPEN + b"<sheetData>" + rows + b"</sheetData></worksheet>"})


def _endless_row(path: Path) -> None:
    cells = b"".join(b"<c><v>%d</v></c>" % n for n in range(300_000))
    body = _OPEN + b'<dimension ref="A1"/><sheetData><row r="1">' + cells
    _zip(path, {**_SHELL, _SHEET: body + b"</row></sheetData></worksheet>"})


def _billion_laughs(path: Path) -> None:
    lines = ['<!DOCTYPE lolz [<!ENTITY lol "lol">']
    lines += [f'<!ENTITY lol{n} "{f"&lol{n - 1 or str()};" * 10}">' for n in range(1, 10)]
    text = "".join(lines) + "]><workbook>&lol9;</workbook>"
    _zip(path, {**_SHELL, "xl/workbook.xml": text.encode()})


def _encrypted_entries(path: Path) -> None:
    _zip(path, _SHELL)
    content = bytearray(path.read_bytes())
    for magic, offset in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        at = content.find(magic)
        while at >= 0:
            content[at + offset] |= 1
            at = content.find(magic, at + 4)
    path.write_bytes(bytes(content))


CASES: dict[str, tuple[Callable[[Path], object], str, str]] = {
    "cell in the last corner": (_far_cell, "WORKBOOK_REFUSED", "XFD1048576"),
    "corner behind a false size": (_far_cell_that_lies, "WORKBOOK_REFUSED", "1048576"),
    "a million rows": (_million_rows, "FILE_TOO_LARGE|WORKBOOK_REFUSED", ""),
    "rows without numbers": (_unnumbered_rows, "FILE_TOO_LARGE|WORKBOOK_REFUSED", ""),
    "a row without end": (_endless_row, "WORKBOOK_REFUSED", "row without end"),
    "zip bomb": (_with(xl__media__a=b"0" * 60_000_000), "FILE_TOO_LARGE", "unpacks"),
    "billion laughs": (_billion_laughs, "WORKBOOK_REFUSED", "entities"),
    "external links": (
        _with(xl__externalLinks__externalLink1_xml=b"<x/>"),
        "WORKBOOK_REFUSED",
        "links to other files",
    ),
    "macros": (_with(xl__vbaProject_bin=b"x"), "WORKBOOK_REFUSED", "macros"),
    "macros, other case": (_with(XL__VBAPROJECT_bin=b"x"), "WORKBOOK_REFUSED", "macros"),
    "data connections": (_with(xl__connections_xml=b"<x/>"), "WORKBOOK_REFUSED", "connections"),
    "sheet in UTF-16": (
        _with(xl__worksheets__sheet1_xml="<worksheet/>".encode("utf-16")),
        "WORKBOOK_REFUSED",
        "UTF-8",
    ),
    "program renamed": (
        lambda p: p.write_bytes(b"MZ\x90\x00" + b"\0" * 9000),
        "NOT_A_WORKBOOK",
        "program",
    ),
    "encrypted": (
        lambda p: p.write_bytes(bytes.fromhex("d0cf11e0a1b11ae1") + b"\0" * 4096),
        "NOT_A_WORKBOOK",
        "encrypted",
    ),
    "encrypted zip": (_encrypted_entries, "NOT_A_WORKBOOK", "encrypted"),
    "text": (lambda p: p.write_text("description,poles\n"), "NOT_A_WORKBOOK", ""),
    "empty file": (lambda p: p.write_bytes(b""), "NOT_A_WORKBOOK", ""),
    "empty shell": (lambda p: _zip(p, _SHELL), "NOT_A_WORKBOOK", ""),
}


@pytest.fixture(scope="module")
def answers(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Every case, read one after the other by a program with limited address space."""
    folder = tmp_path_factory.mktemp("hostile")
    paths = []
    for number, (make, _, _) in enumerate(CASES.values()):
        paths.append(folder / f"{number}.xlsx")
        make(paths[-1])
    done = subprocess.run(
        [sys.executable, "-c", _READ, *map(str, paths)], capture_output=True, text=True, check=True
    )
    return dict(zip(CASES, done.stdout.splitlines(), strict=True))


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="needs /proc")
@pytest.mark.parametrize("name", CASES)
def test_refused_with_a_clear_error(name: str, answers: dict[str, str]) -> None:
    _, codes, words = CASES[name]
    answer = answers[name]
    assert "Traceback" not in answer
    code, exit_code, processor_s, message = answer.split(" ", 3)
    assert code in codes.split("|"), answer
    assert exit_code == "6"
    assert words in message
    assert float(processor_s) < 1.0, answer
