"""Formulas that no design uses give the figures that were published for them."""

from __future__ import annotations

import csv
import importlib

import pytest

from facility.study.verification import manual, run_case
from tests.formulas.case_functions import FUNCTIONS
from tests.formulas.cases import CASES, read_cases
from tests.tools.equations import all_equations


def test_every_published_case_is_met_or_explained(monkeypatch: pytest.MonkeyPatch) -> None:
    assert {name for name in all_equations() if name.startswith("tests.formulas.")}
    monkeypatch.setattr(manual, "FUNCTIONS", {**manual.FUNCTIONS, **FUNCTIONS})
    cases = read_cases()
    outcomes = {case.id: run_case(case) for case in cases}
    failing = [one.as_row() for one in outcomes.values() if one.status == "fail"]
    assert not failing, "\n".join(" | ".join(row) for row in failing)
    explained = {case.id for case in cases if case.status == "explained"}
    assert {id for id, one in outcomes.items() if one.status == "explained"} == explained
    assert {case.compute for case in cases} >= set(FUNCTIONS)


def test_a_figure_beyond_its_tolerance_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    for case in read_cases():
        assert case.tolerance is not None
        assert isinstance(case.expected, float)
        beyond = case.expected + 1.001 * case.tolerance + 1e-6 * abs(case.expected) + 1e-12
        monkeypatch.setattr(manual, "evaluate", lambda *_, value=beyond: value)
        assert run_case(case).status == ("explained" if case.status == "explained" else "fail")


def test_cases_are_of_formulas_that_are_here_alone() -> None:
    with CASES.open(newline="", encoding="utf-8") as stream:
        for row in csv.DictReader(stream):
            module, _, name = row["compute"].rpartition(".")
            if module.startswith("tests.formulas."):
                assert hasattr(importlib.import_module(module), name), row["id"]
            else:
                assert row["compute"] in set(FUNCTIONS) - set(manual.FUNCTIONS), row["id"]
