"""The ``cost`` section: capital, operation and terms, for the cost of ownership.

Without it no cost of ownership is given. A part of the capital without a price is not known; the
prices that guides print are taken where ``prices: guides`` asks for them.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import model_validator

from facility.core.parse import Measured
from facility.core.sources import RECALLED, RULE
from facility.model.inputs.declare import Default, optional
from facility.model.inputs.scalars import Section, problem, quantity

_Money = Annotated[Measured, quantity("money")]
_PerPower = Annotated[Measured, quantity("demand_price")]
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
        "Where prices of the capital left open come from: nowhere, or from guides, in USD",
        Default("stated", "a price that nobody stated is not known", RULE),
    )
    capital: CapitalSection | None = None
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
        currencies = {
            price.unit.partition("/")[0].removeprefix("k"): f"{place}.{name}"
            for place, section in (("capital", self.capital), ("operation", self.operation))
            if section is not None
            for name in type(section).model_fields
            if (price := getattr(section, name)) is not None
        }
        if len(currencies) > 1:
            raise problem(
                "CONTRADICTION",
                f"the prices are in {' and '.join(sorted(currencies))}.",
                "Write all prices in the currency of the project; none is converted.",
                list(currencies.values())[-1],
            )
        kva = self.capital and next(
            (
                name
                for name in ("power", "cooling", "building")
                if (price := getattr(self.capital, name)) and price.kind.startswith("apparent")
            ),
            "",
        )
        if kva:
            raise problem(
                "UNIT_WRONG",
                "the IT load is in kW, and the price is for each kVA.",
                "Write it for each kW of IT load.",
                f"capital.{kva}",
            )
        return self
