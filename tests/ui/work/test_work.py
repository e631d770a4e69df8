"""Work beside the pages: real processes, shared, watched, ended, and what a design takes of it."""

from __future__ import annotations

import base64
import os
import re
import signal
import time
from collections.abc import Iterator
from functools import partial
from io import BytesIO
from pathlib import Path
from typing import cast

import pytest

from facility.core.check import Check
from facility.core.errors import FacilityError
from facility.files.project.file import apply_sets, default_project, dump_project
from facility.files.workbook.book import workbook_bytes
from facility.files.workbook.verify import VerifyReport
from facility.power.panels.balance.one_panel import BalanceResult, balance
from facility.power.panels.moves.pareto import pareto_moves
from facility.study.compare.ways import CoolingComparison, compare_cooling
from facility.study.design.design import Design
from facility.study.failures.study import failures
from facility.study.parts import checks_with, part_of, take
from facility.study.ranges.result import RangesStudy
from facility.study.ranges.study import ranges
from facility.study.scenarios import Scenarios
from facility.study.shortlist import Candidate, best_first, models, offered, shortlist
from facility.study.studies import PARTS
from facility.study.transient.study import transient
from facility.ui.session.designs import designed, untitled
from facility.ui.work import runs
from facility.ui.work.bound import share
from facility.ui.work.frames import packed, unpacked
from facility.ui.work.jobs import JobFound, Key, RunProgress
from facility.ui.work.pool import Holder, Pool, Start, Work
from facility.ui.work.process import Process
from facility.ui.work.runs import Run
from facility.ui.work.scenario_board import ScenarioBoard
from facility.ui.work.sweep.designs import RunOutcome
from facility.ui.work.sweep.request import SweepRequest
from facility.ui.work.worker import Worker
from tests.ui.helpers import design_with

ROOMY = 4 * 2**30
LONGEST_S = 60.0
ANNA, BEN = Holder("anna"), Holder("ben")
SMALL = "it.gpus=64"
LONG = "it.gpus=150000"


def text(*sets: str) -> str:
    return dump_project(apply_sets(default_project(), list(sets)))


def opened(memory: int = ROOMY, kept_bytes: int = 2**20) -> Pool:
    pool = Pool(1, partial(Process, memory), kept_bytes)
    pool.open()
    return pool


@pytest.fixture(scope="module")
def pool() -> Iterator[Pool]:
    found = opened()
    yield found
    found.close()


def pids_of_pages(pool: Pool) -> tuple[int, ...]:
    """Return the processes for what pages wait for, without those of the lanes."""
    return tuple(one.pid for one in pool._processes if not one.lane)


def until(pool: Pool, work: Work) -> Work:
    assert pool.wait(work, LONGEST_S), work
    return work


def running(pool: Pool, key: Key, holder: Holder) -> Work:
    """Return work that has begun."""
    work = pool.ask(key, holder)
    end = time.monotonic() + LONGEST_S
    while not work.progress.what and time.monotonic() < end:
        time.sleep(0.01)
    assert work.state == "running"
    return work


@pytest.fixture(scope="module")
def small() -> Design:
    return design_with(SMALL)


def test_a_worker_finds_what_the_design_finds(pool: Pool, small: Design) -> None:
    found: dict[str, tuple[Check, ...]] = {}
    taken = design_with(SMALL)
    for name in PARTS:
        work = until(pool, pool.ask(Key(name, text(SMALL)), ANNA))
        assert (work.state, work.error) == ("done", None)
        assert isinstance(work.found.whole, bytes)
        found[name] = work.found.checks
        take(taken, name, unpacked(work.found.whole))
    assert repr(taken.checks) == repr(small.checks)
    assert taken.all_results.as_json() == small.all_results.as_json()
    assert repr(failures(taken).results) == repr(failures(small).results)
    assert repr(transient(taken).results) == repr(transient(small).results)
    assert repr(checks_with(design_with(SMALL), found)) == repr(small.checks)


def test_a_design_of_its_worker_is_that_made_here(
    monkeypatch: pytest.MonkeyPatch, pool: Pool
) -> None:
    small = designed(text(SMALL))
    monkeypatch.setattr(runs, "workers", lambda: pool)
    first = runs._design_in_worker(text(SMALL))  # made here, while its worker starts
    until(pool, pool.ask(Key("design", text(SMALL)), ANNA))
    assert pool.has_started("design")
    monkeypatch.setattr("facility.ui.session.designs.designed", None)
    for design in (first, runs._design_in_worker(text(SMALL))):
        assert design.project == small.project
        assert design.results.as_json() == small.results.as_json()
        assert repr(design.checks) == repr(small.checks)
    with pytest.raises(FacilityError, match="UNKNOWN_MODEL"):
        runs._design_in_worker(text(SMALL).replace("H100", "H1000"))


