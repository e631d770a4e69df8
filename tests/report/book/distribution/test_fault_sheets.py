"""Faults, Arc flash, Failures: figures of the studies, and words where a figure is not known."""

from __future__ import annotations

import math

import pytest

from facility.report.book.distribution.failures import MAX_STATES, failures_sheet
from facility.report.book.distribution.faults import UNLIMITED
from facility.report.sheet.model import Book
from facility.report.sheet.tables import PageSetup
from facility.report.tables.states import worst_first
from facility.study.design.design import Design
from facility.study.failures.study import FailureStudy, failures
from tests.report.book.conftest import CASES
from tests.report.book.reading import heading_row, is_live, rows_of, sheet_of

PLAIN = PageSetup("", "", "", False)


@pytest.fixture(scope="module")
def studies(designs: dict[str, Design]) -> dict[str, FailureStudy]:
    return {name: failures(designs[name]) for name in CASES}


@pytest.mark.parametrize("name", CASES)
def test_fault_currents_are_the_engines(
    name: str, designs: dict[str, Design], books: dict[str, Book]
) -> None:
    faults = designs[name].distribution.faults
    seen = set()
    for row in rows_of(sheet_of(books[name], "Faults"), 4):
        state = faults.states[str(row["Source"].value)]
        at = state.highest.index(str(row["Bus"].value))
        seen.add(row["Source"].value)
        for head, study in (
            ("Maximum, three-phase (kA)", state.highest.three_phase_a),
            ("Maximum, line-to-line (kA)", state.highest.line_line_a),
            ("Maximum, line-to-ground (kA)", state.highest.line_ground_a),
            ("First peak (kA)", state.highest.peak_a),
        ):
            value = row[head].value
            if math.isfinite(study[at]):
                assert value == pytest.approx(study[at] / 1e3, rel=1e-6), head
            else:
                assert isinstance(value, str), head
    assert seen == set(faults.states)


@pytest.mark.parametrize("name", CASES)
def test_an_unknown_fault_level_is_said_in_words(name: str, books: dict[str, Book]) -> None:
    rows = [
        row
        for row in rows_of(sheet_of(books[name], "Faults"), 4)
        if row["Source"].value == "utility"
    ]
    root = rows[0]
    assert root["Maximum, three-phase (kA)"].value == UNLIMITED
    assert root["Interrupting duty (kA)"].value == UNLIMITED
    assert root["Minimum rating (kA)"].value == "unknown"
    assert {row["Minimum, three-phase (kA)"].value for row in rows} == {"unknown"}


def test_peak_is_live_where_its_formula_is(books: dict[str, Book]) -> None:
    live = {
        name: {
            is_live(row["First peak (kA)"])
            for row in rows_of(sheet_of(books[name], "Faults"), 4)
            if not isinstance(row["First peak (kA)"].value, str)
        }
        for name in ("us-208-2n", "iec-400")
    }
    assert live == {"us-208-2n": {True}, "iec-400": {False}}


@pytest.mark.parametrize("name", CASES)
def test_every_piece_of_equipment_and_every_terminal_is_behind_a_row(
    name: str, designs: dict[str, Design], books: dict[str, Book]
) -> None:
    found = designs[name].distribution.faults
    reached = set(found.states["utility"].highest.tags)
    buses = list(found.bus_of.values())
    expected = sum(bus in reached for bus in buses) + len(reached - set(buses))
    counted = sum(
        float(str(row["Quantity"].value))
        for row in rows_of(sheet_of(books[name], "Faults"), 4)
        if row["Source"].value == "utility"
    )
    assert counted == expected


@pytest.mark.parametrize("name", CASES)
def test_arc_flash_inputs_leave_to_the_user_what_is_his(
    name: str, designs: dict[str, Design], books: dict[str, Book]
) -> None:
    sheet = sheet_of(books[name], "Arc flash")
    rows = list(rows_of(sheet, 4))
    inputs = designs[name].distribution.arc_flash
    assert len(rows) == len(inputs)
    for row, one in zip(rows, inputs, strict=True):
        assert row["Bus"].value == one.bus
        known = one.bolted_max_a is not None
        value = row["Bolted, maximum (kA)"].value
        assert value == (pytest.approx((one.bolted_max_a or 0.0) / 1e3) if known else "unknown")
        assert row["Clearing time (s)"].value == row["Gap (mm)"].value == ""
    assert "Incident energy is not computed" in str(sheet.cells[2, 1].value)


@pytest.mark.parametrize("name", CASES)
def test_failures_name_verdicts_first_and_the_worst_outages(
    name: str, studies: dict[str, FailureStudy], books: dict[str, Book]
) -> None:
    study, sheet = studies[name], sheet_of(books[name], "Failures")
    assert study.concurrently_maintainable.because in str(sheet.cells[5, 1].value)
    assert study.fault_tolerant.because in str(sheet.cells[6, 1].value)
    by_id = {state.case.outage.id: state for state in study.states}
    rows = list(rows_of(sheet, heading_row(sheet, "Outage")))
    shown = [str(row["Outage"].value) for row in rows]
    assert shown[0] == "normal"
    assert {s.case.outage.id for s in study.states if s.case.kind == "utility"} <= set(shown)
    others = [
        s for s in study.states if s.case.kind not in ("normal", "utility", "utility-generator")
    ]
    expected = [s.case.outage.id for s in worst_first(others)[:MAX_STATES]]
    assert shown[-len(expected) :] == expected
    for row, id in zip(rows, shown, strict=True):
        state = by_id[id]
        assert row["IT load dropped (kW)"].value == pytest.approx(state.dropped_w / 1e3)
        assert row["Overloads"].value == len(state.overloads)
        if state.worst_loading:
            assert row["Maximum loading"].value == pytest.approx(state.worst_loading[1])


def test_what_is_not_shown_is_counted(
    studies: dict[str, FailureStudy], books: dict[str, Book]
) -> None:
    study = studies["mixed-hall"]
    texts = [str(c.value) for c in sheet_of(books["mixed-hall"], "Failures").cells.values()]
    left = len(study.states) - MAX_STATES - 3
    assert left > 0
    assert any(text.startswith(f"{left} more states") for text in texts)


def test_overload_is_marked_red_before_amber(studies: dict[str, FailureStudy]) -> None:
    sheet = failures_sheet("Failures", studies["us-208-2n"], PLAIN)
    loading = [
        rule for rule in sheet.conditionals if "0.8" in rule.formula or "1+1E-6" in rule.formula
    ]
    assert [rule.style for rule in loading[:2]] == ["bad", "warn"]
