"""Checks of the IT plan: supplies, racks, and what the data leaves open."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from facility.core.check import Check, Rule, Severity
from facility.core.sources import DERIVED, Source
from facility.model.device import Device
from facility.model.it import ItPlan, Rack
from facility.physics.machines.psu import loss_of_output
from facility.power.it.racking import rack_checks
from facility.power.it.reconcile import Reconciliation
from facility.power.it.supplies import check_psu_redundancy, check_single_feed

COMPONENT_SUM = Rule(
    "COMPONENT-SUM",
    "Component sum within the data-sheet maximum",
    Severity.WARNING,
    DERIVED,
    "Check the component list, or give the maximum power of the device.",
)
PEAK_KNOWN = Rule(
    "PEAK-KNOWN",
    "Short-time peak (EDPp) is published",
    Severity.ADVICE,
    DERIVED,
    "Give it.devices peak_power from the maker, or a measurement.",
)
DATA_MEMORY = Rule(
    "DATA-MEMORY",
    "Power figure was read in a source",
    Severity.ADVICE,
    DERIVED,
    "Give it.devices maximum_power from the data sheet of the device bought.",
)
SHELF_SIDE = Rule(
    "SHELF-SIDE",
    "Rack figure is an AC input, not the DC limit of its shelves",
    Severity.ADVICE,
    Source("derivation", "shelves needed x rating"),
    "Ask the maker whether the figure is AC input; give it.devices maximum_power if not.",
)


def it_checks(plan: ItPlan, reconciled: Iterable[Reconciliation]) -> tuple[Check, ...]:
    """Return the checks of `plan`: one per kind of device, cording and rack."""
    devices = {p.device.model: p.device for rack in plan.racks for p in rack.placed}
    checks = [*plan.checks, *_supply_checks(plan.racks)]
    named: dict[str, Rack] = {}
    for rack in plan.racks:
        named.setdefault(rack.name, rack)
    for rack in named.values():
        checks += rack_checks(rack)
    for found in reconciled:
        checks.append(
            COMPONENT_SUM.compare(
                found.model,
                found.sum_w,
                "<=",
                found.maximum_w,
                "active_power",
                f"component sum with supply loss {found.sum_w / 1e3:.2f} kW, data-sheet maximum "
                f"{found.maximum_w / 1e3:g} kW, remainder {found.remainder_w / 1e3:.2f} kW",
            )
        )
        checks.append(_component_data(found))
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


def _component_data(found: Reconciliation) -> Check:
    known = [row for row in found.rows if row.power_w is not None]
    recalled = [row.description for row in known if row.source.verified == "memory"]
    listed = ", ".join(recalled) or "none"
    return DATA_MEMORY.verdict(
        f"components of {found.model}", not recalled, f"recalled, not read: {listed}"
    )


def _data_checks(device: Device) -> Iterator[Check]:
    known = device.peak_w is not None
    if device.category == "server":
        why = "published" if known else "not published; the data-sheet maximum stands for it"
        yield PEAK_KNOWN.verdict(device.model, known, f"short-time peak {why}")
    read = not device.from_memory
    why = f"{device.maximum_w / 1e3:g} kW, {device.source.verified}: {device.source}"
    yield DATA_MEMORY.verdict(device.model, read, why)
    psu = device.psu
    if psu is None or psu.phases != 3 or psu.assumed or not psu.efficiency:
        return
    limit_w = psu.needed * psu.rating_w
    input_w = limit_w + loss_of_output(limit_w, psu.count, psu.rating_w, psu.efficiency)
    same = abs(limit_w - device.maximum_w) <= 1e-6 * limit_w
    yield SHELF_SIDE.verdict(
        device.model,
        not same,
        f"{device.maximum_w / 1e3:g} kW is taken as AC input; the {psu.needed} shelves needed "
        f"deliver {limit_w / 1e3:g} kW DC, which would be {input_w / 1e3:.1f} kW AC",
    )
