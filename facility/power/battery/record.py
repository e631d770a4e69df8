"""The results of the batteries, each a step of the trace: counts, autonomies, charging, airflow."""

from __future__ import annotations

from facility.catalogue import table
from facility.core.sources import DERIVED
from facility.core.table import Value
from facility.core.trace import Trace
from facility.model.power.battery import LI_ION
from facility.physics.circuits.distribution import shared_power
from facility.physics.machines.battery import (
    ampere_hours,
    block_power,
    charging_current,
    time_between,
)
from facility.physics.machines.hydrogen import (
    diluting_airflow,
    hydrogen_airflow,
    hydrogen_evolution,
    hydrogen_fraction,
)
from facility.physics.machines.ups import recharge_power
from facility.power.battery.sizing import (
    BatteryBank,
    BatteryDesign,
    autonomy_s,
    inverter_efficiency,
)

HYDROGEN_LIMIT = 0.01
"""Hydrogen permitted in a battery room by volume: a quarter of the explosion limit."""

_SHOWN = (
    "battery.autonomy_required",
    "battery.ride_through",
    "battery.temperature_factor",
    "battery.set_load",
    "battery.block_power",
    "battery.listed_power",
    "battery.blocks_per_string",
    "battery.strings.per_set",
    "battery.strings.per_system",
    "battery.strings",
    "battery.blocks",
    "battery.cabinets",
    "battery.mass",
    "battery.autonomy_design",
    "battery.autonomy_normal",
    "battery.autonomy_normal_new",
    "battery.autonomy_failure",
    "battery.autonomy_failure_new",
    "battery.ampere_hour_method",
    "battery.capacity",
    "battery.charging_current",
    "battery.charging_power",
    "battery.hydrogen_evolution",
    "battery.hydrogen_evolution.per_system",
    "battery.hydrogen_airflow",
    "battery.hydrogen_airflow.per_system",
    "battery.hydrogen_concentration",
)


def battery_results(
    design: BatteryDesign, normal_w: float, modules_left: int, recharge: float, trace: Trace
) -> dict[str, Value]:
    """Record what the batteries do and return it by dotted key.

    Parameters
    ----------
    design : BatteryDesign
        What `size_battery` returned.
    normal_w : float
        Output of the fullest system with all in service at the design hour [W]; that after the
        designed failure is the step ``ups.output.failure``.
    modules_left : int
        Modules of a system in service after the designed failure.
    recharge : float
        Charger power over module rating.
    trace : Trace
        Takes the steps.
    """
    basis = design.basis
    ride = basis.ride_through
    trace.choose(
        "battery.autonomy_required",
        basis.autonomy_s,
        "time",
        "at the end of life, after the designed failure",
        DERIVED,
        wanted="power.battery.autonomy",
    )
    trace.derive(
        "battery.ride_through",
        ride.attempts * ride.start_s + ride.transfer_s,
        "time",
        "attempts times start, and transfer",
        attempts="power.battery.start_attempts",
        start="power.generator.start_time",
        transfer="power.battery.transfer_time",
    )
    if design.bank is not None:
        _counts(design, design.bank, trace)
        _autonomies(design, design.bank, normal_w, modules_left, trace)
        _charging(design, design.bank, recharge, trace)
        _hydrogen(design, design.bank, trace)
    values = {
        id: Value(trace.value(id), trace[id].kind, trace[id].because)
        for id in _SHOWN
        if id in trace
    }
    values["battery.technology"] = Value(basis.technology)
    if design.bank is not None:
        values["battery.model"] = Value(design.bank.block.model)
    return values


def _counts(design: BatteryDesign, bank: BatteryBank, trace: Trace) -> None:
    what = "modules" if design.basis.string.per_module else "output buses"
    trace.derive(
        "battery.strings.per_system", bank.strings_per_system, "count",
        f"on each of the {bank.sets_per_system} {what} of a system, spare ones included",
        per_set="battery.strings.per_set",
    )  # fmt: skip
    strings = bank.strings_per_system * design.systems
    trace.derive(
        "battery.strings", strings, "count",
        f"{design.systems} system(s), each with batteries for the load that falls on it",
        per_system="battery.strings.per_system",
    )  # fmt: skip
    blocks = strings * bank.blocks_per_string
    trace.derive("battery.blocks", blocks, "count", "strings times blocks in series",
                 strings="battery.strings", in_series="battery.blocks_per_string")  # fmt: skip
    sets = bank.sets_per_system * design.systems
    trace.derive(
        "battery.cabinets", bank.cabinets_per_set * sets, "count",
        f"{bank.cabinets_per_set} for each of {sets} sets, rounded up",
        per_cabinet="power.battery.blocks_per_cabinet", blocks="battery.blocks",
    )  # fmt: skip
    if bank.block.mass_kg is not None:
        trace.derive("battery.mass", blocks * bank.block.mass_kg, "mass",
                     f"blocks of {bank.block.mass_kg:g} kg, without cabinets",
                     blocks="battery.blocks")  # fmt: skip


