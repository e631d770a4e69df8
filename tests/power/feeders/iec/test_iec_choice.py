"""The IEC route against the examples of the standard, public tables, and its own invariants."""

from __future__ import annotations

import csv
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from facility.core.check import Check, Outcome
from facility.core.errors import FacilityError
from facility.core.trace import Trace, explain
from facility.model.power.faults import Clearing
from facility.power.feeders.iec.candidate import protective_size
from facility.power.feeders.iec.checks import (
    disconnection_check,
    loop_impedance_at_end,
    protective_check,
)
from facility.power.feeders.iec.choice import choose_iec
from facility.power.feeders.iec.types import IecCircuit
from facility.power.feeders.let_through import Protection
from facility.power.feeders.types import CircuitDemand, ConductorChoice
from facility.study.verification.power.conductor_cases import IEC, PVC

BASIS = replace(PVC, method="C", largest_size="300 mm2", neutral_counted=False)
DEMAND = CircuitDemand(
    continuous_a=39.0,
    other_a=0.0,
    poles=3,
    voltage_v=400.0,
    v_ln=230.9,
    neutral="not counted",
    length_m=10.0,
    power_factor=0.95,
)


def chosen(circuit: IecCircuit | None = None, basis: Any = None, **demand: Any) -> ConductorChoice:
    return choose_iec(
        replace(DEMAND, **demand),
        replace(BASIS, **(basis or {})),
        IEC,
        circuit=circuit or IecCircuit(),
        id="c",
    )


def test_reactance_is_that_of_the_frequency_of_the_site() -> None:
    """0.08 ohm/km at 50 Hz is 0.096 at 60 Hz: X = 2 pi f L."""
    table, fifty, sixty = (
        chosen(basis={"frequency_hz": hz}, length_m=100.0) for hz in (None, 50.0, 60.0)
    )
    assert table.reactance_ohm == fifty.reactance_ohm == pytest.approx(0.008)
    assert sixty.reactance_ohm == pytest.approx(0.0096)
    assert sixty.resistance_ohm == fifty.resistance_ohm
    assert any("reactance at 60 Hz" in note for note in sixty.notes)


def check(choice: ConductorChoice, rule: str) -> Check:
    return next(c for c in choice.checks if c.rule == rule)


@pytest.mark.parametrize(
    ("third", "size"), [(None, "6"), (0.10, "6"), (0.20, "10"), (0.40, "10"), (0.50, "16")]
)
def test_annex_e_example(third: float | None, size: str) -> None:
    """39 A in PVC copper, method C: 6 mm2 without, 10, 10 and 16 mm2 with 20, 40 and 50 %."""
    choice = chosen(third_harmonic=third)
    assert choice.ocpd_a == 40.0
    assert choice.size == size


def test_design_current_device_and_ampacity_are_in_order() -> None:
    choice = chosen(continuous_a=150.0)
    assert choice.required_a == 150.0
    assert choice.ocpd_a == 160.0
    assert choice.ampacity_a >= choice.ocpd_a
    assert choice.articles


def test_ambient_of_35_takes_the_published_factor() -> None:
    """2.5 mm2 PVC copper on a wall, method C: 24 A x 0.94 = 22.56 A at 35 degC."""
    choice = chosen(basis={"ambient_c": 35.0}, continuous_a=20.0, size="2.5")
    assert choice.ampacity_term_a == 24.0
    assert choice.ampacity_a == pytest.approx(22.56)


def test_between_two_ambients_the_higher_counts() -> None:
    assert chosen(basis={"ambient_c": 31.0}).ambient_factor == 0.94


def test_fuse_is_at_most_nine_tenths_of_the_ampacity() -> None:
    built = {"ocpd_a": 40.0, "size": "6", "continuous_a": 30.0}
    assert not check(chosen(**built), "IEC-OVERLOAD").failed
    fused = check(chosen(IecCircuit(fuse=True), **built), "IEC-OVERLOAD")
    assert fused.failed
    assert fused.limit == pytest.approx(41.0 * 1.45 / 1.6)
    with pytest.raises(FacilityError, match="fuse") as caught:
        chosen(IecCircuit(fuse=True))
    assert caught.value.code == "FUSE_RATING"


def test_long_circuit_grows_by_voltage_drop() -> None:
    choice = chosen(length_m=400.0)
    assert choice.governed_by == "voltage drop"
    assert choice.drop is not None
    assert choice.drop <= 0.05
    assert choice.drop_exact == pytest.approx(choice.drop, rel=0.02)


