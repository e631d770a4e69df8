"""The JSON contract: schema, keys, units, refusals; stdout for data, stderr for messages."""

from __future__ import annotations

import math
import re
from pathlib import Path
from typing import Any

import pytest

from facility.core.kinds import KINDS
from facility.core.reference import reference_path
from tests.cli.helpers import SHORT, SMALL, Ran, run

REFERENCES = ("h100-10k", "dgx-su-32", "nvl72-hall", "mixed-hall")
UNITS = {kind.view_si for kind in KINDS.values()}
CHECK_KEYS = {
    "rule",
    "subject",
    "count",
    "alike",
    "severity",
    "outcome",
    "value",
    "sense",
    "limit",
    "margin",
    "source",
    "why",
    "remedy",
}
PANEL = """\
# panel: RPP-1A; system: 208Y/120; poles: 42; bus: 400 A
description,poles,va,pf,breaker_a,position,fixed
Rack 1,2,4800,0.98,30,1,no
Rack 2,2,4200,0.98,30,2,no
Rack 3,3,9000,0.98,40,7,no
Lights,1,1200,0.95,20,6,yes
"""


VERDICT_LISTS = ("verdict", "not_evaluated")


def assert_results(results: dict[str, Any], *, nullable: tuple[str, ...] = ()) -> None:
    for key, value in results.items():
        assert re.fullmatch(r"[a-z][a-z0-9_]*(\.[a-z0-9_]+)*", key), key
        if isinstance(value, dict):
            assert set(value) == {"value", "unit"}, key
            assert isinstance(value["value"], float | int), key
            assert math.isfinite(value["value"]), key
            assert value["unit"] in UNITS, key
        elif value is None:
            assert key in nullable, key
        else:
            assert isinstance(value, int | str | bool), key


def assert_envelope(ran: Ran, verb: str, *, lists: tuple[str, ...] = ()) -> dict[str, Any]:
    assert ran.err == ""
    body: dict[str, Any] = ran.json
    assert body["schema"] == f"facility.{verb}/1"
    assert body["ok"] is True
    expected = {"schema", "ok", "results", "checks", "assumptions", "warnings", *lists}
    assert set(body) - {"project"} == expected
    for name in lists:
        assert isinstance(body[name], list)
        assert all(isinstance(row, dict) for row in body[name])
    return body


@pytest.mark.parametrize("name", REFERENCES)
def test_design_of_the_reference_projects(name: str) -> None:
    ran = run("design", reference_path("projects", f"{name}.yaml"), "--json")
    assert ran.code == 0
    body = assert_envelope(ran, "design", lists=(*VERDICT_LISTS, "choices"))
    assert body["project"]["name"] == name
    assert re.fullmatch(r"[0-9a-f]{64}", body["project"]["sha256"])
    assert_results(body["results"])
    powers = [v for k, v in body["results"].items() if k.startswith(("load.", "losses."))]
    assert {v["unit"] for v in powers if isinstance(v, dict)} <= {"kW", "kVA"}
    for key in ("ups.loading_normal", "ups.loading_failure", "panels.imbalance_max"):
        assert body["results"][key]["unit"] == "%"
    for count in (
        "ups.modules",
        "generator.count",
        "transformer.count",
        "crah.count",
        "cdu.count",
        "plant.chiller_count",
    ):
        assert isinstance(body["results"][count], int)
        assert 0 <= body["results"][f"{count}.duty"] <= body["results"][count]
    for check in body["checks"]:
        assert set(check) == CHECK_KEYS
        assert check["severity"] in ("VIOLATION", "WARNING", "ADVICE")
        assert check["outcome"] in ("PASS", "FAIL", "NOT_EVALUATED")
    for entry in body["assumptions"]:
        assert set(entry) == {"id", "value", "basis", "source", "status"}
        assert isinstance(entry["value"], str | dict)


def test_figures_that_must_hold() -> None:
    results = run("design", "--json").json["results"]
    assert results["load.servers"] == 1250
    assert results["load.gpu"] == {"value": 7000.0, "unit": "kW"}
    assert results["load.server"] == {"value": 12750.0, "unit": "kW"}
    assert results["ups.scheme"] == "3N/2"


