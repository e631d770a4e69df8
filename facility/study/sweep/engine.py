"""Where the designs of a sweep are made: here, in processes beside, or on a Dask cluster."""

from __future__ import annotations

import gc
import signal
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from multiprocessing import get_context

from facility.core.errors import FacilityError
from facility.core.reference import reference_sha256
from facility.core.version import __version__
from facility.study.sweep.row import ORIGIN, SweepJob, SweepRow, Task, run_task

MAX_JOBS = 256
GC_THRESHOLD = (50_000, 20, 20)
"""As the command line sets it: a design is a million small objects, none in a circle."""
_AHEAD = 4
"""Designs handed out for each worker, so that none waits for this process."""
_ON_A_CLUSTER = 1024
_CONNECT_S = 30


@dataclass(frozen=True)
class Engine:
    """What makes the designs."""

    jobs: int = 1  # Processes on this machine; this one alone where it is one
    scheduler: str = ""  # Address of a Dask scheduler; empty for none

    def __post_init__(self) -> None:
        if (
            not isinstance(self.jobs, int)
            or not 1 <= self.jobs <= MAX_JOBS
            or (self.jobs > 1 and self.scheduler)
        ):
            raise FacilityError(
                "SWEEP_JOBS",
                "--jobs",
                f"{self.jobs} processes are asked for"
                + (" beside a cluster." if self.scheduler else "."),
                f"Give 1 to {MAX_JOBS}, or the address of a scheduler alone.",
            )


Make = Callable[[SweepJob, Iterable[Task]], Iterator[SweepRow]]
"""Gives the rows of tasks as they come; alone in their order, otherwise in any."""


def run_tasks(job: SweepJob, tasks: Iterable[Task], engine: Engine) -> Iterator[SweepRow]:
    """Yield the rows of the tasks as they come; alone in their order, otherwise in any.

    Raises as `started`.
    """
    with started(engine) as make:
        yield from make(job, tasks)


@contextmanager
def started(engine: Engine) -> Iterator[Make]:
    """Give what makes designs, again and again, until it is left.

    Raises ``SWEEP_SCHEDULER``, ``SWEEP_WORKER`` where the workers cannot be used or are lost,
    ``NO_SWEEP_EXTRA``.
    """
    if engine.jobs == 1 and not engine.scheduler:
        yield lambda job, tasks: (run_task(job, task) for task in tasks)
        return
    opened = _cluster(engine.scheduler) if engine.scheduler else _processes(engine.jobs)
    with opened as (executor, ahead):
        yield lambda job, tasks: _each_once(_as_done(executor, job, tasks, ahead))


def _each_once(rows: Iterable[SweepRow]) -> Iterator[SweepRow]:
    """Yield the rows, each project once, of workers that are like this process."""
    seen: set[str] = set()
    for row in rows:
        own = reference_sha256(), __version__
        if tuple(row.cells[head] for head in ORIGIN) != own:
            raise FacilityError(
                "SWEEP_WORKER",
                "--scheduler",
                f"a worker runs facility {row.cells['facility_version']} with other reference data"
                f" or another version than this {__version__}.",
                "Install the same facility on every worker.",
            )
        if row.sha256 not in seen:
            seen.add(row.sha256)
            yield row


@contextmanager
def _processes(jobs: int) -> Iterator[tuple[Executor, int]]:
    """Give processes of this machine; the keyboard interrupts this one alone."""
    executor = ProcessPoolExecutor(jobs, mp_context=get_context("spawn"), initializer=_begin)
    try:
        yield executor, _AHEAD * jobs
    except BrokenProcessPool:
        raise _lost("a process was ended by the system, perhaps for want of memory.") from None
    finally:
        executor.shutdown(wait=True, cancel_futures=True)


def _begin() -> None:
    """Ready a process: the keyboard is not for it, and it collects garbage as rarely as a verb."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    gc.set_threshold(*GC_THRESHOLD)


@contextmanager
def _cluster(address: str) -> Iterator[tuple[Executor, int]]:
    """Give the workers of a Dask cluster; a design whose worker dies is made by another."""
    try:
        from distributed import Client
        from distributed.scheduler import KilledWorker
    except ImportError:
        raise no_sweep_extra("--scheduler") from None
    try:
        client = Client(address, timeout=_CONNECT_S, set_as_default=False)
    except (OSError, ValueError, TypeError, RuntimeError) as error:
        reason = " ".join(str(error).split())[:200]
        raise FacilityError(
            "SWEEP_SCHEDULER",
            address[:100],
            f"no Dask scheduler answers there: {reason}.",
            "Give its address, as tcp://host:8786 or tls://host:8786.",
        ) from None
    with client:
        executor = client.get_executor(pure=False)
        try:
            yield executor, _ON_A_CLUSTER
        except KilledWorker as error:
            raise _lost(f"{' '.join(str(error).split())[:200]}.") from None
        finally:
            executor.shutdown(wait=False)


def no_sweep_extra(where: str) -> FacilityError:
    """Return the refusal of what needs the libraries of the extra ``sweep``."""
    return FacilityError(
        "NO_SWEEP_EXTRA",
        where,
        "this needs libraries that are not installed.",
        "Install them: pip install 'facility[sweep]'.",
    )


def _lost(message: str) -> FacilityError:
    return FacilityError(
        "SWEEP_WORKER",
        "sweep",
        message,
        "What was done is kept: run the command again with --resume.",
    )


def _as_done(
    executor: Executor, job: SweepJob, tasks: Iterable[Task], ahead: int
) -> Iterator[SweepRow]:
    """Yield the rows of the tasks as they are done, `ahead` of them handed out at a time."""
    left = iter(tasks)
    waiting: set[Future[SweepRow]] = set()
    try:
        while True:
            for task in islice(left, ahead - len(waiting)):
                waiting.add(executor.submit(run_task, job, task))
            if not waiting:
                return
            done, waiting = wait(waiting, return_when=FIRST_COMPLETED)
            yield from (future.result() for future in done)
    finally:
        for future in waiting:
            future.cancel()
