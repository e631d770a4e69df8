"""Quantities measured at each class of equipment, with their signals and metric names."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from facility.study.points.limits import CONTACTS

Signal = Literal["AI", "DI", "ACC"]
"""Analog input, digital input, accumulated value (counter)."""


@dataclass(frozen=True)
class MeasuredQuantity:
    """Measured quantity: text, kind of quantity, signal."""

    words: str
    kind: str = ""  # Kind of quantity; empty for a contact
    signal: Signal = "AI"


_CONTACT_WORDS = {
    "supply_lost": "Supply lost",
    "on_battery": "On battery",
    "transferred": "On alternate supply",
    "supply_unavailable": "A supply unavailable",
    "fault": "Common alarm",
    "leak": "Leak detected",
    "not_ready": "Standby path not ready: breaker open, or not in automatic",
}
QUANTITIES: Mapping[str, MeasuredQuantity] = {
    "active_power": MeasuredQuantity("Active power", "active_power"),
    "input_power": MeasuredQuantity("Active power, input", "active_power"),
    "it_power": MeasuredQuantity("IT load", "active_power"),
    "apparent_power": MeasuredQuantity("Apparent power", "apparent_power"),
    "power_ramp": MeasuredQuantity("Power ramp rate", "power_ramp"),
    "energy": MeasuredQuantity("Active energy", "energy", "ACC"),
    "current": MeasuredQuantity("Current, each line", "current"),
    "voltage": MeasuredQuantity("Voltage, line to line", "line_voltage"),
    "power_factor": MeasuredQuantity("Power factor", "ratio"),
    "loading": MeasuredQuantity("Loading", "fraction"),
    "imbalance": MeasuredQuantity("Current imbalance", "fraction"),
    "pue": MeasuredQuantity("Power usage effectiveness", "ratio"),
    "battery_charge": MeasuredQuantity("Battery state of charge", "fraction"),
    "battery_time": MeasuredQuantity("Battery autonomy at present load", "time"),
    "fuel_time": MeasuredQuantity("Fuel autonomy at design load", "time"),
    "fuel_volume": MeasuredQuantity("Fuel volume", "volume"),
    "inlet_temperature": MeasuredQuantity("Inlet air temperature", "temperature"),
    "dew_point": MeasuredQuantity("Dew point", "temperature"),
    "relative_humidity": MeasuredQuantity("Relative humidity", "fraction"),
    "aisle_pressure": MeasuredQuantity("Pressure difference, containment", "pressure"),
    "supply_temperature": MeasuredQuantity("Supply temperature", "temperature"),
    "return_temperature": MeasuredQuantity("Return temperature", "temperature"),
    "water_temperature": MeasuredQuantity("Entering water temperature", "temperature"),
    "leaving_temperature": MeasuredQuantity("Leaving water temperature", "temperature"),
    "air_flow": MeasuredQuantity("Air flow", "air_flow"),
    "flow": MeasuredQuantity("Flow", "liquid_flow"),
    "coolant_flow": MeasuredQuantity("Coolant flow", "liquid_flow"),
    "pressure": MeasuredQuantity("Pressure, return", "pressure"),
    "differential_pressure": MeasuredQuantity("Differential pressure", "pressure"),
    "speed": MeasuredQuantity("Speed", "fraction"),
    "valve_position": MeasuredQuantity("Valve position", "fraction"),
    "volume": MeasuredQuantity("Stored volume", "volume"),
    "stored_time": MeasuredQuantity("Stored time at design load", "time"),
    "dry_bulb": MeasuredQuantity("Dry bulb temperature", "temperature"),
    "wet_bulb": MeasuredQuantity("Wet bulb temperature", "temperature"),
    "gpu_power": MeasuredQuantity("GPU power", "active_power"),
    "gpu_temperature": MeasuredQuantity("GPU temperature", "temperature"),
    "running": MeasuredQuantity("Running", "", "DI"),
    "closed": MeasuredQuantity("Closed", "", "DI"),
    **{name: MeasuredQuantity(words, "", "DI") for name, words in _CONTACT_WORDS.items()},
}

_METER = "active_power energy power_factor current voltage"
_SCHEDULE: Mapping[str, str] = {
    "facility": "active_power it_power energy pue",
    "utility": f"{_METER} apparent_power power_ramp supply_lost",
    "mv-switchgear": "current voltage loading supply_lost transferred not_ready",
    "transformer": "active_power current loading fault",
    "generator-plant": "active_power apparent_power energy voltage loading fuel_time fuel_volume"
    " fault",
    "generator-set": "active_power running not_ready fault",
    "generator-bus": "current voltage loading not_ready fault",
    "ats": "current loading supply_lost transferred not_ready fault",
    "sts": "current loading supply_lost transferred fault",
    "lv-board": f"{_METER} loading supply_lost transferred",
    "tie": "closed",
    "ups": "input_power active_power apparent_power voltage loading battery_charge battery_time"
    " on_battery fault",
    "static-bypass": "supply_lost fault",
    "maintenance-bypass": "closed",
    "ups-output": f"{_METER} loading supply_lost transferred",
    "pdu": f"{_METER} loading supply_lost",
    "panel": f"{_METER} imbalance supply_lost",
    "busway": f"{_METER} loading supply_lost",
    "branch": "active_power energy current",
    "rack-pdu": "active_power energy current voltage supply_lost",
    "mechanical-board": f"{_METER} supply_lost transferred supply_unavailable",
    "building-board": f"{_METER} supply_lost transferred supply_unavailable",
    "hall": "active_power energy",
    "row": "active_power energy",
    "rack": "active_power energy",
    "rack-sensor": "inlet_temperature",
    "aisle": "dew_point relative_humidity",
    "liquid-rack": "coolant_flow supply_temperature return_temperature leak",
    "server": "active_power inlet_temperature",
    "gpu": "gpu_power gpu_temperature",
    "air-unit": "supply_temperature return_temperature air_flow speed running fault leak",
    "rear-door": "supply_temperature water_temperature leaving_temperature valve_position leak",
    "water-coil": "flow water_temperature leaving_temperature valve_position",
    "cdu": "supply_temperature return_temperature flow differential_pressure speed valve_position"
    " water_temperature running fault leak",
    "chiller": "active_power energy loading leaving_temperature running fault",
    "compressor": "active_power running fault",
    "pump": "active_power speed running fault",
    "rejection": "active_power speed running fault",
    "loop-chw": "supply_temperature return_temperature flow pressure differential_pressure",
    "loop-fws": "supply_temperature return_temperature flow pressure differential_pressure",
    "loop-tcs": "supply_temperature return_temperature flow pressure differential_pressure",
    "loop-cw": "supply_temperature return_temperature flow differential_pressure",
    "loop-fws_tower": "flow differential_pressure",
    "tank-chw": "volume supply_temperature stored_time",
    "tank-fws": "volume supply_temperature",
    "makeup": "flow stored_time",
    "outdoor": "dry_bulb wet_bulb",
}
SCHEDULE: Mapping[str, tuple[str, ...]] = {
    equipment: tuple(names.split()) for equipment, names in _SCHEDULE.items()
}
"""Quantities by class of equipment."""
LIMITED_AS: Mapping[str, str] = {"rack-sensor": "hall", "aisle": "hall", "liquid-rack": "rack"}
"""Class with the limits of a class of sensors."""

_METRICS: Mapping[str, str] = {
    "active_power": "facility_active_power_watts",
    "apparent_power": "facility_apparent_power_voltamperes",
    "power_ramp": "facility_power_ramp_watts_per_second",
    "energy": "facility_energy_joules_total",
    "current": "facility_current_amperes",
    "line_voltage": "facility_voltage_volts",
    "temperature": "facility_temperature_celsius",
    "liquid_flow": "facility_flow_cubic_meters_per_second",
    "air_flow": "facility_air_flow_cubic_meters_per_second",
    "pressure": "facility_pressure_pascals",
    "volume": "facility_volume_cubic_meters",
}
_SUFFIXES = {"fraction": "_ratio", "ratio": "_ratio", "time": "_seconds", "": ""}
DCGM: Mapping[str, str] = {
    "gpu_power": "DCGM_FI_DEV_POWER_USAGE",
    "gpu_temperature": "DCGM_FI_DEV_GPU_TEMP",
}
"""Field of the NVIDIA Data Center GPU Manager by quantity."""
REDFISH: Mapping[tuple[str, str], str] = {
    ("server", "active_power"): "/redfish/v1/Chassis/{id}/PowerSubsystem",
    ("server", "inlet_temperature"): "/redfish/v1/Chassis/{id}/ThermalSubsystem/ThermalMetrics",
    ("gpu", "gpu_power"): "/redfish/v1/Systems/{id}/Processors/{gpu}/EnvironmentMetrics",
    ("gpu", "gpu_temperature"): "/redfish/v1/Systems/{id}/Processors/{gpu}/EnvironmentMetrics",
    **{
        ("cdu", quantity): f"/redfish/v1/ThermalEquipment/CDUs/{{id}}{tail}"
        for quantity, tail in (
            ("supply_temperature", "/SecondaryCoolantConnectors/{id}"),
            ("return_temperature", "/SecondaryCoolantConnectors/{id}"),
            ("flow", "/SecondaryCoolantConnectors/{id}"),
            ("differential_pressure", "/SecondaryCoolantConnectors/{id}"),
            ("water_temperature", "/PrimaryCoolantConnectors/{id}"),
            ("speed", "/Pumps/{id}"),
            ("leak", "/LeakDetection"),
            ("running", ""),
            ("fault", ""),
        )
    },
    ("rack-pdu", "active_power"): "/redfish/v1/PowerEquipment/RackPDUs/{id}/Metrics",
    ("rack-pdu", "energy"): "/redfish/v1/PowerEquipment/RackPDUs/{id}/Metrics",
    ("rack-pdu", "current"): "/redfish/v1/PowerEquipment/RackPDUs/{id}/Mains/{id}",
    ("rack-pdu", "voltage"): "/redfish/v1/PowerEquipment/RackPDUs/{id}/Mains/{id}",
}
"""Redfish resource by class of equipment and quantity, of the DMTF schemas."""


def metric_of(quantity: str) -> str:
    """Return the Prometheus metric of a quantity: base unit as suffix, `_total` for counters.

    GPU quantities have the names of the DCGM exporter.
    """
    kind = QUANTITIES[quantity].kind
    if quantity in DCGM:
        return DCGM[quantity]
    return _METRICS.get(kind) or f"facility_{quantity}{_SUFFIXES[kind]}"


def is_contact(quantity: str) -> bool:
    """Return whether a quantity is a contact with an alarm state."""
    return quantity in CONTACTS
