"""A workbook held against its own project: same as written or as saved by another program."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest

from facility.core.errors import FacilityError
from facility.files.workbook.book import write_workbook
from facility.files.workbook.verify import verify_workbook
from facility.study.design.design import Design
from tests.tools.libreoffice import convert
from tests.tools.recalculate import recalculated
from tests.tools.workbooks import read_book


@pytest.mark.parametrize("name", ["us-208-2n", "hostile-names", "iec-400"])
def test_untouched_workbook_is_the_same(
    name: str, designs: dict[str, Design], tmp_path: Path
) -> None:
    report = verify_workbook(write_workbook(designs[name], tmp_path / "book.xlsx"))
    assert report.same, report.closing("si")
    assert report.project == designs[name].project_identity


def test_a_selection_of_panels_is_the_same(designs: dict[str, Design], tmp_path: Path) -> None:
    path = write_workbook(designs["mixed-hall"], tmp_path / "book.xlsx", panels="RPP-A01,RPP-B01")
    assert verify_workbook(path).same


@pytest.mark.libreoffice
def test_saved_by_another_program_is_the_same(designs: dict[str, Design], tmp_path: Path) -> None:
    written = write_workbook(designs["us-208-2n"], tmp_path / "book.xlsx")
    report = verify_workbook(convert(written, "xlsx", tmp_path))
    assert report.same, report.closing("si")


def test_a_number_typed_over_is_found(designs: dict[str, Design], tmp_path: Path) -> None:
    written = write_workbook(designs["us-208-2n"], tmp_path / "book.xlsx")
    edited = read_book(written)
    tag = designs["us-208-2n"].panels.panels[0].tag
    edited[tag]["H9"] = 9_999
    edited.save(tmp_path / "edited.xlsx")
    report = verify_workbook(recalculated(tmp_path / "edited.xlsx", tmp_path))
    places = {(d["sheet"], d["cell"]) for d in report.differences}
    assert (tag, "H9") in places


def test_what_leaves_every_value_as_it_was_is_found_too(
    designs: dict[str, Design], tmp_path: Path
) -> None:
    written = write_workbook(designs["us-208-2n"], tmp_path / "book.xlsx")
    tag = designs["us-208-2n"].panels.panels[0].tag
    edited = read_book(written)
    edited[tag]["H9"] = read_book(written, data_only=True)[tag]["H9"].value
    edited[tag]["W60"] = "a remark"
    edited.save(tmp_path / "edited.xlsx")
    report = verify_workbook(recalculated(tmp_path / "edited.xlsx", tmp_path))
    found = {d["cell"]: str(d["file"]) for d in report.differences if d["sheet"] == tag}
    assert "typed value" in found["H9"]
    assert found["W60"] == "a remark"


def _zip(path: Path, parts: dict[str, bytes]) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in parts.items():
            archive.writestr(name, content)
    return path


_SHELL = {"[Content_Types].xml": b"<Types/>", "xl/workbook.xml": b"<workbook/>"}


@pytest.mark.parametrize(
    ("parts", "code"),
    [
        (None, "NOT_A_WORKBOOK"),
        ({"readme.txt": b"hello"}, "NOT_A_WORKBOOK"),
        (_SHELL, "NOT_A_WORKBOOK"),
        ({**_SHELL, "xl/vbaProject.bin": b"x"}, "WORKBOOK_REFUSED"),
        ({**_SHELL, "xl/externalLinks/externalLink1.xml": b"x"}, "WORKBOOK_REFUSED"),
        ({**_SHELL, "xl/worksheets/sheet1.xml": b"0" * 80_000_000}, "FILE_TOO_LARGE"),
        ({**_SHELL, **{f"xl/media/{n}": b"" for n in range(2_100)}}, "FILE_TOO_LARGE"),
    ],
    ids=["program renamed", "a zip", "an empty shell", "macros", "links", "bomb", "parts"],
)
def test_hostile_files_are_refused_before_they_are_read(
    tmp_path: Path, parts: dict[str, bytes] | None, code: str
) -> None:
    path = tmp_path / "book.xlsx"
    if parts is None:
        path.write_bytes(b"MZ\x90\x00 not a workbook")
    else:
        _zip(path, parts)
    with pytest.raises(FacilityError) as refused:
        verify_workbook(path)
    assert refused.value.code == code
    assert refused.value.exit_code == 6
