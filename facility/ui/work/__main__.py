"""A worker: ``python -m facility.ui.work <bytes of memory> <lane>``, started only by the server.

It lowers its priority and limits its memory before it imports anything.
"""

from __future__ import annotations

import signal
import sys

from facility.ui.work.bound import bound

_NICE, _NICE_OF_SWEEPS = 5, 10


def main() -> None:
    """Process the jobs of the server that started this process."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    memory, lane = sys.argv[1:]
    bound(int(memory), _NICE_OF_SWEEPS if lane == "sweep" else _NICE)
    from facility.ui.work.worker import work

    work()


if __name__ == "__main__":
    main()
