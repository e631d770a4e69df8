"""The suite's own rules: a missing program skips a test with its reason, and never in CI."""

from __future__ import annotations

import csv
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.tools.source_tree import ROOT, report
from tools.faults import read_known_values

_TESTS = """
import pytest

@pytest.mark.libreoffice
def test_office():
    assert True

@pytest.mark.browser
@pytest.mark.skipif(True, reason="skipped by the test itself")
def test_browser():
    assert True

def test_optional():
    pytest.importorskip("no_such_library")

def test_plain():
    assert True
"""


def run(folder: Path, select: str, **environment: str) -> subprocess.CompletedProcess[str]:
    (folder / "conftest.py").write_text((ROOT / "tests" / "conftest.py").read_text())
    (folder / "test_sample.py").write_text(_TESTS)
    (folder / "pytest.ini").write_text("[pytest]\nmarkers =\n    browser: b\n    libreoffice: l\n")
    clean = {k: v for k, v in os.environ.items() if k not in ("CI", "FACILITY_NO_SKIP")}
    nothing = {
        "PATH": str(folder),
        "HOME": str(folder),
        "PLAYWRIGHT_BROWSERS_PATH": str(folder),
        "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
    }
    return subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-rs", "-p", "no:cacheprovider", "-k", select],
        cwd=folder,
        env=clean | nothing | environment,
        capture_output=True,
        text=True,
        check=False,
    )


def test_missing_programs_skip_with_a_reason(tmp_path: Path) -> None:
    done = run(tmp_path, "office or browser or plain")
    assert done.returncode == 0, done.stdout
    assert "1 passed, 2 skipped" in done.stdout
    assert "LibreOffice (soffice) is not installed" in done.stdout
    assert "no Chromium is installed" in done.stdout


@pytest.mark.parametrize("environment", [{"CI": "true"}, {"FACILITY_NO_SKIP": "1"}])
def test_missing_programs_fail_where_skips_are_refused(
    tmp_path: Path, environment: dict[str, str]
) -> None:
    done = run(tmp_path, "office or browser or plain", **environment)
    assert done.returncode == 1, done.stdout
    assert "2 errors" in done.stdout
    assert "skips are refused here" in done.stdout


def test_any_other_skip_fails_the_run_too(tmp_path: Path) -> None:
    assert run(tmp_path, "optional or plain").returncode == 0
    done = run(tmp_path, "optional or plain", CI="true")
    assert done.returncode == 1
    assert "test_sample.py::test_optional" in done.stdout
    assert run(tmp_path, "plain", CI="true").returncode == 0


def selected(folder: Path, *options: str) -> list[str]:
    """Return the tests of `folder` that such options choose, with the suite's own rules."""
    (folder / "conftest.py").write_text((ROOT / "tests" / "conftest.py").read_text())
    (folder / "pytest.ini").write_text("[pytest]\nmarkers =\n    nightly: n\n")
    many = "import pytest\n@pytest.mark.parametrize('n', range(400))\ndef test_one(n):\n    pass\n"
    (folder / "test_many.py").write_text(many)
    words = ["-m", "pytest", "-q", "--collect-only", "-p", "no:cacheprovider", *options]
    plain = {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTEST_ADDOPTS": ""}
    done = subprocess.run(
        [sys.executable, *words],
        cwd=folder,
        env=os.environ | plain,
        capture_output=True,
        text=True,
        check=True,
    )
    return [line for line in done.stdout.splitlines() if "::" in line]


def test_a_sample_is_one_in_some_and_another_for_each_seed(tmp_path: Path) -> None:
    first, second = (
        set(selected(tmp_path, "--one-in", "10", "--seed", seed)) for seed in ("1", "2")
    )
    assert len(selected(tmp_path)) == 400
    assert all(20 <= len(some) <= 60 for some in (first, second))
    assert first != second
    assert first == set(selected(tmp_path, "--one-in", "10", "--seed", "1"))


def test_some_cases_of_what_is_left_to_the_nightly_stay(tmp_path: Path) -> None:
    rows = "test_many.py::test_one[39,all,stay\ntest_many.py,3,long\n"
    (tmp_path / "nightly.csv").write_text("tests,cases,reason\n" + rows)
    stay = selected(tmp_path, "-m", "not nightly")
    assert len(stay) == 11 + 3
    assert stay[:2] == ["test_many.py::test_one[0]", "test_many.py::test_one[39]"]
    assert len(selected(tmp_path, "-m", "nightly")) == 400 - len(stay)


def test_what_is_left_to_the_nightly_is_there_and_says_why() -> None:
    with (ROOT / "tests" / "nightly.csv").open(newline="", encoding="utf-8") as stream:
        rows = list(csv.DictReader(stream))
    wrong = []
    for row in rows:
        path, _, name = row["tests"].partition("::")
        function = name.partition("[")[0].rpartition("::")[2]
        there = (ROOT / path).exists() and f"def {function}" in (
            (ROOT / path).read_text(encoding="utf-8") if function else "def "
        )
        if not there or not row["reason"] or not (row["cases"] == "all" or row["cases"].isdigit()):
            wrong.append(row["tests"])
        if row["cases"] == "0":
            known = (one.tests for one in read_known_values())
            wrong += [one for one in known if one.startswith(row["tests"])]
    assert not wrong, report(
        "rows of tests/nightly.csv that are wrong, or leave no known value", wrong
    )
