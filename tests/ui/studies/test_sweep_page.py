"""The Sweep page: what is asked, a run beside the pages, the front, and a row taken over."""

from __future__ import annotations

import gc
import io
import json
import random
import time
import zipfile
from dataclasses import replace
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

import facility
from facility.core.errors import FacilityError
from facility.core.views import view_value
from facility.files.io.zipped import zipped
from facility.files.project.file import dump_project, parse_project
from facility.model.inputs.document import project_sha256
from facility.report.drawings.charts.pareto import ChartAxis, pareto_chart, points_of
from facility.report.tables.names import input_name
from facility.study.sweep.row import Cells
from facility.ui.session.opened import Opened
from facility.ui.studies.requests import StudyRequest
from facility.ui.studies.sweep import known_of
from facility.ui.work.sweep.designs import RunOutcome
from facility.ui.work.sweep.request import SweepRequest, design_count, request_of
from tests.study.helpers import SHORTEST
from tests.ui.helpers import (
    SUMMARY,
    SWEEP,
    assert_sound,
    edit_cells,
    errors,
    go,
    grid,
    opened,
    press,
    report_event,
    session,
    upload,
)

GRID = "power.redundancy = N, N+1\ncooling.supply_air = 22..24/2 degC"
LONGEST_S = 90.0


def page() -> AppTest:
    at = opened()
    upload(at, "short.yaml", SHORTEST.encode())
    go(at, SWEEP)
    assert_sound(at)
    return at


def enter(at: AppTest, text: str) -> None:
    """Enter these inputs in place of those of the page."""
    ids = json.loads(grid(at, "sweep-inputs").data["body"])["ids"]
    report_event(at, grid(at, "sweep-inputs").id, "remove", ids=ids)
    rows = [line.split("=") for line in text.splitlines()]
    added = [{"path": path.strip(), "value-Values": values.strip()} for path, values in rows]
    edit_cells(at, "sweep-inputs", added_rows=added)


def entered(at: AppTest) -> list[tuple[str, str]]:
    rows = grid(at, "sweep-inputs").value
    return list(zip(rows["Input"], rows["Values"], strict=True))


def cell_errors(at: AppTest) -> list[str]:
    """Return the errors on the cells of the inputs."""
    marks = json.loads(grid(at, "sweep-inputs").data["body"])["marks"]
    return [one["error"] for row in marks.values() for one in row.values() if "error" in one]


def over(run: StudyRequest) -> RunOutcome:
    until = time.monotonic() + LONGEST_S
    while run.state not in ("done", "failed") and time.monotonic() < until:
        time.sleep(0.02)
    assert run.error is None
    assert isinstance(run.found, RunOutcome)
    return run.found


def ran(at: AppTest) -> StudyRequest:
    found: StudyRequest = at.session_state["request-sweep"]
    return found


def folder_of(run: StudyRequest) -> Path:
    return Path(run.options[1])


def requested(project: str, asked: SweepRequest, folder: Path) -> StudyRequest:
    text = dump_project(facility.project(project))
    return StudyRequest("sweep", "sweep", text, text, (asked.dumped(), str(folder), "1"), Opened())


def test_a_sweep_goes_on_beside_the_pages_and_a_row_becomes_the_project() -> None:
    at = page()
    enter(at, GRID)
    assert at.button(key="sweep-start").label == "Run 4 designs"
    press(at, "sweep-start")
    run = ran(at)
    go(at, SUMMARY)
    assert_sound(at)
    outcome = over(run)
    assert outcome.error is None
    go(at, SWEEP)
    assert_sound(at)
    lines = GRID.splitlines()
    assert entered(at) == [
        (input_name(path.strip()), values.strip())
        for path, values in (line.split("=") for line in lines)
    ]
    alone = facility.sweep(
        facility.project(SHORTEST), dict(line.replace(" ", "").split("=") for line in lines)
    )
    assert [list(row.values()) for row in outcome.rows] == [
        [row.get(head) for head in alone.heads] for row in alone.rows
    ]
    assert (folder_of(run) / "rows.csv").read_text().count("\n") == 5
    before = session(at).project
    at.session_state["sweep-chosen"] = 4
    at.run()
    for head in outcome.results:
        id, found = head.partition(" ")[0], outcome.rows[3].get(head)
        if isinstance(found, float):
            known = known_of(run, outcome.paths, outcome.rows[3], id)
            assert known is not None, head
            value = known.results[id]
            assert view_value(float(value.si), value.kind) == pytest.approx(found, rel=1e-12), head
    press(at, "sweep-take")
    taken = session(at).project
    assert project_sha256(taken) == outcome.rows[3]["project_sha256"]
    assert taken.power is not None
    assert taken.power.redundancy == "N+1"
    assert any("has changed since" in text.value for text in at.text)
    press(at, "undo")
    assert dump_project(session(at).project) == dump_project(before)


def test_the_view_opens_with_sizes_around_the_project() -> None:
    at = opened()
    go(at, SWEEP)
    outcome = over(ran(at))
    assert outcome.error is None
    gpus = [int(str(row["it.gpus"])) for row in outcome.rows]
    assert gpus == [8000, 9000, 10000, 11000, 12000]
    assert entered(at) == [(input_name("it.gpus"), "8000, 9000, 10000, 11000, 12000")]


