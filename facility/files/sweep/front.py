"""The folder of an optimisation: every design as it is made, the front, and its project files."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from facility.core.errors import FacilityError
from facility.files.io.atomic import write_bytes
from facility.files.io.read_text import read_bytes
from facility.files.project.file import dump_project
from facility.files.sweep.cells import line_of
from facility.model.inputs.document import Project
from facility.study.optimise.study import Optimum, Quest, search
from facility.study.sweep.row import Row

_WEATHER_BYTES = 64 * 1_048_576
HOLDS = "holds"


def run_to_folder(
    quest: Quest,
    folder: Path,
    asked: tuple[int, int],
    progress: Callable[[int], None] | None = None,
    *,
    force: bool = False,
) -> Optimum:
    """Search, write what comes into `folder`, and return it.

    ``designs.csv`` takes every design when it is made, so that a search that is stopped leaves what
    it had; ``front.csv`` and ``front-N.yaml`` hold the best, each with all studies run.

    Parameters
    ----------
    quest : Quest
        What is looked for.
    folder : Path
        Where to; it is made.
    asked : tuple of int
        Budget and seed.
    progress : callable, optional
        Told how many designs are made.
    force : bool
        Write into a folder that holds something.

    Raises
    ------
    FacilityError
        ``FILE_EXISTS``, ``FILE_NOT_WRITTEN``; or as `search`.
    """
    _make(folder, force=force)
    designs = folder / "designs.csv"
    write_bytes(designs, line_of(quest.heads).encode(), force=force)
    with designs.open("ab") as stream:

        def record(row: Row) -> None:
            stream.write(line_of([row.cells.get(head) for head in quest.heads]).encode())
            stream.flush()
            if progress is not None:
                progress(row.number)

        found = search(quest, *asked, record)
    lines = [line_of((*found.heads, HOLDS))]
    lines += [
        line_of([*(one.cells.get(head) for head in found.heads), one.holds]) for one in found.front
    ]
    write_bytes(folder / "front.csv", "".join(lines).encode(), force=force)
    for n, one in enumerate(found.front, 1):
        write_bytes(folder / f"front-{n}.yaml", dump_project(one.project).encode(), force=force)
    _bring_weather(quest, [one.project for one in found.front], folder, force=force)
    return found


def _make(folder: Path, *, force: bool) -> None:
    try:
        folder.mkdir(exist_ok=True)
        holds = any(folder.iterdir())
    except OSError as error:
        message = f"the folder cannot be made: {error.strerror or error}."
        raise FacilityError("FILE_NOT_WRITTEN", str(folder), message, exit_code=6) from None
    if holds and not force:
        raise FacilityError(
            "FILE_EXISTS",
            str(folder),
            "the folder holds something.",
            "Use --force to write into it, or give --out another name.",
            exit_code=6,
        )


def _bring_weather(quest: Quest, projects: list[Project], folder: Path, *, force: bool) -> None:
    """Copy the weather files that the projects name beside them, where they look for them."""
    for name in sorted({p.site.weather_file for p in projects if p.site.weather_file}):
        target = folder / name
        source = quest.plan.folder / name
        if target.exists() and target.samefile(source):
            continue
        target.parent.mkdir(parents=True, exist_ok=True)
        write_bytes(target, read_bytes(source, _WEATHER_BYTES), force=force)
