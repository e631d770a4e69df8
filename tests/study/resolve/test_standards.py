"""Editions and classes that are accepted and not covered: sizing, checks, and what states them."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from facility.catalogue import Row, table
from facility.catalogue.articles import article
from facility.core.check import Check, Outcome, Severity
from facility.core.errors import FacilityError
from facility.model.inputs.criteria import ACCEPTED_EDITIONS, CODE_EDITIONS, CriteriaSection
from facility.power.rules import RULES
from facility.report.studies.protocol import notices_of_project
from facility.study.resolve.standards import evaluated_where_covered, stated_uncovered
from tests.study.helpers import SHORTEST, design_of, reference

SMALL = ("it.gpus=256", "site.station=ashburn")
NEC_2026 = "criteria.edition=2026"
ROWS = table("site/uncovered_standards").rows


def changed(found: Iterable[Check]) -> dict[tuple[str, str], str]:
    """Return the checks that are not evaluated for an uncovered standard, and their reason."""
    return {
        (check.rule, check.subject): check.why
        for check in found
        if check.outcome is Outcome.NOT_EVALUATED and "is not covered. By" in check.why
    }


class TestNec2026:
    """A project that states NEC 2026."""

    def test_results_are_those_of_2023(self) -> None:
        stated, covered = (
            design_of(SHORTEST, *SMALL, f"criteria.edition={year}") for year in ("2026", "2023")
        )
        assert stated.facility.criteria.edition == "2023"
        for of in ("results", "all_results"):
            one, other = getattr(stated, of), getattr(covered, of)
            assert {k: v.si for k, v in one.items()} == {k: v.si for k, v in other.items()}

    def test_every_check_of_an_nec_clause_is_not_evaluated_and_keeps_its_result(self) -> None:
        stated = design_of(SHORTEST, *SMALL, NEC_2026)
        covered = design_of(SHORTEST, *SMALL, "criteria.edition=2023")
        found = changed(stated.checks)
        of_code = [
            check
            for check in covered.checks
            if (check.source.id.startswith("nec-") or check.rule.startswith("NEC-"))
            and check.outcome is not Outcome.NOT_EVALUATED
        ]
        assert len(of_code) == len(found) > 50
        for check in of_code:
            why = found[check.rule, check.subject]
            assert "NEC 2026 (criteria.edition)" in why
            assert f"By NEC 2023: {check.word}, " in why
            assert check.comparison() in why
        others = {(c.rule, c.subject): c.word for c in covered.checks if c not in of_code}
        stated_others = {(c.rule, c.subject): c.word for c in stated.checks}
        assert others.items() <= stated_others.items()

    def test_one_warning_names_the_edition_and_the_remedy(self) -> None:
        (check,) = (
            c
            for c in design_of(SHORTEST, *SMALL, NEC_2026).checks
            if c.rule == "STANDARD-UNCOVERED"
        )
        assert (check.outcome, check.severity) == (Outcome.FAIL, Severity.WARNING)
        assert (check.subject, "sized by NEC 2023" in check.why) == ("NEC 2026", True)
        assert "Article 120" in check.why
        assert "criteria.edition" in check.remedy

    def test_no_result_cites_the_edition(self) -> None:
        found = design_of(SHORTEST, *SMALL, NEC_2026)
        sources = {check.source for check in found.checks}
        sources |= {one.source for one in found.ledger}
        sources |= {step.source for step in found.trace}
        of_code = [one for one in sources if one.id.startswith("nec-")]
        assert of_code
        assert all("2026" not in str(one) for one in of_code)
        assert any(one.edition == "2023" for one in of_code)

    def test_the_covered_edition_is_an_assumption(self) -> None:
        (entry,) = (
            one
            for one in design_of(SHORTEST, *SMALL, NEC_2026).ledger
            if one.id == "criteria.edition_covered"
        )
        assert (entry.text, entry.status) == ("2023", "open")
        assert "the project states NEC 2026" in entry.basis


def test_a_check_that_fails_by_the_covered_edition_says_so() -> None:
    uncovered = stated_uncovered(CriteriaSection(edition="2026"))
    by_code = RULES["BRANCH-LOAD"].by(article("branch load", "2023"))
    failed = by_code.at_most("P1", 50.0, 48.0, "current", "circuit P1-1")
    unknown = by_code.not_evaluated("P2", "load unknown")
    other = RULES["UPS-LOADING-NORMAL"].at_most("UPS", 0.9, 0.8, "fraction", "N+1")
    found, *same = evaluated_where_covered(uncovered, (failed, unknown, other))
    assert (found.outcome, found.value, found.limit) == (Outcome.NOT_EVALUATED, None, None)
    assert found.why == (
        "NEC 2026 (criteria.edition) is not covered. By NEC 2023: VIOLATION, 50.0 A exceeds 48.0 A:"
        " circuit P1-1"
    )
    assert str(found.source) == "nec-210-20, 2023, 210.20(A)"
    assert same == [unknown, other]
    assert evaluated_where_covered(uncovered, (found,)) == (found,)
    assert evaluated_where_covered((), (failed,)) == (failed,)


@pytest.mark.parametrize(
    ("liquid_class", "covered", "coolant_max_c"),
    [
        ("S30", "W27", 30.0),
        ("S35", "W32", 35.0),
        ("S40", "W40", 40.0),
        ("S45", "W45", 45.0),
        ("S50", "W45", 50.0),
        ("W+", "W45", None),
    ],
)
def test_liquid_classes_are_sized_by_a_class_of_2021(
    liquid_class: str, covered: str, coolant_max_c: float | None
) -> None:
    found = reference("nvl72-hall", f"criteria.liquid_class={liquid_class}")
    criteria, flow = found.facility.criteria, found.cooling_flow
    assert (criteria.liquid_class, criteria.liquid_class_stated) == (covered, True)
    assert criteria.facility_water_class == f"{covered} (ASHRAE {liquid_class} is not covered)"
    assert flow.fws_supply_c <= criteria.liquid_supply_max_c
    assert criteria.coolant_limits_c == (() if coolant_max_c is None else (coolant_max_c,))
    if coolant_max_c is not None:
        assert flow.tcs_supply_c <= coolant_max_c + 1e-9
    assert {rule for rule, _ in changed(found.with_waivers(found.sizing_checks))} == {
        "FWS-TEMPERATURE"
    }
    assert found.notes == notices_of_project(found.project)


def test_coolant_above_an_s_class_is_not_evaluated_with_both_numbers() -> None:
    sets = ("criteria.liquid_class=S30", "cooling.cdu.tcs_supply=40 degC")
    checks = reference("nvl72-hall", *sets).liquid_path.checks
    (check,) = (c for c in checks if c.rule == "SUPPLY-CLASS")
    assert check.outcome is Outcome.NOT_EVALUATED
    assert check.why == (
        "coolant supply 40.0 °C; ASHRAE S30 (criteria.liquid_class), 30.0 °C, is not covered"
    )


def test_covered_editions_and_classes_have_no_notice() -> None:
    for edition in ("2023", "2017"):
        found = design_of(SHORTEST, *SMALL, f"criteria.edition={edition}")
        assert found.notes == []
        assert "STANDARD-UNCOVERED" not in {check.rule for check in found.sizing_checks}
        assert found.facility.criteria.code_edition == f"NEC {found.facility.criteria.edition}"


@pytest.mark.parametrize(
    ("sets", "where", "message"),
    [
        (
            ("criteria.edition=2035",),
            "criteria.edition",
            "Accepted: NEC 2017, 2020, 2023, 2026; IEC",
        ),
        (("criteria.edition=NEC-2026",), "criteria.edition", "not a known edition"),
        (("criteria.code=IEC", NEC_2026), "criteria.edition", "but of the NEC"),
        (("site.country=GB", NEC_2026), "criteria.edition", "2026 is an edition of the NEC"),
        (("criteria.liquid_class=S55",), "criteria.liquid_class", "S50"),
        (("criteria.liquid_class=W50",), "criteria.liquid_class", "W45"),
        (("criteria.liquid_class=W5",), "criteria.liquid_class", "W"),
    ],
)
def test_other_editions_and_classes_are_rejected(
    sets: tuple[str, ...], where: str, message: str
) -> None:
    with pytest.raises(FacilityError) as refused:
        design_of(SHORTEST, *SMALL, *sets)
    assert refused.value.where == where
    assert message in f"{refused.value.message} {refused.value.hint}"


def test_the_table_has_what_the_inputs_accept() -> None:
    stated = {field: {r.text("stated") for r in ROWS if r.text("field") == field}
              for field in ("criteria.edition", "criteria.liquid_class")}  # fmt: skip
    assert stated["criteria.edition"] == {e for those in ACCEPTED_EDITIONS.values() for e in those}
    annotation = str(CriteriaSection.model_fields["liquid_class"].annotation)
    classes = {r.text("liquid_class") for r in table("cooling/ashrae_liquid_classes").rows}
    assert all(f"'{name}'" in annotation for name in classes)
    assert stated["criteria.liquid_class"] == {c for c in classes if c[0] == "S" or c == "W+"}
    editions = {edition for those in CODE_EDITIONS.values() for edition in those}
    for row in ROWS:
        assert row.text("covered") in editions | classes
        assert row.text("covered") not in {r.text("stated") for r in ROWS}
        assert row.text("covered") in row.text("sized_by")


@pytest.mark.parametrize("row", [r for r in ROWS if r.text("stated").startswith("S")],
                         ids=lambda row: row.text("stated"))  # fmt: skip
def test_an_s_class_is_sized_by_the_warmest_w_class_that_is_not_warmer(row: Row) -> None:
    rows = table("cooling/ashrae_liquid_classes")
    coolant_c = rows.get(row.text("stated")).si("t_supply_max_c")
    water = {
        r.text("liquid_class"): r.si_or_none("t_supply_max_c") for r in rows.select(loop="FWS")
    }
    cooler = {name: c for name, c in water.items() if c is not None and c <= coolant_c}
    assert row.text("covered") == max(cooler, key=lambda name: cooler[name])
