"""Figures of the dynamic load as steps of the trace, and its power at the utility."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from facility.core.kinds import kind_in
from facility.core.rounding import argmax_within_rounding
from facility.core.table import Value
from facility.model.load_motion import LoadMotion
from facility.model.tariff import Tariff
from facility.physics.facility.load_motion import FLICKER_S, flicker_severity, voltage_change
from facility.physics.facility.metrics import energy_cost
from facility.physics.machines.generator import set_loading
from facility.study.annual.hours import hours_of
from facility.study.figures import Figures
from facility.study.studies import StudyContext
from facility.study.tariff.bill import Metered, bill_of
from facility.study.transient.load.averaging import Smoothed, smoothed, with_dummy_load
from facility.study.transient.load.points import MonitoringPoint, utility_profile
from facility.study.transient.load.profile import Profile
from facility.study.transient.load.result import LoadState
from facility.study.transient.load.sags import SagRide
from facility.study.transient.load.shapes import Part, Shape
from facility.study.transient.load.spectrum import sample_count, spectrum_of

_SHOWN_HZ = 100.0


@dataclass(frozen=True, eq=False)
class AtUtility:
    """The load of a design at the utility, with cached profiles."""

    design: StudyContext
    shape: Shape
    _loads: dict[tuple[Part, float], Profile] = field(default_factory=dict)
    _smoothed: dict[tuple[Part, float], Smoothed] = field(default_factory=dict)

    @cached_property
    def samples(self) -> int:
        """Number of samples per step for the spectrum."""
        return sample_count(self.shape.period_s)

    @property
    def sees_hz(self) -> float:
        """Maximum frequency of the spectrum."""
        seen_hz = min(_SHOWN_HZ, self.samples / self.shape.period_s / 2.0)
        return min(seen_hz, 0.5 / self.shape.interval_s) if self.shape.measured else seen_hz

    @property
    def step(self) -> Profile:
        """One step, or the record."""
        return self.load("step", 0.0)

    def load(self, part: Part, window_s: float) -> Profile:
        """Return a part of the load, long enough for a mean over `window_s` to become steady."""
        key = part, 0.0 if part == "step" else window_s
        if key not in self._loads:
            found = utility_profile(self.design, self.shape.profile(part, window_s))
            self._loads[key] = found
        return self._loads[key]

    def smooth(self, part: Part, window_s: float) -> Smoothed:
        """Return a part of the load, smoothed by a storage."""
        key = part, window_s
        if key not in self._smoothed:
            efficiency = self.design.facility.motion.smoothing.efficiency
            found = smoothed(self.load(part, window_s), window_s, efficiency)
            self._smoothed[key] = found
        return self._smoothed[key]

    def before(self, window_s: float) -> LoadState:
        """Return the load without storage."""
        profile = self.load("scene", window_s)
        return self._state(profile, profile.ramp, self.load("running", window_s).range, self.step)

    def after(self, window_s: float) -> LoadState:
        """Return the load with storage."""
        profile, running = self.smooth("scene", window_s), self.smooth("running", window_s)
        step = self.smooth("step", window_s).grid
        return self._state(profile.grid, profile.ramp, running.grid.range, step)

    def _state(self, profile: Profile, ramp: float, range_w: float, step: Profile) -> LoadState:
        interval_s = step.period_s / self.samples
        seen = spectrum_of(step.samples(self.samples), interval_s, not self.shape.measured)
        return LoadState(profile, ramp, range_w, seen)


AUTONOMY = "battery.autonomy_normal"


def point_figures(
    points: Sequence[MonitoringPoint],
    before: LoadState,
    after: LoadState,
    storage: Smoothed,
    found: Figures,
) -> None:
    """Record step and ramp at each load point, and at the utility with storage."""
    for point in points:
        if point.id != "utility":
            words = f"peak-to-peak: {point.title}"
            found.note(f"swing.{point.id}", point.profile.range, "active_power", words)
        words = f"fastest change: {point.title}"
        found.note(f"swing.{point.id}.ramp", point.profile.ramp, "power_ramp", words)
    found.figure("swing.running", before.range_w)
    found.figure("swing.after.running", after.range_w)
    found.figure("swing.after.ramp", after.ramp_w_s)
    words = "energy between maximum and minimum state of charge"
    found.note("swing.storage.used", storage.used_j, "energy", words)


def band_figures(motion: LoadMotion, before: LoadState, after: LoadState, found: Figures) -> None:
    """Record the energy in the monitored band."""
    low_hz, high_hz = motion.limits.band_from_hz, motion.limits.band_to_hz
    band = {"from": "site.grid.band_from", "to": "site.grid.band_to"}
    found.figure("swing.band", before.share(low_hz, high_hz), **band)
    found.figure("swing.band.after", after.share(low_hz, high_hz), **band)
    rms_w = float(np.sqrt(before.spectrum.in_band(low_hz, high_hz)))
    found.figure("swing.band.rms", rms_w, **band)
    strongest = argmax_within_rounding(before.spectrum.energy)
    found.figure("swing.frequency", float(before.spectrum.frequency_hz[strongest]))
    found.figure("swing.amplitude", float(before.spectrum.amplitude_w[strongest]))


def annual_figures(load: AtUtility, window_s: float, found: Figures) -> None:
    """Record the annual storage loss, and the dummy-load energy as alternative."""
    ramp = found.trace.value("swing.storage.ramp")
    step, total = np.zeros(2), np.zeros(2)
    for event in load.shape.events(window_s):
        through = load.smooth(event.part, window_s)
        filled = with_dummy_load(through.load, ramp)
        here = np.array([through.loss_j, (filled.mean - through.load.mean) * filled.period_s])
        total += event.a_year * (here - event.steps * step)
        step = here if event.part == "step" else step
    for key, energy_j in zip(("swing.storage.loss", "swing.burn"), total, strict=True):
        found.figure(key, float(energy_j), ramp="swing.storage.ramp")
    _annual_costs(load.design, found)


def _annual_costs(design: StudyContext, found: Figures) -> None:
    """Record the cost of storage loss and dummy-load energy if the energy price is known."""
    site = design.facility.site
    if site.tariff is None:
        return
    price, words = site.energy_price_per_j, "per year, energy charges only"
    if price is not None:
        at = found.trace.link(site.tariff.energy[0].id, price)
    else:
        price = _mean_price(design, site.tariff)
        if price is None:
            return
        at, words = "swing.price", f"{words}, at swing.price"
        why = "hourly energy charges weighted by the IT load; without demand charges"
        found.note(at, price, kind_in("energy_price", site.currency), why)
    cost = energy_cost.in_currency(site.currency)
    for key in ("swing.storage.loss", "swing.burn"):
        found.do(f"{key}.cost", cost, words, energy_j=key, price_per_j=at)


def energy_charge_shares(design: StudyContext, tariff: Tariff) -> list[float]:
    """Return the share of the IT energy in each energy charge: the mean price is their sum.

    Empty without a weather year, and under a tariff with hourly prices.
    """
    if design.weather_year is None or tariff.market is not None:
        return []
    shares = []
    for n in range(len(tariff.energy)):
        charges = (replace(one, price_per_j=float(k == n)) for k, one in enumerate(tariff.energy))
        shares.append(_mean_price(design, replace(tariff, energy=tuple(charges))) or 0.0)
    return shares


def _mean_price(design: StudyContext, tariff: Tariff) -> float | None:
    """Return the load-weighted annual energy price; None without a weather year."""
    if design.weather_year is None:
        return None
    hours = hours_of(design.weather_year)
    load = hours.spread(design.facility.load.through_the_year)
    bill = bill_of(tariff, Metered(hours.month, load, load, hours.step_s))
    return float(np.average(bill.price_per_j, weights=load))


def flicker_figures(load: AtUtility, found: Figures) -> None:
    """Record voltage change and flicker of the steps if the fault level is known."""
    design = load.design
    words = "peak-to-peak at the utility in one step"
    found.note("swing.step", load.step.range, "active_power", words)
    level_va = design.facility.site.fault_level_va
    if level_va is None:
        return
    level = found.trace.link("site.fault_level", level_va)
    found.do("swing.voltage_change", voltage_change, swing_w="swing.step", fault_level_va=level)
    if load.shape.measured:
        return
    changes = 2.0 * FLICKER_S / design.facility.motion.job.step_s
    found.trace.derive("swing.changes", changes, "ratio", "two per step, in ten minutes")
    of = {"change": "swing.voltage_change", "changes": "swing.changes"}
    found.do("swing.flicker", flicker_severity, **of)


def generator_figures(design: StudyContext, found: Figures) -> None:
    """Record the swing relative to the capacity of the running sets."""
    plant, trace = design.chain.generators, found.trace
    if not plant.count:
        return
    part = design.chain.chain.generator.section_parts[0]
    words = "on the first generator bus" if plant.sections > 1 else "on the generator bus"
    swing_w = part * trace.value("swing.generator")
    trace.derive("swing.generator.bus", swing_w, "active_power", words, swing="swing.generator")
    found.do(
        "swing.generator.part",
        set_loading,
        load_w="swing.generator.bus",
        sets="generator.running_sets",
        set_w="generator.rating",
        derate="generator.derate",
    )


def sag_figures(design: StudyContext, ride: SagRide, found: Figures) -> None:
    """Record the UPS response to the sags."""
    counter = {"events": "power.ups.sags.events", "within": "power.ups.sags.events_within"}
    found.figure("sag.transfers", ride.transfers, **counter)
    locked = ride.locked_s is not None
    found.results["sag.stays_off"] = Value(locked, basis="the UPS remains off the utility")
    used_s, words = ride.battery_s, ""
    if ride.locked_s is not None:
        found.figure("sag.stays_off.time", ride.locked_s, **counter)
        found.figure("sag.load_off", design.point.flow.ups.input_w, load="ups.input")
        if design.chain.generators.count:
            used_s += design.chain.chain.generator.operation.start_s
        words = " and until the generators start"
    found.figure("sag.battery_used", used_s, words, back="power.ups.sags.retransfer")
    if AUTONOMY in design.results:
        left_s = float(design.results[AUTONOMY].si) - used_s
        of = {"autonomy": AUTONOMY, "used": "sag.battery_used"}
        found.figure("sag.battery_left", max(0.0, left_s), **of)