@pytest.mark.parametrize(
    ("method", "insulation", "size", "listed"),
    [("B1", "PVC", "10", 3.8), ("C", "XLPE", "35", 1.15), ("E", "XLPE", "70", 0.60)],
)
def test_exact_drop_agrees_with_millivolts_per_ampere_metre(
    method: str, insulation: str, size: str, listed: float
) -> None:
    """Near unity power factor R alone counts, and small cables have little else."""
    rated_c = 90.0 if insulation == "XLPE" else 70.0
    basis = {"method": method, "insulation": insulation, "insulation_c": rated_c}
    choice = chosen(basis=basis, size=size, continuous_a=30.0, length_m=60.0, power_factor=0.999)
    listed_v = listed * 1e-3 * 30.0 * 60.0
    assert choice.drop_v is not None
    assert choice.drop_v == pytest.approx(listed_v, rel=0.02)
    text = check(choice, "IEC-VOLTAGE-DROP").why
    assert f"{listed_v:.2f} V by mV/(A m)" in text


def test_withstand_decides_where_the_fault_is_stated() -> None:
    """10 kA for 0.4 s in PVC copper: S >= 10000 sqrt(0.4) / 115 = 55.0 mm2, so 70 mm2."""
    choice = chosen(fault_a=10e3, clearing=Clearing(0.4))
    assert choice.size == "70"
    assert choice.governed_by.startswith("short-circuit")
    assert not check(choice, "IEC-SHORT-CIRCUIT").failed
    assert check(chosen(), "IEC-SHORT-CIRCUIT").outcome is Outcome.NOT_EVALUATED


@pytest.mark.parametrize(
    ("continuous_a", "fault_a", "words"),
    [(39.0, 10e3, "1 x 6 mm2; 476 kA2s"), (300.0, 60e3, "3 x 50 mm2; 297 MA2s")],
)
def test_the_smaller_size_is_told_with_what_it_withstands(
    continuous_a: float, fault_a: float, words: str
) -> None:
    """(115 x 6)^2 is 476,100 A2s, (115 x 3 x 50)^2 is 297.6 MA2s; rounded down."""
    choice = chosen(
        basis={"largest_size": "70 mm2"},
        continuous_a=continuous_a,
        fault_a=fault_a,
        clearing=Clearing(0.4),
    )
    (note,) = (note for note in choice.notes if note.startswith("increased from"))
    assert all(word in note for word in words.split("; "))


def test_withstand_decides_where_the_network_knows_the_fault() -> None:
    choice = chosen(fault_a=10e3, clearing=Clearing(0.4))
    assert choice.size == "70"
    assert not check(choice, "IEC-SHORT-CIRCUIT").failed
    assert chosen(fault_a=1e6, clearing=Clearing(5.0)).size == chosen().size


@pytest.mark.parametrize(("size", "protective"), [("10", "10"), ("35", "16"), ("95", "50")])
def test_protective_conductor_by_the_table(size: str, protective: str) -> None:
    assert chosen(size=size).egc_size == protective


def test_disconnection_by_the_table_of_largest_loops() -> None:
    """32 A type C: 0.683 ohm; a short cable passes behind 0.5 ohm, not behind 0.68 ohm."""
    built = {
        "continuous_a": 30.0,
        "location": "branch",
        "voltage_v": 230.0,
        "poles": 1,
        "v_ln": 230.0,
        "neutral": "counted",
    }
    choice = chosen(**built)

    def of(source_ohm: float | None, trip_a: float | None = 320.0) -> Check:
        loop_ohm = loop_impedance_at_end(choice, source_ohm)
        return disconnection_check("c", choice, 230.0, loop_ohm, (trip_a, 0.0), branch=True)

    assert of(0.5).limit == pytest.approx(0.68, abs=0.005)
    assert not of(0.5).failed
    assert of(0.68).failed
    for volts, time in ((208.0, "0.8 s"), (400.0, "0.4 s"), (415.0, "0.2 s"), (727.0, "0.1 s")):
        trip = (320.0, 0.0)
        final = disconnection_check("c", choice, volts / 3.0**0.5, 0.01, trip, branch=True)
        assert time in final.why  # Table 41.1, TN a.c.
    for lacking, field in ((of(None), "utility_minimum_level"), (of(0.5, None), "trip_multiple")):
        assert lacking.outcome is Outcome.NOT_EVALUATED
        assert field in lacking.why


