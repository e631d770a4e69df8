"""Rate limit of recorded failures, so that an attacker cannot fill the disk."""

from __future__ import annotations

import time
from threading import Lock

MAX_PER_MINUTE = 10
"""Maximum failures recorded by one process per minute."""
MINUTE_S = 60.0


class FailureLimit:
    """Counter of failures per minute, and of failures above the limit."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._since = -MINUTE_S
        self._count = 0
        self._left_out = 0

    def has_room(self) -> bool:
        """Return whether one more may be recorded; otherwise count it as omitted."""
        now = time.monotonic()
        with self._lock:
            if now - self._since >= MINUTE_S:
                self._since, self._count = now, 0
            self._count += 1
            if self._count > MAX_PER_MINUTE:
                self._left_out += 1
            return self._count <= MAX_PER_MINUTE

    def take(self, *, now: bool = False) -> int:
        """Return and reset the number omitted, once the minute is over or `now`."""
        with self._lock:
            is_over = time.monotonic() - self._since >= MINUTE_S
            if self._count > MAX_PER_MINUTE and not is_over and not now:
                return 0
            left, self._left_out = self._left_out, 0
            return left

    def put_back(self, count: int) -> None:
        """Add back failures that could not be recorded."""
        with self._lock:
            self._left_out += count
