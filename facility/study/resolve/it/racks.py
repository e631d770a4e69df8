"""Racks: devices, feeds, circuits and supplies of each rack type."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from facility.catalogue import table
from facility.core.errors import FacilityError
from facility.model.inputs.it import CordsSection
from facility.model.it import MAX_CORDS, Device, Placed, Purpose, Rack, RackCircuit, Supply
from facility.power.it.racking import Packing
from facility.power.it.supplies import feed_sets, split_supplies


@dataclass(frozen=True)
class DevicesInRack:
    """Devices of one model in a rack; `split` is the stated number of supplies per feed."""

    placed: Placed
    split: Mapping[str, int] | None = None


@dataclass(frozen=True)
class RackFrame:
    """Common data of rack types of one purpose."""

    label: str
    hall: str
    purpose: Purpose
    rack_units: int
    power_limit_w: float | None
    feeds: tuple[str, ...]
    cords: CordsSection
    where: str
    connector: str = ""  # Stated for the rack; default that of the cords


def rack_kinds(
    frame: RackFrame, placed: Placed, packing: Packing, first_pair: int = 0
) -> list[Rack]:
    """Return the rack types for identical devices packed according to `packing`.

    Racks on a pair of feeds use the pairs in rotation, so that all feeds are equally loaded.

    placed: The device with its input; its count is not used.
    first_pair: First pair: number of existing racks on pairs.
    """
    psu = placed.device.psu
    sets = feed_sets([psu] if psu is not None else [], frame.feeds)
    base, odd = divmod(packing.full, len(sets))
    kinds = []
    for index in range(len(sets)):
        feeds = sets[(first_pair + index) % len(sets)]
        count = base + (index < odd)
        if count:
            item = DevicesInRack(replace(placed, count=packing.per_rack))
            name = _name(frame.label, feeds, len(sets))
            kinds.append(build_rack(frame, name, count, feeds, [item]))
    if packing.last:
        feeds = sets[(first_pair + odd) % len(sets)]
        item = DevicesInRack(replace(placed, count=packing.last))
        label = f"{frame.label} ({packing.last} of {packing.per_rack})"
        kinds.append(build_rack(frame, _name(label, feeds, len(sets)), 1, feeds, [item]))
    return kinds


def _name(label: str, feeds: tuple[str, ...], sets: int) -> str:
    return f"{label} {'-'.join(feeds)}" if sets > 1 else label


def build_rack(
    frame: RackFrame,
    name: str,
    count: int,
    feeds: tuple[str, ...],
    contents: Sequence[DevicesInRack],
    circuits: tuple[RackCircuit, ...] | None = None,
) -> Rack:
    """Return one rack type with its supplies assigned to feeds and circuits.

    Supplies are distributed evenly over the feeds, odd ones of successive devices on successive
    feeds. By default there is one circuit per three-phase shelf and, per feed, the number of cords
    for the others.

    Raises ``CONTRADICTION`` for supplies on a feed without a circuit, a split that does not add up,
    or a three-phase shelf on a circuit of fewer poles; ``TOO_MANY_CORDS``.
    """
    devices = [(item, item.placed.device) for item in contents for _ in range(item.placed.count)]
    splits = _splits(devices, feeds, frame.where)
    if circuits is None:
        circuits = _designed_circuits(devices, splits, feeds, frame)
    supplies = _assign(devices, splits, circuits, frame.where)
    _refuse_cords(devices, supplies, circuits, frame.where)
    return Rack(
        name=name,
        hall=frame.hall,
        purpose=frame.purpose,
        count=count,
        placed=tuple(item.placed for item in contents),
        rack_units=frame.rack_units,
        power_limit_w=frame.power_limit_w,
        feeds=feeds,
        circuits=circuits,
        supplies=supplies,
        device_w=tuple(item.placed.input_w for item, _ in devices),
        device_peak_w=tuple(item.placed.peak_w for item, _ in devices),
        device_pf=tuple(d.psu.power_factor if d.psu else 1.0 for _, d in devices),
        device_phases=tuple(_phases(d) for _, d in devices),
    )


def known_rack_pdu(model: str | None, where: str) -> str:
    """Return `model`, a catalogue rack PDU, or an empty text if none is specified.

    Raises ``UNKNOWN_MODEL`` with near matches.
    """
    return "" if model is None else table("equipment/rack_pdus").get(model, where).text("model")


def _phases(device: Device) -> int:
    return device.psu.phases if device.psu is not None else 1


def _splits(
    devices: Sequence[tuple[DevicesInRack, Device]], feeds: tuple[str, ...], where: str
) -> list[Mapping[str, int]]:
    splits: list[Mapping[str, int]] = []
    start = 0
    for item, device in devices:
        count = device.psu.count if device.psu is not None else 1
        if item.split is None:
            splits.append(split_supplies(count, feeds, start))
            start += count % len(feeds)
        elif sum(item.split.values()) != count:
            raise FacilityError(
                "CONTRADICTION",
                where,
                f"{sum(item.split.values())} supplies of {device.model} are assigned to feeds, "
                f"but it has {count}.",
                f"Assign all {count}.",
            )
        else:
            splits.append(item.split)
    return splits


def _designed_circuits(
    devices: Sequence[tuple[DevicesInRack, Device]],
    splits: Sequence[Mapping[str, int]],
    feeds: tuple[str, ...],
    frame: RackFrame,
) -> tuple[RackCircuit, ...]:
    cords = frame.cords
    breaker_a = cords.breaker.si if cords.breaker is not None else None
    rack_pdu = known_rack_pdu(cords.rack_pdu, "it.cords.rack_pdu")
    circuits = []
    for feed in feeds:
        shelves = sum(
            split.get(feed, 0)
            for (_, device), split in zip(devices, splits, strict=True)
            if _phases(device) == 3
        )
        others = any(
            _phases(device) != 3 and split.get(feed, 0)
            for (_, device), split in zip(devices, splits, strict=True)
        )
        count = cords.per_feed or shelves + (1 if others else 0)
        connector = frame.connector or cords.connector or ""
        circuits += [RackCircuit(feed, cords.poles or 3, breaker_a, rack_pdu, connector)] * count
    return tuple(circuits)


def _assign(
    devices: Sequence[tuple[DevicesInRack, Device]],
    splits: Sequence[Mapping[str, int]],
    circuits: tuple[RackCircuit, ...],
    where: str,
) -> tuple[Supply, ...]:
    """Assign shelves to the first circuits of their feed, other supplies to the others."""
    on_feed: dict[str, list[int]] = {}
    for number, circuit in enumerate(circuits):
        on_feed.setdefault(circuit.feed, []).append(number)
    supplies: list[Supply] = []
    shelves: Counter[str] = Counter()
    for phases in (3, 1):
        first_pair: Counter[str] = Counter()
        for index, (_, device) in enumerate(devices):
            if _phases(device) != phases:
                continue
            for feed in (f for f, count in splits[index].items() for _ in range(count)):
                numbers = on_feed.get(feed, [])
                pool = numbers if phases == 3 else numbers[shelves[feed] :] or numbers
                if not pool:
                    raise _no_circuit(device, feed, where)
                number = pool[first_pair[feed] % len(pool)]
                first_pair[feed] += 1
                _check_poles(device, circuits[number], where)
                supplies.append(Supply(index, feed, number))
        shelves = first_pair
    return tuple(supplies)


def _refuse_cords(
    devices: Sequence[tuple[DevicesInRack, Device]],
    supplies: Sequence[Supply],
    circuits: Sequence[RackCircuit],
    where: str,
) -> None:
    """Reject a device on more circuits than `MAX_CORDS`, in a rack with several loads."""
    if len(circuits) <= MAX_CORDS:
        return
    on: dict[int, set[int]] = {}
    for supply in supplies:
        on.setdefault(supply.device, set()).add(supply.circuit)
    for index, numbers in on.items():
        if len(numbers) > MAX_CORDS:
            raise FacilityError(
                "TOO_MANY_CORDS",
                where,
                f"{devices[index][1].model} is on {len(numbers)} circuits; the maximum per "
                f"device is {MAX_CORDS}.",
                "Group its supplies in shelves with one inlet each (it.devices[].supplies.shelves),"
                " or reduce the circuits of the rack (it.cords.per_feed, circuits).",
            )


def _no_circuit(device: Device, feed: str, where: str) -> FacilityError:
    return FacilityError(
        "CONTRADICTION",
        where,
        f"supplies of {device.model} are assigned to feed {feed}, but the rack has no circuit on "
        f"it.",
        f"Add a circuit on feed {feed}, or assign the supplies to other feeds.",
    )


def _check_poles(device: Device, circuit: RackCircuit, where: str) -> None:
    if _phases(device) == 3 and circuit.poles != 3:
        raise FacilityError(
            "CONTRADICTION",
            where,
            f"a three-phase shelf of {device.model} is connected to a circuit with "
            f"{circuit.poles} poles.",
            "Set the poles of its circuits to 3.",
        )
