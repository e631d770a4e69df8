"""A table of a panel compared with the project; an export of facility is no such table."""

from __future__ import annotations

from pathlib import Path

import pytest

from facility.core.errors import FacilityError
from facility.files.import_panel.read import import_panel
from facility.files.project.file import apply_sets, default_project
from facility.files.workbook.book import write_workbook
from facility.study.design.design import Design, design


@pytest.fixture(scope="module")
def small() -> Design:
    return design(apply_sets(default_project(), ["it.gpus=64"]))


def test_a_table_whose_header_differs_from_the_project(small: Design, tmp_path: Path) -> None:
    path = tmp_path / "s.csv"
    heads = "Ckt,Description,Poles,Trip,VA"
    path.write_text(f"PANEL RPP-A01 480Y/277V 225A MLO\n{heads}\n1,a,1,20,900\n")
    (found,) = import_panel(path, against=small)
    base = next(one for one in small.panels.panels if one.tag == "RPP-A01")
    header = [(d.field, d.was, d.now, d.where) for d in found.differences if not d.circuit]
    assert header == [
        ("System", base.system, "480Y/277", "s.csv!A1"),
        ("Bus A", base.bus_a, 225.0, "s.csv!A1"),
    ]
    assert found.panel.main_a is None


@pytest.mark.parametrize("sheet", [None, "Loads"])
def test_an_export_of_facility_has_its_own_import(
    small: Design, tmp_path: Path, sheet: str | None
) -> None:
    path = write_workbook(small, tmp_path / "b.xlsx")
    with pytest.raises(FacilityError, match="facility import workbook"):
        import_panel(path, sheet=sheet, against=small)
