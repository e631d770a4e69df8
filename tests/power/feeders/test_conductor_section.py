"""The conductors section of a project: defaults in the ledger, refusals, the basis in SI."""

from __future__ import annotations

from typing import Any

import pytest

from facility.core.errors import FacilityError
from facility.core.trace import Trace
from facility.model.inputs.document import read_document
from facility.model.power.conductors import ConductorBasis
from facility.study.resolve.power.conductors import resolve_conductors
from tests.power.helpers import criteria


def resolved(code: str = "NEC", **section: Any) -> tuple[ConductorBasis, Trace]:
    document = {"schema_version": "1", "power": {"conductors": section}}
    given = read_document(document).power.conductors
    trace = Trace()
    return resolve_conductors(given, criteria(code=code), trace), trace


def test_every_default_is_in_the_ledger() -> None:
    basis, trace = resolved()
    assert (basis.material, basis.insulation, basis.raceway) == ("cu", "THHN/THWN-2", "EMT")
    assert (basis.insulation_c, basis.termination_c, basis.ambient_c) == (90.0, 75.0, 30.0)
    assert (basis.largest_size, basis.neutral_counted, basis.grouped_circuits) == ("600", True, 1)
    assert basis.branch_length_m is None
    names = {
        "material",
        "insulation",
        "termination_temperature",
        "ambient",
        "ambient_correction",
        "raceway",
        "largest_size",
        "neutral_counted",
        "grouped_circuits",
        "parallel_sets",
        "branch_length",
        "mechanical_device",
        "largest_pump",
        "transformer_location",
    }
    lengths = {"transformer", "set", "generator", "ups", "feeder", "panel", "mechanical", "unit"}
    expected = names | {f"{name}_length" for name in lengths}
    assert {e.id for e in trace.ledger} == {f"power.conductors.{name}" for name in expected}
    planned = [e for e in trace.ledger if e.id.endswith("_length") and e.kind == "length"]
    assert all("planning value" in e.basis for e in planned)


def test_what_is_given_is_taken_and_not_assumed() -> None:
    basis, trace = resolved(
        material="aluminum",
        insulation="THW",
        termination_temperature="140 degF",
        ambient="40 degC",
        ambient_correction="equation",
        raceway="PVC-40",
        largest_size="500 kcmil",
        neutral_counted="false",
        grouped_circuits="2",
        parallel_sets="8",
        transformer_length="10 m",
        transformer_location="indoors",
        set_length="12 m",
        generator_length="100 ft",
        ups_length="5 m",
        feeder_length="60 m",
        panel_length="3 m",
        mechanical_length="80 m",
        branch_length="12 m",
        unit_length="15 m",
        mechanical_device="400 A",
        largest_pump="75 kW",
    )
    assert basis == ConductorBasis(
        "al",
        "THW",
        75.0,
        60.0,
        40.0,
        "PVC-40",
        "",
        "500",
        False,
        2,
        10.0,
        12.0,
        pytest.approx(30.48),
        5.0,
        60.0,
        3.0,
        80.0,
        12.0,
        ambient_by_table=False,
        unit_length_m=15.0,
        mechanical_device_a=400.0,
        largest_pump_w=75e3,
        transformer_outdoors=False,
    )
    assert not list(trace.ledger)


def test_the_iec_has_its_own_defaults() -> None:
    basis, trace = resolved("IEC")
    assert (basis.insulation, basis.method, basis.raceway) == ("XLPE", "E", "")
    assert (basis.largest_size, basis.termination_c) == ("240", 90.0)
    assert "power.conductors.termination_temperature" not in trace.ledger
    assert resolved("IEC", largest_size="185 mm2")[0].largest_size == "185"


@pytest.mark.parametrize(
    ("code", "section", "error", "where"),
    [
        ("NEC", {"method": "E"}, "CONTRADICTION", "power.conductors.method"),
        ("NEC", {"insulation": "PVC"}, "CONTRADICTION", "power.conductors.insulation"),
        ("IEC", {"insulation": "THW"}, "CONTRADICTION", "power.conductors.insulation"),
        ("IEC", {"raceway": "EMT"}, "CONTRADICTION", "power.conductors.raceway"),
        ("NEC", {"largest_size": "240"}, "NOT_ONE_OF", "power.conductors.largest_size"),
        ("IEC", {"largest_size": "4/0"}, "NOT_ONE_OF", "power.conductors.largest_size"),
        (
            "NEC",
            {"termination_temperature": "70 degC"},
            "NOT_ONE_OF",
            "power.conductors.termination_temperature",
        ),
        (
            "NEC",
            {"termination_temperature": "90 degC"},
            "OUT_OF_RANGE",
            "power.conductors.termination_temperature",
        ),
        ("NEC", {"ambient": "95 degC"}, "OUT_OF_RANGE", "power.conductors.ambient"),
        ("NEC", {"ups_length": "-1 m"}, "OUT_OF_RANGE", "power.conductors.ups_length"),
        ("NEC", {"grouped_circuits": "0"}, "NOT_A_COUNT", "power.conductors.grouped_circuits"),
        ("NEC", {"colour": "red"}, "UNKNOWN_FIELD", "power.conductors.colour"),
    ],
)
def test_section_refuses(code: str, section: dict[str, str], error: str, where: str) -> None:
    with pytest.raises(FacilityError) as caught:
        resolved(code, **section)
    assert caught.value.code == error
    assert caught.value.where.startswith(where)
