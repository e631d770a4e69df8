"""Plan of a sweep: all designs, validated before the run."""

from __future__ import annotations

import copy
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from facility.catalogue import table
from facility.core.errors import FacilityError, unknown
from facility.core.table import Results
from facility.model.inputs.change import put
from facility.model.inputs.document import (
    Project,
    as_typed,
    document_problems,
    document_sha256,
    project_sha256,
    read_document,
)
from facility.study.sweep.axes import SITE, Axis, refuse_too_many
from facility.study.sweep.row import (
    ResultColumn,
    SweepJob,
    Task,
    column_of,
    heads,
    results_of,
    study_project,
)
from facility.study.sweep.studies import USUAL, studies_named

USUAL_RESULTS = (
    "load.it", "load.facility", "utility.demand_kva", "ups.modules", "generator.count",
    "plant.chiller_count", "pue.design", "pue.annual", "energy.annual", "water.annual",
    "cost.annual", "carbon.annual",
)  # fmt: skip
"""Default results of a row, as far as available."""

BASIS = "cost.lacks"
"""Result with the items missing in a cost of ownership."""
OF_A_BASIS = (
    "cost.ownership", "cost.ownership.low", "cost.ownership.high", "cost.capital", "cost.annuity",
    "cost.depreciation", "cost.it_power", "cost.levelised", "cost.gpu_hour", "cost.training_run",
)  # fmt: skip
"""Results of priced items: comparable only between designs with the same missing items."""

_OF_THE_LOCATION = (
    "place", "country", "latitude", "longitude", "station", "weather_file", "elevation",
    "design_dry_bulb", "design_wet_bulb", "mean_dry_bulb", "mean_wet_bulb", "coldest_dry_bulb",
    "grid_carbon",
)  # fmt: skip
"""Site fields invalid at another location; utility and price are retained as stated."""


@dataclass(frozen=True, eq=False)
class Plan:
    """The designs of a sweep, numbered from 1; the last axis varies fastest."""

    document: Mapping[str, object]  # The project as typed
    folder: Path  # Folder of its files
    axes: tuple[Axis, ...]
    job: SweepJob

    def __len__(self) -> int:
        return math.prod(len(axis.rows) for axis in self.axes)

    @property
    def paths(self) -> tuple[str, ...]:
        """The varied fields."""
        return tuple(path for axis in self.axes for path in axis.paths)

    @cached_property
    def heads(self) -> tuple[str, ...]:
        """Column headings of the rows."""
        return heads(self.paths, self.job.columns)

    def inputs(self, number: int) -> dict[str, str]:
        """Return the varied values of the design with this number, by path."""
        return inputs_of(self.axes, number)

    def task(self, number: int) -> Task:
        """Return the design with this number, valid or not.

        Raises ``SET_INDEX`` if the list index of a value does not exist.
        """
        return self.task_with(number, self.inputs(number))

    def task_with(self, number: int, inputs: Mapping[str, str]) -> Task:
        """Return the design with these values by path, under this number.

        Raises the errors of `task`.
        """
        document = changed(self.document, inputs)
        try:
            sha256 = project_sha256(read_document(document, self.folder))
        except FacilityError:
            sha256 = document_sha256(document)
        return Task(number, sha256, document, inputs)

    def pending(self, done: set[str]) -> Iterator[Task]:
        """Yield the designs whose hashes are not in `done`, each once, and add them to it."""
        for number in range(1, len(self) + 1):
            task = self.task(number)
            if task.sha256 not in done:
                done.add(task.sha256)
                yield task


