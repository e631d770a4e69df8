"""The IT part of the Roll-up: every type of device, from the GPU to the load of all halls."""

from __future__ import annotations

from dataclasses import dataclass

from facility.physics.circuits.currents import apparent_power
from facility.power.it.load import DeviceLoad, ItLoad
from facility.report.sheet.grid import Column, Grid, SheetTable, Values
from facility.report.sheet.lines import Cited
from facility.report.sheet.model import Sheet
from facility.report.sheet.tables import basis_text

DEMAND_NAME, DIVERSITY_NAME = "IT_Demand_Factor", "IT_Diversity"
_W, _VA, _PART, _RATIO = "active_power", "apparent_power", "fraction", "ratio"
_DEMAND = f"{DEMAND_NAME}*{DIVERSITY_NAME}"


def _gpus_w(load: DeviceLoad) -> float:
    """Return the demand of the GPUs: their part of the input is that of the whole device."""
    share = load.demand_w / (load.count * load.input_w) if load.input_w else 1.0
    return load.count * load.device.gpus * load.device.gpu_power_w * share


_DEVICES: tuple[Column[DeviceLoad], ...] = (
    Column("name", "Device", 0, style="cell", of=lambda d: d.device.model),
    Column("category", "Category", 0, style="cell", of=lambda d: d.device.category),
    Column("count", "Number", 0, "count", of=lambda d: d.count),
    Column("each", "Input kW each", 0, _W, number_format="n3", of=lambda d: d.input_w),
    Column("demand", "Demand kW", 0, _W, "{count}*{each}*" + _DEMAND, of=lambda d: d.demand_w),
    Column(
        "pf", "PF", 0, _RATIO, of=lambda d: d.demand_w / d.apparent_va if d.apparent_va else 1.0
    ),
    Column(
        "va",
        "Demand kVA",
        0,
        _VA,
        apparent_power.in_cells(power_w="{demand}", power_factor="{pf}"),
        of=lambda d: d.apparent_va,
    ),
    Column("gpus", "GPUs each", 0, "count", of=lambda d: d.device.gpus),
    Column("tdp", "GPU TDP kW", 0, _W, number_format="n3", of=lambda d: d.device.gpu_power_w),
    Column("gpus_w", "GPUs kW", 0, _W, "{count}*{gpus}*{tdp}*" + _DEMAND, of=_gpus_w),
    Column("part", "Part to liquid", 0, _PART, of=lambda d: d.device.liquid_fraction),
    Column("liquid", "Liquid kW", 0, _W, "{demand}*{part}", of=lambda d: d.liquid_w),
    Column("air", "Air kW", 0, _W, "{demand}-{liquid}", of=lambda d: d.demand_w - d.liquid_w),
)
_CATEGORIES = (
    ("server", "Servers"),
    ("switch", "Network"),
    ("storage", "Storage"),
    ("management", "Management"),
)
COLUMNS = len(_DEVICES)


@dataclass(frozen=True)
class ItPlaces:
    """Where the sums of the IT load stand."""

    it: Cited
    it_va: Cited
    gpu: Cited
    server: Cited
    liquid: Cited
    air: Cited


def write_it(sheet: Sheet, top: int, load: ItLoad) -> tuple[int, ItPlaces]:
    """Write the table of devices from row `top`; return the row after it, and its sums."""
    table = SheetTable(f"IT load by device, on {basis_text(load.basis)}", _DEVICES, 28)
    grid = table.write(sheet, top, load.devices)
    first, last = grid.first, grid.row - 1
    sums = {
        "demand": load.it_w,
        "va": load.it_va,
        "gpus_w": load.gpu_w,
        "liquid": load.liquid_w,
        "air": load.air_w,
    }
    cited = grid.total("All devices", sums)
    row, server = _write_categories(sheet, grid.row + 1, load, first, last)
    order = (cited["demand"], cited["va"], cited["gpus_w"], server, cited["liquid"], cited["air"])
    return row, ItPlaces(*order)


def _write_categories(
    sheet: Sheet, top: int, load: ItLoad, first: int, last: int
) -> tuple[int, Cited]:
    """Write number and demand by category; return the row after them, and that of servers."""
    chosen = f"$B${first}:$B${last},${{category}}"
    columns: tuple[Column[Values], ...] = (
        Column("name", "Category", 0, style="cell"),
        Column("category", "", 0, style="cell"),
        Column("count", "Number", 0, "count", f"SUMIFS($C${first}:$C${last},{chosen})"),
        Column("none", "", 0),
        Column("demand", "Demand kW", 0, _W, f"SUMIFS($E${first}:$E${last},{chosen})"),
    )
    demand_w = (load.servers_w, load.network_w, load.storage_w, load.management_w)
    grid = Grid(sheet, top, columns, 0)
    for (category, label), power_w in zip(_CATEGORIES, demand_w, strict=True):
        count = sum(d.count for d in load.devices if d.device.category == category)
        grid.write({"name": label, "category": category, "count": count, "demand": power_w})
    return grid.row, Cited(grid.cell("demand", grid.first), load.servers_w, _W)
