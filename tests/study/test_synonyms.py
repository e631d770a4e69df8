"""The table of trade terms: its ids exist, the search and `explain` find them."""

from __future__ import annotations

import pytest

from facility.cooling.rules import RULES as COOLING
from facility.core.errors import FacilityError
from facility.model.inputs.declare import fields_of
from facility.model.inputs.document import Project
from facility.power.rules import RULES as POWER
from facility.report.objects.find import entries_of, find
from facility.report.objects.objects import DesignObjects
from facility.report.why.known import known
from facility.study.explained import SYNONYMS, explain_result, synonym_ids
from facility.study.figures import FIGURES
from facility.study.rules import RULES as STUDY
from tests.study.helpers import reference


def test_ids_of_the_table_exist() -> None:
    declared = {figure.key for figure in FIGURES} | set(fields_of(Project))
    declared |= {rule for wing in (POWER, COOLING, STUDY) for rule in wing}
    assert not {id for ids in SYNONYMS.values() for id in ids} - declared
    assert len(SYNONYMS) > 60


def test_terms_may_be_incomplete_and_name_families() -> None:
    ids = ("loop.tcs.head", "loop.tcs.flow", "ups.modules", "REDUNDANCY")
    assert synonym_ids("pump hea", ids) == ("loop.tcs.head",)
    assert synonym_ids("UPS size", ids) == ("ups.modules",)
    assert synonym_ids("n+1", ids) == ("REDUNDANCY",)
    assert synonym_ids("load.it", ids) == synonym_ids("", ids) == synonym_ids("up", ids) == ()


@pytest.mark.parametrize(
    ("typed", "first"),
    [
        ("UPS size", "ups.module_rating"),
        ("N+1", "REDUNDANCY"),
        ("wet bulb", "plant.rejection.entering_air"),
        ("peak demand", "utility.demand"),
        ("breaker", "NEC-OCPD-RATING"),
    ],
)
def test_search_and_explain_know_trade_terms(typed: str, first: str) -> None:
    design = reference("dgx-su-32")
    entries = entries_of(DesignObjects(design, None), known(design))
    ids = [hit.id for hit in find(entries, typed).hits]
    proposed = synonym_ids(typed, ids)
    assert first in proposed
    assert ids[: len(proposed)] == list(proposed)
    with pytest.raises(FacilityError) as refused:
        explain_result(design, typed)
    assert refused.value.code == "UNKNOWN_RESULT"
    assert refused.value.hint.startswith("Use ")
