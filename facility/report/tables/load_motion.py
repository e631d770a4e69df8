"""Columns of the dynamic load tables: levels, limits, bands, storage, sags."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from facility.core.check import Check
from facility.physics.facility.load_motion import averaging_energy, averaging_time, installed_energy
from facility.report.sheet.grid import Amount, Column, SheetTable
from facility.study.transient.load.points import MonitoringPoint
from facility.study.transient.load.result import LoadStudy
from facility.study.transient.load.sags import SagEvent

LEFT_OUT = (
    "All racks change load together, and the cooling power stays at the design hour, because it "
    "responds in minutes. Power is linear between profile points; smoothing by rectifiers and "
    "capacitors is not modelled.",
    "The storage is at the utility meter and supplies the difference between the load and its "
    "moving average over the window; controller effects are not modelled. The dummy load has "
    "perfect foresight.",
    "Flicker is estimated from the fault level; generator frequency is not simulated, and a UPS "
    "may count events differently.",
)
CURVE_HEADS = ("time_s", "utility_kw", "with_storage_kw", "storage_mwh")
_RAMPS_A_MINUTE = (60.0, 6.0, 1.0, 0.1, 0.01)
_BANDS_HZ = ((0.0, 1.0), (1.0, 2.5), (7.0, 100.0))
_WORDS = {"PASS": "within limit", "FAIL": "exceeded", "NOT_EVALUATED": "not evaluated"}


LEVELS: SheetTable[MonitoringPoint] = SheetTable(
    "Load at each level",
    (
        Column("id", "", 0, door="json", json="id"),
        Column("place", "Level", 36, style="cell", of=lambda p: p.title, json="title"),
        Column("lowest", "Minimum (kW)", 13, "active_power",
               of=lambda p: float(p.profile.values.min()), json="lowest"),
        Column("highest", "Maximum (kW)", 13, "active_power",
               of=lambda p: float(p.profile.values.max()), json="highest"),
        Column("swing", "Step (kW)", 13, "active_power", "{highest}-{lowest}",
               of=lambda p: p.profile.range, json="step"),
        Column("ramp", "Ramp (MW/s)", 12, "power_ramp", number_format="n5",
               of=lambda p: p.profile.ramp, json="ramp"),
    ),
    because="Load steps of the training job, after the filtering up to this level.",
)  # fmt: skip


@dataclass(frozen=True)
class UtilityLimit:
    """Utility limit with the value without and with storage."""

    name: str
    kind: str
    before: float
    after: float
    limit: float | None
    checks: tuple[Check, Check]

    def verdict(self, index: int) -> str:
        """Return the verdict text without (0) or with storage (1)."""
        return _WORDS[self.checks[index].outcome.value]


@dataclass(frozen=True)
class Band:
    """Frequency band [Hz] with its energy."""

    low_hz: float
    high_hz: float
    rms_w: float  # Of the load in it, without a storage
    share: float  # Of the energy of the whole spectrum, mean included
    of_variation: float  # Of the energy about the mean
    after: float  # Of the whole, with the storage


@dataclass(frozen=True)
class Ladder:
    """Storage size for a ramp limit."""

    ramp_w_s: float
    window_s: float
    power_w: float
    energy_j: float
    nominal_j: float


BANDS: SheetTable[Band] = SheetTable(
    "Spectrum of the steps",
    (
        Column("from", "From (Hz)", 10, "swing_frequency", of=lambda b: b.low_hz, json="from_hz"),
        Column("to", "To (Hz)", 10, "swing_frequency", of=lambda b: b.high_hz, json="to_hz"),
        Column("rms", "RMS (kW)", 12, "active_power", of=lambda b: b.rms_w, json="rms"),
        Column("share", "Share of total energy", 13, "fraction", json="share"),
        Column("variation", "Share of variation", 13, "fraction", of=lambda b: b.of_variation,
               json="share_of_variation"),
        Column("after", "With storage", 13, "fraction", json="share_with_storage"),
    ),
    because="Fourier series of the power at the utility.",
)  # fmt: skip
UTILITY_LIMITS: SheetTable[UtilityLimit] = SheetTable(
    "Utility limits",
    (
        Column("name", "Load at the utility", 40, style="cell"),
        Column("before", "Without storage", 14, of=lambda r: Amount(r.before, r.kind)),
        Column("after", "With storage", 14, of=lambda r: Amount(r.after, r.kind)),
        Column("limit", "Limit", 14,
               of=lambda r: "not stated" if r.limit is None else Amount(r.limit, r.kind)),
        Column("is", "Verdict without storage", 15, of=lambda r: r.verdict(0)),
        Column("becomes", "Verdict with storage", 15, of=lambda r: r.verdict(1)),
    ),
    because="Load at the utility compared with the limit stated in the project.",
)  # fmt: skip
LADDER: SheetTable[Ladder] = SheetTable(
    "Storage size by ramp limit",
    (
        Column("ramp", "Ramp limit (MW/s)", 14, "power_ramp", number_format="n5",
               of=lambda r: r.ramp_w_s, json="ramp"),
        Column("window", "Averaging window (s)", 15, "time", "{power}/1000/{ramp}",
               of=lambda r: r.window_s, json="window_s"),
        Column("power", "Power (kW)", 12, "active_power", of=lambda r: r.power_w, json="power"),
        Column("energy", "Usable (kWh)", 12, "energy", "{power}*{window}/2/3600", "kWh", "n2",
               of=lambda r: r.energy_j, json="usable"),
        Column("nominal", "Nominal (kWh)", 13, "energy", "{energy}/{usable}", "kWh", "n2",
               of=lambda r: r.nominal_j, json="nominal"),
    ),
    because="Minimum storage that limits the utility power ramp to this value.",
)  # fmt: skip
SAGS: SheetTable[SagEvent] = SheetTable(
    "Repeated sags",
    (
        Column("time", "Sag at (s)", 11, "time", of=lambda e: e.time_s, json="time_s"),
        Column("counted", "Counter", 10, "count", json="counted"),
        Column("ups", "UPS", 26, style="cell",
               of=lambda e: "transfers to battery" if e.transfers else "on battery"),
        Column("transfers", "", 0, door="json", json="transfers"),
    ),
    because="Grid sags of the project in sequence, as counted by the UPS (power.load_motion).",
)  # fmt: skip


def curve_rows(study: LoadStudy) -> Iterator[tuple[float, ...]]:
    """Yield a row per profile time: see `CURVE_HEADS`."""
    storage = study.storage
    columns = (
        storage.load.time_s,
        storage.load.values / 1e3,
        storage.grid.values / 1e3,
        storage.state_j / 3.6e9,
    )
    return (tuple(float(value) for value in row) for row in zip(*columns, strict=True))


def bands_of(study: LoadStudy) -> tuple[Band, ...]:
    """Return the band limited by the utility, and bands of grid and machine resonances."""
    limits = study.motion.limits
    watched = (limits.band_from_hz, limits.band_to_hz)
    return tuple(_band(study, *band) for band in (watched, *_BANDS_HZ))


def _band(study: LoadStudy, low_hz: float, high_hz: float) -> Band:
    before = study.before.spectrum
    values = before.in_band(low_hz, high_hz)
    return Band(
        low_hz,
        high_hz,
        float(np.sqrt(values)),
        values / before.total,
        values / before.variation if before.variation > 0.0 else 0.0,
        study.after.share(low_hz, high_hz),
    )


def ladder_of(study: LoadStudy) -> Iterator[Ladder]:
    """Yield storage sizes for other ramp limits, from the swing per second down."""
    power_w = float(study.results["swing.storage.power"].si)
    highest_w = float(study.results["swing.highest"].si)
    for a_minute in _RAMPS_A_MINUTE:
        ramp_w_s = a_minute * highest_w / 60.0
        window_s = float(averaging_time.si(power_w, ramp_w_s))
        energy_j = float(averaging_energy.si(power_w, window_s))
        nominal_j = float(installed_energy.si(energy_j, study.motion.smoothing.usable))
        yield Ladder(ramp_w_s, window_s, power_w, energy_j, nominal_j)


def utility_limits(study: LoadStudy) -> tuple[UtilityLimit, ...]:
    """Return the utility limits, without and with storage."""
    limits, before, after = study.motion.limits, study.before, study.after
    band = limits.band_from_hz, limits.band_to_hz
    checks = {check.rule: check for check in study.checks}

    swing, part = "peak-to-peak during the job", "energy from {:g} to {:g} Hz"
    ramps = before.ramp_w_s, after.ramp_w_s, limits.ramp_w_s
    ranges = before.range_w, after.range_w, limits.range_w
    shares = before.share(*band), after.share(*band), limits.band
    return tuple(
        UtilityLimit(title, kind, *values, (checks[rule], checks[f"{rule}-STORAGE"]))
        for title, kind, values, rule in (
            ("ramp", "power_ramp", ramps, "SWING-RAMP"),
            (swing, "active_power", ranges, "SWING-RANGE"),
            (part.format(*band), "fraction", shares, "SWING-BAND"),
        )
    )
