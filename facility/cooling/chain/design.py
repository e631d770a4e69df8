"""The cooling as designed: every part at its size."""

from __future__ import annotations

from dataclasses import dataclass

from facility.cooling.air.crah import CrahDesign
from facility.cooling.liquid.facility_water import FacilityWater
from facility.cooling.parts.cdu import CduDesign
from facility.cooling.parts.loads import CoolingCounts
from facility.cooling.plant.chilled_water import ChilledWater
from facility.core.check import Check
from facility.model.cooling.chain import CoolingChain
from facility.model.facility import Criteria


@dataclass(frozen=True)
class CoolingDesign:
    """The cooling sized at the design weather."""

    # What it was designed from.
    chain: CoolingChain
    criteria: Criteria
    # Its parts; `cdus` and `water` are None without liquid.
    crah: CrahDesign
    cdus: CduDesign | None
    water: FacilityWater | None
    chilled: ChilledWater
    # IT heat that air handlers and CDUs are sized for: sizing values that need not sum to the IT
    # load.
    crah_design_w: float
    cdu_design_w: float
    outdoor_c: float  # Outdoor air of the design with its recirculation
    counts: CoolingCounts  # Units, duty and installed
    checks: tuple[Check, ...]  # Checks that hold at any weather
    # Air handlers on duty where the chilled water has the rise of their rating.
    usual_crahs: int = 0
