"""Checks of a panel: each passes, fails, and is not evaluated where data are missing."""

from __future__ import annotations

from dataclasses import replace

import pytest

from facility import catalogue
from facility.core.check import Check, Outcome, Severity
from facility.core.errors import FacilityError
from facility.power.panels.board.model import Circuit, Panel
from facility.power.panels.design.checks import check_panel, panel_rules
from facility.study.verification.power.panel_cases import NEC
from tests.power.panels.helpers import IEC, build, frame, load, panel, rack


def by_rule(found: tuple[Check, ...], rule: str) -> list[Check]:
    return [check for check in found if check.rule == rule]


def whip(normal_a: float, failover_a: float, breaker_a: float | None = 30.0) -> Circuit:
    """Return a balanced three-phase 208 V whip that draws such line currents."""
    va = [208.0 / 3.0**0.5 * amperes for amperes in (normal_a, failover_a)]
    legs = tuple((complex(v),) * 3 for v in va)
    return load("w", 3, 1.0, position=1, power_va=legs, breaker_a=breaker_a)


@pytest.mark.parametrize(
    ("normal_a", "failover_a", "outcomes"),
    [
        (12.0, 24.0, ["PASS", "PASS"]),
        (13.0, 25.0, ["PASS", "FAIL"]),
        (25.0, 26.0, ["FAIL", "FAIL"]),
    ],
)
def test_30_ampere_circuit_normal_and_failover(
    normal_a: float, failover_a: float, outcomes: list[str]
) -> None:
    """D5: 24 A at 80 % of 30 A; 12 + 12 A pass, 13 + 12 A pass normally and fail on one side."""
    found = by_rule(check_panel(panel(whip(normal_a, failover_a)), NEC), "BRANCH-LOAD")
    assert [check.outcome.value for check in found] == outcomes
    assert [check.subject for check in found] == ["P, normal", "P, B lost"]
    assert found[1].limit == pytest.approx(24.0)
    assert found[1].value == pytest.approx(failover_a)


def test_the_rating_needed_is_said() -> None:
    found = by_rule(check_panel(panel(whip(13.0, 25.0)), NEC), "BRANCH-LOAD")[1]
    assert "at least 31.2 A required" in found.why
    assert "1 of 1 circuits overloaded" in found.why
    assert found.severity is Severity.VIOLATION
    assert found.remedy


def test_listed_assemblies_and_iec_take_the_full_rating() -> None:
    made = panel(whip(15.0, 29.0))
    for found in (check_panel(replace(made, listed_100=True), NEC), check_panel(made, IEC)):
        assert all(not c.failed for c in by_rule(found, "BRANCH-LOAD"))
        assert by_rule(found, "BRANCH-LOAD")[1].limit == 30.0


def test_a_panel_too_full_for_its_bus_names_line_state_and_totals() -> None:
    legs = tuple((complex(120.0889 * a),) for a in (200.0, 330.0))
    made = panel(*(load(f"c{n}", 1, 1.0, position=n, power_va=legs) for n in (1, 3, 5)))
    normal, failover = by_rule(check_panel(made, NEC), "PANEL-LOAD")
    assert (normal.outcome, failover.outcome) == (Outcome.PASS, Outcome.FAIL)
    assert failover.value == pytest.approx(330.0, rel=1e-5)
    assert failover.limit == pytest.approx(320.0)
    assert "118.9 kVA" in failover.why
    assert "72.1 kVA with all feeds alive" in failover.why
    assert "215.3" in failover.source.locator
    assert failover.source.edition == "2023"


def test_the_smaller_of_bus_and_main_counts() -> None:
    made = panel(load("c", 1, 120.0889 * 100.0, position=1), main_a=100.0)
    assert by_rule(check_panel(made, NEC), "PANEL-LOAD")[0].limit == pytest.approx(80.0)


