"""Short-circuit ratings: stated ones are held, open ones chosen from the standard steps."""

from __future__ import annotations

from functools import cache

import pytest

from facility.core.check import Check, Outcome
from facility.core.errors import FacilityError
from facility.files.project.file import apply_sets, load_project, parse_project
from facility.power.substation.interrupting_ratings import assembly_ratings
from facility.study.design.design import Design, design
from tests.power.helpers import DATA, build


@cache
def campus(*sets: str) -> Design:
    return design(apply_sets(load_project(DATA / "projects" / "campus-100mw.yaml"), sets))


def interrupting(found: Design, kind: str) -> Check:
    (check,) = [
        c
        for c in found.distribution.checks
        if c.rule == "FAULT-INTERRUPTING" and c.subject.startswith(kind)
    ]
    return check


def test_ratings_are_those_of_the_voltage_class() -> None:
    """34.5 kV is the 38 kV class, 13.8 kV the 15 kV class of IEEE C37.06."""
    assert assembly_ratings("mv-switchgear", "NEC", 34.5e3)[-1].rating_a == 40e3
    assert assembly_ratings("mv-switchgear", "NEC", 13.8e3)[-1].rating_a == 63e3
    assert assembly_ratings("mv-switchgear", "IEC", 11e3)[-1].rating_a == 50e3
    assert assembly_ratings("mv-switchgear", "NEC", 69e3) == ()
    assert [r.rating_a / 1e3 for r in assembly_ratings("lv-board", "NEC", 415.0)] == [
        30.0,
        42.0,
        50.0,
        65.0,
        85.0,
        100.0,
    ]


def test_nothing_is_left_unevaluated_where_the_fault_level_is_known() -> None:
    checks = [c for c in campus().distribution.checks if c.rule == "FAULT-INTERRUPTING"]
    assert {c.subject.split(",")[0] for c in checks} >= {"MV switchgear", "LV boards", "panels"}
    assert all(check.outcome is not Outcome.NOT_EVALUATED for check in checks)


def test_switchgear_at_34_5_kv_is_made_for_40_ka() -> None:
    """2,300 MVA are 38.5 kA and 1.1 of motors: within; 2,500 MVA give 43.0 kA."""
    above = interrupting(campus(), "MV switchgear")
    assert above.failed
    assert above.severity == "VIOLATION"
    assert "site.fault_level" in above.why
    assert "site.utility_voltage" in above.why
    within = interrupting(campus("site.fault_level=2300 MVA"), "MV switchgear")
    assert within.outcome is Outcome.PASS
    assert within.limit == 40e3


def test_a_stated_board_rating_is_held_against_the_current() -> None:
    """62.29 kA at the board behind a busway of 5,000 A: 62 kA is a VIOLATION, 63 kA is not."""
    assert interrupting(campus("power.faults.board_rating=62 kA"), "LV boards").failed
    stated = campus("power.faults.board_rating=63 kA")
    check = interrupting(stated, "LV boards")
    assert check.outcome is Outcome.PASS
    assert "as stated" in check.why
    assert float(stated.all_results["fault.board.rating"].si) == 63e3


def test_two_large_transformers_on_one_board_are_above_what_boards_are_made_for() -> None:
    """Twice 60 kA: no standard board."""
    check = interrupting(campus("power.ups.buses=10"), "LV boards")
    assert check.failed
    assert check.limit == 100e3


@pytest.mark.parametrize(
    ("given", "where"),
    [
        ({"impedance": "0.5 %"}, "power.transformer.impedance"),
        (
            {
                "rating": "1000 kVA",
                "no_load_loss": "2 kW",
                "load_loss": "60 kW",
                "impedance": "6 %",
            },
            "power.transformer.impedance",
        ),
        (
            {"rating": "1000 kVA", "no_load_loss": "2 kW", "load_loss": "60 kW"},
            "power.transformer.load_loss",
        ),
        ({"impedance": "0 %"}, "power.transformer.impedance"),
    ],
)
def test_an_impedance_at_or_under_the_resistance_is_refused(
    given: dict[str, str], where: str
) -> None:
    """60 kW of 1,000 kVA are 6 % resistance: 6 % and 5.75 % impedance leave no reactance."""
    with pytest.raises(FacilityError) as caught:
        build(transformer=given)
    assert caught.value.code == "TRANSFORMER_IMPEDANCE"
    assert caught.value.where == where


def test_an_impedance_just_above_the_resistance_is_taken() -> None:
    given = {"rating": "1000 kVA", "no_load_loss": "2 kW", "load_loss": "59 kW", "impedance": "6 %"}
    assert build(transformer=given).design.transformers.unit.impedance == 0.06


OPEN = """\
schema_version: 1
it: {gpu_model: H100 SXM5, gpus: 256}
power: {redundancy: N+1}
cooling: {method: air}
"""


@cache
def left_open(*sets: str) -> Design:
    return design(apply_sets(parse_project(OPEN), sets))


def test_ratings_left_open_are_evaluated_on_an_unlimited_utility() -> None:
    """All but that of medium voltage, for which no published level stands."""
    found = left_open()
    assert found.facility.site.fault_level_va is None
    by_outcome: dict[Outcome, set[str]] = {}
    for one in found.distribution.checks:
        if one.rule == "FAULT-INTERRUPTING":
            by_outcome.setdefault(one.outcome, set()).add(one.subject.partition(",")[0])
    assert by_outcome[Outcome.NOT_EVALUATED] == {"MV switchgear"}
    assert by_outcome[Outcome.PASS] >= {"LV boards", "panels", "UPS outputs", "generator buses"}
    assert set(by_outcome) == {Outcome.NOT_EVALUATED, Outcome.PASS}


def test_an_unlimited_utility_and_assumed_times_tell_nothing_of_low_currents() -> None:
    found = left_open()
    rules = ("FAULT-LOWEST", "FAULT-INVERTER-TIME", "UTILITY-SUPPLY")
    low = [c for c in found.checks if c.rule in rules]
    assert {c.outcome for c in low} == {Outcome.NOT_EVALUATED}
    on_utility = [one for one in found.distribution.arc_flash if one.state == "utility"]
    assert on_utility
    assert all(one.bolted_min_a is None for one in on_utility)
    assert all(one.clearing_s is None for one in found.distribution.arc_flash)


def test_conductors_of_large_devices_withstand_what_is_assumed() -> None:
    """Nothing is stated of clearing times, and no rule of withstand fails."""
    found = left_open("power.distribution.rack_system=415Y/240", "it.gpus=1024")
    checks = [c for c in found.distribution.checks if c.rule.endswith("WITHSTAND")]
    assert any("power circuit-breaker with 50 ms clearing time" in c.why for c in checks)
    assert not [c for c in checks if c.failed]
