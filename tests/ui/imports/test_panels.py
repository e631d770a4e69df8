"""A schedule of another program is imported into its panel of the project."""

from __future__ import annotations

from dataclasses import replace

import pytest
from streamlit.testing.v1 import AppTest

from facility.files.panel_csv.document import write_panel_csv
from facility.power.panels.board.model import Panel
from facility.study.design.design import design
from tests.study.helpers import SHORTEST
from tests.ui.helpers import (
    PANELS,
    SUMMARY,
    assert_sound,
    edit_cells,
    errors,
    frames,
    go,
    grid,
    opened,
    press,
    session,
    show_object,
    upload,
)


@pytest.fixture
def at() -> AppTest:
    found = opened()
    upload(found, "short.yaml", SHORTEST.encode())
    go(found, PANELS)
    return show_object(found, found.session_state["design-object"], "import")


def first(at: AppTest) -> Panel:
    return design(session(at).project).panels.panels[0]


def bring(at: AppTest, name: str, content: bytes) -> None:
    uploader = next(one for one in at.file_uploader if str(one.key).startswith("panels-files"))
    uploader.set_value((name, content, "text/csv")).run()
    assert_sound(at)


def moved(panel: Panel) -> tuple[Panel, str, int]:
    """Return the panel with its last circuit of a rack on free poles, and which it is."""
    circuit = [c for c in panel.circuits if c.rack][-1]
    taken = {p for c in panel.circuits for p in panel.layout.occupied(c.position or 0, c.poles)}
    free = next(
        n
        for n in range(panel.poles, 0, -1)
        if panel.layout.may_start(n, circuit.poles, panel.poles)
        and not taken & set(panel.layout.occupied(n, circuit.poles))
    )
    circuits = tuple(replace(c, position=free) if c is circuit else c for c in panel.circuits)
    return replace(panel, circuits=circuits), circuit.id, free


def _plain(value: object) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value)


def differences(at: AppTest) -> list[tuple[str, str, str]]:
    (frame,) = (one.value for one in frames(at) if "Imported" in one.value)
    return [(row["Circuit"], row["Field"], _plain(row["After"])) for _, row in frame.iterrows()]


def test_a_csv_is_compared_taken_in_and_undone(at: AppTest) -> None:
    panel, circuit, free = moved(first(at))
    before = session(at).project
    bring(at, "edited.csv", write_panel_csv(panel).encode())
    assert (circuit, "position", str(free)) in differences(at)
    assert session(at).project is before
    press(at, "panels-accept")
    assert free in [c.position for c in first(at).circuits]
    assert [c.position for c in first(at).circuits] == [c.position for c in panel.circuits]
    assert any(one.value.startswith("Imported: ") for one in at.success)
    press(at, "undo")
    assert first(at).circuits != panel.circuits


def test_what_is_of_no_panel_is_refused_and_can_be_put_away(at: AppTest) -> None:
    bring(at, "edited.csv", write_panel_csv(replace(first(at), tag="RPP-Z9")).encode())
    (frame,) = (one.value for one in frames(at) if "Fix" in one.value)
    assert list(frame["Code"]) == ["UNKNOWN_PANEL"]
    assert at.button(key="panels-accept").disabled
    go(at, SUMMARY)
    go(at, PANELS)
    show_object(at, at.session_state["design-object"], "import")
    assert at.warning  # the file is kept
    press(at, "panels-close")
    assert not at.warning


def test_a_table_of_another_program_is_read_once_its_questions_are_answered(at: AppTest) -> None:
    """The unit of the loads and the data of the panel are asked; 500 + 400 VA are on A and B."""
    text = b"Ckt,Description,Poles,Trip,A,B,C\n1,Lights,1,20,500,,\n3,Fan,1,20,,400,\n"
    bring(at, "theirs.csv", text)
    assert any("Not read: PANEL_CSV_HEADER" in one for one in errors(at))
    at.text_input("panels-data").set_value("LP-9; 208Y/120; 12").run()
    assert_sound(at)
    assert "The loads under 'A', 'B' have no unit. (theirs.csv!E1)" in [t.value for t in at.text]
    assert at.button(key="panels-map-B=phase_b VA").label == "B: Load, phase B (VA)"
    assert list(grid(at, "panels-map").value["Field"])[:3] == [
        "Circuit number",
        "Description",
        "Poles",
    ]
    press(at, "panels-map-B=phase_b VA")
    edit_cells(at, "panels-map", edited_rows={4: {"field": "Load, phase A", "unit": "VA"}})
    assert any("LP-9, 208Y/120, 12 poles: 2 circuits" in one.value for one in at.info)
    assert any("project has no panel 'LP-9'" in one.value for one in at.text)
