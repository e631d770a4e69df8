"""Checks of the UPS batteries: autonomy, DC bus, charging, hydrogen, and the data beneath."""

from __future__ import annotations

from dataclasses import replace

from facility.core.check import Check, Rule, Severity
from facility.core.sources import Source
from facility.core.trace import Trace
from facility.model.power.battery import LI_ION
from facility.power.battery.sizing import BatteryBank, BatteryDesign, beyond_table
from facility.power.battery.study import HYDROGEN_LIMIT

MOST_STRINGS = 10
"""Strings in parallel on one set beyond which larger blocks are advised (recalled)."""

_FLOOR_S = {LI_ION: 300.0}
_LEAD_ACID_FLOOR_S = 600.0
_PLANNING = Source("planning-value", "recalled, not read", verified="memory")
_TABLE = Source("ieee-485", "constant-power table of the maker", "", "secondary")

_SIZED = Rule(
    "BATTERY-TABLE",
    "discharge table of the battery",
    Severity.ADVICE,
    _TABLE,
    "Give power.battery.points: the maker's constant-power table at the end voltage.",
)
_AUTONOMY = Rule(
    "BATTERY-AUTONOMY",
    "autonomy at the end of life after the designed failure",
    Severity.VIOLATION,
    _TABLE,
    "Add strings, or take larger blocks.",
)
_FLOOR = Rule(
    "BATTERY-FLOOR",
    "autonomy wanted against the common floor",
    Severity.ADVICE,
    _PLANNING,
    "Ask for 5 min of Li-ion, 10 to 15 min of lead-acid, or show why less suffices.",
)
_RIDE = Rule(
    "BATTERY-RIDE-THROUGH",
    "autonomy against the start of the generators",
    Severity.VIOLATION,
    Source("nfpa-110", "start, attempts and transfer; recalled", verified="memory"),
    "Ask for a longer autonomy, or show that the sets start sooner.",
)
_BUS = Rule(
    "BATTERY-DC-BUS",
    "voltage of a string at the end of its discharge",
    Severity.VIOLATION,
    Source("mitsubishi-9800a", "section 3.8.1; the range of the product counts"),
    "Take more blocks in series, a higher end voltage, or give the DC bus of the product.",
)
_FLOAT = Rule(
    "BATTERY-FLOAT",
    "voltage of a string on float",
    Severity.VIOLATION,
    Source("mitsubishi-9800a", "section 3.8.1; the range of the product counts"),
    "Take fewer blocks in series, or give the DC bus of the product.",
)
_PARALLEL = Rule(
    "BATTERY-PARALLEL",
    "strings in parallel on one set",
    Severity.ADVICE,
    _PLANNING,
    "Take a larger block: give its table as power.battery.points.",
)
_CHARGER = Rule(
    "BATTERY-RECHARGE",
    "charging power for the recharge time wanted",
    Severity.ADVICE,
    Source("open-electrical-ups", "charger example"),
    "Allow a longer recharge time, or give the UPS a larger charger (power.ups.recharge).",
)
_AIRFLOW = Rule(
    "BATTERY-HYDROGEN",
    "airflow of the battery room",
    Severity.VIOLATION,
    Source("en-50272-2-quoted", "Q = v q s n Igas Crt", "2001", "secondary"),
    "Ventilate the room with at least the airflow of battery.hydrogen_airflow.",
)
_AIRFLOW_US = replace(
    _AIRFLOW,
    source=Source("nyc-mechanical-502-4", "1 % of the hydrogen that IEEE 484 gives"),
    remedy="Ventilate the room with at least the airflow of battery.hydrogen_airflow, or, where"
    " the fire code has it, with 1 cfm per square foot of floor (5.08 L/s per m²).",
)
_CONCENTRATION = Rule(
    "BATTERY-HYDROGEN-LIMIT",
    "hydrogen in the air of the battery room",
    Severity.VIOLATION,
    Source("nyc-mechanical-502-4", "1.0 percent by volume, a quarter of the explosion limit"),
    "Ventilate the room more.",
)
_MEMORY = Rule(
    "BATTERY-MEMORY",
    "battery values recalled and not read",
    Severity.ADVICE,
    Source("reference data", "column verified"),
    "Replace them by the data sheet of the product.",
)


