"""The short-circuit study: what is known of sources, transformers and conductors, in SI."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

Method = Literal["per-unit", "point-to-point", "iec-60909"]


@dataclass(frozen=True)
class VoltageFactors:
    """The voltage before the fault over the nominal one.

    `highest` and `lowest` are for the highest and the lowest currents of the per-unit and
    point-to-point methods, `low_voltage_tolerance` picks the column of IEC 60909.
    """

    highest: float
    lowest: float
    low_voltage_tolerance: float


@dataclass(frozen=True)
class SourceData:
    """Sources of fault current: the inputs of `FaultSection` in SI.

    `utility_minimum_va` is None where no lowest level is known; `utility_x_over_r` is for
    where the site does not give it.
    """

    utility_minimum_va: float | None
    utility_x_over_r: float
    utility_zero: float
    generator_reactance: float
    generator_x_over_r: float
    generator_zero: float
    generator_sustained: float
    motor_multiple: float
    motor_x_over_r: float
    motor_share: float
    ups_multiple: float
    ups_duration_s: float


@dataclass(frozen=True)
class FaultBasis:
    """The short-circuit study: the inputs of `FaultSection` in SI.

    IEC 60909 has a factor of its own in place of the tolerances of transformers. `ratings_a` holds
    interrupting ratings or SCCR by kind of equipment, where stated.
    """

    method: Method
    voltage: VoltageFactors
    sources: SourceData
    transformer_tolerance: float
    dry_transformer_tolerance: float
    transformer_zero: float
    cable_zero_resistance: float
    cable_zero_reactance: float
    clearing_s: float | None
    trip_multiple: float | None
    ratings_a: Mapping[str, float]
