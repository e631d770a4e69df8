"""Choice of device and conductors: rule by rule, invariants, editions, what is built already."""

from __future__ import annotations

import csv
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from facility.core.check import Outcome
from facility.core.errors import FacilityError
from facility.core.trace import Trace, explain
from facility.model.power.conductors import ConductorBasis
from facility.model.power.faults import Clearing
from facility.power.feeders.let_through import Protection
from facility.power.feeders.nec.ampacity import derating, largest_ocpd, termination_column
from facility.power.feeders.nec.candidate import neutral_load
from facility.power.feeders.nec.checks import withstand_checks
from facility.power.feeders.nec.choice import choose_nec
from facility.power.feeders.nec.tables import wire_size, wire_sizes
from facility.power.feeders.types import ConductorChoice
from facility.study.verification.power.conductor_cases import COPPER, feeder
from facility.study.verification.power.panel_cases import NEC
from tests.power.feeders.nec_helpers import check, choose, failed, nec

ALUMINUM = replace(COPPER, material="al")
AMPERES = st.floats(1.0, 2500.0)


def _rank(choice: ConductorChoice) -> tuple[int, int, float]:
    if choice.is_busway:
        return 100, choice.sets, choice.ampacity_term_a
    return choice.sets, wire_size(choice.size).rank, 0.0


# --- ampacity and overcurrent protection --------------------------------------------------------


@pytest.mark.parametrize(
    ("ampacity_a", "next_up", "limit_a"),
    [
        (255.0, True, 300.0),
        (250.0, True, 250.0),
        (255.0, False, 255.0),
        (790.0, True, 800.0),
        (800.0, True, 800.0),
        (801.0, True, 801.0),
        (1140.0, True, 1140.0),
        (12.0, True, 15.0),
    ],
)
def test_next_standard_rating_up_ends_at_800_a(
    ampacity_a: float, next_up: bool, limit_a: float
) -> None:
    assert largest_ocpd(ampacity_a, next_up, "2023") == limit_a


def test_conductors_of_1200_a_are_not_below_1200_a() -> None:
    found = choose(960.0)
    assert (found.label, found.ocpd_a, found.ampacity_a) == ("3 x 600 kcmil", 1200.0, 1260.0)
    assert "240.4(C)" in found.articles
    with_500 = choose(960.0, replace(COPPER, largest_size="500"))
    assert (with_500.sets, with_500.size) == (4, "350")
    assert with_500.ampacity_a == 4 * 310.0


def test_no_next_size_up_for_secondaries_taps_and_portable_cords() -> None:
    # 300 A device: 300 kcmil carries 285 A, enough only with the next rating up.
    plain = choose(225.0, ocpd_a=300.0)
    assert plain.size == "300"
    assert "240.4(B)" in plain.articles
    for changes in (
        {"location": "tap"},
        {"location": "transformer secondary"},
        {"location": "branch", "cord_and_plug": True},
    ):
        found = choose(225.0, ocpd_a=300.0, **changes)
        assert (found.size, found.ampacity_a) == ("350", 310.0)
        assert "240.4(B)" not in found.articles


@pytest.mark.parametrize(
    ("ocpd_a", "cu", "al"),
    [(15.0, "14", "12"), (20.0, "12", "10"), (25.0, "10", "10"), (30.0, "10", "8")],
)
def test_small_conductors(ocpd_a: float, cu: str, al: str) -> None:
    assert choose(1.0, ocpd_a=ocpd_a, min_ampacity_a=0.8 * ocpd_a).size == cu
    assert choose(1.0, ALUMINUM, ocpd_a=ocpd_a, min_ampacity_a=0.8 * ocpd_a).size == al


def test_small_conductor_as_built_behind_too_large_a_device() -> None:
    # 12 AWG copper has 25 A at 75 degC, but no more than 20 A ahead of it.
    found = choose(18.0, ocpd_a=25.0, size="12", sets=1)
    assert failed(found) == {"NEC-SMALL-CONDUCTOR"}
    assert check(found, "NEC-SMALL-CONDUCTOR").limit == 20.0


def test_terminations_of_60_degc_up_to_100_a() -> None:
    low = replace(COPPER, termination_c=60.0)
    assert termination_column(100.0, low) == 60.0
    assert termination_column(110.0, low) == 75.0
    assert termination_column(100.0, COPPER) == 75.0
    # 80 A continuous, 100 A: 3 AWG has 85 A at 60 and 100 A at 75 degC.
    assert choose(80.0).size == "3"
    assert choose(80.0, low).size == "1"


