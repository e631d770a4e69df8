"""Conductors: material, insulation, installation and lengths, in SI."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from facility.model.power.mv_cables import MvCableBasis

INSULATION_C = {
    "THHN/THWN-2": 90.0,
    "XHHW-2": 90.0,
    "THWN": 75.0,
    "THW": 75.0,
    "PVC": 70.0,
    "XLPE": 90.0,
}
"""Temperature rating of each insulation [degC]; the last two are IEC types."""


@dataclass(frozen=True)
class ConductorBasis:
    """Conductor data: the inputs of `ConductorSection` in SI.

    `insulation` is a key of `INSULATION_C`, `insulation_c` its rating; under the IEC also the
    `termination_c`. `raceway` is empty in the IEC, `method` and `arrangement` in the NEC.
    `grouped_circuits` is None for all circuits of one type that leave the same board,
    `branch_length_m` None for the route in the hall. `ambient_by_table` selects the bands of the
    NEC table, otherwise its equation. `frequency_hz` is the site frequency, None for the table
    frequency. `mechanical_device_a` is the largest feeder device of a mechanical board,
    `largest_pump_w` the electrical input of the largest pump. `transformer_outdoors` is whether the
    conductors from the MV/LV transformers run outdoors up to the point of entrance.
    """

    material: Literal["cu", "al"]
    insulation: str
    insulation_c: float
    termination_c: float
    ambient_c: float
    raceway: str
    method: str
    largest_size: str
    neutral_counted: bool
    grouped_circuits: int | None
    transformer_length_m: float
    set_length_m: float
    generator_length_m: float
    ups_length_m: float
    feeder_length_m: float
    panel_length_m: float
    mechanical_length_m: float
    branch_length_m: float | None
    unit_length_m: float
    mechanical_device_a: float
    largest_pump_w: float
    parallel_sets: int = 8
    arrangement: str = ""
    trays: int = 1
    ambient_by_table: bool = True
    frequency_hz: float | None = None
    mv: MvCableBasis | None = None
    transformer_outdoors: bool = True

    def reactance_factor(self, table_hz: float) -> float:
        """Return the ratio of reactance to that at the table frequency: X = 2 pi f L."""
        return 1.0 if self.frequency_hz is None else self.frequency_hz / table_hz

    def reactance_hz(self, table_hz: float) -> float:
        """Return the frequency of the reactance, for a table at `table_hz`."""
        return self.frequency_hz or table_hz
