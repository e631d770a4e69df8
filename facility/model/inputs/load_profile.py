"""The IT load of the year: flat, by the hours of a day or week, measured, or of training jobs."""

from __future__ import annotations

import re
from typing import Annotated, Literal

from pydantic import field_validator, model_validator

from facility.core.parse import Measured
from facility.core.sources import RULE, Source
from facility.model.inputs.declare import Default, optional
from facility.model.inputs.scalars import Count, Section, Text, below_the_project, problem, quantity

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
"""Fields of each kind of profile."""
_FILE = re.compile(r"[^/\\:][^\\:]*\.csv(\.gz)?", re.IGNORECASE)


class LoadProfileSection(Section):
    """How the IT load goes through the year; its mean is `it.load_factor`."""

    kind: Literal["flat", "hours", "measured", "training"] | None = optional(
        "What the load of the hours follows; training takes the job of `it.job`",
        Default("flat", "every hour draws the mean of the year", RULE),
    )
    hours: list[_Part] | None = optional(
        "IT load over that of the design in the 24 hours of a day or the 168 of a week, the first "
        "from 0:00 on 1 January; they repeat",
        most=WEEK_H,
    )
    file: Text | None = optional(
        "CSV file of a measured year beside the project file: a column of time (hour or timestamp) "
        "and one of load (load_fraction, load_percent, load_kw or load_mw)"
    )
    busy: _Busy | None = optional(
        "Part of the time in which training jobs hold the GPUs",
        Default(1.0, "one job after the other", RULE),
    )
    job_time: _Long | None = optional(
        "How long a job holds the GPUs, restarts included",
        Default(54 * 86_400.0, "the time that was reported of one large run", _RUN),
    )
    ramp: _Ramp | None = optional(
        "From idle to the power of steps when a job starts, and back at its end",
        Default(None, "as fast as the job of `it.job` starts"),
    )
    seed: Count | None = optional(
        "Seed of failures at random times; open: evenly spaced", most=1_000_000
    )

    @field_validator("hours")
    @classmethod
    def _a_day_or_a_week(cls, value: list[Measured] | None) -> list[Measured] | None:
        if value is None or len(value) in (DAY_H, WEEK_H):
            return value
        raise problem(
            "OUT_OF_RANGE",
            f"{len(value)} hours are neither a day nor a week.",
            f"Give {DAY_H} values, or {WEEK_H}.",
        )

    @field_validator("file")
    @classmethod
    def _stays_beside_the_project(cls, value: str | None) -> str | None:
        return below_the_project(value, _FILE, "LOAD_PATH", "CSV file", ".csv (also .gz)")

    @model_validator(mode="after")
    def _one_profile(self) -> LoadProfileSection:
        said = {kind: self._given(*names) for kind, names in _FIELDS.items()}
        kinds = {*(kind for kind, names in said.items() if names), *([self.kind or ()])} - {()}
        if len(kinds) > 1:
            fields = [name for names in said.values() for name in names]
            raise problem(
                "CONTRADICTION",
                f"{' and '.join(fields)} {'is' if len(fields) == 1 else 'are'} given"
                f"{f', but kind is {self.kind}' if self.kind else ''}: one profile alone.",
                "Give hours, or file, or the fields of training; kind follows from them.",
                at=fields[-1],
            )
        needed = {"hours": self.hours, "measured": self.file}
        if self.kind in needed and needed[self.kind] is None:
            raise problem(
                "MISSING_FIELD",
                f"kind is {self.kind}, and {_FIELDS[self.kind][0]} is not given.",
                "Give file (a CSV of the year), or hours (24 or 168 values).",
                at=_FIELDS[self.kind][0],
            )
        return self

    def _given(self, *names: str) -> list[str]:
        return [name for name in names if getattr(self, name) is not None]

    @property
    def is_training(self) -> bool:
        """Whether the load is that of training jobs."""
        return self.kind == "training" or bool(self._given(*_FIELDS["training"]))
