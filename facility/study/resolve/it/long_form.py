"""Racks of the long form: halls and racks listed in the project."""

from __future__ import annotations

from dataclasses import replace

from facility.core.check import Check
from facility.core.errors import FacilityError, near_matches
from facility.core.rounding import argmax_within_rounding
from facility.core.trace import Trace
from facility.model.inputs.it import CordsSection, ItSection, PlacedSection, RackSection
from facility.model.it import Purpose, Rack, RackCircuit
from facility.model.rack_names import names_of
from facility.model.rack_positions import lowest_unit
from facility.study.resolve.it.basis import Inputs
from facility.study.resolve.it.devices import DeviceBook
from facility.study.resolve.it.network import Cluster, network_group, nodes_group
from facility.study.resolve.it.racks import DevicesInRack, RackFrame, build_rack, known_rack_pdu
from facility.study.resolve.it.short_form import on_pairs, rack_group

SHORT_FORM = (
    "gpu_model",
    "gpus",
    "server",
    "servers",
    "server_power",
    "servers_per_rack",
    "rack_power",
)
"""Fields of the section that racks listed in halls replace."""
DEFAULT_RACK_UNITS = 48
"""Height of a rack where none is specified [U]."""
_PURPOSE: dict[str, Purpose] = {
    "server": "compute",
    "switch": "network",
    "storage": "storage",
    "management": "management",
}


def built_racks(
    section: ItSection, feeds: tuple[str, ...], book: DeviceBook, inputs: Inputs, trace: Trace
) -> tuple[list[Rack], tuple[Check, ...]]:
    """Return the racks of the long form, and the fabric checks.

    Network, storage and management are added only with their sections; their racks
    are in the first hall.

    Raises ``CONTRADICTION`` for fields of the short form, ``DUPLICATE``, ``UNKNOWN_FEED``, or a
    unknown device.
    """
    for name in SHORT_FORM:
        if getattr(section, name) is not None:
            raise FacilityError(
                "CONTRADICTION",
                f"it.{name}",
                f"{name} applies only to the short form, but it.halls lists racks.",
                f"Remove {name}, or the racks.",
            )
    racks: list[Rack] = []
    for h, hall in enumerate(section.halls or ()):
        names: set[str] = set()
        for r, rack in enumerate(hall.racks or ()):
            where = f"it.halls[{h}].racks[{r}]"
            if rack.name in names:
                raise FacilityError(
                    "DUPLICATE",
                    f"{where}.name",
                    f"{rack.name!r} is listed twice in {hall.name}.",
                    "Use count for identical racks, and a different name for each type.",
                )
            names.add(rack.name)
            racks.append(_rack(rack, hall.name, section, feeds, book, inputs, where))
    extra, checks = _extra_groups(section, racks, feeds, book, inputs, trace)
    return racks + extra, checks


def check_feeds(named: list[str], feeds: tuple[str, ...], where: str) -> tuple[str, ...]:
    """Return `named` as feeds of the plant, in the order of the plant.

    Raises ``UNKNOWN_FEED`` or ``DUPLICATE``.
    """
    for name in named:
        if name not in feeds:
            raise FacilityError(
                "UNKNOWN_FEED",
                where,
                f"the plant has no feed {name!r}.",
                near_matches(name, feeds) + " The feeds follow from the power redundancy.",
            )
    if len(set(named)) != len(named) or not named:
        raise FacilityError("DUPLICATE", where, f"feeds {named} list a feed twice, or none.")
    return tuple(feed for feed in feeds if feed in named)


