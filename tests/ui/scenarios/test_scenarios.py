"""Scenarios stand beside the project with their differences, and one becomes the project."""

from __future__ import annotations

import csv
import io
import json

import pytest
from streamlit.testing.v1 import AppTest

from facility.core.check import counted
from facility.core.errors import FacilityError
from facility.files.project.file import default_project, example_text, parse_project
from facility.files.workbook.split import scenarios_bytes
from facility.report.book.scenarios import DESIGNED, scenarios_csv, text_at
from facility.report.studies.compare import InScenarios
from facility.report.tables.names import input_name
from facility.study.design.design import Design
from facility.study.scenarios import (
    FLOOR,
    MAX_SCENARIOS,
    VIOLATIONS,
    WARNINGS,
    Scenarios,
    named,
    scenarios,
)
from tests.tools.workbooks import read_book
from tests.ui.helpers import (
    SCENARIOS,
    SUMMARY,
    assert_sound,
    design_with,
    edit_cells,
    errors,
    frames,
    go,
    grid,
    opened,
    press,
    session,
)


@pytest.fixture(scope="module")
def small() -> Scenarios:
    project = parse_project(example_text("dgx-su-32"))
    return scenarios(
        project,
        named(["half: it.gpus=128", "dear: site.tariff=0.12 USD/kWh; it.gpus=", "bad: it.gpus=x"]),
    )


_GPUS = input_name("it.gpus")


def results(at: AppTest) -> dict[str, dict[str, str]]:
    """Return the rows of the results by their names."""
    (frame,) = (one.value for one in frames(at) if "Result" in one.value.columns)
    return {row["Result"]: row for row in frame.to_dict("records")}


def figure(found: Design, key: str) -> float:
    """Return a result of a design [SI]."""
    return float(found.results[key].si)


def test_a_changed_field_shows_what_the_library_makes_of_it_and_becomes_the_project() -> None:
    at = opened()
    go(at, SCENARIOS)
    assert_sound(at)
    edit_cells(at, "scenario-inputs", added_rows=[{"path": _GPUS, "value-A": "8000"}])
    assert list(grid(at, "scenario-inputs").value["Input"]) == [_GPUS]
    assert list(grid(at, "scenario-inputs").value["Project"]) == ["10000"]
    before, after = design_with(), design_with("it.gpus=8000")
    row = results(at)["Facility load"]
    key = "load.facility"
    base, fewer = (figure(one, key) for one in (before, after))
    assert row["Project"] == before.results[key].shown()
    assert row["A"] == after.results[key].shown()
    assert row["A, change"] == f"−{(base - fewer) / 1e3:,.0f} kW"
    loading = results(at)["UPS loading, after design failure"]
    points = 100.0 * (figure(after, "ups.loading_failure") - figure(before, "ups.loading_failure"))
    assert loading["A, change"] == f"{points:.1f} % points".replace("-", "−")
    assert not loading["A, change (%)"]
    assert row["A, change (%)"] == pytest.approx(100.0 * (fewer - base) / base, abs=0.05)
    at.button(key="scenario-add").click()
    # An entry that is left for the button comes with it, from a grid of one scenario.
    edit_cells(at, "scenario-inputs", edited_rows={0: {"path": _GPUS, "value-A": " 8000"}})
    assert results(at)["Facility load"]["B"] == row["A"]
    edit_cells(at, "scenario-inputs", edited_rows={0: {"value-B": "many"}})
    marks = json.loads(grid(at, "scenario-inputs").data["body"])["marks"]["0"]
    assert marks["2"] == {"text": "8000", "options": ["designed"]}
    assert "many" in marks["3"]["error"]
    assert any("NOT_A_COUNT" in error for error in errors(at))
    assert results(at)["Facility load"]["B"] == ""
    go(at, SUMMARY)
    go(at, SCENARIOS)
    assert results(at)["Facility load"]["A"] == after.results[key].shown()
    press(at, "scenario-take-A")
    assert session(at).project.it.gpus == 8000
    same = results(at)["Facility load"]
    assert same["Project"] == same["A"] == row["A"]
    press(at, "undo")
    assert session(at).project.it.gpus == default_project().it.gpus


