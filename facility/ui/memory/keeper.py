"""Keeps the server within its memory: drops what is beyond it, and gives the memory back."""

from __future__ import annotations

import ctypes
import gc
import sys
import threading
import time
from functools import cache

from streamlit.runtime import Runtime

from facility.ui.memory.kept import SHELF

_WATCH_S = 2.0
_BETWEEN_S = 10.0
_CYCLES_S = 60.0
"""Cycles are looked for no more often: that takes a tenth of a second from all pages."""


def watch() -> None:
    """Watch the memory of this process from now on; without a server nothing is watched."""
    # A test has a double of the server, which is no server.
    if type(Runtime._instance) is Runtime:
        _watched()


@cache
def _watched() -> None:
    threading.Thread(target=_watch, daemon=True).start()


def _watch() -> None:
    looked = given_back = time.monotonic()
    more = False
    while True:
        time.sleep(_WATCH_S)
        more |= SHELF.settle(_is_open)
        now = time.monotonic()
        if more and now - given_back > _BETWEEN_S:
            if now - looked > _CYCLES_S:
                gc.collect()
                looked, more = now, False
            _give_back()
            given_back = now


def _is_open(session: str) -> bool:
    return Runtime.exists() and Runtime.instance().is_active_session(session)


def _give_back() -> None:
    """Give what is free back to the system.

    glibc keeps the free parts of its arenas, one for each thread that ran a page: after a design
    of 10,000 GPUs with its studies 25 MB. Other libraries of C have no such call.
    """
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None) if sys.platform == "linux" else None
    if trim is not None:
        trim(0)
