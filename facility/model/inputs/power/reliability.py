"""The reliability section of the power part: mean times by kind of component."""

from __future__ import annotations

from typing import Annotated

from facility.core.parse import Measured
from facility.model.inputs.declare import required
from facility.model.inputs.scalars import Section, quantity

_Time = Annotated[Measured, quantity("time", above=0.0)]


class MeanTimes(Section):
    """Mean operating time between failures, and mean time to repair, of one component."""

    mtbf: _Time = required("Mean operating time between two failures")
    mttr: _Time = required("Mean time to repair")


class ReliabilitySection(Section):
    """Failure and repair times by component type; no default values are included."""

    utility: MeanTimes | None = None
    generator: MeanTimes | None = None
    mv_switchgear: MeanTimes | None = None
    transformer: MeanTimes | None = None
    generator_bus: MeanTimes | None = None
    ats: MeanTimes | None = None
    lv_board: MeanTimes | None = None
    tie: MeanTimes | None = None
    ups: MeanTimes | None = None
    static_bypass: MeanTimes | None = None
    ups_output: MeanTimes | None = None
    sts: MeanTimes | None = None
    pdu: MeanTimes | None = None
    panel: MeanTimes | None = None
    busway: MeanTimes | None = None
    rack_pdu: MeanTimes | None = None
    circuit: MeanTimes | None = None