def _rack(
    rack: RackSection,
    hall: str,
    section: ItSection,
    feeds: tuple[str, ...],
    book: DeviceBook,
    inputs: Inputs,
    where: str,
) -> Rack:
    if not rack.devices:
        raise FacilityError(
            "MISSING_FIELD",
            f"{where}.devices",
            "the rack has no devices.",
            "List at least one device.",
        )
    own = check_feeds(rack.feeds, feeds, f"{where}.feeds") if rack.feeds is not None else feeds
    contents = []
    for d, item in enumerate(rack.devices):
        item_path = f"{where}.devices[{d}]"
        device = book.get(item.model, f"{item_path}.model")
        power_w = item.power.si if item.power is not None else None
        if item.supplies is not None:
            check_feeds(list(item.supplies), own, f"{item_path}.supplies")
        placed = inputs.placed(device, item.count, item_path, power_w)
        positions = _u_positions(item, rack.count, f"{item_path}.u_positions")
        contents.append(DevicesInRack(replace(placed, u_positions=positions), item.supplies))
    powers_w = [item.placed.count * item.placed.input_w for item in contents]
    heaviest = contents[argmax_within_rounding(powers_w)].placed.device
    tallest = max(item.placed.device.rack_units for item in contents)
    frame = RackFrame(
        rack.name,
        hall,
        rack.purpose or _PURPOSE[heaviest.category],
        rack.rack_units or section.rack_units or max(DEFAULT_RACK_UNITS, tallest),
        rack.power_limit.si if rack.power_limit is not None else None,
        own,
        section.cords or CordsSection.unstated(),
        where,
        rack.connector or "",
    )
    built = build_rack(frame, rack.name, rack.count, own, contents, _circuits(rack, own, where))
    names = names_of(rack.names or (), f"{where}.names")
    # Names of another number of racks, as after a change of the count, name none of them.
    return replace(built, names=names) if len(set(names)) == rack.count else built


def _circuits(
    rack: RackSection, feeds: tuple[str, ...], where: str
) -> tuple[RackCircuit, ...] | None:
    if rack.circuits is None:
        return None
    circuits = []
    for index, circuit in enumerate(rack.circuits):
        path = f"{where}.circuits[{index}]"
        check_feeds([circuit.feed], feeds, f"{path}.feed")
        breaker_a = circuit.breaker.si if circuit.breaker is not None else None
        rack_pdu = known_rack_pdu(circuit.rack_pdu, f"{path}.rack_pdu")
        connector = circuit.connector or rack.connector or ""
        circuits.append(
            RackCircuit(circuit.feed, circuit.poles or 3, breaker_a, rack_pdu, connector)
        )
    return tuple(circuits)


def _u_positions(item: PlacedSection, racks: int, where: str) -> tuple[float | None, ...]:
    """Return the stated lowest rack units of devices.

    Raises ``CONTRADICTION`` for another number of positions than devices.
    """
    stated = item.u_positions or ()
    if len(stated) not in (0, item.count, item.count * racks):
        raise FacilityError(
            "CONTRADICTION",
            where,
            f"{len(stated)} positions, {item.count} devices in each of {racks} racks.",
            f"Enter {item.count} positions for all racks, or {item.count * racks} rack by rack.",
        )
    return tuple(map(lowest_unit, stated))


def _extra_groups(
    section: ItSection,
    racks: list[Rack],
    feeds: tuple[str, ...],
    book: DeviceBook,
    inputs: Inputs,
    trace: Trace,
) -> tuple[list[Rack], tuple[Check, ...]]:
    halls = ((section.halls or [])[0].name,)
    servers = [
        (p.device, p.count * rack.count)
        for rack in racks
        for p in rack.placed
        if p.device.category == "server"
    ]
    sizes = {device.gpus for device, _ in servers}
    gpus = sum(device.gpus * count for device, count in servers)
    cluster = Cluster(
        sum(count for _, count in servers),
        gpus,
        sizes.pop() if len(sizes) == 1 else 0,
        servers[0][0].gpu_model if servers else "",
    )
    checks: tuple[Check, ...] = ()
    groups = []
    if section.network is not None:
        group, checks = network_group(section.network, cluster, book, trace)
        groups.append(group)
    if section.storage is not None:
        groups.append(nodes_group(section.storage, "storage", cluster, book, trace))
    if section.management is not None:
        groups.append(nodes_group(section.management, "management", cluster, book, trace))
    extra: list[Rack] = []
    for found in groups:
        if found is not None:
            extra += rack_group(
                found, section, halls, feeds, inputs, on_pairs(racks + extra, feeds)
            )
    return extra, checks
