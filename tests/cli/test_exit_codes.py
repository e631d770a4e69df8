"""Exit codes: 0 ok, 1 defect, 2 usage, 3 input, 4 infeasible, 5 check, 6 file, 130 interrupted."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from facility.core.reference import reference_path
from facility.study.design import design as design_module
from tests.cli.helpers import KEPT_COOL, SHORT, SMALL, one_error, program, run

NVL72 = reference_path("projects", "nvl72-hall.yaml")


def test_success(tmp_path: Path) -> None:
    cool = tmp_path / "cool.yaml"
    cool.write_text(KEPT_COOL)
    for arguments in (
        ("design", *SMALL),
        ("check", *SMALL),
        ("explain", "load.it", *SMALL),
        ("catalogue",),
        ("design", cool, "--fail-on", "violation"),
        ("check", cool, "--fail-on", "violation"),
    ):
        ran = run(*arguments)
        assert (ran.code, ran.err) == (0, ""), arguments
        assert ran.out


@pytest.mark.parametrize(
    "arguments",
    [
        ("desing",),
        ("design", "--unknown"),
        ("design", "--units", "metric"),
        ("explain",),
        ("design", "--fail-on", "anything"),
        ("new",),
        ("balance",),
        ("export",),
        ("export", "dwg"),
        ("design", "a.yaml", "b.yaml"),
        ("balance", "x.csv", "--objective", "kW"),
    ],
)
def test_usage(arguments: tuple[str, ...]) -> None:
    ran = run(*arguments)
    assert ran.code == 2
    assert "Usage: " in ran.err + ran.out
    assert "Traceback" not in ran.err


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ("it.gpus=NO", "NOT_A_COUNT"),
        ("it.gpu=8", "UNKNOWN_FIELD"),
        ("it.halls.7.name=A", "SET_INDEX"),
        ("it.gpu_model=H100 SMX5", "UNKNOWN_MODEL"),
        ("site.tariff=0.05", "UNIT_MISSING"),
        ("power.transformer.rating=500 kW", "UNIT_WRONG"),
        ("it.rack_power=132 W", "IMPLAUSIBLE"),
        ("power.redundancy=N+7", "UNKNOWN_REDUNDANCY"),
        ("confirmed.0=it.nothing", "UNKNOWN_ASSUMPTION"),
        ("it.feeds.0=Z", "UNKNOWN_FEED"),
    ],
)
def test_invalid_input(change: str, code: str) -> None:
    one_error(run("design", *SMALL, "--set", change), code, 3)


@pytest.mark.parametrize("change", ["it.gpus", "=8", "it..gpus=8"])
def test_a_change_that_cannot_be_read_is_a_usage_fault(change: str) -> None:
    one_error(run("design", *SMALL, "--set", change), "SET_SYNTAX", 2)


def test_unknown_result() -> None:
    ran = run("explain", "ups.loading_failrue", *SMALL)
    one_error(ran, "UNKNOWN_RESULT", 3)
    assert "'ups.loading_failure'" in ran.err


def test_no_feasible_solution() -> None:
    ran = run("design", NVL72, "--set", "cooling.method=air")
    one_error(ran, "LIQUID_REQUIRED", 4)
    assert ran.out == ""
    refused = run("design", NVL72, "--set", "cooling.method=air", "--json").json
    assert refused["errors"][0]["code"] == "LIQUID_REQUIRED"


def test_failed_check() -> None:
    volts = ("--set", "power.distribution.rack_system=480Y/277")
    assert run("design", *SMALL, *volts).code == 0
    for severity in ("violation", "warning", "advice"):
        ran = run("check", *SMALL, *volts, "--fail-on", severity)
        assert ran.code == 5
        assert ran.out
        assert f"checks failed at {severity} or worse" in ran.err


def test_a_violation_of_a_study_fails_as_one_of_the_sizing_does() -> None:
    for verb in ("design", "check"):
        waits = ("--set", "cooling.on_ups.0=crah_fans")
        ran = run(verb, *SMALL, *waits, "--json", "--fail-on", "violation")
        failed = [check for check in ran.json["checks"] if check["outcome"] == "FAIL"]
        rules = {check["rule"] for check in failed if check["severity"] == "VIOLATION"}
        assert (ran.code, rules) == (5, {"RIDE-THROUGH"})


def test_advice_fails_where_it_is_asked_for(tmp_path: Path) -> None:
    cool = tmp_path / "cool.yaml"
    cool.write_text(KEPT_COOL)
    assert run("check", cool, "--fail-on", "advice").code == 5


def test_file_refused(tmp_path: Path) -> None:
    one_error(run("design", tmp_path / "none.yaml"), "FILE_MISSING", 6)
    one_error(run("design", tmp_path), "FILE_UNREADABLE", 6)
    one_error(run("balance", tmp_path / "none.csv"), "FILE_MISSING", 6)
    assert run("verify", tmp_path / "none.xlsx").code == 6


def test_a_defect_is_reported_as_one(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(_: object) -> None:
        raise ZeroDivisionError("no load")

    monkeypatch.setattr(design_module, "design", broken)
    ran = run("design", *SMALL)
    assert (ran.code, ran.out) == (1, "")
    assert len(ran.err.splitlines()) == 1
    assert ran.err.startswith("internal error: ZeroDivisionError: no load (at broken:")
    assert "FACILITY_DEBUG=1" in ran.err
    with pytest.raises(ZeroDivisionError):
        run("design", *SMALL, FACILITY_DEBUG="1")


def test_debug_leaves_refusals_as_they_are() -> None:
    ran = run("design", "--set", "it.gpus=NO", FACILITY_DEBUG="1")
    one_error(ran, "NOT_A_COUNT", 3)


def test_interrupt() -> None:
    code = (
        "import time\nimport facility.study.design.design as d\n"
        "def wait(_):\n    print('ready', flush=True)\n    time.sleep(60)\n"
        "d.design = wait\nfrom facility.cli.main import main\nmain()"
    )
    with subprocess.Popen(
        [sys.executable, "-c", code, "design"],
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=30)
    assert process.returncode == 130
    assert (out, err) == ("", "interrupted\n")


def test_reader_that_goes_away_is_no_defect() -> None:
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run(
        [sys.executable, "-c", "from facility.cli.main import main; main()", "design", *SMALL],
        stdout=writing,
        stderr=subprocess.PIPE,
        text=True,
        check=False,
    )
    os.close(writing)
    assert done.returncode == 0
    assert done.stderr == ""


def test_the_program_ends_with_the_same_codes(tmp_path: Path) -> None:
    file = tmp_path / "p.yaml"
    file.write_text(SHORT)
    good = program("design", file, "--json")
    assert (good.code, good.err) == (0, "")
    assert good.json["ok"] is True
    one_error(program("design", file, "--set", "it.gpus=0"), "NOT_A_COUNT", 3)
    one_error(program("design", NVL72, "--set", "cooling.method=air"), "LIQUID_REQUIRED", 4)
    one_error(program("design", tmp_path / "none.yaml"), "FILE_MISSING", 6)


def test_output_is_utf_8_wherever_it_goes() -> None:
    ran = program("design", *SMALL, PYTHONIOENCODING="ascii", PYTHONUTF8="0", LC_ALL="C")
    assert ran.code == 0
    assert "·" in ran.out


def test_a_second_value_of_an_option_never_replaces_the_first() -> None:
    ran = run("import", "measured", "log.csv", "--unit", "kW", "--unit", "MW")
    assert ran.code == 2
    assert "--unit is specified twice" in ran.err
