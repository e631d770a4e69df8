"""The short-circuit study: what is known of sources, transformers and conductors, in SI."""

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
class LetThroughPoint:
    """One point of a manufacturer's curve: energy of a device up to a prospective current."""

    rating_a: float
    fault_a: float
    energy_a2s: float


@dataclass(frozen=True)
class EnergyLimits:
    """What limits the energy of a fault downstream of devices up to `Clearing.molded_to_a`."""

    device: SmallDevice = "by time"
    breaking_a: float = 0.0  # Rated breaking capacity Icn of miniature breakers [A]
    points: tuple[LetThroughPoint, ...] = ()  # Curves of the devices used
    # Back-up fuse ahead of the small devices, and its rating [A].
    backup: Fuse | None = None
    backup_a: float = 0.0

    @property
    def known(self) -> bool:
        """Whether some energy may be known of a device."""
        return bool(self.points) or self.backup is not None or self.device in _LIMITING


_LIMITING = (*MINIATURE, "gG", "class J", "class T")
_NO_LIMITS = EnergyLimits()


@dataclass(frozen=True)
class Clearing:
    """How fast overcurrent devices clear a short circuit [s]; None where not known.

    Miniature and molded-case breakers, up to `molded_to_a`, trip without intended delay where the
    current is not below their instantaneous trip.
    """

    other_s: float | None = None  # Of all other devices, those of the utility among them
    molded_s: float | None = None
    molded_to_a: float = 0.0
    limits: EnergyLimits = _NO_LIMITS
    # Of larger breakers above their instantaneous trip; None where `other_s` counts for them.
    power_s: float | None = None
    # Whether `molded_s` and `power_s` are assumed for want of any stated time. That of molded-case
    # breakers is then an upper bound, for many of them limit the current.
    assumed: bool = False
    # Time constant of the offset of the fault current, which counts within assumed times (IEC) [s].
    offset_s: float = 0.0

    @property
    def known(self) -> bool:
        """Whether the time, or the let-through energy, of any device is known."""
        times_s = self.other_s, self.molded_s, self.power_s
        return self.limits.known or any(time_s is not None for time_s in times_s)

    def of(self, device_a: float | None) -> float | None:
        """Return the time of a device of this rating at the highest current.

        None is a device whose rating is not known.
        """
        if device_a is None:
            return self.other_s
        own_s = self.power_s if device_a > self.molded_to_a else self.molded_s
        return self.other_s if own_s is None else own_s

    def times_s(self, device_a: float | None) -> tuple[float | None, float | None]:
        """Return that time, and the one where the current may be below the instantaneous trip.

        The latter is no faster than that of the other devices; None where that is not stated.
        """
        found_s = self.of(device_a)
        if self.other_s is None or found_s is None:
            return found_s, None
        return found_s, max(self.other_s, found_s)


@dataclass(frozen=True)
class TripBasis:
    """Trip functions of the overcurrent devices: the inputs of `FaultSection` in SI."""

    electronic_above_a: float  # Largest rating of a thermal-magnetic trip unit [A]
    ground_fault: bool  # Whether ground-fault protection is provided where the code requires it
    arc_energy: ArcEnergy  # How the arc energy behind large devices is reduced, NEC 240.87


@dataclass(frozen=True)
class FaultBasis:
    """The short-circuit study: the inputs of `FaultSection` in SI.

    IEC 60909 has a factor of its own in place of the tolerances of transformers. The trips are over
    the rating of a device: instantaneous, and of those that trip with intended delay. `ratings_a`
    holds interrupting ratings or SCCR by kind of equipment, where stated.
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
    unused: tuple[str, ...] = ()  # Names of stated fields that the method does not know

    def trip_of(self, device_a: float) -> tuple[float | None, float]:
        """Return the current that trips a device of this rating, and in what time [A, s].

        Without intended delay the time is 0. None where the trip, or its delay, is not stated.
        """
        delayed = device_a > self.clearing.molded_to_a
        multiple = self.delayed_trip_multiple if delayed else self.trip_multiple
        delay_s = self.clearing.other_s if delayed else 0.0
        if multiple is None or delay_s is None:
            return None, 0.0
        return multiple * device_a, delay_s