def test_a_branch_circuit_grows_until_it_disconnects() -> None:
    """Type C of 32 A: 0.95 * 230 V / 320 A = 0.683 ohm; 0.3 ohm at the panel leave 0.383 for 60 m.

    Copper at 70 degC has 1.197 times its resistance at 20 degC, of IEC 60228 4.61, 3.08 and 1.83
    ohm/km: line and protective conductor of 4 mm2 are 0.662 ohm, of 6 mm2 0.442, of 10 mm2 0.263.
    """
    built: dict[str, Any] = {
        "continuous_a": 15.0, "ocpd_a": 32.0, "location": "branch", "voltage_v": 230.0, "poles": 1,
        "v_ln": 230.0, "neutral": "counted", "length_m": 60.0, "drop_limit": 0.1,
        "clearing": Clearing(molded_to_a=630.0),
    }  # fmt: skip
    assert chosen(**built).size in ("4", "6")
    grown = chosen(**built, loop_ohm=0.3, trip_multiple=10.0)
    assert (grown.size, grown.egc_size) == ("10", "10")
    assert "disconnection" in grown.governed_by
    loop_ohm = loop_impedance_at_end(grown, 0.3)
    assert loop_ohm == pytest.approx(0.3 + 0.263, abs=0.002)
    assert not disconnection_check("c", grown, 230.0, loop_ohm, (320.0, 0.0), branch=True).failed
    # A loop of 0.7 ohm ahead cannot be mended by the circuit: it stays as the load asks.
    assert chosen(**built, loop_ohm=0.7, trip_multiple=10.0).size == chosen(**built).size
    # Of 40 A 0.546 ohm: 0.246 ohm are left, and 16 mm2 (1.15 ohm/km) are 0.165 ohm.
    over = built | {"ocpd_a": 40.0}
    assert chosen(**over, loop_ohm=0.3, trip_multiple=10.0).size == "16"
    feeder = over | {"location": "feeder"}
    assert chosen(**feeder, loop_ohm=0.3, trip_multiple=10.0).size == chosen(**feeder).size


def test_devices_with_a_delayed_trip_disconnect_within_five_seconds() -> None:
    """1,000 A that trips at 6 times its rating after 0.4 s: 0.95 * 230 V / 6,000 A = 0.0364 ohm."""
    choice = chosen(continuous_a=900.0, ocpd_a=1000.0)

    def of(loop_ohm: float, delay_s: float) -> Check:
        trip = (6000.0, delay_s)
        return disconnection_check("c", choice, 230.0, loop_ohm, trip, branch=False)

    assert of(0.036, 0.4).outcome is Outcome.PASS
    assert of(0.037, 0.4).outcome is Outcome.NOT_EVALUATED
    assert of(0.036, 6.0).failed


def test_protective_conductor_withstands_the_earth_fault() -> None:
    """IEC 60364-5-54, 543.1.2: 10 kA for 0.1 s in PVC copper is 10000 sqrt(0.1) / 115 = 27.5 mm2.

    Table 54.2 asks for 16 mm2 beside 35 mm2, and for 70 beside 120 mm2; two cables share.
    """
    fault: dict[str, Any] = {"earth_fault_a": 10e3, "clearing": Clearing(0.1)}
    assert chosen(size="35", **fault).egc_size == "35"
    assert chosen(size="35", **fault).egc_minimum == "16"
    assert chosen(size="120", **fault).egc_size == "70"
    assert chosen(size="35", sets=2, **fault).egc_size == "16"
    assert chosen(size="16", **fault).egc_size == "16"
    for size, bears in (("35", True), ("16", False)):
        choice = chosen(size=size, **fault)
        found = protective_check("c", choice, 10e3, Protection(0.1, ""), BASIS)
        assert found.failed is not bears
        assert found.limit == pytest.approx(115.0 * float(choice.egc_size) / 0.1**0.5)
    for lacking in ((None, None), (10e3, Protection(None, ""))):
        assert protective_check("c", choice, *lacking, BASIS).outcome is Outcome.NOT_EVALUATED


def test_recalled_figures_are_marked() -> None:
    assert "rating 630 A" in check(chosen(continuous_a=600.0), "IEC-UNVERIFIED").why
    assert "reactance" in check(chosen(), "IEC-UNVERIFIED").why