@pytest.mark.anew
def test_the_same_call_prints_the_same_bytes() -> None:
    assert run("design", "--json", *SMALL).out == run("design", "--json", *SMALL).out


def test_units_change_the_view_alone() -> None:
    si, ip = (run("design", *SMALL, "--full", "--units", u) for u in ("si", "ip"))
    assert (
        run("design", *SMALL, "--units", "ip", "--json").out == run("design", *SMALL, "--json").out
    )
    assert "m³/s" in si.out
    assert "cfm" not in si.out
    heat = next(line for line in ip.out.splitlines() if "CRAH airflow" in line)
    assert "cfm" in heat
    assert "m³/s" not in heat
    assert "MBH" in ip.out


def test_check() -> None:
    body = assert_envelope(run("check", *SMALL, "--json"), "check", lists=VERDICT_LISTS)
    assert_results(body["results"])
    by_verdict = {k.removeprefix("checks."): n for k, n in body["results"].items()}
    assert set(by_verdict) == {"violation", "warning", "advice", "pass", "not_evaluated", "waived"}
    assert sum(by_verdict.values()) == len(body["checks"])


def test_explain() -> None:
    body = assert_envelope(
        run("explain", "pue.design", *SMALL, "--json"), "explain", lists=("steps",)
    )
    assert body["results"] == {"id": "pue.design"}
    assert body["steps"][0]["line"].startswith("pue.design = ")


def test_balance(tmp_path: Path) -> None:
    file = tmp_path / "panel.csv"
    file.write_text(PANEL)
    body = assert_envelope(run("balance", file, "--json"), "balance", lists=("moves", "placement"))
    assert "project" not in body
    results = body["results"]
    assert_results(results)
    assert set(results) == {
        "imbalance.before",
        "imbalance.after",
        "imbalance_va.before",
        "imbalance_va.after",
        "spread.before",
        "spread.after",
        "current.max",
        "current.a",
        "current.b",
        "current.c",
        "current.n",
        "bound",
        "gap",
        "moves",
        "status",
    }
    assert results["moves"] == len(body["moves"])
    assert len(body["placement"]) == 4
    for row in (*body["moves"], *body["placement"]):
        assert set(row) == {"id", "position", "poles", "phases"}
    assert results["current.max"]["unit"] == "A"
    assert results["imbalance.after"]["value"] <= results["imbalance.before"]["value"]
    assert results["current.max"]["value"] >= results["bound"]["value"] - 1e-9


def test_balance_of_a_panel_not_placed_yet(tmp_path: Path) -> None:
    file = tmp_path / "panel.csv"
    file.write_text(PANEL.replace("30,1,no", "30,,no"))
    results = run("balance", file, "--json").json["results"]
    assert results["imbalance.before"] is None
    assert results["imbalance_va.before"] is None
    assert_results(results, nullable=("imbalance.before", "imbalance_va.before", "spread.before"))
    assert run("balance", file).code == 0


def test_catalogue() -> None:
    for arguments in ((), ("equipment/servers",), ("equipment/servers", "DGX H100")):
        body = assert_envelope(
            run("catalogue", *arguments, "--json"), "catalogue", lists=("options",)
        )
        assert body["options"]


def test_refusal_is_an_object_on_stdout_and_text_on_stderr(tmp_path: Path) -> None:
    file = tmp_path / "p.yaml"
    file.write_text(SHORT.replace("gpus: 64", "gpus: -64"))
    with_json, without = run("design", file, "--json"), run("design", file)
    assert with_json.code == without.code == 3
    assert with_json.json == {
        "schema": "facility.design/1",
        "ok": False,
        "errors": [
            {
                "code": "NOT_A_COUNT",
                "where": "it.gpus",
                "message": "-64 is below the minimum of 1.",
                "hint": "Write 1 or more.",
            }
        ],
    }
    assert with_json.err == without.err
    assert without.out == ""


def test_failed_checks_do_not_change_ok() -> None:
    ran = run(
        "design",
        "--json",
        "--fail-on",
        "violation",
        *SMALL,
        "--set",
        "power.distribution.rack_system=480Y/277",
    )
    assert ran.code == 5
    assert ran.json["ok"] is True
    assert "checks failed at violation or worse" in ran.err
