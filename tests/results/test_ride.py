"""Failures of the cooling through time, worked once more: signals, temperatures, tanks."""

from __future__ import annotations

import pytest

from facility.study.design.design import Design
from tests.results import ride
from tests.results.variants import PLANTS, VARIANTS, YEARS
from tests.study.helpers import design_of, reference

RIDES: dict[str, tuple[str, ...]] = {
    "nvl72-hall": (),
    "mixed-hall": (),
    "dgx-su-32": (),
    "dgx-su-32, a layered tank": (
        "cooling.thermal.chilled_water_tank=0.5 m3",
        "cooling.thermal.tank_kind=stratified",
        "cooling.thermal.standby_rejection=true",
    ),
    "dgx-su-32, water for the control of its chillers only": (
        "cooling.thermal.chiller_restart=5 s",
        "cooling.thermal.chiller_ramp=5 s",
        "cooling.supply_air=20 degC",
    ),
    "dgx-su-32, CRACs": ("cooling.air.terminal=crac",),
    "dgx-su-32, passive doors": ("cooling.air.terminal=rear-door",),
}
NAMES = (
    *RIDES,
    "three systems for two, PDU transformers",
    "liquid on dry coolers with a trim chiller, rows",
    "coolant from dry coolers behind pads, heat reused",
    "doors too small for their racks, water by its demand",
    "dry coolers behind pads",
)


def _design(name: str) -> Design:
    text = (VARIANTS | PLANTS | YEARS).get(name)
    return design_of(text) if text is not None else reference(name.partition(",")[0], *RIDES[name])


@pytest.mark.parametrize("name", NAMES)
def test_failures_are_those_of_the_second_calculation(name: str) -> None:
    assert list(ride.differences(_design(name))) == []