def test_90_degc_column_is_for_correction_only() -> None:
    found = choose(200.0)
    assert found.ampacity_corrected_a == 290.0
    assert found.ampacity_a == found.ampacity_term_a == 255.0


def test_continuous_load_of_a_listed_assembly_counts_once() -> None:
    assert choose(200.0, listed_100=True).ocpd_a == 200.0
    assert choose(200.0, listed_100=True).size == "3/0"
    branch = choose(200.0, listed_100=True, location="branch")
    assert (branch.ocpd_a, branch.size) == (200.0, "250")
    assert "645.5(A)" in branch.articles


def test_ambient_and_bundling_by_hand() -> None:
    # 90 degC, 45 degC: band of 41 to 45 degC 0.87, sqrt(45/60) = 0.8660; four conductors that carry
    # current: 0.8. 300 A need more than 250 A, 240.4(B): 350 kcmil has 243.6 A, 400 kcmil 264.5 A.
    for by_table, factor in ((True, 0.87), (False, 0.8660254)):
        basis = replace(COPPER, ambient_c=45.0, ambient_by_table=by_table)
        found = choose(240.0, basis, neutral="counted", nonlinear=True)
        assert (found.current_carrying, found.bundling_factor) == (4, 0.8)
        assert found.ambient_factor == pytest.approx(factor, abs=5e-8)
        assert found.size == "400"
        assert found.ampacity_corrected_a == pytest.approx(380.0 * 0.8 * factor, rel=1e-6)


@pytest.mark.parametrize("column", ["60", "75", "90"])
def test_bands_of_the_ambient_as_the_table_is_written(column: str) -> None:
    """The equation is above the band at its start, by 5 to 9 % at 75 degC from 31 to 51 degC."""
    with Path("reference/electrical/nec_310_15_b1_temperature.csv").open(encoding="utf-8") as text:
        rows = [row for row in csv.DictReader(text) if row[f"factor_{column}c"]]
    for row in rows:
        factor = float(row[f"factor_{column}c"])
        for ambient in (row["ambient_min_c"], row["ambient_max_c"]):
            if ambient:
                basis = replace(COPPER, insulation_c=float(column), ambient_c=float(ambient))
                assert derating(feeder(50.0), basis).ambient == factor
                by_equation = derating(feeder(50.0), replace(basis, ambient_by_table=False))
                if column == "75" and ambient == row["ambient_min_c"] and 31 <= int(ambient) <= 51:
                    assert 1.05 < by_equation.ambient / factor < 1.091
    between = replace(COPPER, insulation_c=75.0, ambient_c=30.5)
    assert derating(feeder(50.0), between).ambient == 0.94


@pytest.mark.parametrize(
    ("edition", "table", "equation"),
    [
        ("2017", "Table 310.15(B)(2)(a)", "310.15(B)(2)"),
        ("2020", "Table 310.15(B)(1)", "310.15(B)(2)"),
        ("2023", "Table 310.15(B)(1)(1)", "310.15(B)(2)"),
    ],
)
def test_the_article_of_the_ambient_is_of_the_edition(
    edition: str, table: str, equation: str
) -> None:
    warm = replace(COPPER, ambient_c=40.0)
    assert table in choose(50.0, warm, nec(edition)).articles
    by_equation = choose(50.0, replace(warm, ambient_by_table=False), nec(edition))
    assert equation in by_equation.articles
    assert table not in by_equation.articles


def test_neutral_counts_where_it_carries_current() -> None:
    def carrying(**changes: object) -> int:
        return derating(feeder(20.0, **changes), COPPER).current_carrying

    assert carrying(neutral="none") == 3
    assert carrying(neutral="not counted") == 3
    assert carrying(neutral="counted") == 4
    assert carrying(poles=2, neutral="none") == 2
    assert carrying(poles=2, neutral="not counted") == 3
    assert carrying(poles=1, neutral="not counted") == 2
    assert carrying(neutral="counted", grouped_circuits=3) == 12
    assert derating(feeder(20.0, grouped_circuits=3, nipple=True), COPPER).bundling == 1.0


def test_neutral_of_nonlinear_load_left_out_is_a_violation() -> None:
    assert "NEC-NEUTRAL-COUNTED" in failed(choose(50.0, neutral="not counted", nonlinear=True))
    assert not failed(choose(50.0, neutral="not counted"))


def test_neutral_load() -> None:
    assert neutral_load(feeder(500.0)) == 410.0
    assert neutral_load(feeder(500.0, nonlinear=True)) == 500.0
    assert neutral_load(feeder(500.0, poles=2)) == 500.0
    assert neutral_load(feeder(500.0, neutral_a=150.0)) == 150.0
    full = choose(2400.0, neutral="counted", nonlinear=True)
    assert full.neutral_size == full.size


