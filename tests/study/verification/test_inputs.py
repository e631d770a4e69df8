"""Inputs of cases: names and values, and projects from dotted names."""

from __future__ import annotations

import pytest

from facility.core.errors import FacilityError
from facility.study.verification.inputs import fields_of, nested


def test_fields() -> None:
    assert fields_of("a=1; b = two words;", "w") == {"a": "1", "b": "two words"}
    assert fields_of("", "w") == {}
    assert fields_of("tariff=0.05 USD/kWh", "w") == {"tariff": "0.05 USD/kWh"}


@pytest.mark.parametrize("text", ["a", "a=", "=1", "a=1; a=2"])
def test_fields_that_are_wrong_are_refused(text: str) -> None:
    with pytest.raises(FacilityError) as caught:
        fields_of(text, "cases/x[Y]")
    assert caught.value.code == "CASE_INPUTS"
    assert caught.value.where == "cases/x[Y]"


def test_nested() -> None:
    fields = {
        "it.gpus": "8",
        "it.feeds": "[A, B]",
        "it.halls.0.name": "Hall 1",
        "it.halls.0.racks.0.count": "4",
        "it.halls.0.racks.1.count": "2",
        "it.halls.1.name": "Hall 2",
    }
    assert nested(fields, "w") == {
        "it": {
            "gpus": "8",
            "feeds": ["A", "B"],
            "halls": [
                {"name": "Hall 1", "racks": [{"count": "4"}, {"count": "2"}]},
                {"name": "Hall 2"},
            ],
        }
    }


@pytest.mark.parametrize("path", ["it.halls.1.name", "it.halls.0.racks.2.count"])
def test_a_list_with_a_gap_is_refused(path: str) -> None:
    with pytest.raises(FacilityError) as caught:
        nested({path: "1"}, "w")
    assert caught.value.code == "CASE_INPUTS"


@pytest.mark.parametrize("fields", [{"it": "8", "it.gpus": "8"}, {"it.a.0": "1", "it.a.x": "2"}])
def test_names_that_contradict_each_other_are_refused(fields: dict[str, str]) -> None:
    with pytest.raises(FacilityError) as caught:
        nested(fields, "w")
    assert caught.value.code == "CASE_INPUTS"
