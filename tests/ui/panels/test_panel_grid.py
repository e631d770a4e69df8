"""The schedule as rows of text: every pole once, on its phase, with the load of the state."""

from __future__ import annotations

import pytest

from facility.files.project.file import apply_sets, default_project
from facility.power.panels.board.model import Panel
from facility.report.book.panels.text_grid import GRID_COLUMNS, panel_rows, row_positions
from facility.study.design.design import design

AT = {head: column for column, head in enumerate(GRID_COLUMNS)}
BOTH_SIDES = ("", " ")
"""What a heading ends in."""


@pytest.fixture(scope="module", params=["NEC", "IEC"])
def panels(request: pytest.FixtureRequest) -> tuple[Panel, ...]:
    sets = ["it.gpus=512"]
    if request.param == "IEC":
        sets += [
            "criteria.code=IEC",
            "criteria.edition=",
            "it.cords=",
            "power.distribution.rack_system=400Y/230",
        ]
    return design(apply_sets(default_project(), sets)).panels.panels


def test_rows_hold_every_position_once_on_one_phase(panels: tuple[Panel, ...]) -> None:
    for panel in panels:
        rows = row_positions(panel)
        positions = sorted(p for row in rows for p in row if p is not None)
        assert positions == list(range(1, panel.poles + 1))
        for left, right in rows:
            phases = {panel.layout.phase(p) for p in (left, right) if p is not None}
            assert len(phases) == 1


@pytest.mark.parametrize("state", [0, 1])
def test_sums_by_phase_are_those_of_the_circuits(panels: tuple[Panel, ...], state: int) -> None:
    for panel in panels:
        expected = dict.fromkeys("ABC", 0.0)
        for circuit in panel.circuits:
            for phase, va in zip(panel.phases(circuit), circuit.pole_va(state), strict=True):
                expected[phase] += va
        rows = panel_rows(panel, state)
        for phase in "ABC":
            cells = [row[AT[f"{phase} VA{side}"]] for row in rows for side in BOTH_SIDES]
            shown = sum(float(cell.replace(",", "")) for cell in cells if cell)
            assert shown == pytest.approx(expected[phase], abs=0.5 * panel.poles)


def test_a_circuit_is_described_once_and_continued(panels: tuple[Panel, ...]) -> None:
    for panel in panels:
        rows = panel_rows(panel)
        assert all(len(row) == len(GRID_COLUMNS) for row in rows)
        described = [row[AT[f"description{side}"]] for side in BOTH_SIDES for row in rows]
        names = [text for text in described if text not in ("", "|", "SPACE")]
        assert sorted(names) == sorted(c.description for c in panel.circuits)
        assert described.count("|") == sum(c.poles - 1 for c in panel.circuits)
        assert described.count("SPACE") == len(panel.spaces)


def test_load_stands_under_the_phase_of_its_row(panels: tuple[Panel, ...]) -> None:
    for row in panel_rows(panels[0]):
        for side in BOTH_SIDES:
            cells = [row[AT[f"{phase} VA{side}"]] for phase in "ABC"]
            assert [bool(cell) for cell in cells].count(True) <= 1
            assert all(
                not cell or phase == row[AT["Ø"]] for cell, phase in zip(cells, "ABC", strict=True)
            )
