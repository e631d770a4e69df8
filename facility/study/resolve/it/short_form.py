"""Racks of the short form: racks, network, storage and management from GPU model and number."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

from facility.catalogue import Row, match_gpu, table
from facility.catalogue.trade_names import GPUS, SERVERS, gpu_key
from facility.core.check import Check
from facility.core.errors import FacilityError
from facility.core.rounding import within
from facility.core.sources import PROJECT, Source
from facility.core.trace import Trace
from facility.model.inputs.it import CordsSection, ItSection, NetworkSection
from facility.model.inputs.limits import MAX_CIRCUITS
from facility.model.it import Device, Placed, Rack
from facility.power.it.load import decided_by
from facility.power.it.racking import max_per_rack, pack
from facility.study.resolve.cooling.it import published_air
from facility.study.resolve.it.basis import Inputs
from facility.study.resolve.it.devices import DeviceBook, gpu_tdp_w, missing_data
from facility.study.resolve.it.network import Cluster, DeviceGroup, network_group, nodes_group
from facility.study.resolve.it.racks import RackFrame, rack_kinds
from facility.study.resolve.reader import Reader

_DEFAULT_SERVER = {
    "A100 SXM4 80GB": "DGX A100",
    "H100 SXM5": "DGX H100",
    "H200 SXM": "DGX H200",
    "B200 SXM": "DGX B200",
    "B300 SXM": "DGX B300 AC",
    "B200 NVL72": "GB200 NVL72",
    "B300 NVL72": "GB300 NVL72",
    "MI300X": "XE9680 MI300X",
    "MI325X": "AS-8125GS MI325X",
    "Gaudi 3": "XE9680 Gaudi 3",
    "H100 NVL": "SR675 V3 H100 NVL",
    "H100 PCIe": "SR675 V3 H100 PCIe",
    "H200 NVL": "SR675 V3 H200 NVL",
    "L40S": "SR675 V3 L40S",
    "RTX PRO 6000": "SR675 V3 RTX PRO 6000",
}
_LIQUID_COOLED = ("liquid rack", "liquid tray")
_TRADE_NAME = {"B200 NVL72": "GB200 NVL72", "B300 NVL72": "GB300 NVL72"}
_REFERENCE_RACK = "SuperPOD H100 RA compute rack"
_NETWORK_RACK = "management / network rack (NVL72 row)"
_CABINETS = "equipment/cabinets"
_UNPUBLISHED_M3_S_PER_W = 0.865 / 1026.0 / 12.0
"""Air flow of a device without published data: 12 K rise at maximum recommended inlet.

