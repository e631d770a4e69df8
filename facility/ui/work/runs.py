"""Background jobs requested by pages: ``runs.ask("outages")`` returns at once.

A run is a handle of this session on a job that others may share: its state, progress and result. An
edit of the project, or closing the page, cancels earlier requests. Without a server (in tests), the
job runs at once in the calling process.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import cast

from facility.core.check import Check
from facility.core.errors import FacilityError
from facility.study.design.design import Design
from facility.ui.memory.cache import is_open, is_served, session_id
from facility.ui.session import designs, state
from facility.ui.work.bound import cores, share
from facility.ui.work.frames import unpacked
from facility.ui.work.jobs import LANES, UNTITLED, Key, result_of
from facility.ui.work.pool import Holder, Pool, State, Work
from facility.ui.work.process import Process
from facility.ui.work.progress import RunProgress
from facility.ui.work.worker import cancelled

_LOOK_S, _LOOK_OF_EACH_S = 0.5, 0.15
_ONE = threading.Lock()
_POOL: list[Pool] = []
"""The worker pool of this server, created on first use."""
_WATCH_S = 2.0
_CACHED_HERE = 16
_LONGEST_S = 3600.0
_USUAL_S: Mapping[str, float] = {
    **{"ranges": 60.0, "cooling methods": 30.0, "set": 30.0, "sheets": 10.0},
    **{"long file": 60.0, "panel proof": 60.0, "scenarios": 10.0},
}
_USUAL_STUDY_S = 5.0
"""Duration of a job before its first run on this server, for 10,000 GPUs [s]."""
PREVIEW = "preview"
"""Owner of what only the displayed place needs, such as sheets: released when it is left."""


@dataclass(frozen=True)
class Run:
    """A run, as seen by the session that requested it."""

    _work: Work
    _pool: Pool | None  # None if the job ran at once
    _holder: Holder

    @property
    def state(self) -> State:
        """State of the run; cancelled if this session cancelled it."""
        if self._pool is not None and self._pool.declined(self._work.key, self._holder):
            return "cancelled"
        return self._work.state

    @property
    def is_over(self) -> bool:
        """Whether the run has ended for this session."""
        return self.state not in ("waiting", "running")

    @property
    def progress(self) -> RunProgress:
        """Progress of the run."""
        return self._work.progress

    @property
    def duration(self) -> str:
        """Time since the run began, and its usual duration: of the last run of its job."""
        job, began_s = self._work.key.job, self._work.began_s
        lasted_s = {} if self._pool is None else self._pool.lasted_s
        usual_s = max(1.0, lasted_s.get(job, _USUAL_S.get(job, _USUAL_STUDY_S)))
        about = "" if job in LANES and LANES[job] == job else f"about {usual_s:,.0f} s"
        if began_s is None:
            return about and f"takes {about}"
        since = f"{time.monotonic() - began_s:,.0f} s"
        return f"{since} of {about}" if about else since

    @property
    def error(self) -> FacilityError | None:
        """Error of the run; None if it has not failed."""
        return self._work.error

    @property
    def checks(self) -> tuple[Check, ...]:
        """Checks of the design; empty until the run is done."""
        return self._work.found.checks

    def wait(self, longest_s: float) -> None:
        """Return when the job has ended, or after this time."""
        if self._pool is not None:
            self._pool.wait(self._work, longest_s)

    def result(self) -> object:
        """Return the complete result; None if there are only checks.

        Raises the error of a failed run; ``RUN_CANCELLED`` if it is not done.
        """
        if self._work.error is not None:
            raise self._work.error
        if self._work.state != "done":
            raise cancelled()
        whole = self._work.found.whole
        return unpacked(whole) if isinstance(whole, bytes) else whole

    def cancel(self) -> None:
        """Cancel the run for this session; the job ends if no other session waits."""
        if self._pool is not None:
            self._pool.cancel(self._work.key, self._holder)

    def stop(self) -> None:
        """Stop the job, which returns its partial result."""
        if self._pool is not None:
            self._pool.stop(self._work)

    def again(self) -> None:
        """Request a cancelled or failed job again; `ask` then returns a new run."""
        if self._pool is not None:
            self._pool.again(self._work.key, self._holder)


def ask(
    job: str, text: str | None = None, options: tuple[str, ...] = (), owner: str = "project"
) -> Run:
    """Request a job; a known or running job is not started again.

    job: A name of `facility.ui.work.jobs.JOBS`.
    text: The project, as written by `dump_project`; by default the session's project.
    options: Further arguments of the job.
    owner: Owner within the session. A request for another text by the same owner cancels its
        earlier requests; each scenario is a separate owner.
    """
    key = Key(job, state.text() if text is None else text, options)
    return _requested(key, Holder(session_id(), owner))


def release(owner: str) -> None:
    """Cancel the unfinished jobs of an owner, unless other sessions wait for them."""
    pool = workers()
    if pool is not None:
        pool.let_go(Holder(session_id(), owner), "")


def on_request(
    job: str, options: tuple[str, ...], owner: str, text: Callable[[], str] | None = None
) -> Callable[[], object]:
    """Return a function that runs a job on the current project and waits for its result.

    The function is called outside of any page. `text` returns another project; it is called there.
    """
    now, holder = state.text(), Holder(session_id(), owner)

    def done() -> object:
        key = Key(job, now if text is None else text(), options)
        run = _requested(key, holder)
        if run.state == "cancelled":  # requested again
            run.again()
            run = _requested(key, holder)
        run.wait(_LONGEST_S)
        return run.result()

    return done


def _requested(key: Key, holder: Holder) -> Run:
    pool = workers()
    if pool is None:
        return Run(_here(key), pool, holder)
    if key.job in UNTITLED:
        key = key._replace(text=designs.untitled(key.text))
    return Run(pool.ask(key, holder), pool, holder)


def workers() -> Pool | None:
    """Return the worker pool of this server; None without a server."""
    if not is_served():
        return None
    with _ONE:
        if not _POOL:
            _POOL.append(Pool(cores(), partial(Process, share())))
            threading.Thread(target=_watch, args=(_POOL[0], is_open), daemon=True).start()
        return _POOL[0]


def prepare() -> None:
    """Start the first worker of this server, with lower priority than its pages.

    A separate worker makes the designs: in the server, a design would delay the pages of all.
    """
    pool = workers()
    if pool is not None:
        pool.prepare()
        designs.let_make(_design_in_worker)


def _design_in_worker(text: str) -> Design:
    """Return a design from its worker; created here until the worker has started."""
    pool, key = workers(), Key("design", text)
    run = _requested(key, Holder(session_id(), "design"))
    if pool is None or not pool.has_started(LANES[key.job]):
        return designs.designed(text)
    run.wait(_LONGEST_S)
    if run.state == "cancelled":  # The session has closed, or has requested another
        return designs.designed(text)
    return cast(Design, run.result())


def every_s() -> float:
    """Return the refresh interval of a waiting page [s]; longer if many sessions wait."""
    pool = workers()
    return _LOOK_S if pool is None else max(_LOOK_S, _LOOK_OF_EACH_S * len(pool.sessions))


def painted() -> None:
    """Start the workers after the first page is displayed, which they would have delayed."""
    pool = workers()
    if pool is not None:
        pool.open()


def _watch(pool: Pool, is_open: Callable[[str], bool]) -> None:
    """Remove sessions from the pool that are closed in two checks; a browser may reconnect."""
    away: set[str] = set()
    while True:
        time.sleep(_WATCH_S)
        closed = {session for session in pool.sessions if not is_open(session)}
        for session in closed & away:
            pool.forget(session)
        away = closed


@lru_cache(maxsize=_CACHED_HERE)
def _here(key: Key) -> Work:
    """Run the job in this process, with a cache."""
    work = Work(0, key, "done")
    try:
        work.found = result_of(lambda: state.designed(key.text), key, lambda _: None)
    except FacilityError as error:
        work.state, work.error = "failed", error
    return work
