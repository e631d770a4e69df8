"""Racks: devices, feeds, circuits and supplies of each kind of rack."""

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
    """Devices of one model in a rack; `split` gives their supplies per feed where stated."""

    placed: Placed
    split: Mapping[str, int] | None = None


@dataclass(frozen=True)
class RackFrame:
    """What kinds of rack of one purpose share."""

    label: str
    hall: str
    purpose: Purpose
    rack_units: int
    power_limit_w: float | None
    feeds: tuple[str, ...]
    cords: CordsSection
    where: str


def rack_kinds(frame: RackFrame, placed: Placed, packing: Packing, turn: int = 0) -> list[Rack]:
    """Return the kinds of rack that hold equal devices packed as `packing` says.

    Racks that hang on a pair of feeds take the pairs in turn, so that all feeds carry alike.

    placed: The device with its input; its count is not used.
    turn: The pair to begin with: racks on pairs that stand already.
    """
    psu = placed.device.psu
    sets = feed_sets([psu] if psu is not None else [], frame.feeds)
    base, odd = divmod(packing.full, len(sets))
    kinds = []
    for index in range(len(sets)):
        feeds = sets[(turn + index) % len(sets)]
        count = base + (index < odd)
        if count:
            stand = DevicesInRack(replace(placed, count=packing.per_rack))
            name = _name(frame.label, feeds, len(sets))
            kinds.append(build_rack(frame, name, count, feeds, [stand]))
    if packing.last:
        feeds = sets[(turn + odd) % len(sets)]
        stand = DevicesInRack(replace(placed, count=packing.last))
        label = f"{frame.label} ({packing.last} of {packing.per_rack})"
        kinds.append(build_rack(frame, _name(label, feeds, len(sets)), 1, feeds, [stand]))
    return kinds


def _name(label: str, feeds: tuple[str, ...], sets: int) -> str:
    return f"{label} {'-'.join(feeds)}" if sets > 1 else label


def build_rack(
    frame: RackFrame,
    name: str,
    count: int,
    feeds: tuple[str, ...],
    stands: Sequence[DevicesInRack],
    circuits: tuple[RackCircuit, ...] | None = None,
) -> Rack:
    """Return one kind of rack with its supplies hung on feeds and circuits.

    Supplies go evenly over the feeds, the odd ones of successive devices on successive feeds.
    Without circuits given there is one for each three-phase shelf and, per feed, as many as the
    cords say for the rest.

    Raises ``CONTRADICTION`` for supplies on a feed without a circuit, a split that does not add up,
    or a three-phase shelf on a circuit of fewer poles; ``TOO_MANY_CORDS``.
    """
    devices = [(stand, stand.placed.device) for stand in stands for _ in range(stand.placed.count)]
    splits = _splits(devices, feeds, frame.where)
    if circuits is None:
        circuits = _designed_circuits(devices, splits, feeds, frame)
    supplies = _hang(devices, splits, circuits, frame.where)
    _refuse_cords(devices, supplies, circuits, frame.where)
    return Rack(
        name=name,
        hall=frame.hall,
        purpose=frame.purpose,
        count=count,
        placed=tuple(stand.placed for stand in stands),
        rack_units=frame.rack_units,
        power_limit_w=frame.power_limit_w,
        feeds=feeds,
        circuits=circuits,
        supplies=supplies,
        device_w=tuple(stand.placed.input_w for stand, _ in devices),
        device_peak_w=tuple(stand.placed.peak_w for stand, _ in devices),
        device_pf=tuple(d.psu.power_factor if d.psu else 1.0 for _, d in devices),
        device_phases=tuple(_phases(d) for _, d in devices),
    )


def known_rack_pdu(model: str | None, where: str) -> str:
    """Return `model`, a rack PDU of the catalogue, or an empty text where none is given.

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
    for stand, device in devices:
        count = device.psu.count if device.psu is not None else 1
        if stand.split is None:
            splits.append(split_supplies(count, feeds, start))
            start += count % len(feeds)
        elif sum(stand.split.values()) != count:
            raise FacilityError(
                "CONTRADICTION",
                where,
                f"{sum(stand.split.values())} supplies of {device.model} are placed on feeds; it "
                f"has {count}.",
                f"Place all {count}.",
            )
        else:
            splits.append(stand.split)
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
        circuits += [RackCircuit(feed, cords.poles or 3, breaker_a, rack_pdu)] * count
    return tuple(circuits)


def _hang(
    devices: Sequence[tuple[DevicesInRack, Device]],
    splits: Sequence[Mapping[str, int]],
    circuits: tuple[RackCircuit, ...],
    where: str,
) -> tuple[Supply, ...]:
    """Hang shelves on the first circuits of their feed, the other supplies on those left."""
    on_feed: dict[str, list[int]] = {}
    for number, circuit in enumerate(circuits):
        on_feed.setdefault(circuit.feed, []).append(number)
    supplies: list[Supply] = []
    shelves: Counter[str] = Counter()
    for phases in (3, 1):
        turn: Counter[str] = Counter()
        for index, (_, device) in enumerate(devices):
            if _phases(device) != phases:
                continue
            for feed in (f for f, count in splits[index].items() for _ in range(count)):
                numbers = on_feed.get(feed, [])
                pool = numbers if phases == 3 else numbers[shelves[feed] :] or numbers
                if not pool:
                    raise _no_circuit(device, feed, where)
                number = pool[turn[feed] % len(pool)]
                turn[feed] += 1
                _check_poles(device, circuits[number], where)
                supplies.append(Supply(index, feed, number))
        shelves = turn
    return tuple(supplies)


def _refuse_cords(
    devices: Sequence[tuple[DevicesInRack, Device]],
    supplies: Sequence[Supply],
    circuits: Sequence[RackCircuit],
    where: str,
) -> None:
    """Refuse a device on more circuits than `MAX_CORDS`, in a rack that is not one load."""
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
                f"{devices[index][1].model} is on {len(numbers)} circuits; a device may be on"
                f" {MAX_CORDS}.",
                "Put its supplies in shelves with one inlet each (it.devices[].supplies.shelves),"
                " or fewer circuits to the rack (it.cords.per_feed, circuits).",
            )


def _no_circuit(device: Device, feed: str, where: str) -> FacilityError:
    return FacilityError(
        "CONTRADICTION",
        where,
        f"supplies of {device.model} hang on feed {feed}, but the rack has no circuit there.",
        f"Add a circuit on feed {feed}, or place the supplies elsewhere.",
    )


def _check_poles(device: Device, circuit: RackCircuit, where: str) -> None:
    if _phases(device) == 3 and circuit.poles != 3:
        raise FacilityError(
            "CONTRADICTION",
            where,
            f"a three-phase shelf of {device.model} hangs on a circuit of {circuit.poles} poles.",
            "Give its circuits 3 poles.",
        )
