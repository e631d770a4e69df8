"""Checks of load that moves: limits of the utility, generators, storage, sags."""

from __future__ import annotations

from collections.abc import Iterator

from facility.core.check import Check, Rule, Severity
from facility.core.sources import DERIVED, Source
from facility.core.views import show
from facility.power.backup.steps import iso_class, running_sets, step_limit
from facility.study.studies import Designed
from facility.study.transient.load.figures import AUTONOMY
from facility.study.transient.load.result import LoadStudy

_UTILITY = Source("project", "limits of the utility, as typed")
_ISO = Source("iso-8528-5", "performance classes", "2005")
_NERC = Source("nerc-large-load-2024", "counters of the UPS", "2025", "secondary")
_STORAGE = "Install the storage of swing.storage: power.smoothing.power and energy."
_LARGER = "Take a larger storage: power.smoothing.energy; or smooth the job itself."
RAMP = Rule("SWING-RAMP", "ramp of the load at the utility", Severity.WARNING, _UTILITY, _STORAGE)
RAMP_AFTER = Rule(
    "SWING-RAMP-STORAGE",
    "ramp of the load at the utility, with the storage",
    Severity.VIOLATION,
    _UTILITY,
    _LARGER,
)
RANGE = Rule(
    "SWING-RANGE",
    "highest less lowest power at the utility while the job runs",
    Severity.WARNING,
    _UTILITY,
    _STORAGE,
)
RANGE_AFTER = Rule(
    "SWING-RANGE-STORAGE",
    "highest less lowest power at the utility while the job runs, with the storage",
    Severity.VIOLATION,
    _UTILITY,
    _LARGER,
)
BAND = Rule(
    "SWING-BAND",
    "energy of the load in the band that the utility watches",
    Severity.WARNING,
    _UTILITY,
    _STORAGE,
)
BAND_AFTER = Rule(
    "SWING-BAND-STORAGE",
    "energy of the load in the band that the utility watches, with the storage",
    Severity.VIOLATION,
    _UTILITY,
    _LARGER,
)
FLICKER = Rule(
    "SWING-FLICKER",
    "short-term flicker of the steps, estimate without the storage",
    Severity.WARNING,
    Source("iec-61000-3-3", "analytical method", "2013", "memory"),
    "Smooth the steps, or connect where the fault level is higher.",
)
ENERGY = Rule(
    "SWING-STORAGE-ENERGY",
    "nominal energy of the storage as built",
    Severity.VIOLATION,
    DERIVED,
    "Take a larger storage: power.smoothing.energy.",
)
POWER = Rule(
    "SWING-STORAGE-POWER",
    "power of the storage as built",
    Severity.VIOLATION,
    DERIVED,
    "Take a stronger storage: power.smoothing.power.",
)
GENERATOR_STEP = Rule(
    "SWING-GENERATOR-STEP",
    "swing of the job on the generators",
    Severity.WARNING,
    _ISO,
    "Cap the job on generators, have more sets on the bus, or smooth it before them.",
)
GENERATOR_RECOVERY = Rule(
    "SWING-GENERATOR-RECOVERY",
    "time between two swings of the job on the generators",
    Severity.ADVICE,
    _ISO,
    "The frequency is not back when the next swing comes: cap the job on generators, or show with "
    "the maker that governor and alternator bear it.",
)
LOCKOUT = Rule(
    "SAG-STAYS-OFF",
    "load is back on the utility after sags in a row",
    Severity.WARNING,
    _NERC,
    "Ask what the counter of the UPS is set to, and have it let the load return.",
)
BATTERY = Rule(
    "SAG-BATTERY",
    "battery time used by sags in a row",
    Severity.VIOLATION,
    DERIVED,
    "Take larger batteries, a shorter retransfer, or start the generators sooner.",
)
_COUNTER = "what the counter of the UPS is set to is not stated (power.ups.sags)"


def motion_checks(design: Designed, study: LoadStudy) -> Iterator[Check]:
    """Yield the checks of a study."""
    yield from _utility_checks(study)
    yield _flicker(design, study)
    yield from _storage_checks(study)
    yield from _generator_checks(design, study)
    yield from _sag_checks(design, study)


def _utility_checks(study: LoadStudy) -> Iterator[Check]:
    limits, before, after = study.motion.limits, study.before, study.after
    judged: tuple[tuple[Rule, Rule, str, float | None, str, float, float], ...] = (
        (
            RAMP,
            RAMP_AFTER,
            "site.grid.ramp_limit",
            limits.ramp_w_s,
            "power_ramp",
            before.ramp_w_s,
            after.ramp_w_s,
        ),
        (
            RANGE,
            RANGE_AFTER,
            "site.grid.range_limit",
            limits.range_w,
            "active_power",
            before.range_w,
            after.range_w,
        ),
    )
    for rule, with_storage, field, limit, kind, found, left in judged:
        yield _judged(rule, field, limit, kind, found)
        yield _judged(with_storage, field, limit, kind, left, _power_short(study))
    unseen = ""
    if study.sees_hz < limits.band_to_hz:
        unseen = f"the record shows nothing above {study.sees_hz:.3g} Hz"
    for rule, state, short in ((BAND, before, ""), (BAND_AFTER, after, _power_short(study))):
        share = state.share(limits.band_from_hz, limits.band_to_hz)
        yield _judged(rule, "site.grid.band_limit", limits.band, "fraction", share, unseen or short)