def test_a_field_that_belongs_to_a_changed_one_is_left_open() -> None:
    at = opened()
    go(at, SCENARIOS)
    added = [{"path": input_name("power.redundancy"), "value-A": "2N"}]
    edit_cells(at, "scenario-inputs", added_rows=added)
    assert not at.error
    modules = design_with("power.redundancy=2N", "it.feeds=").results["ups.modules"].shown()
    assert results(at)["UPS modules installed"]["A"] == modules


def test_figures_are_those_of_designs_of_their_own(small: Scenarios) -> None:
    figures = {figure.key: figure for figure in small.figures}
    base, half = small.base, small.scenarios[0].design
    assert half is not None
    load = figures["load.it"]
    assert load.base == base.results["load.it"].si
    assert load.values[0] == half.results["load.it"].si
    assert load.change(0) == pytest.approx(
        float(half.results["load.it"].si) - float(base.results["load.it"].si)
    )
    assert load.values[2] is None
    assert load.change(2) is None
    violations, warnings, *_ = small.figures
    assert (violations.key, warnings.key) == (VIOLATIONS, WARNINGS)
    counts = [counted(one.checks) for one in (base, half)]
    assert [violations.base, violations.values[0]] == [one["VIOLATION"] for one in counts]
    assert [warnings.base, warnings.values[0]] == [one["WARNING"] for one in counts]
    assert violations.values[2] is None
    floors = (one.trace.value("it.hall.1.floor_area") for one in (base, half))
    assert (figures[FLOOR].base, figures[FLOOR].values[0]) == tuple(floors)
    cost = figures["cost.annual"]
    assert small.scenarios[1].error is not None or cost.values[1] is not None
    refused = small.scenarios[2].error
    assert refused is not None
    assert refused.code == "NOT_A_COUNT"


def test_scenarios_are_refused_by_number_and_by_text() -> None:
    many = {str(n): {"it.gpus": "64"} for n in range(MAX_SCENARIOS + 1)}
    with pytest.raises(FacilityError, match="SCENARIOS_MANY"):
        scenarios(default_project(), many)
    for text in ("a", "a: ", "a: it.gpus", ": it.gpus=8"):
        with pytest.raises(FacilityError, match="SCENARIO_TEXT"):
            named([text])
    with pytest.raises(FacilityError, match="SCENARIO_TEXT"):
        named(["a: it.gpus=8", "a: it.gpus=9"])


def test_the_text_of_a_path_is_as_typed() -> None:
    project = default_project()
    assert text_at(project, "it.gpus") == "10000"
    assert text_at(project, "it.feeds") == "A, B, C"
    assert text_at(project, "it") == "(section)"
    assert text_at(project, "power.ups.nonsense") == DESIGNED


def test_comparison_is_written_as_workbook_and_csv(small: Scenarios) -> None:
    study = InScenarios(small)
    content = scenarios_bytes(small)
    assert content == scenarios_bytes(small)
    sheet = read_book(io.BytesIO(content), data_only=True)["Scenarios"]
    live = read_book(content)["Scenarios"]
    rows = {row[0].value: row for row in sheet.iter_rows() if row[0].value}
    load = next(figure for figure in small.figures if figure.key == "load.it")
    cells = rows["IT load at the equipment inputs"]
    assert load.base is not None
    assert cells[2].value == pytest.approx(load.base / 1e3)
    assert cells[4].value == pytest.approx((load.change(0) or 0.0) / 1e3)
    assert str(live[cells[4].coordinate].value).startswith("=")
    told = list(csv.reader(io.StringIO(scenarios_csv(small, "si").decode())))
    assert ["it.gpus", text_at(small.base.project, "it.gpus"), "128", DESIGNED, "x"] in told
    assert study.results["scenario.1.load.it"] != study.results["load.it"]
    listed = study.lists()["scenarios"]
    assert [one["id"] for one in listed] == ["half", "dear", "bad"]
