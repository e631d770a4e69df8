"""Panels below each other in one sheet."""

from __future__ import annotations

from pathlib import Path

import pytest

from facility.core.errors import FacilityError
from facility.files.circuit_table.read import TableAnswers
from facility.files.import_panel.read import PanelImport, import_panel, only_panel

HEADS = "CKT,DESCRIPTION,POLES,BKR,VA\n"
FIRST = f"PANEL LP-1 208Y/120V 225A MLO 42CKT\n{HEADS}1,a,1,20,900\n2,b,1,20,500\n"
PAGE = f"{HEADS}3,c,1,20,700\n"
SECOND = f"PANEL LP-2 480Y/277V 100A MLO 12CKT\n{HEADS}1,x,2,20,900\n"
ROOMS = "".join(f"{n},r{n},1,20,100\n" for n in range(4, 43))


def read(folder: Path, text: str, panel: str = "") -> tuple[PanelImport, ...]:
    path = folder / "schedules.csv"
    path.write_text(text)
    return import_panel(path, answers=TableAnswers(panel=panel))


@pytest.mark.parametrize(
    ("text", "panels"),
    [
        (FIRST + SECOND, [("LP-1", 2, 42), ("LP-2", 1, 12)]),
        (FIRST + "TOTAL,,,,1400\n,,,,\n" + SECOND, [("LP-1", 2, 42), ("LP-2", 1, 12)]),
        (FIRST + PAGE + SECOND, [("LP-1", 3, 42), ("LP-2", 1, 12)]),
        (FIRST + PAGE, [("LP-1", 3, 42)]),
        (FIRST + PAGE + ROOMS + SECOND, [("LP-1", 42, 42), ("LP-2", 1, 12)]),
    ],
)
def test_each_panel_is_read(tmp_path: Path, text: str, panels: list[tuple[str, int, int]]) -> None:
    found = read(tmp_path, text)
    assert not [problem for one in found for problem in one.problems]
    assert [(one.panel.tag, len(one.panel.circuits), one.panel.poles) for one in found] == panels


def test_one_of_several_is_selected_by_its_name(tmp_path: Path) -> None:
    (found,) = read(tmp_path, FIRST + SECOND, "LP-2")
    assert (found.panel.tag, found.panel.system) == ("LP-2", "480Y/277")
    with pytest.raises(FacilityError, match="no panel 'LP-3'"):
        read(tmp_path, FIRST + SECOND, "LP-3")
    with pytest.raises(FacilityError, match="2 panels") as several:
        only_panel(tmp_path / "schedules.csv")
    assert several.value.hint == "Add --panel with one of LP-1, LP-2."


def test_a_table_without_a_title_is_asked_by_its_range(tmp_path: Path) -> None:
    with pytest.raises(FacilityError, match="A1:E4 and A5:E6 list the same pole numbers"):
        read(tmp_path, FIRST + f"{HEADS}1,x,2,20,900\n")
