"""Every field of ``cooling.thermal`` moves a temperature or a time; contradictions are refused."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import cache

import pytest

from facility.core.errors import FacilityError
from facility.core.trace import Trace
from facility.files.project.file import apply_sets, parse_project
from facility.model.inputs.cooling.thermal import ThermalSection
from facility.study.design.design import Design, design
from facility.study.resolve.cooling.thermal import resolve_thermal
from facility.study.transient.study import transient
from tests.study.fields import LIQUID

VALUES = {
    "room_height": "6 m",
    "cold_share": "60 %",
    "structure_mass": "8 MJ/K",
    "structure_conductance": "2 kW/K",
    "server_mass": "1 MJ/K",
    "server_effectiveness": "70 %",
    "coil_mass": "200 kJ/K",
    "shutdown_inlet": "45 degC",
    "plate_mass": "200 kJ/K",
    "plate_rise": "40 K",
    "plate_limit": "90 degC",
    "tcs_volume": "2 m3",
    "facility_water_volume": "3 m3",
    "chilled_water_volume": "3 m3",
    "facility_water_tank": "4 m3",
    "chilled_water_tank": "8 m3",
    "tank_kind": "stratified",
    "tank_usable": "70 %",
    "ramp": "60 s",
    "chiller_restart": "240 s",
    "chiller_ramp": "300 s",
    "rejection_restart": "200 s",
    "generator_step": "15 s",
    "pump_changeover": "60 s",
    "water_pump_start": "60 s",
    "header_flow": "70 %",
    "horizon": "200 s",
}
BASE = (
    "cooling.thermal.horizon=300 s",
    "cooling.thermal.chiller_restart=60 s",
    "cooling.on_ups.0=crah_fans",
    "cooling.cdu.redundancy=N",
    "cooling.thermal.chilled_water_tank=4 m3",
    "cooling.hydraulics.header=single",
    "cooling.thermal.standby_water_pumps=true",
)


@cache
def base() -> Design:
    return design(apply_sets(parse_project(LIQUID), BASE))


@cache
def outcome(*sets: str) -> dict[str, str]:
    """Return the results with the masses of a changed project; they size and wire nothing."""
    project, found = apply_sets(parse_project(LIQUID), (*BASE, *sets)), base()
    section = project.cooling.thermal
    assert section is not None
    thermal = resolve_thermal(section, found.facility.it, found.facility.cooling, Trace())
    changed = replace(found, facility=replace(found.facility, thermal=thermal))
    vars(changed)["distribution"] = found.distribution
    study = transient(changed, ("utility", "cdu_pump", "chw_header", "chw_pump"), storage=False)
    return {key: json.dumps(value) for key, value in study.results.as_json().items()}


def test_the_list_is_complete() -> None:
    flags = {"standby_pump", "standby_rejection", "standby_water_pumps"}
    assert set(VALUES) | flags == set(ThermalSection.model_fields)


@pytest.mark.parametrize("name", VALUES)
def test_the_field_moves_something(name: str) -> None:
    one, two = outcome(), outcome(f"cooling.thermal.{name}={VALUES[name]}")
    moved = {key for key in one if one[key] != two[key]}
    assert {key for key in moved if not key.startswith("ride.volume")}, name


def test_without_a_standby_pump_the_unit_stays_out() -> None:
    one, two = outcome(), outcome("cooling.thermal.standby_pump=false")
    assert {key for key in one if one[key] != two[key] and "cdu_pump" in key}


def test_spare_pumps_that_run_take_over_sooner_than_those_that_start() -> None:
    """The air is warmest where a standby pump starts after a delay."""
    started, running = (
        json.loads(
            outcome(f"cooling.thermal.standby_water_pumps={flag}")["ride.chw_pump.peak.inlet"]
        )
        for flag in ("true", "false")
    )
    assert started["value"] > running["value"] + 1.0


def test_a_start_of_pumps_that_run_is_refused() -> None:
    sets = ("cooling.thermal.standby_water_pumps=false", "cooling.thermal.water_pump_start=5 s")
    with pytest.raises(FacilityError) as caught:
        outcome(*sets)
    assert caught.value.code == "THERMAL_CONTRADICTION"
    assert "standby_water_pumps is false" in caught.value.message


def test_a_changeover_to_no_pump_is_refused() -> None:
    sets = ("cooling.thermal.standby_pump=false", "cooling.thermal.pump_changeover=5 s")
    with pytest.raises(FacilityError) as caught:
        outcome(*sets)
    assert caught.value.code == "THERMAL_CONTRADICTION"


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("room_height", "0.5 m"),
        ("horizon", "10 s"),
        ("header_flow", "120 %"),
        ("ramp", "0 s"),
        ("plate_limit", "20 degC"),
        ("chilled_water_tank", "-1 m3"),
        ("tank_kind", "ice"),
    ],
)
def test_what_makes_no_sense_is_refused(field: str, value: str) -> None:
    with pytest.raises(FacilityError) as caught:
        outcome(f"cooling.thermal.{field}={value}")
    assert f"cooling.thermal.{field}" in caught.value.where


def test_every_default_is_in_the_ledger() -> None:
    found = design(parse_project(LIQUID))
    known = {entry.id for entry in found.ledger} | {"cooling.thermal.water_pump_start"}
    assert {f"cooling.thermal.{name}" for name in ThermalSection.model_fields} <= known
    idle = design(apply_sets(parse_project(LIQUID), ("cooling.thermal.standby_water_pumps=true",)))
    assert "cooling.thermal.water_pump_start" in {entry.id for entry in idle.ledger}
