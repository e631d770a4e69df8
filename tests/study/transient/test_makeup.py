"""The loss of make-up water: towers stop, dry coolers lose their pads."""

from __future__ import annotations

from functools import cache

import pytest

from facility.core.check import Check, Outcome
from facility.core.errors import FacilityError
from facility.study.design.design import Design
from facility.study.failures.makeup import makeup_loss
from facility.study.transient.cases import MAKEUP
from facility.study.transient.study import TransientStudy, transient
from tests.hand.sites import PROJECTS
from tests.study.helpers import SHORTEST, checks_of, design_of

PADS, TOWERS = "phoenix-pads", "singapore-towers"


@cache
def _design(name: str, *sets: str) -> Design:
    text = (PROJECTS / f"{name}.yaml").read_text(encoding="utf-8")
    return design_of(text, *sets)


def _study(name: str, *sets: str) -> TransientStudy:
    return transient(_design(name, *sets), [MAKEUP], storage=False)


def _check(study: TransientStudy) -> Check:
    found = [one for one in study.checks if one.subject.startswith("loss of make-up water")]
    assert len({one.outcome for one in found}) == 1
    return found[0]


def test_dry_pads_miss_the_water_that_is_required() -> None:
    study, check = _study(PADS), _check(_study(PADS))
    assert study.results["ride.makeup_water.coil_air.without"].si == pytest.approx(49.7)
    assert study.results["ride.makeup_water.coil_air.with_water"].si == pytest.approx(31.85)
    water_c = study[MAKEUP].series["fws_supply"]
    assert water_c[0] == pytest.approx(40.0)
    assert 49.7 < water_c[-1] <= 58.5
    assert check.outcome is Outcome.NOT_EVALUATED
    assert "cooling.makeup_water.storage" in check.why
    assert "49.7 °C" in check.why
    assert "31.9 °C" in check.why or "31.8 °C" in check.why


def test_what_dry_coolers_come_to_is_that_of_their_balance() -> None:
    """Dry coolers without water make water as much warmer as the air that enters their coils."""
    loss = makeup_loss(_design(PADS))
    assert loss is not None
    (sink,) = loss.sinks
    assert sink.required_c == pytest.approx(40.0)
    warmer_k = sink.dry.dry_c - sink.dry.wet_c
    assert warmer_k == pytest.approx(0.85 * (49.7 - 28.7))
    assert sink.dry.water_c == pytest.approx(sink.required_c + warmer_k, abs=1.5)


@pytest.mark.parametrize(
    ("storage", "outcome", "words"),
    [("0 h", Outcome.FAIL, "no make-up water storage"), ("24 h", Outcome.PASS, "24 h of storage")],
)
def test_storage_decides_the_loss_of_make_up_water(
    storage: str, outcome: Outcome, words: str
) -> None:
    study = _study(TOWERS, f"cooling.makeup_water.storage={storage}")
    check = _check(study)
    assert check.outcome is outcome
    assert words in check.why
    assert not study[MAKEUP].holds, "towers without water reject nothing"
    assert (MAKEUP in [one.case.id for one in study.evaluated]) == (outcome is Outcome.FAIL)


def test_fault_tolerance_of_the_cooling_stores_twelve_hours() -> None:
    goal, text = "criteria.availability_goal=fault_tolerant", SHORTEST
    found = design_of(text, goal)
    assert found.facility.cooling.makeup_storage_s == 12.0 * 3600.0
    assert "cooling.makeup_water.storage" in {one.id for one in found.ledger}
    assert design_of(text).facility.cooling.makeup_storage_s is None
    power = "criteria.availability_scope=electrical"
    assert design_of(text, goal, power).facility.cooling.makeup_storage_s is None
    (check,) = checks_of(
        design_of(text, goal, "cooling.makeup_water.storage=4 h"), "MAKEUP-STORAGE"
    )
    assert check.failed
    assert "criteria.availability_goal" in check.why


def test_buffers_are_not_sized_for_it() -> None:
    buffers = _design(TOWERS).buffers.tanks
    assert buffers == _design(TOWERS, "cooling.makeup_water.storage=0 h").buffers.tanks


@pytest.mark.parametrize(
    ("sets", "named"),
    [
        (("cooling.plant.heat_rejection=air_cooled",), ("cooling.plant.heat_rejection",)),
        (
            ("cooling.plant.heat_rejection=dry_cooler",),
            ("cooling.plant.heat_rejection", "dry cooler"),
        ),
    ],
)
def test_stored_water_that_nothing_uses_is_an_error(
    sets: tuple[str, ...], named: tuple[str, ...]
) -> None:
    with pytest.raises(FacilityError) as raised:
        design_of(SHORTEST, *sets, "cooling.makeup_water.storage=12 h")
    assert raised.value.code == "MAKEUP_UNUSED"
    assert raised.value.where == "cooling.makeup_water.storage"
    assert all(name in str(raised.value) for name in named)


def test_no_case_without_make_up_water() -> None:
    dry = design_of(SHORTEST, "cooling.plant.heat_rejection=air_cooled")
    assert makeup_loss(dry) is None
    assert MAKEUP not in [one.case.id for one in transient(dry, storage=False).cases]
