"""Output folder of an optimisation: all designs, the front, and its project files."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import BinaryIO

from facility.core.errors import FacilityError
from facility.files.io.atomic import write_bytes
from facility.files.io.read_text import read_bytes
from facility.files.project.file import dump_project
from facility.files.sweep.cells import line_of, row_line, types_of
from facility.files.sweep.journal import journal_rows, locked_journal, refuse_others
from facility.model.inputs.document import Project
from facility.study.optimise.problem import OptimisationProblem
from facility.study.optimise.study import Optimum, Terms, search
from facility.study.sweep.row import SweepRow

_WEATHER_BYTES = 64 * 1_048_576
HOLDS = "holds"
DESIGNS = "designs.csv"
_FRONT_FILE = re.compile(r"front-\d+\.yaml", re.ASCII)


def run_to_folder(
    problem: OptimisationProblem,
    folder: Path,
    terms: Terms | None = None,
    progress: Callable[[int], None] | None = None,
    *,
    resume: bool = False,
    force: bool = False,
) -> Optimum:
    """Run the search, write its results into `folder`, and return them.

    ``designs.csv`` receives every design when evaluated, so that an interrupted search can continue
    with `resume`; when complete, it is in search order, independent of the engine. ``front.csv``
    and ``front-N.yaml`` contain the front, with all studies run.

    problem: Optimisation problem.
    folder: Output folder, created if missing.
    terms: Budget, seed and engine.
    progress: Called with the number of designs, including existing ones.
    resume: Keep the designs in the folder and evaluate the others.
    force: Write into a non-empty folder.

    Raises ``FILE_EXISTS``, ``FILE_NOT_WRITTEN``, ``SWEEP_OTHER`` for designs of another search,
    ``SWEEP_BUSY`` while another writes them; or as `search`.
    """
    designs = folder / DESIGNS
    is_new = not (resume and designs.exists())
    _make(folder, force=force or not is_new)
    if is_new:
        write_bytes(designs, line_of(problem.heads).encode(), force=force)
    with locked_journal(designs) as stream:
        known = _known(stream, designs, problem)
        count = len(known)

        def record(row: SweepRow) -> None:
            nonlocal count
            stream.write(row_line(row.cells, problem.heads).encode())
            stream.flush()
            count += 1
            if progress is not None:
                progress(count)

        found = search(problem, terms, record, known)
    lines = [line_of(problem.heads), *(row_line(cells, problem.heads) for cells in found.rows)]
    write_bytes(designs, "".join(lines).encode(), force=True)
    _write_front(found, folder, force=force or resume)
    _bring_weather(problem, [one.project for one in found.front], folder, force=force or resume)
    return found


def _known(stream: BinaryIO, designs: Path, problem: OptimisationProblem) -> dict[str, SweepRow]:
    """Return the designs already in the file, by project hash."""
    job = problem.plan.job
    types = types_of(problem.heads, job.columns)
    found = {}
    for cells in journal_rows(stream, designs, types, problem.paths):
        refuse_others(cells, str(designs), job.studies)
        sha256 = str(cells["project_sha256"])
        found[sha256] = SweepRow(0, sha256, cells)
    return found


def _write_front(found: Optimum, folder: Path, *, force: bool) -> None:
    """Write the front as rows and project files; excess files of an earlier front are removed."""
    lines = [line_of((*found.heads, HOLDS))]
    lines += [
        line_of([*(one.cells.get(head) for head in found.heads), one.holds]) for one in found.front
    ]
    write_bytes(folder / "front.csv", "".join(lines).encode(), force=force)
    names = {f"front-{n}.yaml": one for n, one in enumerate(found.front, 1)}
    for name, one in names.items():
        write_bytes(folder / name, dump_project(one.project).encode(), force=force)
    for old in folder.glob("front-*.yaml"):
        if _FRONT_FILE.fullmatch(old.name) and old.name not in names:
            old.unlink()


def _make(folder: Path, *, force: bool) -> None:
    try:
        folder.mkdir(exist_ok=True)
        holds = any(folder.iterdir())
    except OSError as error:
        message = f"the folder cannot be created: {error.strerror or error}."
        raise FacilityError("FILE_NOT_WRITTEN", str(folder), message) from None
    if holds and not force:
        raise FacilityError(
            "FILE_EXISTS",
            str(folder),
            "the output folder is not empty.",
            "Use --resume to continue, --force to write into it, or another name with --out.",
        )


def _bring_weather(
    problem: OptimisationProblem, projects: list[Project], folder: Path, *, force: bool
) -> None:
    """Copy the weather files of the projects into the folder."""
    for name in sorted({p.site.weather_file for p in projects if p.site.weather_file}):
        target = folder / name
        source = problem.plan.folder / name
        if target.exists() and target.samefile(source):
            continue
        target.parent.mkdir(parents=True, exist_ok=True)
        write_bytes(target, read_bytes(source, _WEATHER_BYTES), force=force)
