"""The verb compare: the JSON contract, the chart, the tables, usage."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree
from functools import cache
from pathlib import Path

import pytest

from facility.core.reference import reference_path
from tests.cli.helpers import Ran, one_error, run
from tests.cli.test_json_contract import assert_envelope, assert_results

OPTIONS = ("air", "in_row", "rear_door", "hybrid", "liquid")
NULLABLE = (
    *(f"option.{name}.{key}" for name in OPTIONS for key in ("pue", "power", "units")),
    "crossover.density",
)


@cache
def ran_json(name: str) -> Ran:
    return run("compare", "--cooling", reference_path("projects", f"{name}.yaml"), "--json")


@pytest.mark.parametrize("name", ["dgx-su-32", "nvl72-hall"])
def test_json_contract(name: str) -> None:
    body = assert_envelope(ran_json(name), "compare", lists=("options",))
    results = body["results"]
    assert_results(results, nullable=NULLABLE)
    assert set(NULLABLE) <= set(results)
    assert [option["id"] for option in body["options"]] == list(OPTIONS)
    for option in body["options"]:
        prefix = f"option.{option['id']}"
        assert results[f"{prefix}.feasible"] is option["feasible"]
        assert (results[f"{prefix}.pue"] is not None) == option["feasible"]
        assert (results[f"{prefix}.reason"] == "") == option["feasible"]
        if option["feasible"]:
            assert results[f"{prefix}.power"]["unit"] == "kW"
            assert 1.0 < results[f"{prefix}.pue"]["value"] < 2.0
            assert results[f"{prefix}.units"] > 0
    assert results["crossover.because"]


def test_the_crossover_is_in_kw_per_rack() -> None:
    results = ran_json("dgx-su-32").json["results"]
    assert results["crossover.density"]["unit"] == "kW"
    assert 30.0 < results["crossover.density"]["value"] < 100.0
    assert ran_json("nvl72-hall").json["results"]["crossover.density"] is None


def test_the_chart_is_written_once_and_shows_every_way(tmp_path: Path) -> None:
    file, project = tmp_path / "plot.svg", reference_path("projects", "nvl72-hall.yaml")
    ran = run("compare", "--cooling", project, "--out", file, "--full")
    assert ran.code == 0
    first = file.read_bytes()
    texts = "".join(ElementTree.fromstring(first.decode()).itertext())
    for label in ("Air: CRAHs", "In-row coolers", "Rear doors", "Liquid and air", "Full liquid"):
        assert label in texts
        assert label in ran.out
    assert "not feasible: LIQUID_REQUIRED" in texts
    assert "LIQUID_REQUIRED: GB200 NVL72" in ran.out
    assert "Assumed compare.air_per_rack: 2.83 m³/s" in ran.out
    assert "Assumed compare.drift" not in ran.out
    one_error(run("compare", "--cooling", project, "--out", file), "FILE_EXISTS", 6)
    again = run("compare", "--cooling", project, "--out", file, "--force", "--json")
    assert again.code == 0
    assert file.read_bytes() == first


def test_what_to_compare_must_be_said() -> None:
    one_error(run("compare"), "OPTIONS", 2)
    assert run("compare", "--power").code == 2
