"""What a worker process does, one run after another, until its server has gone.

It reads what to do from its standard input and ends with it, so that no worker outlives its
server, however that ended.
"""

from __future__ import annotations

import contextlib
import gc
import multiprocessing
import os
import queue
import sys
import threading
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import replace
from typing import IO, cast

from facility.core.errors import FacilityError
from facility.study.design.design import Design
from facility.study.sweep.engine import GC_THRESHOLD
from facility.ui.session.designs import designed
from facility.ui.work.frames import packed, receive, send
from facility.ui.work.jobs import JOBS, JobFound, Key
from facility.ui.work.progress import Cancelled, RunProgress

DESIGNS = 2
"""Designs that a worker keeps: the one at work, and the one before it, to which people go back."""
_IDLE_S = 120.0
Order = tuple[int, Key | None]
"""What the server says: the number of a run and its work, or None to end it."""
Answer = tuple[int, RunProgress | JobFound | FacilityError]
"""What a worker says: the number of a run, and how far it is, what came, or why nothing did."""


class Worker:
    """What one process does, one run after another."""

    def __init__(self, orders: IO[bytes], answers: IO[bytes]) -> None:
        self._orders, self._answers = orders, answers
        self._waiting: queue.Queue[tuple[int, Key]] = queue.Queue()
        self._cancelled: set[int] = set()
        self._designs: OrderedDict[str, Design] = OrderedDict()

    def work(self) -> None:
        """Do what is ordered until the server has gone."""
        threading.Thread(target=self._listen, daemon=True).start()
        while True:
            number, key = self._next()
            try:
                self._run(number, key)
            except Cancelled:
                send(self._answers, (number, cancelled()))
            except FacilityError as error:
                send(self._answers, (number, error))
            except MemoryError:
                self._designs.clear()
                send(self._answers, (number, out_of_memory()))

    def _next(self) -> tuple[int, Key]:
        """Wait for an order; whoever waits long keeps no designs."""
        try:
            return self._waiting.get(timeout=_IDLE_S)
        except queue.Empty:
            self._designs.clear()
            return self._waiting.get()

    def _listen(self) -> None:
        """Take orders, also those that end a run that goes on."""
        with contextlib.suppress(EOFError, OSError):
            while True:
                number, key = cast(Order, receive(self._orders))
                if key is None:
                    self._cancelled.add(number)
                else:
                    self._waiting.put((number, key))
        for process in multiprocessing.active_children():  # of a sweep
            process.kill()
        os._exit(0)

    def _run(self, number: int, key: Key) -> None:
        def tell(progress: RunProgress) -> None:
            if number in self._cancelled:
                raise Cancelled
            send(self._answers, (number, progress))

        found = JOBS[key.job](self._design_of(key.text), key, tell)
        whole = None if found.whole is None else packed(found.whole)
        send(self._answers, (number, replace(found, whole=whole)))

    def _design_of(self, text: str) -> Callable[[], Design]:
        def design() -> Design:
            found = self._designs.pop(text, None) or designed(text)
            self._designs[text] = found
            if len(self._designs) > DESIGNS:
                self._designs.popitem(last=False)
            return found

        return design


def cancelled() -> FacilityError:
    """Return the refusal of a run that was ended before it was done."""
    return FacilityError("RUN_CANCELLED", "run", "it has been cancelled.", "Run it again.")


def out_of_memory() -> FacilityError:
    """Return the refusal of a run that needs more memory than a worker may take."""
    return FacilityError(
        "RUN_MEMORY",
        "run",
        "it needs more memory than a worker process of this server may take.",
        "Run it by the command line, or on a machine with more memory.",
    )


def work() -> None:
    """Work for the process that started this one; what else is printed goes to its log."""
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    gc.set_threshold(*GC_THRESHOLD)
    with contextlib.suppress(BrokenPipeError):  # the server has gone
        Worker(sys.stdin.buffer, answers).work()
    os._exit(0)
