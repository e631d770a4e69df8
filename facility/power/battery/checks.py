"""Checks of the UPS batteries: autonomy, DC bus, charging, hydrogen, data sources."""

from __future__ import annotations

from dataclasses import replace

from facility.core.check import Check, Rule, Severity
from facility.core.sources import Source
from facility.core.trace import Trace
from facility.model.power.battery import LI_ION
from facility.power.battery.sizing import MAX_STRINGS, BatteryBank, BatteryDesign, beyond_table
from facility.power.battery.study import HYDROGEN_LIMIT
from facility.power.rules import RULES
from facility.power.ups.input_limit import LIMIT

_AIRFLOW_US = replace(
    RULES["BATTERY-HYDROGEN"],
    source=Source("nyc-mechanical-502-4", "1 % hydrogen limit of IEEE 484"),
    remedy="Ventilate the room with at least the airflow of battery.hydrogen_airflow, or, where"
    " the fire code permits, with 1 cfm per square foot of floor (5.08 L/s per m²).",
)


def battery_checks(design: BatteryDesign, has_generators: bool, trace: Trace) -> tuple[Check, ...]:
    """Return the checks of the batteries.

    design: Return value of `size_battery`.
    has_generators: Whether generator sets take over during the discharge.
    trace: Holds the steps of `battery_results`.
    """
    basis, bank = design.basis, design.bank
    subject = f"batteries, {basis.technology}"
    checks = [*RULES.checks(basis), _memory(design)]
    if bank is None:
        rules = (
            RULES["BATTERY-TABLE"],
            RULES["BATTERY-AUTONOMY"],
            RULES["BATTERY-RIDE-THROUGH"],
            RULES["BATTERY-DC-BUS"],
            RULES["BATTERY-RECHARGE"],
            RULES["BATTERY-HYDROGEN"],
        )
        return (*checks, *(rule.not_evaluated(subject, design.unknown) for rule in rules))
    subject = f"batteries, {bank.block.model}"
    rule = RULES["BATTERY-PARALLEL"]
    # A warning only of what the project states
    if not basis.block.stated and basis.string.strings is None:
        rule = replace(rule, severity=Severity.ADVICE)
    max_strings = bank.block.max_parallel or MAX_STRINGS
    checks += [
        RULES["BATTERY-TABLE"].verdict(
            subject, bank.block.method.startswith("constant power"), f"sized by {bank.block.method}"
        ),
        _lasts(RULES["BATTERY-AUTONOMY"], design, bank, basis.autonomy_s, trace),
        _ride(design, bank, has_generators, trace),
        *_voltages(design, bank, subject),
        rule.at_most(subject, bank.strings_per_set, max_strings, "count"),
        _charger(subject, trace),
        *_hydrogen(design, subject, trace),
    ]
    return tuple(checks)


def _lasts(
    rule: Rule, design: BatteryDesign, bank: BatteryBank, required_s: float, trace: Trace
) -> Check:
    """Return whether the batteries last; a load above the table range does not."""
    subject, id = f"batteries, {bank.block.model}", "battery.autonomy_design"
    if not beyond_table(design, trace, id):
        return rule.at_least(subject, trace.value(id), required_s, "time")
    first_s, power = float(bank.block.times_s[0]), f"{id}.block_power"
    why = (
        f"outside the table of {bank.block.model}: each block would have to deliver"
        f" {trace.value(power):,.0f} W, above its maximum of {bank.block.watts[0]:,.0f} W"
        f" for {first_s:g} s; {required_s:g} s required"
    )
    if required_s >= first_s:
        return rule.verdict(subject, False, why)
    return rule.not_evaluated(subject, why)


def _ride(design: BatteryDesign, bank: BatteryBank, has_generators: bool, trace: Trace) -> Check:
    if not has_generators:
        why = "no generator sets are installed"
        return RULES["BATTERY-RIDE-THROUGH"].not_evaluated(f"batteries, {bank.block.model}", why)
    return _lasts(
        RULES["BATTERY-RIDE-THROUGH"], design, bank, trace.value("battery.ride_through"), trace
    )