def _judged(
    rule: Rule, field: str, limit: float | None, kind: str, value: float, unknown: str = ""
) -> Check:
    """Return the check of a limit of the utility, where it states one."""
    if limit is None:
        words = f"the utility states no limit ({field}); the load has {show(value, kind)}"
        return rule.not_evaluated("utility", words)
    if unknown:
        return rule.not_evaluated("utility", unknown)
    return rule.compare("utility", value, "<=", limit, kind)


def _power_short(study: LoadStudy) -> str:
    """Return why the storage as built cannot follow the load; empty where it can."""
    given_w = study.motion.smoothing.power_w
    if given_w is None or given_w >= float(study.results["swing.storage.power"].si):
        return ""
    return "the storage as built has not the power that the load swings: see SWING-STORAGE-POWER"


def _flicker(design: Designed, study: LoadStudy) -> Check:
    limit, found = study.motion.limits.flicker, study.results.get("swing.flicker")
    if found is None:
        unknown = "site.fault_level" if design.facility.site.fault_level_va is None else "step_time"
        return FLICKER.not_evaluated("utility", f"{unknown} is not known of this load and place")
    return _judged(FLICKER, "site.grid.flicker_limit", limit, "ratio", float(found.si))


def _storage_checks(study: LoadStudy) -> Iterator[Check]:
    """Yield the checks of a storage as built; what is sized here is what is needed."""
    smoothing = study.motion.smoothing
    for rule, given, key in (
        (ENERGY, smoothing.energy_j, "swing.storage.nominal"),
        (POWER, smoothing.power_w, "swing.storage.power"),
    ):
        value = study.results[key]
        if given is None:
            yield rule.not_evaluated("storage", f"none is given; {value.shown()} would be needed")
        else:
            yield rule.compare("storage", given, ">=", float(value.si), value.kind)


def _generator_checks(design: Designed, study: LoadStudy) -> Iterator[Check]:
    """Yield whether the sets take the swing, by the limits that their load steps have too."""
    plant, operation = design.chain.generators, design.chain.chain.generator.operation
    name, job = operation.performance_class, study.motion.job
    if not plant.count:
        for rule in (GENERATOR_STEP, GENERATOR_RECOVERY):
            yield rule.not_evaluated("generators", "no set is installed")
        return
    subject = f"{running_sets(design.chain)} x {plant.model}"
    part = float(study.results["swing.generator.part"].si)
    highest = float(max(_of(study, "generator"))) / float(study.results["swing.generator"].si)
    limit = step_limit(design.chain)
    permitted = limit.after(part * highest)
    if permitted is None:
        words = (
            f"{part:.1%} of the running capacity at once; what the sets take when loaded is on no "
            f"sheet read, and class {name} leaves it to the mean effective pressure of the engine"
        )
        yield GENERATOR_STEP.not_evaluated(subject, words)
    else:
        words = f"{part:.1%} of the running capacity; {permitted:.0%} permitted ({limit.because})"
        yield GENERATOR_STEP.compare(subject, part, "<=", permitted, "fraction", words)
    row = iso_class(name)
    times = [row.si_or_none(f"{of}_recovery_time_max_s") for of in ("frequency", "voltage")]
    if None in times or job.power_file is not None:
        words = "the recovery times of its class, or the phases of the load, are not known"
        yield GENERATOR_RECOVERY.not_evaluated(subject, words)
        return
    recovery_s = max(time_s for time_s in times if time_s is not None)
    share = min(job.communication_share, 1.0 - job.communication_share)
    words = f"frequency and voltage are back after {recovery_s:g} s at most in class {name}"
    shortest_s = share * job.step_s
    yield GENERATOR_RECOVERY.compare(subject, shortest_s, ">=", recovery_s, "time", words)


def _of(study: LoadStudy, id: str) -> list[float]:
    return [float(w) for place in study.places if place.id == id for w in place.profile.values]


def _sag_checks(design: Designed, study: LoadStudy) -> Iterator[Check]:
    sags, ride = study.motion.sags, study.ride
    subject = f"{sags.count} sags in {show(sags.within_s, 'time')}"
    stays = ride.locked_s is not None
    words = "the load returns to the utility after each sag"
    if ride.locked_s is not None:
        load = study.results["sag.load_off"].shown()
        words = (
            f"{sags.events} events within {show(sags.events_within_s, 'time')}: from "
            f"{show(ride.locked_s, 'time')} on {load} stay off the utility"
        )
    if sags.counter_stated:
        yield LOCKOUT.verdict(subject, not stays, words)
    else:
        yield LOCKOUT.not_evaluated(subject, f"{_COUNTER}; if {words}")
    lasts = design.results.get(AUTONOMY)
    used_s = float(study.results["sag.battery_used"].si)
    if lasts is None:
        yield BATTERY.not_evaluated(subject, "the time of the batteries is not known")
    elif stays and not design.chain.generators.count:
        words = "no generator takes the load that stays off"
        if sags.counter_stated:
            yield BATTERY.verdict(subject, False, words)
        else:
            yield BATTERY.not_evaluated(subject, f"{_COUNTER}, and {words}")
    else:
        yield BATTERY.compare(subject, used_s, "<=", float(lasts.si), "time")
