"""Rendering of workbooks, sequentially or in parallel where safe."""

from __future__ import annotations

import gc
import multiprocessing
import os
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager

from facility.files.workbook.writer import render
from facility.report.sheet.model import Book

Maker = Callable[[], Book]
_PROCESSES = 2
_makers: Sequence[Maker] = ()


@contextmanager
def collector_resting() -> Iterator[None]:
    """Pause the garbage collector while a large book is created or read.

    A book has a million cells without reference cycles; repeated collection takes a third of the
    time.
    """
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def rendered(make: Maker) -> bytes:
    """Return the bytes of the book created by `make`."""
    with collector_resting():
        return render(make())


def all_rendered(makers: Sequence[Maker], *, parallel: bool) -> Iterator[bytes]:
    """Yield the bytes of each book, in order; the bytes do not depend on the number of processes.

    With `parallel`, two forked processes create them where safe; otherwise, or on failure, this
    process creates the rest.
    """
    done = 0
    if parallel and _may_divide():
        try:
            for content in _divided(makers):
                yield content
                done += 1
        except (OSError, BrokenProcessPool):
            pass
    for make in makers[done:]:
        yield rendered(make)


def _may_divide() -> bool:
    """Return whether forking is safe and useful: Linux, one thread, two processors."""
    return (
        sys.platform == "linux"
        and threading.active_count() == 1
        and len(os.sched_getaffinity(0)) >= _PROCESSES
    )


def _divided(makers: Sequence[Maker]) -> Iterator[bytes]:
    """Yield the bytes of each book, created by forked processes."""
    pool = ProcessPoolExecutor(
        _PROCESSES, multiprocessing.get_context("fork"), _take_over, (makers,)
    )
    try:
        yield from pool.map(_render, range(len(makers)))
    finally:
        pool.shutdown(cancel_futures=True)


def _take_over(makers: Sequence[Maker]) -> None:
    global _makers
    _makers = makers
    gc.freeze()


def _render(number: int) -> bytes:
    return rendered(_makers[number])
