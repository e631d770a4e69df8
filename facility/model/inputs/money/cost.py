"""The ``cost`` section: capital, operation and terms, for the cost of ownership.

Without it no cost of ownership is given. A part of the capital without a price is not known;
published prices are taken where ``prices: guides`` asks for them. Power and cooling are priced
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
    """Prices of what is built, installed."""

    gpu: _Money | None = optional("Price of a GPU with its part of the server")
    network: _Money | None = optional("Price of network, storage and cabling, for each GPU")
    power: _PerPower | None = optional("Price of the power chain, for each kW of IT load")
    cooling: _PerPower | None = optional("Price of the cooling, for each kW of IT load")
    building: _PerPower | None = optional("Price of land and building, for each kW of IT load")


class EquipmentSection(Section):
    """Prices of equipment as it is sized, without installation.

    With ``rate``, ``plant_years`` and one price of energy (``site.tariff``) stated as well, the
    least life-cycle cost decides what the design chooses by result.
    """

    ups: _PerPower | None = optional("Price of UPS modules, for each kVA")
    battery: _PerEnergy | None = optional("Price of UPS batteries, for each kWh of the autonomy")
    generator: _PerPower | None = optional("Price of generator sets, for each kW")
    transformer: _PerPower | None = optional("Price of MV/LV transformers, for each kVA")
    mv_switchgear: _Money | None = optional("Price of the MV switchgear of a UPS system")
    switchboard: _Money | None = optional("Price of the LV switchboard behind a transformer")
    pdu_transformer: _PerPower | None = optional("Price of PDU transformers, for each kVA")
    panel: _Money | None = optional("Price of a panelboard of the halls, or a run of busway")
    rack_pdu: _Money | None = optional("Price of a rack PDU with its whip")
    cables: _PerPower | None = optional("Price of cables and containment, for each kW of IT load")
    chiller: _PerPower | None = optional("Price of chillers, for each kW of cooling")
    heat_rejection: _PerPower | None = optional(
        "Price of towers and dry coolers, for each kW of heat"
    )
    air_handler: _PerPower | None = optional("Price of air handlers, for each kW of cooling")
    rear_door: _PerPower | None = optional("Price of rear doors, for each kW of cooling")
    cdu: _PerPower | None = optional("Price of CDUs, for each kW of cooling")
    plate_exchanger: _PerPower | None = optional("Price of plate exchangers, for each kW of heat")
    pump: _PerPower | None = optional("Price of pumps, for each kW of their power")
    tank: _PerVolume | None = optional("Price of the tank that the tariff runs, for each m3 of it")
    pipes: _PerPower | None = optional("Price of pipes and valves, for each kW of IT load")
    installation: _Part | None = optional("Installation, as a part of the price of the equipment")


class OperationSection(Section):
    """Costs of a year beside the electricity; what is left open is not known."""

    maintenance: _Money | None = optional("Maintenance of a year")
    staff: _Money | None = optional("Staff of a year")
    lease: _Money | None = optional("Lease and ground rent of a year")
    spares: _Money | None = optional("Spare parts of a year")
    other: _Money | None = optional("Insurance, taxes, connections and others of a year")
    water: _PerVolume | None = optional("Price of make-up water, with its sewage charge")
    fuel: _PerVolume | None = optional("Price of fuel, for the tests of the generators")


class CostSection(Section):
    """Cost of ownership, in the currency of the tariff."""

    prices: Literal["guides", "stated"] | None = optional(
        "Where prices of the capital left open come from: nowhere, or guides and lists, in USD",
        Default("stated", "a price that nobody stated is not known", RULE),
    )
    capital: CapitalSection | None = None
    equipment: EquipmentSection | None = None
    operation: OperationSection | None = None
    it_years: _Years | None = optional(
        "Years over which servers and network are written off",
        Default(5.0, "servers of large operators: four to six years", RECALLED),
        symbol="N",
    )
    plant_years: _Years | None = optional(
        "Years over which power and cooling are written off",
        Default(15.0, "electrical and mechanical plant: 15 to 20 years", RECALLED),
        symbol="N",
    )
    building_years: _Years | None = optional(
        "Years over which the building is written off",
        Default(30.0, "commercial buildings: 25 to 40 years", RECALLED),
        symbol="N",
    )
    rate: _Rate | None = optional(
        "Discount rate of a year; 0 is straight-line depreciation alone",
        Default(0.08, "cost of capital of such projects: 6 to 10 %", RECALLED),
        symbol="i",
    )
    used: _Used | None = optional(
        "Part of the GPU-hours of a year that are used",
        Default(1.0, "every GPU-hour of the year is counted", RULE),
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
                "Write all prices in the currency of the project; none is converted.",
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
                    f"it prices what cost.capital.{part} prices as a whole.",
                    "State the one or the other.",
                    f"equipment.{named[0]}",
                )
        return self

    def stated(self) -> Iterator[tuple[str, Measured]]:
        """Yield every price that is given, with its place in the section."""
        sections = {
            "capital": self.capital,
            "equipment": self.equipment,
            "operation": self.operation,
        }
        for place, section in sections.items():
            for name in type(section).model_fields if section is not None else ():
                price = getattr(section, name)
                if price is not None:
                    yield f"{place}.{name}", price


_BY_KVA = ("ups", "transformer", "pdu_transformer")


def priced(price: Measured) -> bool:
    """Return whether a figure is money, and not a part of it."""
    return price.kind != "fraction"


def currency_of(price: Measured) -> str:
    """Return the currency of a price."""
    return price.unit.partition("/")[0].removeprefix("k")


def _refuse_wrong_power(where: str, price: Measured) -> None:
    """Refuse a price for each kVA of what is in kW, and the other way round."""
    by_kva = where.rpartition(".")[2] in _BY_KVA
    if price.kind.startswith(("demand", "apparent")) and by_kva != price.kind.startswith("app"):
        given, wanted = ("kW", "kVA") if by_kva else ("kVA", "kW")
        what = "its rating" if where.startswith("equipment") else "the IT load"
        raise problem(
            "UNIT_WRONG",
            f"{what} is in {wanted}, and the price is for each {given}.",
            f"Write it for each {wanted}.",
            where,
        )
