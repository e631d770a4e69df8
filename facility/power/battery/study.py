"""Battery results, each a trace step: counts, autonomy, charging, ventilation."""

from __future__ import annotations

from facility.catalogue import table
from facility.core.sources import DERIVED
from facility.core.table import Value
from facility.core.trace import Findings, Trace
from facility.model.power.battery import LI_ION
from facility.physics.circuits.distribution import shared_power
from facility.physics.machines.battery import ampere_hours, charging_current
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
    beyond_table,
    uneven_bus_note,
)
from facility.power.battery.tables import BatteryBlock
from facility.power.train.types import ChainDesign
from facility.power.ups.input_limit import RECHARGE_LEFT

HYDROGEN_LIMIT = 0.01
"""Permitted hydrogen concentration by volume: a quarter of the lower explosive limit."""

_OF_SIZING = (
    "temperature_factor", "set_load", "block_power", "listed_power", "blocks_per_string",
    "strings.per_set",
)  # fmt: skip


def battery_results(
    design: BatteryDesign, chain: ChainDesign, normal_w: float, recharge: float, trace: Trace
) -> dict[str, Value]:
    """Calculate the battery results and return them by dotted key.

    design: Return value of `size_battery`.
    chain: UPS systems, and the load ratio of the most loaded output bus to the mean.
    normal_w: Output of the most loaded system with all in service at the design hour [W]; the
        output after the design failure is the step ``ups.output.failure``.
    recharge: Charger power over module rating.
    """
    basis, bank, found = design.basis, design.bank, Findings(trace)
    ride = basis.ride_through
    found.note(
        "battery.autonomy_required", basis.autonomy_s, "time",
        "at the end of life, after the designed failure", wanted="power.battery.autonomy",
    )  # fmt: skip
    found.note(
        "battery.ride_through", ride.attempts * ride.start_s + ride.transfer_s, "time",
        "attempts x start time, plus transfer", attempts="power.battery.start_attempts",
        start="power.generator.start_time", transfer="power.battery.transfer_time",
    )  # fmt: skip
    if bank is not None:
        for id in _OF_SIZING:
            found.show(f"battery.{id}")
        what = "modules" if design.basis.string.per_module else "output buses"
        found.note(
            "battery.strings.per_system", bank.strings_per_system, "count",
            f"one on each of the {bank.sets_per_system} {what} of a system, including spares",
            per_set="battery.strings.per_set",
        )  # fmt: skip
        strings = bank.strings_per_system * design.systems
        found.note(
            "battery.strings", strings, "count",
            f"{design.systems} system(s), each with batteries for its own load",
            per_system="battery.strings.per_system",
        )  # fmt: skip
        blocks = strings * bank.blocks_per_string
        found.note("battery.blocks", blocks, "count", "strings x blocks in series",
                   strings="battery.strings", in_series="battery.blocks_per_string")  # fmt: skip
        sets = bank.sets_per_system * design.systems
        found.note(
            "battery.cabinets", bank.cabinets_per_set * sets, "count",
            f"{bank.cabinets_per_set} for each of {sets} sets, rounded up",
            per_cabinet="power.battery.blocks_per_cabinet", blocks="battery.blocks",
        )  # fmt: skip
        if bank.block.mass_kg is not None:
            found.note("battery.mass", blocks * bank.block.mass_kg, "mass",
                       f"blocks of {bank.block.mass_kg:g} kg, without cabinets",
                       blocks="battery.blocks")  # fmt: skip
        _autonomies(design, chain, normal_w, found)
        if bank.block.cells is not None and basis.technology != LI_ION:
            _charging(design, bank, bank.block.cells, recharge, found)
            _hydrogen(design, bank, bank.block.cells, found)
    found.text("battery.technology", basis.technology)
    if bank is not None:
        found.text("battery.model", bank.block.model)
    return found.results