# --- voltage drop, grounding, raceway -----------------------------------------------------------


def test_voltage_drop_raises_conductors_and_their_grounding() -> None:
    near, far = choose(40.0), choose(40.0, length_m=300.0)
    assert (near.size, near.egc_size, near.governed_by) == (
        "8",
        "10",
        "ampacity at the terminations, 110.14(C)",
    )
    # 66,360 / 16,510 cmil x 10,380 cmil = 41,721 cmil: 4 AWG has 41,740.
    assert (far.size, far.egc_minimum, far.egc_size) == ("2", "10", "4")
    assert far.governed_by == "voltage drop"
    assert "250.122(B)" in far.articles
    assert far.drop is not None
    assert far.drop <= 0.03
    smaller = choose(40.0, length_m=300.0, size="3", sets=1)
    assert smaller.drop is not None
    assert smaller.drop > 0.03
    assert failed(smaller) == {"NEC-VOLTAGE-DROP"}


def test_sets_in_parallel_divide_the_impedance() -> None:
    found = choose(960.0, length_m=50.0)
    assert found.resistance_ohm is not None
    # 600 kcmil copper in steel: 0.025 ohm per 1000 ft.
    assert found.resistance_ohm == pytest.approx(0.025 * 50.0 / 304.8, rel=1e-9)
    assert found.group_resistance_ohm == pytest.approx(found.resistance_ohm / 3.0)
    assert found.egc_size == found.egc_minimum == "3/0"
    assert "250.122(F)" in found.articles


def test_exact_drop_is_the_phasor_difference() -> None:
    found = choose(200.0, length_m=200.0, power_factor=0.9)
    assert found.resistance_ohm is not None
    assert found.reactance_ohm is not None
    current = 200.0 * complex(0.9, -((1 - 0.81) ** 0.5))
    source = 480.0 / 3.0**0.5
    load = source - current * complex(found.resistance_ohm, found.reactance_ohm)
    assert found.drop_exact_v == pytest.approx(3.0**0.5 * (source - abs(load)), rel=1e-12)
    assert found.drop_v == pytest.approx(found.drop_exact_v, rel=0.01)


def test_single_phase_circuit_drops_out_and_back() -> None:
    found = choose(
        20.0,
        poles=1,
        voltage_v=240.0,
        v_ln=240.0,
        neutral="counted",
        location="branch",
        length_m=20.0,
        power_factor=1.0,
    )
    assert found.resistance_ohm is not None
    assert found.drop_v == pytest.approx(2.0 * 20.0 * found.resistance_ohm)
    assert found.drop_exact_v == pytest.approx(found.drop_v, rel=1e-3)
    assert found.neutral_size == found.size == "10"


@pytest.mark.parametrize(
    ("material", "edition", "egc"), [("al", "2017", "1"), ("cu", "2017", "3"), ("al", "2023", "1")]
)
def test_grounding_of_400_a(material: str, edition: str, egc: str) -> None:
    found = choose(320.0, replace(COPPER, material=material), nec(edition))
    assert (found.ocpd_a, found.egc_size) == (400.0, egc)


def test_raceway_without_dimensions_is_not_evaluated() -> None:
    bare = replace(COPPER, insulation="THW", insulation_c=75.0)
    found = choose(100.0, bare)
    fill = check(found, "NEC-RACEWAY-FILL")
    assert fill.outcome is Outcome.NOT_EVALUATED
    assert "THW" in fill.why
    assert (found.trade_size, found.fill) == ("", None)


def test_size_without_impedance_is_not_evaluated() -> None:
    found = choose(300.0, ocpd_a=400.0, size="700", sets=1)
    assert check(found, "NEC-VOLTAGE-DROP").outcome is Outcome.NOT_EVALUATED
    assert found.drop_v is None
    assert found.group_resistance_ohm is None


CYCLE = Protection(1.0 / 60.0, "")


def test_withstand() -> None:
    found = choose(200.0)
    # Published: 10 AWG thermoplastic copper 4.3 kA for a cycle; 250 kcmil has 24.08 times its area.
    (kept,) = withstand_checks("F1", found, 100e3, CYCLE, 75.0, "2023")
    (broken,) = withstand_checks("F1", found, 105e3, CYCLE, 75.0, "2023")
    assert not kept.failed
    assert broken.failed
    assert kept.limit == pytest.approx(4300.0 * 250000.0 / 10380.0, rel=0.011)
    linked = replace(found, insulation="XHHW-2")
    held, recalled = withstand_checks("F1", linked, 120e3, CYCLE, 90.0, "2023")
    assert not held.failed
    assert "unverified" in str(recalled.source)


