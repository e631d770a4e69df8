"""The calculation package and the numbers of the sheets of a set."""

from __future__ import annotations

import re

import pytest

from facility.catalogue import sources
from facility.core.check import Severity
from facility.report.drawings.scene import Text
from facility.report.issue.calculation import (
    calculation_contents,
    decisive_assumptions,
    key_equations,
)
from facility.report.issue.content import TableBlock
from facility.report.issue.paper import paper_of
from facility.report.issue.sheet import IssuedSheet
from facility.report.issue.sheets import numbered
from tests.files.issue.issued import designed, issued


def test_the_package_of_a_small_project_is_short_and_has_what_a_reviewer_needs() -> None:
    package = [sheet for sheet in issued().sheets if sheet.content == "Calculation package"]
    assert len(package) <= 6
    assert len(issued().sheets) <= 25
    texts = {s.text for sheet in package for s in sheet.body if isinstance(s, Text)}
    headings = "Purpose Conclusion Method Inputs Assumptions Codes, Results Outages Checks"
    assert [w for w in headings.split() if not any(f" {w}" in text for text in texts)] == []
    failed = [
        one for one in designed().checks if one.word in (Severity.VIOLATION, Severity.WARNING)
    ]
    drawn = {key for sheet in package for key, _ in sheet.figures}
    assert {one.rule for one in failed} <= drawn


def test_inputs_and_nameplates_are_named_in_words() -> None:
    """Field paths are for the column of fields and for remedies, not for notes and other tables."""
    for content in calculation_contents(designed(), "ip"):
        tables = {b.table.title: b.table for b in content.blocks if isinstance(b, TableBlock)}
        inputs = [row[0] for row in tables["Not evaluated"].rows]
        assert inputs
        assert not [text for text in inputs if re.search(r"[a-z]\.[a-z]|_|\[\]", text)]
    drawings = [sheet for sheet in issued().sheets if sheet.content != "Calculation package"]
    texts = [s.text for sheet in drawings for s in sheet.body if isinstance(s, Text)]
    assert not [text for text in texts if re.search(r"(power|panels)\.nameplate", text)]


def test_assumptions_are_those_that_results_derive_from() -> None:
    found = decisive_assumptions(designed())
    counts = [count for one, count in found if one.status == "open"]
    assert counts == sorted(counts, reverse=True)
    assert {"it.diversity", "power.feeder_loss"} <= {one.id for one, _ in found}


def test_equations_carry_the_key_figures_and_have_a_source() -> None:
    found = key_equations(designed().full_trace)
    assert any("power_usage_effectiveness" in one.name for one in found)
    assert {one.source.id for one in found} <= set(sources())


@pytest.mark.parametrize(
    ("count", "first", "last"), [(99, "E-601", "E-699"), (100, "E-6001", "E-6100")]
)
def test_numbers_of_a_long_series_are_of_one_length(count: int, first: str, last: str) -> None:
    paper = paper_of("NEC", large=False)
    sheets = [IssuedSheet("", "", "", "E", paper, False, (), series=6)] * count
    other = IssuedSheet("", "", "", "E", paper, False, (), series=7)
    numbers = [one.number for one in numbered([*sheets, other])]
    assert (numbers[0], numbers[count - 1], numbers[count]) == (first, last, "E-701")
    assert len(set(numbers)) == count + 1
