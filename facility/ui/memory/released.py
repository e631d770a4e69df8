"""Free memory of the server, returned to the system by glibc."""

from __future__ import annotations

import ctypes
import gc
import sys
import threading
import time
from collections.abc import Callable
from functools import cache

from streamlit.runtime import Runtime

from facility.ui.memory.cache import CACHE, is_open, is_served

_ARENA_MAX, _MMAP_THRESHOLD, _TRIM_THRESHOLD = -8, -3, -1
"""Parameter numbers from ``malloc.h``."""
_ARENAS, _LARGE = 2, 2**17
_EVERY_S = 20.0
"""Interval of garbage collection: it blocks the pages for 0.1 s."""
_RETURNS_S = 30.0
"""Time within which a browser may return to its session."""


def spare() -> None:
    """Limit the free memory that this process retains; call before it starts threads.

    glibc creates an arena for each thread and retains the free parts of all. Two arenas are enough
    for pages that share one interpreter. Arrays above 128 kB are returned to the system at once.
    """
    mallopt = _function("mallopt")
    if mallopt is not None:
        mallopt(_ARENA_MAX, _ARENAS)
        mallopt(_MMAP_THRESHOLD, _LARGE)
        mallopt(_TRIM_THRESHOLD, _LARGE)


@cache
def watch() -> None:
    """Return free memory of this server to the system from now on."""
    if is_served():
        threading.Thread(target=_watch, daemon=True).start()


def _watch() -> None:
    trim, away = _function("malloc_trim"), dict[str, float]()
    while True:
        time.sleep(_EVERY_S)
        _close_sessions(away)
        CACHE.reduce()  # Designs of sessions that have closed
        gc.collect()
        if trim is not None:
            trim(0)


def _close_sessions(away: dict[str, float]) -> None:
    """Close the sessions whose browsers do not return; `away` has the times at which they left.

    Streamlit removes a session that has expired only when another begins or ends, and its widgets
    and fragments hold a design until then.
    """
    for session in CACHE.sessions:
        if is_open(session):
            away.pop(session, None)
        elif time.monotonic() - away.setdefault(session, time.monotonic()) >= _RETURNS_S:
            Runtime.instance().clear_user_info_for_session(session)  # Closes an inactive session
            CACHE.forget(session)
            del away[session]


def _function(name: str) -> Callable[..., int] | None:
    return getattr(ctypes.CDLL(None), name, None) if sys.platform == "linux" else None
