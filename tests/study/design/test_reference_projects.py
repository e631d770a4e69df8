"""The four reference projects: published figures, energy, findings, and the same result twice."""

from __future__ import annotations

import csv
import subprocess
import sys

import pytest

from facility.core.errors import FacilityError
from facility.core.kinds import KINDS, value_in
from facility.study.design.design import Design, design
from tests.study.helpers import (
    DATA,
    PROJECTS,
    SHORTEST,
    checks_of,
    design_of,
    failed_rules,
    reference,
    results_text,
    si,
)

CLOSED = 1e-9


def rows(name: str) -> list[dict[str, str]]:
    with (DATA / name).open(newline="", encoding="utf-8") as stream:
        return list(csv.DictReader(stream))


def in_unit(found: Design, key: str, unit: str) -> float:
    if key == "facility.mean":
        return float(found.all_results["energy.annual"].si) / (8760 * 3600) / 1e3
    value = found.all_results[key]
    return value_in(KINDS[value.kind], float(value.si), unit)


@pytest.mark.parametrize("row", rows("published.csv"), ids=lambda r: f"{r['project']} {r['key']}")
def test_published_figures(row: dict[str, str]) -> None:
    found = in_unit(reference(row["project"]), row["key"], row["unit"])
    assert found == pytest.approx(float(row["expected"]), abs=float(row["tolerance"]) + 1e-9)


@pytest.mark.parametrize("row", rows("ranges.csv"), ids=lambda r: f"{r['project']} {r['key']}")
def test_ranges_of_the_guides(row: dict[str, str]) -> None:
    found = in_unit(reference(row["project"]), row["key"], row["unit"])
    assert float(row["least"]) <= found <= float(row["most"]), row["source"]


@pytest.mark.parametrize("name", PROJECTS)
def test_energy_closes(name: str) -> None:
    found = reference(name)
    facility_w = si(found, "load.facility")
    parts_w = sum(si(found, f"load.{part}") for part in ("it", "losses", "cooling", "house"))
    assert parts_w == pytest.approx(facility_w, rel=CLOSED)
    assert si(found, "utility.demand") == pytest.approx(facility_w, rel=CLOSED)
    assert si(found, "heat.air") + si(found, "heat.liquid") == pytest.approx(
        si(found, "load.it"), rel=CLOSED
    )
    categories = ("server", "network", "storage", "management")
    assert sum(si(found, f"load.{part}") for part in categories) == pytest.approx(
        si(found, "load.it"), rel=CLOSED
    )
    for group in ("losses", "cooling"):
        named = sum(float(v.si) for k, v in found.results.items() if k.startswith(f"{group}."))
        assert named == pytest.approx(si(found, f"load.{group}"), rel=CLOSED)


@pytest.mark.parametrize("name", PROJECTS)
def test_pue_is_the_sum_of_its_parts(name: str) -> None:
    found = reference(name)
    parts = [float(v.si) for k, v in found.results.items() if k.startswith("pue.part.")]
    assert len(parts) == 17
    assert sum(parts) == pytest.approx(si(found, "pue.design"), rel=CLOSED)
    assert si(found, "pue.design") == pytest.approx(
        si(found, "load.facility") / si(found, "load.it"), rel=CLOSED
    )
    assert si(found, "pue.part.it") == pytest.approx(1.0, rel=CLOSED)
    assert min(parts) >= 0.0


@pytest.mark.parametrize("name", PROJECTS)
def test_room_heat_is_what_the_air_side_must_remove(name: str) -> None:
    """IT heat to air, losses in the halls, lights, people, envelope: not a share of the PUE."""
    found = reference(name)
    house, flow = found.facility.house, found.flow
    room_w = (
        si(found, "heat.air")
        + flow.hall_w
        + house.lighting_w
        + house.people * house.people_w
        + house.envelope_w
    )
    assert si(found, "heat.room") == pytest.approx(room_w, rel=CLOSED)
    lost_w = flow.hall_w + flow.electrical_room_w + flow.outdoors_w
    assert lost_w == pytest.approx(si(found, "load.losses"), rel=CLOSED)


