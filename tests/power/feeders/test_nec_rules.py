"""Rules beside the choice: transformers, taps, grounding, ground faults, switches, rooms."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import pytest

from facility.catalogue.articles import article
from facility.core.check import Check, Outcome, Severity
from facility.core.errors import FacilityError
from facility.core.kinds import KINDS
from facility.physics.circuits.conductors import adiabatic_current, withstand_current
from facility.power.feeders.nec.candidate import fill_limit, smallest_conduit
from facility.power.feeders.nec.equipment import (
    arc_energy_check,
    fault_marking_advice,
    gfci_check,
    ground_fault_check,
    panelboard_protection_check,
    room_advice,
    transfer_rating_check,
)
from facility.power.feeders.nec.grounding import (
    bonding_jumper,
    grounding_electrode,
    installed_egc,
    table_egc,
)
from facility.power.feeders.nec.secondaries import secondary_checks
from facility.power.feeders.nec.tables import impedance_per_metre, wire_size
from facility.power.feeders.nec.transformer import protect_transformer

KCMIL_M2 = KINDS["area"].units["kcmil"][0]
FOOT_M = KINDS["length"].units["ft"][0]


def failed(checks: Iterable[Check]) -> set[str]:
    return {check.rule for check in checks if check.failed}


# --- transformers -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rating_va", "secondary", "primary_max_a", "primary_ocpd_a"),
    [
        # 45 kVA: 54.13 A; alone 125 % = 67.66 A, next size up; with a secondary 250 % down.
        (45e3, False, 67.66, 70.0),
        (45e3, True, 135.3, 125.0),
        # 6 kVA: 7.217 A; alone 167 % = 12.05 A, no next size up: 10 A of 2023.
        (6e3, False, 12.05, 10.0),
    ],
)
def test_protection_to_1000_v(
    rating_va: float, secondary: bool, primary_max_a: float, primary_ocpd_a: float
) -> None:
    found = protect_transformer(rating_va, 480.0, 208.0, "2023", secondary_device=secondary)
    assert found.primary_max_a == pytest.approx(primary_max_a, rel=1e-3)
    assert found.primary_ocpd_a == primary_ocpd_a
    assert (found.secondary_max_a is None) is not secondary
    assert found.primary_conductor_a == pytest.approx(1.25 * found.primary_a)


def test_small_primary_of_2017_has_no_standard_rating() -> None:
    with pytest.raises(FacilityError, match=r"12\.1 A") as caught:
        protect_transformer(6e3, 480.0, 208.0, "2017", secondary_device=False)
    assert (caught.value.code, caught.value.exit_code) == ("NO_BREAKER", 4)


@pytest.mark.parametrize(
    ("impedance", "supervised", "primary", "secondary", "secondary_ocpd_a"),
    [
        # 2500 kVA, 13.8 kV / 480 V: 104.6 and 3007 A.
        (0.0575, True, 6.0, 2.5, 6000.0),
        (0.08, True, 4.0, 2.5, 6000.0),
        (0.0575, False, 6.0, 1.25, 4000.0),
        (0.08, False, 4.0, 1.25, 4000.0),
    ],
)
def test_protection_over_1000_v(
    impedance: float, supervised: bool, primary: float, secondary: float, secondary_ocpd_a: float
) -> None:
    found = protect_transformer(
        2500e3, 13800.0, 480.0, "2023", impedance=impedance, supervised=supervised
    )
    assert found.primary_max_a == pytest.approx(primary * 104.59, rel=1e-4)
    assert found.secondary_max_a == pytest.approx(secondary * 3007.0, rel=1e-4)
    assert found.primary_ocpd_a is None
    assert found.secondary_ocpd_a == secondary_ocpd_a
    fuse = protect_transformer(
        2500e3,
        13800.0,
        480.0,
        "2023",
        impedance=impedance,
        supervised=supervised,
        primary_kind="fuse",
    )
    assert fuse.primary_max_a == pytest.approx(3.0 * 104.59, rel=1e-4)


def test_supervised_primary_alone_and_refusals_over_1000_v() -> None:
    alone = protect_transformer(2500e3, 13800.0, 480.0, "2023", secondary_device=False)
    assert alone.primary_max_a == pytest.approx(3.0 * 104.59, rel=1e-4)
    assert alone.secondary_max_a is None
    for changes in (
        {"supervised": False, "secondary_device": False},
        {"impedance": None},
        {"impedance": 0.12},
    ):
        with pytest.raises(FacilityError) as caught:
            protect_transformer(2500e3, 13800.0, 480.0, "2023", **changes)  # type: ignore[arg-type]
        assert caught.value.code == "NO_PROTECTION_ROW"


# --- taps and secondaries -----------------------------------------------------------------------


def test_ten_foot_secondary() -> None:
    # 75 kVA, 225 A ahead at 480 V: at least 51.9 A at 208 V, and not below the device of 225 A.
    def at(ampacity_a: float, end_a: float, feet: float = 10.0) -> tuple[Check, ...]:
        return secondary_checks(
            "T1", ampacity_a, 200.0, end_a, 225.0, feet * FOOT_M, "2023", 480.0, 208.0
        )

    assert failed(at(230.0, 225.0)) == set()
    assert failed(at(200.0, 225.0)) == {"NEC-TAP-DEVICE"}
    assert failed(at(51.0, 50.0)) == {"NEC-TAP-RATIO", "NEC-TAP-LOAD"}
    assert failed(at(230.0, 225.0, feet=26.0)) == {"NEC-TAP-LENGTH"}
    assert {c.source.locator for c in at(230.0, 225.0)} == {"240.21(C)(2)"}
    assert {c.source.locator for c in at(230.0, 225.0, feet=20.0)} == {"240.21(C)(6)"}


def test_twenty_five_foot_secondary_carries_a_third() -> None:
    def at(ampacity_a: float, feet: float) -> tuple[Check, ...]:
        length_m = feet * FOOT_M
        amperes = (ampacity_a, 100.0, 100.0, 400.0)
        return secondary_checks("SEC", *amperes, length_m, "2020", 480.0, 480.0)

    assert failed(at(130.0, 10.0)) == set()
    assert failed(at(130.0, 11.0)) == {"NEC-TAP-RATIO"}
    assert failed(at(400.0 / 3.0, 25.0)) == set()
    assert {c.source.locator for c in at(130.0, 25.0)} == {"240.21(C)(6)"}


# --- grounding ----------------------------------------------------------------------------------


def test_grounding_electrode_and_bonding_jumper() -> None:
    def sizes(kcmil: float, material: str = "cu") -> tuple[str, str]:
        area_m2 = kcmil * KCMIL_M2
        return grounding_electrode(area_m2, material).name, bonding_jumper(area_m2, material).name

    assert sizes(66.36) == ("8", "8")
    assert sizes(350.0) == ("2", "2")
    assert sizes(1100.0) == ("2/0", "2/0")
    # Above 1100 kcmil the electrode conductor stays at 3/0, the jumper has 12.5 %: of 3 x 600 kcmil
    # 225 kcmil, next size 250; of 4 x 500 kcmil 250 kcmil.
    assert sizes(1800.0) == ("3/0", "250")
    assert sizes(2000.0) == ("3/0", "250")
    assert sizes(2001.0) == ("3/0", "300")
    assert sizes(1750.0, "al") == ("2/0", "4/0")
    with pytest.raises(FacilityError, match=r"12\.5 %"):
        bonding_jumper(17000.0 * KCMIL_M2, "cu")


def test_aluminum_grounding_of_5000_a_differs_by_edition() -> None:
    old, new = (table_egc(5000.0, "al", edition) for edition in ("2017", "2023"))
    assert (old.label, new.label) == ("1200 kcmil", "1250 kcmil")
    assert old.area_m2 == pytest.approx(1200.0 * KCMIL_M2)
    # No conductor of 1200 kcmil is listed: the next size is installed.
    installed = installed_egc(old, wire_size("600"), "al", 15, 1.0, 1.0)
    assert installed is not None
    assert installed.name == "1250"
    with pytest.raises(FacilityError) as caught:
        table_egc(7000.0, "cu", "2023", "F1")
    assert caught.value.exit_code == 4


def test_grounding_never_larger_than_a_single_line_conductor() -> None:
    small, large = wire_size("14"), wire_size("6")
    found = installed_egc(
        table_egc(15.0, "cu", "2023"), large, "cu", 1, 10 * large.area_m2, small.area_m2
    )
    assert found is large
    none = installed_egc(wire_size("800"), wire_size("600"), "cu", 2, 3.0, 1.0)
    assert none is None


# --- raceway ------------------------------------------------------------------------------------


def test_fill() -> None:
    assert [fill_limit(n) for n in (1, 2, 3, 9)] == [0.53, 0.31, 0.40, 0.40]
    assert fill_limit(4, nipple=True) == 0.60
    # Chapter 9 table C.1: EMT 1 in holds 9 of 8 AWG THHN, 10 need 1-1/4; nipples hold more.
    assert smallest_conduit("EMT", "THHN/THWN-2", {"8": 9}).trade_size == "1"
    assert smallest_conduit("EMT", "THHN/THWN-2", {"8": 10}).trade_size == "1-1/4"
    assert smallest_conduit("EMT", "THHN/THWN-2", {"8": 10}, nipple=True).trade_size == "1"
    too_much = smallest_conduit("EMT", "THHN/THWN-2", {"600": 12})
    assert (too_much.fits, too_much.fill) == (False, None)
    assert smallest_conduit("PVC-40", "THHN/THWN-2", {"600": 12}).trade_size == "6"
    assert smallest_conduit("FMC", "THHN/THWN-2", {"12": 3}).unknown


def test_impedance_depends_on_the_conduit() -> None:
    steel, plastic = (impedance_per_metre("4/0", "cu", kind) for kind in ("RMC", "PVC-40"))
    assert steel == pytest.approx((0.063 / 304.8, 0.051 / 304.8))
    assert plastic == pytest.approx((0.062 / 304.8, 0.041 / 304.8))


# --- equipment ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("v_ll", "rating_a", "location", "edition", "outcome"),
    [
        (480.0, 1000.0, "feeder", "2017", Outcome.FAIL),
        (480.0, 999.0, "feeder", "2017", Outcome.PASS),
        (690.0, 2000.0, "feeder", "2017", Outcome.PASS),
        (690.0, 2000.0, "feeder", "2023", Outcome.FAIL),
        (690.0, 2000.0, "feeder", "2020", Outcome.NOT_EVALUATED),
        (4160.0, 2000.0, "feeder", "2023", Outcome.PASS),
    ],
)
def test_ground_fault_protection(
    v_ll: float, rating_a: float, location: str, edition: str, outcome: Outcome
) -> None:
    found = ground_fault_check("LVB", v_ll, rating_a, location, edition, provided=False)
    assert found.outcome is outcome
    assert found.source.locator == "215.10"
    assert found.severity is Severity.VIOLATION


def test_ground_fault_protection_not_stated_is_advice() -> None:
    unstated = ground_fault_check("LVB", 480.0, 1200.0, "service", "2023")
    assert (unstated.outcome, unstated.severity) == (Outcome.FAIL, Severity.ADVICE)
    assert not ground_fault_check("LVB", 480.0, 1200.0, "service", "2023", provided=True).failed
    behind = ground_fault_check(
        "LVB", 480.0, 1200.0, "feeder", "2023", provided=False, upstream="M1"
    )
    assert not behind.failed
    assert "provided upstream at M1; exception of 215.10" in behind.why
    floating = ground_fault_check(
        "LVB", 480.0, 4000.0, "main", "2023", solidly_grounded_wye=False, provided=False
    )
    assert not floating.failed
    assert floating.source.locator == "240.13"


def test_arc_energy_marking_and_rooms_are_advice() -> None:
    assert arc_energy_check("Q1", 1200.0, "2023").failed
    assert not arc_energy_check("Q1", 1000.0, "2023").failed
    reduced = arc_energy_check("Q1", 1200.0, "2023", method="maintenance switch")
    assert not reduced.failed
    assert reduced.why.endswith("required; by maintenance switch")
    assert arc_energy_check("F1", 1600.0, "2020", fuse=True).source.locator == "240.67"
    assert fault_marking_advice("MSB", None, "2023").outcome is Outcome.NOT_EVALUATED
    assert "41.8 kA" in fault_marking_advice("MSB", 41.8e3, "2023").why
    every = [*room_advice("hall H1", "2023"), arc_energy_check("Q1", 1200.0, "2023")]
    assert {check.severity for check in every} == {Severity.ADVICE}


def test_receptacles_with_ground_fault_circuit_interrupters() -> None:
    def needed(v_ln: float, phases: int, rating_a: float, listed: bool = True) -> bool:
        return gfci_check("R1", v_ln, phases, rating_a, "2023", listed).failed

    assert needed(120.0, 1, 50.0)
    assert not needed(120.0, 1, 60.0)
    assert needed(120.0, 3, 100.0)
    assert not needed(240.0, 1, 20.0)
    assert not needed(120.0, 1, 20.0, listed=False)


def test_ratings_of_switches_and_panels() -> None:
    assert transfer_rating_check("ATS", 400.0, 400.0, 0.0, 1.0, "2023").failed is False
    assert transfer_rating_check("ATS", 400.0, 400.0, 0.0, 1.25, "2023").limit == 500.0
    assert panelboard_protection_check("P1", 400.0, 450.0, "2023").failed
    assert not panelboard_protection_check("P1", 400.0, 400.0, "2023").failed
    assert panelboard_protection_check("P1", 400.0, 100.0, "2023", True).failed


def test_articles_move_with_the_edition() -> None:
    assert article("parallel", "2017").locator == "310.10(H)"
    assert article("parallel", "2020").locator == "310.10(G)"
    assert article("EGC", "2017") == article("EGC", "2017")


# --- withstand ----------------------------------------------------------------------------------


@pytest.mark.parametrize("duration_s", [0.01, 0.1, 1.0, 5.0])
def test_withstand_solved_both_ways(duration_s: float) -> None:
    held = (75.0, 150.0, 0.0297, 234.0)
    current = withstand_current.si(KCMIL_M2 * 250.0, duration_s, *held)
    squared = withstand_current.si(KCMIL_M2 * 250.0, 1.0, *held) ** 2
    assert squared / current**2 == pytest.approx(duration_s)
    current = adiabatic_current.si(50e-6, duration_s, 143.0)
    assert current * duration_s**0.5 / 143.0 == pytest.approx(50.0)


def test_an_article_is_numbered_as_in_its_edition_and_code() -> None:
    assert article("ampacity", "2017").locator == "Table 310.15(B)(16)"
    assert article("ampacity", "2020") == replace(article("ampacity", "2023"), edition="2020")
    assert article("voltage drop", "2009", "IEC").edition == "2009"
    assert article("neutral of harmonics", "2009", "IEC").verified == "memory"
    with pytest.raises(FacilityError, match="harmonics"):
        article("neutral of harmonic", "2023")