def test_unknown_harmonics_of_a_counted_neutral_are_said() -> None:
    counted = chosen(neutral="counted")
    assert counted.size == "10"
    assert check(counted, "IEC-HARMONICS").outcome is Outcome.NOT_EVALUATED
    stated = chosen(third_harmonic=0.05, neutral="counted")
    assert check(stated, "IEC-HARMONICS").outcome is Outcome.PASS
    assert stated.size == "6"


def test_parallel_cables_count_in_their_own_group() -> None:
    choice = chosen(continuous_a=1000.0)
    assert choice.sets > 1
    assert choice.bundling_factor == GROUPING["wall", min(choice.sets, 9)]
    apart = chosen(continuous_a=1000.0, basis={"arrangement": "apart"})
    assert apart.bundling_factor == 1.0
    assert (apart.sets, apart.area_m2) < (choice.sets, choice.area_m2)
    assert choice.ampacity_a >= choice.ocpd_a
    assert "share the current" in " ".join(choice.notes)


GROUPING_ROWS = (Path(__file__).parent / "data" / "grouping.csv").read_text().splitlines()
GROUPING = {
    (row["arrangement"], int(row["cables"])): float(row["factor"])
    for row in csv.DictReader(GROUPING_ROWS)
    if (row["method"], row["trays"]) == ("C", "1")
}
CAPACITY_25_MM2_A = {"C": 96.0, "E": 101.0, "F": 110.0}


@pytest.mark.parametrize(
    "row", list(csv.DictReader(GROUPING_ROWS)), ids=lambda row: " ".join(row.values())
)
def test_grouping_factor_of_method_and_arrangement(row: dict[str, str]) -> None:
    """One 25 mm2 cable in copper and PVC: 96, 101, 110 A in methods C, E, F."""
    basis = {"arrangement": row["arrangement"], "method": row["method"], "trays": int(row["trays"])}
    one = chosen(
        basis=basis, size="25", ocpd_a=10.0, continuous_a=8.0, grouped_circuits=int(row["cables"])
    )
    assert one.bundling_factor == float(row["factor"])
    full_a = CAPACITY_25_MM2_A[row["method"]]
    assert one.ampacity_a == pytest.approx(full_a * float(row["factor"]))


def test_a_group_beyond_stacked_trays_is_refused_and_one_of_the_tool_is_split() -> None:
    basis = {"arrangement": "tray", "method": "E", "trays": 2}
    built = {"size": "25", "ocpd_a": 10.0, "continuous_a": 8.0, "grouped_circuits": 19}
    with pytest.raises(FacilityError) as caught:
        chosen(basis=basis, **built)
    assert caught.value.code == "GROUP_TOO_LARGE"
    assert chosen(basis=basis, **built, groups_split=True).bundling_factor == 0.68


@pytest.mark.parametrize(
    ("method", "arrangement"),
    [("A1", "bunched"), ("B2", "bunched"), ("C", "wall"), ("E", "tray"), ("D1", "ducts")],
)
def test_the_method_says_how_circuits_lie_and_never_apart(method: str, arrangement: str) -> None:
    three = {"size": "25", "ocpd_a": 10.0, "continuous_a": 8.0, "grouped_circuits": 3}
    assert chosen(basis={"method": method}, **three).bundling_factor == GROUPING[arrangement, 3]


def test_two_circuits_of_two_cables_are_four_on_the_tray() -> None:
    """0.77 of row 4, on twice the capacity of one cable."""
    both = chosen(basis={"method": "E"}, size="70", sets=2, ocpd_a=100.0, grouped_circuits=2)
    assert both.bundling_factor == 0.77
    alone = chosen(basis={"method": "E"}, size="70", ocpd_a=100.0)
    assert both.ampacity_a == pytest.approx(2.0 * 0.77 * alone.ampacity_a)


def test_aluminium_starts_at_10_mm2() -> None:
    """IEC 60228 lists no smaller aluminium conductors of class 2."""
    small = chosen(basis={"material": "al"}, continuous_a=8.0)
    assert small.size == "10"
    assert small.resistance_ohm is not None
    large = chosen(basis={"material": "al"}, continuous_a=300.0)
    assert large.size not in ("", "10")


@pytest.mark.parametrize(
    ("line", "earth"), [("16", "16"), ("25", "16"), ("35", "16"), ("50", "25"), ("95", "50")]
)
def test_protective_conductor_of_table_54_2(line: str, earth: str) -> None:
    """As the line to 16 mm2, 16 mm2 to 35, half above; the next standard size."""
    assert chosen(size=line, ocpd_a=10.0, continuous_a=8.0).egc_size == earth


