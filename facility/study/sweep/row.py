"""One design of a sweep: design, requested studies, and one row of cells."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from facility.core import __version__
from facility.core.check import Severity, counted, merged
from facility.core.errors import FacilityError
from facility.core.reference import reference_sha256
from facility.core.table import Results, Scalar, Value
from facility.core.views import view_unit
from facility.model.inputs.document import Project, read_document
from facility.study.design.design import design
from facility.study.plausible import refuse_impossible
from facility.study.sweep.studies import NOT_RUN, STUDIES, StudyFound

Cell = Scalar | None
Cells = dict[str, Cell]
Type = Literal["text", "number", "flag"]

REFUSED, DEFECT, OK = "refused", "defect", "ok"
STATUS = ("status", "error", "where", "message")
COUNTS = ("violations", "warnings", "not_evaluated")
ORIGIN = ("reference_sha256", "facility_version")
_DEFECT_CODE = 1


@dataclass(frozen=True)
class ResultColumn:
    """A result in a row."""

    key: str
    kind: str  # Quantity kind; empty for text, flags and plain numbers
    type: Type

    @property
    def name(self) -> str:
        """Column heading: key, with unit if any."""
        unit = view_unit(self.kind) if self.kind else ""
        return f"{self.key} [{unit}]" if unit else self.key


def column_of(key: str, value: Value) -> ResultColumn:
    """Return the column of a result."""
    if value.kind:
        return ResultColumn(key, value.kind, "number")
    if isinstance(value.si, bool):
        return ResultColumn(key, "", "flag")
    return ResultColumn(key, "", "text" if isinstance(value.si, str) else "number")


@dataclass(frozen=True)
class Task:
    """One design to be run."""

    number: int  # Row of the sweep, from 1
    sha256: str  # Hash of its project as typed
    document: Mapping[str, object]
    inputs: Mapping[str, str]  # Varied values, by path


@dataclass(frozen=True)
class SweepJob:
    """Common settings of all designs of a sweep."""

    folder: str  # Folder of the project files
    studies: tuple[str, ...]
    columns: tuple[ResultColumn, ...]


@dataclass(frozen=True)
class SweepRow:
    """Result row of one design."""

    number: int
    sha256: str
    cells: Cells  # By heading; None for no value


def study_project(project: Project, studies: Sequence[str]) -> dict[str, StudyFound]:
    """Return the outcomes of the named studies for the design of `project`.

    Raises the errors of the project, and of studies that are not run separately.
    """
    found = design(project)
    return {name: STUDIES[name](found) for name in studies}


def results_of(found: Mapping[str, StudyFound]) -> Results:
    """Return the results of all studies.

    Raises ``IMPOSSIBLE_RESULT``, a defect of the program.
    """
    values: dict[str, Value] = {}
    for one in found.values():
        values |= one.results
    return refuse_impossible(Results(values))


def run_task(job: SweepJob, task: Task) -> SweepRow:
    """Return the row of one design; a failed design has its error code."""
    try:
        project = read_document(task.document, Path(job.folder))
        cells = _studied(job, study_project(project, job.studies))
    except FacilityError as error:
        status = DEFECT if error.exit_code == _DEFECT_CODE else REFUSED
        text = " ".join(error.explanation.split())
        cells = dict(zip(STATUS, (status, error.code, error.where, text), strict=True))
    first: Cells = {"row": task.number, "project_sha256": task.sha256, **task.inputs}
    origin: Cells = dict(zip(ORIGIN, (reference_sha256(), __version__), strict=True))
    return SweepRow(task.number, task.sha256, {**first, **cells, **origin})


def heads(paths: Sequence[str], columns: Sequence[ResultColumn]) -> tuple[str, ...]:
    """Return the column headings of a sweep over `paths`, in order."""
    verdicts = tuple(f"verdict.{name}" for name in STUDIES)
    names = tuple(column.name for column in columns)
    return ("row", "project_sha256", *paths, *STATUS, *COUNTS, *verdicts, *names, *ORIGIN)


def _studied(job: SweepJob, found: Mapping[str, StudyFound]) -> Cells:
    results = results_of(found)
    counts = counted(merged(check for one in found.values() for check in one.checks))
    words = (Severity.VIOLATION, Severity.WARNING, "NOT_EVALUATED")
    verdicts = {
        f"verdict.{name}": (found[name].refusal and f"refused: {found[name].refusal}")
        or found[name].verdict
        if name in found
        else NOT_RUN
        for name in STUDIES
    }
    return {
        **dict.fromkeys(STATUS),
        "status": OK,
        **{head: counts[word] for head, word in zip(COUNTS, words, strict=True)},
        **verdicts,
        **{column.name: _cell(column, results.get(column.key)) for column in job.columns},
    }


def _cell(column: ResultColumn, value: Value | None) -> Cell:
    if value is None:
        return None
    if value.kind != column.kind:
        raise FacilityError(
            "SWEEP_UNIT",
            column.key,
            f"the unit in this design is {view_unit(value.kind) if value.kind else 'none'}; the "
            f"column is {column.name}.",
            "Sweep designs of one currency.",
        )
    return value.in_view()
