"""The IT part of the Roll-up: every type of device, from the GPU to the load of all halls."""

from __future__ import annotations

from dataclasses import dataclass

from facility.power.it.load import DeviceLoad, ItLoad
from facility.report.sheet.cells import column_letter
from facility.report.sheet.lines import Cited, table_row
from facility.report.sheet.model import Sheet
from facility.report.sheet.tables import basis_text

DEMAND_NAME, DIVERSITY_NAME = "IT_Demand_Factor", "IT_Diversity"
_W, _VA, _PART, _RATIO = "active_power", "apparent_power", "fraction", "ratio"
_HEADS = (
    "Device",
    "Category",
    "Number",
    "Input kW each",
    "Demand kW",
    "PF",
    "Demand kVA",
    "GPUs each",
    "GPU TDP kW",
    "GPUs kW",
    "Part to liquid",
    "Liquid kW",
    "Air kW",
)
_CATEGORIES = (
    ("server", "Servers"),
    ("switch", "Network"),
    ("storage", "Storage"),
    ("management", "Management"),
)
COLUMNS = len(_HEADS)


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
    basis = basis_text(load.basis)
    sheet.put(top, 1, f"IT load by device, on {basis}", "section")
    sheet.row(top + 1, 1, _HEADS, "head")
    sheet.heights[top + 1] = 28
    first = top + 2
    for row, device in enumerate(load.devices, start=first):
        _write_device(sheet, row, device)
    last = first + len(load.devices) - 1
    total = last + 1
    sheet.row(total, 1, ("All devices", *[None] * (COLUMNS - 1)), "total")
    sums = (
        (5, load.it_w, _W),
        (7, load.it_va, _VA),
        (10, load.gpu_w, _W),
        (12, load.liquid_w, _W),
        (13, load.air_w, _W),
    )
    cited = {}
    for column, si, kind in sums:
        letter = column_letter(column)
        formula = f"SUM({letter}{first}:{letter}{last})"
        cited[column] = table_row(sheet, total, column, si, kind, formula, "total")
    row, server = _write_categories(sheet, total + 2, load, first, last)
    places = ItPlaces(cited[5], cited[7], cited[10], server, cited[12], cited[13])
    return row, places


def _write_device(sheet: Sheet, row: int, load: DeviceLoad) -> None:
    device = load.device
    factors = f"{DEMAND_NAME}*{DIVERSITY_NAME}"
    power_factor = load.demand_w / load.apparent_va if load.apparent_va else 1.0
    demand_share = load.demand_w / (load.count * load.input_w) if load.input_w else 1.0
    gpu_w = load.count * device.gpus * device.gpu_power_w * demand_share
    sheet.put(row, 1, device.model, "cell")
    sheet.put(row, 2, device.category, "cell")
    cells: tuple[tuple[int, float, str, str], ...] = (
        (3, load.count, "count", ""),
        (4, load.input_w, "exact_power", ""),
        (5, load.demand_w, _W, f"C{row}*D{row}*{factors}"),
        (6, power_factor, _RATIO, ""),
        (7, load.apparent_va, _VA, f"E{row}/F{row}"),
        (8, device.gpus, "count", ""),
        (9, device.gpu_power_w, "exact_power", ""),
        (10, gpu_w, _W, f"C{row}*H{row}*I{row}*{factors}"),
        (11, device.liquid_fraction, _PART, ""),
        (12, load.liquid_w, _W, f"E{row}*K{row}"),
        (13, load.demand_w - load.liquid_w, _W, f"E{row}-L{row}"),
    )
    for column, si, kind, formula in cells:
        if kind == "exact_power":
            sheet.put(row, column, si / 1e3, "given.n3")
        else:
            table_row(sheet, row, column, float(si), kind, formula)


def _write_categories(
    sheet: Sheet, top: int, load: ItLoad, first: int, last: int
) -> tuple[int, Cited]:
    sheet.row(top, 1, ("Category", "", "Number", "", "Demand kW"), "head")
    values = {
        "server": load.servers_w,
        "switch": load.network_w,
        "storage": load.storage_w,
        "management": load.management_w,
    }
    cited: dict[str, Cited] = {}
    for row, (category, label) in enumerate(_CATEGORIES, start=top + 1):
        count = sum(d.count for d in load.devices if d.device.category == category)
        sheet.put(row, 1, label, "cell")
        sheet.put(row, 2, category, "cell")
        where = f"$B${first}:$B${last},$B{row}"
        table_row(sheet, row, 3, count, "count", f"SUMIFS($C${first}:$C${last},{where})")
        sheet.put(row, 4, None, "pna")
        cited[category] = table_row(
            sheet, row, 5, values[category], _W, f"SUMIFS($E${first}:$E${last},{where})"
        )
    return top + len(_CATEGORIES) + 1, cited["server"]
