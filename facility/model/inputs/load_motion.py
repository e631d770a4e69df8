"""Dynamic load: training job, grid limits, smoothing, voltage sags."""

from __future__ import annotations

import re
from typing import Annotated

from pydantic import field_validator, model_validator

from facility.core.parse import Measured
from facility.core.sources import RECALLED, RULE, Source
from facility.model.inputs.declare import Default, optional
from facility.model.inputs.scalars import (
    Number,
    PositiveCount,
    Section,
    Text,
    below_the_project,
    problem,
    quantity,
)

_LIMITS = Source("arxiv-2508-14318", "swings and limits of utilities", "2025", "secondary")
_GUIDES = Source("design-guides", "checkpoints every 5 to 120 min", verified="secondary")
_NERC = Source("nerc-large-load-2024", "six faults in 82 s", "2025", "secondary")
_TRAINING = Source("llama-3-interruptions", "419 in 54 days, 16,384 GPUs", "2024", "secondary")

_Part = Annotated[Measured, quantity("fraction", maximum=1.0)]
_Some = Annotated[Measured, quantity("fraction", above=0.0, maximum=1.0)]
_Share = Annotated[Measured, quantity("fraction", minimum=0.01, maximum=0.99)]
_Peak = Annotated[Measured, quantity("fraction", above=0.0, maximum=3.0)]
_Step = Annotated[Measured, quantity("time", minimum=0.05, maximum=300.0)]
_Edge = Annotated[Measured, quantity("time", minimum=0.001, maximum=60.0)]
_Time = Annotated[Measured, quantity("time", above=0.0, maximum=86_400.0)]
_Short = Annotated[Measured, quantity("time", maximum=60.0)]
_Long = Annotated[Measured, quantity("time", minimum=1.0, maximum=3.2e7)]
_Power = Annotated[Measured, quantity("active_power", above=0.0)]
_Energy = Annotated[Measured, quantity("energy", above=0.0)]
_Ramp = Annotated[Measured, quantity("power_ramp", above=0.0)]
_Band = Annotated[Measured, quantity("swing_frequency", minimum=0.001, maximum=100.0)]

_POWER_FILE = re.compile(r"[^/\\:][^\\:]*\.csv", re.IGNORECASE)


class JobSection(Section):
    """A synchronous training job: all racks compute together, then wait for each other.

    Powers are fractions of the design IT load. A measured file replaces all fields but `edge`.
    """

    compute_power: _Some | None = optional(
        "Compute-phase power over IT load",
        Default(None, "maximum of a training node over its data-sheet power, 8.4 of 10.2 kW"),
    )
    communication_power: _Part | None = optional(
        "Communication-phase power over IT load",
        Default(0.40, "chips idle, links and memory active", RECALLED),
    )
    idle_power: _Part | None = optional(
        "Idle power over IT load",
        Default(None, "published idle power of the devices; else minimum of a GB200 tray"),
    )
    checkpoint_power: _Part | None = optional(
        "Checkpoint power over IT load", Default(None, "same as the communication phase", RULE)
    )
    peak_power: _Peak | None = optional(
        "Short peak power (EDPp) at the start of each compute phase, over IT load",
        Default(None, "published peak of the devices; else their data-sheet maximum"),
    )
    peak_time: _Short | None = optional(
        "Duration of the short peak", Default(0.05, "tens of milliseconds", RECALLED)
    )
    step_time: _Step | None = optional(
        "Step time: one compute and one communication phase",
        Default(2.0, "0.5 Hz, within the reported 0.2 to 3 Hz", _LIMITS),
    )
    communication_share: _Share | None = optional(
        "Communication share of the step", Default(0.20, "exposed communication", RECALLED)
    )
    edge: _Edge | None = optional(
        "Transition time between two phases",
        Default(0.05, "all racks within tens of milliseconds", RECALLED),
    )
    checkpoint_every: _Long | None = optional(
        "Checkpoint interval", Default(1800.0, "every 5 to 120 min: 30 min", _GUIDES)
    )
    checkpoint_time: _Time | None = optional(
        "Checkpoint duration", Default(10.0, "written to local storage", RECALLED)
    )
    failure_every: _Long | None = optional(
        "Mean time between failures that stop the job",
        Default(
            None, "3.1 h on 16,384 GPUs, inversely proportional to the number of GPUs", _TRAINING
        ),
    )
    restart_time: _Time | None = optional(
        "Restart time after a failure",
        Default(600.0, "node replacement and checkpoint loading", RECALLED),
    )
    start_ramp: _Edge | None = optional(
        "Ramp time from idle to compute at job start",
        Default(1.0, "all racks start within about a second", RECALLED),
    )
    power_file: Text | None = optional(
        "CSV file of measured IT power in the folder of the project file, columns time and power "
        "with units"
    )
    full_power: _Power | None = optional(
        "Power in that file that corresponds to the full IT load",
        Default(None, "design IT load", RULE),
    )

    @field_validator("power_file")
    @classmethod
    def _is_below_the_project(cls, value: str | None) -> str | None:
        return below_the_project(value, _POWER_FILE, "POWER_PATH", "CSV file", ".csv")

    @model_validator(mode="after")
    def _consistent(self) -> JobSection:
        if self.full_power is not None and self.power_file is None:
            raise problem(
                "CONTRADICTION",
                "full_power applies only to a measured file.",
                "Enter power_file too.",
                at="full_power",
            )
        return self


