"""Load that moves as the doors show it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from facility.core.views import System
from facility.report.sheet.grid import TextTable
from facility.report.studies.protocol import Object, OfFound
from facility.report.tables.load_motion import (
    BANDS,
    JUDGED,
    LADDER,
    LEFT_OUT,
    PLACES,
    SAGS,
    bands_of,
    judged_of,
    ladder_of,
)
from facility.report.tables.summary import section_table
from facility.study.transient.load.result import LoadStudy


@dataclass(frozen=True)
class LoadMotionShown(OfFound):
    """A training job at rack, UPS, generators and utility, and what smooths it."""

    study: LoadStudy
    verb = "transient"

    def lists(self) -> Mapping[str, Sequence[Object]]:
        """Return places, limits, bands, storages by ramp, and sags."""
        return {
            "places": PLACES.objects(self.study.points),
            "bands": BANDS.objects(bands_of(self.study)),
            "storages": LADDER.objects(ladder_of(self.study)),
            "sags": SAGS.objects(self.study.ride.events),
        }

    def opening(self) -> Iterator[str]:
        """Return what the load is."""
        yield f"Load: {self.study.title}."

    def tables(self, system: System) -> Iterator[TextTable]:
        """Return places, limits, spectrum, storage, sags and the figures."""
        study = self.study
        yield PLACES.text(study.points, system)
        yield JUDGED.text(judged_of(study), system)
        yield BANDS.text(bands_of(study), system)
        yield LADDER.text(tuple(ladder_of(study)), system)
        yield SAGS.text(study.ride.events, system)
        yield section_table("Dynamic load", study.results, system, title="Figures")

    @property
    def left_out(self) -> Sequence[str]:
        """What the study leaves out."""
        return LEFT_OUT
