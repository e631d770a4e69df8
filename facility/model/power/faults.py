"""The short-circuit study: what is known of sources, transformers and conductors, in SI."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

Method = Literal["per-unit", "point-to-point", "iec-60909"]


@dataclass(frozen=True)
class VoltageFactors:
    """The voltage before the fault over the nominal one.

    Attributes
    ----------
    highest, lowest : float
        For the highest and the lowest currents of the per-unit and point-to-point methods.
    low_voltage_tolerance : float
        0.06 or 0.10: column of the voltage factor of IEC 60909 up to 1000 V.
    """

    highest: float
    lowest: float
    low_voltage_tolerance: float


@dataclass(frozen=True)
class SourceData:
    """Utility, generators, motors and UPS as sources of fault current.

    Attributes
    ----------
    utility_minimum_va : float or None
        Lowest fault level of the utility [VA]; None where none is known.
    utility_x_over_r : float
        X/R of the utility, for where the site does not give it.
    utility_zero : float
        Z0 over Z1 of the utility.
    generator_reactance : float
        X"d per unit of the rating.
    generator_x_over_r, generator_zero : float
        X/R of the generator; Z0 over its subtransient impedance.
    generator_sustained : float
        Sustained three-phase current over the rated one.
    motor_multiple, motor_x_over_r, motor_share : float
        First-cycle current of motors over their rated one; X/R; share of the mechanical load that
        is on motors without drives.
    ups_multiple, ups_duration_s : float
        Current of a UPS on inverter over the rated one, and how long it is held [s].
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
    """The short-circuit study.

    Attributes
    ----------
    method : str
        ``"per-unit"``, ``"point-to-point"`` or ``"iec-60909"``.
    voltage : VoltageFactors
        Voltage before the fault.
    sources : SourceData
        What feeds the fault.
    transformer_tolerance, dry_transformer_tolerance : float
        How far the impedance of MV/LV and of PDU transformers may lie from the nameplate. IEC
        60909 has its own factor instead.
    transformer_zero : float
        Z0 over Z1 of a transformer with a grounded winding.
    cable_zero_resistance, cable_zero_reactance : float
        R0 over R1 and X0 over X1 of conductors with their return path.
    clearing_s : float or None
        Clearing time of the overcurrent devices; None where not stated [s].
    trip_multiple : float or None
        Instantaneous trip of branch breakers over their rating; None where not stated.
    ratings_a : Mapping[str, float]
        Interrupting rating or SCCR by kind of equipment, where stated [A].
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
