"""The worker pool of a server: requests, scheduling and cached results.

Equal requests share one run. A run without waiting sessions is cancelled, and killed if it does not
end. Results are cached compressed, the most recent within a memory limit.
"""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal

from facility.core.errors import FacilityError
from facility.ui.work.jobs import AUTOMATIC, LANES, JobFound, Key
from facility.ui.work.process import Process
from facility.ui.work.progress import RunProgress
from facility.ui.work.worker import Answer

State = Literal["waiting", "running", "done", "failed", "cancelled"]
CACHE_BYTES = 32 * 2**20
"""Memory for compressed results: the studies of about 10 projects of 10,000 GPUs."""
MAX_CACHED_RUNS = 512
_MAX_TEXTS = 128
_GRACE_S = 0.5
"""Time after which a cancelled run is killed if it has not ended [s]."""
_START, _NOTHING = RunProgress(), JobFound()
Start = Callable[[Callable[[Process, Answer | None], None], str], Process]
"""Starts a worker of a lane; receives the listener to its answers."""


@dataclass(frozen=True)
class Holder:
    """The owner of a request: a session, and the part of it (the project, a scenario)."""

    session: str
    owner: str = "project"


@dataclass(eq=False)
class Work:
    """A job, shared by all holders that requested it."""

    number: int
    key: Key
    state: State = "waiting"
    progress: RunProgress = _START
    found: JobFound = _NOTHING  # Result; compressed if it is complete
    error: FacilityError | None = None
    holders: set[Holder] = field(default_factory=set)
    began_s: float | None = None  # When it began to run, on a monotonic clock [s]

    @property
    def is_over(self) -> bool:
        """Whether the job has ended."""
        return self.state in ("done", "failed", "cancelled")

    @property
    def size(self) -> int:
        """Cached size in bytes."""
        found = len(self.found.whole) if isinstance(self.found.whole, bytes) else 0
        return found + self.key.size


