"""Checks of the IT plan: supplies, racks, and what the data leaves open."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from facility.core.check import Check
from facility.model.it import Device, ItPlan, Rack
from facility.physics.machines.psu import loss_of_output
from facility.power.it.racking import rack_checks
from facility.power.it.reconcile import Reconciliation
from facility.power.it.supplies import check_psu_redundancy, check_single_feed
from facility.power.rules import RULES


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
            RULES["COMPONENT-SUM"].at_most(
                found.model,
                found.sum_w,
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
    return RULES["DATA-MEMORY"].verdict(
        f"components of {found.model}", not recalled, f"recalled, not read: {listed}"
    )


def _data_checks(device: Device) -> Iterator[Check]:
    known = device.peak_w is not None
    if device.category == "server":
        why = "published" if known else "not published; the data-sheet maximum stands for it"
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
        f"{device.maximum_w / 1e3:g} kW is taken as AC input; the {psu.needed} shelves needed "
        f"deliver {limit_w / 1e3:g} kW DC, which would be {input_w / 1e3:.1f} kW AC",
    )
