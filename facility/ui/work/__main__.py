"""A worker: ``python -m facility.ui.work <bytes of memory> <lane>``, started only by the server.

It lowers its priority, except for designs, and limits its memory before it imports anything.
"""

from __future__ import annotations

import signal
import sys

from facility.ui.work.bound import bound

_NICE = {"design": 0, "sweep": 15}
_NICE_OF_OTHERS = 5


def main() -> None:
    """Process the jobs of the server that started this process."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    memory, lane = sys.argv[1:]
    bound(int(memory), _NICE.get(lane, _NICE_OF_OTHERS))
    from facility.ui.work.worker import work

    work()


if __name__ == "__main__":
    main()
