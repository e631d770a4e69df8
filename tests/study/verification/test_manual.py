"""The verification manual: nothing fails, nothing is missing, nothing has been moved."""

from __future__ import annotations

import csv
import json
import math
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from facility.catalogue import table
from facility.core.reference import reference_path
from facility.files.project.file import load_project
from facility.model.inputs.document import as_typed
from facility.study.verification import CaseOutcome, PublishedCase, manual, run_case, run_cases
from facility.study.verification.design_cases import case_project
from facility.study.verification.manual import FUNCTIONS, case_tables, read_cases
from tests.formulas.cases import read_cases as formula_cases

HERE = Path(__file__).parent
DOCUMENT = HERE.parents[2] / "docs" / "verification.md"
JSON_KEYS = {
    "id",
    "title",
    "source",
    "expected",
    "computed",
    "unit",
    "deviation",
    "tolerance",
    "status",
    "reason",
}

with (HERE / "expected_ids.csv").open(newline="", encoding="utf-8") as stream:
    PUBLISHED = list(csv.DictReader(stream))
CASES = read_cases()
HINTS = {row.text("id"): row.text("status") for name in case_tables() for row in table(name).rows}


@pytest.fixture(scope="module")
def outcomes() -> dict[str, CaseOutcome]:
    found = run_cases()
    assert [outcome.id for outcome in found] == [case.id for case in CASES]
    return {outcome.id: outcome for outcome in found}


def test_no_case_fails(outcomes: dict[str, CaseOutcome]) -> None:
    failing = [outcome.as_row() for outcome in outcomes.values() if outcome.status == "fail"]
    assert not failing, "\n".join(" | ".join(row) for row in failing)
    assert sum(outcome.status == "pass" for outcome in outcomes.values()) > 520


def test_ids_are_unique() -> None:
    counts = Counter(case.id for case in CASES)
    assert not [id for id, count in counts.items() if count > 1]


def test_every_published_row_is_in_the_manual_with_its_figure() -> None:
    known = {case.id: case for case in (*CASES, *formula_cases())}
    assert {row["case_id"] for row in PUBLISHED} == set(known)
    assert len(PUBLISHED) == len(known)
    for row in PUBLISHED:
        expected = known[row["case_id"]].expected
        if isinstance(expected, float):
            published = {"yes": 1.0, "no": 0.0}.get(row["expected"])
            assert expected == (float(row["expected"]) if published is None else published), row
        else:
            assert expected == row["expected"], row


def test_what_is_not_covered_says_why_and_has_no_function() -> None:
    for case in CASES:
        if case.status == "not_covered":
            assert case.reason, case.id
            assert not case.compute, case.id
        else:
            assert case.compute, case.id
            if isinstance(case.expected, str):
                assert case.expected, case.id
                assert not case.unit, case.id
                assert case.tolerance is None, case.id
                continue
            assert case.tolerance is not None, case.id
            assert case.tolerance >= 0.0, case.id


def test_what_is_explained_is_computed_disagrees_and_says_why(
    outcomes: dict[str, CaseOutcome],
) -> None:
    hinted = {id for id, hint in HINTS.items() if hint == "explained"}
    assert hinted == {id for id, outcome in outcomes.items() if outcome.status == "explained"}
    for id in hinted:
        outcome = outcomes[id]
        assert len(outcome.reason) > 20, id
        assert outcome.computed is not None, id
        if isinstance(outcome.expected, str):
            assert outcome.computed != outcome.expected, id
            continue
        assert outcome.deviation is not None, id
        assert outcome.tolerance is not None, id
        assert abs(outcome.deviation) > outcome.tolerance, id


def test_only_guides_and_published_errors_are_explained() -> None:
    explained = {id for id, hint in HINTS.items() if hint == "explained"}
    errors = {"ERR.systems_3n_2"}
    rounded_before_the_end = {"E07.egc_cmil", "E13.vd_v"}
    policies = {"E32.panel_a"}
    inputs_not_published = {"RTT06.time"}
    control_differs = {"CHILLERWSE.pue"}
    errors |= rounded_before_the_end | policies | inputs_not_published | control_differs
    assert {id for id in explained - errors if not id.startswith("G")} == set()


@pytest.mark.parametrize("side", [1.0, -1.0])
def test_a_number_beyond_its_tolerance_fails(side: float, monkeypatch: pytest.MonkeyPatch) -> None:
    for case in CASES:
        if HINTS[case.id] != "covered" or isinstance(case.expected, str):
            continue
        assert case.tolerance is not None
        slack = 1e-6 * abs(case.expected) + 1e-12
        beyond = case.expected + side * (case.tolerance * 1.001 + slack)
        monkeypatch.setattr(manual, "evaluate", lambda *_, value=beyond: value)
        assert run_case(case).status == "fail", case.id
        within = case.expected + side * case.tolerance * 0.999
        monkeypatch.setattr(manual, "evaluate", lambda *_, value=within: value)
        assert run_case(case).status == "pass", case.id


