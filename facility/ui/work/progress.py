"""Progress of a job, and its cancellation."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple


class RunProgress(NamedTuple):
    """Progress of a run; `whole` is 0 if unknown."""

    done: int = 0
    whole: int = 0
    what: str = ""


class Cancelled(BaseException):
    """Raised in a run that was cancelled."""


Tell = Callable[[RunProgress], None]
"""Reports the progress of a run; raises `Cancelled` if it was cancelled."""
