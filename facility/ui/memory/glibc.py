"""What the library of C keeps of free memory: little. Other libraries than glibc are left alone."""

from __future__ import annotations

import ctypes
import math
import os
import sys
from collections.abc import Callable
from pathlib import Path

_ARENA_MAX, _MMAP_THRESHOLD, _TRIM_THRESHOLD = -8, -3, -1
"""Parameters as ``malloc.h`` numbers them."""
_STATM = Path("/proc/self/statm")
_ARENAS, _LARGE = 2, 2**17


def spare() -> None:
    """Have this process keep little of what is free; called before it has threads.

    glibc has an arena for each thread that runs a page, and keeps the free parts of all: two do for
    pages that share one interpreter. Arrays of more than 128 kB go back to the system at once.
    """
    mallopt = _function("mallopt")
    if mallopt is not None:
        mallopt(_ARENA_MAX, _ARENAS)
        mallopt(_MMAP_THRESHOLD, _LARGE)
        mallopt(_TRIM_THRESHOLD, _LARGE)


def give_back() -> None:
    """Give what is free back to the system: after a design with its studies 25 MB."""
    trim = _function("malloc_trim")
    if trim is not None:
        trim(0)


def resident() -> float:
    """Return the bytes of memory that this process takes; without bound where none are told."""
    try:
        pages = int(_STATM.read_text().split()[1])
    except OSError:
        return math.inf
    return float(pages * os.sysconf("SC_PAGE_SIZE"))


def _function(name: str) -> Callable[..., int] | None:
    return getattr(ctypes.CDLL(None), name, None) if sys.platform == "linux" else None
