"""The schedule as a grid: every pole once, on its phase, with the load of the state."""

from __future__ import annotations

import pytest

from facility.files.project.file import apply_sets, default_project
from facility.power.panels.board.layout import PHASE_NAMES
from facility.power.panels.board.model import Panel
from facility.power.panels.board.moves import moved
from facility.report.book.panels.text_grid import row_positions
from facility.study.design.design import design
from facility.ui.grid.model import Value
from facility.ui.panels.schedule import PoleGrid
from facility.ui.session.panel_rows import grid_rows

SIDES = ("l", "r")


def rows_of(panel: Panel, state: int = 0) -> list[dict[str, Value]]:
    """Return the rows of the schedule by column."""
    grid = PoleGrid(panel, state).grid("Schedule")
    keys = [column.key for column in grid.columns]
    return [dict(zip(keys, row.values, strict=True)) for row in grid.rows]


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
        names = PHASE_NAMES[panel.numbering]
        expected = dict.fromkeys(names, 0.0)
        for circuit in panel.circuits:
            for phase, va in zip(panel.phases(circuit), circuit.pole_va(state), strict=True):
                expected[names["ABC".index(phase)]] += va
        shown = dict.fromkeys(names, 0.0)
        for row in rows_of(panel, state):
            shown[str(row["phase"])] += sum(float(row[f"va-{side}"] or 0.0) for side in SIDES)
        assert shown == pytest.approx(expected)


def test_a_circuit_is_described_once_and_continued(panels: tuple[Panel, ...]) -> None:
    for panel in panels:
        rows = rows_of(panel)
        described = [row[f"load-{side}"] for side in SIDES for row in rows]
        names = [text for text in described if text not in (None, "Space")]
        assert sorted(map(str, names)) == sorted(c.description for c in panel.circuits)
        assert described.count(None) == sum(c.poles - 1 for c in panel.circuits)
        assert described.count("Space") == len(panel.spaces)
        joined = [
            mark
            for row in PoleGrid(panel).grid("Schedule").rows
            for key, mark in row.marks.items()
            if key.startswith("load") and mark.joined
        ]
        assert len(joined) == described.count(None)


def test_trip_and_poles_stand_on_the_first_pole(panels: tuple[Panel, ...]) -> None:
    panel = panels[0]
    for (row, side), cell in PoleGrid(panel).poles.items():
        found = rows_of(panel)[int(row)]
        trip = cell.circuit.breaker_a if not cell.pole else None
        assert found[f"trip-{side}"] == trip
        assert found[f"ckt-{side}"] == panel.layout.label(panel.occupied(cell.circuit)[cell.pole])


@pytest.mark.parametrize("side", SIDES)
def test_one_side_alone_has_the_cells_of_that_side(panels: tuple[Panel, ...], side: str) -> None:
    whole, part = rows_of(panels[0]), PoleGrid(panels[0], only=side).grid("Schedule")
    keys = [column.key for column in part.columns]
    assert [list(row.values) for row in part.rows] == [[row[key] for key in keys] for row in whole]
    assert {key.partition("-")[2] for key in keys} == {side, ""}


def test_all_poles_of_moved_circuits_are_marked_and_no_spaces(panels: tuple[Panel, ...]) -> None:
    panel = panels[0]
    circuit = panel.circuits[0]
    after = moved(panel, {circuit.id: max(panel.spaces) - 2 * (circuit.poles - 1)})
    schedule = PoleGrid(after)
    marked = {
        (row.id, key)
        for row in schedule.grid("Schedule", before=panel).rows
        for key, mark in row.marks.items()
        if mark.was is not None
    }
    names = ("load", "poles", "trip", "pf", "va", "ckt")
    assert marked == {
        (row, f"{name}-{side}")
        for (row, side), cell in schedule.poles.items()
        if cell.circuit.id == circuit.id
        for name in names
    }


def test_a_position_is_typed_as_it_is_shown_and_a_way_by_its_number(
    panels: tuple[Panel, ...],
) -> None:
    panel = panels[0]
    schedule = PoleGrid(panel)
    rows = {row.id: row for row in schedule.grid("Schedule", grid_rows(panel)).rows}
    (id, side), cell = next((at, c) for at, c in schedule.poles.items() if not c.pole)
    assert rows[id].marks[f"ckt-{side}"].entry == panel.layout.label(cell.circuit.position or 0)

    def typed(text: str) -> str:
        return schedule.entries([(id, f"ckt-{side}", text)])[0][2]

    ways = panel.layout.whole_ways
    assert typed(panel.layout.label(7)) == "7"
    assert typed("3") == ("7" if ways else "3")
    assert typed("99") == ("99L1" if ways else "99")