def test_a_shortlist_is_that_of_the_library(pool: Pool, small: Design) -> None:
    choice = offered(small)[0]
    work = until(pool, pool.ask(Key("shortlist", text(SMALL), (choice.title,)), ANNA))
    found = cast(list[Candidate], Run(work, pool, ANNA).result())
    alone = best_first(list(shortlist(small.project, choice)))
    assert [one.model for one in found] == [one.model for one in alone]
    assert work.progress == RunProgress(models(choice), models(choice), "models evaluated")


def test_ways_to_cool_are_those_of_the_library(pool: Pool, small: Design) -> None:
    work = until(pool, pool.ask(Key("cooling methods", text(SMALL)), ANNA))
    found = cast(CoolingComparison, Run(work, pool, ANNA).result())
    alone = compare_cooling(small.project)
    assert found.crossover == alone.crossover
    assert found.results.as_json() == alone.results.as_json()


RANGED = untitled(text(SMALL, "ranges.0.field=site.tariff", "ranges.0.range=0.04 .. 0.06 USD/kWh"))


def test_ranges_are_those_of_the_library_and_end_when_nobody_waits(pool: Pool) -> None:
    key = Key("ranges", RANGED, ("2000", "1", "lhs"))
    work, pids = running(pool, key, ANNA), pool.pids
    while work.progress.what != "years":
        time.sleep(0.01)
    short = pool.ask(Key("ranges", RANGED, ("3", "1", "lhs")), ANNA)
    assert work.state == "running", "it is of the same project"
    pool.cancel(key, ANNA)
    found = cast(RangesStudy, Run(until(pool, short), pool, ANNA).result())
    assert work.state == "cancelled"
    assert pool.pids == pids, "it was asked to end, and did"
    alone = ranges(designed(RANGED), 3)
    assert (found.title, found.drawn.tobytes()) == (alone.title, alone.drawn.tobytes())
    assert short.progress == RunProgress(5, 5, "years")


def test_a_balance_a_proof_and_moves_of_a_panel_are_those_of_the_library(
    pool: Pool, small: Design
) -> None:
    panel = small.panels.panels[0]
    options = (panel.tag, "va")
    work = until(pool, pool.ask(Key("panel balance", text(SMALL), options), ANNA))
    found, alone = cast(BalanceResult, Run(work, pool, ANNA).result()), balance(panel, "va")
    assert (repr(found), found.panel) == (repr(alone), alone.panel)
    proof = until(pool, pool.ask(Key("panel proof", text(SMALL), options), ANNA))
    assert repr(Run(proof, pool, ANNA).result()) == repr(balance(panel, "va", exact=True))
    plans = until(pool, pool.ask(Key("panel moves", text(SMALL), options), ANNA))
    assert repr(Run(plans, pool, ANNA).result()) == repr(pareto_moves(panel, "va"))


def test_work_that_is_stopped_ends_with_what_it_has(tmp_path: Path) -> None:
    pool = opened(share())  # pyarrow reserves addresses by the GiB
    values = ",".join(str(number) for number in range(8, 248, 8))
    told = SweepRequest(f"it.gpus={values}", studies=()).dumped()
    place = Holder("anna", "sweep")

    def sweep(attempt: str) -> Work:
        return pool.ask(Key("sweep", text(SMALL), (told, str(tmp_path), attempt)), place)

    work = sweep("1")
    end = time.monotonic() + LONGEST_S
    while work.progress.done < 2 and time.monotonic() < end:
        time.sleep(0.01)
    pool.stop(work)
    stopped = cast(RunOutcome, Run(until(pool, work), pool, place).result())
    assert stopped.stopped
    assert 2 <= len(stopped.rows) < 30
    whole = cast(RunOutcome, Run(until(pool, sweep("2")), pool, place).result())
    assert whole.opening.startswith("30 designs")
    assert whole.rows[0] == stopped.rows[0]
    pool.close()


def test_files_and_scenarios_are_those_made_here_and_workbooks_are_verified(pool: Pool) -> None:
    made = until(pool, pool.ask(Key("file", text(SMALL), ("whole",)), ANNA))
    content = Run(made, pool, ANNA).result()
    assert content == workbook_bytes(design_with(SMALL))
    told = (base64.b64encode(cast(bytes, content)).decode(),)
    checked = until(pool, pool.ask(Key("verify", "", told), Holder("anna", "verify")))
    assert cast(VerifyReport, Run(checked, pool, ANNA).result()).same
    assert checked.size > len(told[0]), "what was dropped counts as kept"
    board = ScenarioBoard(text(SMALL), ("A",), (("it.gpus", "128"),))
    work = until(pool, pool.ask(Key("scenarios", board.dumped()), Holder("anna", "scenarios")))
    found = cast(Scenarios, Run(work, pool, ANNA).result())
    assert work.progress == RunProgress(1, 2, "designed")
    after = found.scenarios[0].design
    assert after is not None
    assert after.results.as_json() == design_with("it.gpus=128").results.as_json()


