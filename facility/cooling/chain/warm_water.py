"""Heat that leaves the plant in water, and how warm it is: what can be used elsewhere."""

from __future__ import annotations

from facility.cooling.chain.flow import CoolingDesign, CoolingFlow


def warm_streams(design: CoolingDesign, flow: CoolingFlow) -> list[tuple[float, float]]:
    """Return heat and temperature of each water on its way to the outdoors.

    Numbers, or arrays where the cooling is that of many hours.
    """
    chain, water = design.chain, design.water
    streams, rest_w = [], flow.rejected_w
    if water is not None and water.sink is not None:
        streams.append((flow.facility_water_w - flow.fws_chilled_w, flow.fws_return_c))
        rest_w = rest_w - (flow.facility_water_w - flow.fws_chilled_w)
    if chain.economizer.on_air:
        rest_w = rest_w - flow.economizer_w
    if chain.chilled_water.sink.kind != "air_cooled":
        streams.append((rest_w, flow.condenser_out_c))
    return streams
