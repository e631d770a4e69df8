"""Published examples of conductors, grounding, fill, transformers and taps, each number of them."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from facility.core.check import Outcome
from facility.power.feeders.nec.ampacity import derating
from facility.power.feeders.nec.candidate import smallest_conduit
from facility.power.feeders.nec.transformer import protect_transformer, transformer_checks
from facility.study.verification.inputs import values_of
from facility.study.verification.manual import evaluate
from facility.study.verification.power.conductor_cases import COPPER, feeder
from tests.power.feeders.nec_helpers import choose

PUBLISHED = Path(__file__).parent / "data" / "published.csv"


def _rows() -> list[dict[str, str]]:
    with PUBLISHED.open(newline="", encoding="utf-8") as stream:
        return list(csv.DictReader(stream, strict=True))


@pytest.mark.parametrize("row", _rows(), ids=lambda r: f"{r['case']}-{r['quantity']}")
def test_published_number(row: dict[str, str]) -> None:
    found = evaluate(row["compute"], values_of(row["inputs"], row["case"]), row["unit"])
    if row["tolerance"]:
        assert found == pytest.approx(float(row["expected"]), abs=float(row["tolerance"]))
    else:
        assert found == row["expected"]


def test_what_a_feeder_must_carry() -> None:
    """E01: 200 A continuous, EC&M; E02: 13,356 VA continuous and 75 A, truncated to 144 A."""
    assert choose(200.0, neutral="not counted", neutral_a=200.0).required_a == pytest.approx(250.0)
    pair = choose(13356.0 / 240.0, other_a=75.0, poles=2, voltage_v=240.0, v_ln=120.0)
    assert pair.required_a == pytest.approx(144.6, abs=0.6)
    assert pair.size == "1/0"


def test_five_circuits_are_fifteen_conductors() -> None:  # E05
    assert derating(feeder(10.0, grouped_circuits=5), COPPER).current_carrying == 15


def test_four_conductors_of_10_awg_go_into_a_half_inch_conduit() -> None:  # E09
    conduit = smallest_conduit("EMT", "THHN/THWN-2", {"10": 4})
    assert conduit.trade_size == "1/2"
    assert conduit.fill == pytest.approx(0.278, abs=0.0005)


def test_not_more_than_225_a_of_primary_and_300_a_of_secondary_pass() -> None:
    allowed = protect_transformer(75e3, 480.0, 208.0, "2023")
    kept = transformer_checks("T1", allowed, 225.0, 300.0, "2023")
    broken = transformer_checks("T1", allowed, 250.0, 350.0, "2023")
    missing = transformer_checks("T1", allowed, 225.0, None, "2023")
    assert [c.outcome for c in kept] == [Outcome.PASS, Outcome.PASS]
    assert [c.outcome for c in broken] == [Outcome.FAIL, Outcome.FAIL]
    assert [c.outcome for c in missing] == [Outcome.PASS, Outcome.FAIL]
