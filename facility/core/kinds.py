"""Kinds of quantity: the measured quantity, not only its dimension.

``1 kW + 1 kVA`` has a dimension but no meaning; a temperature is not a temperature difference.
Each kind names its SI unit, the unit tokens a user may write, and the units of the SI and IP
views. A value converts as ``si = value * factor + offset``.

The SI unit of a temperature is the degree Celsius here: psychrometric and coolant correlations
are written in it, and the kelvin form is one addition away.

Each kind has a type, by which the signature of an equation names it: ``load_w: ActivePower`` is a
number or an array to mypy, and a kind of quantity to the `equation` decorator.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Annotated

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]
Numeric = float | FloatArray
"""What equations take and give: a number, or an array of numbers."""
ComplexArray = NDArray[np.complex128]
ComplexNumeric = complex | ComplexArray
"""A phasor, a complex power or an impedance, or an array of them."""

Affine = tuple[float, float]

_KILOWATT_HOUR_J = 3.6e6
_BTU_J = 1055.05585262  # International Table Btu, NIST SP 811 (2008) appendix B.8
_FOOT_M = 0.3048
_INCH_M = 0.0254
_POUND_KG = 0.45359237
_GALLON_M3 = 3.785411784e-3
_CFM_M3_S = _FOOT_M**3 / 60.0
_GPM_M3_S = _GALLON_M3 / 60.0
_TON_REFRIGERATION_W = 12000.0 * _BTU_J / 3600.0
_HORSEPOWER_W = 745.6998715822702  # 550 ft lbf/s
_PSI_PA = 6894.757293168361
_INCH_WATER_PA = 249.08891  # conventional inch of water (4 C), NIST SP 811
_CIRCULAR_MIL_M2 = 5.067074790974977e-10


_MIN_SUPPLY_V = 100.0
"""Voltage of an AC supply below which a bare number is likely in kV."""


@dataclass(frozen=True)
class Kind:
    """One kind of quantity."""

    name: str  # Name used in declarations, e.g. "apparent_power"
    si: str  # Token of the unit all internal numbers are in
    units: Mapping[str, Affine]  # Unit token to (factor, offset) into the SI unit
    view_si: str  # Token shown in the SI view, which is also the unit of the JSON contract
    view_ip: str  # Token shown in the IP view
    digits: int  # Decimals shown in a view

    def likely_unit(self, value: float) -> str:
        """Return the unit that is proposed for a bare number: of 13.8 for a supply it is kV."""
        supply = self.name in ("line_voltage", "phase_voltage")
        return "kV" if supply and 0.0 < abs(value) < _MIN_SUPPLY_V else self.view_si

    @property
    def is_plain(self) -> bool:
        """Whether the quantity is a bare number (a count or a ratio)."""
        return self.si == ""


_FAHRENHEIT: Affine = (5.0 / 9.0, -160.0 / 9.0)
_TEMPERATURES: Mapping[str, float | Affine] = {
    "degC": 1.0, "°C": 1.0, "C": 1.0, "K": (1.0, -273.15), "degF": _FAHRENHEIT, "°F": _FAHRENHEIT,
}  # fmt: skip
_UNITS: Mapping[str, float] = {
    "": 1.0, "%": 0.01, "kg/kg": 1.0, "g/kg": 1e-3, "gr/lb": 1.0 / 7000.0,
    "W": 1.0, "kW": 1e3, "MW": 1e6, "hp": _HORSEPOWER_W,
    "Btu/h": _BTU_J / 3600.0, "MBH": 1e3 * _BTU_J / 3600.0,
    "ton_refrigeration": _TON_REFRIGERATION_W,
    "VA": 1.0, "kVA": 1e3, "MVA": 1e6, "V*A": 1.0, "var": 1.0, "kvar": 1e3, "Mvar": 1e6,
    "J": 1.0, "kJ": 1e3, "MJ": 1e6, "GJ": 1e9, "Wh": 3600.0, "kWh": _KILOWATT_HOUR_J,
    "MWh": 1e3 * _KILOWATT_HOUR_J, "GWh": 1e6 * _KILOWATT_HOUR_J,
    "var*s": 1.0, "kvarh": _KILOWATT_HOUR_J, "Mvarh": 1e3 * _KILOWATT_HOUR_J,
    "K": 1.0, "delta_degC": 1.0, "delta_degF": 5.0 / 9.0, "degR": 5.0 / 9.0,
    "V": 1.0, "kV": 1e3, "A": 1.0, "mA": 1e-3, "kA": 1e3, "A*s": 1.0, "Ah": 3600.0,
    "A2s": 1.0, "kA2s": 1e3, "MA2s": 1e6,
    "ohm": 1.0, "mohm": 1e-3, "Ω": 1.0, "ohm*m": 1.0, "ohm*mm2/m": 1e-6,
    "Hz": 1.0, "mHz": 1e-3, "1/min": 1.0 / 60.0, "rpm": 1.0 / 60.0,
    "W/s": 1.0, "kW/s": 1e3, "MW/s": 1e6, "kW/min": 1e3 / 60.0, "MW/min": 1e6 / 60.0,
    "m": 1.0, "mm": 1e-3, "cm": 1e-2, "km": 1e3, "ft": _FOOT_M, "in": _INCH_M,
    "m2": 1.0, "mm2": 1e-6, "cm2": 1e-4, "ft2": _FOOT_M**2, "in2": _INCH_M**2,
    "cmil": _CIRCULAR_MIL_M2, "kcmil": 1e3 * _CIRCULAR_MIL_M2,
    "m3": 1.0, "L": 1e-3, "gal": _GALLON_M3, "kg": 1.0, "g": 1e-3, "t": 1e3, "lb": _POUND_KG,
    "s": 1.0, "ms": 1e-3, "min": 60.0, "h": 3600.0, "d": 86400.0,
    "kg/s": 1.0, "kg/h": 1 / 3600.0, "lb/h": _POUND_KG / 3600.0,
    "m3/s": 1.0, "m3/min": 1 / 60.0, "m3/h": 1.0 / 3600.0, "L/s": 1e-3, "L/min": 1e-3 / 60.0,
    "L/h": 1e-3 / 3600.0, "cfm": _CFM_M3_S, "gpm": _GPM_M3_S, "gal/h": _GALLON_M3 / 3600.0,
    "Pa": 1.0, "kPa": 1e3, "MPa": 1e6, "hPa": 100.0, "bar": 1e5, "psi": _PSI_PA,
    "inH2O": _INCH_WATER_PA, "ftH2O": 12.0 * _INCH_WATER_PA,
    "kg/m3": 1.0, "lb/ft3": _POUND_KG / _FOOT_M**3,
    "m3/kg": 1.0, "ft3/lb": _FOOT_M**3 / _POUND_KG,
    "J/(kg*K)": 1.0, "kJ/(kg*K)": 1e3, "J/kg": 1.0, "kJ/kg": 1e3, "Pa*s": 1.0, "mPa*s": 1e-3,
    "W/(m*K)": 1.0, "W/K": 1.0, "kW/K": 1e3, "K/W": 1.0, "J/K": 1.0, "kJ/K": 1e3, "MJ/K": 1e6,
    "Btu/delta_degF": _BTU_J * 1.8, "Btu/(h*delta_degF)": _BTU_J * 1.8 / 3600.0,
    "m/s": 1.0, "ft/s": _FOOT_M, "ft/min": _FOOT_M / 60.0,
    "W/m2": 1.0, "kW/m2": 1e3, "W/ft2": 1.0 / _FOOT_M**2,
    "W/(m3/s)": 1.0, "kW/(m3/s)": 1e3, "W/cfm": 1.0 / _CFM_M3_S,
    "m3/s/W": 1.0, "L/min/kW": 1e-3 / 60.0 / 1e3, "cfm/kW": _CFM_M3_S / 1e3,
    "m3/J": 1.0, "L/kWh": 1e-3 / _KILOWATT_HOUR_J, "gal/kWh": _GALLON_M3 / _KILOWATT_HOUR_J,
    "kg/J": 1.0, "kg/kWh": 1.0 / _KILOWATT_HOUR_J, "g/kWh": 1e-3 / _KILOWATT_HOUR_J,
    "lb/MWh": _POUND_KG * 1e-3 / _KILOWATT_HOUR_J,
}  # fmt: skip
"""Factor into the SI unit by token, one for each unit whatever kind it measures."""


def _kind(
    name: str,
    units: str | Mapping[str, float | Affine],
    view_si: str,
    view_ip: str | None = None,
    digits: int = 1,
) -> Kind:
    """Return the kind with these units, its SI unit first; an empty token is a bare number."""
    if isinstance(units, str):
        units = {token: _UNITS[token] for token in units.split(" ")}
    table: dict[str, Affine] = {
        token: value if isinstance(value, tuple) else (value, 0.0) for token, value in units.items()
    }
    si = next(iter(table))
    return Kind(name, si, MappingProxyType(table), view_si, view_ip or view_si, digits)


_CODES = (
    "USD AED ARS AUD BDT BHD BOB BRL CAD CHF CLP CNY COP CRC CZK DKK EGP ETB EUR GBP GHS HKD HUF "
    "IDR ILS INR ISK JOD JPY KES KRW KWD KZT LKR MAD MXN MYR NGN NOK NZD OMR PEN PHP PKR PLN QAR "
    "RON RSD RUB SAR SEK SGD THB TRY TWD TZS UAH UGX VND ZAR"
)
CURRENCIES = tuple(_CODES.split())
"""Currencies of prices, by ISO 4217. Each has separate kinds; currencies are not converted."""


def kind_in(kind: str, currency: str) -> str:
    """Return a kind of dollars, ``"money"`` or ``"energy_price"``, in `currency`; others stay."""
    dollars = kind == "money" or kind in _PRICES
    return f"{kind}_{currency.lower()}" if dollars and currency != "USD" else kind


def money_kind(currency: str) -> str:
    """Return the kind of an amount in `currency`."""
    return kind_in("money", currency)


def demand_kind(currency: str, *, apparent: bool = False) -> str:
    """Return the kind of a price of demand in `currency`: of kW, or of `apparent` power."""
    return kind_in("apparent_price" if apparent else "demand_price", currency)


_PRICES: Mapping[str, tuple[Mapping[str, float], str, int]] = {
    "energy_price": (
        {"J": 1.0, "kWh": 1.0 / _KILOWATT_HOUR_J, "MWh": 1e-3 / _KILOWATT_HOUR_J}, "kWh", 4
    ),
    "demand_price": ({"W": 1.0, "kW": 1e-3, "MW": 1e-6}, "kW", 3),
    "apparent_price": ({"VA": 1.0, "kVA": 1e-3, "MVA": 1e-6}, "kVA", 3),
    "reactive_price": (
        {"(var*s)": 1.0, "kvarh": 1.0 / _KILOWATT_HOUR_J, "Mvarh": 1e-3 / _KILOWATT_HOUR_J},
        "kvarh", 4,
    ),
    "volume_price": ({"m3": 1.0, "L": 1e3, "gal": 1.0 / _GALLON_M3}, "m3", 2),
    "hour_price": ({"s": 1.0, "h": 1.0 / 3600.0}, "h", 3),
}  # fmt: skip
"""Kinds of price: currency over each unit, the SI unit first; the unit shown, and decimals."""

_ALL = (
    _kind("active_power", "W kW MW hp", "kW"),
    _kind("apparent_power", "VA kVA MVA V*A", "kVA"),
    _kind("reactive_power", "var kvar Mvar", "kvar"),
    _kind("heat_flow", "W kW MW Btu/h MBH ton_refrigeration", "kW", "MBH"),
    _kind("energy", "J kJ MJ GJ Wh kWh MWh GWh", "MWh"),
    _kind("reactive_energy", "var*s kvarh Mvarh", "Mvarh"),
    _kind("temperature", _TEMPERATURES, "degC", "degF"),
    _kind("rating_temperature", _TEMPERATURES, "degC"),
    _kind("temperature_difference", "K delta_degC delta_degF degR", "K", "delta_degF"),
    _kind("line_voltage", "V kV", "V", digits=0),
    _kind("phase_voltage", "V kV", "V", digits=0),
    _kind("dc_voltage", "V kV", "V", digits=0),
    _kind("current", "A mA kA", "A"),
    _kind("joule_integral", "A2s kA2s MA2s", "A2s", digits=0),
    _kind("resistance", "ohm mohm Ω", "ohm", digits=5),
    _kind("resistivity", "ohm*m ohm*mm2/m", "ohm*mm2/m", digits=6),
    _kind("frequency", "Hz 1/min rpm", "Hz", digits=0),
    _kind("swing_frequency", "Hz mHz", "Hz", digits=3),
    _kind("power_ramp", "W/s kW/s MW/s kW/min MW/min", "MW/s", digits=3),
    _kind("length", "m mm cm km ft in", "m", "ft", 2),
    _kind("area", "m2 mm2 cm2 ft2 in2 cmil kcmil", "m2", "ft2"),
    _kind("cross_section", "m2 mm2 cmil kcmil", "mm2", "kcmil"),
    _kind("volume", "m3 L gal", "m3", "gal"),
    _kind("mass", "kg g t lb", "kg", "lb"),
    _kind("charge", "A*s Ah", "Ah"),
    _kind("time", "s ms min h d", "s"),
    _kind("mass_flow", "kg/s kg/h lb/h", "kg/s", "lb/h", 2),
    _kind("air_flow", "m3/s m3/min m3/h L/s cfm", "m3/s", "cfm", 2),
    _kind("liquid_flow", "m3/s m3/h L/s L/min L/h gpm gal/h", "L/min", "gpm"),
    _kind("pressure", "Pa kPa MPa hPa bar psi inH2O ftH2O", "kPa", "psi", 2),
    _kind("density", "kg/m3 lb/ft3", "kg/m3", "lb/ft3", 2),
    _kind("specific_volume", "m3/kg ft3/lb", "m3/kg", "ft3/lb", 4),
    _kind("specific_heat", "J/(kg*K) kJ/(kg*K)", "kJ/(kg*K)", digits=3),
    _kind("specific_enthalpy", "J/kg kJ/kg", "kJ/kg", digits=2),
    _kind("viscosity", "Pa*s mPa*s", "mPa*s", digits=3),
    _kind("thermal_conductivity", "W/(m*K)", "W/(m*K)", digits=3),
    _kind("thermal_conductance", "W/K kW/K Btu/(h*delta_degF)", "kW/K", "Btu/(h*delta_degF)", 2),
    _kind("heat_capacity", "J/K kJ/K MJ/K Btu/delta_degF", "MJ/K", "Btu/delta_degF", 2),
    _kind("thermal_resistance", "K/W", "K/W", digits=4),
    _kind("velocity", "m/s ft/s ft/min", "m/s", "ft/s", 2),
    _kind("power_density", "W/m2 kW/m2 W/ft2", "W/m2", "W/ft2", 2),
    _kind("specific_fan_power", "W/(m3/s) kW/(m3/s) W/cfm", "kW/(m3/s)", "W/cfm", 3),
    _kind("flow_per_power", "m3/s/W L/min/kW cfm/kW", "L/min/kW", digits=3),
    _kind("fraction", " %", "%"),
    _kind("ratio", "", "", digits=3),
    _kind("count", "", "", digits=0),
    _kind("humidity_ratio", " kg/kg g/kg gr/lb", "g/kg", "gr/lb", 2),
    _kind("water_per_energy", "m3/J L/kWh gal/kWh", "L/kWh", "gal/kWh", 3),
    *(_kind(money_kind(c), {c: 1.0, f"k{c}": 1e3}, c, digits=0) for c in CURRENCIES),
    *(
        _kind(
            kind_in(name, c),
            {f"{c}/{unit}": factor for unit, factor in units.items()},
            f"{c}/{shown}",
            digits=digits,
        )
        for name, (units, shown, digits) in _PRICES.items()
        for c in CURRENCIES
    ),
    _kind("degrees", "", "", digits=4),
    _kind("carbon_intensity", "kg/J kg/kWh g/kWh lb/MWh", "kg/kWh", "lb/MWh", 3),
)

KINDS: Mapping[str, Kind] = MappingProxyType({kind.name: kind for kind in _ALL})

ActivePower = Annotated[Numeric, KINDS["active_power"]]
ApparentPower = Annotated[Numeric, KINDS["apparent_power"]]
ReactivePower = Annotated[Numeric, KINDS["reactive_power"]]
HeatFlow = Annotated[Numeric, KINDS["heat_flow"]]
Energy = Annotated[Numeric, KINDS["energy"]]
ReactiveEnergy = Annotated[Numeric, KINDS["reactive_energy"]]
PowerRamp = Annotated[Numeric, KINDS["power_ramp"]]
Temperature = Annotated[Numeric, KINDS["temperature"]]
TemperatureDifference = Annotated[Numeric, KINDS["temperature_difference"]]
LineVoltage = Annotated[Numeric, KINDS["line_voltage"]]
PhaseVoltage = Annotated[Numeric, KINDS["phase_voltage"]]
DcVoltage = Annotated[Numeric, KINDS["dc_voltage"]]
Current = Annotated[Numeric, KINDS["current"]]
JouleIntegral = Annotated[Numeric, KINDS["joule_integral"]]
Resistance = Annotated[Numeric, KINDS["resistance"]]
Resistivity = Annotated[Numeric, KINDS["resistivity"]]
Length = Annotated[Numeric, KINDS["length"]]
Area = Annotated[Numeric, KINDS["area"]]
CrossSection = Annotated[Numeric, KINDS["cross_section"]]
Volume = Annotated[Numeric, KINDS["volume"]]
Mass = Annotated[Numeric, KINDS["mass"]]
Charge = Annotated[Numeric, KINDS["charge"]]
Time = Annotated[Numeric, KINDS["time"]]
MassFlow = Annotated[Numeric, KINDS["mass_flow"]]
AirFlow = Annotated[Numeric, KINDS["air_flow"]]
LiquidFlow = Annotated[Numeric, KINDS["liquid_flow"]]
Pressure = Annotated[Numeric, KINDS["pressure"]]
Density = Annotated[Numeric, KINDS["density"]]
SpecificVolume = Annotated[Numeric, KINDS["specific_volume"]]
SpecificHeat = Annotated[Numeric, KINDS["specific_heat"]]
SpecificEnthalpy = Annotated[Numeric, KINDS["specific_enthalpy"]]
ThermalConductivity = Annotated[Numeric, KINDS["thermal_conductivity"]]
Viscosity = Annotated[Numeric, KINDS["viscosity"]]
ThermalConductance = Annotated[Numeric, KINDS["thermal_conductance"]]
HeatCapacity = Annotated[Numeric, KINDS["heat_capacity"]]
ThermalResistance = Annotated[Numeric, KINDS["thermal_resistance"]]
Velocity = Annotated[Numeric, KINDS["velocity"]]
PowerDensity = Annotated[Numeric, KINDS["power_density"]]
Fraction = Annotated[Numeric, KINDS["fraction"]]
Ratio = Annotated[Numeric, KINDS["ratio"]]
Count = Annotated[Numeric, KINDS["count"]]
HumidityRatio = Annotated[Numeric, KINDS["humidity_ratio"]]
Money = Annotated[Numeric, KINDS["money"]]
EnergyPrice = Annotated[Numeric, KINDS["energy_price"]]
DemandPrice = Annotated[Numeric, KINDS["demand_price"]]
VolumePrice = Annotated[Numeric, KINDS["volume_price"]]
HourPrice = Annotated[Numeric, KINDS["hour_price"]]
ReactivePrice = Annotated[Numeric, KINDS["reactive_price"]]
ApparentPrice = Annotated[Numeric, KINDS["apparent_price"]]
Degrees = Annotated[Numeric, KINDS["degrees"]]
CarbonIntensity = Annotated[Numeric, KINDS["carbon_intensity"]]
WaterPerEnergy = Annotated[Numeric, KINDS["water_per_energy"]]
ComplexPower = Annotated[ComplexNumeric, KINDS["apparent_power"]]
ComplexCurrent = Annotated[ComplexNumeric, KINDS["current"]]


def si_from(kind: Kind, value: float, token: str) -> float:
    """Return `value` given in the unit `token` of `kind`, in the SI unit of the kind."""
    factor, offset = kind.units[token]
    return value * factor + offset


def value_in(kind: Kind, si_value: float, token: str) -> float:
    """Return `si_value` of `kind` expressed in the unit `token`."""
    factor, offset = kind.units[token]
    return (si_value - offset) / factor


_CONVERSIONS = {
    ("VA", "active_power"): "Multiply by the power factor and write the result in kW.",
    ("W", "apparent_power"): "Divide by the power factor and write the result in kVA.",
    ("W", "reactive_power"): "Multiply by tan(phi), phi = acos(power factor), and write kvar.",
    ("var", "active_power"): "Divide by tan(phi), phi = acos(power factor), and write kW.",
    ("VA", "reactive_power"): "Multiply by sin(phi), phi = acos(power factor), and write kvar.",
    ("var", "apparent_power"): "Divide by sin(phi), phi = acos(power factor), and write kVA.",
    ("degC", "temperature_difference"): "Write a difference in K, delta_degC or delta_degF.",
    ("K", "temperature"): "Write a temperature in degC, degF or K.",
}


def conversion_hint(token: str, kind: Kind) -> str:
    """Return how to convert a quantity in `token`, a unit of another kind, to `kind`.

    Empty where no plain rule leads there.
    """
    for other in KINDS.values():
        if token in other.units and (other.si, kind.name) in _CONVERSIONS:
            return _CONVERSIONS[other.si, kind.name]
    return ""
