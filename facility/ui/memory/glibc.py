"""Release of free memory by glibc; no effect with other C libraries."""

from __future__ import annotations

import ctypes
import math
import os
import sys
from collections.abc import Callable
from pathlib import Path

_ARENA_MAX, _MMAP_THRESHOLD, _TRIM_THRESHOLD = -8, -3, -1
"""Parameter numbers from ``malloc.h``."""
_STATM = Path("/proc/self/statm")
_ARENAS, _LARGE = 2, 2**17


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


def give_back() -> None:
    """Return free memory to the system: about 25 MB after a design with its studies."""
    trim = _function("malloc_trim")
    if trim is not None:
        trim(0)


def resident() -> float:
    """Return the resident memory of this process in bytes; infinity if unknown."""
    try:
        pages = int(_STATM.read_text().split()[1])
    except OSError:
        return math.inf
    return float(pages * os.sysconf("SC_PAGE_SIZE"))


def _function(name: str) -> Callable[..., int] | None:
    return getattr(ctypes.CDLL(None), name, None) if sys.platform == "linux" else None