def test_what_takes_minutes_has_a_worker_of_its_own_and_an_edit_ends_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    lanes = list[str]()

    class Started:
        def __init__(self, _: object, lane: str) -> None:
            self.number, self.knows, self.lane = 0, "", lane

        def run(self, number: int, key: Key) -> None:
            self.number = number
            lanes.append(f"{key.job} by {self.lane or 'any'}")

        def cancel(self) -> None:
            pass

        kill = cancel

    pool = Pool(1, cast(Start, Started))
    pool.open()
    monkeypatch.setattr(runs, "workers", lambda: pool)
    slow = runs._requested(Key("ranges", RANGED, ("9", "1", "lhs")), ANNA)
    other = runs._requested(Key("long file", RANGED, ("ranges",)), ANNA)
    runs._requested(Key("load", RANGED), ANNA)
    runs._requested(Key("sweep", RANGED, ("", "", "1")), Holder("anna", "sweep"))
    assert lanes == ["ranges by minutes", "load by any", "sweep by sweep"]
    assert (slow.state, other.state) == ("running", "waiting")
    runs._requested(Key("load", text(SMALL)), ANNA)
    assert slow.state == "cancelled"


def test_an_edit_of_the_title_block_keeps_the_studies(
    monkeypatch: pytest.MonkeyPatch, pool: Pool, small: Design
) -> None:
    monkeypatch.setattr(runs, "workers", lambda: pool)
    titled = (SMALL, "project.number=77", "project.title=Hall 2", "project.revisions.0.rev=C")
    assert untitled(text(*titled)) == dump_project(small.project.with_({"project": ""}))
    first = {name: runs._requested(Key(name, text(SMALL)), ANNA) for name in ("load", "outages")}
    for run in first.values():
        run.wait(LONGEST_S)
    edited = design_with(*titled)
    for name, run in first.items():
        again = runs._requested(Key(name, text(*titled)), ANNA)
        assert again.state == "done"
        assert again._work is run._work, "no second job"
        take(edited, name, again.result())
    assert repr(edited.moving_load.checks) == repr(small.moving_load.checks)
    assert repr(failures(edited).results) == repr(failures(small).results)
    assert edited.project_identity != small.project_identity


def test_a_run_states_how_long_it_takes() -> None:
    class Worker:
        def __init__(self, _: object, lane: str) -> None:
            self.number, self.knows, self.lane = 0, "", lane

        def run(self, number: int, key: Key) -> None:
            self.number = number

    pool = Pool(1, cast(Start, Worker))
    run = Run(pool.ask(Key("load", text(SMALL)), ANNA), pool, ANNA)
    assert run.duration == "takes about 5 s"
    pool.open()
    assert run.duration == "0 s of about 5 s"
    pool._hear(pool._processes[0], (run._work.number, JobFound()))
    again = Run(pool.ask(Key("load", text("it.gpus=128")), ANNA), pool, ANNA)
    assert again.duration == "0 s of about 1 s", "as long as the last run, at least 1 s"


def test_documents_use_the_studies_of_the_worker(small: Design) -> None:
    worker = Worker(BytesIO(), BytesIO())
    known = worker._design_of(untitled(text(SMALL)))()
    part = known.moving_load
    assert vars(worker._design_of(text(SMALL))())["moving_load"] is part


def test_what_a_visitor_waits_for_comes_before_what_pages_ask_for_by_themselves() -> None:
    class Recorded:
        def __init__(self) -> None:
            self.number, self.knows, self.lane, self.ran = 0, "", "", list[str]()

        def run(self, number: int, key: Key) -> None:
            self.number = number
            self.ran.append(key.job)

    worker, started = Recorded(), list[str]()

    def start(_: object, lane: str) -> Process:
        started.append(lane)
        return cast(Process, worker)

    pool = Pool(1, start)
    pool.prepare()
    for job in ("checks of load", "fixes", "file"):
        pool.ask(Key(job, text(SMALL)), ANNA)
    assert (started, worker.ran) == ([""], []), "the first page is displayed before any job"
    pool.open()
    assert started == [""]
    for number in (3, 1):
        pool._hear(cast(Process, worker), (number, JobFound()))
    assert worker.ran == ["file", "checks of load", "fixes"]


def test_a_study_that_is_known_is_not_taken_again(small: Design) -> None:
    own = small.moving_load
    take(small, "load", part_of(design_with("it.gpus=128"), "load"))
    assert small.moving_load is own


def test_equal_work_of_two_is_done_once(pool: Pool) -> None:
    key = Key("checks of load", text("it.gpus=128"))
    work = pool.ask(key, ANNA)
    assert pool.ask(key, BEN) is work
    until(pool, work)
    assert pool.ask(key, Holder("carl")) is work


