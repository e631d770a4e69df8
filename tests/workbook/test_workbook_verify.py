"""A workbook held against its own project: same, changed by hand, or none of ours."""

from __future__ import annotations

import zipfile
from pathlib import Path

import openpyxl
import pytest

from facility.core.errors import FacilityError
from facility.files.workbook import write_workbook
from facility.files.workbook_verify import verify_workbook
from facility.study.design import Design
from tests.tools.libreoffice import convert


@pytest.fixture
def written(designs: dict[str, Design], tmp_path: Path) -> Path:
    return write_workbook(designs["us-208-2n"], tmp_path / "book.xlsx")


@pytest.mark.parametrize("name", ["us-208-2n", "hostile-names", "iec-400"])
def test_untouched_workbook_is_the_same(
    name: str, designs: dict[str, Design], tmp_path: Path
) -> None:
    report = verify_workbook(write_workbook(designs[name], tmp_path / "book.xlsx"))
    assert report.same, report.lines()
    assert report.project == designs[name].project_identity
    assert report.lines()[0].startswith("same")


def test_a_selection_of_panels_is_the_same(designs: dict[str, Design], tmp_path: Path) -> None:
    path = write_workbook(designs["mixed-hall"], tmp_path / "book.xlsx", panels="RPP-A01,RPP-B01")
    assert verify_workbook(path).same


@pytest.mark.libreoffice
def test_saved_by_another_program_is_the_same(written: Path, tmp_path: Path) -> None:
    report = verify_workbook(convert(written, "xlsx", tmp_path))
    assert report.same, report.lines()


@pytest.mark.parametrize(
    ("sheet", "cell", "value"),
    [
        ("Roll-up", "B30", 1.0),
        ("Settings", "B10", 1.5),
        ("RPP-A01", "H9", 5000),
        ("RPP-A01", "B9", "Another rack"),
        ("Loads", "BB200", "note"),
        ("Checks", "A10", "PASS?"),
    ],
)
def test_a_change_by_hand_is_found(
    written: Path, tmp_path: Path, sheet: str, cell: str, value: object
) -> None:
    report = verify_workbook(_changed(written, tmp_path, sheet, cell, value))
    assert not report.same
    assert f"{sheet}!{cell}" in {d["place"] for d in report.differences}
    assert report.lines()[0].startswith("different")


def _changed(written: Path, tmp_path: Path, sheet: str, cell: str, value: object) -> Path:
    """Change one cell; openpyxl drops cached values, so they are put back as the formulas'."""
    formulas = openpyxl.load_workbook(written)
    formulas[sheet][cell] = value
    path = tmp_path / "changed.xlsx"
    formulas.save(path)
    return path


def test_a_changed_formula_is_found(written: Path, tmp_path: Path) -> None:
    report = verify_workbook(_changed(written, tmp_path, "PUE", "C5", "=B5/$B$5*1"))
    found = next(d for d in report.differences if d["place"] == "PUE!C5")
    assert found["found"] == "=B5/$B$5*1"


def _zip(path: Path, parts: dict[str, bytes]) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in parts.items():
            archive.writestr(name, content)
    return path


def test_what_is_no_workbook_of_ours_is_refused(tmp_path: Path) -> None:
    text = tmp_path / "text.xlsx"
    text.write_text("hello")
    plain = openpyxl.Workbook()
    plain.save(tmp_path / "plain.xlsx")
    (tmp_path / "folder.xlsx").mkdir()
    truncated = tmp_path / "cut.xlsx"
    truncated.write_bytes((tmp_path / "plain.xlsx").read_bytes()[:2000])
    content = b"[Content_Types].xml"
    cases = [
        text, tmp_path / "plain.xlsx", tmp_path / "absent.xlsx", tmp_path / "folder.xlsx",
        truncated,
        _zip(tmp_path / "empty.xlsx", {}),
        _zip(tmp_path / "odd.xlsx", {content.decode(): b"<x/>"}),
        _zip(tmp_path / "macro.xlsx", {content.decode(): b"", "xl/vbaProject.bin": b"x"}),
        _zip(tmp_path / "bomb.xlsx", {content.decode(): b"", "xl/a.xml": b"0" * 30_000_000}),
        _zip(tmp_path / "many.xlsx", {content.decode(): b""} | {f"p{n}": b"" for n in range(4100)}),
    ]  # fmt: skip
    for path in cases:
        with pytest.raises(FacilityError) as refused:
            verify_workbook(path)
        assert refused.value.code == "NOT_A_WORKBOOK", path.name
        assert refused.value.exit_code == 6


def test_entity_bomb_is_refused(written: Path, tmp_path: Path) -> None:
    entities = b'<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;">]>'
    with zipfile.ZipFile(written) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    book = parts["xl/workbook.xml"]
    parts["xl/workbook.xml"] = book.replace(b"?>", b"?>" + entities, 1)
    with pytest.raises(FacilityError, match="NOT_A_WORKBOOK"):
        verify_workbook(_zip(tmp_path / "lol.xlsx", parts))
