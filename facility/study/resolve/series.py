"""Time series of the project, resolved: reading options and the findings of plausibility checks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from facility.catalogue.series import CARBON, Reading, TimeSeries, read_series
from facility.core.check import Check
from facility.core.sources import RULE
from facility.core.trace import Trace
from facility.model.facility import HourlyCarbon
from facility.model.inputs.load_profile import ReadingSection
from facility.model.load_profile import SeriesFacts
from facility.study.rules import RULES

_RULES = {
    "catch-up": "SERIES-CATCH-UP",
    "stuck": "SERIES-STUCK",
    "jump": "SERIES-JUMP",
    "spike": "SERIES-SPIKE",
}

_GAP_WORDS = ("interpolated", "filled with", "left out", "resets")
"""Words of the notes on gaps."""


def reading_of(section: ReadingSection | None, site_h: float | None) -> Reading:
    """Return the answers of a section; `site_h` is the standard time of the site [h from UTC]."""
    if section is None:
        return Reading(site_h=site_h)
    return Reading(
        section.column or "",
        section.unit or "",
        section.quantity or "",
        section.time_zone or "",
        section.stamps or "",
        section.gaps or "",
        section.year,
        site_h,
        section.time or "",
    )


def facts_of(series: TimeSeries) -> SeriesFacts:
    """Return the reading method of a series and its implausible values."""
    return SeriesFacts(
        series.column, series.notes, tuple((one.kind, one.words) for one in series.findings)
    )


def hourly_carbon(
    path: Path, section: ReadingSection | None, site_h: float | None, trace: Trace
) -> HourlyCarbon:
    """Return the hourly intensities in a file; shorter steps by their mean.

    Raises ``CARBON_*`` and ``SERIES_*`` for a file that cannot be used.
    """
    series = read_series(path, CARBON, reading_of(section, site_h))
    stated = section is not None and section.time_zone is not None
    if "times in UTC" in series.notes and not stated:
        words = "market and grid data are published in UTC"
        trace.ledger.add_text("site.grid_carbon_reading.time_zone", "UTC", words, RULE)
    values = series.values.reshape(series.days * 24, -1).mean(axis=1)
    values.flags.writeable = False
    return HourlyCarbon(path.name, values, series.digest, facts_of(series))


def series_checks(name: str, facts: SeriesFacts) -> Iterator[Check]:
    """Yield the checks of a series: completeness and plausible values."""
    filled = [note for note in facts.notes if any(word in note for word in _GAP_WORDS)]
    yield RULES["SERIES-FILLED"].verdict(name, not filled, "; ".join(filled) or "complete")
    found = dict(facts.odd)
    for kind, rule in _RULES.items():
        yield RULES[rule].verdict(name, kind not in found, found.get(kind, "no anomalies"))


def words_of(notes: Iterable[str]) -> str:
    """Return how a series was read, as text in brackets."""
    return "".join(f"; {note}" for note in notes)
