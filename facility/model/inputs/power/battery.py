"""The battery section of the power part."""

from __future__ import annotations

from itertools import pairwise
from typing import Annotated

from pydantic import field_validator, model_validator

from facility.core.parse import Measured
from facility.core.sources import RECALLED, RULE, Source
from facility.model.inputs.declare import Default, optional, required
from facility.model.inputs.scalars import (
    Flag,
    Name,
    Number,
    PositiveCount,
    Section,
    problem,
    quantity,
)
from facility.model.power.battery import TECHNOLOGIES

_BUS = Source("mitsubishi-9800a", "section 3.8.1")


ARRANGEMENTS = ("module", "bus")
"""Battery arrangement: per UPS module, or per output bus of a UPS system."""

_MAX_POINTS = 100

_Time = Annotated[Measured, quantity("time", above=0.0, maximum=86400.0)]
_Power = Annotated[Measured, quantity("active_power", above=0.0)]
_CellVoltage = Annotated[Measured, quantity("dc_voltage", minimum=1.0, maximum=4.2)]
_BusVoltage = Annotated[Measured, quantity("dc_voltage", minimum=24.0, maximum=1500.0)]
_Temperature = Annotated[Measured, quantity("temperature")]
_Efficiency = Annotated[Measured, quantity("fraction", minimum=0.5, maximum=1.0)]
_Charge = Annotated[Measured, quantity("charge", above=0.0)]
_Airflow = Annotated[Measured, quantity("air_flow", above=0.0)]


class BatteryPoint(Section):
    """Point of a discharge table at the end voltage: time, and constant power of one block."""

    time: _Time = required("Time until the end voltage")
    block_power: _Power = required("Constant power of one block")


