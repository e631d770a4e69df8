"""The ``cost`` section: capital, operation and terms, for the cost of ownership.

Without it no cost of ownership is calculated. Unpriced parts of the capital are excluded;
published prices are used with ``prices: guides``. Power and cooling are priced
by the equipment that the design has sized, or as a whole by the IT load, never both.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Literal

from pydantic import model_validator

from facility.core.parse import Measured
from facility.core.sources import RECALLED, RULE
from facility.model.cost import EQUIPMENT
from facility.model.inputs.declare import Default, optional
from facility.model.inputs.scalars import Section, problem, quantity

_Money = Annotated[Measured, quantity("money")]
_PerPower = Annotated[Measured, quantity("demand_price")]
_PerEnergy = Annotated[Measured, quantity("energy_price")]
_Part = Annotated[Measured, quantity("fraction", maximum=2.0)]
_PerVolume = Annotated[Measured, quantity("volume_price")]
_Years = Annotated[Measured, quantity("ratio", minimum=1.0, maximum=100.0)]
_Rate = Annotated[Measured, quantity("fraction", maximum=0.5)]
_Used = Annotated[Measured, quantity("fraction", minimum=0.01, maximum=1.0)]
_GpuTime = Annotated[Measured, quantity("time", above=0.0)]


class CapitalSection(Section):
    """Installed prices of the capital."""

    gpu: _Money | None = optional("Price per GPU, including its share of the server")
    network: _Money | None = optional("Price of network, storage and cabling, per GPU")
    power: _PerPower | None = optional("Price of the power chain, per kW of IT load")
    cooling: _PerPower | None = optional("Price of the cooling, per kW of IT load")
    building: _PerPower | None = optional("Price of land and building, per kW of IT load")


class EquipmentSection(Section):
    """Equipment prices, without installation.

    With ``rate``, ``plant_years`` and one price of energy (``site.tariff``) stated as well, the
    minimum life-cycle cost decides result-based selections of the design.
    """

    ups: _PerPower | None = optional("Price of UPS modules, per kVA")
    battery: _PerEnergy | None = optional("Price of UPS batteries, per kWh of autonomy energy")
    generator: _PerPower | None = optional("Price of generator sets, per kW")
    transformer: _PerPower | None = optional("Price of MV/LV transformers, per kVA")
    mv_switchgear: _Money | None = optional("Price of the MV switchgear per UPS system")
    switchboard: _Money | None = optional("Price of the LV switchboard per transformer")
    pdu_transformer: _PerPower | None = optional("Price of PDU transformers, per kVA")
    panel: _Money | None = optional("Price per hall panelboard or busway run")
    rack_pdu: _Money | None = optional("Price per rack PDU with whip")
    cables: _PerPower | None = optional("Price of cables and containment, per kW of IT load")
    chiller: _PerPower | None = optional("Price of chillers, per kW of cooling")
    heat_rejection: _PerPower | None = optional("Price of towers and dry coolers, per kW of heat")
    air_handler: _PerPower | None = optional("Price of air handlers, per kW of cooling")
    rear_door: _PerPower | None = optional("Price of rear doors, per kW of cooling")
    cdu: _PerPower | None = optional("Price of CDUs, per kW of cooling")
    plate_exchanger: _PerPower | None = optional("Price of plate exchangers, per kW of heat")
    pump: _PerPower | None = optional("Price of pumps, per kW of pump power")
    tank: _PerVolume | None = optional("Price of the thermal storage tank, per m3")
    pipes: _PerPower | None = optional("Price of pipes and valves, per kW of IT load")
    installation: _Part | None = optional("Installation, as a fraction of the equipment price")


class OperationSection(Section):
    """Annual costs besides electricity; omitted items are excluded."""

    maintenance: _Money | None = optional("Annual maintenance cost")
    staff: _Money | None = optional("Annual staff cost")
    lease: _Money | None = optional("Annual lease and ground rent")
    spares: _Money | None = optional("Annual spare parts cost")
    other: _Money | None = optional("Annual insurance, taxes, connection and other costs")
    water: _PerVolume | None = optional("Price of make-up water, including sewage charge")
    fuel: _PerVolume | None = optional("Price of fuel, for the tests of the generators")


class CostSection(Section):
    """Cost of ownership, in the currency of the tariff."""

    prices: Literal["guides", "stated"] | None = optional(
        "Source of unspecified capital prices: none (stated), or guides and price lists in USD",
        Default("stated", "unspecified prices are excluded", RULE),
    )
    capital: CapitalSection | None = None
    equipment: EquipmentSection | None = None
    operation: OperationSection | None = None
    it_years: _Years | None = optional(
        "Depreciation period of servers and network, years",
        Default(5.0, "servers of large operators: 4 to 6 years", RECALLED),
        symbol="N",
    )
    plant_years: _Years | None = optional(
        "Depreciation period of power and cooling, years",
        Default(15.0, "electrical and mechanical plant: 15 to 20 years", RECALLED),
        symbol="N",
    )
    building_years: _Years | None = optional(
        "Depreciation period of the building, years",
        Default(30.0, "commercial buildings: 25 to 40 years", RECALLED),
        symbol="N",
    )
    rate: _Rate | None = optional(
        "Annual discount rate; 0 means straight-line depreciation only",
        Default(0.08, "typical cost of capital 6 to 10 %", RECALLED),
        symbol="i",
    )
    used: _Used | None = optional(
        "Fraction of annual GPU-hours used",
        Default(1.0, "all GPU-hours of the year", RULE),
        symbol="u",
    )
    run: _GpuTime | None = optional("GPU-hours of a training run, as '30.8e6 h'")

    @model_validator(mode="after")
    def _one_currency(self) -> CostSection:
        stated = list(self.stated())
        currencies = {currency_of(price): where for where, price in stated if priced(price)}
        if len(currencies) > 1:
            raise problem(
                "CONTRADICTION",
                f"the prices are in {' and '.join(sorted(currencies))}.",
                "Write all prices in the currency of the project; currencies are not converted.",
                list(currencies.values())[-1],
            )
        for where, price in stated:
            _refuse_wrong_power(where, price)
        return self

    @model_validator(mode="after")
    def _priced_once(self) -> CostSection:
        for part, names in EQUIPMENT.items():
            whole = self.capital is not None and getattr(self.capital, part) is not None
            named = [name for name in names if self.equipment and getattr(self.equipment, name)]
            if whole and named:
                raise problem(
                    "CONTRADICTION",
                    f"cost.capital.{part} already prices this equipment as a whole.",
                    "Enter only one of them.",
                    f"equipment.{named[0]}",
                )
        return self

    def stated(self) -> Iterator[tuple[str, Measured]]:
        """Yield every specified price with its path in the section."""
        sections = {
            "capital": self.capital,
            "equipment": self.equipment,
            "operation": self.operation,
        }
        for path, section in sections.items():
            for name in type(section).model_fields if section is not None else ():
                price = getattr(section, name)
                if price is not None:
                    yield f"{path}.{name}", price


_BY_KVA = ("ups", "transformer", "pdu_transformer")


def priced(price: Measured) -> bool:
    """Return whether a figure is a price, not a fraction."""
    return price.kind != "fraction"


def currency_of(price: Measured) -> str:
    """Return the currency of a price."""
    return price.unit.partition("/")[0].removeprefix("k")


def _refuse_wrong_power(where: str, price: Measured) -> None:
    """Reject a price per kVA for a quantity in kW, and vice versa."""
    by_kva = where.rpartition(".")[2] in _BY_KVA
    if price.kind.startswith(("demand", "apparent")) and by_kva != price.kind.startswith("app"):
        given, required = ("kW", "kVA") if by_kva else ("kVA", "kW")
        what = "its rating" if where.startswith("equipment") else "the IT load"
        raise problem(
            "UNIT_WRONG",
            f"{what} is in {required}, but the price is per {given}.",
            f"Enter it per {required}.",
            where,
        )
