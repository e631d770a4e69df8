"""A workbook held against its own project: same as written or as saved by another program."""

from __future__ import annotations

from pathlib import Path

import openpyxl
import pytest

from facility.files.workbook import write_workbook
from facility.files.workbook_verify import verify_workbook
from facility.study.design import Design
from tests.tools.libreoffice import convert


@pytest.mark.parametrize("name", ["us-208-2n", "hostile-names", "iec-400"])
def test_untouched_workbook_is_the_same(
    name: str, designs: dict[str, Design], tmp_path: Path
) -> None:
    report = verify_workbook(write_workbook(designs[name], tmp_path / "book.xlsx"))
    assert report.same, report.lines()
    assert report.project == designs[name].project_identity


def test_a_selection_of_panels_is_the_same(designs: dict[str, Design], tmp_path: Path) -> None:
    path = write_workbook(designs["mixed-hall"], tmp_path / "book.xlsx", panels="RPP-A01,RPP-B01")
    assert verify_workbook(path).same


@pytest.mark.libreoffice
def test_saved_by_another_program_is_the_same(designs: dict[str, Design], tmp_path: Path) -> None:
    written = write_workbook(designs["us-208-2n"], tmp_path / "book.xlsx")
    report = verify_workbook(convert(written, "xlsx", tmp_path))
    assert report.same, report.lines()


@pytest.mark.libreoffice
def test_a_number_typed_over_is_found(designs: dict[str, Design], tmp_path: Path) -> None:
    written = write_workbook(designs["us-208-2n"], tmp_path / "book.xlsx")
    edited = openpyxl.load_workbook(written)
    tag = designs["us-208-2n"].panels.panels[0].tag
    edited[tag]["H9"] = 9_999
    edited["Settings"]["B12"] = 0.5
    edited.save(tmp_path / "edited.xlsx")
    report = verify_workbook(convert(tmp_path / "edited.xlsx", "xlsx", tmp_path))
    places = {(d["sheet"], d["cell"]) for d in report.differences}
    assert {(tag, "H9"), ("Settings", "B12")} <= places
