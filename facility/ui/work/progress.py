"""How far work is, and the request to end it."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple


class RunProgress(NamedTuple):
    """How far a run is; `whole` is 0 where that is not known."""

    done: int = 0
    whole: int = 0
    what: str = ""


class Cancelled(BaseException):
    """A run was asked to end."""


Tell = Callable[[RunProgress], None]
"""Says how far a run is; raises `Cancelled` where it was asked to end."""