def _autonomies(
    design: BatteryDesign, chain: ChainDesign, normal_w: float, found: Findings
) -> None:
    """Calculate the autonomy of the batteries on the most loaded output bus.

    The system is assumed to have the load of the most loaded bus on all buses.
    """
    trace, ups = found.trace, design.ups
    every, scheme = ups.modules_per_system, chain.chain.scheme
    left = max(1, every - scheme.spare_units * ups.buses)
    normal, failure, note = "battery.load_normal", "battery.load_failure", uneven_bus_note(chain)
    uneven = chain.chain.unevenness
    trace.given("battery.output_normal", normal_w, "active_power", DERIVED,
                "most loaded system, all in service, design hour")  # fmt: skip
    trace.do(normal, shared_power, f"all in service{note}", load_w="battery.output_normal",
             share=uneven)  # fmt: skip
    trace.do(failure, shared_power, f"after the design failure{note}",
             load_w="ups.output.failure", share=uneven)  # fmt: skip
    states = (
        ("design", "battery.system_load", left, False),
        ("normal", normal, every, False),
        ("normal_new", normal, every, True),
        ("failure", failure, left, False),
        ("failure_new", failure, left, True),
    )
    for name, load, modules, new in states:
        id = f"battery.autonomy_{name}"
        autonomy_s(design, trace.value(load), modules, new=new, trace=trace, ids=(id, load))
        if not beyond_table(design, trace, id):
            found.show(id)


def _charging(
    design: BatteryDesign, bank: BatteryBank, block_cells: int, recharge: float, found: Findings
) -> None:
    block, basis, trace = bank.block, design.basis, found.trace
    cells = float(block_cells * bank.blocks_per_string)
    common = {"load_w": "battery.set_load", "efficiency": "battery.inverter_efficiency",
              "end_v_per_cell": "power.battery.end_voltage",
              "time_s": "power.battery.autonomy"}  # fmt: skip
    found.do(
        "battery.ampere_hour_method", ampere_hours, "of one set; ignores the discharge rate: for"
        " comparison with the strings only", cells=cells, ageing="power.battery.ageing",
        temperature="battery.temperature_factor", margin="power.battery.design_margin", **common,
    )  # fmt: skip
    if block.capacity_as is not None:
        found.note("battery.capacity", block.capacity_as * bank.strings_per_set, "charge",
                   f"one set: strings of {block.capacity_as / 3600:g} Ah",
                   strings="battery.strings.per_set")  # fmt: skip
    trace.do("battery.discharged", ampere_hours, "one set, no factors", cells=cells, ageing=1.0,
             temperature=1.0, margin=1.0, **common)  # fmt: skip
    factor = table("electrical/battery_factors").get("recharge_efficiency_factor_lead_acid")
    current_a = found.do(
        "battery.charging_current", charging_current, "one set within the recharge time",
        capacity_as="battery.discharged", recharge_factor=float(factor.require("value")),
        time_s="power.battery.recharge_time",
    )  # fmt: skip
    float_v = basis.string.float_v_per_cell
    found.note("battery.charging_power", current_a * cells * float_v, "active_power",
               f"one set at {float_v:g} V per cell", current="battery.charging_current",
               blocks="battery.blocks_per_string")  # fmt: skip
    modules = 1.0 if basis.string.per_module else design.ups.modules_per_system / design.ups.buses
    trace.do("battery.charger_power", recharge_power, "chargers of one set", modules=modules,
             recharge=trace.link("power.ups.recharge", recharge),
             module_w="ups.module_rating")  # fmt: skip
    _within_limit(modules, found)


def _within_limit(modules: float, found: Findings) -> None:
    """Record recharge power and time of one set with a UPS input-current limit."""
    trace, id = found.trace, "battery.recharge_power"
    if RECHARGE_LEFT not in trace:
        return
    chargers_w, left_w = trace.value("battery.charger_power"), trace.value(RECHARGE_LEFT)
    power_w = found.note(
        id,
        min(chargers_w, modules * left_w),
        "active_power",
        "chargers of one set, within the remaining input-current limit at nominal voltage",
        chargers="battery.charger_power",
        left=RECHARGE_LEFT,
    )
    if power_w > 0.0:
        needed_w, time_s = (
            trace.value(of) for of in ("battery.charging_power", "power.battery.recharge_time")
        )
        found.note(
            "battery.recharge_time",
            time_s * needed_w / power_w,
            "time",
            "at this power",
            power=id,
            needed="battery.charging_power",
        )


