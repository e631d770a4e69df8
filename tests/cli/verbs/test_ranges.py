"""The verb ranges: the JSON contract, the samples as a file, refusals."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest
from defusedxml import ElementTree

from facility.report.tables.ranges import label
from tests.cli.helpers import SHORT, run
from tests.cli.test_json_contract import assert_envelope, assert_results

TARIFF = "site.tariff=0.04 .. 0.06 USD/kWh"
SVG = "{http://www.w3.org/2000/svg}"
GROWTH = "criteria.growth=0 .. 10 %"


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("ranges") / "p.yaml"
    file.write_text(SHORT + "ranges:\n- {field: it.load_factor, range: 'normal(80 %, 2 %)'}\n")
    return file


def ranges(project: Path, *words: object):  # type: ignore[no-untyped-def]
    few = () if "--samples" in words else ("--samples", 4)
    return run("ranges", project, *few, "--range", TARIFF, *words)


def test_json_contract(project: Path) -> None:
    ran = ranges(project, "--json")
    body = assert_envelope(ran, "ranges", lists=("inputs", "ranges", "matters"))
    assert_results(body["results"])
    assert [row["field"] for row in body["inputs"]] == ["it.load_factor", "site.tariff"]
    rows = {row["result"]: row for row in body["ranges"]}
    energy = rows["energy.annual"]
    assert energy["unit"] == "MWh"
    assert energy["low"] <= energy["p5"] <= energy["p50"] <= energy["p95"] <= energy["high"]
    assert body["results"]["energy.annual.p95"]["value"] == energy["p95"]
    of_cost = [row for row in body["matters"] if row["result"] == "cost.annual"]
    assert of_cost[0]["field"] == "site.tariff"
    assert of_cost[0]["low"] < rows["cost.annual"]["nominal"] < of_cost[0]["high"]
    assert of_cost[0]["sobol_total"] is None


def test_text_names_the_ranges_and_what_moves_nothing(project: Path) -> None:
    ran = ranges(project, "--range", GROWTH)
    assert ran.code == 0
    for words in ("p95", "Strongest input of each result", "RANGE-MOVES", "equipment as designed"):
        assert words in ran.out
    assert ranges(project, "--range", GROWTH, "--fail-on", "advice").code == 5


def test_samples_are_written_and_not_overwritten(project: Path, tmp_path: Path) -> None:
    out = tmp_path / "samples.csv"
    assert ranges(project, "--out", out).code == 0
    with out.open(newline="", encoding="utf-8") as stream:
        rows = list(csv.DictReader(stream))
    assert [row["sample"] for row in rows] == ["1", "2", "3", "4"]
    for row in rows:
        assert 0.04 <= float(row["site.tariff [USD/kWh]"]) <= 0.06
        cost = float(row["energy.annual [MWh]"]) * float(row["site.tariff [USD/kWh]"]) * 1e3
        assert float(row["cost.annual [USD]"]) == pytest.approx(cost, rel=1e-8)
        assert row["refused"] == ""
    first = out.read_bytes()
    assert ranges(project, "--out", out).code == 6
    assert ranges(project, "--out", out, "--force").code == 0
    assert out.read_bytes() == first


def test_bad_ranges_are_refused_with_their_code(project: Path) -> None:
    for words, code, exit_code in (
        (("--range", "site.tariff"), "RANGE_TEXT", 2),
        (("--range", "it.load_factor=1 .. 2 %"), "RANGE_TWICE", 3),
        (("--range", "site.tarif=1 .. 2 USD/kWh"), "UNKNOWN_FIELD", 3),
        (("--samples", "0"), "RANGE_SAMPLES", 2),
        (("--method", "sobol", "--samples", "3"), "RANGE_SAMPLES", 2),
    ):
        ran = ranges(project, *words)
        assert (ran.code, code in ran.err) == (exit_code, True), ran.err
    bare = project.with_name("bare.yaml")
    bare.write_text(SHORT)
    ran = run("ranges", bare)
    assert (ran.code, "RANGE_NONE" in ran.err) == (3, True)


def test_what_matters_is_drawn_with_its_ends(project: Path, tmp_path: Path) -> None:
    out = tmp_path / "tornado.svg"
    assert ranges(project, "--out", out).code == 0
    root = ElementTree.fromstring(out.read_text(encoding="utf-8"))
    texts = [node.text or "" for node in root.iter(f"{SVG}text")]
    assert any(text.startswith(f"{label('cost.annual')}: as designed") for text in texts)
    assert texts.count("site.tariff") == 1, "it moves the cost alone"
    assert texts.count("it.load_factor") > 4
    bars = [node for node in root.iter(f"{SVG}rect") if node.find(f"{SVG}title") is not None]
    assert len(bars) == 2 * (texts.count("site.tariff") + texts.count("it.load_factor"))
    assert all(float(bar.get("width") or 0.0) > 0.0 for bar in bars)
    first = out.read_bytes()
    assert ranges(project, "--out", out, "--force").code == 0
    assert out.read_bytes() == first


def test_a_workbook_of_ranges_needs_some(project: Path, tmp_path: Path) -> None:
    bare = project.with_name("none.yaml")
    bare.write_text(SHORT)
    ran = run("export", "xlsx", bare, "--ranges", "--out", tmp_path / "ranges.xlsx")
    assert (ran.code, "RANGE_NONE" in ran.err) == (3, True)
    assert run("export", "xlsx", bare, "--ranges", "--hours").code == 2