def test_imbalance_is_advice_with_its_definition() -> None:
    even = panel(*(load(f"c{n}", 1, 1000.0, position=n) for n in (1, 3, 5)))
    uneven = panel(
        load("a", 1, 1300.0, position=1),
        load("b", 1, 1000.0, position=3),
        load("c", 1, 1000.0, position=5),
    )
    assert not by_rule(check_panel(even, NEC), "PANEL-IMBALANCE")[0].failed
    found = by_rule(check_panel(uneven, NEC), "PANEL-IMBALANCE")[0]
    assert found.failed
    assert found.severity is Severity.ADVICE
    assert "maximum deviation from the mean / mean" in found.why
    assert found.value == pytest.approx(0.2 / 1.1)


def test_missing_ratings_are_not_evaluated() -> None:
    made: Panel = panel(whip(12.0, 24.0, None), bus_a=None, main_a=None)
    found = check_panel(made, NEC)
    assert {c.outcome for c in by_rule(found, "PANEL-LOAD")} == {Outcome.NOT_EVALUATED}
    assert [c.outcome for c in by_rule(found, "BRANCH-LOAD")] == [Outcome.NOT_EVALUATED]


def test_poles_beyond_the_panel_fail() -> None:
    crowded = panel(*(load(str(n), 3, 1.0) for n in range(15)))
    assert by_rule(check_panel(crowded, NEC), "PANEL-POLES")[0].failed


def test_panels_filled_alike_are_checked_once_by_name_of_all() -> None:
    found = build(rack(30))
    subjects = {c.subject for c in found.checks if c.rule == "PANEL-POLES"}
    assert subjects == {f"RPP-{f}01 to RPP-{f}03 (3 similar)" for f in "ABC"}


def test_breakers_of_no_standard_rating_are_warned_of() -> None:
    found = build(rack(3, breaker_a=63.0))
    (check,) = [c for c in found.checks if c.rule == "BREAKER-STANDARD"]
    assert check.failed
    assert check.severity is Severity.WARNING
    assert not any(c.failed for c in build(rack(3)).checks if c.rule == "BREAKER-STANDARD")


def test_rules_follow_the_code() -> None:
    assert panel_rules("NEC", "2017").branch.source.locator == "210.20(A)"
    assert panel_rules("NEC", "2017").branch.source.edition == "2017"
    assert panel_rules("IEC", "2018").branch.source.id == "iec-60364-4-43-overload"
    assert "Ib <= In" in panel_rules("IEC", "2018").branch.source.locator


@pytest.mark.parametrize("code", ["NEC", "IEC"])
def test_every_publication_that_a_rule_cites_is_listed(code: str) -> None:
    rules = vars(panel_rules(code, "2023")).values()
    own = {"design practice", "panelboard"}
    assert {rule.source.id for rule in rules} <= set(catalogue.sources()) | own


def test_maximum_number_of_overcurrent_devices_is_408_54() -> None:
    """408.36 is overcurrent protection of the panelboard, 408.54 the number of devices in it."""
    rules = panel_rules("NEC", "2023")
    assert rules.poles.source.locator == "408.54"
    assert rules.main.source.locator == "408.36"


@pytest.mark.parametrize(("main_a", "failed"), [(225.0, False), (600.0, True)])
def test_a_main_larger_than_the_bus_does_not_protect_it(main_a: float, failed: bool) -> None:
    """NFPA 70, 408.36: protection not greater than the rating of the panelboard."""
    made = panel(load("c", 1, 100.0, position=1), bus_a=225.0, main_a=main_a)
    (check,) = by_rule(check_panel(made, NEC), "PANEL-MAIN")
    assert check.failed is failed
    assert check.severity is Severity.VIOLATION


def test_breakers_chosen_from_an_own_list_are_held_against_the_standard() -> None:
    """55 A is not in NFPA 70 Table 240.6(A), which goes 50, 60."""
    found = build(rack(3, breaker_a=None), basis=frame(breaker_sizes_a=(55.0, 65.0)))
    checks = [c for c in found.checks if c.rule == "BREAKER-STANDARD"]
    assert checks
    assert all(c.failed for c in checks)


def test_a_breaker_above_the_bus_is_refused() -> None:
    """500 A is a standard rating, and more than a 400 A bus carries."""
    with pytest.raises(FacilityError, match="500 A branch breaker exceeds the 400 A panel"):
        build(rack(3, breaker_a=500.0))
