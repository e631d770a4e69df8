"""Rules give a verdict with its margin, and never silence."""

from __future__ import annotations

import math
from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st

from facility.core.check import Check, Outcome, Rule, Rules, Severity, counted, merged
from facility.core.sources import Source

CODE = Source("NFPA70", "210.20(A)", "2023")
LOADING = Rule("OCPD-LOADING", "Breaker loading", Severity.VIOLATION, CODE, "Use a larger one.")


def test_pass_is_reported_with_its_margin() -> None:
    check = LOADING.compare("RPP-1A:3", 40.0, "<=", 48.0, "current")
    assert check.outcome is Outcome.PASS
    assert check.margin == pytest.approx(1 / 6)
    assert check.remedy == ""
    assert check.comparison() == "40.0 A <= 48.0 A"
    assert check.why == "Breaker loading: 40.0 A <= 48.0 A"
    assert check.source.locator == "210.20(A)"


def test_fail_says_so_and_how_to_mend_it() -> None:
    check = LOADING.compare("RPP-1A:3", 60.0, "<=", 48.0, "current")
    assert check.failed
    assert check.margin == pytest.approx(-0.25)
    assert check.why == "Breaker loading: 60.0 A exceeds 48.0 A"
    assert check.remedy == "Use a larger one."


def test_a_reason_without_numbers_is_told_with_value_and_limit() -> None:
    told = LOADING.compare("x", 60.0, "<=", 48.0, "current", "the breaker is too small")
    assert told.found() == "60.0 A exceeds 48.0 A: the breaker is too small"
    least = LOADING.compare("x", 40.0, ">=", 48.0, "current", "too little")
    assert least.found() == "40.0 A is under 48.0 A: too little"
    for why in ("", "60.0 A of 48.0 A"):
        check = LOADING.compare("x", 60.0, "<=", 48.0, "current", why)
        assert check.found() == check.why
    assert LOADING.compare("x", 40.0, "<=", 48.0, "current", "fits").found() == "fits"


def test_rounding_never_hides_a_failure() -> None:
    check = LOADING.compare("x", 48.0004, "<=", 48.0, "current")
    assert check.failed
    assert check.why == "Breaker loading: 48.0004 A exceeds 48.0000 A"


def test_a_value_computed_equal_to_its_limit_passes() -> None:
    assert not LOADING.compare("x", 48.0 * (1 + 1e-12), "<=", 48.0, "current").failed
    assert not LOADING.compare("x", 0.1 + 0.2, ">=", 0.3, "ratio").failed


@given(value=st.floats(-1e9, 1e9), limit=st.floats(-1e9, 1e9))
def test_senses_are_mirror_images(value: float, limit: float) -> None:
    below = LOADING.compare("x", value, "<=", limit, "ratio")
    above = LOADING.compare("x", -value, ">=", -limit, "ratio")
    assert below.outcome is above.outcome
    assert below.failed == (value > limit and not math.isclose(value, limit, rel_tol=1e-9))


def test_not_a_number_is_not_evaluated() -> None:
    for value, limit in [(math.nan, 1.0), (1.0, math.nan)]:
        check = LOADING.compare("x", value, "<=", limit, "current")
        assert check.outcome is Outcome.NOT_EVALUATED


def test_an_infinite_value_fails_a_finite_limit() -> None:
    assert LOADING.compare("x", math.inf, "<=", 48.0, "current").failed
    assert LOADING.compare("x", 48.0, ">=", math.inf, "current").failed
    assert not LOADING.compare("x", 48.0, "<=", math.inf, "current").failed


def test_unknown_sense_is_a_mistake() -> None:
    with pytest.raises(ValueError, match="sense"):
        LOADING.compare("x", 1.0, "<", 2.0, "current")


def test_verdict_without_numbers() -> None:
    held = LOADING.verdict("x", True, "listed for 100 %")
    failed = LOADING.verdict("x", False, "not listed", "Choose a listed one.")
    assert (held.outcome, held.remedy, held.margin, held.comparison()) == (
        Outcome.PASS,
        "",
        None,
        "",
    )
    assert (failed.outcome, failed.remedy) == (Outcome.FAIL, "Choose a listed one.")
    assert LOADING.verdict("x", False, "not listed").remedy == "Use a larger one."


def test_counted() -> None:
    advice = Rule("A", "Advice", Severity.ADVICE, CODE)
    checks = [
        LOADING.compare("a", 1.0, "<=", 2.0, "current"),
        LOADING.compare("b", 3.0, "<=", 2.0, "current"),
        advice.verdict("c", False, "why"),
        advice.not_evaluated("d", "unknown"),
    ]
    assert counted(checks) == {
        "VIOLATION": 1,
        "WARNING": 0,
        "ADVICE": 1,
        "PASS": 1,
        "NOT_EVALUATED": 1,
        "WAIVED": 0,
    }


def test_the_same_of_several_subjects_is_one_finding_that_names_them() -> None:
    checks = [LOADING.compare(rack, 50.0, "<=", 48.0, "current") for rack in ("A1", "A2", "A3")]
    other = LOADING.compare("B1", 51.0, "<=", 48.0, "current")
    (one, left) = merged([checks[0], other, *checks[1:]])
    assert (one.subject, one.alike, one.count) == ("A1", ("A2", "A3"), 3)
    assert one.about() == "A1; A2; and 1 more"
    assert one.about(3) == "A1; A2; A3"
    assert left == other
    assert left.about() == "B1"
    assert merged(merged(checks)) == merged(checks)
    assert counted(merged([*checks, other]))["VIOLATION"] == 2