@pytest.mark.parametrize(("fault_a", "size"), [(None, "12"), (4.2e3, "10"), (4.4e3, "8")])
def test_conductors_chosen_withstand_the_fault(fault_a: float | None, size: str) -> None:
    """Published: 10 AWG thermoplastic copper withstands 4.3 kA for a cycle from 75 degC."""
    basis = replace(COPPER, insulation_c=75.0)
    found = choose(16.0, basis, fault_a=fault_a, clearing=Clearing(1.0 / 60.0))
    assert (found.ocpd_a, found.size) == (20.0, size)
    raised = fault_a is not None
    assert found.governed_by.startswith("short-circuit withstand") is raised
    assert any("let-through" in note for note in found.notes) is raised


def test_the_time_of_its_own_device_decides() -> None:
    """Published: 10 AWG thermoplastic copper withstands 4.3 kA for a cycle from 75 degC.

    The breaker of 20 A is one of molded case where those go up to 20 A, and none up to 15 A.
    """
    basis, cycle_s = replace(COPPER, insulation_c=75.0), 1.0 / 60.0
    molded, other = (
        choose(16.0, basis, fault_a=4.2e3, clearing=Clearing(4.0 * cycle_s, cycle_s, to_a))
        for to_a in (20.0, 15.0)
    )
    assert (molded.ocpd_a, molded.size) == (20.0, "10")
    # Four times as long asks for twice the area: 20,760 circular mils, 6 AWG.
    assert other.size == "6"


def test_a_fault_that_nothing_withstands_is_left_to_its_check() -> None:
    found = choose(16.0, fault_a=500e3, clearing=Clearing(2.0))
    assert found.size == "12"
    (broken,) = withstand_checks("F1", found, 500e3, Protection(2.0, ""), 90.0, "2023")
    assert broken.failed


# --- refusals -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("changes", "code", "exit_code", "words"),
    [
        ({"continuous_a": 6000.0}, "NO_BREAKER", 4, "7,500.0 A"),
        ({"continuous_a": 200.0, "length_m": 5000.0}, "NO_CONDUCTOR", 4, "voltage drop"),
        ({"continuous_a": 900.0, "sets": 2}, "NO_CONDUCTOR", 4, "110.14(C)"),
        (
            {"continuous_a": 20.0, "size": "8", "sets": None, "ocpd_a": 60.0},
            "NO_CONDUCTOR",
            4,
            "240.4(B)",
        ),
        ({"continuous_a": 20.0, "size": "7"}, "UNKNOWN_SIZE", 3, "Table 310.16"),
        ({"continuous_a": 0.0}, "NO_LOAD", 3, "0 A"),
        ({"continuous_a": 5.0, "power_factor": 0.0}, "OUT_OF_RANGE", 3, "power factor"),
        ({"continuous_a": 5.0, "length_m": -1.0}, "OUT_OF_RANGE", 3, "length"),
    ],
)
def test_no_solution_names_the_limit(
    changes: dict[str, object], code: str, exit_code: int, words: str
) -> None:
    with pytest.raises(FacilityError) as caught:
        choose(**changes)  # type: ignore[arg-type]
    assert caught.value.code == code
    assert caught.value.exit_code == exit_code
    assert words in str(caught.value)


def test_ambient_beyond_the_table() -> None:
    with pytest.raises(FacilityError) as caught:
        choose(10.0, replace(COPPER, insulation_c=75.0, insulation="THWN", ambient_c=71.0))
    assert (caught.value.code, caught.value.exit_code) == ("AMBIENT_TOO_HOT", 4)
    assert choose(10.0, replace(COPPER, ambient_c=-20.0)).ambient_factor == pytest.approx(
        1.15, abs=0.005
    )


# --- what is built already ----------------------------------------------------------------------


def test_what_is_built_is_kept_and_checked() -> None:
    found = choose(300.0, ocpd_a=300.0, size="3/0 AWG", sets=1)
    assert (found.ocpd_a, found.label, found.governed_by) == (300.0, "3/0 AWG", "as built")
    assert failed(found) == {
        "NEC-OCPD-RATING",
        "NEC-AMPACITY-TERMINATION",
        "NEC-AMPACITY-CORRECTED",
        "NEC-CONDUCTOR-PROTECTION",
    }
    assert check(found, "NEC-AMPACITY-TERMINATION").remedy == "1 x 500 kcmil has the ampacity."
    assert failed(choose(30.0, size="1", sets=2)) == {"NEC-PARALLEL", "DEVICE-TERMINAL"}
    assert failed(choose(30.0, ocpd_a=55.0)) == {"NEC-OCPD-STANDARD"}


