"""Dynamic load, resolved: inputs, and every default by name."""

from __future__ import annotations

from pathlib import Path

from facility.core.sources import DERIVED, RULE, Source
from facility.core.trace import Trace
from facility.model.inputs.document import Project
from facility.model.inputs.load_motion import (
    GridSection,
    JobSection,
    SmoothingSection,
    UpsSagSection,
)
from facility.model.load_motion import GridLimits, Job, LoadMotion, Sags, Smoothing
from facility.physics.facility.load_motion import failure_interval
from facility.power.it.load import ItLoad
from facility.study.resolve.reader import Reader

_NODE = Source("h100-training-power-study", "highest of an 8 x H100 node", "", "read")
_TRAY = Source("nvidia-tray-power", "900 of 5,640 W and 1,000 of 6,667 W", verified="secondary")
_HIGHEST_OF_RATING = 8.4 / 10.2
_MIN_OF_TRAY = 1000.0 / 6667.0
_DATASHEET = ("datasheet_maximum", "component_sum", "nameplate")


def resolve_load_motion(project: Project, load: ItLoad, trace: Trace) -> LoadMotion:
    """Return the job, the limits of the grid, smoothing and sags, complete.

    load: The IT load, with peak, idle power and GPUs for the defaults.
    """
    grid = Reader(project.site.grid or GridSection.unstated(), "site.grid", trace)
    smoothing = Reader(
        project.power.smoothing or SmoothingSection.unstated(), "power.smoothing", trace
    )
    section = project.it.job or JobSection.unstated()
    return LoadMotion(
        job=_job(section, project.site.folder, load, Reader(section, "it.job", trace)),
        limits=GridLimits(
            grid.given("ramp_limit"),
            grid.given("range_limit"),
            grid.given("band_limit"),
            grid("band_from"),
            grid("band_to"),
            grid.given("flicker_limit"),
        ),
        smoothing=Smoothing(
            smoothing.given("ramp"),
            smoothing("efficiency"),
            smoothing("usable"),
            smoothing.given("power"),
            smoothing.given("energy"),
        ),
        sags=_sags(project, grid, trace),
    )


def _job(section: JobSection, folder: Path, load: ItLoad, read: Reader) -> Job:
    communication = read("communication_power")
    file = None if section.power_file is None else folder / section.power_file
    return Job(
        compute=read("compute_power", *_compute(load)),
        communication=communication,
        idle=read("idle_power", *_idle(load)),
        checkpoint=read("checkpoint_power", communication, "same as the communication phase", RULE),
        peak=read("peak_power", load.peak_w / load.it_w, "short peak of the devices", DERIVED),
        peak_s=read("peak_time"),
        step_s=read("step_time"),
        communication_share=read("communication_share"),
        edge_s=read("edge"),
        checkpoint_every_s=read("checkpoint_every"),
        checkpoint_s=read("checkpoint_time"),
        failure_every_s=read(
            "failure_every",
            float(failure_interval.si(max(load.gpus, 1))),
            f"failure rate of one large run, scaled to {load.gpus:,} GPUs",
        ),
        restart_s=read("restart_time"),
        start_s=read("start_ramp"),
        power_file=file,
        full_w=read.given("full_power"),
    )


def _compute(load: ItLoad) -> tuple[float, str, Source]:
    if load.basis in _DATASHEET:
        words = "maximum of a training node, 8.4 kW, over its data-sheet maximum of 10.2 kW"
        return _HIGHEST_OF_RATING, words, _NODE
    return 1.0, f"the {load.basis} power is assumed for the compute phase", RULE


def _idle(load: ItLoad) -> tuple[float, str, Source]:
    if load.idle_w is not None:
        return min(1.0, load.idle_w / load.it_w), "idle power of the devices", DERIVED
    words = (
        "minimum over maximum of a GB200 tray: 1,000 of 6,667 W in the newer device "
        "specification, 900 "
        "of 5,640 W in an older one"
    )
    return _MIN_OF_TRAY, words, _TRAY


def _sags(project: Project, grid: Reader, trace: Trace) -> Sags:
    section = project.power.ups.sags if project.power.ups is not None else None
    counter = section or UpsSagSection.unstated()
    read = Reader(counter, "power.ups.sags", trace)
    return Sags(
        count=grid.count("sags"),
        within_s=grid("sags_within"),
        each_s=grid("sag_time"),
        events=read.count("events"),
        events_within_s=read("events_within"),
        retransfer_s=read("retransfer"),
        counter_stated=counter.events is not None and counter.events_within is not None,
    )
