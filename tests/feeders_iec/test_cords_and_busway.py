"""Receptacles, cords and busway by continuous rating."""

from __future__ import annotations

from dataclasses import replace

import pytest

from facility.catalogue import table
from facility.core.check import Outcome, Severity
from facility.core.errors import FacilityError
from facility.power.feeders.busway import BuswayRun, choose_busway
from facility.power.feeders.cords import continuous_current, cord_length, receptacle_checks
from tests.power.helpers import criteria
from tests.study.fields import AIR
from tests.study.helpers import design_of

NEC = criteria()
IEC = replace(criteria(code="IEC"), continuous_factor=1.0)
RUN = BuswayRun(load_a=300.0, voltage_v=415.0, length_m=20.0, power_factor=0.95)


@pytest.mark.parametrize("row", table("electrical/receptacles").rows, ids=lambda r: r.key[0])
def test_continuous_current_is_the_tabulated_one(row) -> None:  # type: ignore[no-untyped-def]
    """The table derates receptacles of the NEC to 80 % and those of the IEC not at all."""
    is_nec = row.si("continuous_a") < row.si("amps_a")
    assert continuous_current(row, NEC if is_nec else IEC) == pytest.approx(row.si("continuous_a"))


def test_cord_of_645() -> None:
    assert not cord_length(4.5, "cord", NEC).failed
    long = cord_length(5.0, "cord", NEC)
    assert long.failed
    assert long.severity is Severity.ADVICE
    assert cord_length(None, "cord", NEC).outcome is Outcome.NOT_EVALUATED
    assert cord_length(5.0, "cord", IEC).outcome is Outcome.NOT_EVALUATED


def test_receptacles_of_a_design() -> None:
    found = design_of(AIR)
    checks = list(receptacle_checks(found.panels, found.facility.criteria))
    rules = {check.rule for check in checks}
    assert {"RECEPTACLE-LOAD", "RECEPTACLE-RATING", "CORD-LENGTH"} <= rules
    assert not [c for c in checks if c.failed and c.severity is Severity.VIOLATION]
    assert {c.subject for c in checks} <= {c.subject for c in found.checks}


def test_smallest_busway_that_carries_the_load_continuously() -> None:
    at_80, at_100 = (
        choose_busway(replace(RUN, listed_100=listed), NEC, 0.03, "row") for listed in (False, True)
    )
    assert (at_80.rated_a, at_80.continuous_a) == (400.0, 320.0)
    assert (at_100.rated_a, at_100.continuous_a) == (400.0, 400.0)
    assert choose_busway(replace(RUN, load_a=321.0), NEC, 0.03, "row").rated_a == 800.0
    assert choose_busway(replace(RUN, load_a=321.0), IEC, 0.03, "row").rated_a == 400.0
    outcomes = {c.rule: c.outcome for c in at_80.checks}
    assert outcomes["BUSWAY-VOLTAGE-DROP"] is Outcome.NOT_EVALUATED
    assert outcomes["BUSWAY-UNVERIFIED"] is Outcome.FAIL


def test_busway_drop_and_tap_off() -> None:
    """sqrt(3) x 300 A x 20 m x 0.1 milliohm/m at unity power factor: 1.0392 V."""
    run = replace(
        RUN, power_factor=1.0, resistance_ohm_m=1e-4, reactance_ohm_m=5e-5, tap_offs_a=(60.0, 500.0)
    )
    choice = choose_busway(run, NEC, 0.03, "row")
    assert choice.drop_v == pytest.approx(1.0392, abs=1e-4)
    assert {c.rule for c in choice.checks if c.failed} == {"BUSWAY-TAP-OFF", "BUSWAY-UNVERIFIED"}


def test_no_busway_is_large_enough() -> None:
    with pytest.raises(FacilityError) as caught:
        choose_busway(replace(RUN, load_a=1000.0), NEC, 0.03, "row")
    assert caught.value.code == "NO_BUSWAY"
