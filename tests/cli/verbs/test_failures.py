"""The verb failures: verdicts, states, the JSON contract, exit codes."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from tests.cli.helpers import SHORT, Ran, run
from tests.cli.test_json_contract import CHECK_KEYS, assert_envelope, assert_results

LISTS = ("states", "groups", "availability")
STATE_KEYS = {
    "id",
    "lost",
    "maintained",
    "kind",
    "group",
    "alike",
    "load_dropped",
    "load_capped",
    "load_capped_drawn",
    "capped_figures_conflict",
    "load_interrupted",
    "load_unprotected",
    "other_load_dropped",
    "racks_dropped",
    "load_dropped_by_rack",
    "overloads",
    "worst_loading",
    "lowest_voltage",
    "transfers",
    "on_battery",
    "battery_s",
    "battery_reason",
}


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("failures") / "p.yaml"
    file.write_text(SHORT)
    return file


@cache
def ran_json(file: Path, *options: str) -> Ran:
    return run("failures", file, "--json", *options)


def test_json_contract(project: Path) -> None:
    body = assert_envelope(ran_json(project), "failures", lists=LISTS)
    results = body["results"]
    assert_results(results)
    assert isinstance(results["concurrently_maintainable"], bool)
    assert isinstance(results["fault_tolerant"], bool)
    assert results["fault_tolerant.because"]
    assert results["concurrently_maintainable.because"]
    for state in body["states"]:
        assert set(state) == STATE_KEYS
        assert state["load_dropped"] >= 0.0
        assert len(state["racks_dropped"]) == len(state["load_dropped_by_rack"])
        assert state["battery_s"] is None or state["battery_s"] >= 0.0
        assert bool(state["lost"]) is (state["kind"] != "normal")
        by_rack = sum(rack["load_dropped"] for rack in state["load_dropped_by_rack"])
        assert by_rack == pytest.approx(state["load_dropped"])
    assert body["states"][0]["id"] == "normal"
    assert sum(s["group"] for s in body["states"]) == results["states.outages"]
    assert max(s["load_dropped"] for s in body["states"]) == pytest.approx(
        results["load_dropped.max"]["value"]
    )
    assert all(set(check) == CHECK_KEYS for check in body["checks"])


def test_loss_of_utility_rides_on_batteries(project: Path) -> None:
    states = {s["id"]: s for s in ran_json(project).json["states"]}
    found = states["loss of utility"]
    assert found["kind"] == "utility"
    assert found["load_dropped"] == found["load_interrupted"] == 0.0
    assert found["on_battery"]
    assert "GEN starts" in found["transfers"]


def test_one_system_is_neither(project: Path) -> None:
    results = ran_json(project).json["results"]
    assert results["concurrently_maintainable"] is False
    assert results["fault_tolerant"] is False
    assert results["single_points"] > 0


def test_grouping_off_gives_the_same_verdicts(project: Path) -> None:
    grouped, every = ran_json(project).json, ran_json(project, "--all").json
    assert len(every["states"]) == every["results"]["states.outages"]
    assert {s["group"] for s in every["states"]} == {1}
    for key in (
        "concurrently_maintainable",
        "fault_tolerant",
        "single_points",
        "states.outages",
        "states.dropping",
        "states.overloaded",
    ):
        assert grouped["results"][key] == every["results"][key], key


def test_depth_two_adds_losses_during_maintenance(project: Path) -> None:
    one, two = ran_json(project).json, ran_json(project, "--depth", "2").json
    kinds = {s["kind"] for s in two["states"]}
    assert kinds - {s["kind"] for s in one["states"]} == {"loss-during-maintenance"}
    for key in ("concurrently_maintainable", "fault_tolerant", "single_points"):
        assert one["results"][key] == two["results"][key]


def test_table_for_people(project: Path) -> None:
    ran = run("failures", project, "--states", "3", "--full")
    assert ran.code == 0
    assert ran.err == ""
    for words in (
        "Concurrently maintainable, power: not met",
        "Fault tolerant, power: not met",
        "3 worst of",
        "AVAILABILITY",
        "Single points of failure",
        "IT load by UPS systems",
    ):
        assert words in ran.out


def test_failed_checks_and_wrong_depth(project: Path) -> None:
    ran = run("failures", project, "--fail-on", "advice")
    assert ran.code == 5
    assert "checks failed at advice or worse" in ran.err
    assert run("failures", project, "--depth", "3").code == 2
    bad = run(
        "failures",
        project,
        "--json",
        "--set",
        "power.reliability.ups.mtbf=0 h",
        "--set",
        "power.reliability.ups.mttr=8 h",
    )
    assert bad.code == 3
    assert bad.json["errors"][0]["where"] == "power.reliability.ups.mtbf"


@pytest.mark.anew
def test_the_same_call_prints_the_same_bytes(project: Path) -> None:
    assert run("failures", project, "--json").out == ran_json(project).out
