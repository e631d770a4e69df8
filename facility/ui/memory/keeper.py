"""Keeps the server within its memory: drops what is beyond it, and gives the memory back."""

from __future__ import annotations

import gc
import math
import threading
import time
from functools import cache

from streamlit.runtime import Runtime

from facility.ui.memory import glibc, painted
from facility.ui.memory.kept import SHELF, is_open, is_served

_WATCH_S = 2.0
_BETWEEN_S = 10.0
_CYCLES_S = 60.0
"""Cycles are looked for no more often: that takes a tenth of a second from all pages, if any are
open."""


def watch() -> None:
    """Watch the memory of this process from now on; without a server nothing is watched."""
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
        more |= SHELF.settle(is_open, _taken(before)) | painted.has_freed()
        now, quiet = time.monotonic(), not _is_any_open()
        if more and (quiet or now - given_back > _BETWEEN_S):
            if quiet or now - looked > _CYCLES_S:
                gc.collect()
                looked, more = now, False
            glibc.give_back()
            given_back = now


def _taken(before: float) -> float:
    """Return the bytes taken since; without bound where the system does not tell them."""
    now = glibc.resident()
    return now - before if math.isfinite(before) and math.isfinite(now) else math.inf


def _is_any_open() -> bool:
    return Runtime.exists() and bool(Runtime.instance()._session_mgr.list_active_sessions())