def test_a_text_is_the_same_or_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    texts = [c for c in CASES if HINTS[c.id] == "covered" and isinstance(c.expected, str)]
    assert len(texts) > 20
    for case in texts:
        given = ((case.expected, "pass"), (f"{case.expected}0", "fail"), (1.0, "fail"))
        for value, status in given:
            monkeypatch.setattr(manual, "evaluate", lambda *_, value=value: value)
            assert run_case(case).status == status, (case.id, value)
    case = texts[0]
    shown = case.evaluated(case.expected).as_json()
    assert (shown["computed"], shown["deviation"]) == (case.expected, None)
    other = replace(case, status="explained", reason="for a reason")
    assert other.evaluated("another").status == "explained"
    assert other.evaluated(1.0).status == "fail"
    assert other.evaluated(None).status == "fail"


def test_a_text_has_no_number_to_compare_with() -> None:
    case = _case()
    assert case.evaluated("250").status == "fail"
    assert case.evaluated("250").as_json()["computed"] == "250"


def _case(**changes: object) -> PublishedCase:
    case = next(case for case in CASES if case.id == "PSY10.pressure_pa")
    return replace(case, **changes)  # type: ignore[arg-type]


def test_a_case_that_cannot_be_computed_fails_with_the_reason() -> None:
    for changes, word in (
        ({"compute": "physics.air.psychrometrics.standard_presure"}, "standard_pressure"),
        ({"compute": "air.entalpy"}, "air.enthalpy"),
        ({"inputs": {"height_m": 1.0}}, "height_m"),
        ({"unit": "kW"}, "not a unit of pressure"),
        ({"inputs": {"elevation_m": "low"}}, "could not be computed"),
    ):
        outcome = run_case(_case(**changes))
        assert outcome.status == "fail"
        assert word in outcome.reason
        assert outcome.computed is None


def test_a_case_without_a_number_is_never_a_pass() -> None:
    assert run_case(_case()).status == "pass"
    assert run_case(_case(expected="about one bar")).status == "fail"
    assert run_case(_case(tolerance=None)).status == "fail"


def test_a_result_that_is_no_number_is_never_explained() -> None:
    case = _case(status="explained", reason="for a reason")
    assert case.evaluated(math.nan).status == "fail"
    assert case.evaluated(math.nan).as_json()["computed"] is None
    assert case.evaluated(1.0).status == "explained"


def test_json_and_row_have_the_shape_of_the_contract(outcomes: dict[str, CaseOutcome]) -> None:
    for outcome in outcomes.values():
        document = outcome.as_json()
        assert set(document) == JSON_KEYS
        assert document["status"] in {"pass", "fail", "explained", "not_covered"}
        json.dumps(document, allow_nan=False)
        row = outcome.as_row()
        assert len(row) == 9
        assert all(isinstance(cell, str) for cell in row)
        assert (row[0], row[7]) == (outcome.id, outcome.status)
        assert document["source"]


def test_every_case_function_is_used() -> None:
    used = {case.compute for case in CASES}
    assert set(FUNCTIONS) - used == set()


def _dotted(value: Any, name: str = "") -> Iterator[tuple[str, str]]:
    """Yield the dotted names and values of a document, as the table of projects has them."""
    if isinstance(value, list) and all(isinstance(word, str) for word in value):
        yield name, f"[{', '.join(value)}]"
    elif isinstance(value, str):
        yield name, value
    else:
        inner = value.items() if isinstance(value, dict) else enumerate(value)
        for key, item in inner:
            yield from _dotted(item, f"{name}.{key}" if name else str(key))


def test_the_reference_projects_of_the_manual_are_those_of_the_package() -> None:
    for path in sorted(reference_path("projects").glob("*.yaml")):
        typed = as_typed(load_project(path))
        typed.pop("project")
        fields = "; ".join(f"{name}={value}" for name, value in _dotted(typed))
        assert as_typed(case_project(path.stem)) == typed, (
            f"write into reference/cases/projects.csv, row {path.stem}: {fields}"
        )


def test_the_document_counts_what_there_is() -> None:
    areas: dict[str, Counter[str]] = {}
    for name in case_tables():
        for row in table(name).rows:
            areas.setdefault(row.text("area"), Counter())[row.text("status")] += 1
    total = sum(areas.values(), Counter())
    printed = {}
    for line in DOCUMENT.read_text("utf-8").splitlines():
        cells = [cell.strip(" *") for cell in line.strip("|").split("|")]
        if len(cells) == 5 and cells[2].isdigit():
            printed[cells[0]] = tuple(int(cell) for cell in cells[2:])
    counted = {
        area: tuple(counts[status] for status in ("covered", "explained", "not_covered"))
        for area, counts in {**areas, "All": total}.items()
    }
    assert printed == counted
