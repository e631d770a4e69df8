"""What is stated of cooling that the halls do not have is said to move nothing, and not assumed."""

from __future__ import annotations

import pytest

from facility.core.errors import FacilityError
from facility.study.design.design import Design
from tests.study.fields import AIR, LIQUID
from tests.study.helpers import checks_of, design_of, results_text

CRAC = "cooling.air.terminal=crac"
DRY = (
    "criteria.liquid_class=W45",
    "cooling.facility_water.source=dry_cooler",
    "cooling.facility_water.fluid=water",
)
DOORS = ("cooling.air.terminal=rear-door",)
CHILLED = ("cooling.facility_water.source=chilled_water",)
IN_RACKS = ("cooling.cdu.model=CoolChip CDU 121",)
NO_AIR = "cooling.air.ventilation=0 m3/s"
SAID = (
    (AIR, (CRAC,), "cooling.hydraulics.plant_route=70 m", "no water"),
    (AIR, (CRAC,), "cooling.crah.film_ratio=0.7", "no chilled water"),
    (AIR, (CRAC,), "cooling.thermal.tank_kind=stratified", "no chilled water"),
    (AIR, (CRAC,), "cooling.thermal.rejection_restart=30 s", "no towers and no dry coolers"),
    (AIR, (), "cooling.hydraulics.hose=5 m", "coolant"),
    (AIR, DOORS, "cooling.recirculation=15 %", "room_rise"),
    (AIR, DOORS, "cooling.worst_recirculation=25 %", "room_rise"),
    (AIR, DOORS, "cooling.air.blanking=none", "room_rise"),
    (AIR, ("cooling.method=",), "cooling.cdu.count=4", "coolant"),
    (AIR, (), "cooling.thermal.standby_pump=false", "coolant"),
    (AIR, ("cooling.plant.heat_rejection=air_cooled",), "cooling.hydraulics.rejection_route=90 m",
     "no towers"),
    (LIQUID, DRY,
     "cooling.facility_water.exchanger_approach=4 K", "dry-cooler water"),
    (LIQUID, DRY, "cooling.facility_water.rejection.pump.head=200 kPa", "dry coolers"),
    (LIQUID, CHILLED, "cooling.facility_water.rejection.cycles=3", "chilled water removes all"),
    (LIQUID, IN_RACKS, "cooling.hydraulics.tcs_header=dual", "no coolant headers"),
    (LIQUID, IN_RACKS, "cooling.hydraulics.tcs_route=40 m", "no coolant headers"),
    (LIQUID, (NO_AIR,), "cooling.air.ventilation_fan=2 kW/(m3/s)", "cooling.air.ventilation"),
)  # fmt: skip


def unused(found: Design) -> dict[str, str]:
    checks = checks_of(found, "INPUT-UNUSED")
    return {subject: check.why for check in checks for subject in (check.subject, *check.alike)}


@pytest.mark.parametrize(("base", "sets", "stated", "why"), SAID)
def test_what_is_stated_of_nothing_is_said(
    base: str, sets: tuple[str, ...], stated: str, why: str
) -> None:
    without, found = design_of(base, *sets), design_of(base, *sets, stated)
    path = stated.partition("=")[0].replace(".pump.head", ".pump")
    assert why in unused(found)[path]
    assert path not in unused(without)
    assert results_text(found) == results_text(without)


@pytest.mark.parametrize("stated", [stated for base, _, stated, _ in SAID if base is AIR])
def test_it_is_not_said_of_what_is_there(stated: str) -> None:
    found = design_of(LIQUID, "cooling.facility_water.source=tower", stated)
    assert not unused(found)


def test_the_ledger_of_a_hall_of_cracs_has_no_water() -> None:
    water = ("hydraulics", "tank", "chilled_water", "pump", "rejection_restart", "film_ratio")
    found = design_of(AIR, CRAC)
    found.all_results  # noqa: B018
    ids = [entry.id for entry in found.ledger if entry.id.startswith("cooling.")]
    assert [id for id in ids if any(word in id for word in water)] == []
    with_coolant = design_of(LIQUID, CRAC)
    of_both = {entry.id for entry in with_coolant.ledger}
    assert {"cooling.hydraulics.plant_route", "cooling.thermal.standby_pump"} <= of_both
    assert "cooling.thermal.tank_kind" not in of_both


def test_a_fluid_that_is_unknown_is_told_with_its_field() -> None:
    with pytest.raises(FacilityError, match="EG40") as caught:
        design_of(LIQUID, "cooling.facility_water.fluid=EG40")
    assert caught.value.where == "cooling.facility_water.fluid"
