"""The inputs of a number that are shown in short: those of a sum add up to it."""

from __future__ import annotations

import pytest

from facility.report.why.derivation import leading_inputs, why
from facility.report.why.known import Known, known
from tests.study.helpers import reference


@pytest.fixture(scope="module")
def found() -> Known:
    design = reference("h100-10k")
    return known(design, design.checks)


@pytest.mark.parametrize("most", [3, 5, 8])
@pytest.mark.parametrize("id", ["load.cooling", "load.losses", "load.facility"])
def test_the_terms_of_a_sum_add_up(found: Known, id: str, most: int) -> None:
    terms = leading_inputs(found, id, most)
    assert len(terms) <= most
    assert all(value for _, value, _ in terms)
    assert sum(value for _, value, _ in terms) == pytest.approx(found.trace.value(id), rel=1e-12)


def test_the_largest_terms_come_first_and_the_others_last(found: Known) -> None:
    """Cooling of the reference has eight terms, of which three are zero."""
    terms = leading_inputs(found, "load.cooling", 4)
    values = [value for _, value, _ in terms]
    assert values[:3] == sorted(values[:3], reverse=True)
    assert [title for title, *_ in terms][3] == "Other terms (2)"
    assert "Other terms" not in " ".join(
        title for title, *_ in leading_inputs(found, "load.cooling", 5)
    )


@pytest.mark.parametrize("id", ["ups.module_rating", "ups.modules", "ups.model"])
def test_the_size_of_the_ups_is_explained_with_the_candidates_not_selected(id: str) -> None:
    design = reference("dgx-su-32")
    (chain,) = (one for one in design.choices if one.subject == "power chain")
    found = why(known(design, design.checks), id)
    assert found.choice is chain
    assert len(chain.candidates) > 1
    assert chain.candidates[1].figures not in found.because


def test_a_stated_size_has_no_candidates(found: Known) -> None:
    assert why(found, "ups.module_rating").choice is None
    assert why(found, "load.facility").choice is None
