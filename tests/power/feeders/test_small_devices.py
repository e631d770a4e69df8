"""Conductors of small devices, against a second calculation from the tables as they are written."""

from __future__ import annotations

import csv
import itertools
import math
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from facility.core.check import Check, Outcome, Severity
from facility.core.errors import FacilityError
from facility.model.power.faults import Clearing, EnergyLimits, LetThroughPoint
from facility.power.feeders.iec.checks import short_circuit_check
from facility.power.feeders.let_through import protection
from facility.power.feeders.nec.checks import grounding_withstand
from facility.power.feeders.terminals import terminal_check
from facility.power.feeders.types import ConductorChoice
from tests.hand.small_devices import BY_TIME, LISTED
from tests.power.feeders.iec.test_iec_choice import BASIS, chosen
from tests.power.feeders.nec_helpers import choose
from tests.study.fields import AIR
from tests.study.helpers import design_of

TABLES = Path("reference/electrical")
FAULTS_A = (2.9e3, 4.5e3, 6e3, 9.9e3, 10e3, 22e3, 65e3)


def rows(table: str) -> list[dict[str, str]]:
    with (TABLES / f"{table}.csv").open(newline="", encoding="utf-8") as stream:
        return list(csv.DictReader(stream))


def energies(device: str, rating_a: float, fault_ka: float) -> Iterator[float]:
    """Yield the limits that hold for a device, by their columns."""
    for row in rows("let_through"):
        limits = [float(row[name]) for name in ("voltage_max_v", "rating_max_a", "fault_max_ka")]
        at_least = (400.0, rating_a, fault_ka)
        if row["device"] == device and all(a >= b for a, b in zip(limits, at_least, strict=True)):
            yield float(row["energy_a2s"])


# --- IEC ----------------------------------------------------------------------------------------


def second_iec(device: str, rating_a: float, fault_a: float) -> float:
    """Return the size of PVC copper in method C [mm2]: overload, then k2S2 >= I2t."""
    of_class = min(energies(device, rating_a, max(fault_a / 1e3, 10.0)), default=0.0)
    for row in rows("iec_60364_5_52"):
        key = [row[n] for n in ("conductor", "insulation", "loaded_conductors", "method")]
        if key == ["cu", "PVC", "3", "C"] and float(row["ampacity_a"]) >= rating_a:
            size = float(row["size_mm2"])
            if (115.0 * size) ** 2 >= of_class:
                return size
    raise AssertionError


@pytest.mark.parametrize("device", ["type B", "type C"])
@pytest.mark.parametrize("rating_a", [6.0, 10.0, 13.0, 16.0, 20.0, 25.0, 32.0, 40.0])
def test_cables_of_miniature_breakers_by_a_second_calculation(device: Any, rating_a: float) -> None:
    for fault_a in FAULTS_A:
        clearing = Clearing(0.3, 0.025, 630.0, EnergyLimits(device, 10e3))
        found = chosen(
            continuous_a=0.9 * rating_a, ocpd_a=rating_a, length_m=2.0,
            fault_a=fault_a, clearing=clearing,
        )  # fmt: skip
        assert float(found.size) == second_iec(device, rating_a, fault_a)
        of_device = protection(clearing, rating_a, fault_a, 400.0)
        outcome = short_circuit_check("c", found, fault_a, of_device, BASIS).outcome
        inside = fault_a <= 10e3
        assert outcome is (Outcome.PASS if inside else Outcome.NOT_EVALUATED)


# --- NEC ----------------------------------------------------------------------------------------


def second_nec(rating_a: float, *, listed: bool, fault_a: float) -> str:
    """Return the size of copper at 75 degC terminals, of a load of 80 % of the device."""
    area = {row["size"]: float(row["circular_mils"]) for row in rows("nec_ch9_table8")}
    per_cmil = math.sqrt(0.0297 * math.log10((150.0 + 234.0) / (90.0 + 234.0)) / 0.025)
    for row in rows("nec_310_16_ampacity"):
        ampacity_a = float(row["cu_75c_a"] or 0.0)
        small_a = float(row["max_ocpd_240_4_d_cu_a"] or math.inf)
        if ampacity_a < rating_a or rating_a > small_a:
            continue
        if listed or area[row["size"]] * per_cmil >= fault_a:
            return row["size"]
    raise AssertionError


@pytest.mark.parametrize("rating_a", [10.0, 15.0, 20.0, 25.0, 30.0, 40.0, 50.0, 60.0, 80.0, 100.0])
def test_conductors_of_small_breakers_by_a_second_calculation(rating_a: float) -> None:
    for (clearing, listed), fault_a in itertools.product(
        ((LISTED, True), (BY_TIME, False)), FAULTS_A
    ):
        found = choose(
            0.8 * rating_a, ocpd_a=rating_a, length_m=2.0, fault_a=fault_a, clearing=clearing
        )
        assert found.size == second_nec(rating_a, listed=listed, fault_a=fault_a)


# --- what is known of a device ------------------------------------------------------------------


def duration(limits: EnergyLimits, rating_a: float, fault_a: float, v_ll: float = 400.0) -> float:
    found = protection(Clearing(0.3, 0.025, 630.0, limits), rating_a, fault_a, v_ll)
    assert found is not None
    assert found.duration_s is not None
    return found.duration_s


def test_the_least_of_curve_class_and_back_up_counts() -> None:
    limits = EnergyLimits("type C", 10e3)
    assert duration(limits, 16.0, 8e3) == pytest.approx(84e3 / 8e3**2)
    curve = (LetThroughPoint(16.0, 6e3, 20e3), LetThroughPoint(16.0, 10e3, 45e3))
    assert duration(replace(limits, points=curve), 16.0, 8e3) == pytest.approx(45e3 / 8e3**2)
    assert duration(replace(limits, points=curve), 20.0, 8e3) == pytest.approx(110e3 / 8e3**2)
    backed = replace(limits, points=curve, backup="gG", backup_a=63.0)
    assert duration(backed, 16.0, 8e3) == pytest.approx(21.2e3 / 8e3**2)


