"""The economizer in SI: heat removal by outdoor air without compressors."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

EconomizerKind = Literal["none", "integrated-water-side", "air-side-direct", "air-side-indirect"]


@dataclass(frozen=True)
class EconomizerPlan:
    """Economizer: inputs of `EconomizerSection` in SI, with defaults.

    `effectiveness` is 1 for direct outdoor air, `pad_effectiveness` 0 without pads, whose water is
    replaced at `pad_cycles` of concentration.
    `min_water_c` is the minimum water temperature of the heat rejection for the exchanger: towers
    must not freeze. `coil_fan_ratio` is fan power per heat of the free-cooling coil of air-cooled
    chillers.
    """

    kind: EconomizerKind
    effectiveness: float = 1.0
    min_water_c: float = 0.0
    coil_fan_ratio: float = 0.0
    pad_effectiveness: float = 0.0
    pad_cycles: float = math.inf
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
