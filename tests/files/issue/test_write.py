"""The folder of a set: its files, what is refused, and what changed since an earlier issue."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from facility.core.errors import FacilityError
from facility.files.issue.record import read_record
from facility.files.issue.write import write_set
from facility.report.drawings.scene import Polyline, Text
from facility.report.issue.sheets import sheet_set
from tests.files.issue.issued import designed, issued
from tests.report.issue.test_layout import faults


def test_a_set_is_written_whole_and_not_over_another(tmp_path: Path) -> None:
    folder = tmp_path / "A"
    written = write_set(designed(), folder, formats=("pdf", "dxf", "svg"))
    names = [path.relative_to(folder).as_posix() for path in written]
    drawings = [sheet.number for sheet in issued().sheets if sheet.is_drawing]
    assert names[0] == "Four servers-A.pdf"
    assert names[-1] == "set.json"
    assert [name for name in names if name.startswith("dxf/")] == [
        f"dxf/{number}.dxf" for number in drawings
    ]
    assert sum(name.startswith("svg/") for name in names) == len(issued().sheets)
    with pytest.raises(FacilityError, match="FILE_EXISTS"):
        write_set(designed(), folder, formats=("pdf",))
    sums = {path: path.read_bytes() for path in written}
    write_set(designed(), folder, formats=("pdf", "dxf", "svg"), force=True)
    assert {path: path.read_bytes() for path in written} == sums
    own = folder / "dxf" / "by-hand.dxf"
    own.write_text("0")
    write_set(designed(), folder, formats=("svg",), force=True)
    assert [path.name for path in folder.glob("dxf/*")] == ["by-hand.dxf"]


def test_the_set_of_four_servers_has_few_sheets() -> None:
    sheets = issued().sheets
    assert 20 <= len(sheets) <= 26
    assert len({sheet.content for sheet in sheets}) <= 18


def test_changes_since_a_revision_are_listed_and_clouded(tmp_path: Path) -> None:
    write_set(designed(), tmp_path / "A", formats=())
    before = read_record(tmp_path / "A")
    with pytest.raises(FacilityError, match="SAME_REVISION") as refused:
        write_set(designed("it.gpus=40"), tmp_path / "B", formats=(), against=tmp_path / "A")
    assert "Add a revision" in refused.value.hint
    assert not (tmp_path / "B").exists()
    write_set(designed(), tmp_path / "B", formats=(), against=tmp_path / "A")
    after = sheet_set(designed("it.gpus=40"), since=before)
    changed = {one.key: (one.before, one.after) for one in after.changes}
    assert changed["it.gpus"] == ("32", "40")
    assert not any(key.startswith("sheet.") for key in changed)
    assert after.sheets[1].title.startswith("Changes since revision A")
    clouds = [
        shape
        for sheet in after.sheets
        for shape in sheet.body
        if isinstance(shape, Polyline) and shape.layer == "cloud"
    ]
    assert clouds
    assert [fault for sheet in after.sheets for fault in faults(sheet)] == []
    deltas = [
        shape.text
        for sheet in after.sheets
        for shape in sheet.body
        if isinstance(shape, Text) and shape.layer == "cloud"
    ]
    assert set(deltas) == {"A"}
    schedules = [sheet for sheet in after.sheets if sheet.content == "Feeder and cable schedule"]
    marked = [
        s for sheet in schedules for s in sheet.body if isinstance(s, Text) and s.layer == "cloud"
    ]
    assert len(marked) >= 3  # changed cells of tables have triangles too
    same = sheet_set(designed(), since=before)
    assert same.changes == ()
    assert not any(
        isinstance(shape, Polyline) and shape.layer == "cloud"
        for sheet in same.sheets
        for shape in sheet.body
    )


@pytest.mark.parametrize(
    "text", ["[]", "{}", '{"schema": "facility.issue/1"}', "[" * 100_000, "not JSON"]
)
def test_another_file_is_no_earlier_issue(tmp_path: Path, text: str) -> None:
    file = tmp_path / "set.json"
    file.write_text(text)
    with pytest.raises(FacilityError, match="NOT_A_SET"):
        read_record(file)


def test_missing_packages_are_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setitem(__import__("sys").modules, "typst", None)
    with pytest.raises(FacilityError, match=r"facility\[documents\]") as refused:
        write_set(designed(), tmp_path / "A", formats=("pdf",))
    assert refused.value.exit_code == 2
    assert not (tmp_path / "A").exists()


def test_the_record_lists_the_sheets(tmp_path: Path) -> None:
    write_set(designed(), tmp_path, formats=())
    found = json.loads((tmp_path / "set.json").read_text())
    assert found["schema"] == "facility.issue/1"
    assert found["units"] == "ip"
    assert [one["number"] for one in found["sheets"]] == [s.number for s in issued().sheets]
    assert found["sheets"][0]["size"] == "ANSI A (Letter)"


def test_a_stop_leaves_no_half_set(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def stopped(*_: object) -> bytes:
        raise KeyboardInterrupt

    monkeypatch.setattr("facility.files.issue.write.record_bytes", stopped)
    for folder in (tmp_path / "new" / "A", tmp_path):
        with pytest.raises(KeyboardInterrupt):
            write_set(designed(), folder, formats=("dxf",))
    assert [path.name for path in tmp_path.rglob("*")] == ["new"]


def test_texts_without_letters_in_the_fonts_are_named(tmp_path: Path) -> None:
    warnings: list[str] = []
    named = designed("project.name=\u673a\u623f \u03a9 \u042f")
    write_set(named, tmp_path / "A", formats=("pdf",), warn=warnings.append)
    assert [one for one in warnings if "FONT_SCRIPT" in one and "\u673a\u623f" in one]
    write_set(designed(), tmp_path / "B", formats=("pdf",), warn=warnings.append)
    assert len(warnings) == 1
