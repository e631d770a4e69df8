"""Hostile workbooks: refused with a clear error and in 200 MB, before they are worked through.

The bound on processor time is wide, for a machine that others use; `benchmarks.rejections` has the
figures.
"""

from __future__ import annotations

import random
import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path

import openpyxl
import pytest

from facility.core.errors import error_codes

_SPACE = "http://schemas.openxmlformats.org"
_MAIN = f'xmlns="{_SPACE}/spreadsheetml/2006/main"'
_OFFICE = f"{_SPACE}/officeDocument/2006/relationships"
_KINDS = "application/vnd.openxmlformats-officedocument.spreadsheetml"
_OPEN = f"<worksheet {_MAIN}>".encode()
_SHEET = "xl/worksheets/sheet1.xml"
_STRINGS, _STYLES = "xl/sharedStrings.xml", "xl/styles.xml"
_CONTENT, _BOOK, _LINKS = "[Content_Types].xml", "xl/workbook.xml", "xl/_rels/workbook.xml.rels"


def _shell(sheets: int = 1) -> dict[str, bytes]:
    """Return the parts of a workbook whose sheets hold nothing."""
    parts = {n: f"worksheets/sheet{n}.xml" for n in range(1, sheets + 1)}
    named = {"workbook.xml": "sheet.main", "sharedStrings.xml": "sharedStrings"}
    named |= dict.fromkeys(parts.values(), "worksheet")
    kinds = (
        f'<Override PartName="/xl/{name}" ContentType="{_KINDS}.{kind}+xml"/>'
        for name, kind in named.items()
    )
    listed = (f'<sheet name="S{n}" sheetId="{n}" r:id="r{n}"/>' for n in parts)
    links = (
        f'<Relationship Id="r{n}" Type="{_OFFICE}/worksheet" Target="{part}"/>'
        for n, part in parts.items()
    )
    text = {
        _CONTENT: f'<Types xmlns="{_SPACE}/package/2006/content-types">{"".join(kinds)}</Types>',
        _BOOK: f'<workbook {_MAIN} xmlns:r="{_OFFICE}"><sheets>{"".join(listed)}</sheets>'
        "</workbook>",
        _LINKS: f'<Relationships xmlns="{_SPACE}/package/2006/relationships">{"".join(links)}'
        "</Relationships>",
        _STRINGS: f"<sst {_MAIN}/>",
        _STYLES: f"<styleSheet {_MAIN}/>",
        **{f"xl/{part}": f"<worksheet {_MAIN}><sheetData/></worksheet>" for part in parts.values()},
    }
    return {name: content.encode() for name, content in text.items()}


_SHELL = _shell()

# Address space and processor time are limited from the state the program is in once it is loaded.
_READ = """
import resource, sys
from pathlib import Path
from facility.core.errors import FacilityError
from facility.files.import_panel.read import import_panel
from facility.files.workbook.verify import verify_workbook
pages = int(Path("/proc/self/statm").read_text().split()[0])
limit = pages * resource.getpagesize() + 200 * 2**20
resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
def used():
    now = resource.getrusage(resource.RUSAGE_SELF)
    return now.ru_utime + now.ru_stime
def answer(read, path):
    before = used()
    try:
        read(Path(path))
        return "read"
    except FacilityError as error:
        return f"{error.code} {error.exit_code} {used() - before} {error}"
    except Exception as error:
        return f"Traceback {type(error)}"
for path in sys.argv[1:]:
    print(answer(import_panel, path))
    print(answer(verify_workbook, path))
"""


