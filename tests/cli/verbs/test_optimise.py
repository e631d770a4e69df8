"""The verb optimise: the JSON contract, the folder, what it says to people, refusals."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.helpers import SHORT, run
from tests.cli.test_json_contract import assert_envelope

FREE = ("--free", "cooling.plant.heat_rejection=tower,dry_cooler")
AIM = ("--minimise", "energy,water")


@pytest.fixture
def project(tmp_path: Path) -> Path:
    file = tmp_path / "p.yaml"
    file.write_text(SHORT)
    return file


def test_json_contract_and_folder(project: Path, tmp_path: Path) -> None:
    out = tmp_path / "front"
    words = ("optimise", project, *FREE, *AIM, "--out", out)
    body = assert_envelope(run(*words, "--json"), "optimise", lists=("front",))
    assert body["results"]["optimise.designs"] == 2
    assert body["results"]["optimise.complete"] is True
    front = body["front"]
    assert front
    for n, row in enumerate(front, 1):
        assert isinstance(row["holds"], bool)
        checked = run("check", out / f"front-{n}.yaml", "--json").json
        assert checked["project"]["sha256"] == row["project_sha256"]
        failed = [c for c in checked["checks"] if c["outcome"] == "FAIL"]
        assert row["violations"] == sum(c["severity"] == "VIOLATION" for c in failed)
    assert run(*words).code == 6


def test_people_see_the_front(project: Path) -> None:
    ran = run("optimise", project, *FREE, *AIM, "--subject-to", "load.it>=1 kW")
    assert ran.code == 0
    for words in ("2 designs evaluated, complete enumeration", "tower", "energy.annual"):
        assert words in ran.out


@pytest.mark.parametrize(
    ("words", "code", "exit_code"),
    [
        (("--free", "it.gpuss=1..2"), "UNKNOWN_FIELD", 3),
        (("--free", "it.gpus=2..1"), "OPTIMISE_FREE", 2),
        ((*FREE, "--minimise", "enery.annual"), "UNKNOWN_RESULT", 3),
        ((*FREE, "--minimise", "ups.model"), "OPTIMISE_OBJECTIVE", 2),
        ((*FREE, *AIM, "--subject-to", "x < 3"), "OPTIMISE_LIMIT", 2),
        ((*FREE, *AIM, "--budget", "0"), "OPTIMISE_BUDGET", 2),
        ((*FREE, *AIM, "--subject-to", "load.it<=1 W"), "NO_FEASIBLE", 4),
    ],
)
def test_refusals(project: Path, words: tuple[str, ...], code: str, exit_code: int) -> None:
    ran = run("optimise", project, *words, "--json")
    assert ran.code == exit_code
    assert ran.json["errors"][0]["code"] == code
