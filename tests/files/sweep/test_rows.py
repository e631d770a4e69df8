"""Rows of sweeps on disk: as written, gone on with after a kill, safe in a spreadsheet."""

from __future__ import annotations

import csv
import os
import signal
import subprocess
import sys
import time
import tracemalloc
from pathlib import Path

import pytest

import facility
from facility.core.errors import FacilityError
from facility.files.sweep.cells import cells_of, line_of, types_of
from facility.files.sweep.samples import read_samples
from facility.files.sweep.store import run_to_file
from facility.study.sweep.axes import MAX_ROWS, axis_of
from facility.study.sweep.engine import Engine
from facility.study.sweep.plan import Plan, planned
from facility.study.sweep.study import run_plan
from tests.cli.helpers import SHORT

VARY = ("it.gpus=64..192/64", "power.redundancy=N+1,2N,XX")
ROWS = 9


def plan_of(*vary: str, studies: tuple[str, ...] = ("sizing",)) -> Plan:
    return planned(facility.project(SHORT), [axis_of(v) for v in vary or VARY], studies)


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    out = tmp_path_factory.mktemp("whole") / "rows.csv"
    run_to_file(plan_of(), out, Engine())
    return out.read_bytes()


def read(path: Path) -> list[dict[str, str]]:
    with path.open(newline="", encoding="utf-8") as stream:
        return list(csv.DictReader(stream))


def test_cells_come_back_as_they_were(tmp_path: Path) -> None:
    plan = plan_of()
    found = run_plan(plan, Engine())
    types = types_of(plan.heads, plan.job.columns)
    for row in found.rows:
        cells = [row.get(head) for head in plan.heads]
        line = line_of(cells)
        assert line.count("\n") == 1
        (texts,) = csv.reader([line])
        assert list(cells_of(texts, types, plan.paths).values()) == cells


@pytest.mark.parametrize(
    "text", ["=1+1", "@SUM(A1)", "+x", "-5 degC", "|cmd", "'=1", " =2", "\t=3"]
)
def test_text_never_becomes_a_formula(text: str) -> None:
    (cell,) = next(csv.reader([line_of([text])]))
    assert cell.startswith("'")
    assert cell[1:] == text.strip()


def test_numbers_stay_numbers() -> None:
    assert line_of([-5, -0.25, "-5", True, None]) == "-5,-0.25,-5,true,\n"


