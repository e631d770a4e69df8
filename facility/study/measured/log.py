"""IT and facility power of a meter log, hour by hour."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from facility.catalogue.series import (
    DRY_BULB,
    FACILITY_POWER,
    IT_POWER,
    Reading,
    TimeSeries,
    headings_of,
    in_steps,
    read_series,
)
from facility.core.errors import FacilityError
from facility.core.kinds import FloatArray
from facility.model.load_profile import SeriesFacts
from facility.study.resolve.series import facts_of

_IT = re.compile(r"\b(usv\w*|it|itl|ict|ups output|pdu|racks?|servers?)\b")
_FACILITY = re.compile(
    r"\b(facility|total|utility|grid|mains?|site|incom\w+|intake|meter"
    r"|gesamt\w*|netzbezug|totale|totaal)\b"
)
_WHOLE = 1.0 - 1e-9


@dataclass(frozen=True)
class LogColumns:
    """Headings of a meter log; empty to find a column by its words.

    Several headings of IT power or facility power are added.
    """

    it: str | tuple[str, ...] = ""
    facility: str | tuple[str, ...] = ""
    dry_bulb: str = ""


@dataclass(frozen=True, eq=False)
class MeterLog:
    """A year of readings in the steps of the weather record."""

    it_w: FloatArray
    facility_w: FloatArray
    dry_bulb_c: FloatArray | None
    known: NDArray[np.bool_]  # Steps with all readings
    facts: dict[str, SeriesFacts]  # By heading
    digest: str
    columns: dict[str, tuple[str, ...]]  # Headings added to IT power and facility power
    it: tuple[TimeSeries, ...]  # Each meter of IT power in its own steps


def read_log(
    path: Path, columns: LogColumns, reading: Reading, number: int, step_s: int
) -> MeterLog:
    """Return the readings of a meter log in `number` steps of `step_s`.

    Gaps over 6 h are left out unless the reading states another treatment.

    Raises ``METER_*`` and ``SERIES_*`` for a file that cannot be used.
    """
    if not reading.gaps:
        reading = replace(reading, gaps="leave_out")
    names = _headings(path, columns, reading.time)
    roles = {"it": IT_POWER, "facility": FACILITY_POWER, "dry_bulb": DRY_BULB}
    found: list[tuple[str, TimeSeries]] = [
        (key, read_series(path, roles[key], replace(reading, column=name)))
        for key, headings in names.items()
        for name in headings
    ]
    known = np.ones(number, dtype=bool)
    values = dict[str, FloatArray]()
    for key, series in found:
        mean, _ = in_steps(series.values, series.step_s, number, step_s)
        values[key] = values[key] + mean if key in values else mean
        part, _ = in_steps(series.measured.astype(float), series.step_s, number, step_s)
        known &= part > _WHOLE
    return MeterLog(
        values["it"],
        values["facility"],
        values.get("dry_bulb"),
        known,
        {series.column: facts_of(series) for _, series in found},
        found[0][1].digest,
        {key: tuple(s.column for of, s in found if of == key) for key in ("it", "facility")},
        tuple(series for key, series in found if key == "it"),
    )


def _headings(path: Path, columns: LogColumns, time: str) -> dict[str, tuple[str, ...]]:
    """Return the headings of IT power, facility power and, if present, dry bulb.

    Raises ``METER_COLUMNS`` where headings do not identify them, or one is specified twice.
    """
    powers = headings_of(path, IT_POWER, time)
    stated = {"it": columns.it, "facility": columns.facility}
    found = {
        key: tuple(filter(None, (names,) if isinstance(names, str) else names))
        for key, names in stated.items()
    }
    named_before = [name.lower() for names in found.values() for name in names]
    for name in named_before:
        if named_before.count(name) > 1:
            raise FacilityError(
                "METER_COLUMNS",
                f"meter log: {path.name}",
                f"the column {name[:40]!r} is specified twice.",
                "Specify each column once (--it HEADING, --facility HEADING).",
            )
    others = [name for name in powers if name.lower() not in named_before]
    for key, words in (("it", _IT), ("facility", _FACILITY)):
        if found[key]:
            continue
        named = [name for name in others if words.search(name.lower().replace("_", " "))]
        if len(named) != 1:
            had = ", ".join(repr(name[:40]) for name in powers[:8]) or "none"
            raise FacilityError(
                "METER_COLUMNS",
                f"meter log: {path.name}",
                f"{len(named)} {key.replace('it', 'IT')} power columns among {had}.",
                f"Specify the column (--{key} HEADING), or repeat --{key} to sum several columns.",
            )
        found[key] = (named[0],)
        others.remove(named[0])
    temperatures = headings_of(path, DRY_BULB, time)
    if columns.dry_bulb or len(temperatures) == 1:
        found["dry_bulb"] = (columns.dry_bulb or temperatures[0],)
    return found
