"""Branch-circuit devices of motors, drives and compressors: inverse-time breakers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from facility.core.rounding import reaches, within
from facility.model.power.mechanical import Drive
from facility.physics.machines.motor_circuits import motor_conductor_current, motor_feeder_device

CONDUCTOR_FACTOR = 1.25
"""Ampacity / current of a motor, a drive input, and a compressor."""

_MIN_A = 15.0
"""Rating below which no motor device is required to be, 440.22(A)."""
_COMPRESSOR, _COMPRESSOR_MAX = 1.75, 2.25
"""Device / rated-load current: standard, and if the compressor cannot start."""
_MOTOR_MAX = 2.5
"""Inverse-time breaker / full-load current, Table 430.52(C)(1)."""


@dataclass(frozen=True, slots=True)
class MotorDevice:
    """Branch-circuit device, and its maximum permitted rating [A]."""

    rating_a: float
    max_a: float


@dataclass(frozen=True, slots=True)
class MotorGroup:
    """Motors on a feeder that run simultaneously."""

    load_a: float  # Total rated input current, and other load [A]
    largest_a: float  # Current of the largest motor [A]
    device: MotorDevice  # Branch-circuit device of the largest motor

    @property
    def rest_a(self) -> float:
        """Current of all except the largest motor [A]."""
        return self.load_a - self.largest_a

    @property
    def conductor_a(self) -> float:
        """Minimum ampacity of the conductors, 430.24 [A]."""
        return float(motor_conductor_current.si(self.largest_a, self.rest_a, CONDUCTOR_FACTOR))

    @property
    def min_device_a(self) -> float:
        """Minimum device rating to start the largest motor with the others running [A]."""
        return float(motor_feeder_device.si(self.device.rating_a, self.rest_a))

    @property
    def max_device_a(self) -> float:
        """Maximum rating permitted by 430.62(A) [A]."""
        return float(motor_feeder_device.si(self.device.max_a, self.rest_a))


def motor_device(
    drive: Drive, current_a: float, code: str, sizes_a: Sequence[float]
) -> MotorDevice:
    """Return the branch-circuit device of one unit.

    A drive ramps its motor: 125 % of its input, as for its conductors. A compressor draws its
    starting current through the device: the largest rating up to 175 %, and at least 125 %. The IEC
    does not limit the device; In of a compressor is at least 125 % of Ib, In of a drive at least
    Ib. A unit above the largest rating uses that rating, and its circuit is rejected.

    current_a: Rated current of the unit.
    sizes_a: Standard ratings, rising.
    """
    compressor = drive == "compressor"
    if code != "NEC":
        factor = CONDUCTOR_FACTOR if compressor else 1.0
        return MotorDevice(_smallest(sizes_a, factor * current_a), sizes_a[-1])
    of_motors = [a for a in sizes_a if reaches(a, _MIN_A)]
    min_a = _smallest(of_motors, CONDUCTOR_FACTOR * current_a)
    if not compressor:
        # The next higher rating is permitted if the percentage is not a standard rating.
        return MotorDevice(min_a, _smallest(of_motors, _MOTOR_MAX * current_a))
    usual_a = _largest(of_motors, _COMPRESSOR * current_a)
    max_a = _largest(of_motors, _COMPRESSOR_MAX * current_a)
    return MotorDevice(max(min_a, usual_a), max(min_a, max_a))


def _smallest(sizes_a: Sequence[float], min_a: float) -> float:
    """Return the lowest standard rating of at least a current; the largest if none."""
    return next((a for a in sizes_a if reaches(a, min_a)), sizes_a[-1])


def _largest(sizes_a: Sequence[float], max_a: float) -> float:
    """Return the largest standard rating of at most a current; the smallest if none."""
    return max((a for a in sizes_a if within(a, max_a)), default=sizes_a[0])