@pytest.mark.parametrize(
    ("kept", "torn"), [(0, b""), (4, b"9,00ab"), (ROWS - 2, b'10,"x'), (ROWS, b"1")]
)
def test_a_file_that_was_cut_short_is_gone_on_with(
    whole: bytes, tmp_path: Path, kept: int, torn: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "rows.csv"
    out.write_bytes(b"".join(whole.splitlines(keepends=True)[: kept + 1]) + torn)
    made = []
    from facility.study.sweep import engine

    monkeypatch.setattr(
        engine,
        "run_task",
        lambda job, task, run=engine.run_task: made.append(task) or run(job, task),
    )
    found, before = run_to_file(plan_of(), out, Engine(), resume=True)
    assert (before, len(made), len(found.rows)) == (kept, ROWS - kept, ROWS)
    assert out.read_bytes() == whole
    made.clear()
    assert run_to_file(plan_of(), out, Engine(), resume=True)[1] == ROWS
    assert made == []


def test_a_grid_can_grow(whole: bytes, tmp_path: Path) -> None:
    out = tmp_path / "rows.csv"
    run_to_file(plan_of("it.gpus=128", VARY[1]), out, Engine())
    found, before = run_to_file(plan_of(), out, Engine(), resume=True)
    assert before == 3
    assert out.read_bytes() == whole
    assert len(found.rows) == ROWS


def test_a_file_of_another_sweep_is_left_alone(whole: bytes, tmp_path: Path) -> None:
    out = tmp_path / "rows.csv"

    def other(content: bytes, plan: Plan) -> None:
        out.write_bytes(content)
        with pytest.raises(FacilityError) as raised:
            run_to_file(plan, out, Engine(), resume=True)
        assert raised.value.code == "SWEEP_OTHER"
        assert out.read_bytes() == content

    other(whole, plan_of("it.gpus=64", VARY[1]))
    other(whole, plan_of(VARY[0]))
    other(whole, plan_of(studies=("sizing", "year")))
    other(whole.replace(facility.__version__.encode(), b"0.0.1"), plan_of())
    other(whole.replace(b"\n1,", b"\n1,1,", 1), plan_of())
    other(b"a,b\n1,2\n", plan_of())


def test_an_existing_file_needs_a_word(whole: bytes, tmp_path: Path) -> None:
    out = tmp_path / "rows.csv"
    out.write_bytes(b"mine")
    with pytest.raises(FacilityError, match="--resume"):
        run_to_file(plan_of(), out, Engine())
    assert out.read_bytes() == b"mine"
    run_to_file(plan_of(), out, Engine(), force=True)
    assert out.read_bytes() == whole
    for name in ("rows.txt", "rows"):
        with pytest.raises(FacilityError, match="SWEEP_FILE"):
            run_to_file(plan_of(), tmp_path / name, Engine())
    with pytest.raises(FacilityError, match="FILE_NOT_WRITTEN"):
        run_to_file(plan_of(), tmp_path / "none" / "rows.csv", Engine())


def test_processes_write_the_same_file(whole: bytes, tmp_path: Path) -> None:
    out = tmp_path / "rows.csv"
    run_to_file(plan_of(), out, Engine(jobs=2))
    assert out.read_bytes() == whole


def test_two_at_once_are_refused(tmp_path: Path) -> None:
    out = tmp_path / "rows.csv"

    def second(done: int, of: int) -> None:
        if done == 1:
            with pytest.raises(FacilityError, match="SWEEP_BUSY"):
                run_to_file(plan_of(), out, Engine(), resume=True)

    run_to_file(plan_of(), out, Engine(), second)
    assert len(read(out)) == ROWS


def test_parquet_holds_the_same_rows(whole: bytes, tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    out = tmp_path / "rows.parquet"
    found, _ = run_to_file(plan_of(), out, Engine())
    table = parquet.read_table(out)
    assert tuple(table.column_names) == found.heads
    listed = table.to_pylist()
    assert listed == [{head: row.get(head) for head in found.heads} for row in found.rows]
    assert [path.name for path in tmp_path.iterdir()] == ["rows.parquet"]
    before = out.read_bytes()
    assert run_to_file(plan_of(), out, Engine(), resume=True)[1] == ROWS
    assert out.read_bytes() == before
    out.write_bytes(b"PAR1 no")
    with pytest.raises(FacilityError, match="SWEEP_OTHER"):
        run_to_file(plan_of(), out, Engine(), resume=True)


def test_parquet_that_is_interrupted_can_be_read_and_gone_on_with(tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    out = tmp_path / "rows.parquet"

    def stop(done: int, of: int) -> None:
        if done == 4:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run_to_file(plan_of(), out, Engine(), stop)
    assert parquet.read_table(out).num_rows == 4
    with pytest.raises(FacilityError, match="FILE_EXISTS"):
        run_to_file(plan_of(), out, Engine())
    found, before = run_to_file(plan_of(), out, Engine(), resume=True)
    assert (before, len(found.rows), parquet.read_table(out).num_rows) == (4, ROWS, ROWS)
    assert [path.name for path in tmp_path.iterdir()] == ["rows.parquet"]


def test_parquet_without_pyarrow_is_refused_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(FacilityError, match=r"facility\[sweep\]"):
        run_to_file(plan_of(), tmp_path / "rows.parquet", Engine())
    assert list(tmp_path.iterdir()) == []


@pytest.mark.anew
@pytest.mark.parametrize(
    ("by", "code"), [(signal.SIGINT, 130), (signal.SIGKILL, -signal.SIGKILL)], ids=["int", "kill"]
)
@pytest.mark.parametrize("jobs", [1, 2])
def test_a_sweep_that_is_stopped_leaves_what_was_done(
    whole: bytes, tmp_path: Path, by: signal.Signals, code: int, jobs: int
) -> None:
    project, out = tmp_path / "p.yaml", tmp_path / "rows.csv"
    project.write_text(SHORT)
    words = ["sweep", str(project), "--studies", "sizing", "--out", str(out), "--jobs", str(jobs)]
    words += [word for vary in VARY for word in ("--vary", vary)]
    main = "from facility.cli.main import main\nif __name__ == '__main__': main()"
    (tmp_path / "main.py").write_text(main)
    started = subprocess.Popen(
        [sys.executable, str(tmp_path / "main.py"), *words],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    deadline = time.monotonic() + 120
    while not out.exists() or len(out.read_bytes().splitlines()) < 4:
        assert time.monotonic() < deadline
        assert started.poll() is None, started.communicate()
        time.sleep(0.005)
    os.killpg(started.pid, by)
    _, err = started.communicate(timeout=60)
    assert started.returncode == code, err
    rows = read(out)
    assert 3 <= len(rows) < ROWS
    hashes = [row["project_sha256"] for row in rows]
    assert len(set(hashes)) == len(hashes)
    _, before = run_to_file(plan_of(), out, Engine(), resume=True)
    assert before in (len(rows), len(rows) - 1)
    assert out.read_bytes() == whole


def test_ten_million_samples_are_refused_unread(tmp_path: Path) -> None:
    file = tmp_path / "s.csv"
    with file.open("w") as stream:
        stream.write("it.gpus\n")
        for _ in range(100):
            stream.write("64\n" * (MAX_ROWS // 10))
    tracemalloc.start()
    with pytest.raises(FacilityError) as raised:
        read_samples(file)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert (raised.value.code, raised.value.where) == ("SWEEP_TOO_LARGE", f"{file}:{MAX_ROWS + 2}")
    assert most < 1_000_000


def test_samples_are_read_with_row_and_column(tmp_path: Path) -> None:
    file = tmp_path / "s.csv"

    def refused(text: str, where: str, code: str = "SWEEP_SAMPLES") -> None:
        file.write_text(text)
        with pytest.raises(FacilityError) as raised:
            read_samples(file)
        assert raised.value.code == code
        assert raised.value.where == f"{file}{where}"

    refused("it.gpus,\n1,2\n", ":1:2")
    refused("it.gpus,power.redundancy\n1,2\n\n3\n", ":4:2")
    refused("it.gpus\n1,2\n", ":2:2")
    refused("it.gpus\n", "")
    refused('it.gpus\n"1\n', ":2")
    refused("it.gpus\n" + "1\n" * (MAX_ROWS + 1), f":{MAX_ROWS + 2}", "SWEEP_TOO_LARGE")
    file.write_text("it.halls[0].racks[0].count,power.redundancy\n4,\n\n 8 ,2N\n")
    axis = read_samples(file)
    assert axis.paths == ("it.halls.0.racks.0.count", "power.redundancy")
    assert axis.rows == (("4", ""), ("8", "2N"))