Air of 27 degC and a dew point of 15 degC at sea level: 0.865 m3/kg and 1026 J/(kg K).
"""


@dataclass(frozen=True)
class Bay:
    """Filling of racks of one purpose: height, power limit, and devices per rack if fixed."""

    rack_units: int
    limit_w: float | None
    per_rack: int | None
    why: str


def design_racks(
    section: ItSection,
    halls: tuple[str, ...],
    feeds: tuple[str, ...],
    book: DeviceBook,
    inputs: Inputs,
    trace: Trace,
) -> tuple[list[Rack], tuple[Check, ...]]:
    """Return the racks of the short form, distributed evenly over `halls`, and the fabric checks.

    Raises for an unknown GPU or server, a contradiction, or racks that are too small.
    """
    server, servers = _servers(section, book, trace)
    cluster = Cluster(servers, servers * server.gpus, server.gpus, server.gpu_model)
    racks = rack_group(DeviceGroup(server, servers, "compute"), section, halls, feeds, inputs, 0)
    refuse_circuits(racks, "it.gpus" if section.gpus is not None else "it.servers")
    network, checks = network_group(section.network, cluster, book, trace)
    nodes = [nodes_group(section.storage, "storage", cluster, book, trace)]
    nodes += [nodes_group(section.management, "management", cluster, book, trace)]
    for group in (network, *nodes):
        if group is not None:
            racks += rack_group(group, section, halls, feeds, inputs, on_pairs(racks, feeds))
    return racks, checks


def refuse_circuits(racks: Iterable[Rack], where: str) -> None:
    """Reject too many rack circuits.

    Raises ``LIMIT`` with the causing field.
    """
    circuits = sum(rack.count * len(rack.circuits) for rack in racks)
    if circuits > MAX_CIRCUITS:
        raise FacilityError(
            "LIMIT",
            where,
            f"{circuits:,} rack circuits exceed the limit of {MAX_CIRCUITS:,}.",
            "Divide the campus into one project per building.",
        )


def rack_group(
    group: DeviceGroup,
    section: ItSection,
    halls: tuple[str, ...],
    feeds: tuple[str, ...],
    inputs: Inputs,
    first_pair: int,
) -> list[Rack]:
    """Return the racks for the devices of `group`, distributed evenly over `halls`.

    `first_pair` is the number of existing racks on pairs of feeds.
    """
    trace = inputs.trace
    where = "it.server" if group.purpose == "compute" else f"it.{group.purpose}"
    placed = inputs.placed(group.device, group.count, where)
    compute = group.purpose == "compute"
    bay = _compute_bay(section, group.device, trace) if compute else _node_bay(section, trace)
    per_rack, why = bay.per_rack, bay.why
    if per_rack is None:
        per_rack, why = max_per_rack(
            group.device.rack_units, placed.input_w, bay.rack_units, bay.limit_w, where
        )
    if not compute or section.servers_per_rack is None:
        per_rack, why = _in_its_air(per_rack, why, placed, inputs)
    trace.choose(f"it.{group.purpose}.per_rack", per_rack, "count", why, group.device.source)
    limit_w = bay.limit_w if section.rack_power is not None or not compute else None
    base, odd = divmod(group.count, len(halls))
    racks = []
    for index, hall in enumerate(halls):
        frame = RackFrame(
            group.purpose.capitalize(),
            hall,
            group.purpose,
            bay.rack_units,
            limit_w,
            feeds,
            section.cords or CordsSection.unstated(),
            where,
        )
        packing = pack(base + (index < odd), per_rack, why)
        racks += rack_kinds(frame, placed, packing, first_pair)
        first_pair += packing.racks
    total = sum(rack.count for rack in racks)
    origin = decided_by(group.device.category, group.count, trace)
    origin["per_rack"] = f"it.{group.purpose}.per_rack"
    trace.choose(f"it.{group.purpose}.racks", total, "count", why, group.device.source, **origin)
    return racks


def _in_its_air(per_rack: int, why: str, placed: Placed, inputs: Inputs) -> tuple[int, str]:
    """Return the number of devices within the air flow and heat limits of a rack; and the reason.

    At least one. Server manufacturers publish layouts of one, two or four per rack for halls with
    less air cooling per rack than a full rack requires.
    """
    device = placed.device
    if device.liquid_only:
        return per_rack, why
    flow = published_air(device, placed.input_w) or _UNPUBLISHED_M3_S_PER_W * placed.input_w
    if not within(flow * per_rack, inputs.max_air_m3_s):
        why = f"{inputs.max_air_m3_s:.2f} m3/s of air per rack, permitted by the cooling"
        per_rack = max(int(inputs.max_air_m3_s / flow), 1)
    heat_w = placed.input_w * (1.0 - device.liquid_fraction)
    if not within(heat_w * per_rack, inputs.max_heat_w):
        why = f"{inputs.max_heat_w / 1e3:g} kW in air per rack: limit of room air cooling"
        per_rack = max(int(inputs.max_heat_w / heat_w), 1)
    return per_rack, why


def offered_gpus() -> tuple[str, ...]:
    """Return the GPUs with a known default server, for projects with only model and number.

    GPUs of rack-scale systems have their trade names.
    """
    known = (gpu for gpu, server in _DEFAULT_SERVER.items() if not missing_data(server))
    return tuple(_TRADE_NAME.get(gpu, gpu) for gpu in known)


def liquid_cooled() -> frozenset[str]:
    """Return the servers that reject heat to coolant, and the offered GPUs with such a server."""
    rows = table(SERVERS).rows
    servers = {row.text("model") for row in rows if row.text("class") in _LIQUID_COOLED}
    gpus = {_TRADE_NAME.get(gpu, gpu) for gpu, one in _DEFAULT_SERVER.items() if one in servers}
    return frozenset(servers | gpus)


def on_pairs(racks: list[Rack], feeds: tuple[str, ...]) -> int:
    """Return how many of `racks` are on a subset of the feeds."""
    return sum(rack.count for rack in racks if len(rack.feeds) < len(feeds))


def rack_pitch(device: Device) -> tuple[float, Source]:
    """Return the width of the rack of `device` [m], and its source."""
    layout = _layout(device)
    if layout is None or layout["rack_width_mm"] is None:
        layout = table(_CABINETS).get(_REFERENCE_RACK)
    return layout.si("rack_width_mm"), layout.cite("rack_width_mm")


def _servers(section: ItSection, book: DeviceBook, trace: Trace) -> tuple[Device, int]:
    """Return the server of the section and the count; reject unknown GPUs by name."""
    model = _server_model(section, book, trace)
    if section.server_power is not None:
        book.state_power(model, section.server_power)
    server = book.get(model, "it.server")
    if server.category != "server" or server.gpus < 1:
        raise FacilityError(
            "CONTRADICTION", "it.server", f"{server.model} is not a GPU server.",
            "Enter a server of equipment/servers, or describe one with gpus under it.devices.",
        )  # fmt: skip
    requested = section.gpu_model or server.gpu_model
    match = match_gpu(requested)
    meant = {requested, match.key, *(row.text("model") for row in match.candidates)}
    if section.gpu_model is not None and server.gpu_model not in meant:
        table(GPUS).get(gpu_key(section.gpu_model, "it.gpu_model"), "it.gpu_model")
        own = _TRADE_NAME.get(server.gpu_model or "", server.gpu_model) or "a matching model"
        raise FacilityError(
            "CONTRADICTION",
            "it.server",
            f"{server.model} contains {server.gpu_model or 'no named GPU'}, not "
            f"{section.gpu_model}.",
            f"Omit it.gpu_model, or enter {own}.",
        )
    if section.gpus is None and section.servers is None:
        raise FacilityError(
            "MISSING_FIELD",
            "it.gpus",
            "the number of GPUs is required.",
            "Enter it.gpus, e.g. 256.",
        )
    if section.gpus is None:
        count = int(trace.given("it.servers", float(section.servers or 0), "count", PROJECT))
        return server, count
    count = math.ceil(section.gpus / server.gpus)
    if section.servers is not None and section.servers != count:
        raise FacilityError(
            "CONTRADICTION",
            "it.servers",
            f"{section.servers} servers with {server.gpus} GPUs each do not equal {section.gpus} "
            f"GPUs.",
            f"{section.gpus} GPUs require {count} servers; enter only one of the two.",
        )
    trace.given("it.gpus", section.gpus, "count", PROJECT)
    trace.choose("it.servers", count, "count",
                 f"{section.gpus} GPUs, {server.gpus} in each {server.model}", server.source,
                 gpus="it.gpus")  # fmt: skip
    return server, count


def _server_model(section: ItSection, book: DeviceBook, trace: Trace) -> str:
    if section.server is not None:
        return section.server
    gpu = section.gpu_model
    if gpu is None:
        raise FacilityError(
            "MISSING_FIELD",
            "it.gpu_model",
            "neither GPUs nor racks are specified.",
            "Enter it.gpu_model and it.gpus, or it.halls with racks.",
        )
    names = (gpu, match_gpu(gpu).key)
    own = [model for model, (_, device) in book.given.items() if device.gpu_model in names]
    usual = _DEFAULT_SERVER.get(names[1])
    if len(own) == 1 and (usual is None or missing_data(usual)):
        return own[0]
    gpu = gpu_key(gpu, "it.gpu_model")
    if gpu not in _DEFAULT_SERVER:
        gpu_tdp_w(gpu, "it.gpu_model")
        raise FacilityError(
            "MISSING_FIELD",
            "it.server",
            f"there is no default server for {gpu}.",
            "Enter it.server, described under it.devices if missing in the catalogue. "
            f"GPUs with a default server: {', '.join(_DEFAULT_SERVER)}.",
        )
    model = _DEFAULT_SERVER[gpu]
    return trace.ledger.add_text(
        "it.server",
        model,
        f"manufacturer's system with {gpu}",
        table(SERVERS).get(model).cite("gpu_model"),
    )


def _layout(device: Device) -> Row | None:
    return next(iter(table(_CABINETS).select(system=device.model)), None)


def _compute_bay(section: ItSection, server: Device, trace: Trace) -> Bay:
    layout, read = _layout(server), Reader(section, "it", trace)
    reference = table(_CABINETS).get(_REFERENCE_RACK)
    units = section.rack_units
    if units is None:
        known = layout is not None and layout["rack_u"] is not None
        row = layout if layout is not None and known else reference
        height = max(row.integer("rack_u"), server.rack_units)
        units = read.count("rack_units", height, row.text("layout"), row.cite("rack_u"))
    limit_w = section.rack_power.si if section.rack_power is not None else None
    if section.servers_per_rack is not None:
        return Bay(units, limit_w, section.servers_per_rack, "as specified")
    if limit_w is None and layout is not None and layout["systems_per_rack"] is not None:
        limit, words = layout.integer("systems_per_rack"), layout.text("layout")
        if units // server.rack_units >= limit:
            read.count("servers_per_rack", limit, words, layout.cite("systems_per_rack"))
            return Bay(units, None, limit, words)
    if limit_w is None and not server.liquid_only:
        words = "reference air-cooled compute rack"
        limit_w = read("rack_power", reference.si("rack_kw"), words, reference.cite("rack_kw"))
    return Bay(units, limit_w, None, "")


def _node_bay(section: ItSection, trace: Trace) -> Bay:
    row = table(_CABINETS).get(_NETWORK_RACK)
    reference = table(_CABINETS).get(_REFERENCE_RACK)
    limit_w = Reader(section.network or NetworkSection.unstated(), "it.network", trace)(
        "rack_power",
        row.si("rack_kw"),
        "power of a network, storage or management rack",
        row.cite("rack_kw"),
    )
    if section.rack_power is not None:
        limit_w = min(limit_w, section.rack_power.si)
    units = section.rack_units or reference.integer("rack_u")
    return Bay(units, limit_w, None, "")
