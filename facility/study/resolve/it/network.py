"""Network, storage and management nodes of a cluster: designed or as built."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

from facility.catalogue import table
from facility.catalogue.trade_names import NODES
from facility.core.check import Check
from facility.core.errors import FacilityError, unknown
from facility.core.rounding import whole_units
from facility.core.sources import DERIVED, PROJECT, RECALLED, Source
from facility.core.trace import Trace
from facility.model.inputs.it import NetworkSection, NodesSection
from facility.model.it import Device, Purpose
from facility.power.it.fabric import Topology, design_fabric, fabric_checks, largest_fabric
from facility.study.resolve.it.devices import CATEGORIES, DeviceBook
from facility.study.resolve.reader import Reader

_ARCHITECTURES = Source(
    "nvidia-reference-architectures", "DGX B200, 4 scalable units, 127 systems", verified="computed"
)
_GPUS_OF_FOUR_UNITS = 1016
_OTHER_SWITCHES_PER_GPU = (111.5 - 48 * 1.72) / 1.72 / _GPUS_OF_FOUR_UNITS
_MANAGEMENT_PER_FOUR_UNITS = 7
_GPUS_PER_STORAGE_GROUP, _NODES_PER_STORAGE_GROUP = 256, 4
_USUAL_GBPS = 400
_SWITCHES = ("QM9700", "SN5610")


@dataclass(frozen=True)
class Cluster:
    """GPU servers of a project: one type or a mixture."""

    servers: int
    gpus: int
    gpus_per_server: int
    gpu_model: str


@dataclass(frozen=True)
class DeviceGroup:
    """Identical devices racked together."""

    device: Device
    count: int
    purpose: Purpose


def network_group(
    section: NetworkSection | None, cluster: Cluster, book: DeviceBook, trace: Trace
) -> tuple[DeviceGroup | None, tuple[Check, ...]]:
    """Return the switches of the compute fabric and of the other fabrics, and their checks.

    The storage, in-band and out-of-band fabrics are represented by switches of the same model,
    in proportion to the GPUs.

    Raises ``FABRIC_TOO_LARGE``, ``FABRIC_PORTS``, ``UNKNOWN_MODEL``, ``CONTRADICTION``.
    """
    section = section or NetworkSection.unstated()
    topology = _topology(section, cluster, trace)
    if topology == "none":
        return _no_fabric(section, book, trace), ()
    switch, radix = _switch(section, cluster, book, trace)
    read = Reader(section, "it.network", trace)
    ports, planes = read.count("ports_per_gpu"), read.count("planes")
    blocking = read("oversubscription")
    endpoints = cluster.gpus * ports
    if topology == "fat-tree":
        fabric = design_fabric(topology, endpoints, 1, radix, blocking, planes)
    else:
        per_node = max(1, min(cluster.gpus_per_server, 8)) * ports
        rails = read.count("rails", per_node)
        fabric = design_fabric(
            topology, math.ceil(endpoints / rails), rails, radix, blocking, planes
        )
    built = {"leaf": section.leaf, "spine": section.spine, "core": section.core}
    other = math.ceil(cluster.gpus * _OTHER_SWITCHES_PER_GPU)
    words = (
        "storage, in-band and out-of-band fabrics as switches of the same model: 111.5 kW of "
        "network racks minus 48 x 1.72 kW compute fabric equals 17 switches for 1,016 GPUs"
    )
    total = read.count("other_switches", other, words)
    servers = {"servers": "it.servers"} if "it.servers" in trace else {}
    for tier, given in built.items():
        if given is None:
            designed = getattr(fabric, tier)
            total += int(
                trace.choose(f"network.{tier}", designed, "count", fabric.why, DERIVED, **servers)
            )
        else:
            total += int(trace.given(f"network.{tier}", given, "count", PROJECT, "as built"))
    tiers = {tier: f"network.{tier}" for tier in built} | {"other": "it.network.other_switches"}
    trace.choose("network.switches", total, "count", "all fabrics", DERIVED, **tiers)
    return DeviceGroup(switch, total, "network"), fabric_checks(fabric, built)


def _no_fabric(section: NetworkSection, book: DeviceBook, trace: Trace) -> DeviceGroup | None:
    if section.leaf or section.spine or section.core:
        raise FacilityError(
            "CONTRADICTION",
            "it.network.topology",
            "topology is none, but switch counts are specified.",
            "Remove the counts, or select fat-tree or rail-optimised.",
        )
    other = section.other_switches or 0
    trace.choose("network.switches", other, "count", "no compute fabric", PROJECT)
    if not other:
        return None
    return DeviceGroup(
        book.get(section.switch or _SWITCHES[0], "it.network.switch"), other, "network"
    )


def nodes_group(
    section: NodesSection | None,
    purpose: Literal["storage", "management"],
    cluster: Cluster,
    book: DeviceBook,
    trace: Trace,
) -> DeviceGroup | None:
    """Return the storage or management nodes of the cluster; None without such nodes."""
    id = f"it.{purpose}"
    read = Reader(section or NodesSection.unstated(), id, trace)
    usual = "NVMe storage node 2U" if purpose == "storage" else "management node 1U"
    source = table(NODES).get(usual).cite("max_w")
    model: str = read.word("model", section.model if section else None, usual, source=source)
    if purpose == "storage":
        groups = math.ceil(cluster.gpus / _GPUS_PER_STORAGE_GROUP)
        basis = f"{_NODES_PER_STORAGE_GROUP} nodes per {_GPUS_PER_STORAGE_GROUP} GPUs, rounded up"
        count = read.count("count", groups * _NODES_PER_STORAGE_GROUP, basis, RECALLED)
    else:
        units = whole_units(cluster.gpus / _GPUS_OF_FOUR_UNITS)
        basis = (
            f"{_MANAGEMENT_PER_FOUR_UNITS} nodes per {_GPUS_OF_FOUR_UNITS} GPUs, rounded up "
            "(four scalable units)"
        )
        count = read.count("count", units * _MANAGEMENT_PER_FOUR_UNITS, basis, _ARCHITECTURES)
    if not count:
        return None
    return DeviceGroup(book.get(model, f"{id}.model"), count, purpose)


def switch_power_w(device: Device, optics: str) -> float:
    """Return the maximum input of a switch with `optics` on every port.

    ``active``: the data-sheet maximum, with active optics. ``passive``: the published
    typical figure with passive cables. A catalogue transceiver: the passive figure and the
    maximum of one on every port.

    Raises ``UNKNOWN_MODEL`` or ``UNKNOWN_VALUE``.
    """
    if optics == "active":
        return device.maximum_w
    if device.typical_w is None:
        raise FacilityError(
            "UNKNOWN_VALUE",
            "it.network.optics",
            f"the power of {device.model} with passive cables is unknown.",
            "Use optics: active, or enter it.devices typical_power.",
        )
    if optics == "passive":
        return device.typical_w
    parts = table(NODES).select(category="Optic")
    models = [str(row["model"]) for row in parts]
    if optics not in models:
        raise unknown(
            "UNKNOWN_MODEL",
            "it.network.optics",
            f"{optics!r} is not a transceiver.",
            optics,
            ["active", "passive", *models],
        )
    ports = table(NODES).get(device.model, "it.network.switch").integer("port_count")
    return device.typical_w + ports * parts[models.index(optics)].si("max_w")


def _topology(
    section: NetworkSection, cluster: Cluster, trace: Trace
) -> Topology | Literal["none"]:
    if section.topology is not None:
        return section.topology
    rails = 1 < cluster.gpus_per_server <= 8
    topology: Topology = "rail-optimised" if rails else "fat-tree"
    basis = (
        "one rail per GPU of a server, as in the reference architectures"
        if rails
        else "rack-scale or mixed systems: endpoints are assigned to leaves in any order"
    )
    Reader(section, "it.network", trace).word("topology", None, topology, basis, _ARCHITECTURES)
    return topology


def _switch(
    section: NetworkSection, cluster: Cluster, book: DeviceBook, trace: Trace
) -> tuple[Device, int]:
    """Return the switch and its ports at the speed of the network cards of the GPUs."""
    model = section.switch
    if model is None:
        endpoints = cluster.gpus * (section.ports_per_gpu or 1)
        blocking = section.oversubscription.si if section.oversubscription else 1.0
        fitting = [
            name
            for name in _SWITCHES
            if section.radix is None
            and _speed(cluster) <= table(NODES).get(name).integer("port_gbps")
            and endpoints <= largest_fabric(_radix(name, cluster), blocking, 3)
        ]
        model = fitting[0] if fitting else _SWITCHES[-1 if section.radix is None else 0]
        trace.ledger.add_text(
            "it.network.switch",
            model,
            f"first of {', '.join(_SWITCHES)} that connects {endpoints} endpoints in three tiers",
            table(NODES).get(model).cite("max_w"),
        )
    device = book.get(model, "it.network.switch")
    if device.category != "switch":
        raise unknown(
            "CONTRADICTION", "it.network.switch", f"{model} is not a switch.",
            model, [str(row["model"]) for row in table(NODES).rows
                                 if CATEGORIES.get(row.text("category")) == "switch"]
        )  # fmt: skip
    if section.radix is not None:
        trace.given("it.network.radix", section.radix, "count", PROJECT)
        return device, section.radix
    basis = f"ports of {model} at {_speed(cluster)} Gbit/s, split if faster"
    radix = _radix(model, cluster)
    trace.assume("it.network.radix", radix, "count", basis, device.source)
    return device, radix


def _speed(cluster: Cluster) -> int:
    row = table("equipment/gpus").index.get((cluster.gpu_model,))
    known = None if row is None else row["fabric_gbps"]
    return _USUAL_GBPS if known is None else int(known)


def _radix(model: str, cluster: Cluster) -> int:
    row = table(NODES).index.get((model,))
    if row is None or row["port_count"] is None or row["port_gbps"] is None:
        raise FacilityError(
            "MISSING_FIELD",
            "it.network.radix",
            f"the ports of {model} are unknown.",
            "Enter it.network.radix.",
        )
    return row.integer("port_count") * max(1, row.integer("port_gbps") // _speed(cluster))
