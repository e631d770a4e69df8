"""The IT load over the hours of the year: flat, by the hours of a day or week, or measured."""

from __future__ import annotations

import re
from typing import Annotated, Literal

from pydantic import field_validator, model_validator

from facility.core.parse import Measured
from facility.core.sources import RULE
from facility.model.inputs.declare import Default, optional
from facility.model.inputs.scalars import Section, Text, problem, quantity

DAY_H, WEEK_H = 24, 168
_Part = Annotated[Measured, quantity("fraction", maximum=1.0)]
_FILE = re.compile(r"[^/\\:][^\\:]*\.csv(\.gz)?", re.IGNORECASE)


class LoadProfileSection(Section):
    """How the IT load goes through the year; its mean is `it.load_factor`."""

    kind: Literal["flat", "hours", "measured"] | None = optional(
        "What the load of the hours follows",
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
        if value is None or (_FILE.fullmatch(value) and ".." not in value.split("/")):
            return value
        raise problem(
            "LOAD_PATH",
            f"{value[:80]!r} is not a path of a CSV file below the project file.",
            "Write a relative path with forward slashes that ends in .csv (also .gz).",
        )

    @model_validator(mode="after")
    def _one_profile(self) -> LoadProfileSection:
        given = {"hours": self.hours, "measured": self.file}
        names = [kind for kind, value in given.items() if value is not None]
        if len(names) == len(given):
            raise problem(
                "CONTRADICTION",
                "both the hours of a day or week and a measured year are given.",
                "Remove hours or file.",
                at="file",
            )
        if self.kind is not None and names not in ([self.kind], []):
            raise problem(
                "CONTRADICTION",
                f"kind is {self.kind}, but {'file' if self.file else 'hours'} is given.",
                "Remove kind: it follows from what is given.",
                at="kind",
            )
        if self.kind in given and not names:
            raise problem(
                "MISSING_FIELD",
                f"kind is {self.kind}, and no {'file' if self.kind == 'measured' else 'hours'}.",
                "Give file (a CSV of the year), or hours (24 or 168 values).",
                at="file" if self.kind == "measured" else "hours",
            )
        return self
