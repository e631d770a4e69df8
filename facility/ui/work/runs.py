"""Work that a page asks for: ``runs.ask("outages")``, and the page goes on.

A run is a handle of this session on work that others may share: what state it is in, how far it is,
what came of it. An edit of the project, and closing the page, let go of what was asked before.
Without a server (in tests), the work is done at once, in the process that asks.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache, partial

from facility.core.check import Check
from facility.core.errors import FacilityError
from facility.ui.memory.kept import is_open, is_served, session_id
from facility.ui.session import state
from facility.ui.work.bound import cores, share
from facility.ui.work.frames import unpacked
from facility.ui.work.jobs import JOBS, Key
from facility.ui.work.pool import Holder, Pool, State, Work
from facility.ui.work.process import Process
from facility.ui.work.progress import RunProgress
from facility.ui.work.worker import cancelled

_LOOK_S, _LOOK_OF_EACH_S = 0.5, 0.15
_ONE = threading.Lock()
_POOL: list[Pool] = []
"""The workers of this server, once they were asked for."""
_WATCH_S = 2.0
_KEPT_HERE = 16
_LONGEST_S = 3600.0


@dataclass(frozen=True)
class Run:
    """A run as the session that asked for it sees it."""

    _work: Work
    _pool: Pool | None  # None where the work was done at once
    _holder: Holder

    @property
    def state(self) -> State:
        """How it stands; cancelled where this session did not want it any more."""
        if self._pool is not None and self._pool.declined(self._work.key, self._holder):
            return "cancelled"
        return self._work.state

    @property
    def progress(self) -> RunProgress:
        """How far it is."""
        return self._work.progress

    @property
    def error(self) -> FacilityError | None:
        """Why it failed; None where it has not."""
        return self._work.error

    @property
    def checks(self) -> tuple[Check, ...]:
        """What it says of the design; nothing before it is done."""
        return self._work.found.checks

    def result(self) -> object:
        """Return all that it found, None where there is nothing more than checks.

        Raises why it failed; ``RUN_CANCELLED`` where it is not done.
        """
        if self._work.error is not None:
            raise self._work.error
        if self._work.state != "done":
            raise cancelled()
        whole = self._work.found.whole
        return unpacked(whole) if isinstance(whole, bytes) else whole

    def cancel(self) -> None:
        """Wait for it no more; it ends where nobody else does."""
        if self._pool is not None:
            self._pool.cancel(self._work.key, self._holder)

    def stop(self) -> None:
        """Have it end with what it has."""
        if self._pool is not None:
            self._pool.stop(self._work)

    def again(self) -> None:
        """Have it asked for again after it was cancelled or failed; `ask` then gives a new run."""
        if self._pool is not None:
            self._pool.again(self._work.key, self._holder)


def ask(
    job: str, text: str | None = None, options: tuple[str, ...] = (), place: str = "project"
) -> Run:
    """Ask for work; what is known or goes on already is not done again.

    job: A name of `facility.ui.work.jobs.JOBS`.
    text: The project, as `dump_project` writes it; that of the session by default.
    options: What else the job is told.
    place: What of the session it is for. Asking for another text for the same place lets go of what
        was asked for there before; a scenario is a place of its own.
    """
    key = Key(job, state.text() if text is None else text, options)
    return _asked(key, Holder(session_id(), place))


def when_asked(job: str, options: tuple[str, ...], place: str) -> Callable[[], object]:
    """Return what does work on the session's project as it is now, once it is called.

    It is called outside of any page, and waits for the work.
    """
    key, holder = Key(job, state.text(), options), Holder(session_id(), place)

    def done() -> object:
        run = _asked(key, holder)
        if run.state == "cancelled":  # and wanted once more
            run.again()
            run = _asked(key, holder)
        if run._pool is not None:
            run._pool.wait(run._work, _LONGEST_S)
        return run.result()

    return done


def _asked(key: Key, holder: Holder) -> Run:
    pool = workers()
    work = _here(key) if pool is None else pool.ask(key, holder)
    return Run(work, pool, holder)


def workers() -> Pool | None:
    """Return the workers of this server; None where there is no server."""
    if not is_served():
        return None
    with _ONE:
        if not _POOL:
            _POOL.append(Pool(cores(), partial(Process, share())))
            threading.Thread(target=_watch, args=(_POOL[0], is_open), daemon=True).start()
        return _POOL[0]


def every_s() -> float:
    """Return how often a page that waits looks how far its runs are: less often where many wait."""
    pool = workers()
    return _LOOK_S if pool is None else max(_LOOK_S, _LOOK_OF_EACH_S * len(pool.sessions))


def painted() -> None:
    """Let work begin: a page has been shown, which the start of a worker would have slowed."""
    pool = workers()
    if pool is not None:
        pool.open()


def _watch(pool: Pool, is_open: Callable[[str], bool]) -> None:
    """Have the pool forget sessions that are closed twice in a row: a browser may come back."""
    away: set[str] = set()
    while True:
        time.sleep(_WATCH_S)
        closed = {session for session in pool.sessions if not is_open(session)}
        for session in closed & away:
            pool.forget(session)
        away = closed


@lru_cache(maxsize=_KEPT_HERE)
def _here(key: Key) -> Work:
    """Do the work in this process, where it has not been done."""
    work = Work(0, key, "done")
    try:
        work.found = JOBS[key.job](lambda: state.designed(key.text), key, lambda _: None)
    except FacilityError as error:
        work.state, work.error = "failed", error
    return work
