"""Total IT load: GPU, server, rack, hall, and all halls; checks of the IT plan."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from facility.core.check import Check
from facility.core.sources import PROJECT
from facility.core.trace import Trace
from facility.model.it import Basis, Category, Device, ItPlan, Rack
from facility.physics.circuits.currents import apparent_power
from facility.physics.facility.demand import group_demand, heat_to_air, heat_to_liquid
from facility.physics.machines.psu import loss_of_output
from facility.power.it.racking import rack_checks
from facility.power.it.reconcile import Reconciliation, reconcile, slug, supply_loss_at
from facility.power.it.supplies import check_psu_redundancy, check_single_feed
from facility.power.rules import RULES


def it_checks(plan: ItPlan, reconciled: Iterable[Reconciliation]) -> tuple[Check, ...]:
    """Return the checks of `plan`: one per device type, cord arrangement and rack."""
    devices = {p.device.model: p.device for rack in plan.racks for p in rack.placed}
    checks = [*plan.checks, *_supply_checks(plan.racks)]
    named: dict[str, Rack] = {}
    for rack in plan.racks:
        named.setdefault(rack.name, rack)
    for rack in named.values():
        checks += rack_checks(rack)
    for found in reconciled:
        known = [row for row in found.rows if row.power_w is not None]
        recalled = [row.description for row in known if row.source.verified == "memory"]
        listed = ", ".join(recalled) or "none"
        checks += [
            *RULES.checks(found),
            RULES["DATA-MEMORY"].verdict(
                f"components of {found.model}", not recalled, f"unverified: {listed}"
            ),
        ]
    for device in devices.values():
        checks += _data_checks(device)
    return tuple(checks)


def _supply_checks(racks: Iterable[Rack]) -> Iterator[Check]:
    seen = set()
    for rack in racks:
        split: list[Counter[str]] = [Counter() for _ in rack.device_w]
        for supply in rack.supplies:
            split[supply.device][supply.feed] += 1
        index = 0
        for placed in rack.placed:
            for _ in range(placed.count):
                feeds = {f: split[index][f] for f in rack.feeds if split[index][f]}
                index += 1
                key = (placed.device.model, tuple(sorted(feeds.values())))
                if key in seen or not feeds:
                    continue
                seen.add(key)
                corded = "+".join(str(n) for n in feeds.values())
                subject = f"{placed.device.model}, supplies {corded} on {'+'.join(feeds)}"
                yield check_psu_redundancy(placed.device, feeds, subject)
                if len(feeds) == 1:
                    yield check_single_feed(placed.device, feeds, subject)


def _data_checks(device: Device) -> Iterator[Check]:
    known = device.peak_w is not None
    if device.category == "server":
        why = "published" if known else "not published; data-sheet maximum used"
        yield RULES["PEAK-KNOWN"].verdict(device.model, known, f"short-time peak {why}")
    read = not device.from_memory
    why = f"{device.maximum_w / 1e3:g} kW, {device.source.verified}: {device.source}"
    yield RULES["DATA-MEMORY"].verdict(device.model, read, why)
    psu = device.psu
    if psu is None or psu.phases != 3 or psu.assumed or not psu.efficiency:
        return
    limit_w = psu.needed * psu.rating_w
    input_w = limit_w + loss_of_output(limit_w, psu.count, psu.rating_w, psu.efficiency)
    same = abs(limit_w - device.maximum_w) <= 1e-6 * limit_w
    yield RULES["SHELF-SIDE"].verdict(
        device.model,
        not same,
        f"{device.maximum_w / 1e3:g} kW is assumed to be AC input; the {psu.needed} shelves needed "
        f"deliver {limit_w / 1e3:g} kW DC, equal to {input_w / 1e3:.1f} kW AC",
    )


@dataclass(frozen=True)
class DeviceLoad:
    """All devices of one type with the same input.

    `input_w` is one device on the selected basis, `demand_w` all devices with demand factor and
    diversity. Typical, idle and peak are per device, None if not published.
    """

    device: Device
    count: int
    input_w: float
    demand_w: float
    liquid_w: float
    apparent_va: float
    supply_loss_w: float | None
    peak_assumed_w: float


@dataclass(frozen=True)
class HallLoad:
    """IT load of one hall, with demand factor and diversity."""

    name: str
    racks: int
    it_w: float
    liquid_w: float
    air_w: float
    density_w_m2: float


@dataclass(frozen=True)
class ItLoad:
    """IT load at the equipment inputs, on the basis of the plan."""

    basis: Basis
    gpu_w: float  # GPUs at thermal design power (included in `servers_w`)
    # By category, and the total.
    servers_w: float
    network_w: float
    storage_w: float
    management_w: float
    it_w: float
    it_va: float  # Apparent power: sum over devices of input / power factor
    # Short-time peak (EDPp); if not published, the data-sheet maximum.
    peak_w: float
    # Sums if every device has a published value, otherwise None: unknown is not zero.
    idle_w: float | None
    typical_w: float | None
    liquid_w: float  # Heat to coolant; `liquid_w` + `air_w` = `it_w`
    air_w: float  # Heat to air
    supply_loss_w: float  # Loss of supplies with a known curve: included in `it_w`
    servers: int
    racks: int
    racks_compute: int
    gpus: int
    devices: tuple[DeviceLoad, ...]
    halls: tuple[HallLoad, ...]
    reconciliations: tuple[Reconciliation, ...]
    checks: tuple[Check, ...]


_CATEGORIES: tuple[tuple[str, str, Category], ...] = (
    ("servers_w", "load.server", "server"),
    ("network_w", "load.network", "switch"),
    ("storage_w", "load.storage", "storage"),
    ("management_w", "load.management", "management"),
)


_HOW_MANY: dict[Category, str] = {
    "server": "it.servers",
    "switch": "network.switches",
    "storage": "it.storage.count",
    "management": "it.management.count",
}
"""Trace steps that determine the device count of a category in a designed project."""


def roll_up(plan: ItPlan, trace: Trace) -> ItLoad:
    """Return the IT load of `plan`; identical racks are counted, not repeated.

    Result ids: ``load.gpu``, ``load.server``, ``load.network``, ``load.storage``,
    ``load.management``, ``load.it``, ``load.it_va``, ``heat.liquid``, ``heat.air``.
    """
    given = {"it.demand_factor": plan.demand_factor, "it.diversity": plan.diversity}
    for id, value in given.items():
        if id not in trace:
            trace.given(id, value, "fraction", PROJECT)
    groups = _groups(plan, {id.removeprefix("it."): id for id in given}, trace)
    loads = tuple(load for _, load in groups)
    sums = _sums(groups, trace)
    found = (reconcile(load.device, trace) for load in loads)
    reconciled = tuple({r.model: r for r in found if r is not None}.values())
    servers = [load for load in loads if load.device.category == "server"]
    compute = [rack for rack in plan.racks if rack.purpose == "compute"]
    return ItLoad(
        basis=plan.basis,
        peak_w=sum(load.count * load.peak_assumed_w for load in loads) * plan.diversity,
        idle_w=_all_known(loads, lambda device: device.idle_w, plan.diversity),
        typical_w=_all_known(loads, lambda device: device.typical_w, plan.diversity),
        air_w=float(trace.do("heat.air", heat_to_air, input_w="load.it", liquid_w="heat.liquid")),
        supply_loss_w=sum(ld.count * ld.supply_loss_w for ld in loads if ld.supply_loss_w),
        servers=sum(load.count for load in servers),
        racks=sum(rack.count for rack in plan.racks),
        racks_compute=sum(rack.count for rack in compute),
        gpus=sum(load.count * load.device.gpus for load in loads),
        devices=loads,
        halls=_halls(plan),
        reconciliations=reconciled,
        checks=it_checks(plan, reconciled),
        **sums,
    )


def _sums(groups: list[tuple[str, DeviceLoad]], trace: Trace) -> dict[str, float]:
    """Record the sums over devices; return them by `ItLoad` field."""
    total, watts = trace.sum, "active_power"
    devices = [load.device for _, load in groups]
    unpublished = dict.fromkeys(d.gpu_model for d in devices if d.gpus and d.gpu_power_w is None)
    by_category = {
        name: total(
            id,
            watts,
            "devices on the selected basis, demand and diversity",
            *(g for g, load in groups if load.device.category == category),
        )
        for name, id, category in _CATEGORIES
    }
    sums = by_category | {
        "it_w": total(
            "load.it", watts, "at the equipment inputs", *(id for _, id, _ in _CATEGORIES)
        ),
        "gpu_w": total(
            "load.gpu",
            watts,
            "GPUs at thermal design power" + "".join(f"; not published: {m}" for m in unpublished),
            *(f"{g}.gpu" for g, load in groups if f"{g}.gpu" in trace),
        ),
        "it_va": total(
            "load.it_va",
            "apparent_power",
            "input over power factor, by device",
            *(f"{g}.va" for g, _ in groups),
        ),
        "liquid_w": total(
            "heat.liquid",
            "heat_flow",
            "heat removed by cold plates",
            *(f"{g}.liquid" for g, load in groups if load.liquid_w),
        ),
    }
    return {name: float(value) for name, value in sums.items()}


def _groups(plan: ItPlan, factors: dict[str, str], trace: Trace) -> list[tuple[str, DeviceLoad]]:
    counts: dict[tuple[str, float, float], tuple[Device, int, float]] = {}
    for rack in plan.racks:
        first = 0
        for placed in rack.placed:
            key = (placed.device.model, placed.input_w, placed.peak_w)
            device, count, power_factor = counts.get(
                key, (placed.device, 0, rack.device_pf[first] if rack.device_pf else 1.0)
            )
            counts[key] = (device, count + placed.count * rack.count, power_factor)
            first += placed.count
    groups: list[tuple[str, DeviceLoad]] = []
    kinds = Counter(device.category for device, _, _ in counts.values())
    for (model, input_w, peak_w), (device, count, power_factor) in counts.items():
        id = _unused(f"load.device.{slug(model)}", {taken for taken, _ in groups})
        alone = kinds[device.category] == 1
        origin = decided_by(device.category, count, trace) if alone else {}
        trace.derive(f"{id}.count", count, "count", "devices per rack x equal racks", **origin)
        load = _group(id, device, count, input_w, peak_w, power_factor, plan.basis, factors, trace)
        groups.append((id, load))
    return groups


def decided_by(category: Category, count: int, trace: Trace) -> dict[str, str]:
    """Return the step that determines the device count of a category, if any."""
    id = _HOW_MANY[category]
    return {"devices": id} if trace.link(id, count) == id else {}


def _unused(id: str, taken: set[str]) -> str:
    number, free = 1, id
    while free in taken:
        number += 1
        free = f"{id}__{number}"
    return free


def _group(  # noqa: PLR0913 - the factors of one equation
    id: str,
    device: Device,
    count: int,
    input_w: float,
    peak_w: float,
    power_factor: float,
    basis: Basis,
    factors: dict[str, str],
    trace: Trace,
) -> DeviceLoad:
    trace.given(
        f"{id}.input",
        input_w,
        "active_power",
        device.source,
        f"{device.model}, basis {basis.replace('_', ' ')}",
    )
    demand_w = trace.do(
        id, group_demand, device.model, count=f"{id}.count", unit_w=f"{id}.input", **factors
    )
    trace.given(f"{id}.power_factor", power_factor, "ratio", device.source)
    va = trace.do(f"{id}.va", apparent_power, power_w=id, power_factor=f"{id}.power_factor")
    liquid_w = 0.0
    if device.liquid_fraction:
        trace.given(f"{id}.liquid_fraction", device.liquid_fraction, "fraction", device.source)
        liquid_w = trace.do(
            f"{id}.liquid", heat_to_liquid, input_w=id, liquid_fraction=f"{id}.liquid_fraction"
        )
    if device.gpus:
        each, model = f"{id}.gpus_each", device.gpu_model
        trace.given(each, device.gpus, "count", device.source, f"{model} in {device.model}")
        trace.derive(
            f"{id}.gpus", count * device.gpus, "count", model, devices=f"{id}.count", each=each
        )
        if device.gpu_power_w is not None:
            trace.given(
                f"{id}.tdp",
                device.gpu_power_w,
                "active_power",
                device.source,
                f"thermal design power of {device.gpu_model}",
            )
            trace.do(f"{id}.gpu", group_demand, count=f"{id}.gpus", unit_w=f"{id}.tdp", **factors)
    loss_w = supply_loss_at(device, input_w)
    return DeviceLoad(device, count, input_w, demand_w, liquid_w, va, loss_w, peak_w)


def _all_known(
    loads: Iterable[DeviceLoad], figure: Callable[[Device], float | None], diversity: float
) -> float | None:
    total = 0.0
    for load in loads:
        value = figure(load.device)
        if value is None:
            return None
        total += load.count * value
    return total * diversity


def _halls(plan: ItPlan) -> tuple[HallLoad, ...]:
    halls = []
    share = plan.demand_factor * plan.diversity
    for hall in plan.halls:
        racks: list[Rack] = [rack for rack in plan.racks if rack.hall == hall.name]
        it_w = sum(rack.count * rack.input_w for rack in racks) * share
        liquid_w = sum(rack.count * rack.liquid_w for rack in racks) * share
        halls.append(
            HallLoad(
                hall.name,
                sum(rack.count for rack in racks),
                it_w,
                liquid_w,
                it_w - liquid_w,
                it_w / hall.floor_area_m2,
            )
        )
    return tuple(halls)
