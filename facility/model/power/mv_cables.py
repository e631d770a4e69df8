"""Medium-voltage cables: installation, lengths and protection, in SI."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

MvInstallation = Literal["duct", "air", "buried"]


@dataclass(frozen=True)
class MvCableBasis:
    """Medium-voltage cable data: the inputs of `MvCableSection` in SI.

    `conductor_c` is the conductor temperature at the ampacity. `grouped_circuits` is None for all
    circuits that leave one switchgear; utility and generator circuits run separately. `pickup` is
    relay pickup / load.
    """

    material: Literal["cu", "al"]
    conductor_c: float
    installation: MvInstallation
    ambient_c: float
    grouped_circuits: int | None
    correction: float
    largest_size: str
    parallel_sets: int
    service_length_m: float
    transformer_length_m: float
    generator_length_m: float
    clearing_s: float
    pickup: float
    pickup_stated: bool
