"""What a person enters for a field: values, lists, values by name, numbers with separators."""

from __future__ import annotations

from typing import Any

import pytest

from facility.core.errors import FacilityError
from facility.core.parse import plain_text
from facility.files.project.file import default_project
from facility.model.inputs.change import declared_path
from facility.model.inputs.document import as_typed
from facility.model.inputs.entries import (
    field_at,
    fields,
    text_of,
    typed_of,
    value_at,
    with_entries,
)


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("12,000", "12000"),
        ("1,250,000", "1250000"),
        ("12 000", "12000"),
        ("12'000", "12000"),
        ("5k", "5000"),
        ("1.5 k", "1500"),
        ("2M", "2000000"),
        ("0k", "0"),
    ],
)
def test_a_count_with_separators_is_read(text: str, plain: str) -> None:
    assert plain_text(text, count=True) == plain


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("12,5 kW", "12.5 kW"),
        ("0,125 kW", "0.125 kW"),
        ("-12,5 °C", "-12.5 °C"),
        ("5.000,5 kW", "5000.5 kW"),
        ("5,000.5 kW", "5000.5 kW"),
        ("1,250,000 W", "1250000 W"),
        ("1'250 kW", "1250 kW"),
    ],
)
def test_a_quantity_of_one_reading_is_read(text: str, plain: str) -> None:
    assert plain_text(text, count=False) == plain


@pytest.mark.parametrize(
    "text", ["1,250 kW", "1 250 kW", "12,34,567 W", "1,2,3 kW", "x", "", "5 kW"]
)
def test_any_other_quantity_stays_as_it_is(text: str) -> None:
    assert plain_text(text, count=False) == text


@pytest.mark.parametrize(
    "text", ["12.000", "1,2", "1.2345k", "01,000", "5K", "-5k", "1e3", "5 m", ""]
)
def test_any_other_count_stays_as_it_is(text: str) -> None:
    assert plain_text(text, count=True) == text


@pytest.mark.parametrize(
    ("path", "text", "held"),
    [
        ("it.gpus", "12,000", "12000"),
        ("it.feeds", "A, B,C", ["A", "B", "C"]),
        ("it.feeds", "[A; B]", ["A", "B"]),
        ("power.distribution.breakers", "60 A, 100 A", ["60 A", "100 A"]),
        ("power.generator.steps", "30,5 %; 69.5 %", ["30.5 %", "69.5 %"]),
        ("confirmed", "it.diversity", ["it.diversity"]),
    ],
)
def test_an_entry_becomes_what_the_file_holds(path: str, text: str, held: Any) -> None:
    project = with_entries(default_project(), {path: text})
    assert value_at(as_typed(project), path) == held
    assert typed_of(text_of(held), field_at(path)) == held
    assert value_at(as_typed(with_entries(project, {path: ""})), path) is None


def test_values_by_name() -> None:
    field = fields()["it.halls[].racks[].devices[].supplies"]
    assert typed_of("A: 2, B: 4", field) == {"A": "2", "B": "4"}
    assert text_of({"A": "2", "B": "4"}) == "A: 2, B: 4"


def test_a_path_into_lists_is_that_of_its_declaration() -> None:
    assert declared_path("it.halls[0].racks.12.count") == "it.halls[].racks[].count"
    assert field_at("it.halls.3.floor_area") is fields()["it.halls[].floor_area"]
    assert field_at("power.ups") is None
    assert value_at({"a": [{"b": "1"}]}, "a.0.b") == "1"
    assert value_at({"a": [{"b": "1"}]}, "a.1.b") is None


@pytest.mark.parametrize(
    ("path", "text", "words"),
    [
        ("it.gpus", "12.000", ["12000 or 12"]),
        ("site.tariff", "12 ct/kWh", ["0.12 EUR/kWh", "0.12 USD/kWh"]),
        ("site.tariff", "9.5p/kWh", ["0.095 GBP/kWh"]),
        ("power.generator.rating", "1,250 kW", ["1250 kW", "1.250 kW"]),
    ],
)
def test_what_can_be_meant_in_two_ways_is_answered_with_both(
    path: str, text: str, words: list[str]
) -> None:
    with pytest.raises(FacilityError) as caught:
        with_entries(default_project(), {path: text})
    for word in words:
        assert word in caught.value.hint