def battery_checks(design: BatteryDesign, has_generators: bool, trace: Trace) -> tuple[Check, ...]:
    """Return the checks of the batteries.

    design: What `size_battery` returned.
    has_generators: Whether there are sets whose start is bridged.
    trace: Holds the steps of `battery_results`.
    """
    basis, bank = design.basis, design.bank
    floor_s = _FLOOR_S.get(basis.technology, _LEAD_ACID_FLOOR_S)
    subject = f"batteries, {basis.technology}"
    checks = [_FLOOR.compare(subject, basis.autonomy_s, ">=", floor_s, "time"), _memory(design)]
    if bank is None:
        rules = (_SIZED, _AUTONOMY, _RIDE, _BUS, _CHARGER, _AIRFLOW)
        return (*checks, *(rule.not_evaluated(subject, design.unknown) for rule in rules))
    subject = f"batteries, {bank.block.model}"
    checks += [
        _sized(bank, subject),
        _lasts(_AUTONOMY, design, bank, basis.autonomy_s, trace),
        _ride(design, bank, has_generators, trace),
        *_voltages(design, bank, subject),
        _PARALLEL.compare(subject, bank.strings_per_set, "<=", MOST_STRINGS, "count"),
        _charger(subject, trace),
        *_hydrogen(design, subject, trace),
    ]
    return tuple(checks)


def _sized(bank: BatteryBank, subject: str) -> Check:
    why = f"sized by {bank.block.method}"
    return _SIZED.verdict(subject, bank.block.method.startswith("constant power"), why)


def _lasts(
    rule: Rule, design: BatteryDesign, bank: BatteryBank, wanted_s: float, trace: Trace
) -> Check:
    """Return whether the batteries last; a load heavier than the table goes ends before it does."""
    subject, id = f"batteries, {bank.block.model}", "battery.autonomy_design"
    if not beyond_table(design, trace, id):
        return rule.compare(subject, trace.value(id), ">=", wanted_s, "time")
    first_s, power = float(bank.block.times_s[0]), f"{id}.block_power"
    why = (
        f"beyond the table of {bank.block.model}: each block would"
        f" give {trace.value(power):,.0f} W, and it ends at {bank.block.watts[0]:,.0f} W"
        f" for {first_s:g} s; {wanted_s:g} s are wanted"
    )
    if wanted_s >= first_s:
        return rule.verdict(subject, False, why)
    return rule.not_evaluated(subject, why)


def _ride(design: BatteryDesign, bank: BatteryBank, has_generators: bool, trace: Trace) -> Check:
    if not has_generators:
        why = "there are no generator sets to wait for"
        return _RIDE.not_evaluated(f"batteries, {bank.block.model}", why)
    return _lasts(_RIDE, design, bank, trace.value("battery.ride_through"), trace)


def _voltages(design: BatteryDesign, bank: BatteryBank, subject: str) -> list[Check]:
    basis, cells = design.basis, bank.block.cells
    if cells is None or basis.technology == LI_ION:
        why = "the cells of a string and their voltages are not known"
        return [rule.not_evaluated(subject, why) for rule in (_BUS, _FLOAT)]
    in_series, string = cells * bank.blocks_per_string, basis.string
    return [
        _BUS.compare(
            subject, in_series * basis.end_v_per_cell, ">=", string.dc_min_v, "dc_voltage"
        ),
        _FLOAT.compare(
            subject, in_series * string.float_v_per_cell, "<=", string.dc_max_v, "dc_voltage"
        ),
    ]


def _charger(subject: str, trace: Trace) -> Check:
    if "battery.charging_power" not in trace:
        return _CHARGER.not_evaluated(
            subject, "charging of this battery follows the maker's charger, which is not known"
        )
    return _CHARGER.compare(
        subject,
        trace.value("battery.charging_power"),
        "<=",
        trace.value("battery.charger_power"),
        "active_power",
    )


def _hydrogen(design: BatteryDesign, subject: str, trace: Trace) -> list[Check]:
    basis, id = design.basis, "battery.hydrogen_airflow"
    airflow = _AIRFLOW_US if basis.room.code == "NEC" else _AIRFLOW
    if basis.technology == LI_ION:
        why = "Li-ion cells set no hydrogen free on charge; venting cells are a matter of fire"
        return [airflow.not_evaluated(subject, f"{why} protection (NFPA 855, UL 9540A)")]
    if id not in trace:
        return [airflow.not_evaluated(subject, "the capacity of the block is not known")]
    needed = trace.value(id)
    if basis.room.airflow_m3_s is None:
        why = f"the airflow of the room is not given; it takes {needed * 3600:,.0f} m³/h"
        return [rule.not_evaluated(subject, why) for rule in (airflow, _CONCENTRATION)]
    found = trace.value("battery.hydrogen_concentration")
    return [
        airflow.compare(subject, basis.room.airflow_m3_s, ">=", needed, "air_flow"),
        _CONCENTRATION.compare(subject, found, "<=", HYDROGEN_LIMIT, "fraction"),
    ]


def _memory(design: BatteryDesign) -> Check:
    basis = design.basis
    subject = f"batteries, {basis.technology}"
    if basis.technology == LI_ION:
        return _MEMORY.verdict(
            subject, False, "ageing, end voltage and recharge of Li-ion cabinets are recalled"
        )
    recalled = design.bank is not None and design.bank.temperature_source.verified == "memory"
    why = "the temperature factor is recalled" if recalled else "no factor of the size is recalled"
    return _MEMORY.verdict(subject, not recalled, why)
