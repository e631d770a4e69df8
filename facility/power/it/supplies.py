"""Supplies and cords: how they hang on the feeds, and what a lost feed leaves alive."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from facility.core.check import Check, Severity
from facility.core.errors import FacilityError
from facility.model.it import Device, PsuSet, Rack
from facility.power.rules import RULES

_NOMINAL = 0.005
"""Between the nominal name of a phase voltage and line voltage over root 3: 277 and 277.13 V."""
_LEAST_OUTPUT = 0.9
"""Output over input that no supply falls short of: the rating is output, the maximum is input."""


def split_supplies(count: int, feeds: tuple[str, ...], start: int = 0) -> dict[str, int]:
    """Return supplies per feed: evenly, the odd ones on consecutive feeds from `start`."""
    base, odd = divmod(count, len(feeds))
    extra = {feeds[(start + index) % len(feeds)] for index in range(odd)}
    return {feed: base + (feed in extra) for feed in feeds}


def feed_sets(psus: Iterable[PsuSet], feeds: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:
    """Return the sets of feeds that racks with such supplies take in turn.

    On three feeds or more, racks whose devices all have an even number of supplies, half of which
    suffice, and whose supplies do not divide by the feeds, hang on pairs of feeds that rotate from
    rack to rack (A-B, B-C, C-A); everything else hangs on all feeds.
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


def check_psu_redundancy(device: Device, split: Mapping[str, int], subject: str) -> Check:
    """Return the check of `device` with its supplies on the feeds as `split` says.

    After the loss of any one feed the supplies left must be as many as the maker needs, and their
    rated output must reach the data-sheet maximum of the device. (The output is compared with the
    input, which errs on the safe side by the conversion loss.) With a single feed the loss of the
    redundant supplies themselves is checked instead. Where the maker publishes a reduced mode and
    the supplies left carry it, the check weighs as a WARNING.
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
            f"{_enough(psu, demand_w)} supplies of this rating are needed before any redundancy",
        )
    if psu.needed * psu.rating_w < demand_w * _LEAST_OUTPUT:
        return rule.at_least(
            subject,
            psu.needed * psu.rating_w,
            demand_w,
            "active_power",
            f"the {psu.needed} supplies said to be needed give {psu.needed} x {rating:g} kW ="
            f" {psu.needed * rating:g} kW, the device is said to draw {demand_w / 1e3:g} kW:"
            " needed, rating and maximum_power contradict each other",
        )
    single = sum(1 for supplies in split.values() if supplies) <= 1
    lost = psu.count - psu.needed if single else max(split.values())
    live = psu.count - lost
    feed = next(feed for feed, supplies in split.items() if supplies == max(split.values()))
    event = "one feed only: redundant supplies lost" if single else f"feed {feed} lost"
    return _judge(device, psu, live, event, subject)


def check_single_feed(device: Device, split: Mapping[str, int], subject: str) -> Check:
    """Return the check that the supplies of `device` hang on more than one feed."""
    feeds = [feed for feed, supplies in split.items() if supplies]
    why = f"supplies on {', '.join(feeds)}"
    if len(feeds) == 1:
        why = f"feed {feeds[0]} lost: all {split[feeds[0]]} supplies of {device.model} are dead"
    return RULES["SINGLE-FEED"].verdict(subject, len(feeds) > 1, why)


def _enough(psu: PsuSet, demand_w: float) -> int:
    return -int(-demand_w // psu.rating_w)


def _judge(device: Device, psu: PsuSet, live: int, event: str, subject: str) -> Check:
    demand_w = device.maximum_w
    capacity_w = live * psu.rating_w
    text = (
        f"{event}: {live} x {psu.rating_w / 1e3:g} kW left for {demand_w / 1e3:g} kW "
        f"({live} of {psu.count} supplies alive, {psu.needed} needed)"
    )
    rule = RULES["PSU-REDUNDANCY"].by(psu.source)
    if live >= psu.needed:
        return rule.at_least(subject, capacity_w, demand_w, "active_power", text)
    text += "; its supplies are the device's (it), its feeds the scheme's (power.redundancy)"
    mode = psu.reduced
    capped_w = demand_w
    if mode is not None:
        capped_w -= device.gpus * max(0.0, device.gpu_power_w - mode.gpu_cap_w)
        text += (
            f"; the maker then caps each GPU at {mode.gpu_cap_w:g} W, "
            f"about {capped_w / 1e3:g} kW in all"
        )
    if mode is not None and live >= mode.live and capacity_w >= capped_w:
        rule = replace(rule, severity=Severity.WARNING, source=mode.source)
    return rule.at_least(subject, live, psu.needed, "count", text)


def check_supply_voltage(device: Device, voltage_v: float, subject: str) -> Check:
    """Return the check of the voltage across one supply of `device`.

    device: The device; a device without published supplies gives NOT_EVALUATED.
    voltage_v: Nominal voltage the supply gets: line-to-neutral or line-to-line for a single-phase
        supply, line-to-line for a three-phase shelf [V].
    """
    psu = device.psu
    if psu is None or psu.assumed:
        return RULES["SUPPLY-VOLTAGE"].not_evaluated(
            subject, f"the voltage range of {device.model} is not published"
        )
    rule = RULES["SUPPLY-VOLTAGE"].by(psu.source)
    low, high = psu.voltage_min_v, psu.voltage_max_v
    text = f"{device.model} takes {low:g}-{high:g} V and gets {voltage_v:.0f} V"
    voltage_v = _nominal(psu, voltage_v)
    if voltage_v < low:
        return rule.at_least(subject, voltage_v, low, "line_voltage", text)
    return rule.at_most(subject, voltage_v, high, "line_voltage", text)


def takes_voltage(psu: PsuSet, voltage_v: float) -> bool:
    """Return whether a supply of `psu` takes a nominal voltage; assumed sets say nothing."""
    return psu.assumed or psu.voltage_min_v <= _nominal(psu, voltage_v) <= psu.voltage_max_v


def _nominal(psu: PsuSet, voltage_v: float) -> float:
    """Return `voltage_v`, or the limit that is another name of it (239.6 and 240 V)."""
    for limit_v in (psu.voltage_min_v, psu.voltage_max_v):
        if abs(voltage_v / limit_v - 1.0) <= _NOMINAL:
            return limit_v
    return voltage_v


def refuse_air_only(racks: Iterable[Rack], method: str) -> None:
    """Refuse to cool with air alone what needs liquid.

    Raises ``LIQUID_REQUIRED`` (no feasible solution) naming the devices and their liquid share.
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
                    f"{device.model} in {rack.name} needs liquid: {device.liquid_fraction:.0%} of "
                    f"its {placed.input_w / 1e3:g} kW leave through cold plates; "
                    "air alone was asked for.",
                    "Use cooling.method: hybrid or liquid.",
                )
