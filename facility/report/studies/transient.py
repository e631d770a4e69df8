"""Presentation of cooling failures over time."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from facility.core.views import System
from facility.report.book.cooling.ride_through import BUFFERED, CASES, LIMITS, case_rows, limit_rows
from facility.report.sheet.grid import TextTable
from facility.report.studies.protocol import Object, StudyReport
from facility.study.transient.result import RideResult
from facility.study.transient.study import TransientStudy

_REMARKS = (
    "Lumped thermal masses at the design weather: every volume is fully mixed, server fans keep "
    "their flow, and equipment sheds load only above its limits. All cooling restarts with the "
    "last generator load step. The thermal mass of electrical rooms, pipe walls and condenser "
    "water is ignored.",
    "What-if cases show other choices of cooling on the UPS (cooling.on_ups), and the time "
    "remaining without coolant (coolant_flow) or without a standby pump after a pump failure "
    "(..._pump_only). These cases are not checked.",
)


@dataclass(frozen=True)
class Transient(StudyReport):
    """First limit exceeded after each failure, with time."""

    study: TransientStudy
    verb = "transient"

    def lists(self) -> Mapping[str, Sequence[Object]]:
        """Return the cases."""
        return {"cases": [case_object(found) for found in self.study.cases]}

    def tables(self, system: System) -> Iterator[TextTable]:
        """Return cases, limits, and buffers if searched."""
        yield CASES.text(case_rows(self.study), system, title="Failures at the design hour")
        yield LIMITS.text(limit_rows(self.study), system)
        sought = [row for row in case_rows(self.study) if row.found.storage is not None]
        if sought:
            yield BUFFERED.text(sought, system)

    @property
    def left_out(self) -> Sequence[str]:
        """Limits of the model."""
        return _REMARKS


def case_object(found: RideResult) -> Object:
    """Return a case as a JSON object."""
    power, storage = found.case.power, found.storage
    waits = power.restored_s != float("inf")
    return {
        "id": found.case.id,
        "title": found.case.title,
        "holds": found.holds,
        "first": found.first[0].id if found.first else None,
        "first_s": found.first[1] if found.first else None,
        "settled": found.settled,
        "on_ups": sorted(found.case.supplied),
        "restored_s": power.restored_s if waits else None,
        "battery_s": power.battery_s,
        "limits": [
            {
                "id": limit.id,
                "title": limit.title,
                "grade": limit.grade,
                "quantity": limit.series,
                "limit_c": limit.limit_c,
                "time_s": time_s,
                "peak_c": peak_c,
            }
            for limit, time_s, peak_c in found.limits
        ],
        "peak_c": {name: float(values.max()) for name, values in found.series.items()},
        "end_c": {name: float(values[-1]) for name, values in found.series.items()},
        "storage_m3": (
            None
            if storage is None
            else {"chilled_water": storage.chw_m3, "facility_water": storage.fws_m3}
        ),
    }
