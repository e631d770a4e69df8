"""A worker as the server sees it: started, given work, heard, ended."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from typing import IO, cast

from facility.ui.memory import spool
from facility.ui.work.frames import receive, send
from facility.ui.work.jobs import Key
from facility.ui.work.worker import Answer, Order

_ONE_THREAD = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS")
"""A worker is one of many: libraries in it take no more than its own core."""
Hear = Callable[["Process", Answer | None], None]
"""Told each answer of a worker, and None when it has ended."""


class Process:
    """One worker process, and what it does."""

    def __init__(self, memory: int, hear: Hear, lane: str = "") -> None:
        """Start it, for the work of one of `LANES`, or for all other.

        Raises
        ------
        OSError
            Where the system starts no process.
        """
        self.lane = lane
        self.number = 0  # Of the run that it works on; 0 while it has none
        self.knows: str = ""  # The project that it worked on last, whose design it has
        self._hear = hear
        spool.folder()  # which the process shall find
        self._process = subprocess.Popen(
            [sys.executable, "-m", "facility.ui.work", str(memory), lane],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={**os.environ, **dict.fromkeys(_ONE_THREAD, "1")},
            start_new_session=True,  # which its own processes are of, to be ended with it
        )
        self._listener = threading.Thread(target=self._listen, daemon=True)
        self._listener.start()

    @property
    def pid(self) -> int:
        """Its id in the system."""
        return self._process.pid

    def run(self, number: int, key: Key) -> None:
        """Have it work; one run at a time."""
        self.number, self.knows = number, key.text
        self._say((number, key))

    def cancel(self) -> None:
        """Ask it to end its run, which it does when it next says how far it is."""
        self._say((self.number, None))

    def kill(self) -> None:
        """End it now, with the processes that it started."""
        if hasattr(os, "killpg"):
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self.pid, signal.SIGKILL)
        else:
            self._process.kill()

    def close(self) -> None:
        """End it and wait until it has gone."""
        self.kill()
        self._listener.join()

    @property
    def ended_by(self) -> str:
        """What ended it, in words."""
        code = self._process.returncode or 0
        return f"signal {-code}" if code < 0 else f"exit code {code}"

    def _say(self, order: Order) -> None:
        with contextlib.suppress(OSError):  # it has died: the listener says so
            send(cast(IO[bytes], self._process.stdin), order)

    def _listen(self) -> None:
        answers = cast(IO[bytes], self._process.stdout)
        with contextlib.suppress(EOFError, OSError):
            while True:
                self._hear(self, cast(Answer, receive(answers)))
        self._process.wait()
        answers.close()
        with contextlib.suppress(OSError):  # what it was told last may not have gone through
            cast(IO[bytes], self._process.stdin).close()
        self._hear(self, None)
