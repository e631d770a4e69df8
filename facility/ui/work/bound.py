"""Limits of processor time and memory for worker processes."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path

_MIN_MEMORY = 2**30
_CGROUP = Path("/sys/fs/cgroup/memory.max")


def cores() -> int:
    """Return the number of processors available to workers."""
    return max(1, (os.cpu_count() or 1) - 1)


def share() -> int:
    """Return the memory limit of one process in bytes, equal for the server and each worker."""
    return max(_MIN_MEMORY, _memory() // (cores() + 2))


def bound(memory: int, nice: int) -> None:
    """Limit the memory of this process, and lower its priority below the server.

    The limit applies to the address space: an allocation above it fails at once, so that the run
    ends with a reason. Systems without this limit have none. Child processes inherit it.
    """
    if hasattr(os, "nice"):
        os.nice(nice)
    try:
        import resource
    except ImportError:
        return
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    within = memory if hard == resource.RLIM_INFINITY else min(memory, hard)
    with contextlib.suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_AS, (within, hard))


def _memory() -> int:
    """Return the memory of this machine, or the limit of its container, in bytes."""
    try:
        whole = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError, OSError):
        return 0
    stated = _CGROUP.read_text(encoding="ascii").strip() if _CGROUP.is_file() else ""
    return min(whole, int(stated)) if stated.isdigit() else whole
