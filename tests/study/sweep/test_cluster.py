"""Sweep and search on a real Dask cluster: separate workers, one of them killed on the way."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

import facility
from facility.core.errors import FacilityError
from facility.files.sweep.front import run_to_folder
from facility.files.sweep.store import run_to_file
from facility.study.optimise.problem import optimisation_problem
from facility.study.optimise.study import Terms
from facility.study.optimise.variables import design_variable
from facility.study.sweep.axes import axis_of
from facility.study.sweep.engine import Engine, run_tasks
from facility.study.sweep.plan import Plan, planned
from facility.study.sweep.row import run_task
from tests.cli.helpers import SHORT

ROWS = 24
_CLEAN = {k: v for k, v in os.environ.items() if not k.startswith(("DASK", "COV", "PYTEST"))}


def _program(folder: Path, name: str, *words: str) -> subprocess.Popen[bytes]:
    with (folder / f"{name}.log").open("wb") as log:
        return subprocess.Popen(
            [sys.executable, "-m", "dask", *words],
            stdout=log,
            stderr=subprocess.STDOUT,
            cwd=folder,
            env=_CLEAN,
            start_new_session=True,
        )


def _address(log: Path) -> str:
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        found = re.search(r"Scheduler at:\s+(tcp://\S+)", log.read_text() if log.exists() else "")
        if found:
            return found[1]
        time.sleep(0.05)
    pytest.fail(log.read_text())


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[tuple[str, list[subprocess.Popen[bytes]]]]:
    """Give the address of a scheduler and its two workers, processes of their own."""
    pytest.importorskip("distributed")
    local = ("--host", "127.0.0.1")
    started = [_program(tmp_path, "s", "scheduler", *local, "--port", "0", "--no-dashboard")]
    try:
        address = _address(tmp_path / "s.log")
        for n in (1, 2):
            plain = ("--no-nanny", "--nthreads", "1", "--no-dashboard")
            started.append(_program(tmp_path, f"w{n}", "worker", address, *plain))
        yield address, started[1:]
    finally:
        for one in reversed(started):
            if one.poll() is None:
                os.killpg(one.pid, signal.SIGKILL)
            one.wait(timeout=30)


def plan_of() -> Plan:
    vary = (f"it.gpus=64..{64 * ROWS // 4}/64", "power.redundancy=N+1,2N", "cooling.method=air,no")
    return planned(facility.project(SHORT), [axis_of(v) for v in vary], ("sizing",))


@pytest.mark.anew
def test_a_killed_worker_loses_no_design_and_doubles_none(
    cluster: tuple[str, list[subprocess.Popen[bytes]]], tmp_path: Path
) -> None:
    address, (first, second) = cluster
    alone, beside = tmp_path / "alone.csv", tmp_path / "beside.csv"
    run_to_file(plan_of(), alone, Engine())
    seen = []

    def kill(done: int, of: int) -> None:
        seen.append(done)
        if done == ROWS // 3:
            assert second.poll() is None
            os.killpg(second.pid, signal.SIGKILL)

    found, _ = run_to_file(plan_of(), beside, Engine(scheduler=address), kill)
    assert second.wait(timeout=30) == -signal.SIGKILL
    assert first.poll() is None
    assert seen == list(range(1, ROWS + 1))
    hashes = [row["project_sha256"] for row in found.rows]
    assert len(hashes) == len(set(hashes)) == ROWS
    assert found.counts == {"ok": ROWS // 2, "refused": ROWS // 2, "defect": 0}
    assert beside.read_bytes() == alone.read_bytes()


@pytest.mark.anew
def test_a_search_that_loses_a_worker_finds_what_one_process_does(
    cluster: tuple[str, list[subprocess.Popen[bytes]]], tmp_path: Path
) -> None:
    pytest.importorskip("pymoo")
    address, (first, second) = cluster
    free = ("cooling.plant.heat_rejection=tower,dry_cooler", "cooling.supply_air=20..25 degC")
    quest = optimisation_problem(
        facility.project(SHORT), [design_variable(f) for f in free], ["energy", "water"], ()
    )
    alone, beside = tmp_path / "alone", tmp_path / "beside"
    run_to_folder(quest, alone, Terms(16, 3))

    def kill(made: int) -> None:
        if made == 5:
            os.killpg(second.pid, signal.SIGKILL)

    found = run_to_folder(quest, beside, Terms(16, 3, Engine(scheduler=address)), kill)
    assert second.wait(timeout=30) == -signal.SIGKILL
    assert first.poll() is None
    assert len({row["project_sha256"] for row in found.rows}) == 16
    names = sorted(file.name for file in alone.iterdir())
    assert "front-2.yaml" in names
    assert sorted(file.name for file in beside.iterdir()) == names
    for name in names:
        assert (beside / name).read_bytes() == (alone / name).read_bytes()


def test_a_design_that_is_made_twice_is_recorded_once(monkeypatch: pytest.MonkeyPatch) -> None:
    from concurrent.futures import ThreadPoolExecutor
    from contextlib import contextmanager

    from facility.study.sweep import engine

    @contextmanager
    def twice(address: str) -> Iterator[tuple[ThreadPoolExecutor, int]]:
        with ThreadPoolExecutor(1) as executor:
            yield executor, 2

    monkeypatch.setattr(engine, "_cluster", twice)
    plan = plan_of()
    tasks = [plan.task(1), plan.task(1), plan.task(2)]
    rows = list(run_tasks(plan.job, tasks, Engine(scheduler="tcp://somewhere:1")))
    assert [row.number for row in rows] == [1, 2]

    def other(job: object, task: object) -> object:
        row = run_task(plan.job, plan.task(1))
        row.cells["facility_version"] = "0.0.1"
        return row

    monkeypatch.setattr(engine, "run_task", other)
    with pytest.raises(FacilityError, match=r"0\.0\.1") as raised:
        list(run_tasks(plan.job, tasks, Engine(scheduler="tcp://somewhere:1")))
    assert raised.value.code == "SWEEP_WORKER"


@pytest.mark.parametrize("address", ["tcp://127.0.0.1:1", "nonsense://x", "127.0.0.1:99999999"])
def test_an_address_without_a_scheduler_is_refused(
    address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("distributed")
    monkeypatch.setattr("facility.study.sweep.engine._CONNECT_S", 1)
    plan = plan_of()
    with pytest.raises(FacilityError) as raised:
        list(run_tasks(plan.job, [plan.task(1)], Engine(scheduler=address)))
    assert raised.value.code == "SWEEP_SCHEDULER"
    with pytest.raises(FacilityError, match="SWEEP_JOBS"):
        Engine(jobs=2, scheduler=address)


def test_without_the_extra_a_cluster_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    plan = plan_of()
    with pytest.raises(FacilityError, match=r"facility\[sweep\]"):
        list(run_tasks(plan.job, [plan.task(1)], Engine(scheduler="tcp://127.0.0.1:1")))
