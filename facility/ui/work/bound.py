"""What a process beside the server may take of the machine."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path

_LEAST = 2**30
_CGROUP = Path("/sys/fs/cgroup/memory.max")


def cores() -> int:
    """Return the processors that are left for work beside the pages."""
    return max(1, (os.cpu_count() or 1) - 1)


def share() -> int:
    """Return the memory that one process may take, in bytes: the server and each core's alike."""
    return max(_LEAST, _memory() // (cores() + 2))


def bound(memory: int, nice: int) -> None:
    """Have this process ask for no more memory than it may, and give way to the server.

    The limit holds for addresses, which the system refuses beyond it: the run then ends with a
    reason, where a watched size would be seen too late. Systems without it bound nothing.
    Processes that this one starts are bound alike.
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
    """Return the memory of this machine, or what its container may take of it, in bytes."""
    try:
        whole = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError, OSError):
        return 0
    stated = _CGROUP.read_text(encoding="ascii").strip() if _CGROUP.is_file() else ""
    return min(whole, int(stated)) if stated.isdigit() else whole