def test_a_newer_edit_ends_what_nobody_waits_for_any_more(pool: Pool) -> None:
    old = Key("outages", text(LONG))
    work, pids = running(pool, old, ANNA), pids_of_pages(pool)
    os.kill(pids[0], signal.SIGSTOP)  # However fast the machine, it does not end by itself
    newer = pool.ask(Key("checks of load", text(SMALL)), ANNA)
    assert work.state == "cancelled"
    assert until(pool, newer).state == "done"
    assert len(pids_of_pages(pool)) == 1
    assert pids_of_pages(pool) != pids, "a design cannot be asked to end: its process was killed"


def test_what_another_waits_for_goes_on_until_that_session_is_closed(pool: Pool) -> None:
    key = Key("outages", text(LONG))
    work = running(pool, key, ANNA)
    pool.ask(key, BEN)
    pool.cancel(key, ANNA)
    assert work.state == "running"
    assert pool.ask(key, ANNA).state == "running"
    assert pool.declined(key, ANNA)
    assert Run(work, pool, ANNA).state == "cancelled"
    assert pool.sessions == {"anna", "ben"}
    pool.forget("ben")
    assert work.state == "cancelled"
    pool.forget("anna")
    assert not pool.sessions


def test_a_session_that_stays_closed_is_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    looked = iter([None] * 3)
    monkeypatch.setattr(runs.time, "sleep", lambda _: next(looked))
    pool = Pool(0, partial(Process, ROOMY))
    work = pool.ask(Key("load", text(SMALL)), ANNA)
    with pytest.raises(StopIteration):
        runs._watch(pool, lambda session: session != "anna")
    assert work.state == "cancelled"


def test_a_killed_worker_is_said_and_another_takes_its_place(pool: Pool) -> None:
    key = Key("outages", text(LONG))
    work = running(pool, key, ANNA)
    (pid,) = pids_of_pages(pool)
    os.kill(pid, signal.SIGKILL)
    until(pool, work)
    assert work.state == "failed"
    assert work.error is not None
    assert work.error.code == "RUN_LOST"
    assert "signal 9" in work.error.message
    run = Run(work, pool, ANNA)
    with pytest.raises(FacilityError, match="RUN_LOST"):
        run.result()
    assert pool.ask(key, ANNA) is work, "it is not begun again by itself"
    small = Key("checks of load", text(SMALL))
    assert until(pool, pool.ask(small, BEN)).state == "done"
    assert pool.again(key, ANNA) is not work
    pool.cancel(key, ANNA)


def test_a_worker_gives_way_and_ends_with_its_server(pool: Pool) -> None:
    until(pool, pool.ask(Key("checks of load", text("it.gpus=72")), ANNA))
    (pid,) = pids_of_pages(pool)
    assert os.getpriority(os.PRIO_PROCESS, pid) > os.getpriority(os.PRIO_PROCESS, 0)
    limits = Path(f"/proc/{pid}/limits").read_text(encoding="ascii")
    assert re.search(rf"Max address space +{ROOMY} ", limits)
    worker = next(one for one in pool._processes if not one.lane)
    worker._process.stdin.close()  # type: ignore[union-attr]
    worker._listener.join(LONGEST_S)
    assert worker.ended_by == "exit code 0"


def test_a_run_beyond_its_memory_is_refused_with_a_reason() -> None:
    tight = opened(memory=420 * 2**20)
    work = until(tight, tight.ask(Key("outages", text(LONG)), ANNA))
    tight.close()
    assert work.state == "failed"
    assert work.error is not None
    assert work.error.code == "RUN_MEMORY"


def test_what_is_kept_stays_within_its_memory() -> None:
    pool = Pool(0, partial(Process, ROOMY), cache_bytes=25)
    for number in range(5):
        work = pool.ask(Key("load", str(number)), ANNA)
        with pool._lock:
            pool._came(work, JobFound(whole=b"ten bytes."))
    assert pool.cached_bytes <= 25
    assert pool.ask(Key("load", "4"), ANNA).state == "done"
    assert pool.ask(Key("load", "0"), ANNA).state == "waiting"


def test_no_process_can_be_started() -> None:
    def refuse(*_: object) -> Process:
        raise OSError(11, "Resource temporarily unavailable")

    pool = Pool(1, refuse)
    work = pool.ask(Key("load", text(SMALL)), ANNA)
    pool.open()
    assert work.error is not None
    assert "Resource temporarily unavailable" in str(work.error)


def test_a_refusal_comes_back_as_it_is() -> None:
    error = FacilityError("NO_CODE", "it.gpus", "what.", "mend.", exit_code=4)
    found = unpacked(packed(error))
    assert isinstance(found, FacilityError)
    assert (str(found), found.exit_code) == (str(error), 4)
