"""A run of many designs: a process beside the server, watched until it is over."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tempfile
import threading
import weakref
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from facility.core.errors import FacilityError
from facility.report.sheet.grid import TextTable
from facility.study.sweep.row import Cells
from facility.ui.many.asked import ASKED, ERRORS, OUTCOME, PROJECT, Asked
from facility.ui.memory import spool

_TURN = threading.Lock()
"""One run at a time in the whole app; others wait for it."""
_LAST_WORDS = 400


@dataclass(frozen=True)
class RunOutcome:
    """What came of a run, whole or stopped."""

    heads: tuple[str, ...] = ()
    rows: tuple[Cells, ...] = ()
    paths: tuple[str, ...] = ()  # Heads of what varied
    results: tuple[str, ...] = ()  # Heads of the results
    aims: tuple[str, ...] = ()  # Heads of what was made least
    front: tuple[int, ...] = ()  # Best designs that hold in all studies, by their row
    opening: str = ""
    tables: tuple[TextTable, ...] = ()
    stopped: bool = False
    error: FacilityError | None = None


@dataclass
class _Work:
    """What the thread that watches the process shares with the page."""

    folder: Path
    done: int = 0
    whole: int = 0
    outcome: RunOutcome | None = None
    stopping: bool = False
    running: bool = False
    dropped: bool = False  # Whether nobody wants it any more
    process: subprocess.Popen[str] | None = None
    lock: threading.Lock = field(default_factory=threading.Lock)

    def stop(self) -> None:
        """Ask the process to end; what it made stays."""
        with self.lock:
            self.stopping = True
            if self.process is not None and self.process.poll() is None:
                self.process.terminate()

    def drop(self) -> None:
        """End it for good, and leave nothing."""
        self.stop()
        with self.lock:
            self.dropped = True
            if not self.running:
                shutil.rmtree(self.folder, ignore_errors=True)

    def watch(self) -> None:
        """Run the process in its turn, and read what came of it."""
        try:
            with _TURN:
                self.outcome = self._ran()
        except OSError as error:
            reason = error.strerror or str(error)
            self.outcome = RunOutcome(error=_lost(f"the process could not be run: {reason}."))
        finally:
            with self.lock:
                self.running = False
                if self.dropped:
                    shutil.rmtree(self.folder, ignore_errors=True)

    def _ran(self) -> RunOutcome:
        folder = self.folder
        (folder / OUTCOME).unlink(missing_ok=True)
        with (folder / ERRORS).open("wb") as errors:
            with self.lock:
                if self.stopping:
                    return RunOutcome(stopped=True)
                spool.folder()  # which the process shall find
                self.process = subprocess.Popen(
                    [sys.executable, "-m", "facility.ui.many.child", str(folder)],
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.PIPE,
                    stderr=errors,
                    text=True,
                    encoding="utf-8",
                    start_new_session=True,
                )
            with self.process as process:
                for line in process.stdout or ():
                    done, _, whole = line.partition(" ")
                    self.done, self.whole = int(done), int(whole)
        if not (folder / OUTCOME).exists():
            said = (folder / ERRORS).read_text(encoding="utf-8", errors="replace")
            last = " ".join(said.split())[-_LAST_WORDS:]
            return RunOutcome(
                error=_lost(f"the process ended with code {process.returncode}. {last}")
            )
        return _outcome(json.loads((folder / OUTCOME).read_text(encoding="utf-8")))


class ManyRun:
    """Designs that are made, or were made, of one project; dropped, it ends and leaves nothing."""

    def __init__(self, text: str, asked: Asked) -> None:
        self.text, self.asked = text, asked
        self.folder = Path(tempfile.mkdtemp(prefix="facility-many-"))
        (self.folder / PROJECT).write_text(text, encoding="utf-8")
        (self.folder / ASKED).write_text(asked.dumped(), encoding="utf-8")
        self._work = _Work(self.folder)
        weakref.finalize(self, _Work.drop, self._work)

    def start(self) -> None:
        """Make the designs that are not there yet, beside the page."""
        work = self._work
        work.stopping, work.running, work.outcome = False, True, None
        threading.Thread(target=work.watch, daemon=True).start()

    def stop(self) -> None:
        """End it; what was made stays."""
        self._work.stop()

    @property
    def outcome(self) -> RunOutcome | None:
        """What came of it; None while it runs."""
        return self._work.outcome

    @property
    def progress(self) -> tuple[int, int]:
        """How many designs are made, of how many at most; 0 of 0 before the first."""
        return self._work.done, self._work.whole


def _outcome(said: Mapping[str, object]) -> RunOutcome:
    heads = _texts(said.get("heads"))
    error = said.get("error")
    return RunOutcome(
        heads,
        tuple(_cells(heads, _list(row)) for row in _list(said.get("rows"))),
        _texts(said.get("paths")),
        _texts(said.get("results")),
        _texts(said.get("aims")),
        tuple(number for number in _list(said.get("front")) if isinstance(number, int)),
        "\n".join(_texts(said.get("opening"))),
        tuple(_table(_list(one)) for one in _list(said.get("tables"))),
        stopped=bool(said.get("stopped")),
        error=FacilityError(**error) if isinstance(error, dict) else None,
    )


def _cells(heads: Sequence[str], row: Sequence[object]) -> Cells:
    plain = (cell if isinstance(cell, str | int | float) else None for cell in row)
    return dict(zip(heads, plain, strict=True))


def _table(parts: Sequence[object]) -> TextTable:
    title, heads, rows, below = parts
    return TextTable(str(title), _texts(heads), [_texts(row) for row in _list(rows)], _texts(below))


def _list(found: object) -> list[object]:
    return found if isinstance(found, list) else []


def _texts(found: object) -> tuple[str, ...]:
    return tuple(map(str, _list(found)))


def _lost(message: str) -> FacilityError:
    return FacilityError("SWEEP_WORKER", "sweep", message, "Run it again: what was made is kept.")
