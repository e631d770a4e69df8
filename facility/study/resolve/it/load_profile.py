"""Annual IT load profile, resolved: flat, by hours of day or week, measured, or training jobs."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from facility.catalogue.series import LOAD, TimeSeries, highest_reading, in_steps, read_series
from facility.catalogue.weather import WeatherYear
from facility.core.errors import FacilityError
from facility.core.kinds import FloatArray
from facility.core.sources import DERIVED, RULE, Source
from facility.core.trace import Trace
from facility.core.views import show
from facility.model.inputs.it import ItSection
from facility.model.inputs.load_profile import DAY_H, LoadProfileSection
from facility.model.load_motion import Job
from facility.model.load_profile import LoadProfile, Training
from facility.power.it.load import ItLoad
from facility.power.it.schedule import Schedule, scheduled_year
from facility.study.resolve.reader import Reader
from facility.study.resolve.series import facts_of, reading_of, words_of

_TRAINING_STUDY = Source("h100-training-power-study", "average of an 8 x H100 node", "", "read")
_AVERAGE_OF_RATING = 0.76
_DATASHEET = ("datasheet_maximum", "component_sum", "nameplate")
_HOURS, _HOUR_S, _DAY_S = 8760, 3600, 86_400
_ROUNDED = 5e-4
"""Tolerance between stated mean and profile mean: both are rounded to 0.1 %."""
_ABOVE = 1e-6
_MIN_MEAN = 0.01
_MIN_APART_S = 60.0
"""Minimum time between checkpoints and between failures, for at most 500,000 per year."""


class YearSteps(NamedTuple):
    """Time steps of a profile year."""

    number: int
    step_s: int

    @staticmethod
    def of(weather: WeatherYear | None) -> YearSteps:
        """Return the steps of a weather record; 8,760 hours without one."""
        return (
            YearSteps(_HOURS, _HOUR_S)
            if weather is None
            else YearSteps(len(weather), int(weather.step_s))
        )

    @property
    def days(self) -> int:
        """Whole days of the year."""
        return self.number * self.step_s // _DAY_S


def resolve_load_profile(
    section: ItSection,
    load: ItLoad,
    folder: Path,
    weather: WeatherYear | None,
    job: Job,
    trace: Trace,
) -> LoadProfile:
    """Return the IT load of the year, and record its mean as ``it.load_factor``.

    folder: Folder of relative file names.
    job: The training job, with powers and times of a training profile.

    Raises ``LOAD_*`` and ``SERIES_*`` for a file that cannot be used; ``CONTRADICTION`` for a
    stated mean different from the profile; ``OUT_OF_RANGE`` for a profile with almost no load.
    """
    stated, steps = section.load_profile or LoadProfileSection.unstated(), YearSteps.of(weather)
    if stated.hours is not None:
        hours = np.array([part.si for part in stated.hours])
        values = in_steps(np.resize(hours, steps.days * DAY_H), _HOUR_S, *steps)[0]
        period = "day" if len(stated.hours) == DAY_H else "week"
        words = f"by the hours of its {period}"
        return _profile("hours", words, values, section, trace)
    if stated.file is not None:
        site_h = None if weather is None else weather.station.time_zone_h
        measured = read_series(folder / stated.file, LOAD, reading_of(stated.reading, site_h))
        values, leap = in_steps(_parts(measured, load), measured.step_s, *steps)
        how = f"{words_of(measured.notes)}{leap}"
        words = f"as measured ({stated.file}, SHA-256 {measured.digest}{how})"
        part, _ = in_steps(measured.measured.astype(float), measured.step_s, *steps)
        known = None if measured.measured.all() else np.asarray(part > 1.0 - _ABOVE)
        profile = _profile("measured", words, values, section, trace, known)
        facts = facts_of(measured)
        return replace(profile, first_day=measured.first_day, facts=facts, measured=known)
    read = Reader(stated, "it.load_profile", trace)
    if stated.is_training:
        return _training(job, steps, section, read)
    read.word("kind", stated.kind)
    mean = Reader(section, "it", trace)("load_factor", *_mean(load.basis))
    return LoadProfile("flat", f"at {mean:.0%} of its load", mean)


def _training(job: Job, steps: YearSteps, section: ItSection, read: Reader) -> LoadProfile:
    """Return the load of consecutive training jobs.

    Raises ``LOAD_SCHEDULE`` for events without time between them, or too frequent to
    simulate.
    """
    share = job.communication_share
    plan = Schedule(
        steps=(1.0 - share) * job.compute + share * job.communication,
        idle=job.idle,
        checkpoint=job.checkpoint,
        busy=read("busy"),
        job_s=read("job_time"),
        ramp_s=read("ramp", job.start_s, "start_ramp of the job", DERIVED),
        checkpoint_every_s=job.checkpoint_every_s,
        checkpoint_s=job.checkpoint_s,
        failure_every_s=job.failure_every_s,
        restart_s=job.restart_s,
        seed=read.section.seed,  # type: ignore[attr-defined]
    )
    _refuse_no_time(plan)
    year = scheduled_year(plan, steps.number, steps.step_s)
    lost = 0.5 * plan.checkpoint_every_s * year.failures / (steps.number * steps.step_s)
    when = "evenly spaced" if plan.seed is None else f"at random, seed {plan.seed}"
    words = f"of training jobs, {year.failures:,} failures {when}"
    found = _profile("training", words, year.values, section, read.trace)
    ran = Training(year.steps, year.failures, year.checkpoints, min(lost, year.steps))
    return replace(found, training=ran)


def _refuse_no_time(plan: Schedule) -> None:
    for name, every_s, lasts_s, what in (
        ("checkpoint_every", plan.checkpoint_every_s, plan.checkpoint_s, "a checkpoint takes"),
        ("failure_every", plan.failure_every_s, plan.restart_s, "a restart takes"),
    ):
        if every_s <= lasts_s or every_s < _MIN_APART_S:
            raise FacilityError(
                "LOAD_SCHEDULE",
                f"it.job.{name}",
                f"{show(every_s, 'time')}, but {what} {show(lasts_s, 'time')}.",
                f"Enter a longer interval, at least {_MIN_APART_S:.0f} s for a full year.",
            )
    if 2.0 * plan.ramp_s > plan.job_s:
        raise FacilityError(
            "LOAD_SCHEDULE",
            "it.load_profile.ramp",
            f"{show(plan.ramp_s, 'time')} up and down exceeds a job of {show(plan.job_s, 'time')}.",
            "Enter a longer job_time, or a shorter ramp.",
        )


def _mean(basis: str) -> tuple[float, str, Source]:
    """Return the mean of the year over basis power, if not specified."""
    if basis in _DATASHEET:
        return (
            _AVERAGE_OF_RATING,
            "annual mean over data-sheet maximum: measured average of a training "
            "node, at most 0.76 of its rating",
            _TRAINING_STUDY,
        )
    return 1.0, f"the {basis} power is assumed as annual mean", RULE


def _profile(
    kind: str,
    words: str,
    values: FloatArray,
    section: ItSection,
    trace: Trace,
    known: NDArray[np.bool_] | None = None,
) -> LoadProfile:
    """Return a profile of these values, with mean equal to the load factor.

    known: Steps that count for the mean; None for all.
    """
    lowest, highest = float(values.min()), float(values.max())
    flat = lowest == highest and known is None
    mean = lowest if flat else float((values if known is None else values[known]).mean())
    if mean < _MIN_MEAN:
        raise FacilityError(
            "OUT_OF_RANGE",
            "it.load_profile",
            f"the mean is {show(mean, 'fraction')} of the design IT load.",
            "Enter a profile with a mean of at least 1 %; PUE is undefined without IT load.",
        )
    given = section.load_factor
    if given is not None and abs(given.si - mean) > _ROUNDED:
        raise FacilityError(
            "CONTRADICTION",
            "it.load_factor",
            f"{given.text} differs from the mean of the load profile, {show(mean, 'fraction')}.",
            "Remove it.load_factor; it follows from the profile.",
        )
    values.flags.writeable = False
    span = f"{lowest:.0%} to {highest:.0%}"
    trace.derive("it.load_factor", mean, "fraction", f"mean of the load profile, {words}: {span}")
    text = f"{words}: {mean:.0%} of its load on the mean, {span}"
    return LoadProfile(kind, text, mean, None if flat else values)  # type: ignore[arg-type]


def _parts(measured: TimeSeries, load: ItLoad) -> FloatArray:
    """Return a measured load over the design load.

    Raises ``LOAD_NUMBER`` for a load above the design load, with its row.
    """
    limit = load.it_w if measured.in_watts else 1.0
    above = measured.values > limit * (1.0 + _ABOVE)
    if np.any(above):
        at, kind = int(np.argmax(above)), "active_power" if measured.in_watts else "fraction"
        found = highest_reading(measured, at, at + 1)
        load_field = "increase the design IT load or it.basis"
        raise FacilityError(
            "LOAD_NUMBER",
            f"{LOAD.where}: {found.where}, {measured.column}",
            f"{show(found.value, kind)} exceeds the design IT load of {show(limit, kind)}.",
            f"{found.remedy} If the reading is correct, {load_field}."
            if found.remedy
            else f"Check the unit in the heading, or {load_field}.",
        )
    return np.minimum(measured.values / limit, 1.0)