class BatterySection(Section):
    """The UPS batteries: technology, block, autonomy and room."""

    technology: Name | None = optional(
        "Battery technology: vrla, flooded or li-ion",
        Default(
            None,
            "technology of the model; else valve-regulated lead-acid, with verified tables",
            RULE,
        ),
    )
    model: Name | None = optional(
        "Catalogue battery block",
        Default(
            None,
            "smallest block for UPS use whose parallel strings do not exceed the"
            " manufacturer's limit",
            RULE,
        ),
    )
    points: tuple[BatteryPoint, ...] | None = optional(
        "User discharge table at 25 °C and the end voltage, instead of a model", max_count=1000
    )
    cells_per_block: PositiveCount | None = optional(
        "Cells per block of the user table", Default(6, "12 V block", RULE), max_count=600
    )
    capacity: _Charge | None = optional("Capacity of one block of the user table")
    autonomy: _Time | None = optional(
        "Battery autonomy",
        Default(None, "planning value: 5 min for Li-ion, 10 to 15 min for lead-acid", RECALLED),
    )
    end_voltage: _CellVoltage | None = optional(
        "End-of-discharge cell voltage", Default(None, "typical of the technology")
    )
    float_voltage: _CellVoltage | None = optional(
        "Float voltage per cell, maintained by the DC bus",
        Default(None, "from the table of lead-acid cells"),
    )
    ageing: Number | None = optional(
        "Ageing factor", Default(None, "typical of the technology"), within=(1.0, 3.0)
    )
    design_margin: Number | None = optional(
        "Design margin factor",
        Default(None, "minimum margin of design practice"),
        within=(1.0, 3.0),
    )
    temperature: _Temperature | None = optional(
        "Minimum electrolyte temperature", Default(20.0, "conditioned battery room", RECALLED)
    )
    inverter_efficiency: _Efficiency | None = optional(
        "Inverter efficiency, battery to output",
        Default(
            "that of double conversion",
            "conservative: module efficiency including the rectifier is below "
            "inverter efficiency; the battery is larger",
            RULE,
        ),
    )
    dc_bus_max: _BusVoltage | None = optional(
        "Maximum DC bus voltage of the UPS",
        Default(
            540.0, "UPS with 240 cells on float; the catalogue has no DC bus data of modules", _BUS
        ),
    )
    dc_bus_min: _BusVoltage | None = optional(
        "Minimum DC bus voltage of the UPS",
        Default(400.0, "end of discharge of a UPS with 240 cells", _BUS),
    )
    arrangement: Name | None = optional(
        "Battery arrangement: per UPS module, or per output bus of a UPS system",
        Default("module", "separate batteries per module, lost with the module", RULE),
    )
    blocks_per_string: PositiveCount | None = optional("Blocks in series per string", max_count=600)
    strings: PositiveCount | None = optional(
        "Parallel strings per module or bus, as built", max_count=1000
    )
    blocks_per_cabinet: PositiveCount | None = optional(
        "Blocks per cabinet",
        Default(40, "one string of 40 blocks of 12 V per cabinet", RECALLED),
        max_count=600,
    )
    boost_charge: Flag | None = optional(
        "Boost charging available (maximum gassing of full cells)",
        Default("true", "charger with boost (2.4 V per cell): maximum gassing", RULE),
    )
    room_airflow: _Airflow | None = optional("Ventilation air flow, all battery rooms")
    recharge_time: _Time | None = optional(
        "Recharge time of an empty battery", Default(None, "ten times the autonomy", RECALLED)
    )
    start_attempts: PositiveCount | None = optional(
        "Generator start attempts",
        Default(3, "three cranking cycles, NFPA 110", RECALLED),
        max_count=20,
    )
    transfer_time: _Time | None = optional(
        "Time from generators on load to UPS on generators",
        Default(15.0, "transfer and rectifier walk-in", RECALLED),
    )

    @field_validator("technology")
    @classmethod
    def _known_technology(cls, value: str | None) -> str | None:
        return _one_of(value, TECHNOLOGIES, "battery technology")

    @field_validator("arrangement")
    @classmethod
    def _known_arrangement(cls, value: str | None) -> str | None:
        return _one_of(value, ARRANGEMENTS, "arrangement of batteries")

    @field_validator("points")
    @classmethod
    def _falling(cls, value: tuple[BatteryPoint, ...] | None) -> tuple[BatteryPoint, ...] | None:
        if value is None:
            return None
        times, powers = [p.time.si for p in value], [p.block_power.si for p in value]
        rising = all(a < b for a, b in pairwise(times))
        falling = all(a > b for a, b in pairwise(powers))
        if not (2 <= len(value) <= _MAX_POINTS and rising and falling):
            raise problem(
                "BATTERY_POINTS",
                f"a discharge table has 2 to {_MAX_POINTS} points whose power falls with time.",
                "Write the shortest time first, e.g. {time: 5 min, block_power: 2510 W}.",
            )
        return value

    @model_validator(mode="after")
    def _consistent(self) -> BatterySection:
        if self.points is not None and self.model is not None:
            raise problem(
                "BATTERY_CONTRADICTION",
                "a catalogue model and points are both specified.",
                "Enter the model, or the points of a user table.",
                at="model",
            )
        for name in ("cells_per_block", "capacity"):
            if self.points is None and getattr(self, name) is not None:
                raise problem(
                    "BATTERY_CONTRADICTION",
                    f"{name} applies only to a user discharge table.",
                    "Enter points too, or omit it.",
                    at=name,
                )
        for name in ("ageing", "design_margin"):
            factor = getattr(self, name)
            if factor is not None and not 1.0 <= factor.si <= 3.0:
                raise problem("OUT_OF_RANGE", "a sizing factor must be from 1 to 3.", at=name)
        low, high = self.dc_bus_min, self.dc_bus_max
        if low is not None and high is not None and low.si >= high.si:
            raise problem(
                "BATTERY_CONTRADICTION", "dc_bus_min is not below dc_bus_max.", at="dc_bus_min"
            )
        return self


def _one_of(value: str | None, known: tuple[str, ...], what: str) -> str | None:
    if value is None or value.lower() in known:
        return value and value.lower()
    raise problem(
        "UNKNOWN_BATTERY", f"{value!r} is not a known {what}.", f"Known: {', '.join(known)}."
    )
