"""A worker process, controlled by the server."""

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
"""Limits numerical libraries to one thread, because there is a worker for each core."""
Hear = Callable[["Process", Answer | None], None]
"""Receives each answer of a worker, and None when it has ended."""


class Process:
    """A worker process and its current job."""

    def __init__(self, memory: int, hear: Hear, lane: str = "") -> None:
        """Start the process for the jobs of a lane, or for all jobs without a lane.

        Raises
        ------
        OSError
            If the system cannot start a process.
        """
        self.lane = lane
        self.number = 0  # Number of the current run; 0 if idle
        self.knows: str = ""  # Text of its last project, whose design it has cached
        self._hear = hear
        spool.folder()  # creates the folder, whose path the process inherits
        self._process = subprocess.Popen(
            [sys.executable, "-m", "facility.ui.work", str(memory), lane],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={**os.environ, **dict.fromkeys(_ONE_THREAD, "1")},
            start_new_session=True,  # so that its child processes are ended with it
        )
        self._listener = threading.Thread(target=self._listen, daemon=True)
        self._listener.start()

    @property
    def pid(self) -> int:
        """Process id."""
        return self._process.pid

    def run(self, number: int, key: Key) -> None:
        """Start a run; one at a time."""
        self.number, self.knows = number, key.text
        self._say((number, key))

    def cancel(self) -> None:
        """Cancel the current run, which ends at its next progress report."""
        self._say((self.number, None))

    def kill(self) -> None:
        """Kill the process and its child processes."""
        if hasattr(os, "killpg"):
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self.pid, signal.SIGKILL)
        else:
            self._process.kill()

    def close(self) -> None:
        """Kill the process and wait until it has ended."""
        self.kill()
        self._listener.join()

    @property
    def ended_by(self) -> str:
        """How the process ended, as text."""
        code = self._process.returncode or 0
        return f"signal {-code}" if code < 0 else f"exit code {code}"

    def _say(self, order: Order) -> None:
        with contextlib.suppress(OSError):  # the process has ended; the listener reports it
            send(cast(IO[bytes], self._process.stdin), order)

    def _listen(self) -> None:
        answers = cast(IO[bytes], self._process.stdout)
        with contextlib.suppress(EOFError, OSError):
            while True:
                self._hear(self, cast(Answer, receive(answers)))
        self._process.wait()
        answers.close()
        with contextlib.suppress(OSError):  # the last message may not have been sent
            cast(IO[bytes], self._process.stdin).close()
        self._hear(self, None)
