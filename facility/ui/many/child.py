"""The process that makes the designs: ``python -m facility.ui.many.child FOLDER``.

It reads what is asked from the folder, writes rows there as they are made, says on its output how
far it is, and ends when nobody reads that any more, or when it is asked to.
"""

from __future__ import annotations

import gc
import json
import signal
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

from facility.core.errors import FacilityError
from facility.files.io.atomic import write_bytes
from facility.files.project.file import parse_project
from facility.files.sweep.cells import parquet_bytes, types_of
from facility.files.sweep.front import DESIGNS, run_to_folder
from facility.files.sweep.journal import held, journal_rows
from facility.files.sweep.store import run_to_file
from facility.model.inputs.document import Project
from facility.report.studies.protocol import Study
from facility.report.studies.sweep import BestDesigns, ManyDesigns
from facility.study.optimise.quest import quest_of
from facility.study.optimise.study import Terms
from facility.study.sweep.engine import GC_THRESHOLD, Engine
from facility.study.sweep.plan import planned
from facility.study.sweep.row import ResultColumn
from facility.ui.many.asked import (
    ASKED,
    FRONT,
    OUTCOME,
    PARQUET,
    PROJECT,
    ROWS,
    Asked,
    asked_of,
    axes_asked,
    free_asked,
    limits_asked,
)
from facility.ui.memory import spool
from facility.ui.work.bound import bound, cores, share

Run = Callable[[], dict[str, object]]
"""Makes the designs; returns what is said of them."""
_MOST_JOBS = 8
_NICE = 10
"""The server and its pages come first."""


@dataclass(frozen=True)
class Rows:
    """What the rows of a run are, and where they are written while it goes on."""

    file: Path
    heads: tuple[str, ...]
    paths: tuple[str, ...]  # What varies
    columns: tuple[ResultColumn, ...]  # Results
    aims: tuple[str, ...] = ()  # Heads of what is made least

    def outcome(self, folder: Path) -> dict[str, object]:
        """Return the rows that are there, and write them as Parquet beside."""
        types = types_of(self.heads, self.columns)
        with held(self.file) as stream:
            rows = journal_rows(stream, self.file, types, self.paths)
        (folder / PARQUET).write_bytes(parquet_bytes(rows, types))
        return {
            "heads": self.heads,
            "rows": [[row[head] for head in self.heads] for row in rows],
            "paths": self.paths,
            "results": [column.name for column in self.columns],
            "aims": self.aims,
        }


def main(folder: Path) -> None:
    """Make the designs that the folder asks for."""
    signal.signal(signal.SIGTERM, _stopped)
    gc.set_threshold(*GC_THRESHOLD)
    bound(share(), _NICE)
    asked = asked_of((folder / ASKED).read_text(encoding="utf-8"))
    outcome: dict[str, object] = {}
    try:
        project = parse_project((folder / PROJECT).read_bytes(), "project", spool.folder())
        rows, run = (_best if asked.best else _every)(project, asked, folder)
        try:
            outcome |= run()
        finally:
            if rows.file.exists():
                outcome |= rows.outcome(folder)
    except FacilityError as error:
        outcome["error"] = error.as_dict()
    except (KeyboardInterrupt, BrokenPipeError):
        outcome["stopped"] = True
    write_bytes(folder / OUTCOME, json.dumps(outcome, allow_nan=False).encode(), force=True)


def _stopped(*_: object) -> NoReturn:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    raise KeyboardInterrupt


def _engine() -> Engine:
    """Return an engine that leaves one processor to the server."""
    return Engine(min(_MOST_JOBS, cores()))


def _tell(done: int, whole: int) -> None:
    sys.stdout.write(f"{done} {whole}\n")
    sys.stdout.flush()


def _every(project: Project, asked: Asked, folder: Path) -> tuple[Rows, Run]:
    """Return how every combination is made."""
    plan, out = planned(project, axes_asked(asked), asked.studies, asked.results), folder / ROWS

    def run() -> dict[str, object]:
        found, _ = run_to_file(plan, out, _engine(), _tell, resume=out.exists())
        return _shown(ManyDesigns(project, found))

    return Rows(out, plan.heads, plan.paths, plan.job.columns), run


def _best(project: Project, asked: Asked, folder: Path) -> tuple[Rows, Run]:
    """Return how the best are looked for."""
    free, limits = free_asked(asked), limits_asked(asked)
    quest = quest_of(project, free, asked.aims, limits, asked.studies)
    terms, out = Terms(asked.budget, asked.seed, _engine()), folder / FRONT

    def run() -> dict[str, object]:
        found = run_to_folder(
            quest, out, terms, lambda made: _tell(made, terms.budget), resume=out.exists()
        )
        front = [one.number for one in found.front if one.holds]
        return {**_shown(BestDesigns(project, found)), "front": front}

    aims = tuple(column.name for column in quest.objectives)
    return Rows(out / DESIGNS, quest.heads, quest.paths, quest.plan.job.columns, aims), run


def _shown(study: Study) -> dict[str, object]:
    """Return what the command line would print of a study."""
    tables = [[one.title, one.heads, list(one.rows), one.below] for one in study.tables("si")]
    return {"opening": list(study.opening()), "tables": tables}


if __name__ == "__main__":
    main(Path(sys.argv[1]))
