"""Sweeps: what varies, that a row is the design itself, and that refusals are rows."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

import facility
from facility.core.check import Rule, Severity, counted, merged
from facility.core.errors import FacilityError
from facility.core.sources import RULE
from facility.model.inputs.document import Project, project_sha256
from facility.study.design.design import Design
from facility.study.sweep.axes import MAX_ROWS, axis_of, samples_axis
from facility.study.sweep.plan import planned, sites_axis
from facility.study.sweep.studies import STUDIES, StudyFound, verdict_of
from tests.study.helpers import SMALL


@pytest.fixture(scope="module")
def small() -> Project:
    return facility.project(SMALL)


def refused(code: str, *axes: str, small: Project, **asked: Sequence[str]) -> FacilityError:
    with pytest.raises(FacilityError) as raised:
        planned(small, [axis_of(text) for text in axes], **asked)
    assert raised.value.code == code
    return raised.value


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("it.gpus=64,128", ["64", "128"]),
        ("it.gpus=64..192/64", ["64", "128", "192"]),
        ("it.gpus=64..200/64", ["64", "128", "192"]),
        (
            "site.tariff=0.05..0.1/0.025 USD/kWh",
            ["0.050 USD/kWh", "0.075 USD/kWh", "0.100 USD/kWh"],
        ),
        ("site.tariff=0.1 USD/kWh..0.3/0.1", ["0.1 USD/kWh", "0.2 USD/kWh", "0.3 USD/kWh"]),
        ("cooling.supply_air=-2 degC..2 degC/2 K", ["-2 degC", "0 degC", "2 degC"]),
        ("it.gpus=3..1/-1", ["3", "2", "1"]),
        ('project.title="a, b",c', ["a, b", "c"]),
        ("it.halls[0].racks[1].count=4", ["4"]),
    ],
)
def test_values_of_a_path(text: str, values: list[str]) -> None:
    axis = axis_of(text)
    assert [row[0] for row in axis.rows] == values
    assert "[" not in axis.paths[0]


@pytest.mark.parametrize(
    "text",
    [
        "it.gpus",
        "it.gpus=",
        "it.gpus=1,,2",
        "it.gpus=1..5",
        "it.gpus=1..5/0",
        "it.gpus=1..5/-1",
        "it.gpus=1 kW..5 MW/1",
        "it.gpus=1 kW..5 kW/1 MW",
        "it.gpus=1..9e99/1",
        'it.gpus="1,2',
        "it.gpus=" + "1" * 500 + "..2/1",
    ],
)
def test_values_that_cannot_be_read_are_refused(text: str) -> None:
    with pytest.raises(FacilityError) as raised:
        axis_of(text)
    assert raised.value.code == "SWEEP_VALUES"


def test_paths_are_known_before_anything_runs(
    small: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("facility.study.sweep.row.design", lambda project: pytest.fail("it ran"))
    error = refused("UNKNOWN_FIELD", "it.gpuss=1,2", small=small)
    assert "'gpus'" in str(error)
    refused("UNKNOWN_FIELD", "it.gpus=64,128", "col.supply=1", small=small)
    refused("SET_INDEX", "it.halls.3.name=a", small=small)
    refused("SWEEP_PATH_TWICE", "it.gpus=1", "it.gpus=2", small=small)
    assert "SWEEP_VALUES" in str(refused("SWEEP_VALUES", small=small))
    refused("SWEEP_STUDY", "it.gpus=64", small=small, studies=["sizin"])
    with pytest.raises(FacilityError, match="UNKNOWN_MODEL"):
        sites_axis(["ashburm"])


def test_ten_million_rows_are_refused_with_the_number(small: Project) -> None:
    with pytest.raises(FacilityError, match=r"10,000,000 designs .*1,000,000") as raised:
        axis_of("it.gpus=1..10000000/1")
    assert raised.value.code == "SWEEP_TOO_LARGE"
    gpus, price = "it.gpus=1..10000/1", "site.tariff=1..1000/1 USD/kWh"
    error = refused("SWEEP_TOO_LARGE", gpus, price, small=small)
    assert f"{10_000_000:,} designs (10,000 x 1,000)" in error.message
    assert f"{MAX_ROWS:,}" in error.message


def test_a_row_is_the_design_itself(small: Project) -> None:
    keys = [
        "load.facility",
        "pue.annual",
        "energy.annual",
        "ups.model",
        "concurrently_maintainable",
    ]
    studies = ["year", "outages"]
    swept = facility.sweep(
        small, {"it.gpus": [64, 128], "power.redundancy": "N+1,2N"}, studies=studies, results=keys
    )
    assert [row["row"] for row in swept.rows] == [1, 2, 3, 4]
    for row in swept.rows:
        changes = {path: row[path] for path in swept.paths}
        design = facility.design(small.with_(changes))
        assert row["project_sha256"] == design.sha256 == project_sha256(design.project)
        found = {**design.results, **(design.year.results if design.year else {})}
        for key, head in zip(keys[:4], swept.results, strict=False):
            assert row[head] == found[key].in_view()
        outages = design.outages.study
        assert outages is not None
        assert row["concurrently_maintainable"] == outages.results[keys[4]].si
        assert row["verdict.hydraulics"] == "not run"
        assert row["verdict.outages"] == verdict_of_design(design)
    assert swept.results[0] == "load.facility [kW]"


def verdict_of_design(design: Design) -> str:
    return verdict_of(counted(merged(design.outages.checks)))


def test_sizing_alone_runs_no_other_study(small: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    others = ("distribution", "outages", "ride_through", "hours", "moving_load", "plant_options")
    for name in (*others, "room_air"):
        monkeypatch.setattr(Design, name, property(lambda self: pytest.fail("it ran")))
    swept = facility.sweep(small, {"it.gpus": "64,128"}, studies=["sizing"])
    assert swept.counts == {"ok": 2, "refused": 0, "defect": 0}
    for row in swept.rows:
        assert [row[f"verdict.{name}"] for name in STUDIES][1:] == ["not run"] * (len(STUDIES) - 1)
        assert str(row["verdict.sizing"])[0].isdigit() or row["verdict.sizing"] == "pass"
    assert not any("annual" in head for head in swept.results)


def test_every_study_can_be_asked_for(small: Project) -> None:
    swept = facility.sweep(small, {"it.gpus": "64"}, studies=["all"])
    design = facility.design(small)
    (row,) = swept.rows
    assert all(row[f"verdict.{name}"] != "not run" for name in STUDIES)
    said = counted(design.checks)
    assert row["violations"] == said["VIOLATION"]
    assert row["warnings"] == said["WARNING"]
    assert row["not_evaluated"] == said["NOT_EVALUATED"], "a study of the design is not asked"


def test_what_is_refused_is_a_row_with_its_code(small: Project) -> None:
    swept = facility.sweep(
        small, {"it.gpus": ["64", "many"], "cooling.method": ["air", "liquid"]}, studies=["sizing"]
    )
    found = [(row["status"], row["error"]) for row in swept.rows]
    assert found[0] == ("ok", None)
    assert found[1][0] == found[2][0] == found[3][0] == "refused"
    codes = []
    for row in swept.rows[1:]:
        with pytest.raises(FacilityError) as raised:
            facility.design(small.with_({path: row[path] for path in swept.paths}))
        codes.append(raised.value.code)
    assert [code for _, code in found[1:]] == codes
    assert all(row.get("load.it [kW]") is None for row in swept.rows[1:])


def test_equal_designs_are_made_once(small: Project) -> None:
    swept = facility.sweep(small, {"it.gpus": ["64", "64", 128]}, studies=["sizing"])
    assert (len(swept.rows), swept.requested) == (2, 3)
    assert [row["row"] for row in swept.rows] == [1, 3]


def test_samples_go_together_and_sites_replace_the_place(small: Project) -> None:
    stated = small.with_({"site.elevation": "331 m"})
    swept = facility.sweep(
        stated,
        samples=[
            {"it.gpus": 64, "power.redundancy": "2N"},
            {"it.gpus": 128, "power.redundancy": ""},
        ],
        sites=["ashburn", "miami"],
        results=["pue.annual", "cost.annual"],
    )
    pairs = [(row["site"], row["it.gpus"]) for row in swept.rows]
    assert pairs == [(s, g) for s in ("ashburn", "miami") for g in ("64", "128")]
    for row in swept.rows[::2]:
        document = {**SMALL, "site": {"station": row["site"], "tariff": "0.08 USD/kWh"}}
        design = facility.design(facility.project(document).with_(power__redundancy="2N"))
        assert row["project_sha256"] == design.sha256
        assert row["pue.annual"] == design.all_results["pue.annual"].in_view()
    with pytest.raises(FacilityError, match="SWEEP_SAMPLES"):
        samples_axis([{"it.gpus": 1}, {"it.gpu": 1}])
    with pytest.raises(FacilityError, match="SWEEP_SAMPLES"):
        samples_axis([])


def test_a_result_in_another_currency_never_stands_in_the_column(small: Project) -> None:
    swept = facility.sweep(
        small, {"site.tariff": ["0.08 USD/kWh", "0.2 EUR/kWh"]}, results=["cost.annual"]
    )
    assert swept.results == ("cost.annual [USD]",)
    assert [row["error"] for row in swept.rows] == [None, "SWEEP_UNIT"]


def test_no_weather_is_said_in_the_verdict_of_the_year(small: Project) -> None:
    nowhere = small.with_(
        site__station=None,
        site__place="Nowhere",
        site__design_dry_bulb="35 degC",
        site__design_wet_bulb="24 degC",
    )
    (row,) = facility.sweep(nowhere, {"it.gpus": [64]}).rows
    assert row["status"] == "ok"
    assert str(row["verdict.year"]).startswith("refused: ")
    with pytest.raises(FacilityError, match="UNKNOWN_RESULT"):
        facility.sweep(nowhere, {"it.gpus": [64]}, results=["pue.annual"])


def test_a_base_that_cannot_be_designed_may_be_swept_into_one_that_can(small: Project) -> None:
    swept = facility.sweep(
        small.with_(cooling__method="liquid"),
        {"cooling.method": ["liquid", "air"]},
        studies=["sizing"],
    )
    assert [row["status"] for row in swept.rows] == ["refused", "ok"]


def test_the_frame_has_a_column_for_each_head(small: Project) -> None:
    pytest.importorskip("pandas")
    swept = facility.sweep(small, {"it.gpus": [64, 128]}, studies=["sizing"])
    frame = swept.to_frame()
    assert tuple(frame.columns) == swept.heads
    assert list(frame["load.it [kW]"]) == [row["load.it [kW]"] for row in swept.rows]


def test_samples_of_a_file_and_processes_beside_give_the_same(
    small: Project, tmp_path: Path
) -> None:
    file = tmp_path / "s.csv"
    file.write_text("it.gpus,cooling.method\n64,air\n128,air\n192,air\n")
    alone = facility.sweep(small, samples=file, studies=["sizing"])
    beside = facility.sweep(small, samples=str(file), studies=["sizing"], jobs=2)
    assert beside.rows == alone.rows
    for jobs in (0, 257):
        with pytest.raises(FacilityError, match="SWEEP_JOBS"):
            facility.sweep(small, samples=file, jobs=jobs)


def test_the_same_found_of_many_subjects_counts_once_in_every_study() -> None:
    alike = Rule("RULE", "a rule", Severity.WARNING, RULE)
    many = tuple(alike.verdict(f"panel {n}", False, "passed by 3 %") for n in range(5))
    assert StudyFound(many, {}).verdict == "1 warning"