def planned(
    project: Project,
    axes: Sequence[Axis],
    studies: Sequence[str] = USUAL,
    results: Sequence[str] = (),
) -> Plan:
    """Return the plan of a sweep.

    project: The base project.
    axes: The varied fields.
    studies: Names of the studies run for each design, in addition to the sizing.
    results: Keys of the results in a row; empty for the default ones.

    Raises ``UNKNOWN_FIELD``, ``SET_INDEX`` or ``SET_SYNTAX`` for a path that does not exist,
    ``SWEEP_PATH_TWICE``, ``SWEEP_TOO_LARGE``, ``SWEEP_STUDY``, ``UNKNOWN_RESULT``; the error of the
    designs if no tried design is valid.
    """
    if not axes:
        raise FacilityError(
            "SWEEP_VALUES",
            "--vary",
            "no field is varied.",
            "Specify a path and its values.",
            exit_code=2,
        )
    ordered = tuple(sorted(axes, key=lambda axis: SITE not in axis.paths))
    paths = [path for axis in ordered for path in axis.paths]
    twice = [path for path in paths if paths.count(path) > 1]
    if twice:
        raise FacilityError(
            "SWEEP_PATH_TWICE", twice[0], "this path is varied twice.", "Specify each path once."
        )
    count = refuse_too_many(ordered)
    document, folder = as_typed(project), project.site.folder
    first = changed(document, inputs_of(ordered, 1))
    for problem in document_problems(first):
        if problem.code == "UNKNOWN_FIELD":
            raise problem
    named = studies_named(studies)
    tried = (changed(document, inputs_of(ordered, n)) for n in (1, count, (count + 1) // 2))
    columns = _columns([document, *tried], folder, named, results)
    return Plan(document, folder, ordered, SweepJob(str(folder), named, columns))


def sites_axis(names: Sequence[str]) -> Axis:
    """Return the axis of sites: catalogue stations, or EPW files in the project folder.

    Raises ``UNKNOWN_MODEL`` for a station missing in the catalogue.
    """
    for name in names:
        if not _is_file(name):
            table("weather/stations").get(name, "--sites")
    return Axis((SITE,), tuple((name,) for name in names))


def inputs_of(axes: Sequence[Axis], number: int) -> dict[str, str]:
    """Return the values by path of the design with this number, from 1."""
    found: list[tuple[str, str]] = []
    rest = number - 1
    for axis in reversed(axes):
        rest, index = divmod(rest, len(axis.rows))
        found[:0] = zip(axis.paths, axis.rows[index], strict=True)
    return dict(found)


def changed(document: Mapping[str, object], inputs: Mapping[str, str]) -> dict[str, object]:
    """Return the document with values set at their paths, as by ``--set``.

    Raises ``SET_SYNTAX`` or ``SET_INDEX``.
    """
    found = copy.deepcopy(dict(document))
    for path, value in inputs.items():
        if path == SITE:
            stated = found.get(SITE)
            given = stated.items() if isinstance(stated, dict) else ()
            stays = {name: text for name, text in given if name not in _OF_THE_LOCATION}
            found[SITE] = {**stays, "weather_file" if _is_file(value) else "station": value}
        else:
            put(found, path, value.strip())
    return found


def _is_file(name: str) -> bool:
    return name.lower().endswith((".epw", ".epw.gz"))


def _columns(
    documents: Sequence[Mapping[str, object]],
    folder: Path,
    studies: Sequence[str],
    keys: Sequence[str],
) -> tuple[ResultColumn, ...]:
    """Return the columns of the results, from the first designs that have them."""
    found, refusal = Results(), None
    no_year = "year" not in studies
    usual = [key for key in USUAL_RESULTS if not (no_year and key.endswith(".annual"))]
    for document in documents:
        try:
            more = results_of(study_project(read_document(document, folder), studies))
        except FacilityError as error:
            refusal = refusal or error
            continue
        found = more | found
        if all(key in found for key in keys or usual):
            break
    if refusal is not None and not found:
        raise refusal
    for key in keys:
        if key not in found:
            message = f"no evaluated design has this result in the studies {', '.join(studies)}."
            raise unknown("UNKNOWN_RESULT", f"--results {key[:60]}", message, key, found)
    columns = [*keys] or [key for key in USUAL_RESULTS if key in found]
    if BASIS in found and any(key in OF_A_BASIS for key in columns):
        columns.append(BASIS)
    return tuple(column_of(key, found[key]) for key in dict.fromkeys(columns))
