"""Published cases of formulas that no design uses; `facility verify` has those of the others."""

from __future__ import annotations

import csv
from pathlib import Path

from facility.study.verification import PublishedCase
from facility.study.verification.inputs import values_of

CASES = Path(__file__).with_name("cases.csv")


def read_cases() -> tuple[PublishedCase, ...]:
    """Return the cases, in the columns of `reference/cases`."""
    with CASES.open(newline="", encoding="utf-8") as stream:
        return tuple(map(_case, csv.DictReader(stream, strict=True)))


def _case(row: dict[str, str]) -> PublishedCase:
    expected = float(row["expected"])
    absolute, relative = (float(row[f"tolerance_{kind}"] or 0.0) for kind in ("abs", "rel"))
    return PublishedCase(
        id=row["id"],
        title=row["title"],
        compute=row["compute"],
        inputs=values_of(row["inputs"], row["id"]),
        expected=expected,
        unit=row["unit"],
        tolerance=max(absolute, relative * abs(expected)),
        status="explained" if row["status"] == "explained" else "pass",
        reason=row["reason"],
        source=row["source"],
    )
