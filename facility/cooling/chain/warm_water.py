"""Plant heat rejected in water, and its temperature, for heat reuse."""

from __future__ import annotations

from facility.cooling.chain.flow import CoolingDesign, CoolingFlow
from facility.cooling.plant.rejection import Rejection


def warm_streams(design: CoolingDesign, flow: CoolingFlow) -> list[Rejection]:
    """Return each water-based heat rejection, with the heat reused from it.

    Its figures are numbers, or arrays for cooling over many hours.
    """
    water, streams = design.water, []
    if water is not None and water.sink is not None and flow.fws_rejection is not None:
        streams.append(flow.fws_rejection)
    if design.chain.chilled_water.sink.kind != "air_cooled":
        streams.append(flow.rejection)
    return streams