def _hydrogen(design: BatteryDesign, bank: BatteryBank, block_cells: int, found: Findings) -> None:
    """Calculate hydrogen and airflow from charger, float current or IEC gassing current."""
    room, trace, block = design.basis.room, found.trace, bank.block
    cells = float(block_cells * bank.blocks_per_string)
    current, in_system = "battery.gassing_current", cells * bank.sets_per_system
    if room.code == "NEC" and room.boost:
        charger_v = cells * design.basis.string.float_v_per_cell
        trace.derive(
            current, trace.value("battery.charger_power") / charger_v, "current",
            f"charger limit of one set, into {cells:g} fully charged cells",
            power="battery.charger_power", blocks="battery.blocks_per_string",
        )  # fmt: skip
    elif block.capacity_as is None:
        return
    else:
        in_system = cells * bank.strings_per_system
        gas = _gassing(design, block, block.capacity_as, trace)
        if room.code == "NEC":
            trace.derive(
                current, gas * block.capacity_as / 3600.0 * 1e-3, "current",
                "float current of one string, all of it producing gas",
                gassing="battery.gassing", capacity="battery.rated_capacity",
            )  # fmt: skip
    _air(design, in_system, found)


def _air(design: BatteryDesign, in_system: float, found: Findings) -> None:
    """Calculate hydrogen and airflow of all cells, `in_system` in each UPS system."""
    room, trace = design.basis.room, found.trace
    current = "battery.gassing_current"
    of = (("", in_system * design.systems, "cells of all systems"),
          (".per_system", in_system, "cells of one UPS system"))  # fmt: skip
    evolution, airflow = "battery.hydrogen_evolution", "battery.hydrogen_airflow"
    air = {"airflow": "power.battery.room_airflow"}
    concentration, words = "battery.hydrogen_concentration", "all cells in one room"
    if room.code == "NEC":
        for suffix, number, which in of:
            found.do(f"{evolution}{suffix}", hydrogen_evolution, which, cells=number,
                     charging_a=current)  # fmt: skip
        for suffix, _, which in of:
            found.do(f"{airflow}{suffix}", diluting_airflow, which, limit=HYDROGEN_LIMIT,
                     hydrogen_m3_s=f"{evolution}{suffix}")  # fmt: skip
        if room.airflow_m3_s is not None:
            part = trace.value(evolution) / room.airflow_m3_s
            found.note(concentration, part, "fraction", words, evolution=evolution, **air)
        return
    for suffix, number, which in of:
        found.do(f"{airflow}{suffix}", hydrogen_airflow, which, cells=number,
                 gas_ma_per_ah="battery.gassing", capacity_as="battery.rated_capacity")  # fmt: skip
    if room.airflow_m3_s is not None:
        found.do(concentration, hydrogen_fraction, words, needed_m3_s=airflow,
                 airflow_m3_s="power.battery.room_airflow")  # fmt: skip


def _gassing(design: BatteryDesign, block: BatteryBlock, capacity_as: float, trace: Trace) -> float:
    """Return the tabulated gassing current [mA/Ah], based on the rated capacity."""
    basis = design.basis
    charge = "boost" if basis.room.boost else "float"
    row = table("electrical/battery_gassing").get((basis.technology, charge))
    gas = float(row.require("gas_ma_per_ah"))
    words = f"mA/Ah, {basis.technology}, {charge} charge"
    trace.given("battery.gassing", gas, "ratio", row.cite("gas_ma_per_ah"), words)
    trace.given("battery.rated_capacity", capacity_as, "charge", block.source, block.model)
    return gas