def test_the_best_are_searched_and_their_files_can_be_taken(tmp_path: Path) -> None:
    asked = SweepRequest(
        "power.redundancy = N, N+1, 2N", studies=("sizing",), best=True, aims=("load.losses",)
    )
    run = requested(SHORTEST, asked, tmp_path)
    outcome = over(run)
    assert outcome.error is None
    alone = facility.optimise(
        facility.project(SHORTEST),
        ["power.redundancy=N,N+1,2N"],
        ["load.losses"],
        studies=["sizing"],
    )
    assert outcome.aims == alone.objectives
    assert len(outcome.rows) == 3
    front = (folder_of(run) / "front" / "front-1.yaml").read_bytes()
    assert dump_project(parse_project(front)) == dump_project(alone.front[0].project)
    at = opened()
    run.project = at.session_state["opened"]
    at.session_state["request-sweep"] = run
    go(at, SWEEP)
    assert_sound(at)
    assert any("3 designs evaluated, complete enumeration" in one.value for one in at.text)
    assert [b.label for b in at.get("download_button") if "Pareto front" in b.label]


def test_a_run_that_is_dropped_leaves_no_folder() -> None:
    at = page()
    folder = folder_of(ran(at))
    assert folder.is_dir()
    for _ in range(2):
        press(at, "sweep-start")
    gc.collect()
    assert not folder.exists()


def test_a_run_that_was_stopped_goes_on() -> None:
    at = page()
    enter(at, GRID)
    press(at, "sweep-start")
    run = ran(at)
    run.found = replace(over(run), rows=over(run).rows[:2], stopped=True)
    at.run()
    assert_sound(at)
    assert any("Stopped after 2 designs" in text.value for text in at.text)
    press(at, "sweep-on")
    assert (len(over(run).rows), over(run).stopped) == (4, False)


@pytest.mark.parametrize(
    ("asked", "code"),
    [
        (SweepRequest("it.gpus"), "SWEEP_VALUES"),
        (SweepRequest("site.weather_file = /etc/passwd, b.epw"), "SWEEP_FILE_IN_APP"),
        (
            SweepRequest("it.job.power_file = a.csv, b.csv", best=True, aims=("cost",)),
            "SWEEP_FILE_IN_APP",
        ),
        (SweepRequest(samples="site\nmine.epw\n"), "SWEEP_FILE_IN_APP"),
        (SweepRequest(samples="it.gpus\n1,2\n"), "SWEEP_SAMPLES"),
        (SweepRequest("it.gpus = 1..3000/1"), "SWEEP_TOO_LARGE"),
        (SweepRequest("it.gpus = 1..9", best=True, aims=("cost",), budget=2001), "SWEEP_TOO_LARGE"),
        (
            SweepRequest("it.gpus = 1..9", best=True, aims=("cost",), limits="<= 3"),
            "OPTIMISE_LIMIT",
        ),
    ],
)
def test_what_cannot_be_made_is_refused_before_it_starts(asked: SweepRequest, code: str) -> None:
    assert request_of(asked.dumped()) == asked
    with pytest.raises(FacilityError) as raised:
        design_count(asked)
    assert raised.value.code == code
    assert "--" not in raised.value.where


def test_a_refusal_and_an_unknown_field_are_said_on_the_page(tmp_path: Path) -> None:
    at = page()
    enter(at, "it.gpus = 1..")
    assert any("not a range" in error for error in cell_errors(at))
    assert any("SWEEP_VALUES" in error for error in errors(at))
    assert at.button(key="sweep-start").disabled
    enter(at, "power.redundancy =\ncooling.supply_air = 20, 22")
    assert [values for _, values in entered(at)] == ["N+1", "20 degC, 22 degC"]
    assert not cell_errors(at)
    enter(at, "cooling.suply_air = 20, 22 degC")
    press(at, "sweep-start")
    assert "UNKNOWN_FIELD" in str(over(ran(at)).error)
    at.run()
    assert any("UNKNOWN_FIELD" in error for error in errors(at))


def cells(row: int, x: float, y: float, violations: int) -> Cells:
    return {"row": row, "status": "ok", "violations": violations, "x": x, "y": y}


@pytest.mark.parametrize("ways", [("less", "less"), ("more", "less"), ("more", "more")])
def test_the_front_is_what_no_other_beats(ways: tuple[str, str]) -> None:
    draw = random.Random(3)
    rows = [
        cells(n, draw.randrange(9), draw.randrange(9), draw.randrange(4) // 3) for n in range(80)
    ]
    rows.append({"row": 80, "status": "refused", "violations": None, "x": None, "y": None})
    x, y = (ChartAxis(name, way) for name, way in zip("xy", ways, strict=True))  # type: ignore[arg-type]
    points = points_of(rows, x, y)
    assert len(points) == 80

    def beats(one: Cells, other: Cells) -> bool:
        signs = [1.0 if way == "less" else -1.0 for way in ways]
        gaps = [
            sign * (float(one[n] or 0) - float(other[n] or 0))
            for sign, n in zip(signs, "xy", strict=True)
        ]
        return max(gaps) <= 0.0 and min(gaps) < 0.0

    held = [row for row in rows if row["violations"] == 0]
    best = {row["row"] for row in held if not any(beats(other, row) for other in held)}
    assert {point.row for point in points if point.front} == best
    assert all(point.holds for point in points if point.front)
    chart = pareto_chart(points, (x, y), 5)
    names = [entry.name for entry in chart.legend]
    assert names[0] == f"Violations ({80 - len(held)})"
    assert names[2] == f"Pareto front ({len(best)})"
    assert {int(mark.key[0]) for mark in chart.of("Pareto front")} == best
    assert "Row 5" in chart.texts


def test_files_in_a_zip_are_the_same_bytes_each_time() -> None:
    files = {"front.csv": b"row\n1\n", "front-1.yaml": b"a: 1\n"}
    content = zipped(files)
    assert content == zipped(dict(reversed(files.items())))
    assert zipfile.ZipFile(io.BytesIO(content)).namelist() == ["front-1.yaml", "front.csv"]
