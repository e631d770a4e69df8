"""The economizer in SI: heat taken by outdoor air without compressors."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

EconomizerKind = Literal["none", "integrated-water-side", "air-side-direct", "air-side-indirect"]


@dataclass(frozen=True)
class EconomizerPlan:
    """An economizer.

    Attributes
    ----------
    kind : EconomizerKind
        None, exchanger ahead of the chillers, outdoor air let in, or an air-to-air exchanger.
    effectiveness : float
        Of the exchanger, on the chilled water or on the return air; 1 for outdoor air itself.
    least_water_c : float
        Coldest water that the heat rejection makes for the exchanger: towers must not freeze.
    coil_fan_ratio : float
        Fan power per heat of the free-cooling coil of air-cooled chillers.
    pad_effectiveness : float
        Of evaporative pads in the outdoor air; 0 without.
    fan_w_per_m3_s : float
        Power of the outdoor or scavenger fans for each flow of air.
    dew_point_min_c, dew_point_max_c : float
        Outdoor air that may enter the halls.
    """

    kind: EconomizerKind
    effectiveness: float = 1.0
    least_water_c: float = 0.0
    coil_fan_ratio: float = 0.0
    pad_effectiveness: float = 0.0
    fan_w_per_m3_s: float = 0.0
    dew_point_min_c: float = -40.0
    dew_point_max_c: float = 40.0

    @property
    def on_water(self) -> bool:
        """Whether it cools the chilled water."""
        return self.kind == "integrated-water-side"

    @property
    def on_air(self) -> bool:
        """Whether it cools the air of the halls."""
        return self.kind in ("air-side-direct", "air-side-indirect")


NO_ECONOMIZER = EconomizerPlan("none")
