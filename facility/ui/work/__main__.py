"""A worker: ``python -m facility.ui.work <bytes of memory> <lane>``, started by the server alone.

It gives way to the server and bounds its memory before it loads anything.
"""

from __future__ import annotations

import signal
import sys

from facility.ui.work.bound import bound

_NICE, _NICE_OF_SWEEPS = 5, 10


def main() -> None:
    """Work for the process that started this one."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    memory, lane = sys.argv[1:]
    bound(int(memory), _NICE_OF_SWEEPS if lane == "sweep" else _NICE)
    from facility.ui.work.worker import work

    work()


if __name__ == "__main__":
    main()
