"""Saving of a session's edits: in a background thread, in order, with retries.

An edit waits briefly for its save, so that the page usually shows the outcome. Edits that could not
be saved are kept and retried; only the user can discard them. This module uses neither widgets nor
Streamlit, because the saving thread belongs to no page.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Literal

from facility.core.errors import FacilityError

Status = Literal["saved", "saving", "failed", "conflict"]

WAIT_S = 0.1
"""Time for which an edit waits for its save before the page continues [s]."""
RETRY_S = 5.0
"""Time between a failure and the automatic retry [s]."""
CONFLICT = "STORE_CONFLICT"

Step = Callable[[], None]


class Saver:
    """The unsaved edits of one session, and the error that prevents saving."""

    def __init__(self) -> None:
        self.error: FacilityError | None = None  # Why the next edit is not saved
        self._steps: list[Step] = []
        self._tried = 0.0
        self._lock = threading.Lock()
        self._idle = threading.Event()
        self._idle.set()

    @property
    def status(self) -> Status:
        """Whether all edits are saved, being saved, failed or in conflict."""
        error = self.error
        if error is not None:
            return "conflict" if error.code == CONFLICT else "failed"
        return "saving" if self._steps else "saved"

    @property
    def count(self) -> int:
        """Number of unsaved edits."""
        return len(self._steps)

    def add(self, step: Step) -> None:
        """Queue an edit for saving; return when it is saved, or after `WAIT_S`."""
        with self._lock:
            self._steps.append(step)
        if self.status != "conflict":
            self.retry()

    def retry_if_due(self) -> None:
        """Retry a failed save after `RETRY_S`."""
        if self.status == "failed" and time.monotonic() - self._tried > RETRY_S:
            self.retry()

    def retry(self) -> None:
        """Save the queued edits; return when all are saved, or after `WAIT_S`."""
        with self._lock:
            starts = self._idle.is_set() and bool(self._steps)
            if starts:
                self._idle.clear()
                self.error = None
        if starts:
            threading.Thread(target=self._work, daemon=True).start()
        self._idle.wait(WAIT_S)

    def drop(self) -> None:
        """Discard the unsaved edits: by user decision, or because they are saved otherwise."""
        with self._lock:
            self._steps.clear()
            self.error = None

    def _work(self) -> None:
        try:
            self._save_all()
        finally:
            with self._lock:
                if (
                    not self._idle.is_set()
                ):  # a program error, which must not leave the status "saving"
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
                    continue  # discarded meanwhile
                if refusal is not None:
                    self.error, self._tried = refusal, time.monotonic()
                    self._idle.set()
                    return
                self._steps.pop(0)


def _defect() -> FacilityError:
    return FacilityError(
        "SAVE_FAILED",
        "store",
        "a program error interrupted saving; the server log has the details.",
        "Download the project file and report the error.",
    )
