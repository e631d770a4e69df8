"""The request of a sweep: fields with values, sites, samples, studies, objectives and limits."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import TypeVar

from facility.core.errors import FacilityError
from facility.files.sweep.samples import samples_of
from facility.study.optimise.limits import VERDICT, StatedLimit, stated_limit
from facility.study.optimise.variables import DesignVariable, design_variable
from facility.study.sweep.axes import SITE, Axis, axis_of, refuse_too_many
from facility.study.sweep.plan import sites_axis
from facility.study.sweep.studies import USUAL

ROWS, PARQUET = "rows.csv", "rows.parquet"
FRONT = "front"
"""Folder of an optimisation, as written by `facility optimise --out`."""


MAX_DESIGNS = 2000
"""Maximum number of designs in the app; the command line has no such limit."""
_Read = TypeVar("_Read")
_FILE = "file"
_EPW = (".epw", ".epw.gz")


@dataclass(frozen=True)
class SweepRequest:
    """The request of a sweep; `lines` has one field with its values per line."""

    lines: str = ""
    sites: tuple[str, ...] = ()
    samples: str = ""  # Text of a CSV file
    studies: tuple[str, ...] = USUAL
    results: tuple[str, ...] = ()  # Empty: the default results
    best: bool = False  # Optimisation instead of all combinations
    aims: tuple[str, ...] = ()  # Results to minimise
    limits: str = VERDICT  # One per line
    budget: int = 200
    seed: int = 1

    def dumped(self) -> str:
        """Return the request as JSON for another process."""
        return json.dumps(asdict(self))


def request_of(text: str) -> SweepRequest:
    """Return the request from the text of `dumped`."""
    found = json.loads(text)
    tuples = {name: tuple(value) for name, value in found.items() if isinstance(value, list)}
    return SweepRequest(**{**found, **tuples})


def requested_axes(request: SweepRequest) -> list[Axis]:
    """Return the axes of a sweep over all combinations.

    Raises as `axis_of`, `samples_of` and `sites_axis`; ``SWEEP_FILE_IN_APP`` for a field that names
    a file, ``SWEEP_TOO_LARGE``.
    """
    axes = [_plainly(axis_of, line) for line in _lines(request.lines)]
    if request.samples:
        axes.append(samples_of(request.samples, "samples"))
    if request.sites:
        axes.append(sites_axis(request.sites))
    for axis in axes:
        _refuse_files(axis.paths, axis.rows)
    count = refuse_too_many(axes) if axes else 0
    if count > MAX_DESIGNS:
        raise _too_many(f"{count:,} designs are requested")
    return axes


def requested_variables(request: SweepRequest) -> list[DesignVariable]:
    """Return the design variables of an optimisation.

    Raises as `design_variable`; ``SWEEP_FILE_IN_APP``, ``SWEEP_TOO_LARGE``.
    """
    found = [_plainly(design_variable, line) for line in _lines(request.lines)]
    for one in found:
        _refuse_files((one.path,), ((value,) for value in one.values))
    if request.budget > MAX_DESIGNS:
        raise _too_many(f"a budget of {request.budget:,} designs is requested")
    return found


def requested_limits(request: SweepRequest) -> list[StatedLimit]:
    """Return the limits of an optimisation.

    Raises as `stated_limit`.
    """
    return [_plainly(stated_limit, line) for line in _lines(request.limits)]


def design_count(request: SweepRequest) -> int:
    """Return the maximum number of requested designs; 0 if nothing varies.

    Raises as `axes_asked`, `free_asked` and `limits_asked`.
    """
    if request.best:
        requested_limits(request)
        return request.budget if requested_variables(request) and request.aims else 0
    axes = requested_axes(request)
    return refuse_too_many(axes) if axes else 0


def _lines(text: str) -> Iterator[str]:
    return filter(None, map(str.strip, text.splitlines()))


def _plainly(read: Callable[[str], _Read], line: str) -> _Read:
    """Return the value of a line; an error names the location without command-line options."""
    path, equals, values = line.partition("=")
    try:
        return read(f"{path.rstrip()}={values.strip()}" if equals else line)
    except FacilityError as error:
        where = error.where.removeprefix("--vary ").removeprefix("--free ")
        where = where.removeprefix("--subject-to ")
        raise FacilityError(error.code, where, error.message, error.hint) from None


def _refuse_files(paths: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """Reject values that would open a file on the server."""
    named = next((path for path in paths if path.lower().endswith(_FILE)), None)
    if named is None and SITE in paths:
        at = paths.index(SITE)
        named = next((row[at] for row in rows if row[at].lower().endswith(_EPW)), None)
    if named is not None:
        raise FacilityError(
            "SWEEP_FILE_IN_APP",
            named[:80],
            "the app cannot read files in a sweep.",
            "Choose weather stations, or run `facility sweep` in the folder of the files.",
        )


def _too_many(what: str) -> FacilityError:
    return FacilityError(
        "SWEEP_TOO_LARGE",
        "sweep",
        f"{what}; the limit in the app is {MAX_DESIGNS:,}.",
        "Use fewer values or larger steps, or run `facility sweep` on the command line.",
    )


def row_count(samples: str) -> int:
    """Return the number of samples in a CSV file, without the heading."""
    return max(0, sum(1 for line in samples.splitlines() if line.strip()) - 1)
