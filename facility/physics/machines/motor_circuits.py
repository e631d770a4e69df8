"""Circuits of motors and hermetic compressors: their conductors and overcurrent devices."""

from __future__ import annotations

from facility.core.equation import equation
from facility.core.kinds import Current, Ratio
from facility.core.sources import Source

_MOTORS = Source("nec-430", "430.24", "2017, 2020 and 2023", "secondary")
_DEVICES = Source("nec-430", "430.62(A)", "2017, 2020 and 2023", "secondary")


@equation("I_z", r"k I_1 + I_r", _MOTORS, excel="{factor}*{largest_a}+{rest_a}")
def motor_conductor_current(largest_a: Current, rest_a: Current, factor: Ratio) -> Current:
    """Return the minimum ampacity of conductors that supply motors.

    125 % of the full-load current of the largest motor and 100 % of the others; of one motor
    430.22, of a compressor 440.32, of the input of a drive 430.122. The minimum circuit ampacity
    (MCA) on a nameplate is this sum.

    largest_a: full-load current of the largest motor.
    rest_a: full-load currents of the others that run with it, and other load.
    factor: on the largest motor, 1.25.
    """
    return factor * largest_a + rest_a


@equation("I_{max}", r"I_d + I_r", _DEVICES, excel="{branch_device_a}+{rest_a}")
def motor_feeder_device(branch_device_a: Current, rest_a: Current) -> Current:
    """Return the largest rating of the device of a feeder of motors.

    The largest branch-circuit device permitted for any of its motors, and the full-load currents
    of the others. With 225 % of the largest compressor in place of its device this is the maximum
    overcurrent protection (MOP) on a nameplate.

    branch_device_a: largest rating permitted for the branch circuit of a motor.
    rest_a: full-load currents of the other motors that run with it, and other load.
    """
    return branch_device_a + rest_a