def test_every_step_is_in_the_trace() -> None:
    trace = Trace()
    choice = choose_iec(DEMAND, BASIS, IEC, trace, "feeder.x")
    text = "\n".join(explain(trace, "feeder.x.size"))
    assert trace.value("feeder.x.ampacity") == pytest.approx(choice.ampacity_a)
    assert "iec-60364-5-52" in text


@pytest.mark.parametrize(
    ("basis", "demand", "code"),
    [
        ({"method": "G"}, {}, "NO_AMPACITY"),
        ({"ambient_c": 61.0}, {}, "AMBIENT_TOO_HIGH"),
        ({"method": "B1"}, {"grouped_circuits": 21}, "GROUP_TOO_LARGE"),
        ({}, {"continuous_a": 7000.0}, "NO_BREAKER"),
        ({"largest_size": "10 mm2"}, {"continuous_a": 600.0, "sets": 1}, "NO_CABLE"),
        ({}, {"size": "33"}, "UNKNOWN_SIZE"),
        ({"largest_size": "huge"}, {}, "UNKNOWN_SIZE"),
    ],
)
def test_bad_input_is_refused(basis: Any, demand: Any, code: str) -> None:
    with pytest.raises(FacilityError) as caught:
        chosen(basis=basis, **demand)
    assert caught.value.code == code


SIZES = st.sampled_from(["10", "25", "70", "150"])
METHODS = st.sampled_from(["A1", "B1", "B2", "C", "D1", "E"])


@settings(max_examples=40, deadline=None)
@given(SIZES, METHODS, st.floats(10.0, 60.0), st.floats(0.0, 20.0))
def test_more_ambient_never_gives_more_ampacity(
    size: str, method: str, ambient_c: float, more: float
) -> None:
    hotter = min(ambient_c + more, 60.0)
    cold, hot = (
        chosen(basis={"method": method, "ambient_c": c}, size=size, ocpd_a=10.0, continuous_a=8.0)
        for c in (ambient_c, hotter)
    )
    assert hot.ampacity_a <= cold.ampacity_a


@settings(max_examples=40, deadline=None)
@given(SIZES, METHODS, st.integers(1, 20), st.integers(0, 19))
def test_more_circuits_in_the_group_never_give_more_ampacity(
    size: str, method: str, circuits: int, more: int
) -> None:
    few, many = (
        chosen(
            basis={"method": method}, size=size, ocpd_a=10.0, continuous_a=8.0, grouped_circuits=n
        )
        for n in (circuits, min(circuits + more, 20))
    )
    assert many.ampacity_a <= few.ampacity_a


@settings(max_examples=40, deadline=None)
@given(st.floats(1.0, 900.0), st.floats(0.0, 0.6), st.floats(1.0, 150.0))
def test_chosen_cable_is_protected_and_harmonics_never_shrink_it(
    load_a: float, third: float, length_m: float
) -> None:
    plain = chosen(continuous_a=load_a, length_m=length_m)
    loaded = chosen(third_harmonic=third, continuous_a=load_a, length_m=length_m)
    assert load_a <= plain.ocpd_a <= plain.ampacity_a * (1.0 + 1e-9)
    assert not {c.rule for c in plain.checks if c.failed} - {"IEC-UNVERIFIED"}
    before_a = loaded.ampacity_a / loaded.harmonic_factor
    assert before_a >= plain.ampacity_a * (1.0 - 1e-9) or loaded.sets > plain.sets


def test_soil_is_asked_of_cables_in_the_ground_alone() -> None:
    dry = IecCircuit(soil_k_m_w=3.0)
    assert chosen(dry).checks == chosen().checks
    assert chosen(dry, {"method": "D1"}).checks != chosen(None, {"method": "D1"}).checks


@pytest.mark.parametrize(
    ("line_mm2", "protective_mm2"), [(10, 10), (25, 16), (35, 16), (70, 35), (120, 70), (150, 95)]
)
def test_a_protective_conductor_is_the_next_size_above_its_share(
    line_mm2: float, protective_mm2: float
) -> None:
    """IEC 60364-5-54 table 54.2: S to 16 mm2, 16 to 35 mm2, S / 2 above (60: 70, 75: 95)."""
    sizes = tuple(mm2 * 1e-6 for mm2 in (6, 10, 16, 25, 35, 50, 70, 95, 120))
    assert protective_size(line_mm2 * 1e-6, sizes) == pytest.approx(protective_mm2 * 1e-6)
