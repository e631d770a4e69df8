"""A worker: ``python -m facility.ui.work <bytes of memory>``, started by the server alone.

It gives way to the server and bounds its memory before it loads anything.
"""

from __future__ import annotations

import contextlib
import os
import signal
import sys

_NICE = 5


def _bound(memory: int) -> None:
    """Have this process ask for no more memory than it may, and give way to the server.

    The limit holds for addresses, which the system refuses beyond it: the run then ends with a
    reason, where a watched size would be seen too late. Systems without it bound nothing.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(os, "nice"):
        os.nice(_NICE)
    try:
        import resource
    except ImportError:
        return
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    within = memory if hard == resource.RLIM_INFINITY else min(memory, hard)
    with contextlib.suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_AS, (within, hard))


def main() -> None:
    """Work for the process that started this one."""
    _bound(int(sys.argv[1]))
    from facility.ui.work.worker import work

    work()


if __name__ == "__main__":
    main()
