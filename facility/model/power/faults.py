"""Short-circuit study: data of sources, transformers and conductors, in SI."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

Method = Literal["per-unit", "point-to-point", "iec-60909"]
Fuse = Literal["gG", "class J", "class T"]
SmallDevice = Literal["listed breaker", "type B", "type C", "gG", "class J", "class T", "by time"]
ArcEnergy = Literal[
    "maintenance switch", "zone interlocking", "differential relay", "arc mitigation", "none"
]
MINIATURE = ("type B", "type C")
"""Miniature circuit-breakers of energy-limiting class 3, EN 60898-1."""


@dataclass(frozen=True)
class VoltageFactors:
    """Pre-fault voltage / nominal voltage.

    `highest` and `lowest` are for the maximum and minimum currents of the per-unit and
    point-to-point methods, `low_voltage_tolerance` selects the column of IEC 60909.
    """

    highest: float
    lowest: float
    low_voltage_tolerance: float


@dataclass(frozen=True)
class SourceData:
    """Fault source data: the inputs of `FaultSection` in SI.

    `utility_minimum_va` is None if the minimum level is unknown; `utility_x_over_r` applies if
    the site does not specify it.
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
class LetThroughPoint:
    """Point of a manufacturer's curve: let-through energy up to a prospective current."""

    rating_a: float
    fault_a: float
    energy_a2s: float


@dataclass(frozen=True)
class EnergyLimits:
    """Let-through energy limits of devices up to `Clearing.molded_to_a`."""

    device: SmallDevice = "by time"
    breaking_a: float = 0.0  # Rated breaking capacity Icn of miniature breakers [A]
    points: tuple[LetThroughPoint, ...] = ()  # Curves of the devices
    # Back-up fuse upstream of the small devices, and its rating [A].
    backup: Fuse | None = None
    backup_a: float = 0.0

    @property
    def known(self) -> bool:
        """Whether the energy of any device may be known."""
        return bool(self.points) or self.backup is not None or self.device in _LIMITING


_LIMITING = (*MINIATURE, "gG", "class J", "class T")
_NO_LIMITS = EnergyLimits()


@dataclass(frozen=True)
class Clearing:
    """Short-circuit clearing times of overcurrent devices [s]; None if unknown.

    Miniature and molded-case breakers, up to `molded_to_a`, trip without intended delay at or above
    their instantaneous trip current.
    """

    other_s: float | None = None  # Of all other devices, utility devices included
    molded_s: float | None = None
    molded_to_a: float = 0.0
    limits: EnergyLimits = _NO_LIMITS
    # Of larger breakers above their instantaneous trip; None if `other_s` applies to them.
    power_s: float | None = None
    # Whether `molded_s` and `power_s` are assumed because no time is specified. The molded-case
    # value is then an upper bound, since many of them limit the current.
    assumed: bool = False
    # Time constant of the DC offset, which counts within assumed times (IEC) [s].
    offset_s: float = 0.0

    @property
    def known(self) -> bool:
        """Whether the clearing time or let-through energy of any device is known."""
        times_s = self.other_s, self.molded_s, self.power_s
        return self.limits.known or any(time_s is not None for time_s in times_s)

    def of(self, device_a: float | None) -> float | None:
        """Return the clearing time of a device of this rating at the maximum current.

        None is a device with unknown rating.
        """
        if device_a is None:
            return self.other_s
        own_s = self.power_s if device_a > self.molded_to_a else self.molded_s
        return self.other_s if own_s is None else own_s

    def times_s(self, device_a: float | None) -> tuple[float | None, float | None]:
        """Return this time, and the time at currents that may be below the instantaneous trip.

        The second is at least the time of the other devices; None if not specified.
        """
        found_s = self.of(device_a)
        if self.other_s is None or found_s is None:
            return found_s, None
        return found_s, max(self.other_s, found_s)


@dataclass(frozen=True)
class TripBasis:
    """Trip function data: the inputs of `FaultSection` in SI."""

    electronic_above_a: float  # Largest rating of a thermal-magnetic trip unit [A]
    ground_fault: bool  # Whether ground-fault protection is provided where the code requires it
    arc_energy: ArcEnergy  # Arc energy reduction downstream of large devices, NEC 240.87


@dataclass(frozen=True)
class FaultBasis:
    """Short-circuit study data: the inputs of `FaultSection` in SI.

    IEC 60909 has its own factor instead of the tolerances of transformers. Trips are relative to
    the device rating: instantaneous, and with intended delay. `ratings_a` holds interrupting
    ratings or SCCR by kind of equipment, if specified.
    """

    method: Method
    voltage: VoltageFactors
    sources: SourceData
    dry_transformer_tolerance: float
    transformer_zero: float
    cable_zero_resistance: float
    cable_zero_reactance: float
    clearing: Clearing
    trip_multiple: float | None
    delayed_trip_multiple: float | None
    ratings_a: Mapping[str, float]
    trips: TripBasis
    unused: tuple[str, ...] = ()  # Specified fields that the method does not use

    def trip_of(self, device_a: float) -> tuple[float | None, float]:
        """Return the trip current of a device of this rating, and its delay [A, s].

        Without intended delay the time is 0. None if trip or delay are not specified.
        """
        delayed = device_a > self.clearing.molded_to_a
        multiple = self.delayed_trip_multiple if delayed else self.trip_multiple
        delay_s = self.clearing.other_s if delayed else 0.0
        if multiple is None or delay_s is None:
            return None, 0.0
        return multiple * device_a, delay_s
