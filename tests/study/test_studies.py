"""All studies of a design stand in its checks, each computed once."""

from __future__ import annotations

import pytest

from facility.core.check import Check, Outcome, merged
from facility.core.errors import FacilityError
from facility.study.annual.study import annual
from facility.study.failures.study import failures
from facility.study.studies import run_study
from facility.study.transient.load.study import load_motion
from facility.study.transient.study import transient
from tests.study.helpers import PROJECTS, SHORTEST, design_of, reference

SHORT = ("it.gpus=1024", "cooling.crah.count=3")


@pytest.mark.parametrize("name", PROJECTS)
def test_the_checks_are_those_of_every_study(name: str) -> None:
    found = reference(name)
    studies = (
        found.sizing_checks,
        found.distribution.checks,
        failures(found).checks,
        found.room_air.checks,
        found.hydraulics.checks,
        found.liquid_path.checks,
        found.plant_options.checks,
        transient(found, storage=False).checks,
        load_motion(found).checks,
        annual(found).checks,
    )
    assert found.checks == merged(check for study in studies for check in study)
    assert sum(check.count for check in found.checks) == sum(
        check.count for study in studies for check in study
    )
    rules = {check.rule for check in found.checks}
    assert {"SPOF", "OVERLOAD-IN-STATE", "RIDE-THROUGH", "NETWORK-LOADING"} <= rules


def test_a_study_is_not_run_a_second_time() -> None:
    found = design_of(SHORTEST)
    assert found.checks is found.checks
    assert failures(found) is found.outages.study
    assert transient(found, storage=False) is found.ride_through.study
    whole = transient(found)
    assert whole is transient(found)
    assert whole.checks is transient(found, storage=False).checks
    for with_buffer, without in zip(whole.cases, found.ride_through.study.cases, strict=True):
        assert with_buffer.series is without.series


def test_a_refused_study_is_named_with_its_reason_and_counts_as_not_evaluated() -> None:
    found = design_of(SHORTEST, *SHORT)
    (check,) = [one for one in found.checks if one.rule == "STUDY-NOT-RUN"]
    assert check.outcome is Outcome.NOT_EVALUATED
    assert check.subject == "ride-through"
    with pytest.raises(FacilityError) as caught:
        transient(found)
    assert caught.value.message in check.why
    assert not [one for one in found.checks if one.rule == "RIDE-THROUGH"]


def test_a_defect_is_no_finding_about_the_design() -> None:
    class Study:
        checks: tuple[Check, ...] = ()

    def broken() -> Study:
        raise FacilityError("BROKEN", "here", "a defect.", exit_code=1)

    with pytest.raises(FacilityError):
        run_study("outages", broken)
    assert run_study("outages", Study).study is not None
