"""The one error bad input may raise."""

from __future__ import annotations

import pickle

import pytest

from facility.core.errors import FacilityError, near_matches


def test_text_and_dict() -> None:
    error = FacilityError("UNKNOWN_MODEL", "it.gpu_model", "'H1000' is unknown.", "Did you mean?")
    assert str(error) == "it.gpu_model: 'H1000' is unknown. Did you mean? [UNKNOWN_MODEL]"
    assert error.as_dict() == {
        "code": "UNKNOWN_MODEL",
        "where": "it.gpu_model",
        "message": "'H1000' is unknown.",
        "hint": "Did you mean?",
    }
    assert error.exit_code == 3


def test_text_without_place_and_hint() -> None:
    assert str(FacilityError("X", "", "Wrong.")) == "Wrong. [X]"


def test_survives_pickling() -> None:
    error = FacilityError("NO_SOLUTION", "power", "None fits.", "Relax.", exit_code=4)
    copy = pickle.loads(pickle.dumps(error))
    assert (str(copy), copy.exit_code) == (str(error), 4)


def test_near_matches() -> None:
    models = ["H100 SXM5", "H200 SXM5", "GB200", "MI300X"]
    assert near_matches("h100 sxm", models).startswith("Did you mean 'H100 SXM5'")
    assert near_matches("zzz", models) == "Known: GB200, H100 SXM5, H200 SXM5, MI300X."
    assert near_matches("zzz", [f"{n:04d}" for n in range(100)]) == ""
    assert near_matches("x", []) == ""


@pytest.mark.usefixtures("ends")
def test_near_matches_of_a_very_long_word() -> None:
    assert near_matches("x" * 5_000_000, [f"model {n}" for n in range(500)]) == ""
