"""Results by key and by attribute, as JSON and as tidy rows."""

from __future__ import annotations

import json

import numpy as np
import pytest

from facility.core.errors import FacilityError
from facility.core.table import Results, Value


@pytest.fixture
def results() -> Results:
    return Results(
        {
            "load.it": Value(12.75e6, "active_power", "data-sheet maximum"),
            "load.racks": Value(313, "count"),
            "load.racks.compute": Value(300, "count"),
            "ups.module_rating": Value(1.5e6, "active_power"),
            "ups.module_rating_kva": Value(1.6e6, "apparent_power"),
            "ups.loading_normal": Value(0.62, "fraction"),
            "ups.scheme": Value("3N/2"),
            "cdu.loop.flow": Value(0.02, "liquid_flow"),
            "pue.design": Value(1.31, "ratio"),
            "concurrently_maintainable": Value(True),
        }
    )


def test_by_key(results: Results) -> None:
    assert results["load.it"].si == 12.75e6
    assert len(results) == 10
    assert "load.it" in results
    assert results.get("nope") is None
    assert results.get("nope", 1) == 1
    assert next(iter(results)) == "load.it"
    with pytest.raises(FacilityError, match=r"load\.it") as caught:
        results["load.itt"]
    assert caught.value.code == "UNKNOWN_RESULT"


def test_by_attribute(results: Results) -> None:
    assert results.ups.module_rating is results["ups.module_rating"]
    assert results.concurrently_maintainable is results["concurrently_maintainable"]
    assert results.ups.module_rating.m_as("kW") == 1500.0
    assert results.ups.module_rating_kva.m_as("kVA") == 1600.0
    assert results.ups.module_rating.quantity.to("MW").magnitude == 1.5
    assert str(results.ups.module_rating) == "1,500 kW"
    assert results.ups.si.module_rating == 1.5e6
    assert results.ups.si.scheme == "3N/2"
    assert results.ups.loading_normal.m_as("%") == 62.0
    assert results.pue.design.si == 1.31
    with pytest.raises(AttributeError, match=r"no result group.*'ups'"):
        _ = results.upps
    with pytest.raises(AttributeError, match=r"ups\.scheme"):
        _ = results.ups.schema
    with pytest.raises(AttributeError):
        _ = results.__wrapped__


@pytest.mark.parametrize(
    ("key", "unit", "code"),
    [
        ("ups.module_rating", "kVA", "UNIT_UNKNOWN"),
        ("ups.module_rating", "furlong", "UNIT_UNKNOWN"),
        ("ups.scheme", "kW", "INPUT_TYPE"),
        ("concurrently_maintainable", "kW", "INPUT_TYPE"),
    ],
)
def test_a_value_converts_to_units_of_its_kind(
    results: Results, key: str, unit: str, code: str
) -> None:
    with pytest.raises(FacilityError) as caught:
        results[key].to(unit)
    assert caught.value.code == code


def test_nested_keys(results: Results) -> None:
    assert results["load.racks.compute"].si == 300
    assert results.load.racks.si == 313
    assert results.cdu.loop.flow.m_as("L/s") == pytest.approx(20.0)
    assert results.cdu.loop.si.flow == 0.02
    assert results.cdu.si.loop.flow == 0.02
    assert "racks.compute" in dir(results.load)
    assert "ups" in dir(results)


def test_json_contract(results: Results) -> None:
    assert json.loads(json.dumps(results.as_json(), allow_nan=False)) == {
        "load.it": {"value": 12750.0, "unit": "kW"},
        "load.racks": 313,
        "load.racks.compute": 300,
        "ups.module_rating": {"value": 1500.0, "unit": "kW"},
        "ups.module_rating_kva": {"value": 1600.0, "unit": "kVA"},
        "ups.loading_normal": {"value": 62.0, "unit": "%"},
        "ups.scheme": "3N/2",
        "cdu.loop.flow": {"value": pytest.approx(1200.0), "unit": "L/min"},
        "pue.design": {"value": 1.31, "unit": ""},
        "concurrently_maintainable": True,
    }


def test_json_of_array_library_scalars_is_plain() -> None:
    plain = Results(
        {
            "a": Value(np.float64(1e3), "active_power"),
            "b": Value(int(np.int64(3)), "count"),
            "c": Value(3.0, "count"),
            "d": Value(bool(np.bool_(True))),
        }
    ).as_json()
    assert json.dumps(plain) == '{"a": {"value": 1.0, "unit": "kW"}, "b": 3, "c": 3, "d": true}'


@pytest.mark.parametrize("bad", [float("nan"), float("inf")])
@pytest.mark.parametrize("kind", ["active_power", "count", ""])
def test_no_nan_leaves_as_json(bad: float, kind: str) -> None:
    with pytest.raises(FacilityError) as caught:
        Results({"x.y": Value(bad, kind)}).as_json()
    assert (caught.value.code, caught.value.where) == ("NOT_FINITE", "x.y")


def test_shown(results: Results) -> None:
    assert results["load.it"].shown() == "12,750 kW"
    assert results["ups.scheme"].shown("ip") == "3N/2"


def test_a_frame_has_a_row_for_each_result(results: Results) -> None:
    frame = results.to_frame()
    assert list(frame.index) == list(results)
    assert tuple(frame.loc["load.it"]) == (
        "load", "it", 12750.0, "kW", 12.75e6, "W", "12,750 kW", "data-sheet maximum", ""
    )  # fmt: skip
    assert frame["si"].dtype == float
    assert np.isnan(frame.loc["ups.scheme", "si"])
    assert frame.loc["concurrently_maintainable", "si"] == 1.0
    assert tuple(frame.loc["load.racks.compute"])[:3] == ("load", "racks.compute", 300)


def test_results_are_shown_in_a_line_and_as_a_table_without_markup(results: Results) -> None:
    assert repr(results).startswith("<Results: ")
    assert len(repr(results)) < 100
    table = Results({"load.it": Value("<b>&", basis="<script>")})._repr_html_()
    assert "<td>load.it</td><td>&lt;b&gt;&amp;</td><td>&lt;script&gt;</td>" in table