def _zip(path: Path, parts: dict[str, bytes]) -> None:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in parts.items():
            archive.writestr(name, content)
        # What does not compress keeps all of it under the ratio that is refused unread.
        size = sum(len(content) for content in parts.values())
        archive.writestr("xl/media/image.bin", random.Random(0).randbytes(size // 180))


def _with(**parts: bytes) -> Callable[[Path], None]:
    named = {
        name.replace("__", "/").replace("_xml", ".xml").replace("_bin", ".bin"): content
        for name, content in parts.items()
    }
    return lambda path: _zip(path, {**_SHELL, **named})


def _filled(name: str, mark: bytes, unit: bytes) -> Callable[[Path], None]:
    """Return what writes a workbook with 20 MB of `unit` before `mark` in one of its parts."""

    def write(path: Path) -> None:
        parts = {"docProps/custom.xml": b"<Properties></Properties>", **_SHELL}
        parts |= {_STRINGS: f"<sst {_MAIN}></sst>".encode()}
        parts |= {_STYLES: f"<styleSheet {_MAIN}><cellXfs></cellXfs></styleSheet>".encode()}
        parts |= {_SHEET: _OPEN + b"<cols></cols><sheetData></sheetData></worksheet>"}
        before, found, after = parts[name].partition(mark)
        assert found
        body = unit * (20_000_000 // len(unit))
        _zip(path, {**parts, name: before + body + found + after})

    return write


def _tag_without_end(path: Path) -> None:
    attributes = b" ".join(b'a%d=">"' % n for n in range(1_500_000))
    _zip(path, {**_SHELL, _SHEET: _OPEN + b"<sheetData " + attributes + b"/></worksheet>"})


def _many_heads(path: Path) -> None:
    row = b"<row>" + b"<c><v>1</v></c>" * 58 + b"</row>"
    sheet = _OPEN + b"<sheetData>" + row * 20 + b"</sheetData></worksheet>"
    parts = _shell(1_900)
    _zip(path, {name: sheet if "worksheets" in name else part for name, part in parts.items()})


def _strings_elsewhere(path: Path) -> None:
    """Which part holds the strings, the directory of parts says; its name may be any."""
    directory = _SHELL[_CONTENT].replace(b"sharedStrings.xml", b"media/image1.png")
    strings = f"<sst {_MAIN}>".encode() + b"<si><t/></si>" * 1_500_000 + b"</sst>"
    _zip(path, {**_SHELL, _CONTENT: directory, "xl/media/image1.png": strings})


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
    cells = b"".join(b'<c r="A1"><v>%d</v></c>' % n for n in range(300_000))
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


_REFUSED = "WORKBOOK_REFUSED"
CASES: dict[str, tuple[Callable[[Path], object], str, str]] = {
    "cell in the last corner": (_far_cell, "WORKBOOK_REFUSED", "row 1048576"),
    "corner behind a false size": (_far_cell_that_lies, "WORKBOOK_REFUSED", "1048576"),
    # Only the first rows are read of a sheet in which they name no panel.
    "a million rows": (_million_rows, "FILE_TOO_LARGE|NO_PANEL", ""),
    "rows without numbers": (_unnumbered_rows, "NO_PANEL", ""),
    "the same row": (
        _filled(_SHEET, b"</sheetData>", b'<row r="1"/>'),
        _REFUSED,
        "larger than a panel",
    ),
    "columns": (_filled(_SHEET, b"</cols>", b"<col/>"), _REFUSED, "larger than a panel"),
    "a tag without end": (_tag_without_end, _REFUSED, "unclosed tag"),
    "first rows of 1,900 sheets": (_many_heads, _REFUSED, "larger than a panel"),
    "strings": (_filled(_STRINGS, b"</sst>", b"<si><t/></si>"), _REFUSED, "more strings"),
    "runs in one string": (_filled(_STRINGS, b"</sst>", b"<r><t/></r>"), _REFUSED, "more strings"),
    "strings under another name": (_strings_elsewhere, _REFUSED, "image1.png"),
    "styles": (_filled(_STYLES, b"</cellXfs>", b"<xf/>"), _REFUSED, "styles.xml is larger"),
    "parts": (_filled(_CONTENT, b"</Types>", b'<Default Extension="a"/>'), _REFUSED, "_Types"),
    "sheets": (_filled(_BOOK, b"</sheets>", b'<sheet name="A"/>'), _REFUSED, "workbook.xml"),
    "names": (
        _filled(_BOOK, b"</workbook>", b'<definedName name="A">B</definedName>'),
        _REFUSED,
        "workbook.xml",
    ),
    "relations": (_filled(_LINKS, b"</Rel", b'<Relationship Id="a"/>'), _REFUSED, "xml.rels"),
    "own properties": (
        _filled("docProps/custom.xml", b"</Properties>", b"<property/>"),
        "NO_PANEL",
        "",
    ),
    "a row without end": (_endless_row, "WORKBOOK_REFUSED", "unclosed row"),
    "zip bomb": (_with(xl__media__a=b"0" * 60_000_000), "FILE_TOO_LARGE", "too large"),
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
    "empty shell": (
        lambda p: _zip(p, {_CONTENT: b"<Types/>", _BOOK: b"<workbook/>"}),
        "NOT_A_WORKBOOK",
        "",
    ),
}


@pytest.fixture(scope="module")
def answers(tmp_path_factory: pytest.TempPathFactory) -> dict[str, tuple[str, str]]:
    """Every case imported and verified, one after the other, in limited address space."""
    folder = tmp_path_factory.mktemp("hostile")
    paths = []
    for number, (make, _, _) in enumerate(CASES.values()):
        paths.append(folder / f"{number}.xlsx")
        make(paths[-1])
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", _READ, *map(str, paths)],
        capture_output=True,
        text=True,
        check=True,
    )
    lines = done.stdout.splitlines()
    return dict(zip(CASES, zip(lines[::2], lines[1::2], strict=True), strict=True))


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="needs /proc")
@pytest.mark.parametrize("name", CASES)
def test_refused_with_a_clear_error(name: str, answers: dict[str, tuple[str, str]]) -> None:
    _, codes, words = CASES[name]
    imported, verified = answers[name]
    code, exit_code, processor_s, message = imported.split(" ", 3)
    assert code in codes.split("|"), imported
    assert exit_code == str(error_codes()[code].exit_code)
    assert words in message
    assert float(processor_s) < 2.0, imported
    code, exit_code, processor_s, _ = verified.split(" ", 3)
    assert code in (*codes.split("|"), "NO_PROJECT"), verified
    assert exit_code == "6"
    assert float(processor_s) < 2.0, verified
