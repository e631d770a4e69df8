"""Load that moves: the training job, limits of the grid, what smooths it, sags of the grid."""

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

    Powers are parts of the IT load of the design. A measured file replaces all but its edges.
    """

    compute_power: _Some | None = optional(
        "Power of the compute phase over the IT load",
        Default(None, "highest of a training node over its data sheet, 8.4 of 10.2 kW"),
    )
    communication_power: _Part | None = optional(
        "Power of the communication phase over the IT load",
        Default(0.40, "chips wait, links and memory work", RECALLED),
    )
    idle_power: _Part | None = optional(
        "Power without work over the IT load",
        Default(None, "idle power of the devices where published; else least of a GB200 tray"),
    )
    checkpoint_power: _Part | None = optional(
        "Power while a checkpoint is written over the IT load",
        Default(None, "that of the communication phase", RULE),
    )
    peak_power: _Peak | None = optional(
        "Short peak at the start of each compute phase (EDPp) over the IT load",
        Default(None, "published peak of the devices; else their data-sheet maximum"),
    )
    peak_time: _Short | None = optional(
        "How long that peak lasts", Default(0.05, "tens of milliseconds", RECALLED)
    )
    step_time: _Step | None = optional(
        "Time of one step: a compute and a communication phase",
        Default(2.0, "swings of 0.2 to 3 Hz are reported: 0.5 Hz", _LIMITS),
    )
    communication_share: _Share | None = optional(
        "Part of the step that is communication", Default(0.20, "exposed communication", RECALLED)
    )
    edge: _Edge | None = optional(
        "Time of the change between two phases",
        Default(0.05, "all racks within tens of milliseconds", RECALLED),
    )
    checkpoint_every: _Long | None = optional(
        "Time between checkpoints", Default(1800.0, "every 5 to 120 min: 30 min", _GUIDES)
    )
    checkpoint_time: _Time | None = optional(
        "How long a checkpoint takes", Default(10.0, "written at once to local storage", RECALLED)
    )
    failure_every: _Long | None = optional(
        "Time between failures that stop the job",
        Default(None, "3.1 h on 16,384 GPUs, in proportion to their number", _TRAINING),
    )
    restart_time: _Time | None = optional(
        "From a failure until the job computes again",
        Default(600.0, "replacement of a node and reading of the checkpoint", RECALLED),
    )
    start_ramp: _Edge | None = optional(
        "From idle to compute when the job starts",
        Default(1.0, "all racks start within about a second", RECALLED),
    )
    power_file: Text | None = optional(
        "CSV of a measured IT power beside the project file, columns of time and power with units"
    )
    full_power: _Power | None = optional(
        "Power in that file that stands for the whole IT load",
        Default(None, "the IT load of the design", RULE),
    )

    @field_validator("power_file")
    @classmethod
    def _stays_beside_the_project(cls, value: str | None) -> str | None:
        return below_the_project(value, _POWER_FILE, "POWER_PATH", "CSV file", ".csv")

    @model_validator(mode="after")
    def _consistent(self) -> JobSection:
        if self.full_power is not None and self.power_file is None:
            raise problem(
                "CONTRADICTION",
                "full_power belongs to a measured file.",
                "Give power_file too.",
                at="full_power",
            )
        return self


class GridSection(Section):
    """What the utility asks of a load that moves, and the sags it is expected to ride through."""

    ramp_limit: _Ramp | None = optional("Fastest change of the load that the utility allows")
    range_limit: _Power | None = optional(
        "Highest less lowest power that the utility allows while a job runs"
    )
    band_limit: _Some | None = optional(
        "Most of the energy of the spectrum that the utility allows in the band"
    )
    band_from: _Band | None = optional(
        "Lower end of the band", Default(0.1, "band that utilities watch", _LIMITS)
    )
    band_to: _Band | None = optional(
        "Upper end of the band", Default(20.0, "band that utilities watch", _LIMITS)
    )
    flicker_limit: Number | None = optional(
        "Highest short-term flicker severity at the connection", within=(0.05, 10.0)
    )
    sags: PositiveCount | None = optional(
        "Faults of the grid in a row, each a sag",
        Default(6, "reclosing onto a fault of a 230 kV line", _NERC),
        most=100,
    )
    sags_within: _Time | None = optional(
        "From the first of them to the last",
        Default(82.0, "reclosing onto a fault of a 230 kV line", _NERC),
    )
    sag_time: _Short | None = optional(
        "How long each lasts", Default(0.1, "cleared normally within some cycles", RECALLED)
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
            "Give a band_to above band_from.",
            at="band_to",
        )


class SmoothingSection(Section):
    """Battery or capacitors that average the load of the job at the utility."""

    ramp: _Ramp | None = optional(
        "Fastest change of the load that they leave",
        Default(
            "as the utility allows",
            "where it states no limit, 10 % of the highest power a minute, to which solar plants "
            "are often held",
            RECALLED,
        ),
    )
    efficiency: _Some | None = optional(
        "Of charging and discharging together",
        Default(0.90, "battery and converter, there and back", RECALLED),
        symbol=r"\eta",
        within=(0.3, 1.0),
    )
    usable: _Some | None = optional(
        "Part of the nominal energy that is used",
        Default(0.80, "between 10 and 90 % of charge", RECALLED),
        within=(0.05, 1.0),
    )
    power: _Power | None = optional(
        "Their power, as built", Default("as needed", "as much as the load swings")
    )
    energy: _Energy | None = optional(
        "Their nominal energy, as built", Default("as needed", "as much as the limits ask for")
    )


class UpsSagSection(Section):
    """What a UPS does when the utility sags again and again."""

    events: PositiveCount | None = optional(
        "Transfers to battery after which it stays off the utility",
        Default(3, "three within a minute; a setting, to be asked for", RECALLED),
        most=100,
    )
    events_within: _Time | None = optional(
        "Time within which they count",
        Default(60.0, "three within a minute; a setting, to be asked for", RECALLED),
    )
    retransfer: _Time | None = optional(
        "From the end of a sag until the UPS is back on the utility",
        Default(
            10.0, "the utility must be well for some seconds, and rectifiers walk in", RECALLED
        ),
    )
