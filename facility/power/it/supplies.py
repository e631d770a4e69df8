"""Power supplies and cords: feeds, and device draw with some supplies energized."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from facility.core.check import Check, Severity
from facility.core.errors import FacilityError
from facility.core.kinds import FloatArray
from facility.core.rounding import reaches, within
from facility.model.it import CappedMode, Device, PsuSet, Rack
from facility.power.rules import RULES

_NOMINAL = 0.005
"""Tolerance between nominal phase voltage and line voltage / sqrt(3): 277 and 277.13 V."""
_MIN_OUTPUT = 0.9
"""Minimum output / input of any supply: the rating is output, the maximum is input."""


def split_supplies(count: int, feeds: tuple[str, ...], start: int = 0) -> dict[str, int]:
    """Return supplies per feed: evenly, the remainder on consecutive feeds from `start`."""
    base, odd = divmod(count, len(feeds))
    extra = {feeds[(start + index) % len(feeds)] for index in range(odd)}
    return {feed: base + (feed in extra) for feed in feeds}


def feed_sets(psus: Iterable[PsuSet], feeds: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:
    """Return the feed sets assigned in rotation to racks with these supplies.

    On three or more feeds, racks whose devices all have an even number of supplies, of which half
    are sufficient, and whose supplies do not divide by the feeds, use pairs of feeds that rotate
    from rack to rack (A-B, B-C, C-A); all other racks use all feeds.
    """
    every = len(feeds)
    paired = [
        psu.count % every != 0 and psu.count % 2 == 0 and psu.needed <= psu.count // 2
        for psu in psus
    ]
    if every <= 2 or not paired or not all(paired):
        return (feeds,)
    pairs: dict[frozenset[str], tuple[str, ...]] = {}
    for step in range(1, every // 2 + 1):
        for index in range(every):
            pair = (feeds[index], feeds[(index + step) % every])
            pairs.setdefault(frozenset(pair), pair)
    return tuple(pairs.values())


@dataclass(frozen=True)
class Draw:
    """Operation of a device with some of its supplies energized."""

    mode: Literal["full", "capped", "off"]
    input_w: float
    sized_w: float  # Circuit sizing load [W]
    conflict: bool = False  # Whether the published capped input exceeds the supply output

    @property
    def words(self) -> str:
        """The mode, and a note on conflicting data."""
        return f"{self.mode}; published figures conflict" if self.conflict else self.mode


def draw_with(device: Device, energized: int, full_w: float) -> Draw:
    """Return the draw and mode of a device with `energized` supplies.

    With at least the supplies needed it draws its full input. With fewer it runs capped if a capped
    mode is known and enough are energized, otherwise it stops. Capped, it draws the same fraction
    of its input as the mode has of its maximum, and at most the supply rating.

    No circuit is sized for shed load: for a device that stops, the energized supplies count with
    its full input if their rated output and the conversion loss reach it, otherwise with their
    rating, which they cannot exceed.

    full_w: Input with all supplies energized [W].
    """
    psu = device.psu
    if energized >= (1 if psu is None else psu.needed):
        return Draw("full", full_w, full_w)
    mode = None if psu is None else psu.capped
    rated_w = 0.0 if psu is None else energized * psu.rating_w
    if mode is None or energized < mode.supplies:
        return Draw("off", 0.0, full_w if rated_w >= _MIN_OUTPUT * full_w else rated_w)
    capped_w = min(full_w * min(1.0, mode.input_w / device.maximum_w), rated_w)
    return Draw("capped", capped_w, capped_w, conflict=not within(mode.input_w, rated_w))


def _of_full(draw: Draw, full_w: float) -> tuple[float, float]:
    """Return drawn and sizing fractions of the full input; 1 for an input of zero."""
    if full_w <= 0.0:
        return (float(draw.mode != "off"),) * 2
    return draw.input_w / full_w, draw.sized_w / full_w


@dataclass(frozen=True, eq=False)
class RackDraw:
    """Operation of the devices of one rack, by set of energized supplies; shape (sets, devices)."""

    part: FloatArray  # Drawn input / input with all supplies energized
    sized: FloatArray  # Circuit sizing input / input with all supplies energized
    capped: NDArray[np.bool_]
    conflict: NDArray[np.bool_]  # As in `Draw`


def rack_draw(rack: Rack, energized: NDArray[np.bool_]) -> RackDraw:
    """Return the operation of each device of `rack`, for every row of `energized` supplies."""
    owner = np.array([s.device for s in rack.supplies], dtype=np.int64)
    devices = [placed.device for placed in rack.placed for _ in range(placed.count)]
    part, sized = np.zeros((2, len(energized), len(devices)))
    capped, conflict = np.zeros_like(part, dtype=bool), np.zeros_like(part, dtype=bool)
    for number, (device, full_w) in enumerate(zip(devices, rack.device_w, strict=True)):
        mine = energized[:, owner == number]
        draws = [draw_with(device, count, full_w) for count in range(mine.shape[1] + 1)]
        row = mine.sum(axis=1)
        part[:, number], sized[:, number] = np.array([_of_full(d, full_w) for d in draws])[row].T
        capped[:, number] = np.array([d.mode == "capped" for d in draws])[row]
        conflict[:, number] = np.array([d.conflict for d in draws])[row]
    return RackDraw(part, sized, capped, conflict)


def energized_after_feed_loss(device: Device, split: Mapping[str, int]) -> int:
    """Return the minimum number of supplies energized after the loss of one feed.

    With a single feed, the loss of the redundant supplies is used instead.
    """
    if sum(1 for supplies in split.values() if supplies) <= 1:
        return 1 if device.psu is None else device.psu.needed
    return sum(split.values()) - max(split.values())


def check_psu_redundancy(device: Device, split: Mapping[str, int], subject: str) -> Check:
    """Return the redundancy check of `device` with its supplies per feed by `split`.

    After the loss of any one feed the energized supplies must be at least the number needed by the
    manufacturer, and their rated output must reach the data-sheet maximum of the device, an input,
    minus the conversion loss at full load if known. A device that then runs capped, or without a
    published number of supplies needed, is a WARNING about its data: see `draw_with`.
    """
    psu = device.psu
    if psu is None or psu.assumed:
        return RULES["PSU-REDUNDANCY"].not_evaluated(
            subject, f"supplies of {device.model} are not published; a redundant set is assumed"
        )
    demand_w = device.maximum_w
    rating = psu.rating_w / 1e3
    rule = RULES["PSU-REDUNDANCY"].by(psu.source)
    if psu.count * psu.rating_w < demand_w:
        return rule.at_least(
            subject,
            psu.count * psu.rating_w,
            demand_w,
            "active_power",
            f"{psu.count} x {rating:g} kW installed = {psu.count * rating:.1f} kW, less than "
            f"{demand_w / 1e3:g} kW even with all supplies alive; "
            f"{-int(-demand_w // psu.rating_w)} supplies of this rating are required without any"
            " redundancy",
        )
    if psu.needed * psu.rating_w < demand_w * _MIN_OUTPUT:
        return rule.at_least(
            subject,
            psu.needed * psu.rating_w,
            demand_w,
            "active_power",
            f"the stated {psu.needed} supplies needed deliver {psu.needed} x {rating:g} kW ="
            f" {psu.needed * rating:g} kW, and the stated device draw is {demand_w / 1e3:g} kW:"
            " needed, rating and maximum_power contradict each other",
        )
    single = sum(1 for supplies in split.values() if supplies) <= 1
    feed = next(feed for feed, supplies in split.items() if supplies == max(split.values()))
    event = f"feed {feed} lost"
    if single:
        spare = psu.count > psu.needed
        event = "one feed only, " + ("redundant supplies lost" if spare else "no redundant supply")
    return _redundancy(device, psu, energized_after_feed_loss(device, split), event, subject)


def check_single_feed(device: Device, split: Mapping[str, int], subject: str) -> Check:
    """Return the check that the supplies of `device` are on more than one feed."""
    feeds = [feed for feed, supplies in split.items() if supplies]
    why = f"supplies on {', '.join(feeds)}"
    if len(feeds) == 1:
        why = f"feed {feeds[0]} lost: all {split[feeds[0]]} supplies of {device.model} are dead"
    return RULES["SINGLE-FEED"].verdict(subject, len(feeds) > 1, why)


def _redundancy(device: Device, psu: PsuSet, energized: int, event: str, subject: str) -> Check:
    demand_w, rated_w = device.maximum_w, energized * psu.rating_w
    text = (
        f"{event}: {energized} x {psu.rating_w / 1e3:g} kW remaining for {demand_w / 1e3:g} kW "
        f"({energized} of {psu.count} supplies alive, {psu.needed} needed)"
    )
    rule = RULES["PSU-REDUNDANCY"].by(psu.source)
    draw, mode = draw_with(device, energized, demand_w), psu.capped
    if draw.mode == "full":
        eta = psu.full_load_efficiency
        if not reaches(rated_w, demand_w):
            demand_w *= eta
            text += f", {demand_w / 1e3:.1f} kW of output at {eta:.1%} efficiency" * (eta < 1.0)
        if not reaches(rated_w, demand_w):
            text += ": the stated number needed and maximum_power contradict each other"
        return rule.at_least(subject, rated_w, demand_w, "active_power", text)
    if not draw.conflict:
        text += "; supplies by the device data (it), feeds by the scheme (power.redundancy)"
    if draw.mode == "off" or mode is None:
        if psu.derived:
            rule = replace(rule, severity=Severity.WARNING, remedy=_CONFIRM_NEEDED)
            text += f"; the {psu.needed} are maximum power / rating, not published"
        return rule.at_least(subject, energized, psu.needed, "count", text)
    text += f"; {draw.words}: {_capped_words(mode)}"
    remedy = ""
    if draw.conflict:
        remedy = _CONFIRM
        text += (
            f", {energized} supplies deliver at most {rated_w / 1e3:.1f} kW;"
            f" {draw.input_w / 1e3:.1f} kW is used"
        )
    rule = replace(rule, severity=Severity.WARNING).by(mode.source, remedy)
    return rule.at_least(subject, energized, psu.needed, "count", text)


_CONFIRM = (
    "Confirm the capped input with the manufacturer and enter it (it.devices[].supplies.capped)."
)


_CONFIRM_NEEDED = (
    "Confirm the redundancy with the manufacturer and enter it (it.devices[].supplies.needed), or"
    " spread the supplies over more feeds."
)


def _capped_words(mode: CappedMode) -> str:
    if mode.gpu_cap_w is None:
        return (
            f"{mode.input_w / 1e3:g} kW as stated (it.devices[].supplies.capped), not as published"
        )
    return (
        f"the manufacturer caps each GPU at {mode.gpu_cap_w:g} W,"
        f" about {mode.input_w / 1e3:.1f} kW in all"
    )


def check_supply_voltage(device: Device, voltage_v: float, subject: str) -> Check:
    """Return the check of the voltage across one supply of `device`.

    device: Without published supplies the result is NOT_EVALUATED.
    voltage_v: Nominal supply voltage: line-to-neutral or line-to-line for a single-phase supply,
        line-to-line for a three-phase shelf [V].
    """
    psu = device.psu
    if psu is None or psu.assumed:
        return RULES["SUPPLY-VOLTAGE"].not_evaluated(
            subject, f"the voltage range of {device.model} is not published"
        )
    rule = RULES["SUPPLY-VOLTAGE"].by(psu.source)
    low, high = psu.voltage_min_v, psu.voltage_max_v
    text = f"{device.model} accepts {low:g}-{high:g} V and is supplied at {voltage_v:.0f} V"
    voltage_v = _nominal(psu, voltage_v)
    if voltage_v < low:
        return rule.at_least(subject, voltage_v, low, "line_voltage", text)
    return rule.at_most(subject, voltage_v, high, "line_voltage", text)


def takes_voltage(psu: PsuSet, voltage_v: float) -> bool:
    """Return whether a supply accepts a nominal voltage; True for assumed supplies."""
    return psu.assumed or psu.voltage_min_v <= _nominal(psu, voltage_v) <= psu.voltage_max_v


def _nominal(psu: PsuSet, voltage_v: float) -> float:
    """Return `voltage_v`, or the equivalent limit (239.6 and 240 V)."""
    for limit_v in (psu.voltage_min_v, psu.voltage_max_v):
        if abs(voltage_v / limit_v - 1.0) <= _NOMINAL:
            return limit_v
    return voltage_v


def refuse_air_only(racks: Iterable[Rack], method: str) -> None:
    """Reject air-only cooling of devices that require liquid.

    Raises ``LIQUID_REQUIRED`` (no feasible solution) with the devices and their liquid fraction.
    """
    if method != "air":
        return
    for rack in racks:
        for placed in rack.placed:
            device = placed.device
            if device.liquid_only:
                raise FacilityError(
                    "LIQUID_REQUIRED",
                    "cooling.method",
                    f"{device.model} in {rack.name} requires liquid cooling:"
                    f" {device.liquid_fraction:.0%} of its {placed.input_w / 1e3:g} kW are"
                    " removed by cold plates; the cooling method is air.",
                    "Use cooling.method: hybrid or liquid.",
                )
