"""Measured PUE by hour compared with the model, the difference by load, weather and equipment."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

import numpy as np

from facility.catalogue.series import Reading, highest_reading
from facility.core.check import Check
from facility.core.errors import FacilityError
from facility.core.kinds import FloatArray
from facility.core.rounding import ROUNDING
from facility.core.table import Results, ShownByResults
from facility.core.trace import Trace
from facility.core.views import show
from facility.model.facility import Weather
from facility.physics.facility.metrics import annual_power_usage_effectiveness
from facility.study.annual.hours import MONTHS, Hours, hours_of
from facility.study.annual.study import no_weather
from facility.study.figures import Figures
from facility.study.loop import Sized, balance
from facility.study.measured.log import LogColumns, MeterLog, read_log
from facility.study.resolve.series import series_checks
from facility.study.rules import RULES
from facility.study.studies import StudyContext

MAX_BIAS, MAX_SCATTER = 0.10, 0.30
"""Limits of a calibrated hourly model, ASHRAE Guideline 14."""
_ABOVE = 1e-6


@dataclass(frozen=True)
class MeasuredMonth:
    """One month of readings [J], with the PUE measured and modelled; None without IT energy."""

    number: int
    hours: float
    it_j: float
    facility_j: float
    model_j: float

    @property
    def pue(self) -> float | None:
        """Measured PUE."""
        return self.facility_j / self.it_j if self.it_j > 0.0 else None

    @property
    def model_pue(self) -> float | None:
        """PUE of the model at the measured load and weather."""
        return self.model_j / self.it_j if self.it_j > 0.0 else None


@dataclass(frozen=True, eq=False, repr=False)
class MeasuredStudy(ShownByResults):
    """A year of readings compared with the model of the design, in the hours measured."""

    hours: Hours
    log: MeterLog
    it_w: FloatArray  # In the hours measured
    facility_w: FloatArray
    model_w: FloatArray  # Facility power of the model at measured load and weather
    results: Results
    checks: tuple[Check, ...]
    trace: Trace
    title: str

    @cached_property
    def months(self) -> tuple[MeasuredMonth, ...]:
        """The months with readings."""
        hours = self.hours
        count = np.bincount(hours.month, minlength=13) * hours.step_h
        series = (self.it_w, self.facility_w, self.model_w)
        it, facility, model = (hours.by_month(each) for each in series)
        return tuple(
            MeasuredMonth(n, float(count[n]), *(float(x[n - 1]) for x in (it, facility, model)))
            for n in MONTHS
            if count[n]
        )


def measured(
    design: StudyContext,
    file: Path | str,
    *,
    columns: LogColumns | None = None,
    reading: Reading | None = None,
) -> MeasuredStudy:
    """Return the readings of a meter log compared with the model of a design.

    The difference of the PUE is that of the load (measured instead of its profile), of the
    weather (measured dry bulb, if the log has it, instead of the typical year), and of the
    equipment and its operation: the rest. They add up to it.

    Parameters
    ----------
    design : Design
        The design whose equipment is measured.
    file : Path or str
        CSV file with time, IT power and facility power in W, kW, MW, kWh or MWh.
    columns : LogColumns, optional
        Headings, where their words do not identify them.
    reading : Reading, optional
        Time zone, gaps and year where the file is ambiguous.

    Raises
    ------
    FacilityError
        ``WEATHER_SITE`` without a weather year; ``METER_*`` and ``SERIES_*`` for the file.
    """
    record = design.weather_year
    if record is None:
        raise no_weather(design)
    options = replace(reading or Reading(), site_h=record.station.time_zone_h)
    step_s = int(record.step_s)
    log = read_log(Path(file), columns or LogColumns(), options, len(record), step_s)
    hours = hours_of(record, None if log.known.all() else log.known)
    it_w, facility_w = hours.only(log.it_w), hours.only(log.facility_w)
    _refuse_above_design(design, log)
    load, typical = it_w / design.it.it_w, hours.weather
    profile = hours.spread(hours.only(design.facility.load.through_the_year))
    designed = _facility_w(design, typical, profile, hours)
    at_load = _facility_w(design, typical, load, hours)
    model_w = at_load
    if log.dry_bulb_c is not None:
        model_w = _facility_w(design, hours.at_dry_bulb(hours.only(log.dry_bulb_c)), load, hours)
    found = Figures(design.trace.draft())
    energy = {
        "designed": (designed, profile * design.it.it_w),
        "at_load": (at_load, it_w),
        "model": (model_w, it_w),
        "readings": (facility_w, it_w),
    }
    _figures(found, hours, energy, has_weather=log.dry_bulb_c is not None)
    checks = tuple(_checks(found, hours, (it_w, facility_w, model_w), log))
    title = (
        f"{design.facility.site.place}, {hours.whole:,.0f} of {24 * hours.days:,} hours measured "
        f"({Path(file).name[:60]}, SHA-256 {log.digest})"
    )
    results, trace = Results(found.results), found.trace
    return MeasuredStudy(hours, log, it_w, facility_w, model_w, results, checks, trace, title)


def _facility_w(
    design: StudyContext, weather: Weather, load: FloatArray, hours: Hours
) -> FloatArray:
    """Return the facility power of the model in each hour."""
    sized = Sized(design.chain, design.cooling)
    found = balance(design.facility, design.it, sized, weather, load)  # type: ignore[arg-type]
    return hours.spread(found.facility_w)


def _refuse_above_design(design: StudyContext, log: MeterLog) -> None:
    """Reject IT power above the design load, where the model is not defined.

    Raises ``METER_NUMBER`` with row and time of the highest reading; of a spike or a stuck
    register, with the cells to empty.
    """
    it_w = np.where(log.known, log.it_w, 0.0)
    worst = int(np.argmax(it_w))
    if it_w[worst] <= design.it.it_w * (1.0 + _ABOVE):
        return
    readings = []
    for series in log.it:
        steps = len(series.values) / len(it_w)
        first = min(int(worst * steps), len(series.values) - 1)
        last = max(int((worst + 1) * steps), first + 1)
        readings.append((highest_reading(series, first, last), series))
    found, series = max(readings, key=lambda one: (one[0].remedy != "", one[0].value))
    power, limit = show(float(it_w[worst]), "active_power"), show(design.it.it_w, "active_power")
    value = show(found.value, "active_power")
    mean = "" if value == power else f"; the mean of its hour, {power},"
    load = "increase the design IT load (it.basis)"
    raise FacilityError(
        "METER_NUMBER",
        f"meter log: {found.where}, {series.column[:40]}",
        f"{value}{mean} exceeds the design IT load of {limit}.",
        f"{found.remedy} If the reading is correct, {load}."
        if found.remedy
        else f"Check the unit in the heading, or {load}.",
    )


def _figures(
    found: Figures,
    hours: Hours,
    energy: dict[str, tuple[FloatArray, FloatArray]],
    *,
    has_weather: bool,
) -> None:
    """Record energies, the PUE of each case, and the parts of the difference."""
    words = {
        "designed": "model with the project's load profile and weather record",
        "at_load": "model at the measured IT load and the weather record",
        "model": "model at the measured IT load and the measured dry bulb",
        "readings": "meter readings",
    }
    found.note("measured.hours", hours.whole, "count", "hours with complete readings")
    for name, (facility_w, it_w) in energy.items():
        for key, power_w in (("facility", facility_w), ("it", it_w)):
            total_j = hours.total(power_w)
            found.note(f"measured.{key}.{name}", total_j, "energy", words[name])
        found.do(
            f"pue.{name}",
            annual_power_usage_effectiveness,
            words[name],
            facility_j=f"measured.facility.{name}",
            it_j=f"measured.it.{name}",
        )
    value = {name: found.trace.value(f"pue.{name}") for name in energy}
    parts = {
        "load": (value["at_load"] - value["designed"], "measured load instead of the profile"),
        "weather": (
            value["model"] - value["at_load"],
            "measured dry bulb instead of the weather record"
            if has_weather
            else "no dry bulb in the meter log; included in equipment",
        ),
        "equipment": (value["readings"] - value["model"], "equipment, set points and operation"),
    }
    for name, (part, why) in parts.items():
        found.note(f"pue.difference.{name}", part, "ratio", why)
    model_w, facility_w = energy["model"][0], energy["readings"][0]
    mean_w = float(facility_w.mean())
    bias = float((model_w - facility_w).mean()) / mean_w
    scatter = float(np.sqrt(np.mean((model_w - facility_w) ** 2))) / mean_w
    found.note("measured.bias", bias, "fraction", "mean of model minus readings, over mean reading")
    found.note("measured.scatter", scatter, "fraction", "CV(RMSE) of the hourly model")


def _checks(
    found: Figures, hours: Hours, series: tuple[FloatArray, FloatArray, FloatArray], log: MeterLog
) -> Iterator[Check]:
    """Yield the checks of meters, model and readings."""
    it_w, facility_w, model_w = series
    below = facility_w < it_w * (1.0 - ROUNDING)
    why = "facility power is not below IT power in any hour"
    if below.any():
        first = int(np.argmax(below))
        why = (
            f"{hours.count(below):,.0f} h with facility power below IT power, first in hour "
            f"{hours.hour(first):,}: {show(float(facility_w[first]), 'active_power')} below "
            f"{show(float(it_w[first]), 'active_power')}"
        )
    yield RULES["MEASURED-BELOW-IT"].verdict("meters", not below.any(), why)
    worst = int(np.argmax(np.abs(model_w - facility_w)))
    at = (
        f"largest difference in hour {hours.hour(worst):,}: measured "
        f"{show(float(facility_w[worst]), 'active_power')}, model "
        f"{show(float(model_w[worst]), 'active_power')}"
    )
    value = found.trace.value
    bias = abs(value("measured.bias"))
    yield RULES["MEASURED-BIAS"].at_most("facility", bias, MAX_BIAS, "fraction", at)
    scatter = value("measured.scatter")
    yield RULES["MEASURED-SCATTER"].at_most("facility", scatter, MAX_SCATTER, "fraction", at)
    for heading, facts in log.facts.items():
        yield from series_checks(heading[:60], facts)
