"""Stated equipment and supplies that contradict each other: coded errors, or findings of both."""

from __future__ import annotations

import pytest

from facility.core.errors import FacilityError
from facility.study.design.design import Design
from tests.study.helpers import checks_of, design_of

LINEUP = """\
schema_version: 1
site: {station: ashburn}
it: {gpu_model: H100 SXM5, gpus: 64, server: DGX H100}
power: {redundancy: 3N/2, distribution: {rack_system: 415Y/240}}
cooling: {method: air}
"""
SERVERS = """\
schema_version: 1
site: {{station: ashburn}}
it:
  devices:
    - model: own
      category: server
      maximum_power: 10 kW
      rack_units: 8
      supplies: {{count: 6, needed: 4, rating: {rating}, capped: {capped}}}
  halls: [{{name: H, racks: [{{name: R, count: 2, devices: [{{model: own}}]}}]}}]
power: {{redundancy: 2N}}
cooling: {{method: air}}
"""
SHELVED = """\
schema_version: 1
site: {{station: ashburn}}
it:
  devices:
    - model: own
      category: server
      maximum_power: 132 kW
      rack_units: 48
      liquid_only: true
      liquid_fraction: 87 %
      supplies: {{count: 48, rating: 5.5 kW{more}}}
  halls: [{{name: H, racks: [{{name: R, count: 2, devices: [{{model: own}}]}}]}}]
power: {{redundancy: 2N}}
cooling: {{method: hybrid}}
"""


def lineup(*sets: str) -> Design:
    return design_of(LINEUP, *sets)


def why(found: Design, rule: str) -> tuple[str, str, str]:
    """Return word, subject and reason of the one failed check of a rule."""
    ((word, subject, reason),) = (
        (c.word, c.subject, c.why) for c in checks_of(found, rule) if c.failed
    )
    return word, subject, reason


def test_a_main_below_the_ups_input_device_names_both() -> None:
    found = lineup("power.transformer.rating=75 kVA", "power.ups.module_rating=300 kW")
    word, subject, reason = why(found, "DEVICE-SERIES")
    assert (word, subject) == ("WARNING", "LVB-A>UPS-A")
    assert reason.startswith("700 A device (533 A: UPS module at its rating, low line, recharging)")
    assert " A of TX-A>ATS-A (" in reason


def test_a_transformer_below_its_load_names_both() -> None:
    found = lineup("power.transformer.rating=30 kVA", "power.transformer.count=3")
    word, subject, reason = why(found, "TRANSFORMER-LOADING-FAILURE")
    assert (word, subject) == ("VIOLATION", "3 x 30 kVA")
    assert reason.endswith("% exceeds 95.0 %")


def test_a_panel_bus_below_its_main_names_both() -> None:
    found = lineup("power.distribution.panel_bus=225 A", "power.distribution.panel_main=400 A")
    word, subject, reason = why(found, "PANEL-MAIN")
    assert (word, subject, reason) == (
        "VIOLATION",
        "RPP-A01",
        "Panel main device vs. bus rating: 400 A exceeds 225 A",
    )


def test_a_branch_breaker_above_its_panel_is_refused_with_both() -> None:
    with pytest.raises(FacilityError) as refused:
        lineup(
            "power.distribution.panel_bus=100 A",
            "power.distribution.panel_main=100 A",
            "it.cords.breaker=125 A",
        )
    assert refused.value.code == "CONTRADICTION"
    assert refused.value.message == "the 125 A branch breaker exceeds the 100 A panel."


def test_an_input_limit_below_the_load_names_both() -> None:
    found = lineup("power.ups.module_rating=100 kW", "power.ups.input_limit=60 A")
    word, subject, reason = why(found, "UPS-INPUT-LIMIT")
    assert (word, subject) == ("VIOLATION", "own module")
    assert " of the most loaded module draw " in reason
    assert reason.endswith("at 374 V (low line); rectifier input limit 60 A")


@pytest.mark.parametrize(
    ("capped", "rating", "code", "where", "message"),
    [
        ("{power: 8 kW}", "3 kW", "MISSING_FIELD", "supplies", "the field is required."),
        ("{supplies: 3}", "3 kW", "MISSING_FIELD", "power", "the field is required."),
        (
            "{supplies: 2, power: 8 kW}",
            "3 kW",
            "CONTRADICTION",
            "power",
            "8 kW capped is above the 2 x 3 kW = 6 kW that 2 supplies deliver.",
        ),
        (
            "{supplies: 3, power: 11 kW}",
            "5 kW",
            "CONTRADICTION",
            "power",
            "11 kW capped is above the maximum of own, 10 kW.",
        ),
        (
            "{supplies: 4, power: 8 kW}",
            "3 kW",
            "CONTRADICTION",
            "supplies",
            "capped with 4 supplies, but 4 carry the full load of own.",
        ),
    ],
)
def test_a_capped_mode_that_cannot_be_is_refused(
    capped: str, rating: str, code: str, where: str, message: str
) -> None:
    with pytest.raises(FacilityError) as refused:
        design_of(SERVERS.format(capped=capped, rating=rating))
    assert refused.value.code == code
    assert refused.value.where == f"it.devices[0].supplies.capped.{where}"
    assert refused.value.message == message


def test_a_capped_mode_that_is_only_stated_is_a_warning_that_says_so() -> None:
    found = design_of(SERVERS.format(capped="{supplies: 3, power: 8 kW}", rating="3 kW"))
    word, subject, reason = why(found, "PSU-REDUNDANCY")
    assert (word, subject) == ("WARNING", "own, supplies 3+3 on A+B")
    assert reason.endswith(
        "capped: 8 kW as stated (it.devices[].supplies.capped), not as published"
    )


@pytest.mark.parametrize(
    ("more", "circuits"), [("", 12), (", phases: 3", 8), (", shelves: 8", 8), (", needed: 24", 12)]
)
def test_48_supplies_are_designed_whatever_is_said_of_their_shelves(
    more: str, circuits: int
) -> None:
    found = design_of(SHELVED.format(more=more))
    (rack,) = found.facility.it.racks
    assert len(rack.circuits) <= circuits
    assert not [c for c in checks_of(found, "PSU-REDUNDANCY") if c.failed]
    assert not [c for c in checks_of(found, "BRANCH-LOAD") if c.failed]