def test_conductors_built_larger_than_needed_raise_the_grounding() -> None:
    built = choose(32.0, ocpd_a=40.0, size="6", sets=1)
    assert not failed(built)
    assert (built.egc_minimum, built.egc_size) == ("10", "8")


def test_a_chosen_circuit_breaks_no_rule_and_explains_itself() -> None:
    trace = Trace()
    found = choose_nec(
        feeder(240.0, neutral="counted", nonlinear=True, length_m=250.0), COPPER, NEC, trace, "F9"
    )
    assert not failed(found)
    text = "\n".join(explain(trace, "F9.conductor"))
    for words in ("600 kcmil cu", "voltage drop", "I_{nc} + k I_c", "240.6(A)", "Table 310.16"):
        assert words in text
    assert trace.value("F9.ampacity_corrected") == found.ampacity_corrected_a
    assert trace.value("F9.voltage_drop") == found.drop_v
    assert trace.value("F9.egc") == wire_size(found.egc_size).area_m2


# --- editions -----------------------------------------------------------------------------------


def test_editions_differ() -> None:
    assert choose(7.0, by=nec("2023")).ocpd_a == 10.0
    assert choose(7.0, by=nec("2020")).ocpd_a == 15.0
    old = choose(400.0, by=nec("2017"), neutral="counted", nonlinear=True).articles
    new = choose(400.0, by=nec("2020"), neutral="counted", nonlinear=True).articles
    assert {"Table 310.15(B)(16)", "310.15(B)(3)(a)", "310.15(B)(5)", "310.10(H)"} <= set(old)
    assert {"Table 310.16", "310.15(C)(1)", "310.15(E)", "310.10(G)"} <= set(new)


# --- invariants ---------------------------------------------------------------------------------


@given(st.floats(-10.0, 80.0), st.floats(0.0, 40.0))
def test_more_ambient_never_gives_more_ampacity(ambient_c: float, more_k: float) -> None:
    warmer_c = min(ambient_c + more_k, 85.0)
    cool = derating(feeder(50.0), replace(COPPER, ambient_c=ambient_c)).ambient
    warm = derating(feeder(50.0), replace(COPPER, ambient_c=warmer_c)).ambient
    assert warm <= cool


@given(AMPERES, st.floats(30.0, 60.0), st.floats(0.0, 20.0))
@settings(max_examples=40, deadline=None)
def test_more_ambient_never_gives_smaller_conductors(
    amperes: float, ambient_c: float, more_k: float
) -> None:
    def at(temperature_c: float) -> ConductorBasis:
        return replace(COPPER, ambient_c=temperature_c)

    assert _rank(choose(amperes, at(ambient_c + more_k))) >= _rank(choose(amperes, at(ambient_c)))


@given(st.integers(1, 20), st.integers(0, 20))
def test_more_bundled_conductors_never_more_ampacity(circuits: int, more: int) -> None:
    few = derating(feeder(50.0, grouped_circuits=circuits), COPPER)
    many = derating(feeder(50.0, grouped_circuits=circuits + more), COPPER)
    assert many.bundling <= few.bundling


@given(AMPERES, st.floats(1.0, 1.5), st.floats(0.0, 100.0), st.sampled_from([COPPER, ALUMINUM]))
@settings(max_examples=60, deadline=None)
def test_more_load_never_gives_smaller_conductors(
    amperes: float, more: float, length_m: float, basis: ConductorBasis
) -> None:
    less = choose(amperes, basis, length_m=length_m)
    heavier = choose(amperes * more, basis, length_m=length_m)
    assert heavier.ocpd_a >= less.ocpd_a
    assert _rank(heavier) >= _rank(less)
    assert not failed(less)


@given(AMPERES, st.floats(0.0, 150.0), st.floats(0.0, 100.0))
@settings(max_examples=40, deadline=None)
def test_a_longer_run_never_gives_less_metal(
    amperes: float, length_m: float, more_m: float
) -> None:
    near, far = choose(amperes, length_m=length_m), choose(amperes, length_m=length_m + more_m)
    assert _rank(far) >= _rank(near)
    assert far.drop is not None
    assert far.drop <= 0.03 * (1.0 + 1e-9)


def test_every_size_of_the_tables_has_a_rising_ampacity() -> None:
    ranks = [size.rank for size in wire_sizes().values()]
    areas = [size.area_m2 for size in wire_sizes().values()]
    assert ranks == sorted(ranks)
    assert areas == sorted(areas)
