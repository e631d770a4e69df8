"""Vector groups that cannot serve the racks, and intakes above medium voltage."""

from __future__ import annotations

import pytest

from facility.core.errors import FacilityError
from facility.files.project.file import apply_sets, parse_project
from facility.study.design.design import Design, design

SMALL = """\
schema_version: 1
site: {station: chicago, utility_voltage: 12.47 kV, fault_level: 300 MVA}
it: {gpu_model: H100 SXM5, gpus: 64, server: DGX H100, servers_per_rack: 2, feeds: [A, B, C]}
power: {redundancy: 3N/2, distribution: {rack_system: 415Y/240}}
"""


def made(*sets: str) -> Design:
    return design(apply_sets(parse_project(SMALL), sets))


@pytest.mark.parametrize("group", ["Dd0", "Yd11"])
def test_racks_between_line_and_neutral_need_a_neutral(group: str) -> None:
    with pytest.raises(FacilityError) as caught:
        made(f"power.transformer.vector_group={group}")
    assert (caught.value.code, caught.value.where) == (
        "VECTOR_GROUP",
        "power.transformer.vector_group",
    )


def test_behind_pdu_transformers_the_boards_may_be_without_neutral() -> None:
    found = made("power.transformer.vector_group=Dd0", "power.distribution.voltage=480 V")
    (neutral,) = [c for c in found.checks if c.rule == "TRANSFORMER-NEUTRAL"]
    assert neutral.failed
    assert "no neutral" in neutral.why


@pytest.mark.parametrize("volts", ["138 kV", "69 kV"])
def test_a_transmission_voltage_is_refused(volts: str) -> None:
    with pytest.raises(FacilityError) as caught:
        made(f"site.utility_voltage={volts}")
    assert (caught.value.code, caught.value.where) == ("INTAKE_VOLTAGE", "site.utility_voltage")
    assert "34.5 kV" in caught.value.hint


def test_the_impedance_of_a_lower_class_says_so() -> None:
    """34.5 kV is of the 35 kV class; the table holds that of 15 kV (IEEE C57.12.00)."""
    words = "impedance of transformers up to 15 kV, at 34.5 kV"
    seen = {
        volts: [c.why for c in made(f"site.utility_voltage={volts}").checks if words in c.why]
        for volts in ("34.5 kV", "13.8 kV")
    }
    assert seen["34.5 kV"]
    assert not seen["13.8 kV"]
