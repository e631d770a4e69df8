"""Execution of a sweep: in this process, in worker processes, or on a Dask cluster."""

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

from facility.core import __version__
from facility.core.errors import FacilityError
from facility.core.reference import reference_sha256
from facility.study.sweep.row import ORIGIN, SweepJob, SweepRow, Task, run_task

MAX_JOBS = 256
GC_THRESHOLD = (50_000, 20, 20)
"""As set by the command line: a design has a million small objects, without cycles."""
_QUEUED_PER_WORKER = 4
"""Designs queued per worker, so that no worker waits for this process."""
_ON_A_CLUSTER = 1024
_CONNECT_S = 30


@dataclass(frozen=True)
class Engine:
    """Execution settings of a sweep."""

    jobs: int = 1  # Processes on this machine; 1 for this process only
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
                f"{self.jobs} processes are requested"
                + (" in addition to a cluster." if self.scheduler else "."),
                f"Enter 1 to {MAX_JOBS}, or only the address of a scheduler.",
            )


Make = Callable[[SweepJob, Iterable[Task]], Iterator[SweepRow]]
"""Function that yields the rows of tasks: in order in a single process, otherwise in any order."""


def run_tasks(job: SweepJob, tasks: Iterable[Task], engine: Engine) -> Iterator[SweepRow]:
    """Yield the rows of the tasks: in order in a single process, otherwise in any order.

    Raises the errors of `started`.
    """
    with started(engine) as make:
        yield from make(job, tasks)


@contextmanager
def started(engine: Engine) -> Iterator[Make]:
    """Provide a function that runs designs, reusable within the context.

    Raises ``SWEEP_SCHEDULER``, ``SWEEP_WORKER`` if the workers cannot be used or are lost,
    ``NO_SWEEP_EXTRA``.
    """
    if engine.jobs == 1 and not engine.scheduler:
        yield lambda job, tasks: (run_task(job, task) for task in tasks)
        return
    opened = _cluster(engine.scheduler) if engine.scheduler else _processes(engine.jobs)
    with opened as (executor, queued):
        yield lambda job, tasks: _each_once(_as_done(executor, job, tasks, queued))


def _each_once(rows: Iterable[SweepRow]) -> Iterator[SweepRow]:
    """Yield the rows, each project once, from workers of the same version."""
    seen: set[str] = set()
    for row in rows:
        own = reference_sha256(), __version__
        if tuple(row.cells[head] for head in ORIGIN) != own:
            raise FacilityError(
                "SWEEP_WORKER",
                "--scheduler",
                f"a worker runs facility {row.cells['facility_version']}, or other reference data,"
                f" which differs from this {__version__}.",
                "Install the same facility on every worker.",
            )
        if row.sha256 not in seen:
            seen.add(row.sha256)
            yield row


@contextmanager
def _processes(jobs: int) -> Iterator[tuple[Executor, int]]:
    """Provide worker processes; a keyboard interrupt reaches this process only."""
    executor = ProcessPoolExecutor(jobs, mp_context=get_context("spawn"), initializer=_begin)
    try:
        yield executor, _QUEUED_PER_WORKER * jobs
    except BrokenProcessPool:
        raise _lost("a process was ended by the system, possibly for lack of memory.") from None
    finally:
        executor.shutdown(wait=True, cancel_futures=True)


def _begin() -> None:
    """Prepare a worker: no keyboard interrupt, and rare garbage collection as in a verb."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    gc.set_threshold(*GC_THRESHOLD)


@contextmanager
def _cluster(address: str) -> Iterator[tuple[Executor, int]]:
    """Provide the workers of a Dask cluster; a design whose worker fails is run by another."""
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
            f"no Dask scheduler responds at this address: {reason}.",
            "Enter its address, e.g. tcp://host:8786 or tls://host:8786.",
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
    """Return the error for missing libraries of the extra ``sweep``."""
    return FacilityError(
        "NO_SWEEP_EXTRA",
        where,
        "required libraries are not installed.",
        "Install them: pip install 'facility[sweep]'.",
    )


def _lost(message: str) -> FacilityError:
    return FacilityError(
        "SWEEP_WORKER",
        "sweep",
        message,
        "Completed designs are saved: run the command again with --resume.",
    )


def _as_done(
    executor: Executor, job: SweepJob, tasks: Iterable[Task], queued: int
) -> Iterator[SweepRow]:
    """Yield the rows of the tasks as completed, with `queued` of them queued at a time."""
    left = iter(tasks)
    waiting: set[Future[SweepRow]] = set()
    try:
        while True:
            for task in islice(left, queued - len(waiting)):
                waiting.add(executor.submit(run_task, job, task))
            if not waiting:
                return
            done, waiting = wait(waiting, return_when=FIRST_COMPLETED)
            yield from (future.result() for future in done)
    finally:
        for future in waiting:
            future.cancel()