def _voltages(design: BatteryDesign, bank: BatteryBank, subject: str) -> list[Check]:
    basis, cells = design.basis, bank.block.cells
    if cells is None or basis.technology == LI_ION:
        why = "the cells of a string and their voltages are not known"
        return [
            rule.not_evaluated(subject, why)
            for rule in (RULES["BATTERY-DC-BUS"], RULES["BATTERY-FLOAT"])
        ]
    in_series, string = cells * bank.blocks_per_string, basis.string
    return [
        RULES["BATTERY-DC-BUS"].at_least(
            subject, in_series * basis.end_v_per_cell, string.dc_min_v, "dc_voltage"
        ),
        RULES["BATTERY-FLOAT"].at_most(
            subject, in_series * string.float_v_per_cell, string.dc_max_v, "dc_voltage"
        ),
    ]


def _charger(subject: str, trace: Trace) -> Check:
    rule = RULES["BATTERY-RECHARGE"]
    if "battery.charging_power" not in trace:
        return rule.not_evaluated(
            subject,
            "the manufacturer's charger determines the charging, and its data are not known",
        )
    needed_w = trace.value("battery.charging_power")
    limited = "battery.recharge_power" in trace
    found_w = trace.value("battery.recharge_power" if limited else "battery.charger_power")
    why = ""
    if limited and found_w < trace.value("battery.charger_power"):
        why = (
            f"the input-current limit of the UPS, {trace.value(LIMIT):,.0f} A, limits its chargers"
            f" to {found_w / 1e3:,.1f} kW of {trace.value('battery.charger_power') / 1e3:,.1f} kW"
        )
        if found_w > 0.0:
            why += f": {trace.value('battery.recharge_time') / 3600:,.1f} h"
    return rule.at_most(subject, needed_w, found_w, "active_power", why)


def _hydrogen(design: BatteryDesign, subject: str, trace: Trace) -> list[Check]:
    basis, id = design.basis, "battery.hydrogen_airflow"
    airflow = _AIRFLOW_US if basis.room.code == "NEC" else RULES["BATTERY-HYDROGEN"]
    if basis.technology == LI_ION:
        why = "Li-ion cells release no hydrogen during charging; venting cells are covered by fire"
        return [airflow.not_evaluated(subject, f"{why} protection (NFPA 855, UL 9540A)")]
    if id not in trace:
        return [airflow.not_evaluated(subject, "the capacity of the block is not known")]
    needed = trace.value(id)
    if basis.room.airflow_m3_s is None:
        why = f"the room airflow is not specified; {needed * 3600:,.0f} m³/h required"
        return [
            rule.not_evaluated(subject, why) for rule in (airflow, RULES["BATTERY-HYDROGEN-LIMIT"])
        ]
    found = trace.value("battery.hydrogen_concentration")
    return [
        airflow.at_least(subject, basis.room.airflow_m3_s, needed, "air_flow"),
        RULES["BATTERY-HYDROGEN-LIMIT"].at_most(subject, found, HYDROGEN_LIMIT, "fraction"),
    ]


def _memory(design: BatteryDesign) -> Check:
    rule = RULES["BATTERY-MEMORY"]
    basis = design.basis
    subject = f"batteries, {basis.technology}"
    if basis.technology == LI_ION:
        return rule.verdict(
            subject, False, "ageing, end voltage and recharge of Li-ion cabinets are unverified"
        )
    if design.bank is not None and design.bank.block.source.verified == "memory":
        why = f"the discharge table of {design.bank.block.model} is unverified"
        return rule.verdict(subject, False, why)
    recalled = design.bank is not None and design.bank.temperature_source.verified == "memory"
    why = (
        "the temperature factor is unverified"
        if recalled
        else "all sizing factors read from sources"
    )
    return rule.verdict(subject, not recalled, why)
