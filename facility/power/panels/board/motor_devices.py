"""Branch-circuit devices of motors, drives and compressors: inverse-time breakers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from facility.core.rounding import reaches, within
from facility.model.power.mechanical import Drive
from facility.physics.machines.motor_circuits import motor_conductor_current, motor_feeder_device

CONDUCTOR_FACTOR = 1.25
"""Ampacity over the current of a motor, of the input of a drive, and of a compressor."""

_LEAST_A = 15.0
"""Rating that no motor device is required to be below, 440.22(A)."""
_COMPRESSOR, _COMPRESSOR_MOST = 1.75, 2.25
"""Device over the rated-load current: usual, and where the compressor would not start."""
_MOTOR_MOST = 2.5
"""Inverse-time breaker over the full-load current, Table 430.52(C)(1)."""


@dataclass(frozen=True, slots=True)
class MotorDevice:
    """The device of a branch circuit, and the largest that is permitted [A]."""

    rating_a: float
    most_a: float


@dataclass(frozen=True, slots=True)
class MotorGroup:
    """Motors that a feeder supplies: those that run together."""

    load_a: float  # Their currents at their rated input, and other load [A]
    largest_a: float  # That of the largest motor [A]
    device: MotorDevice  # Of the branch circuit of the largest motor

    @property
    def rest_a(self) -> float:
        """Current of all but the largest motor [A]."""
        return self.load_a - self.largest_a

    @property
    def conductor_a(self) -> float:
        """Least ampacity of the conductors, 430.24 [A]."""
        return float(motor_conductor_current.si(self.largest_a, self.rest_a, CONDUCTOR_FACTOR))

    @property
    def least_device_a(self) -> float:
        """Rating that the largest motor starts behind with the others running [A]."""
        return float(motor_feeder_device.si(self.device.rating_a, self.rest_a))

    @property
    def most_device_a(self) -> float:
        """Largest rating that 430.62(A) permits [A]."""
        return float(motor_feeder_device.si(self.device.most_a, self.rest_a))


def motor_device(
    drive: Drive, current_a: float, code: str, sizes_a: Sequence[float]
) -> MotorDevice:
    """Return the device of the branch circuit of one unit.

    A drive ramps its motor: 125 % of its input, as its conductors. A compressor draws its starting
    current through the device: the largest rating up to 175 %, and at least 125 %. The IEC
    limits no device; In of a compressor is at least 125 % of Ib, that of a drive at least Ib.
    A unit beyond the largest rating has that, and a circuit that is refused.

    current_a: Rated current of the unit.
    sizes_a: Standard ratings, rising.
    """
    compressor = drive == "compressor"
    if code != "NEC":
        factor = CONDUCTOR_FACTOR if compressor else 1.0
        return MotorDevice(_least(sizes_a, factor * current_a), sizes_a[-1])
    of_motors = [a for a in sizes_a if reaches(a, _LEAST_A)]
    least_a = _least(of_motors, CONDUCTOR_FACTOR * current_a)
    if not compressor:
        # The next rating up is permitted where the percentage is not a standard one.
        return MotorDevice(least_a, _least(of_motors, _MOTOR_MOST * current_a))
    usual_a = _largest(of_motors, _COMPRESSOR * current_a)
    most_a = _largest(of_motors, _COMPRESSOR_MOST * current_a)
    return MotorDevice(max(least_a, usual_a), max(least_a, most_a))


def _least(sizes_a: Sequence[float], least_a: float) -> float:
    """Return the least standard rating from a current on; the largest where none is."""
    return next((a for a in sizes_a if reaches(a, least_a)), sizes_a[-1])


def _largest(sizes_a: Sequence[float], most_a: float) -> float:
    """Return the largest standard rating up to a current; the smallest where none is."""
    return max((a for a in sizes_a if within(a, most_a)), default=sizes_a[0])
