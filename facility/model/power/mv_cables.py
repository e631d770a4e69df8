"""The medium-voltage cables: installation, lengths and protection, in SI."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

MvInstallation = Literal["duct", "air", "buried"]


@dataclass(frozen=True)
class MvCableBasis:
    """The medium-voltage cables: the inputs of `MvCableSection` in SI.

    `conductor_c` is the temperature that the ampacity is for. `grouped_circuits` is None for all
    that leave one switchgear; the circuits of utility and generators run apart. `pickup` is that
    of the relays over the load.
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
