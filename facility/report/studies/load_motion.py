"""Load that moves as the doors show it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from facility.core.views import System, view_value
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
from facility.report.tables.summary import FIGURES
from facility.study.transient.load.result import LoadStudy


@dataclass(frozen=True)
class LoadMotionShown(OfFound):
    """A training job at rack, UPS, generators and utility, and what smooths it."""

    study: LoadStudy
    verb = "transient"

    def lists(self) -> Mapping[str, Sequence[Object]]:
        """Return places, limits, bands, storages by ramp, and sags."""
        return {
            "places": [
                {
                    "id": place.id,
                    "title": place.title,
                    "lowest": view_value(float(place.profile.values.min()), "active_power"),
                    "highest": view_value(float(place.profile.values.max()), "active_power"),
                    "step": view_value(place.profile.range, "active_power"),
                    "ramp": view_value(place.profile.ramp, "power_ramp"),
                }
                for place in self.study.places
            ],
            "bands": [
                {
                    "from_hz": band.low_hz,
                    "to_hz": band.high_hz,
                    "rms": view_value(band.rms_w, "active_power"),
                    "share": view_value(band.share, "fraction"),
                    "share_of_variation": view_value(band.of_variation, "fraction"),
                    "share_with_storage": view_value(band.after, "fraction"),
                }
                for band in bands_of(self.study)
            ],
            "storages": [
                {
                    "ramp": view_value(row.ramp_w_s, "power_ramp"),
                    "window_s": row.window_s,
                    "power": view_value(row.power_w, "active_power"),
                    "usable": view_value(row.energy_j, "energy"),
                    "nominal": view_value(row.nominal_j, "energy"),
                }
                for row in ladder_of(self.study)
            ],
            "sags": [
                {"time_s": event.time_s, "counted": event.counted, "transfers": event.transfers}
                for event in self.study.ride.events
            ],
        }

    def opening(self) -> Iterator[str]:
        """Return what the load is."""
        yield f"Load: {self.study.title}."

    def tables(self, system: System) -> Iterator[TextTable]:
        """Return places, limits, spectrum, storage, sags and the figures."""
        study = self.study
        yield PLACES.text(study.places, system)
        yield JUDGED.text(judged_of(study), system)
        yield BANDS.text(bands_of(study), system)
        yield LADDER.text(tuple(ladder_of(study)), system)
        yield SAGS.text(study.ride.events, system)
        known = {key: label for key, label in FIGURES["Load that moves"] if key in study.results}
        rows = [
            [label, study.results[key].shown(system), study.results[key].basis]
            for key, label in known.items()
        ]
        yield TextTable("Figures", ["Quantity", "Value", "Note"], rows, keys=list(known))

    @property
    def left_out(self) -> Sequence[str]:
        """What the study leaves out."""
        return LEFT_OUT