@pytest.mark.parametrize("name", PROJECTS)
def test_rejected_heat_is_what_was_collected_and_the_power_that_ends_in_water(name: str) -> None:
    found = reference(name)
    cooling = found.cooling_flow
    assert cooling.collected_w == pytest.approx(found.point.heat.total_w, rel=CLOSED)
    assert si(found, "heat.rejected") == pytest.approx(
        cooling.collected_w + cooling.power.into_water_w, rel=CLOSED
    )


@pytest.mark.parametrize("name", PROJECTS)
def test_energy_balance_checks_pass(name: str) -> None:
    balances = checks_of(reference(name), "ENERGY-BALANCE")
    assert len(balances) == 3
    assert not any(check.failed for check in balances)


@pytest.mark.parametrize("name", PROJECTS)
def test_nothing_is_violated_and_every_rule_evaluated(name: str) -> None:
    found = reference(name)
    assert not failed_rules(found, "VIOLATION")
    assert not [c for c in found.checks if "could not be evaluated" in c.why]


@pytest.mark.parametrize("name", PROJECTS)
def test_the_same_project_gives_the_same_design(name: str) -> None:
    found = reference(name)
    again = design(found.project)
    assert results_text(again) == results_text(found)
    assert again.checks == found.checks
    assert list(again.ledger) == list(found.ledger)
    assert list(again.trace) == list(found.trace)
    assert again.sha256 == found.sha256


def test_another_process_prints_the_same_bytes() -> None:
    script = "from facility.cli.main import main; main()"
    command = [sys.executable, "-c", script, "design", "--json", "--set", "it.gpus=64"]
    printed = {
        subprocess.run(
            command, capture_output=True, check=True, env={"PYTHONHASHSEED": seed}
        ).stdout
        for seed in ("1", "2")
    }
    assert len(printed) == 1


def test_two_feeds_leave_three_supplies_of_six() -> None:
    found = reference(
        "h100-10k", "it.feeds=", "power.redundancy=2N", "it.feeds.0=A", "it.feeds.1=B"
    )
    (check,) = [c for c in checks_of(found, "PSU-REDUNDANCY") if c.subject.startswith("DGX H100")]
    assert check.failed
    assert check.severity.value == "VIOLATION"
    assert "3 x 3.3 kW remaining for 10.2" in check.why
    assert (check.value, check.limit, check.kind) == (3, 4, "count")


def test_server_on_277_volts_is_a_violation() -> None:
    found = reference("h100-10k", "power.distribution.rack_system=480Y/277", "it.cords.rack_pdu=")
    failed = [c for c in checks_of(found, "SUPPLY-VOLTAGE") if c.failed]
    assert failed
    assert {c.severity.value for c in failed} == {"VIOLATION"}
    dgx = next(c for c in failed if c.subject.startswith("DGX H100"))
    assert dgx.value == pytest.approx(277.0, abs=0.2)
    assert dgx.limit == pytest.approx(240.0)


@pytest.mark.parametrize("name", ["nvl72-hall", "mixed-hall"])
def test_liquid_cooled_racks_are_refused_in_air(name: str) -> None:
    with pytest.raises(FacilityError) as caught:
        reference(name, "cooling.method=air")
    assert (caught.value.code, caught.value.where) == ("LIQUID_REQUIRED", "cooling.method")
    assert caught.value.exit_code == 4
    assert "GB200 NVL72" in caught.value.message


def test_partly_liquid_equipment_in_air_is_refused_the_same_way() -> None:
    """A server that the data sheet does not call liquid-only, but that has cold plates."""
    sets = ("it.devices.0.model=DGX H100", "it.devices.0.liquid_fraction=60 %")
    with pytest.raises(FacilityError) as caught:
        design_of(SHORTEST, *sets)
    assert (caught.value.code, caught.value.exit_code) == ("LIQUID_REQUIRED", 4)


def test_air_heat_left_where_the_method_is_liquid_is_pointed_out() -> None:
    (hybrid, liquid) = (
        reference("nvl72-hall", f"cooling.method={m}") for m in ("hybrid", "liquid")
    )
    assert not checks_of(hybrid, "METHOD-LIQUID")
    (check,) = checks_of(liquid, "METHOD-LIQUID")
    assert check.failed
    assert "136.2 kW of 1,056.0 kW" in check.why


def test_the_shortest_project_violates_nothing() -> None:
    found = design_of(SHORTEST)
    assert not failed_rules(found, "VIOLATION")
    assert found.results["load.servers"].si == 8
    assert found.facility.identity.name
