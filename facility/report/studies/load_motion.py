"""Presentation of dynamic load."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from facility.core.views import System
from facility.report.sheet.grid import TextTable
from facility.report.studies.protocol import Object, StudyReport
from facility.report.tables.load_motion import (
    BANDS,
    LADDER,
    LEFT_OUT,
    LEVELS,
    SAGS,
    UTILITY_LIMITS,
    bands_of,
    ladder_of,
    utility_limits,
)
from facility.report.tables.summary import LOAD_SECTION, section_table
from facility.study.transient.load.result import LoadStudy


@dataclass(frozen=True)
class LoadMotionShown(StudyReport):
    """Training job load at rack, UPS, generators and utility, and its smoothing."""

    study: LoadStudy
    verb = "transient"

    def lists(self) -> Mapping[str, Sequence[Object]]:
        """Return levels, limits, bands, storage by ramp, and sags."""
        return {
            "places": LEVELS.objects(self.study.points),
            "bands": BANDS.objects(bands_of(self.study)),
            "storages": LADDER.objects(ladder_of(self.study)),
            "sags": SAGS.objects(self.study.ride.events),
        }

    def opening(self) -> Iterator[str]:
        """Return the load description."""
        yield f"Load: {self.study.title}."

    def tables(self, system: System) -> Iterator[TextTable]:
        """Return levels, limits, spectrum, storage, sags and the figures."""
        study = self.study
        yield LEVELS.text(study.points, system)
        yield UTILITY_LIMITS.text(utility_limits(study), system)
        yield BANDS.text(bands_of(study), system)
        yield LADDER.text(tuple(ladder_of(study)), system)
        yield SAGS.text(study.ride.events, system)
        yield section_table(LOAD_SECTION, study.results, system, title="Figures")

    @property
    def left_out(self) -> Sequence[str]:
        """Limits of the study."""
        return LEFT_OUT