def test_outside_its_table_a_class_tells_nothing() -> None:
    limits = EnergyLimits("type C", 10e3)
    assert duration(limits, 16.0, 12e3) == duration(limits, 50.0, 8e3) == 0.025
    assert duration(replace(limits, breaking_a=6e3), 16.0, 8e3) == 0.025
    assert duration(replace(limits, breaking_a=15e3), 16.0, 8e3) == 0.025
    of_600_v = duration(EnergyLimits("class T"), 30.0, 40e3, 480.0)
    assert of_600_v == pytest.approx(2.0 * duration(EnergyLimits("class T"), 30.0, 40e3, 208.0))
    assert duration(EnergyLimits("class J"), 700.0, 40e3) == 0.3


def test_the_earth_fault_is_that_of_a_device_that_breaks_the_highest_fault() -> None:
    """9 kA to earth where 12 kA flow between lines: the breaker of 10 kA is not known."""
    clearing = Clearing(0.3, 0.025, 630.0, EnergyLimits("type C", 10e3))
    found = protection(clearing, 10.0, 12e3, 400.0, 9e3)
    assert found is not None
    assert (found.known, found.duration_s) == (False, 0.025)
    inside = protection(clearing, 10.0, 9e3, 400.0, 6e3)
    assert inside is not None
    assert inside.duration_s == pytest.approx(84e3 / 6e3**2)


def test_grounding_conductors_of_a_listed_breaker() -> None:
    """8 AWG behind 100 A bears (16,510)^2 x 0.0021914 = 597 kA2s; for 0.025 s 4.89 kA."""
    found = choose(80.0, ocpd_a=100.0)
    assert (found.size, found.egc_size) == ("3", "8")

    def of(fault_a: float, clearing: Clearing, choice: ConductorChoice = found) -> Check:
        ahead = protection(clearing, choice.ocpd_a, fault_a, 480.0)
        return grounding_withstand("c", choice, fault_a, ahead, 90.0, "2023")

    assert of(4.8e3, LISTED).outcome is Outcome.PASS
    unknown = of(5.0e3, LISTED)
    assert unknown.outcome is Outcome.NOT_EVALUATED
    assert "597 kA2s" in unknown.why
    assert of(4.8e3, BY_TIME).outcome is Outcome.PASS
    assert of(5.0e3, BY_TIME).outcome is Outcome.FAIL
    as_line = choose(16.0, ocpd_a=20.0)
    assert as_line.egc_size == as_line.size == "12"
    assert of(22e3, LISTED, as_line).outcome is Outcome.PASS
    assert of(22e3, Clearing(), as_line).outcome is Outcome.NOT_EVALUATED


@pytest.mark.parametrize(
    ("code", "device_a", "sets", "mm2", "outcome"),
    [
        ("NEC", 20.0, 1, 8.36, Outcome.PASS),  # 8 AWG
        ("NEC", 20.0, 1, 13.3, Outcome.FAIL),  # 6 AWG
        ("NEC", 400.0, 2, 304.0, Outcome.PASS),  # 600 kcmil
        ("NEC", 400.0, 3, 107.2, Outcome.FAIL),
        ("NEC", 1600.0, 5, 304.0, Outcome.NOT_EVALUATED),
        ("IEC", 63.0, 1, 25.0, Outcome.PASS),
        ("IEC", 63.0, 1, 35.0, Outcome.FAIL),
        ("IEC", 800.0, 3, 240.0, Outcome.NOT_EVALUATED),
    ],
)
def test_the_largest_conductor_of_a_terminal(
    code: str, device_a: float, sets: int, mm2: float, outcome: Outcome
) -> None:
    chosen_one, stated = (
        terminal_check("c", code, device_a, sets, mm2 * 1e-6, stated=stated)
        for stated in (False, True)
    )
    assert chosen_one.outcome is stated.outcome is outcome
    assert chosen_one.severity is Severity.ADVICE
    assert stated.severity is Severity.WARNING


# --- in a project -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("settings", "where", "words"),
    [
        (["power.faults.backup_device=gG"], "backup_rating", "device and rating"),
        (
            ["power.faults.backup_device=class J", "power.faults.backup_rating=800 A"],
            "backup_rating",
            "end at 600 A",
        ),
    ],
)
def test_a_back_up_that_is_half_stated_or_unlisted_is_refused(
    settings: list[str], where: str, words: str
) -> None:
    with pytest.raises(FacilityError) as caught:
        design_of(AIR, *settings)
    assert caught.value.where == f"power.faults.{where}"
    assert words in str(caught.value)


def test_small_circuits_of_a_project_keep_their_rated_conductors() -> None:
    """10 A: 14 AWG, 15 A: 14 AWG, 20 A: 12 AWG, 30 A: 10 AWG, with 0.3 s stated of the others."""
    found = design_of(AIR, "power.faults.clearing_time=0.3 s", "site.fault_level=500 MVA")
    rated = {10.0: "14", 15.0: "14", 20.0: "12", 25.0: "10", 30.0: "10"}
    small = [
        f.choice
        for f in found.distribution.feeders.feeders
        if f.choice is not None
        and f.choice.ocpd_a in rated
        and f.circuit.stage not in ("transformer", "mv")
    ]
    assert small
    for one in small:
        assert (one.size, one.egc_size) == (rated[one.ocpd_a], rated[one.ocpd_a])
        assert one.neutral_size in ("", one.size)