class Pool:
    """A pool of workers, started on demand: a maximum number, and one for each lane."""

    def __init__(self, workers: int, start: Start, cache_bytes: int = CACHE_BYTES) -> None:
        self._max_workers, self._start, self._cache_bytes = workers, start, cache_bytes
        self._lock = threading.RLock()
        self._changed = threading.Condition(self._lock)
        self._works: OrderedDict[Key, Work] = OrderedDict()  # In the order of the last request
        self._by_number: dict[int, Work] = {}  # Waiting and running jobs
        self._declined: set[tuple[Holder, Key]] = set()  # Jobs cancelled by a holder
        self._texts: OrderedDict[Holder, str] = (
            OrderedDict()
        )  # Last requested project of each holder
        self._processes: list[Process] = []
        self._started: set[Process] = set()  # Workers that have answered
        self._last, self._closed = 0, True
        self.lasted_s: dict[str, float] = {}  # Duration of the last run of each job [s]

    def ask(self, key: Key, holder: Holder) -> Work:
        """Return the job, new or existing; cancel the holder's jobs on other texts.

        A holder waits for jobs on one text at a time.
        """
        with self._lock:
            self.let_go(holder, key.text)
            known = self._works.get(key)
            if known is not None and known.state != "cancelled":
                self._works.move_to_end(key)
                if (holder, key) not in self._declined:
                    known.holders.add(holder)
                return known
            if known is not None and (holder, key) in self._declined:
                return known
            return self._new(key, holder)

    def let_go(self, holder: Holder, text: str) -> None:
        """Cancel the holder's jobs on other texts, after a newer edit."""
        with self._lock:
            if self._texts.get(holder) == text:
                return
            self._texts[holder] = text
            if len(self._texts) > _MAX_TEXTS:
                self._texts.popitem(last=False)
            self._leave(lambda h, k: h == holder and k.text != text)
            self._declined = {
                (one, of) for one, of in self._declined if one != holder or of.text == text
            }

    def declined(self, key: Key, holder: Holder) -> bool:
        """Return whether this holder cancelled the job, and has not requested it since."""
        with self._lock:
            return (holder, key) in self._declined

    def cancel(self, key: Key, holder: Holder) -> None:
        """Remove a holder from a job; the job ends if no other holder waits."""
        with self._lock:
            self._declined.add((holder, key))
            self._leave(lambda h, k: h == holder and k == key)

    def stop(self, work: Work) -> None:
        """Stop a running job, which returns its partial result; cancel a waiting job."""
        with self._lock:
            worker = self._worker_of(work)
            if worker is not None:
                worker.cancel()
            elif not work.is_over:
                self._end(work, "cancelled")

    def again(self, key: Key, holder: Holder) -> Work:
        """Request a cancelled or failed job again."""
        with self._lock:
            self._declined.discard((holder, key))
            known = self._works.get(key)
            if known is not None and known.state == "failed":
                del self._works[key]
            return self.ask(key, holder)

    def forget(self, session: str) -> None:
        """Remove all requests of a closed session."""
        with self._lock:
            self._leave(lambda h, k: h.session == session)
            self._declined = {one for one in self._declined if one[0].session != session}

    @property
    def sessions(self) -> set[str]:
        """The sessions with waiting or cancelled jobs."""
        with self._lock:
            waiting = {h.session for work in self._by_number.values() for h in work.holders}
            return waiting | {holder.session for holder, _ in self._declined}

    @property
    def cached_bytes(self) -> int:
        """Size of the cached results in bytes."""
        with self._lock:
            return sum(work.size for work in self._works.values())

    @property
    def pids(self) -> tuple[int, ...]:
        """Process ids of the workers."""
        with self._lock:
            return tuple(process.pid for process in self._processes)

    def has_started(self, lane: str) -> bool:
        """Return whether the worker of a lane has answered a request, and runs."""
        with self._lock:
            return any(one.lane == lane for one in self._started)

    def wait(self, work: Work, timeout_s: float) -> bool:
        """Wait until the job has ended; return whether it has."""
        with self._changed:
            return self._changed.wait_for(lambda: work.is_over, timeout_s)

    def prepare(self) -> None:
        """Start the first worker, which loads its program until the first jobs begin."""
        with self._lock:
            if not self._processes:
                self._hire("")

    def open(self) -> None:
        """Start the waiting jobs, after the first page is displayed."""
        with self._lock:
            if self._closed:
                self._closed = False
                self.prepare()
                self._next()

    def close(self) -> None:
        """End all workers and their jobs."""
        with self._lock:
            self._closed = True
            processes, self._processes = self._processes, []
            for work in list(self._by_number.values()):
                self._end(work, "cancelled")
        for process in processes:
            process.close()

    def _new(self, key: Key, holder: Holder) -> Work:
        self._last += 1
        work = Work(self._last, key, holders={holder})
        self._works[key] = self._by_number[work.number] = work
        self._next()
        return work

    def _leave(self, goes: Callable[[Holder, Key], bool]) -> None:
        """Remove holders from unfinished jobs; end jobs without holders."""
        for work in list(self._by_number.values()):
            gone = {holder for holder in work.holders if goes(holder, work.key)}
            if not gone:
                continue
            work.holders -= gone
            if work.holders:
                continue
            worker = self._worker_of(work)
            self._end(work, "cancelled")
            if worker is not None:
                worker.cancel()
                timer = threading.Timer(_GRACE_S, self._kill, (worker, work.number))
                timer.daemon = True
                timer.start()
        self._next()

    def _kill(self, worker: Process, number: int) -> None:
        with self._lock:
            if worker in self._processes and worker.number == number:
                worker.kill()

    def _worker_of(self, work: Work) -> Process | None:
        return next((one for one in self._processes if one.number == work.number), None)

    def _end(self, work: Work, state: State) -> None:
        work.state = state
        self._by_number.pop(work.number, None)
        self._changed.notify_all()

    def _next(self) -> None:
        """Assign waiting jobs to idle workers, preferably to one that has the design.

        Jobs requested by the user have priority over automatic ones.
        """
        if self._closed:
            return
        waiting = [work for work in self._by_number.values() if work.state == "waiting"]
        for work in sorted(waiting, key=lambda work: work.key.job in AUTOMATIC):
            lane = LANES.get(work.key.job, "")
            idle = [one for one in self._processes if not one.number and one.lane == lane]
            worker = next((one for one in idle if one.knows == work.key.text), None)
            worker = worker or next(iter(idle), None) or self._hire(lane)
            if worker is not None and work.state == "waiting":
                work.state, work.began_s = "running", time.monotonic()
                worker.run(work.number, work.key)

    def _hire(self, lane: str) -> Process | None:
        """Start a worker of a lane; None if the maximum is reached or the start fails."""
        there = sum(one.lane == lane for one in self._processes)
        if there >= (1 if lane else self._max_workers):
            return None
        try:
            worker = self._start(self._hear, lane)
        except OSError as error:
            for work in list(self._by_number.values()):
                work.error = _lost(f"no worker process can be started: {error.strerror}.")
                self._end(work, "failed")
            return None
        self._processes.append(worker)
        return worker

    def _hear(self, worker: Process, answer: Answer | None) -> None:
        with self._lock:
            if worker not in self._processes:
                return
            if answer is None:
                self._gone(worker)
                return
            number, content = answer
            work = self._by_number.get(number)
            if isinstance(content, RunProgress):
                if work is not None:
                    work.progress = content
                return
            worker.number = 0
            self._started.add(worker)
            if work is not None:
                self._came(work, content)
            self._next()

    def _came(self, work: Work, content: JobFound | FacilityError) -> None:
        if isinstance(content, FacilityError):
            work.error = content
            self._end(work, "failed")
            return
        work.found = content
        if work.began_s is not None:
            self.lasted_s[work.key.job] = time.monotonic() - work.began_s
        self._end(work, "done")
        self._forget_oldest()

    def _gone(self, worker: Process) -> None:
        """Mark the job of an ended worker as failed; a new worker is started on demand."""
        self._processes.remove(worker)
        self._started.discard(worker)
        work = self._by_number.get(worker.number)
        if work is not None:
            work.error = _lost(
                f"the worker process ended before the run was done ({worker.ended_by})."
            )
            self._end(work, "failed")
        self._next()

    def _forget_oldest(self) -> None:
        over = [work for work in self._works.values() if work.is_over]
        size = sum(work.size for work in over)
        for count, work in enumerate(over[:-1]):
            if size <= self._cache_bytes and len(over) - count <= MAX_CACHED_RUNS:
                return
            size -= work.size
            del self._works[work.key]


def _lost(message: str) -> FacilityError:
    return FacilityError(
        "RUN_LOST",
        "run",
        message,
        "Run it again. If it ends again, the server may be short of memory: see the server log.",
    )
