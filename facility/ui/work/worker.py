"""The main loop of a worker process.

A worker reads its orders from standard input and ends when this is closed, so that no worker
outlives its server.
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
from functools import partial
from typing import IO, cast

from facility.core.errors import FacilityError
from facility.study.design.design import Design
from facility.study.parts import is_known, part_of, take
from facility.study.studies import PARTS
from facility.study.sweep.engine import GC_THRESHOLD
from facility.ui.session.designs import designed, untitled
from facility.ui.work.frames import packed, receive, send
from facility.ui.work.jobs import JobFound, Key, result_of
from facility.ui.work.progress import Cancelled, RunProgress

DESIGNS = 3
"""Cached designs: the current and the previous one, to which users often return, and the current
one without its identification."""
_IDLE_S = 120.0
Order = tuple[int, Key | None]
"""A message of the server: the number of a run and its key, or None to cancel it."""
Answer = tuple[int, RunProgress | JobFound | FacilityError]
"""A message of a worker: the number of a run, and its progress, result or error."""


class Worker:
    """The run loop of a worker process."""

    def __init__(self, orders: IO[bytes], answers: IO[bytes]) -> None:
        self._orders, self._answers = orders, answers
        self._waiting: queue.Queue[tuple[int, Key]] = queue.Queue()
        self._cancelled: set[int] = set()
        self._designs: OrderedDict[str, Design] = OrderedDict()

    def work(self) -> None:
        """Process orders until the server has ended."""
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
        """Wait for an order; a long wait clears the cached designs."""
        try:
            return self._waiting.get(timeout=_IDLE_S)
        except queue.Empty:
            self._designs.clear()
            return self._waiting.get()

    def _listen(self) -> None:
        """Receive orders, including cancellations of the current run."""
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

        found = result_of(self._design_of(key.text), key, tell)
        whole = None if found.whole is None else packed(found.whole)
        send(self._answers, (number, replace(found, whole=whole)))

    def _design_of(self, text: str) -> Callable[[], Design]:
        def design() -> Design:
            found = self._designs.pop(text, None)
            if found is None:
                found = designed(text)
                self._take_studies(found, text)
            self._designs[text] = found
            if len(self._designs) > DESIGNS:
                self._designs.popitem(last=False)
            return found

        return design

    def _take_studies(self, design: Design, text: str) -> None:
        """Take over the studies of a cached design that differs only in its identification."""
        for other, known in self._designs.items():
            if untitled(other) == untitled(text):
                for name in filter(partial(is_known, known), PARTS):
                    take(design, name, part_of(known, name))


def cancelled() -> FacilityError:
    """Return the error of a cancelled run."""
    return FacilityError("RUN_CANCELLED", "run", "the run was cancelled.", "Run it again.")


def out_of_memory() -> FacilityError:
    """Return the error of a run that exceeds the memory limit of a worker."""
    return FacilityError(
        "RUN_MEMORY",
        "run",
        "the run exceeds the memory limit of a worker process.",
        "Run it on the command line, or on a machine with more memory.",
    )


def work() -> None:
    """Process the orders of the parent process; other output goes to the log."""
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    gc.set_threshold(*GC_THRESHOLD)
    with contextlib.suppress(BrokenPipeError):  # the server has ended
        Worker(sys.stdin.buffer, answers).work()
    os._exit(0)
