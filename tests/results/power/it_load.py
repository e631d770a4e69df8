"""The IT load of a design once more: device by device, rack by rack, hall by hall.

Loss of the supplies is found by bisection on their output: the program solves the straight lines
between the points of the efficiency curve in closed form.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterator

import numpy as np

from facility.model.it import Device, Rack
from facility.study.design.design import Design

CLOSE = 1e-6
_CATEGORIES = {
    "server": "load.server",
    "switch": "load.network",
    "storage": "load.storage",
    "management": "load.management",
}


def _same(name: str, found: float, wanted: float, part: float = CLOSE) -> Iterator[str]:
    if not abs(found - wanted) <= part * max(abs(found), abs(wanted), 1e-6):
        yield f"{name}: {found!r}, by hand {wanted!r}"


def supply_loss_w(device: Device, output_w: float) -> float:
    """Return the loss of all supplies of a device at an output: below the curve that of its end."""
    psu = device.psu
    assert psu is not None
    loads, etas = zip(*psu.efficiency, strict=True)
    rated_w = psu.count * psu.rating_w
    x = output_w / rated_w
    if x < loads[0]:
        return rated_w * loads[0] * (1.0 / etas[0] - 1.0)
    return output_w * (1.0 / float(np.interp(x, loads, etas)) - 1.0)


def loss_at_input_w(device: Device, input_w: float) -> float:
    low, high = 0.0, input_w
    for _ in range(200):
        middle = (low + high) / 2.0
        low, high = (
            (middle, high) if middle + supply_loss_w(device, middle) < input_w else (low, middle)
        )
    return input_w - low


def _devices(rack: Rack) -> Iterator[tuple[Device, float, float, float]]:
    """Yield device, input, peak and power factor of each device of a rack."""
    devices = [placed.device for placed in rack.placed for _ in range(placed.count)]
    yield from zip(devices, rack.device_w, rack.device_peak_w, rack.device_pf, strict=True)


def it_load(found: Design) -> Iterator[str]:
    """Sums over devices by category, apparent power, heat, peak, halls; loss of the supplies."""
    plan, load = found.facility.it, found.it
    share = plan.demand_factor * plan.diversity
    r = {
        key: float(value.si)
        for key, value in found.all_results.values_by_key.items()
        if isinstance(value.si, (int, float))
    }
    watts, sums = defaultdict[str, float](float), defaultdict[str, float](float)
    counts, known = Counter[str](), {"idle": True, "typical": True}
    for rack in plan.racks:
        for device, input_w, peak_w, factor in _devices(rack):
            whole_w = rack.count * input_w * share
            watts[device.category] += whole_w
            counts[device.category] += rack.count
            counts["gpus"] += rack.count * device.gpus
            sums["va"] += whole_w / factor
            sums["liquid"] += whole_w * device.liquid_fraction
            sums["peak"] += rack.count * peak_w * plan.diversity
            if device.gpu_power_w is not None:
                sums["gpu"] += rack.count * device.gpus * device.gpu_power_w * share
            for name in known:
                value = getattr(device, f"{name}_w")
                known[name] = known[name] and value is not None
                sums[name] += rack.count * (value or 0.0) * plan.diversity
            psu = device.psu
            if psu is not None and psu.efficiency:
                sums["loss"] += rack.count * loss_at_input_w(device, input_w)
    for category, key in _CATEGORIES.items():
        yield from _same(key, r[key], watts[category])
    it_w = sum(watts.values())
    for name, value, wanted in (
        ("load.it", load.it_w, it_w),
        ("load.it_va", load.it_va, sums["va"]),
        ("load.gpu", load.gpu_w, sums["gpu"]),
        ("heat.liquid", load.liquid_w, sums["liquid"]),
        ("heat.air", load.air_w, it_w - sums["liquid"]),
        ("peak", load.peak_w, sums["peak"]),
        ("servers", load.servers, counts["server"]),
        ("gpus", load.gpus, counts["gpus"]),
        ("racks", load.racks, sum(rack.count for rack in plan.racks)),
        ("supply loss", load.supply_loss_w, sums["loss"]),
    ):
        yield from _same(name, value, wanted)
    for name in known:
        value = getattr(load, f"{name}_w")
        if (value is None) == known[name]:
            yield f"{name}: {value}, known for all devices {known[name]}"
        elif value is not None:
            yield from _same(name, value, sums[name])
    yield from _halls(found, share)
    yield from _checks(found)


def _halls(found: Design, share: float) -> Iterator[str]:
    plan = found.facility.it
    for hall, load in zip(plan.halls, found.it.halls, strict=True):
        racks = [rack for rack in plan.racks if rack.hall == hall.name]
        it_w = sum(rack.count * sum(rack.device_w) for rack in racks) * share
        liquid_w = share * sum(
            rack.count * w * device.liquid_fraction
            for rack in racks
            for device, w, _, _ in _devices(rack)
        )
        yield from _same(f"racks of {hall.name}", load.racks, sum(rack.count for rack in racks))
        yield from _same(f"load of {hall.name}", load.it_w, it_w)
        yield from _same(f"coolant of {hall.name}", load.liquid_w, liquid_w)
        yield from _same(f"air of {hall.name}", load.air_w, it_w - liquid_w)
        yield from _same(f"density of {hall.name}", load.density_w_m2, it_w / hall.floor_area_m2)


def _checks(found: Design) -> Iterator[str]:
    """Height and power of racks, supplies left after a lost feed, components of a device."""
    plan = found.facility.it
    devices = {p.device.model: p.device for rack in plan.racks for p in rack.placed}
    racks = {rack.name: rack for rack in reversed(plan.racks)}
    for check in found.it.checks:
        value, limit = check.value or 0.0, check.limit or 0.0
        if check.limit is None:
            continue
        if check.rule == "RACK-UNITS":
            rack = racks[check.subject]
            used = sum(p.count * p.device.rack_units for p in rack.placed)
            yield from _same(f"RACK-UNITS {rack.name}", value, used)
            yield from _same(f"RACK-UNITS limit {rack.name}", limit, rack.rack_units)
        if check.rule == "RACK-POWER":
            rack = racks[check.subject]
            yield from _same(f"RACK-POWER {rack.name}", value, sum(rack.device_w))
            yield from _same(f"RACK-POWER limit {rack.name}", limit, rack.power_limit_w or 0.0)
        if check.rule == "COMPONENT-SUM":
            device = devices[check.subject]
            parts_w = sum(c.count * (c.unit_power_w or 0.0) for c in device.components)
            if device.psu is not None and device.psu.efficiency:
                parts_w += supply_loss_w(device, parts_w)
                yield from _same(f"COMPONENT-SUM {device.model}", value, parts_w)
            yield from _same(f"COMPONENT-SUM limit {device.model}", limit, device.maximum_w)
        if check.rule == "PSU-REDUNDANCY":
            yield from _redundancy(devices, check.subject, value, limit)


def _redundancy(
    devices: dict[str, Device], subject: str, value: float, limit: float
) -> Iterator[str]:
    model, _, corded = subject.partition(", supplies ")
    device = devices[model]
    psu = device.psu
    assert psu is not None
    split = [int(n) for n in corded.partition(" on ")[0].split("+")]
    left = sum(split) - max(split) if len(split) > 1 else psu.needed
    if psu.count * psu.rating_w < device.maximum_w:
        wanted = (psu.count * psu.rating_w, device.maximum_w)
    elif psu.needed * psu.rating_w < 0.9 * device.maximum_w:
        wanted = (psu.needed * psu.rating_w, device.maximum_w)
    elif left < psu.needed:
        wanted = (left, psu.needed)
    else:
        rated_w, demand_w = left * psu.rating_w, device.maximum_w
        if rated_w < demand_w * (1.0 - 1e-9):
            demand_w *= next((eta for load, eta in psu.efficiency if load == 1.0), 1.0)
        wanted = (rated_w, demand_w)
    yield from _same(f"PSU-REDUNDANCY {subject}", value, wanted[0])
    yield from _same(f"PSU-REDUNDANCY limit {subject}", limit, wanted[1])
    if not math.isfinite(limit):
        yield f"PSU-REDUNDANCY {subject}: {limit}"
