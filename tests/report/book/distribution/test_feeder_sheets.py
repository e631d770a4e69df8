"""Feeders and Voltage drop: the engine's circuits, live, and what an edited setting does."""

from __future__ import annotations

from collections import Counter

import pytest

from facility.power.feeders.schedule import Feeder
from facility.report.book.distribution.feeders import FeederFacts, feeders_sheet
from facility.report.sheet.model import Book
from facility.report.sheet.tables import PageSetup
from facility.study.design.design import Design
from tests.report.book.conftest import CASES
from tests.report.book.reading import heading_row, rows_of, sheet_of

HEAD_ROW = 6


def _by_tag(design: Design) -> dict[str, Feeder]:
    return {feeder.circuit.tag: feeder for feeder in design.distribution.feeders.feeders}


@pytest.mark.parametrize("name", CASES)
def test_every_circuit_to_the_panels_and_every_sort_of_branch_has_its_row(
    name: str, designs: dict[str, Design], books: dict[str, Book]
) -> None:
    rows = list(rows_of(sheet_of(books[name], "Feeders"), HEAD_ROW))
    feeders = designs[name].distribution.feeders.feeders
    tags = [row["Circuit"].value for row in rows]
    assert len(set(tags)) == len(tags)
    assert {f.circuit.tag for f in feeders if f.circuit.stage != "branch"} <= set(tags)
    assert sum(float(str(row["Circuits"].value)) for row in rows) == sum(
        f.circuit.runs for f in feeders
    )


@pytest.mark.parametrize("name", CASES)
def test_schedule_holds_the_engines_figures_live(
    name: str, designs: dict[str, Design], books: dict[str, Book]
) -> None:
    feeders = _by_tag(designs[name])
    sized = 0
    for row in rows_of(sheet_of(books[name], "Feeders"), HEAD_ROW):
        feeder = feeders[str(row["Circuit"].value)]
        choice = feeder.choice
        assert row["Normal load (A)"].value == pytest.approx(feeder.normal_a)
        assert row["Worst-case load (A)"].value == pytest.approx(feeder.worst_a)
        if choice is None:
            assert row["Line conductor"].value == "by its maker's table"
            assert row["Device (A)"].value is None
            continue
        sized += 1
        for head, value in (
            ("Required (A)", choice.required_a),
            ("Corrected ampacity (A)", choice.ampacity_corrected_a),
            ("Ampacity used (A)", choice.ampacity_a),
        ):
            assert row[head].value == pytest.approx(value, rel=1e-12), head
            assert row[head].formula, head
        assert row["Device (A)"].value == choice.ocpd_a
        assert row["Device and ampacity"].value == "OK"
    assert sized


@pytest.mark.parametrize("name", CASES)
def test_voltage_drop_of_each_sort_is_the_engines(
    name: str, designs: dict[str, Design], books: dict[str, Book]
) -> None:
    feeders = _by_tag(designs[name])
    count = Counter(feeder.group for feeder in feeders.values())
    sheet = sheet_of(books[name], "Voltage drop")
    rows = list(rows_of(sheet, heading_row(sheet, "Most loaded circuit")))
    assert len(rows) == len(count)
    for row in rows:
        feeder = feeders[str(row["Most loaded circuit"].value)]
        assert row["Circuits"].value == count[feeder.group]
        if feeder.choice is not None and feeder.choice.drop_v is not None:
            assert row["Drop (V)"].value == pytest.approx(feeder.choice.drop_v, rel=1e-12)
            assert row["Exact drop (V)"].value == pytest.approx(
                feeder.choice.drop_exact_v, rel=1e-12
            )
            assert row["Drop (V)"].formula
            assert row["Exact drop (V)"].formula
            assert row["Articles"].value == ", ".join(feeder.choice.articles)


def test_assemblies_listed_for_full_load_take_no_factor(designs: dict[str, Design]) -> None:
    found = designs["us-208-2n"]
    facts = FeederFacts(found.facility.criteria, found.facility.electrical.conductors, True)
    plain = PageSetup("", "", "", False)
    sheet = feeders_sheet("Feeders", found.distribution.feeders.feeders, facts, plain)
    assert sheet.cells[4, 2].value == 1.0
    assert not sheet.cells[4, 2].formula
    assert "100 %" in str(sheet.cells[4, 3].value)


@pytest.mark.parametrize("name", CASES)
def test_mechanical_circuits_are_the_engines(
    name: str, designs: dict[str, Design], books: dict[str, Book]
) -> None:
    design, sheet = designs[name], sheet_of(books[name], "Mechanical circuits")
    schedule = design.distribution.mechanical
    rows = list(rows_of(sheet, heading_row(sheet, "Tag")))
    assert [row["Units"].value for row in rows] == [
        one.unit.units.name for one in schedule.circuits
    ]
    for row, one in zip(rows, schedule.circuits, strict=True):
        assert row["Rated current (A)"].value == pytest.approx(one.unit.current_a, rel=1e-9)
        assert row["Rated current (A)"].formula
        assert row["Minimum ampacity (A)"].value == pytest.approx(one.conductor_a, rel=1e-9)
        assert row["Device (A)"].value == one.unit.device.rating_a
        assert row["Device and ampacity"].value == "OK"
    boards = list(rows_of(sheet, heading_row(sheet, "Board")))
    assert [row["Board"].value for row in boards] == [board.tag for board in schedule.boards]
    circuits = sum(float(str(row["Circuits"].value)) for row in boards)
    assert circuits == sum(one.unit.units.installed for one in schedule.circuits)
    for row, board in zip(boards, schedule.boards, strict=True):
        least_a = board.motors.min_device_a
        assert row["Device and other motors (A)"].value == pytest.approx(least_a, rel=1e-9)
