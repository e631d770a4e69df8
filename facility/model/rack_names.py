"""Names of many racks or devices, consecutive ones written as a run: ``R01..R50``."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from facility.core.errors import FacilityError

RUN = ".."
MAX_NAMES = 200_000
_NUMBERED = re.compile(r"(.*?)(\d{1,9})\Z", re.DOTALL)
_RUN = re.compile(r"(.*?)(\d{1,9})\.\.(.*?)(\d{1,9})\Z", re.DOTALL)


def runs_of(names: Sequence[str]) -> list[str]:
    """Return names in order, three or more consecutive ones as one run.

    Examples
    --------
    >>> runs_of(["R01", "R02", "R03", "X", "R07"])
    ['R01..R03', 'X', 'R07']
    """
    found: list[str] = []
    run: list[str] = []
    expected = ""
    for name in names:
        if run and name == expected:
            run.append(name)
        else:
            found += _written(run)
            run = [name]
        expected = _next(name)
    return found + _written(run)


def names_of(runs: Iterable[str], where: str = "") -> tuple[str, ...]:
    """Return every name of runs.

    Raises ``LIMIT`` for more than `MAX_NAMES` names.

    Examples
    --------
    >>> names_of(["R09..R11", "X"])
    ('R09', 'R10', 'R11', 'X')
    """
    found: list[str] = []
    for text in runs:
        match = _RUN.match(text)
        if match is None or match[1] != match[3] or int(match[2]) > int(match[4]):
            found.append(text)
            continue
        first, last, width = int(match[2]), int(match[4]), len(match[2])
        if len(found) + last - first >= MAX_NAMES:
            raise FacilityError(
                "LIMIT", where, f"more than {MAX_NAMES:,} names.", "Enter fewer names, or none."
            )
        found += [f"{match[1]}{number:0{width}d}" for number in range(first, last + 1)]
    return tuple(found)


def _next(name: str) -> str:
    """Return the name after `name` in a run; empty without a number at its end."""
    match = _NUMBERED.match(name)
    return f"{match[1]}{int(match[2]) + 1:0{len(match[2])}d}" if match and RUN not in name else ""


def _written(run: Sequence[str]) -> list[str]:
    return [f"{run[0]}{RUN}{run[-1]}"] if len(run) > 2 else list(run)
