"""A sweep run: a worker job whose folder exists as long as the session refers to it."""

from __future__ import annotations

import shutil
import tempfile
import weakref
from pathlib import Path
from typing import cast

from facility.ui.work import runs
from facility.ui.work.runs import Run
from facility.ui.work.sweep import RunOutcome
from facility.ui.work.sweep_request import SweepRequest

_OWNER = "sweep"


class ManyRun:
    """A running or finished sweep of one project; its folder is deleted with it."""

    def __init__(self, text: str, request: SweepRequest) -> None:
        self.text, self.request = text, request
        self.folder = Path(tempfile.mkdtemp(prefix="facility-many-"))
        self._run: Run | None = None
        self._begun = 0
        self._outcome: RunOutcome | None = None
        weakref.finalize(self, shutil.rmtree, self.folder, ignore_errors=True)

    def start(self) -> None:
        """Run the missing designs in a worker process."""
        self._begun += 1  # A resumed sweep is a separate job
        options = (self.request.dumped(), str(self.folder), str(self._begun))
        self._run, self._outcome = runs.ask("sweep", self.text, options, _OWNER), None

    def stop(self) -> None:
        """Stop the run; finished designs are kept."""
        if self._run is not None:
            self._run.stop()

    @property
    def outcome(self) -> RunOutcome | None:
        """Outcome of the run; None while it runs."""
        run = self._run
        if self._outcome is None and run is not None:
            if run.state == "done":
                self._outcome = cast(RunOutcome, run.result())
            elif run.state in ("failed", "cancelled"):
                self._outcome = RunOutcome(error=run.error, stopped=run.error is None)
        return self._outcome

    @property
    def progress(self) -> tuple[int, int]:
        """Number of finished designs and of all designs; 0 of 0 before the first."""
        return (0, 0) if self._run is None else self._run.progress[:2]
