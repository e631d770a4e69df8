"""The workers of a server: who waits for what, what is done next, and what is kept of it.

Work that two ask for is done once. What nobody waits for any more is ended: asked to end first, and
killed where it does not. What came is kept packed, the latest within a stated memory.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal

from facility.core.errors import FacilityError
from facility.ui.work.jobs import BESIDE, LANES, JobFound, Key
from facility.ui.work.process import Process
from facility.ui.work.progress import RunProgress
from facility.ui.work.worker import Answer

State = Literal["waiting", "running", "done", "failed", "cancelled"]
KEPT_BYTES = 32 * 2**20
"""Memory for what came of runs, packed: the studies of about 10 projects of 10,000 GPUs."""
KEPT_RUNS = 512
_MOST_TEXTS = 128
_GRACE_S = 0.5
"""A run that nobody waits for is killed where it has not ended by then."""
_START, _NOTHING = RunProgress(), JobFound()
Start = Callable[[Callable[[Process, Answer | None], None], str], Process]
"""Starts a worker of a lane; told who hears it."""


@dataclass(frozen=True)
class Holder:
    """Who waits: a session, and for what of its own (the project, a scenario)."""

    session: str
    place: str = "project"


@dataclass(eq=False)
class Work:
    """One piece of work, shared by all who ask for it."""

    number: int
    key: Key
    state: State = "waiting"
    progress: RunProgress = _START
    found: JobFound = _NOTHING  # What it found; packed where it is whole
    error: FacilityError | None = None
    holders: set[Holder] = field(default_factory=set)

    @property
    def is_over(self) -> bool:
        """Whether nothing more comes of it."""
        return self.state in ("done", "failed", "cancelled")

    @property
    def size(self) -> int:
        """Bytes that are kept of it."""
        found = len(self.found.whole) if isinstance(self.found.whole, bytes) else 0
        return found + self.key.size


class Pool:
    """Workers that are started when there is something to do: so many, and one for each lane."""

    def __init__(self, workers: int, start: Start, kept_bytes: int = KEPT_BYTES) -> None:
        self._most, self._start, self._kept_bytes = workers, start, kept_bytes
        self._lock = threading.RLock()
        self._changed = threading.Condition(self._lock)
        self._works: OrderedDict[Key, Work] = OrderedDict()  # The one asked for last at the end
        self._by_number: dict[int, Work] = {}  # What waits or runs
        self._declined: set[tuple[Holder, Key]] = set()  # Who cancelled what
        self._texts: OrderedDict[Holder, str] = OrderedDict()  # Which those last to ask wait for
        self._processes: list[Process] = []
        self._last, self._held = 0, True

    def ask(self, key: Key, holder: Holder) -> Work:
        """Return the work, new or known; whatever else this holder waited for is let go.

        A holder waits for the work on one text at a time.
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
        """Have a holder wait for nothing but work on this text: there was a newer edit."""
        with self._lock:
            if self._texts.get(holder) == text:
                return
            self._texts[holder] = text
            if len(self._texts) > _MOST_TEXTS:
                self._texts.popitem(last=False)
            self._leave(lambda h, k: h == holder and k.text != text)
            self._declined = {
                (one, of) for one, of in self._declined if one != holder or of.text == text
            }

    def declined(self, key: Key, holder: Holder) -> bool:
        """Return whether this holder cancelled the work, and has not asked for it again since."""
        with self._lock:
            return (holder, key) in self._declined

    def cancel(self, key: Key, holder: Holder) -> None:
        """Have a holder wait no more; the work ends where nobody else waits."""
        with self._lock:
            self._declined.add((holder, key))
            self._leave(lambda h, k: h == holder and k == key)

    def stop(self, work: Work) -> None:
        """Ask work that goes on to end with what it has; what has not begun is cancelled."""
        with self._lock:
            worker = self._worker_of(work)
            if worker is not None:
                worker.cancel()
            elif not work.is_over:
                self._end(work, "cancelled")

    def again(self, key: Key, holder: Holder) -> Work:
        """Ask for work that was cancelled or failed."""
        with self._lock:
            self._declined.discard((holder, key))
            known = self._works.get(key)
            if known is not None and known.state == "failed":
                del self._works[key]
            return self.ask(key, holder)

    def forget(self, session: str) -> None:
        """Let go everything that a session waited for: it is closed."""
        with self._lock:
            self._leave(lambda h, k: h.session == session)
            self._declined = {one for one in self._declined if one[0].session != session}

    @property
    def sessions(self) -> set[str]:
        """The sessions that wait for something, or have cancelled something."""
        with self._lock:
            waiting = {h.session for work in self._by_number.values() for h in work.holders}
            return waiting | {holder.session for holder, _ in self._declined}

    @property
    def kept(self) -> int:
        """Bytes that are kept of what came."""
        with self._lock:
            return sum(work.size for work in self._works.values())

    @property
    def pids(self) -> tuple[int, ...]:
        """Processes of the workers."""
        with self._lock:
            return tuple(process.pid for process in self._processes)

    def wait(self, work: Work, timeout_s: float) -> bool:
        """Wait until nothing more comes of the work; return whether that is so."""
        with self._changed:
            return self._changed.wait_for(lambda: work.is_over, timeout_s)

    def open(self) -> None:
        """Start a first worker, and let the work that waits begin: the first page is painted."""
        with self._lock:
            if self._held:
                self._held = False
                self._hire("")
                self._next()

    def close(self) -> None:
        """End all workers, and whatever they were at."""
        with self._lock:
            self._held = True
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
        """Take holders from unfinished work; end what nobody holds."""
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
        """Give waiting work to workers without any, rather to one that knows the project.

        What a visitor waits for comes before what pages ask for by themselves.
        """
        if self._held:
            return
        waiting = [work for work in self._by_number.values() if work.state == "waiting"]
        for work in sorted(waiting, key=lambda work: work.key.job in BESIDE):
            lane = LANES.get(work.key.job, "")
            idle = [one for one in self._processes if not one.number and one.lane == lane]
            worker = next((one for one in idle if one.knows == work.key.text), None)
            worker = worker or next(iter(idle), None) or self._hire(lane)
            if worker is not None and work.state == "waiting":
                work.state = "running"
                worker.run(work.number, work.key)

    def _hire(self, lane: str) -> Process | None:
        """Start a worker of a lane; None where there are as many as may be, or none can be."""
        there = sum(one.lane == lane for one in self._processes)
        if there >= (1 if lane else self._most):
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
            if work is not None:
                self._came(work, content)
            self._next()

    def _came(self, work: Work, content: JobFound | FacilityError) -> None:
        if isinstance(content, FacilityError):
            work.error = content
            self._end(work, "failed")
            return
        work.found = content
        self._end(work, "done")
        self._forget_oldest()

    def _gone(self, worker: Process) -> None:
        """Say of a worker that died what it was at; another takes its place when there is work."""
        self._processes.remove(worker)
        work = self._by_number.get(worker.number)
        if work is not None:
            work.error = _lost(f"its process ended before it was done ({worker.ended_by}).")
            self._end(work, "failed")
        self._next()

    def _forget_oldest(self) -> None:
        over = [work for work in self._works.values() if work.is_over]
        size = sum(work.size for work in over)
        for count, work in enumerate(over[:-1]):
            if size <= self._kept_bytes and len(over) - count <= KEPT_RUNS:
                return
            size -= work.size
            del self._works[work.key]


def _lost(message: str) -> FacilityError:
    return FacilityError(
        "RUN_LOST",
        "run",
        message,
        "Run it again; if it ends again, the machine may be short of memory: the log of the server "
        "says more.",
    )
