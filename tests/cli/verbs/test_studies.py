"""Every study is shown in one shape: its tables, its JSON, its lines."""

from __future__ import annotations

import json
from functools import lru_cache

import pytest

from facility.cli.views.study import show_study, study_json
from facility.files.project.file import parse_project
from facility.power.panels.balance.cabinet import Cabinet, balance_cabinet
from facility.power.panels.balance.one_panel import balance
from facility.report.studies.balance import CabinetBalanced, PanelBalanced
from facility.report.studies.compare import Comparison
from facility.report.studies.design import DesignShown
from facility.report.studies.failures import Failures
from facility.report.studies.protocol import Study
from facility.report.studies.transient import Transient
from facility.study.compare.ways import compare_cooling
from facility.study.design.design import Design, design
from facility.study.failures.study import failures
from facility.study.transient.study import transient
from tests.power.panels.helpers import load, panel

PROJECT = "schema_version: 1\nit: {gpus: 256, gpu_model: H100 SXM5}\n"
NAMES = ("design", "failures", "transient", "compare", "panel", "cabinet")


@lru_cache(maxsize=1)
def small() -> Design:
    return design(parse_project(PROJECT))


@lru_cache(maxsize=len(NAMES))
def study(name: str) -> Study:
    """Return one study of each sort."""
    board = panel(load("a", 1, 1000.0), load("b", 2, 3000.0))
    if name == "panel":
        return PanelBalanced(board, balance(board))
    if name == "cabinet":
        cabinet = Cabinet("PDU-1", (board,))
        return CabinetBalanced(cabinet, balance_cabinet(cabinet))
    if name == "compare":
        return Comparison(compare_cooling(parse_project(PROJECT)))
    if name == "failures":
        return Failures(small(), failures(small()), 5)
    return Transient(small(), transient(small())) if name == "transient" else DesignShown(small())


@pytest.mark.parametrize("name", NAMES)
def test_tables_have_a_cell_under_every_heading(name: str) -> None:
    for system in ("si", "ip"):
        tables = list(study(name).tables(system))
        assert tables
        for table in tables:
            rows = list(table.rows)
            assert table.title
            assert {len(row) for row in rows} <= {len(table.heads)}, table.title
            assert all(isinstance(cell, str) for row in rows for cell in row), table.title


@pytest.mark.parametrize("name", NAMES)
def test_the_json_names_its_verb_and_has_its_lists(name: str) -> None:
    body = json.loads(json.dumps(study_json(study(name)), allow_nan=False))
    assert body["schema"] == f"facility.{study(name).verb}/1"
    assert body["results"]
    assert set(study(name).lists()) <= set(body)
    assert len(body["checks"]) == len(study(name).checks)


@pytest.mark.parametrize("name", NAMES)
def test_people_see_every_title_and_the_last_line(
    name: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("COLUMNS", raising=False)
    show_study(study(name), "si", json=False)
    printed = " ".join(capsys.readouterr().out.split())
    for line in (study(name).title, *study(name).closing("si")):
        assert " ".join(line.split()) in printed
