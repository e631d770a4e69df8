"""Cases of a measured year of load: units, steps, days, the row that is not accepted."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterable
from pathlib import Path
from types import SimpleNamespace

import numpy as np

from facility.catalogue.series import LOAD, TimeSeries, read_series
from facility.core.errors import FacilityError
from facility.study.annual.figures import carbon_rate
from facility.study.annual.hours import Hours
from tests.hand.registry import case


def _file(heading: str, rows: Iterable[str]) -> TimeSeries:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "load.csv"
        path.write_text("\n".join([heading, *rows]) + "\n")
        return read_series(path, LOAD)


def _refused_at(heading: str, rows: Iterable[str]) -> float:
    """Return the row of the file that the message names."""
    try:
        _file(heading, rows)
    except FacilityError as error:
        found = re.search(r"row (\d+)", error.where)
        return float(found[1]) if found is not None else -1.0
    return 0.0


def _stamps(count: int, minutes: int) -> list[str]:
    begin = np.datetime64("2025-01-01T00:00")
    return [str(begin + np.timedelta64(minutes * n, "m")) for n in range(count)]


@case("measured-load-in-percent")
def _() -> float:
    """Hour 1 at 80 %, the others at 50 %."""
    found = _file("hour,load_percent", (f"{n},{80 if n == 1 else 50}" for n in range(1, 8761)))
    assert not found.in_watts
    return float(found.values.mean())


@case("measured-load-in-kilowatts")
def _() -> float:
    found = _file("load_kw,hour", (f"12.5,{n}" for n in range(1, 8761)))
    assert found.in_watts
    return float(found.values[-1])


@case("measured-half-hours-by-their-end")
def _() -> float:
    return float(_file("hour,load_fraction", (f"{0.5 * n},1" for n in range(1, 17521))).step_s)


@case("measured-quarters-by-their-beginning")
def _() -> float:
    found = _file("timestamp,load_mw", (f"{one},2" for one in _stamps(35040, 15)))
    assert found.values[0] == 2e6
    return float(found.step_s)


@case("measured-days-of-a-leap-year")
def _() -> float:
    return float(_file("hour,load_fraction", (f"{n},0.4" for n in range(1, 8785))).days)


@case("measured-first-day-of-the-week")
def _() -> float:
    found = _file("timestamp,load_fraction", (f"{one},1" for one in _stamps(8760, 60)))
    return float(-1 if found.first_day is None else found.first_day)


@case("measured-hour-that-is-missing")
def _() -> float:
    """Of 10, 20, ... kW the hour of 50:00, 510 kW, is missing: the mean of its neighbors."""
    rows = [f"{stamp},{10 * n + 10}" for n, stamp in enumerate(_stamps(8760, 60))]
    found = _file("timestamp,load_kw", rows[:50] + rows[51:])
    assert "1 h in 1 gap" in found.notes[0]
    return float(found.values[50])


@case("measured-load-below-zero")
def _() -> float:
    """Below an empty row 4: hour 7 is in row 9."""
    rows = [f"{n},{-1 if n == 7 else 1}" for n in range(1, 8761)]
    return _refused_at("hour,load_kw", [*rows[:2], "", *rows[2:]])


@case("measured-year-that-is-short")
def _() -> float:
    """Of 364 days the last row is named: 8,736 hours below a heading."""
    return _refused_at("hour,load_kw", (f"{n},1" for n in range(1, 8737)))


@case("carbon-of-an-hour-in-halves")
def _() -> float:
    """Hours of 100 and 300 g/kWh in turn, half hours of 1, 1, 2 and 4 MW: kg/h, the mean."""
    hours = Hours(None, np.ones(48, dtype=np.int64), 1800.0)  # type: ignore[arg-type]
    year = SimpleNamespace(hours=hours, facility_w=np.array([1e6, 1e6, 2e6, 4e6] * 12))
    site = SimpleNamespace(
        hourly_carbon=SimpleNamespace(kg_per_j=np.array([0.1, 0.3] * 12) / 3.6e6)
    )
    rate = carbon_rate(year, site)  # type: ignore[arg-type]
    assert rate is not None
    return float(rate.mean()) * 3600.0
