"""``facility balance --exact``: its keys, its limits, its words."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from benchmarks.panels import instance
from facility.files.panel_csv.document import write_panel_csv
from tests.cli.helpers import one_error, run


@pytest.fixture
def hard(tmp_path: Path) -> Path:
    """A panel whose least current is not proven within a few nodes."""
    file = tmp_path / "hard.csv"
    file.write_text(write_panel_csv(instance(20, 6, 2, 42, np.random.default_rng(5))))
    return file


def test_an_exact_balance_is_as_good_and_says_how_it_ended(hard: Path) -> None:
    rough = run("balance", hard, "--json").json["results"]
    options = ("--exact", "--gap", "0.000001", "--nodes", "40", "--json")
    ran = run("balance", hard, *options)
    found = ran.json["results"]
    assert ran.code == 0
    assert set(found) == set(rough)
    assert (rough["status"], found["status"]) == ("heuristic", "nodes")
    assert found["current.max"]["value"] <= rough["current.max"]["value"]
    assert found["bound"]["value"] <= found["current.max"]["value"]
    assert found["gap"]["value"] == pytest.approx(
        100.0 * (found["current.max"]["value"] / found["bound"]["value"] - 1.0)
    )
    assert run("balance", hard, *options).out == ran.out, "same input, same bytes"


def test_a_wide_gap_is_met(hard: Path) -> None:
    found = run("balance", hard, "--exact", "--gap", "0.01", "--json").json["results"]
    assert found["status"] == "gap"
    assert found["gap"]["value"] <= 1.0


def test_time_is_named(hard: Path) -> None:
    options = ("--objective", "va", "--exact", "--gap", "0", "--seconds", "0")
    assert run("balance", hard, *options, "--json").json["results"]["status"] == "time"
    assert "stopped: time" in run("balance", hard, *options).out


@pytest.mark.parametrize(
    ("options", "exit_code"),
    [
        (("--gap", "0.1"), 2),
        (("--nodes", "5"), 2),
        (("--seconds", "1"), 2),
        (("--exact", "--gap", "-1"), 3),
        (("--exact", "--nodes", "0"), 3),
        (("--exact", "--seconds", "nan"), 3),
    ],
)
def test_limits_that_mean_nothing_are_refused(
    options: tuple[str, ...], exit_code: int, hard: Path
) -> None:
    one_error(run("balance", hard, *options), "BALANCE_LIMIT", exit_code)