def _autonomies(
    design: BatteryDesign, bank: BatteryBank, normal_w: float, left: int, trace: Trace
) -> None:
    every = design.ups.modules_per_system
    trace.given(
        "battery.load_normal",
        normal_w,
        "active_power",
        DERIVED,
        "fullest system, all in service, design hour",
    )
    failure = "ups.output.failure"
    states = (
        ("normal", "battery.load_normal", every, False),
        ("normal_new", "battery.load_normal", every, True),
        ("failure", failure, left, False),
        ("failure_new", failure, left, True),
        ("design", "battery.system_load", left, False),
    )
    for name, load, modules, new in states:
        _autonomy(design, bank, name, load, modules, new, trace)


def _autonomy(
    design: BatteryDesign, bank: BatteryBank, name: str, load: str, modules: int, new: bool,
    trace: Trace,
) -> None:  # fmt: skip
    basis = design.basis
    sets = modules if basis.string.per_module else design.ups.buses
    id = f"battery.autonomy_{name}"
    trace.do(f"{id}.set_load", shared_power, f"{sets} sets in service", load_w=load,
             share=1.0 / sets)  # fmt: skip
    load_w = trace.value(load)
    efficiency = float(inverter_efficiency(basis, design.ups, max(load_w, 1.0), modules))
    trace.given(f"{id}.efficiency", efficiency, "fraction", DERIVED,
                "from battery to output at this load")  # fmt: skip
    power_w = float(trace.do(
        f"{id}.block_power", block_power, "new" if new else "end of life",
        load_w=f"{id}.set_load", efficiency=f"{id}.efficiency",
        blocks="battery.blocks_per_string", strings="battery.strings.per_set",
        ageing=1.0 if new else trace.link("power.battery.ageing", basis.ageing),
        temperature="battery.temperature_factor", margin=1.0,
    ))  # fmt: skip
    around = bank.block.segment_of_power(power_w)
    if around is None:
        found = float(autonomy_s(design, load_w, modules, new=new))
        why = "at least: the longest time of the table, the load is lighter than its power there"
        if found == 0.0:
            why = "unknown and counted as none: the load is heavier than the table goes"
        trace.derive(id, found, "time", why, block=f"{id}.block_power")
        return
    time_1, power_1, time_2, power_2 = around
    trace.do(
        id, time_between, f"{bank.block.model}, {'new' if new else 'at the end of life'}",
        power_w=f"{id}.block_power", time_1_s=time_1, power_1_w=power_1, time_2_s=time_2,
        power_2_w=power_2,
    )  # fmt: skip


def _charging(design: BatteryDesign, bank: BatteryBank, recharge: float, trace: Trace) -> None:
    block, basis = bank.block, design.basis
    if block.cells is None or basis.technology == LI_ION:
        return
    cells = float(block.cells * bank.blocks_per_string)
    common = {"load_w": "battery.set_load", "efficiency": "battery.inverter_efficiency",
              "end_v_per_cell": "power.battery.end_voltage",
              "time_s": "power.battery.autonomy"}  # fmt: skip
    trace.do(
        "battery.ampere_hour_method", ampere_hours, "of one set; knows no rate: shown beside the"
        " strings, not used for them", cells=cells, ageing="power.battery.ageing",
        temperature="battery.temperature_factor", margin="power.battery.design_margin", **common,
    )  # fmt: skip
    if block.capacity_as is not None:
        trace.derive("battery.capacity", block.capacity_as * bank.strings_per_set, "charge",
                     f"of one set: strings of {block.capacity_as / 3600:g} Ah",
                     strings="battery.strings.per_set")  # fmt: skip
    trace.do("battery.discharged", ampere_hours, "of one set, no factors", cells=cells, ageing=1.0,
             temperature=1.0, margin=1.0, **common)  # fmt: skip
    factor = table("electrical/battery_factors").get("recharge_efficiency_factor_lead_acid")
    current_a = float(trace.do(
        "battery.charging_current", charging_current, "of one set in the recharge time",
        capacity_as="battery.discharged", recharge_factor=float(factor.require("value")),
        time_s="power.battery.recharge_time",
    ))  # fmt: skip
    float_v = basis.string.float_v_per_cell
    trace.derive("battery.charging_power", current_a * cells * float_v, "active_power",
                 f"of one set at {float_v:g} V per cell", current="battery.charging_current",
                 blocks="battery.blocks_per_string")  # fmt: skip
    modules = 1.0 if basis.string.per_module else design.ups.modules_per_system / design.ups.buses
    trace.do("battery.charger_power", recharge_power, "chargers of one set", modules=modules,
             recharge=trace.link("power.ups.recharge", recharge),
             module_w="ups.module_rating")  # fmt: skip


