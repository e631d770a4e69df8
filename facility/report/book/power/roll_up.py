"""The Roll-up: from the GPU to the utility in live formulas.

It is written in two parts around the UPS sheet: first up to the UPS output, then from the UPS sheet
results up to the utility.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from facility.core.rounding import closes, closes_in_cells
from facility.physics.circuits.currents import apparent_power, reactive_power, three_phase_current
from facility.physics.circuits.distribution import (
    apparent_of_parts,
    conductor_loss,
    reactive_of_parts,
)
from facility.physics.machines.generator import set_loading
from facility.physics.machines.transformer import transformer_loss, transformer_reactive
from facility.physics.machines.ups import recharge_power
from facility.power.backup.voltages import step_up_flow
from facility.power.it.load import DeviceLoad, ItLoad
from facility.power.train.flow import rack_side, wiring_losses
from facility.power.train.state import Power, Wiring
from facility.power.train.types import (
    ChainDemand,
    ChainDesign,
    GeneratorDesign,
    TransformerDesign,
    TransformerUnit,
)
from facility.report.book.cooling.cooling import CoolingCells
from facility.report.book.panels.live import DEMAND_NAME, DIVERSITY_NAME, DevicePower
from facility.report.book.power.power_rows import CitedPower, PowerRows, RackSide
from facility.report.book.power.ups import UpsCells
from facility.report.sheet.grid import Column, Grid, SheetTable, Values
from facility.report.sheet.lines import Cited
from facility.report.sheet.model import Sheet
from facility.report.sheet.tables import basis_text

_W, _VA, _PART, _RATIO = "active_power", "apparent_power", "fraction", "ratio"
_DEMAND = f"{DEMAND_NAME}*{DIVERSITY_NAME}"


def _gpus_w(load: DeviceLoad) -> float:
    """Return the GPU demand, with the same demand fraction as the whole device."""
    share = load.demand_w / (load.count * load.input_w) if load.input_w else 1.0
    return load.count * load.device.gpus * (load.device.gpu_power_w or 0.0) * share


_DEVICES: tuple[Column[DeviceLoad], ...] = (
    Column("name", "Device", 0, style="cell", of=lambda d: d.device.model),
    Column("category", "Category", 0, style="cell", of=lambda d: d.device.category),
    Column("count", "Number", 0, "count"),
    Column("each", "Input kW each", 0, _W, number_format="n3", of=lambda d: d.input_w),
    Column("demand", "Demand (kW)", 0, _W, "{count}*{each}*" + _DEMAND, of=lambda d: d.demand_w),
    Column("pf", "PF", 0, _RATIO,
           of=lambda d: d.demand_w / d.apparent_va if d.apparent_va else 1.0),
    Column("va", "Demand (kVA)", 0, _VA,
           apparent_power.in_cells(power_w="{demand}", power_factor="{pf}"),
           of=lambda d: d.apparent_va),
    Column("gpus", "GPUs each", 0, "count", of=lambda d: d.device.gpus),
    Column("tdp", "GPU TDP (kW)", 0, _W, number_format="n3", of=lambda d: d.device.gpu_power_w),
    Column("gpus_w", "GPUs (kW)", 0, _W, "{count}*{gpus}*{tdp}*" + _DEMAND, of=_gpus_w),
    Column("part", "Fraction to liquid", 0, _PART, of=lambda d: d.device.liquid_fraction),
    Column("liquid", "Liquid (kW)", 0, _W, "{demand}*{part}", of=lambda d: d.liquid_w),
    Column("air", "Air (kW)", 0, _W, "{demand}-{liquid}", of=lambda d: d.demand_w - d.liquid_w),
)  # fmt: skip
_CATEGORIES = (
    ("server", "Servers"),
    ("switch", "Network"),
    ("storage", "Storage"),
    ("management", "Management"),
)
COLUMNS = len(_DEVICES)


@dataclass(frozen=True)
class ItCells:
    """Cells of the IT load sums."""

    it: Cited
    it_va: Cited
    gpu: Cited
    server: Cited
    liquid: Cited
    air: Cited


def write_it(
    sheet: Sheet,
    top: int,
    load: ItLoad,
    powers: Mapping[tuple[str, float, float], Sequence[DevicePower]],
) -> tuple[int, ItCells]:
    """Write the table of devices from row `top`; return the row after it, and its sums.

    `powers` are the inputs that state the power of one device.
    """
    title = f"IT load by device, on {basis_text(load.basis)}"
    table = SheetTable(title, _DEVICES, 28, number_role="number")
    grid = table.write(sheet, top, load.devices)
    first, last = grid.first, grid.row - 1
    for row, device in enumerate(load.devices, start=first):
        stated = powers.get((device.device.model, device.input_w, device.peak_assumed_w), ())
        if stated and sum(one.devices for one in stated) == device.count:
            each = "+".join(f"{one.devices}*{one.name}" for one in stated)
            formula = (
                stated[0].name
                if len({one.name for one in stated}) == 1
                else f"({each})/{device.count}"
            )
            factors = {one.power_factor for one in stated}
            cells = {"each": formula, "pf": factors.pop() if len(factors) == 1 else ""}
            for key, text in cells.items():
                if text:
                    sheet.make_live(row, grid.cell(key, row).column, text)
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
    return row, ItCells(*order)


def _write_categories(
    sheet: Sheet, top: int, load: ItLoad, first: int, last: int
) -> tuple[int, Cited]:
    """Write number and demand by category; return the next row, and the row of servers."""
    chosen = f"$B${first}:$B${last},${{category}}"
    columns: tuple[Column[Values], ...] = (
        Column("name", "Category", 0, style="cell"),
        Column("category", "", 0, style="cell"),
        Column("count", "Number", 0, "count", f"SUMIFS($C${first}:$C${last},{chosen})"),
        Column("none", "", 0),
        Column("demand", "Demand (kW)", 0, _W, f"SUMIFS($E${first}:$E${last},{chosen})"),
    )
    demand_w = (load.servers_w, load.network_w, load.storage_w, load.management_w)
    grid = Grid(sheet, top, columns, 0)
    for (category, label), power_w in zip(_CATEGORIES, demand_w, strict=True):
        count = sum(d.count for d in load.devices if d.device.category == category)
        grid.write({"name": label, "category": category, "count": count, "demand": power_w})
    return grid.row, Cited(grid.cell("demand", grid.first), load.servers_w, _W)


def write_rack_side(
    rows: PowerRows, design: ChainDesign, demand: ChainDemand, it: ItCells, cooling: CoolingCells,
    house: Cited,
) -> RackSide:  # fmt: skip
    """Write from the equipment inputs to the output of the UPS, and the load on the LV boards."""
    chain = design.chain
    rows.section("From the equipment inputs to the UPS output")
    it_row = _it_row(rows, demand, it)
    wiring_rows, found = _wiring_rows(rows, design, demand, it_row)
    losses = {id: row.w for id, row in wiring_rows.items()}
    below, pdu_loss = rack_side(found, design.pdus, design.feeds.normal, demand)
    under = [it_row, *(wiring_rows[id] for id in ("rack_pdu", "branch", "feeder"))]
    title = "At the PDU transformer secondaries" if design.pdus else "At the UPS output, racks"
    below_row = rows.total(title, below, under)
    upward = [below_row]
    if design.pdus is not None:
        upward.append(_pdu_rows(rows, design, design.pdus, below_row, pdu_loss))
        losses["pdu_transformer"] = upward[-1].w
    mech_ups = rows.load("Cooling on the UPS", cooling.on_ups, chain.mechanical_power_factor)
    output = rows.total(
        "UPS output, all systems",
        Power(below.w + pdu_loss.w + demand.mech_ups_w, below.var + pdu_loss.var + mech_ups.var.si),
        [*upward, mech_ups],
    )
    rows.section("LV board loads other than the UPS")
    mech = rows.load("Cooling on the LV boards", cooling.mech, chain.mechanical_power_factor)
    rest = rows.load("Building load: lights, controls, security", house, chain.house_power_factor)
    other_power = mech.power.plus(rest.power)
    other = rows.total("Cooling and building load on the LV boards", other_power, [mech, rest])
    return RackSide(output, mech_ups, other, losses, it_row.w)


def _wiring_rows(
    rows: PowerRows, design: ChainDesign, demand: ChainDemand, it: CitedPower
) -> tuple[dict[str, CitedPower], Wiring]:
    """Write the losses of conductors and boards by part."""
    reference_w, wiring = design.reference_it_w, design.chain.wiring
    reference = rows.factor("Reference IT load of the wiring losses", reference_w, _W)
    found = wiring_losses(wiring, demand, reference_w)
    written = {}
    for id, label, fraction, loss_w in (
        ("rack_pdu", "Rack PDU loss", demand.rack_pdu_fraction, found.rack_pdu_w),
        ("branch", "Branch circuit loss", wiring.branch_loss, found.branch_w),
        ("feeder", "Feeder loss", wiring.feeder_loss, found.feeder_w),
        ("lv_board", "LV board loss", wiring.lv_loss, found.board_w),
    ):
        stated = rows.factor_here(fraction, _PART)
        formula = conductor_loss.in_cells(
            fraction=stated, load_w=it.w.here, reference_w=reference.here
        )
        written[id] = rows.power(
            label,
            Power(loss_w, 0.0),
            formula,
            "0",
            "stated at the reference load, proportional to load squared",
        )
    return written, found


def _it_row(rows: PowerRows, demand: ChainDemand, it: ItCells) -> CitedPower:
    """Write the IT load; reactive power follows from kVA and kW."""
    reactive = float(reactive_of_parts.si(demand.it_va, demand.it_w))
    w, va = str(it.it), str(it.it_va)
    return rows.power(
        "IT load at the equipment inputs",
        Power(demand.it_w, reactive),
        w,
        reactive_of_parts.in_cells(apparent_va=va, power_w=w),
        "kW and kVA from the table of devices",
        total=True,
    )


def _pdu_rows(
    rows: PowerRows,
    design: ChainDesign,
    pdus: TransformerDesign,
    below: CitedPower,
    pdu_loss: Power,
) -> CitedPower:
    unit, count = pdus.unit, pdus.per_carrier
    rating = rows.factor("PDU transformer rating", unit.rating_va, _VA)
    no_load = rows.factor("PDU transformer, no-load loss", unit.no_load_w, _W)
    load_loss = rows.factor("PDU transformer, load loss at rating", unit.load_loss_w, _W)
    impedance = rows.factor("PDU transformer, impedance", unit.impedance, _PART)
    number = rows.factor("PDU transformers on each feed", count, "count")
    carriers = []
    for name, share in zip(pdus.carriers, design.feeds.normal, strict=True):
        part = rows.factor_here(share, _PART)
        load_va = below.power.part(share).va
        bank = {
            "load_va": f"{part}*{below.va}",
            "units": number.here,
            "rating_va": rating.here,
            "load_loss_w": load_loss.here,
        }
        loss = transformer_loss.si(load_va, count, unit.rating_va, unit.no_load_w, unit.load_loss_w)
        reactive = transformer_reactive.si(
            load_va, count, unit.rating_va, unit.load_loss_w, unit.impedance
        )
        carriers.append(
            rows.power(
                f"PDU transformers, feed {name}",
                Power(loss, reactive),
                transformer_loss.in_cells(no_load_w=no_load.here, **bank),
                transformer_reactive.in_cells(impedance=impedance.here, **bank),
                "feed share",
            )
        )
    return rows.total("PDU transformers", pdu_loss, carriers)


@dataclass(frozen=True)
class UtilityCells:
    """The demand at the utility, all losses, and the load of the generators."""

    utility: CitedPower
    utility_va: Cited
    losses: dict[str, Cited]
    generator_loading: Cited


def write_utility(
    rows: PowerRows, design: ChainDesign, sent: RackSide, ups: UpsCells
) -> UtilityCells:
    """Write from the UPS to the utility, with the UPS sheet results, and the generators."""
    rows.section("From the UPS to the utility")
    losses = dict(sent.losses)
    losses["ups"] = rows.power(
        "UPS losses", Power(ups.loss.si, 0.0), str(ups.loss), "0", "sheet UPS, all systems"
    ).w
    rows.of_sheet("UPS input", ups.input, "sheet UPS")
    boards = rows.of_sheet(
        "LV boards", ups.boards, "UPS input, cooling, building load and board losses"
    )
    why = "losses and leakage reactance, sheet UPS"
    lost = rows.of_sheet("MV/LV transformers", ups.transformers, why)
    losses["transformer"] = lost.w
    power = boards.power.plus(lost.power)
    utility = rows.total("Utility demand", power, [boards, lost])
    va = Cited(rows.va_cell(utility), float(power.va), _VA)
    rows.ratio("Power factor at the utility", f"{utility.w.here}/{utility.va}",
               float(power.w / power.va), _RATIO)  # fmt: skip
    volts = rows.factor("Utility voltage", design.utility_voltage_v, "line_voltage")
    rows.ratio(
        "Utility current",
        three_phase_current.in_cells(apparent_va=utility.va, line_voltage_v=volts.here),
        float(three_phase_current.si(float(power.va), design.utility_voltage_v)),
        "current",
    )
    on_mv = design.generators.connection == "MV"
    loading = _generator_rows(rows, design, utility if on_mv else boards)
    return UtilityCells(utility, va, losses, loading)


def _step_up_row(
    rows: PowerRows,
    plant: GeneratorDesign,
    unit: TransformerUnit,
    fed: CitedPower,
    charge: CitedPower,
    total: Power,
) -> CitedPower:
    """Write the step-up transformers of the duty sets, loaded by the fed load and recharge."""
    units = rows.factor("Step-up transformers, duty sets", plant.on_duty, "count")
    rating = rows.factor("Rating, each", unit.rating_va, _VA)
    no_load = rows.factor("No-load loss, each", unit.no_load_w, _W)
    load_loss = rows.factor("Load loss, each", unit.load_loss_w, _W)
    impedance = rows.factor("Impedance", unit.impedance, _PART)
    load_va = apparent_of_parts.in_cells(
        power_w=f"({fed.w.here}+{charge.w.here})",
        reactive_var=f"({fed.var.here}+{charge.var.here})",
    )
    bank = {
        "load_va": load_va,
        "units": units.here,
        "rating_va": rating.here,
        "load_loss_w": load_loss.here,
    }
    return rows.power(
        "Step-up transformers",
        step_up_flow(plant, total),
        transformer_loss.in_cells(no_load_w=no_load.here, **bank),
        transformer_reactive.in_cells(impedance=impedance.here, **bank),
        "losses and leakage reactance",
    )


def _generator_rows(rows: PowerRows, design: ChainDesign, fed: CitedPower) -> Cited:
    """Write the plant load: the load fed instead of the utility, plus recharge.

    `fed` is the utility demand for sets at medium voltage, the LV boards for sets at low voltage.
    """
    plant, ups = design.generators, design.ups
    rows.section(f"Generators, on the {plant.connection} side of the transformers")
    recharge = design.chain.ups.recharge
    part = rows.factor("Battery recharge, fraction of module rating", recharge, _PART)
    modules = rows.factor("UPS modules", ups.modules, "count")
    rating = rows.factor("UPS module rating", ups.module.rating_w, _W)
    factor = rows.factor("UPS input power factor", ups.module.input_power_factor, _RATIO)
    charge_w = recharge * ups.modules * ups.module.rating_w
    charge_var = float(reactive_power.si(charge_w, ups.module.input_power_factor))
    w = recharge_power.in_cells(recharge=part.here, modules=modules.here, module_w=rating.here)
    charge = rows.power(
        "Battery recharge",
        Power(charge_w, charge_var),
        w,
        reactive_power.in_cells(power_w=w, power_factor=factor.here),
        "after an outage",
    )
    total = fed.power.plus(charge.power)
    parts = [fed, charge]
    if plant.step_up is not None:
        raised = _step_up_row(rows, plant, plant.step_up, fed, charge, total)
        parts.append(raised)
        total = total.plus(raised.power)
    load = rows.total("Generator load", total, parts)
    sets = rows.factor("Duty sets", max(1, plant.count - plant.spare), "count")
    set_rating = rows.factor(f"Set rating, {plant.model}", plant.rating_w, _W)
    derate = rows.factor("Site derating", plant.derate, _PART)
    value = float(set_loading.si(float(total.w), sets.si, plant.rating_w, plant.derate))
    formula = set_loading.in_cells(
        load_w=load.w.here, sets=sets.here, set_w=set_rating.here, derate=derate.here
    )
    return rows.ratio("Generator loading", formula, value, _PART)


def write_closing(
    rows: PowerRows, at: UtilityCells, it: Cited, cooling: Cited, house: Cited
) -> tuple[Cited, Cited]:
    """Write facility = IT + losses + cooling + building load; return losses and facility."""
    rows.section("Facility")
    lost = sum(cited.si for cited in at.losses.values())
    cells = ",".join(cited.here for cited in at.losses.values())
    it_load = rows.ratio("IT load", it.here, it.si, _W)
    losses = rows.ratio("Losses, meter to equipment inputs", f"SUM({cells})", lost, _W)
    terms = [it_load, losses]
    terms.append(rows.ratio("Cooling", str(cooling), cooling.si, _W))
    terms.append(rows.ratio("Building load", str(house), house.si, _W))
    total = sum(term.si for term in terms)
    joined = "+".join(term.here for term in terms)
    facility = rows.ratio("Facility", joined, total, _W, "total")
    rows.verdict(
        "Facility equals the utility demand",
        f'IF({closes_in_cells(at.utility.w.here, facility.here)},"OK","CHECK")',
        "OK" if closes(at.utility.w.si, total) else "CHECK",
    )
    return losses, facility
