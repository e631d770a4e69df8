"""Every field of the sections of load that moves moves a result or a check of its study."""

from __future__ import annotations

import pytest

from facility.core.table import Results
from tests.study.fields import MOVING
from tests.study.transient.load.test_study import LIMITS, study_of

# A value beside the default, and what else must be given for the field to count.
VALUES: dict[str, tuple[str, ...]] = {
    "it.job.compute_power": ("70 %",),
    "it.job.communication_power": ("30 %",),
    "it.job.idle_power": ("10 %",),
    "it.job.checkpoint_power": ("30 %",),
    "it.job.peak_power": ("120 %",),
    "it.job.peak_time": ("0.2 s",),
    "it.job.step_time": ("5 s",),
    "it.job.communication_share": ("30 %",),
    "it.job.edge": ("0.02 s",),
    "it.job.checkpoint_every": ("10 min",),
    "it.job.checkpoint_time": ("60 s",),
    "it.job.failure_every": ("3 h",),
    "it.job.restart_time": ("5 min",),
    "it.job.start_ramp": ("20 s",),
    "site.grid.ramp_limit": ("1 kW/s",),
    "site.grid.range_limit": ("5 kW",),
    "site.grid.band_limit": ("1 %",),
    "site.grid.band_from": ("1 Hz",),
    "site.grid.band_to": ("2 Hz",),
    "site.grid.sags": ("4",),
    "site.grid.sags_within": ("100 s",),
    "site.grid.sag_time": ("1 s",),
    "power.smoothing.ramp": ("1 kW/s",),
    "power.smoothing.efficiency": ("80 %",),
    "power.smoothing.usable": ("50 %",),
    "power.smoothing.power": ("10 kW",),
    "power.smoothing.energy": ("1 kWh",),
    "power.ups.sags.events": ("2", "power.ups.sags.events_within=60 s"),
    "power.ups.sags.events_within": ("20 s",),
    "power.ups.sags.retransfer": ("30 s",),
}
ELSEWHERE = {
    "it.job.power_file": "test_a_measured_load_takes_the_place_of_the_job",
    "it.job.full_power": "test_a_measured_load_takes_the_place_of_the_job",
    "site.grid.flicker_limit": "test_flicker_is_judged_against_its_limit",
}


def answer(*sets: str) -> tuple[dict[str, object], list[str]]:
    study = study_of(*sets)
    return Results(study.results).as_json(), [repr(check) for check in study.checks]


def test_the_list_is_complete() -> None:
    known = {f"{path}.{name}" for path, of in MOVING.items() for name in of.model_fields}
    assert known == VALUES.keys() | ELSEWHERE.keys()


@pytest.mark.parametrize("path", VALUES)
def test_the_field_moves_the_study(path: str) -> None:
    value, *others = VALUES[path]
    base = (*others, *(LIMITS if path == "it.job.checkpoint_time" else ()))
    assert answer(*base) != answer(*base, f"{path}={value}")