def test_findings_that_differ_in_anything_but_the_subject_stay_apart() -> None:
    found = LOADING.compare("A1", 50.0, "<=", 48.0, "current")
    others = [
        LOADING.compare("A2", 50.0 * (1.0 + 1e-7), "<=", 48.0, "current"),
        LOADING.compare("A2", 50.0, "<=", 48.0, "current", "another reason"),
        LOADING.compare("A2", 47.0, "<=", 48.0, "current"),
        LOADING.not_evaluated("A2", found.why),
        Rule("OTHER", LOADING.title, Severity.VIOLATION, CODE, LOADING.remedy).compare(
            "A2", 50.0, "<=", 48.0, "current"
        ),
    ]
    for other in others:
        assert merged([found, other]) == (found, other)
    rounding = LOADING.compare("A2", 50.0 * (1.0 + 1e-12), "<=", 48.0, "current")
    assert len(merged([found, rounding])) == 1


def test_value_and_limit_are_told_in_the_units_of_the_view() -> None:
    """Hand: 28.2 degC = 82.76 degF, 27 degC = 80.6 degF, 25 degC = 77 degF."""
    rule = Rule("INLET", "Inlet", Severity.WARNING, CODE)
    auto = rule.compare("rack", 28.2, "<=", 27.0, "temperature")
    assert auto.found() == "Inlet: 28.2 °C exceeds 27.0 °C"
    assert auto.found("ip") == "Inlet: 82.8 °F exceeds 80.6 °F"
    stated = rule.compare("rack", 28.2, "<=", 27.0, "temperature", "27.0 °C is recommended")
    assert stated.found("ip") == "80.6 °F is recommended"
    told = rule.compare("rack", 28.2, "<=", 27.0, "temperature", "too warm after 127.0 °C s")
    assert told.found("ip") == "82.8 °F exceeds 80.6 °F: too warm after 127.0 °C s"
    assert told.comparison("ip") == "82.8 °F exceeds 80.6 °F"
    held = rule.compare("rack", 25.0, "<=", 27.0, "temperature")
    assert held.found("ip") == "Inlet: 77.0 °F <= 80.6 °F"


@dataclass(frozen=True)
class Pump:
    flow_m3_s: float
    rated_m3_s: float | None
    load_w: float = 1234.0
    running: bool = True


ROW = {
    "id": "PUMP-FLOW", "title": "Pump flow", "severity": "warning", "remedy": "Add a pump.",
    "source": "rule", "locator": "", "edition": "", "verified": "read",
    "per": "Pump", "subject": "", "compares": "flow_m3_s <= 0.5 rated_m3_s",
    "kind": "liquid_flow", "applies": "running", "reason": "", "unknown": "",
}  # fmt: skip


def of_row(pump: Pump, **cells: str) -> list[Check]:
    return list(Rules([ROW | cells]).checks(pump, "P-1"))


def test_a_row_compares_two_figures() -> None:
    (held,) = of_row(Pump(0.010, 0.020))
    assert (held.rule, held.subject, held.outcome) == ("PUMP-FLOW", "P-1", Outcome.PASS)
    assert (held.value, held.limit, held.severity) == (0.010, 0.010, Severity.WARNING)
    (failed,) = of_row(Pump(0.012, 0.020))
    assert failed.failed
    assert failed.why == "Pump flow: 720 L/min exceeds 600 L/min"
    assert failed.remedy == "Add a pump."


def test_a_row_with_a_number_has_it_as_its_limit() -> None:
    (check,) = of_row(Pump(0.012, None), compares="flow_m3_s >= 0.02")
    assert (check.failed, check.limit, check.sense) == (True, 0.02, ">=")


def test_a_row_names_the_figures_of_its_subject() -> None:
    texts = {
        "subject": "pump of {load_w:.2f kW}",
        "reason": "{flow_m3_s:liquid_flow}, {load_w:.1f}",
    }
    (check,) = of_row(Pump(0.012, 0.020), **texts)
    assert (check.subject, check.why) == ("pump of 1.23 kW", "720 L/min, 1234.0")


def test_a_figure_that_is_missing_is_not_evaluated_or_does_not_apply() -> None:
    assert of_row(Pump(0.012, None)) == []
    (check,) = of_row(Pump(0.012, None), unknown="the rating is not stated")
    assert (check.outcome, check.why) == (Outcome.NOT_EVALUATED, "the rating is not stated")
    assert of_row(Pump(0.012, 0.020, running=False), unknown="stopped") == []
    assert of_row(Pump(0.012, 0.020), per="Fan") == []


def test_a_second_row_of_a_rule_compares_other_figures() -> None:
    again = dict.fromkeys(ROW, "") | {
        "id": "PUMP-FLOW", "per": "Pump", "compares": "flow_m3_s >= 0.001", "kind": "liquid_flow",
    }  # fmt: skip
    found = list(Rules([ROW, again]).checks(Pump(0.012, 0.020)))
    assert [check.limit for check in found] == [0.010, 0.001]
    assert {check.severity for check in found} == {Severity.WARNING}


@pytest.mark.parametrize("text", ["flow_m3_s < 1", "flow_m3_s <= ", "flow() <= 1", "1 <= flow"])
def test_a_row_that_states_no_comparison_is_an_error(text: str) -> None:
    with pytest.raises(ValueError, match="PUMP-FLOW"):
        Rules([ROW | {"compares": text}])
