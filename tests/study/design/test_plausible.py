"""A result that physics does not allow is an error of the program, never a figure."""

from __future__ import annotations

import math

import pytest

from facility.core.errors import FacilityError
from facility.core.table import Results, Value
from facility.core.trace import Trace
from facility.files.project.file import parse_project
from facility.study.design import results as module
from facility.study.design.design import design
from facility.study.plausible import refuse_impossible
from tests.study.helpers import SHORTEST as SHORT


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("pue.design", Value(0.9999, "ratio")),
        ("option.air.pue", Value(0.04, "ratio")),
        ("ups.efficiency", Value(1.0001, "fraction")),
        ("load.cooling", Value(-1.0, "active_power")),
        ("heat.air", Value(math.nan, "heat_flow")),
        ("ups.losses", Value(math.inf, "active_power")),
        ("availability.worst", Value(1.01, "fraction")),
        ("loading.max", Value(-0.2, "fraction")),
        ("crah.airflow", Value(-0.1, "air_flow")),
        ("crah.count", Value(-1, "count")),
    ],
)
def test_what_cannot_be_is_refused(key: str, value: Value) -> None:
    with pytest.raises(FacilityError) as caught:
        refuse_impossible(Results({"load.it": Value(1.0, "active_power"), key: value}))
    error = caught.value
    assert (error.code, error.where, error.exit_code) == ("IMPOSSIBLE_RESULT", key, 1)


def test_what_lies_on_the_edge_passes() -> None:
    found = Results(
        {
            "pue.design": Value(1.0, "ratio"),
            "ups.efficiency": Value(1.0, "fraction"),
            "load.cooling": Value(0.0, "active_power"),
            "site.dew_point": Value(-20.0, "temperature"),
            "utility.reactive": Value(-5.0, "reactive_power"),
            "load.basis": Value("typical"),
            "fault_tolerant": Value(False),
            "pue.part.cooling": Value(0.1, "ratio"),
        }
    )
    assert refuse_impossible(found) is found


def test_the_design_looks_through_the_gate(monkeypatch: pytest.MonkeyPatch) -> None:
    number = module._number

    def wrong(trace: Trace, key: str, basis: str) -> Value:
        return Value(0.5, "ratio") if key == "pue.design" else number(trace, key, basis)

    monkeypatch.setattr(module, "_number", wrong)
    with pytest.raises(FacilityError, match="below the IT load"):
        design(parse_project(SHORT))


def test_a_pump_of_no_efficiency_is_refused_at_its_field() -> None:
    with pytest.raises(FacilityError) as caught:
        parse_project(SHORT.replace("plant: {", "plant: {pump: {efficiency: 0.001 %}, "))
    assert (caught.value.code, caught.value.where) == (
        "OUT_OF_RANGE",
        "cooling.plant.pump.efficiency",
    )
