"""Dynamic load: ramp-limiting storage, voltage effect of a swing, job failure interval."""

from __future__ import annotations

import numpy as np

from facility.core.equation import equation
from facility.core.kinds import (
    ActivePower,
    ApparentPower,
    Count,
    Energy,
    Fraction,
    PowerRamp,
    Ratio,
    Time,
)
from facility.core.sources import DERIVED, Source

_INTERRUPTIONS = Source(
    "llama-3-interruptions", "419 unexpected interruptions in 54 days", "2024", "secondary"
)
_FLICKER = Source("iec-61000-3-3", "analytical method of flicker", "2013", "memory")

LLAMA_GPUS, LLAMA_S, LLAMA_FAILURES = 16_384, 54.0 * 86_400.0, 419
FLICKER_S = 600.0
"""Time over which short-term flicker is judged [s]."""
_FLICKER_FACTOR, _FLICKER_POWER = 2.3, 3.2


@equation("w", r"\frac{\Delta P}{r}", DERIVED)
def averaging_time(swing_w: ActivePower, ramp_w_s: PowerRamp) -> Time:
    """Return the averaging time that limits a load change to a ramp.

    The mean of the last `w` seconds changes by `(p(t) - p(t - w)) / w`, and two values of a load
    are never further apart than its swing.

    swing_w: peak-to-peak power.
    ramp_w_s: required ramp limit.
    """
    return swing_w / ramp_w_s


@equation("w", r"\frac{\Delta P_d\,t_d}{D}", DERIVED)
def dip_averaging_time(depth_w: ActivePower, duration_s: Time, range_w: ActivePower) -> Time:
    """Return the averaging time that limits the effect of a load dip to a range.

    A dip of depth `d` that lasts `t` takes `d t / w` from a mean over `w`, where `w` is longer.

    depth_w, duration_s: the dip.
    range_w: how far the mean may move.
    """
    return depth_w * duration_s / range_w


@equation("\\Delta P'", r"\frac{\Delta P}{\sqrt{\eta}}", DERIVED)
def storage_swing(swing_w: ActivePower, efficiency: Fraction) -> ActivePower:
    """Return the load swing, including the losses of the smoothing storage.

    Discharge requires more stored energy; half of the round-trip loss applies to the
    way out. The grid makes up for it, so that it is part of the load that is averaged.

    swing_w: peak-to-peak load power.
    efficiency: of charging and discharging together.
    """
    return swing_w / np.sqrt(efficiency)


@equation("E", r"\frac{\Delta P'\,w}{2}", DERIVED)
def averaging_energy(swing_w: ActivePower, window_s: Time) -> Energy:
    r"""Return the usable energy of a storage that averages any load of a swing over a time.

    What it lacks of being full is :math:`\int_0^w p(t-u)(1-u/w)\,du` less the least that this can
    be: with a load between two levels never more than half of their difference over `w`, and a step
    between them needs all of it. With :math:`w = \Delta P/r` it is :math:`\Delta P^2/(2r)`, the
    triangle between a step and its ramp.

    swing_w: peak-to-peak power, including storage losses.
    window_s: time averaged over.
    """
    return swing_w * window_s / 2.0


@equation("E_i", r"\frac{E}{u}", DERIVED)
def installed_energy(energy_j: Energy, usable: Fraction) -> Energy:
    """Return the nominal energy of a storage from its usable energy.

    energy_j: usable energy.
    usable: part of the nominal energy between its highest and lowest state of charge.
    """
    return energy_j / usable


@equation("d", r"\frac{\Delta P}{S''_k}", DERIVED)
def voltage_change(swing_w: ActivePower, fault_level_va: ApparentPower) -> Fraction:
    """Return the maximum relative voltage change of a load step.

    The change is the step times the impedance of the grid, projected on the voltage; here all of it
    counts, as where the angle of the load is that of the impedance.

    swing_w: step of the load.
    fault_level_va: fault level where it is connected.
    """
    return swing_w / fault_level_va


@equation(
    "P_{st}",
    r"\left(\frac{n\cdot 2.3\,(100\,d)^{3.2}}{600}\right)^{1/3.2}",
    _FLICKER,
    empirical="fit to the curve of equal severity of rectangular changes",
)
def flicker_severity(change: Fraction, changes: Ratio) -> Ratio:
    """Return the short-term flicker severity of equal steps of the voltage.

    Each step counts for 2.3 s times its size in percent to the power 3.2, of ten minutes. The
    method is meant for steps a second and more apart, and within 4 % of the curve there; of faster
    ones it says too much, 1.5 times at 27 a second.

    change: relative change of the voltage.
    changes: steps in ten minutes.
    """
    return (changes * _FLICKER_FACTOR * (100.0 * change) ** _FLICKER_POWER / FLICKER_S) ** (
        1.0 / _FLICKER_POWER
    )


@equation(
    "t_f",
    r"\frac{54\,\mathrm{d}}{419}\,\frac{16384}{n}",
    _INTERRUPTIONS,
    empirical="one training run of 54 days, whose length is a constant of it",
)
def failure_interval(gpus: Count) -> Time:
    """Return the mean time between failures of a synchronous job, scaled from one large run.

    16,384 GPUs were interrupted unexpectedly 419 times in 54 days; fewer GPUs fail the less often.

    gpus: in the job.
    """
    return LLAMA_S / LLAMA_FAILURES * LLAMA_GPUS / gpus