def _hydrogen(design: BatteryDesign, bank: BatteryBank, trace: Trace) -> None:
    block, basis = bank.block, design.basis
    if basis.technology == LI_ION or block.cells is None:
        return
    room = basis.room
    if room.code == "NEC" and room.boost:
        _hydrogen_of_charger(design, bank, block.cells, trace)
    elif block.capacity_as is not None:
        _gassing(design, bank, trace)
        _hydrogen_of_gassing(design, bank, block.cells, trace)
    if room.airflow_m3_s is None or "battery.hydrogen_airflow" not in trace:
        return
    if "battery.hydrogen_evolution" in trace:
        trace.derive(
            "battery.hydrogen_concentration",
            trace.value("battery.hydrogen_evolution") / room.airflow_m3_s,
            "fraction",
            "all cells in one room",
            evolution="battery.hydrogen_evolution",
            airflow="power.battery.room_airflow",
        )
    else:
        trace.do(
            "battery.hydrogen_concentration",
            hydrogen_fraction,
            "all cells in one room",
            needed_m3_s="battery.hydrogen_airflow",
            airflow_m3_s="power.battery.room_airflow",
        )


def _gassing(design: BatteryDesign, bank: BatteryBank, trace: Trace) -> None:
    """Record the gassing current of the table and the capacity it belongs to."""
    basis = design.basis
    charge = "boost" if basis.room.boost else "float"
    row = table("electrical/battery_gassing").get((basis.technology, charge))
    gas = float(row.require("gas_ma_per_ah"))
    trace.given(
        "battery.gassing",
        gas,
        "ratio",
        row.cite("gas_ma_per_ah"),
        f"mA/Ah, {basis.technology}, {charge} charge",
    )
    capacity_as = bank.block.capacity_as or 0.0
    trace.given(
        "battery.rated_capacity", capacity_as, "charge", bank.block.source, bank.block.model
    )


def _hydrogen_of_charger(
    design: BatteryDesign, bank: BatteryBank, block_cells: int, trace: Trace
) -> None:
    """Record hydrogen and air by the rule of the US: the charger forced into full cells."""
    cells = float(block_cells * bank.blocks_per_string)
    charger_v = cells * design.basis.string.float_v_per_cell
    trace.derive(
        "battery.gassing_current",
        trace.value("battery.charger_power") / charger_v,
        "current",
        f"limit of the chargers of one set, into {cells:g} full cells",
        power="battery.charger_power",
        blocks="battery.blocks_per_string",
    )
    _dilute(design, cells * bank.sets_per_system, trace)


def _hydrogen_of_gassing(
    design: BatteryDesign, bank: BatteryBank, block_cells: int, trace: Trace
) -> None:
    """Record hydrogen and air by the gassing current: of the IEC, or of a US float charger."""
    cells = float(block_cells * bank.blocks_per_string * bank.strings_per_system)
    if design.basis.room.code == "NEC":
        milliamperes = (
            trace.value("battery.gassing") * trace.value("battery.rated_capacity") / 3600.0
        )
        trace.derive(
            "battery.gassing_current",
            milliamperes * 1e-3,
            "current",
            "float current of one string, all of it gassing",
            gassing="battery.gassing",
            capacity="battery.rated_capacity",
        )
        _dilute(design, cells, trace)
        return
    common = {"gas_ma_per_ah": "battery.gassing", "capacity_as": "battery.rated_capacity"}
    trace.do(
        "battery.hydrogen_airflow.per_system",
        hydrogen_airflow,
        "cells of one UPS system",
        cells=cells,
        **common,
    )
    trace.do(
        "battery.hydrogen_airflow",
        hydrogen_airflow,
        "cells of all systems",
        cells=cells * design.systems,
        **common,
    )


def _dilute(design: BatteryDesign, cells: float, trace: Trace) -> None:
    """Record hydrogen and air of `cells` in each system at ``battery.gassing_current``."""
    for suffix, number, words in (
        (".per_system", cells, "cells of one UPS system"),
        ("", cells * design.systems, "cells of all systems"),
    ):
        trace.do(
            f"battery.hydrogen_evolution{suffix}",
            hydrogen_evolution,
            words,
            cells=number,
            charging_a="battery.gassing_current",
        )
        trace.do(
            f"battery.hydrogen_airflow{suffix}",
            diluting_airflow,
            words,
            hydrogen_m3_s=f"battery.hydrogen_evolution{suffix}",
            limit=HYDROGEN_LIMIT,
        )
