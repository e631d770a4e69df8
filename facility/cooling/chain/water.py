"""Water that the heat rejection of a design uses over hours: open towers, pads of dry coolers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from facility.cooling.chain.flow import CoolingDesign, CoolingFlow
from facility.cooling.parts.air import AirHours
from facility.cooling.plant.rejection import Rejection
from facility.cooling.plant.sinks import Sink
from facility.cooling.plant.water import WaterHours, pad_evaporation, tower_water
from facility.core.kinds import FloatArray
from facility.physics.liquids.water_use import blowdown

_NO_DRIFT = 0.0


@dataclass(frozen=True, eq=False)
class RejectionWater:
    """Water of towers, what the pads of dry coolers evaporate, and what replaces its salts."""

    towers: WaterHours
    pads_m3_s: FloatArray
    pads_bled_m3_s: FloatArray


def rejection_water(design: CoolingDesign, flow: CoolingFlow, air: AirHours) -> RejectionWater:
    """Return the water of the heat rejection of the chillers and of the facility water.

    design, flow: The cooling as designed, and at work over the hours.
    air: Outdoor air of these hours.
    """
    found = tuple(_at_work(design, flow))
    used = [tower_water(sink, at, air) for sink, at in found if sink.plan.kind == "tower"]
    none = np.zeros(np.shape(air.dry_bulb_c))
    pads_m3_s, bled_m3_s = none, none
    for sink, at in found:
        if sink.plan.pads is not None:
            evaporated = pad_evaporation(sink, at, air.pressure_pa)
            bled = blowdown.si(evaporated, sink.plan.pads.cycles, _NO_DRIFT)
            pads_m3_s, bled_m3_s = pads_m3_s + evaporated, bled_m3_s + bled
    return RejectionWater(
        WaterHours(
            sum((one.evaporation_m3_s for one in used), none),
            sum((one.drift_m3_s for one in used), none),
            sum((one.blowdown_m3_s for one in used), none),
        ),
        pads_m3_s,
        bled_m3_s,
    )


def _at_work(design: CoolingDesign, flow: CoolingFlow) -> Iterator[tuple[Sink, Rejection]]:
    water = design.water
    yield design.chilled.sink, flow.rejection
    if water is not None and water.sink is not None and flow.fws_rejection is not None:
        yield water.sink, flow.fws_rejection
