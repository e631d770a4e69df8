"""Dynamic load: a training job in the design, its smoothing, and grid sags."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from facility.core.errors import FacilityError
from facility.core.rounding import ROUNDING
from facility.core.table import Results
from facility.physics.facility.load_motion import (
    averaging_energy,
    averaging_time,
    dip_averaging_time,
    installed_energy,
    storage_swing,
)
from facility.study.equipped import equipped
from facility.study.figures import Figures
from facility.study.studies import StudyContext
from facility.study.transient.load.checks import motion_checks
from facility.study.transient.load.figures import (
    AtUtility,
    annual_figures,
    band_figures,
    flicker_figures,
    generator_figures,
    point_figures,
    sag_figures,
)
from facility.study.transient.load.points import monitoring_points, utility_profile
from facility.study.transient.load.result import LoadStudy
from facility.study.transient.load.sags import ride_sags
from facility.study.transient.load.shapes import shape_of

_PART_A_MINUTE = 0.10
_LONGER, _MAX_TRIES = 1.25, 40


@equipped
def load_motion(design: StudyContext) -> LoadStudy:
    """Return the training job of a design at rack, UPS, generators and utility.

    The IT load follows the phases of the job, or a measured record; the losses of the power chain
    follow it, the cooling does not. A storage at the utility meter supplies the difference between
    the load and its moving average.

    Parameters
    ----------
    design : Design
        The design; its project specifies the job, the utility limits, the storage and the UPS.

    Raises
    ------
    FacilityError
        ``JOB_TIMES``, ``LOAD_STEADY``, ``POWER_COLUMNS``, ``POWER_ROW``, ``POWER_RECORD``,
        ``FILE_UNREADABLE``, ``FILE_TOO_LARGE``.

    Examples
    --------
    >>> import facility
    >>> few = {"schema_version": 1, "it": {"gpu_model": "H100 SXM5", "gpus": 64}}
    >>> study = facility.load_motion(facility.design(facility.project(few)))
    >>> study.results["swing.utility"].kind
    'active_power'
    """
    motion = design.facility.motion
    load = AtUtility(design, shape_of(motion.job, design.it.it_w, design.facility.load.training))
    found = Figures(design.trace.draft())
    _needed_for_the_ramp(load, found)
    needed_s = _window(load, found)
    _storage(found)
    built_s = _window_as_built(design, found)
    window_s = needed_s if built_s is None else built_s
    before, after = load.before(window_s), load.after(window_s)
    storage = load.smooth("scene", window_s)
    points = tuple(monitoring_points(design, load.shape.profile("scene", window_s)))
    ride = ride_sags(motion.sags)
    point_figures(points, before, after, storage, found)
    band_figures(motion, before, after, found)
    annual_figures(load, window_s, found)
    flicker_figures(load, found)
    generator_figures(design, found)
    sag_figures(design, ride, found)
    study = LoadStudy(
        title=load.shape.title,
        motion=motion,
        points=points,
        storage=storage,
        before=before,
        after=after,
        sees_hz=load.sees_hz,
        ride=ride,
        results=Results(found.results),
        checks=(),
        trace=found.trace,
    )
    return replace(study, checks=tuple(motion_checks(design, study)))


def _needed_for_the_ramp(load: AtUtility, found: Figures) -> None:
    """Record swing and ramp of the load, and the averaging time for the ramp limit."""
    motion = load.design.facility.motion
    levels = load.load("scene", 0.0).values
    highest_w = found.figure("swing.highest", float(levels.max()))
    lowest_w = found.figure("swing.lowest", float(levels.min()))
    if highest_w - lowest_w <= ROUNDING * highest_w:
        raise FacilityError(
            "LOAD_STEADY",
            "it.job",
            f"the load at the utility is constant: {highest_w / 1e3:,.1f} kW.",
            "Enter phases of different power, or a record with a variable load.",
        )
    of = {"highest": "swing.highest", "lowest": "swing.lowest"}
    found.figure("swing.utility", highest_w - lowest_w, **of)
    if motion.smoothing.ramp_w_s is not None:
        ramp, words, at = motion.smoothing.ramp_w_s, "stated", "power.smoothing.ramp"
    elif motion.limits.ramp_w_s is not None:
        ramp, words, at = motion.limits.ramp_w_s, "utility limit", "site.grid.ramp_limit"
    else:
        ramp, at = _PART_A_MINUTE * highest_w / 60.0, "swing.highest"
        words = "no limit is stated: 10 % of the maximum power per minute"
    own = load.load("scene", 0.0).ramp
    if own <= ramp:
        ramp, words = (own, f"ramp of the load itself ({words}): no storage required for the ramp")
    found.note("swing.storage.ramp", ramp, "power_ramp", words, stated=at)
    of = {"swing_w": "swing.utility", "efficiency": "power.smoothing.efficiency"}
    found.do("swing.storage.power", storage_swing, **of)
    found.trace.do(
        "swing.storage.window.ramp",
        averaging_time,
        "for the ramp",
        swing_w="swing.storage.power",
        ramp_w_s="swing.storage.ramp",
    )


def _window(load: AtUtility, found: Figures) -> float:
    """Return the averaging time of the load that meets all stated limits."""
    window_s, because = found.trace.value("swing.storage.window.ramp"), "for the ramp"
    inputs = {"ramp": "swing.storage.window.ramp"}
    if not _holds(load, window_s):
        because = "for peak-to-peak and band limits: whole steps"
        period_s = load.shape.period_s
        window_s = max(window_s, _window_of_a_checkpoint(load, found))
        inputs["range"] = "swing.storage.window.range"
        for _ in range(_MAX_TRIES):
            window_s = float(np.ceil(window_s / period_s)) * period_s
            if _holds(load, window_s):
                break
            window_s *= _LONGER
    found.note("swing.storage.window", window_s, "time", because, **inputs)
    return window_s


def _window_of_a_checkpoint(load: AtUtility, found: Figures) -> float:
    """Return the averaging time for which a checkpoint meets the peak-to-peak limit."""
    motion = load.design.facility.motion
    if motion.limits.range_w is None or load.shape.measured:
        return 0.0
    idle = load.step.mapped(np.full_like(load.step.values, motion.job.checkpoint))
    low_w = float(utility_profile(load.design, idle).values[0])
    found.trace.derive(
        "swing.checkpoint",
        max(0.0, load.step.mean - low_w),
        "active_power",
        "depth of a checkpoint",
    )
    found.trace.do(
        "swing.checkpoint.lossy",
        storage_swing,
        "losses included",
        swing_w="swing.checkpoint",
        efficiency="power.smoothing.efficiency",
    )
    return float(
        found.trace.do(
            "swing.storage.window.range",
            dip_averaging_time,
            "for a checkpoint",
            depth_w="swing.checkpoint.lossy",
            duration_s=motion.job.checkpoint_s + motion.job.edge_s,
            range_w="site.grid.range_limit",
        )
    )


def _holds(load: AtUtility, window_s: float) -> bool:
    """Return whether the stated peak-to-peak and band limits are met with an averaging time."""
    limits = load.design.facility.motion.limits
    if limits.range_w is None and limits.band is None:
        return True
    after = load.after(window_s)
    share = after.share(limits.band_from_hz, limits.band_to_hz)
    return (limits.range_w is None or after.range_w <= limits.range_w) and (
        limits.band is None or share <= limits.band
    )


def _storage(found: Figures) -> None:
    """Record the required storage energy."""
    of = {"swing_w": "swing.storage.power", "window_s": "swing.storage.window"}
    found.do("swing.storage.energy", averaging_energy, **of)
    of = {"energy_j": "swing.storage.energy", "usable": "power.smoothing.usable"}
    found.do("swing.storage.nominal", installed_energy, **of)
    energy_j, power_w = (found.trace.value(f"swing.storage.{of}") for of in ("energy", "power"))
    of = {"energy": "swing.storage.energy", "power": "swing.storage.power"}
    found.figure("swing.storage.duration", energy_j / power_w, **of)


def _window_as_built(design: StudyContext, found: Figures) -> float | None:
    """Return the averaging time of the as-built storage; None without one."""
    smoothing = design.facility.motion.smoothing
    if smoothing.energy_j is None:
        return None
    power_w = found.trace.value("swing.storage.power")
    return found.note(
        "swing.storage.window.built",
        2.0 * smoothing.energy_j * smoothing.usable / power_w,
        "time",
        "averaging time of the as-built energy: twice the usable energy divided by the power",
        energy="power.smoothing.energy",
        usable="power.smoothing.usable",
        power="swing.storage.power",
    )
