"""The faults section of the project: what is assumed, what is given, what decides the method."""

from __future__ import annotations

import pytest

from facility.core.errors import FacilityError
from facility.model.inputs.power.faults import FaultSection
from facility.model.power.faults import FaultBasis
from facility.study.design.design import Design
from tests.study.fields import AIR
from tests.study.helpers import design_of

# What stays unknown where it is not given: nothing is assumed for it.
LEFT_UNKNOWN = {
    "utility_minimum_level",
    "switchgear_rating",
    "board_rating",
    "panel_rating",
    "rack_pdu_rating",
    "pdu_rating",
    "ups_output_rating",
    "ats_rating",
    "sts_rating",
    "generator_bus_rating",
    "clearing_time",
    "trip_multiple",
    "delayed_trip_multiple",
    "let_through",
    "backup_device",
    "backup_rating",
}


def basis(found: Design) -> FaultBasis:
    return found.facility.electrical.faults


def assumed(found: Design) -> set[str]:
    return {a.id for a in found.ledger if a.id.startswith("faults.")}


def test_every_default_stands_in_the_ledger() -> None:
    names = set(FaultSection.model_fields) - LEFT_UNKNOWN
    expected = {f"faults.{name}" for name in names}
    assert assumed(design_of(AIR)) == expected | {
        "faults.utility_fault_level",
        "faults.utility_x_over_r",
        "faults.utility_minimum_level",
    }


def test_what_is_given_is_taken_and_no_assumption() -> None:
    found = design_of(
        AIR,
        "power.faults.generator_reactance=15 %",
        "power.faults.motor_share=25 %",
        "power.faults.method=point-to-point",
        "site.fault_level=500 MVA",
        "site.x_over_r=18",
    )
    data = basis(found)
    assert data.sources.generator_reactance == pytest.approx(0.15)
    assert data.sources.motor_share == pytest.approx(0.25)
    assert data.method == "point-to-point"
    assert data.sources.utility_x_over_r == 18.0
    assert data.sources.utility_minimum_va is None
    left = assumed(found)
    assert "faults.utility_minimum_level" in left
    assert not left & {
        "faults.generator_reactance",
        "faults.motor_share",
        "faults.method",
        "faults.utility_x_over_r",
        "faults.utility_fault_level",
    }


def test_the_code_decides_the_method() -> None:
    assert basis(design_of(AIR)).method == "per-unit"
    assert basis(design_of(AIR, "criteria.code=IEC")).method == "iec-60909"
    assert basis(design_of(AIR)).sources.utility_minimum_va is None


@pytest.mark.parametrize(
    "change",
    [
        "generator_reactance=0 %",
        "utility_minimum_level=0 MVA",
        "motor_share=120 %",
        "method=guess",
        "ups_duration=2 V",
    ],
)
def test_values_out_of_range_are_refused(change: str) -> None:
    with pytest.raises(FacilityError):
        design_of(AIR, f"power.faults.{change}")


def test_the_lowest_level_is_not_the_highest() -> None:
    """500 MVA at most says nothing of the least: the lowest currents on the utility are unknown."""
    stated = "site.fault_level=500 MVA"
    open_ = design_of(AIR, stated)
    (words,) = [a.basis for a in open_.ledger if a.id == "faults.utility_minimum_level"]
    assert "not evaluated" in words
    assert "fault.board.utility.min" not in open_.all_results
    assert "fault.board.generator.min" in open_.all_results
    low = design_of(AIR, stated, "power.faults.utility_minimum_level=100 MVA")
    high = design_of(AIR, stated, "power.faults.utility_minimum_level=500 MVA")
    at = "fault.board.utility.min"
    assert float(low.all_results[at].si) < float(high.all_results[at].si)
    assert "faults.utility_minimum_level" in assumed(open_)
    assert "faults.utility_minimum_level" not in assumed(low)


def test_molded_case_breakers_are_not_slower_than_the_others() -> None:
    with pytest.raises(FacilityError, match="at most clearing_time") as caught:
        design_of(AIR, "power.faults.clearing_time=0.1 s", "power.faults.molded_case_time=0.2 s")
    assert (caught.value.code, caught.value.where) == (
        "CONTRADICTION",
        "power.faults.molded_case_time",
    )
