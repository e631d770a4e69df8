"""Memory monitor of the server: evicts cached designs, and returns free memory to the system."""

from __future__ import annotations

import gc
import math
import threading
import time
from functools import cache

from streamlit.runtime import Runtime

from facility.ui.memory import glibc, painted
from facility.ui.memory.cache import CACHE, is_open, is_served

_WATCH_S = 2.0
_BETWEEN_S = 10.0
_CYCLES_S = 60.0
"""Minimum interval of garbage collection while pages are open: it blocks them for 0.1 s."""


def watch() -> None:
    """Start the memory monitor of this process; no effect without a server."""
    if is_served():
        _watched()


@cache
def _watched() -> None:
    threading.Thread(target=_watch, daemon=True).start()


def _watch() -> None:
    looked = given_back = time.monotonic()
    before = glibc.resident()
    more = False
    while True:
        time.sleep(_WATCH_S)
        more |= CACHE.settle(is_open, _taken(before)) | painted.has_freed()
        now, quiet = time.monotonic(), not _is_any_open()
        if more and (quiet or now - given_back > _BETWEEN_S):
            if quiet or now - looked > _CYCLES_S:
                gc.collect()
                looked, more = now, False
            glibc.give_back()
            given_back = now


def _taken(before: float) -> float:
    """Return the memory allocated since `before` in bytes; infinity if unknown."""
    now = glibc.resident()
    return now - before if math.isfinite(before) and math.isfinite(now) else math.inf


def _is_any_open() -> bool:
    return Runtime.exists() and bool(Runtime.instance()._session_mgr.list_active_sessions())