class GridSection(Section):
    """Utility limits for dynamic load, and voltage sags to ride through."""

    ramp_limit: _Ramp | None = optional("Maximum load ramp rate permitted by the utility")
    range_limit: _Power | None = optional(
        "Maximum peak-to-peak power during a job permitted by the utility"
    )
    band_limit: _Some | None = optional(
        "Maximum share of spectral energy in the band permitted by the utility"
    )
    band_from: _Band | None = optional(
        "Lower band frequency", Default(0.1, "band monitored by utilities", _LIMITS)
    )
    band_to: _Band | None = optional(
        "Upper band frequency", Default(20.0, "band monitored by utilities", _LIMITS)
    )
    flicker_limit: Number | None = optional(
        "Maximum short-term flicker severity (Pst) at the connection", within=(0.05, 10.0)
    )
    sags: PositiveCount | None = optional(
        "Number of repeated grid faults, each causing a sag",
        Default(6, "reclosing onto a fault of a 230 kV line", _NERC),
        max_count=100,
    )
    sags_within: _Time | None = optional(
        "Time from the first to the last fault",
        Default(82.0, "reclosing onto a fault of a 230 kV line", _NERC),
    )
    sag_time: _Short | None = optional(
        "Duration of each sag", Default(0.1, "normal clearing within a few cycles", RECALLED)
    )

    @model_validator(mode="after")
    def _band_has_a_width(self) -> GridSection:
        low = 0.1 if self.band_from is None else self.band_from.si
        high = 20.0 if self.band_to is None else self.band_to.si
        if low < high:
            return self
        raise problem(
            "OUT_OF_RANGE",
            f"the band ends at {high:g} Hz and begins at {low:g} Hz.",
            "Enter a band_to above band_from.",
            at="band_to",
        )


class SmoothingSection(Section):
    """Battery or capacitors that average the load of the job at the utility."""

    ramp: _Ramp | None = optional(
        "Ramp limit with smoothing",
        Default(
            "as the utility allows",
            "without a utility limit, 10 % of peak power per minute, a common limit for "
            "solar plants",
            RECALLED,
        ),
    )
    efficiency: _Some | None = optional(
        "Round-trip efficiency of the smoothing storage",
        Default(0.90, "battery and converter, round trip", RECALLED),
        symbol=r"\eta",
        within=(0.3, 1.0),
    )
    usable: _Some | None = optional(
        "Usable fraction of the nominal energy",
        Default(0.80, "10 to 90 % state of charge", RECALLED),
        within=(0.05, 1.0),
    )
    power: _Power | None = optional(
        "Power, as built", Default("as needed", "peak-to-peak load swing")
    )
    energy: _Energy | None = optional(
        "Nominal energy, as built", Default("as needed", "energy required by the limits")
    )


class UpsSagSection(Section):
    """UPS response to repeated voltage sags."""

    events: PositiveCount | None = optional(
        "Battery transfers after which the UPS stays off the utility",
        Default(3, "three within a minute; confirm the setting", RECALLED),
        max_count=100,
    )
    events_within: _Time | None = optional(
        "Time window of the transfer count",
        Default(60.0, "three within a minute; confirm the setting", RECALLED),
    )
    retransfer: _Time | None = optional(
        "Retransfer time from the end of a sag",
        Default(10.0, "utility stable for several seconds, then rectifier walk-in", RECALLED),
    )
