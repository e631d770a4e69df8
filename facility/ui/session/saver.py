"""What saves the edits of a session: beside the page, in their order, until they are saved.

An edit waits for its save a moment at most, so that the page usually knows how it went. What could
not be saved is kept and tried again; nothing is thrown away unless the visitor says so. No widgets,
and nothing of Streamlit: the thread that saves belongs to no page.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Literal

from facility.core.errors import FacilityError

Status = Literal["saved", "saving", "failed", "conflict"]

WAIT_S = 0.1
"""How long an edit waits for its save before the page goes on without."""
RETRY_S = 5.0
"""How long after a failure the same is tried again by itself."""
CONFLICT = "STORE_CONFLICT"

Step = Callable[[], None]


class Saver:
    """The edits of one session that are not saved yet, and why."""

    def __init__(self) -> None:
        self.error: FacilityError | None = None  # Why the first of them is not saved
        self._steps: list[Step] = []
        self._tried = 0.0
        self._lock = threading.Lock()
        self._idle = threading.Event()
        self._idle.set()

    @property
    def status(self) -> Status:
        """How the edits stand: all saved, some under way, or refused."""
        error = self.error
        if error is not None:
            return "conflict" if error.code == CONFLICT else "failed"
        return "saving" if self._steps else "saved"

    @property
    def count(self) -> int:
        """Edits that are not saved."""
        return len(self._steps)

    def add(self, step: Step) -> None:
        """Save one more edit, after those that wait; return when it is saved, or after a moment."""
        with self._lock:
            self._steps.append(step)
        if self.status != "conflict":
            self.go_on()

    def go_on_if_due(self) -> None:
        """Try again what failed some seconds ago."""
        if self.status == "failed" and time.monotonic() - self._tried > RETRY_S:
            self.go_on()

    def go_on(self) -> None:
        """Save what waits, and return when all of it is saved, or after a moment."""
        with self._lock:
            starts = self._idle.is_set() and bool(self._steps)
            if starts:
                self._idle.clear()
                self.error = None
        if starts:
            threading.Thread(target=self._work, daemon=True).start()
        self._idle.wait(WAIT_S)

    def drop(self) -> None:
        """Let go of what is not saved: the visitor chose to, or it is saved in another way."""
        with self._lock:
            self._steps.clear()
            self.error = None

    def _work(self) -> None:
        try:
            self._save_all()
        finally:
            with self._lock:
                if not self._idle.is_set():  # a defect, which must not say "saving" for ever
                    self.error, self._tried = _defect(), time.monotonic()
                    self._idle.set()

    def _save_all(self) -> None:
        while True:
            with self._lock:
                if not self._steps:
                    self._idle.set()
                    return
                step = self._steps[0]
            refusal = None
            try:
                step()
            except FacilityError as error:
                refusal = error
            with self._lock:
                if step not in self._steps[:1]:
                    continue  # let go of meanwhile
                if refusal is not None:
                    self.error, self._tried = refusal, time.monotonic()
                    self._idle.set()
                    return
                self._steps.pop(0)


def _defect() -> FacilityError:
    return FacilityError(
        "SAVE_FAILED",
        "store",
        "saving ended with a defect of this program; its log says which.",
        "Download the project file, and report it.",
    )
