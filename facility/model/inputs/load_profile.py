"""Annual IT load profile: flat, hourly by day or week, measured, or training jobs."""

from __future__ import annotations

import re
from typing import Annotated, Literal

from pydantic import field_validator, model_validator

from facility.core.parse import Measured
from facility.core.sources import RULE, Source
from facility.model.inputs.declare import Default, optional
from facility.model.inputs.scalars import (
    Count,
    Name,
    Section,
    Text,
    below_the_project,
    problem,
    quantity,
)

DAY_H, WEEK_H = 24, 168
_RUN = Source("llama-3-interruptions", "54 days of one run", "2024", "secondary")
_Busy = Annotated[Measured, quantity("fraction", minimum=0.01, maximum=1.0)]
_Long = Annotated[Measured, quantity("time", minimum=600.0, maximum=3.2e7)]
_Ramp = Annotated[Measured, quantity("time", maximum=86_400.0)]
_Part = Annotated[Measured, quantity("fraction", maximum=1.0)]
_FIELDS = {
    "hours": ("hours",),
    "measured": ("file",),
    "training": ("busy", "job_time", "ramp", "seed"),
}
"""Fields of each profile type."""
_FILE = re.compile(r"[^/\\:][^\\:]*\.csv(\.gz)?", re.IGNORECASE)


class ReadingSection(Section):
    """Reading options for a meter log or market file; no effect without a file."""

    time: Name | None = optional(
        "Heading of the time column, or of date and time (Datum + Uhrzeit), if not recognized"
    )
    column: Name | None = optional(
        "Heading of the value column, if several columns have a suitable unit"
    )
    unit: Name | None = optional("Unit of the values, if the heading has none: kW, kWh, g/kWh")
    quantity: Literal["power", "energy", "register"] | None = optional(
        "Mean power, energy per interval, or cumulative meter register",
        Default(None, "from unit and values: energy that never decreases is a register", RULE),
    )
    time_zone: Name | None = optional(
        "Time zone of the timestamps, if they have none: UTC, hours from UTC, or America/New_York",
        Default(None, "local standard time of the site; UTC for carbon intensity", RULE),
    )
    stamps: Literal["start", "end"] | None = optional(
        "Timestamps at the start or end of intervals",
        Default(None, "start; end if the heading or a complete year indicates it", RULE),
    )
    gaps: Literal["stop", "leave_out", "previous_week", "mean"] | None = optional(
        "Treatment of gaps over 6 h: stop, omit the hours from annual totals, or fill with the "
        "previous week or the mean",
        Default("stop", "shorter gaps are interpolated and reported", RULE),
    )
    year: Count | None = optional(
        "Calendar year to read from a file with several years", max_count=2200
    )


class LoadProfileSection(Section):
    """Annual IT load profile; its mean is `it.load_factor`."""

    kind: Literal["flat", "hours", "measured", "training"] | None = optional(
        "Profile type; training uses the job of `it.job`",
        Default("flat", "annual mean in every hour", RULE),
    )
    hours: list[_Part] | None = optional(
        "IT load over design IT load for the 24 hours of a day or 168 hours of a week, starting "
        "0:00 on 1 January, repeated",
        max_count=WEEK_H,
    )
    file: Text | None = optional(
        "CSV file of one measured year in the project folder: time (hour, timestamp, or "
        "date and time) and load with its unit (load_kw, IT load [kW], meter kWh, load_percent)"
    )
    reading: ReadingSection | None = None
    busy: _Busy | None = optional(
        "Fraction of time with training jobs on the GPUs", Default(1.0, "consecutive jobs", RULE)
    )
    job_time: _Long | None = optional(
        "Job duration, including restarts",
        Default(54 * 86_400.0, "reported duration of one large run", _RUN),
    )
    ramp: _Ramp | None = optional(
        "Ramp time from idle to step power at job start and end",
        Default(None, "start_ramp of `it.job`"),
    )
    seed: Count | None = optional(
        "Random seed of failure times; default: evenly spaced", max_count=1_000_000
    )

    @field_validator("hours")
    @classmethod
    def _a_day_or_a_week(cls, value: list[Measured] | None) -> list[Measured] | None:
        if value is None or len(value) in (DAY_H, WEEK_H):
            return value
        raise problem(
            "OUT_OF_RANGE",
            f"{len(value)} hours are neither a day nor a week.",
            f"Enter {DAY_H} values, or {WEEK_H}.",
        )

    @field_validator("file")
    @classmethod
    def _is_below_the_project(cls, value: str | None) -> str | None:
        return below_the_project(value, _FILE, "LOAD_PATH", "CSV file", ".csv (also .gz)")

    @model_validator(mode="after")
    def _one_profile(self) -> LoadProfileSection:
        given = {kind: self._given(*names) for kind, names in _FIELDS.items()}
        kinds = {*(kind for kind, names in given.items() if names), *([self.kind or ()])} - {()}
        if len(kinds) > 1:
            fields = [name for names in given.values() for name in names]
            raise problem(
                "CONTRADICTION",
                f"{' and '.join(fields)} {'is' if len(fields) == 1 else 'are'} specified"
                f"{f', but kind is {self.kind}' if self.kind else ''}: only one profile is "
                f"permitted.",
                "Enter hours, or file, or the training fields; kind follows from them.",
                at=fields[-1],
            )
        needed = {"hours": self.hours, "measured": self.file}
        if self.kind in needed and needed[self.kind] is None:
            raise problem(
                "MISSING_FIELD",
                f"kind is {self.kind}, and {_FIELDS[self.kind][0]} is not specified.",
                "Enter file (a CSV of the year), or hours (24 or 168 values).",
                at=_FIELDS[self.kind][0],
            )
        return self

    def _given(self, *names: str) -> list[str]:
        return [name for name in names if getattr(self, name) is not None]

    @property
    def is_training(self) -> bool:
        """Whether the load profile consists of training jobs."""
        return self.kind == "training" or bool(self._given(*_FIELDS["training"]))
