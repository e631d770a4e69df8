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
"""What has batteries of its own: each UPS module, or each output bus of a UPS system."""

_MOST_POINTS = 100

_Time = Annotated[Measured, quantity("time", above=0.0, maximum=86400.0)]
_Power = Annotated[Measured, quantity("active_power", above=0.0)]
_CellVoltage = Annotated[Measured, quantity("dc_voltage", minimum=1.0, maximum=4.2)]
_BusVoltage = Annotated[Measured, quantity("dc_voltage", minimum=24.0, maximum=1500.0)]
_Temperature = Annotated[Measured, quantity("temperature")]
_Efficiency = Annotated[Measured, quantity("fraction", minimum=0.5, maximum=1.0)]
_Charge = Annotated[Measured, quantity("charge", above=0.0)]
_Airflow = Annotated[Measured, quantity("air_flow", above=0.0)]


class BatteryPoint(Section):
    """One point of a discharge table at the end voltage: time, and constant power of one block."""

    time: _Time = required("Time until the end voltage")
    block_power: _Power = required("Constant power of one block")


class BatterySection(Section):
    """The UPS batteries: technology, block, autonomy and room."""

    technology: Name | None = optional(
        "Battery technology: vrla, flooded or li-ion",
        Default(
            None,
            "that of the model; else valve-regulated lead-acid, the one with read tables",
            RULE,
        ),
    )
    model: Name | None = optional(
        "Block of the catalogue",
        Default(
            None,
            "the smallest block sold for UPS whose strings in parallel stay within the"
            " manufacturer's limit",
            RULE,
        ),
    )
    points: tuple[BatteryPoint, ...] | None = optional(
        "A discharge table of your own at 25 °C and the end voltage, in place of a model", most=1000
    )
    cells_per_block: PositiveCount | None = optional(
        "Cells in one block of your own table", Default(6, "a block of 12 V", RULE), most=600
    )
    capacity: _Charge | None = optional("Capacity of one block of your own table")
    autonomy: _Time | None = optional(
        "How long the battery carries the load",
        Default(None, "planning value: 5 min for Li-ion, 10 to 15 min for lead-acid", RECALLED),
    )
    end_voltage: _CellVoltage | None = optional(
        "Voltage of a cell at the end of the discharge", Default(None, "that of the technology")
    )
    float_voltage: _CellVoltage | None = optional(
        "Voltage of a cell on float, which the DC bus holds",
        Default(None, "that of the table of lead-acid cells"),
    )
    ageing: Number | None = optional(
        "Factor on the size for the capacity lost by the end of life",
        Default(None, "that of the technology"),
        within=(1.0, 3.0),
    )
    design_margin: Number | None = optional(
        "Factor on the size as a margin of design",
        Default(None, "least margin of design practice"),
        within=(1.0, 3.0),
    )
    temperature: _Temperature | None = optional(
        "Lowest electrolyte temperature",
        Default(20.0, "lowest electrolyte temperature of a conditioned battery room", RECALLED),
    )
    inverter_efficiency: _Efficiency | None = optional(
        "Efficiency of the inverter alone, from battery to output",
        Default(
            "that of double conversion",
            "the efficiency of the module at the load, rectifier included, is below that "
            "of the inverter alone: the battery comes out larger",
            RULE,
        ),
    )
    dc_bus_max: _BusVoltage | None = optional(
        "Highest voltage of the DC bus of the UPS",
        Default(
            540.0,
            "a UPS of 240 cells on float; the catalogue does not know the DC bus of its modules",
            _BUS,
        ),
    )
    dc_bus_min: _BusVoltage | None = optional(
        "Lowest voltage of the DC bus of the UPS",
        Default(400.0, "end of the discharge of a UPS of 240 cells", _BUS),
    )
    arrangement: Name | None = optional(
        "What has batteries of its own: each UPS module, or each output bus of a UPS system",
        Default("module", "each module has batteries of its own, which are lost with it", RULE),
    )
    blocks_per_string: PositiveCount | None = optional("Blocks in series in a string", most=600)
    strings: PositiveCount | None = optional(
        "Strings in parallel on each module or bus, as built", most=1000
    )
    blocks_per_cabinet: PositiveCount | None = optional(
        "Blocks in one cabinet",
        Default(40, "one string of 40 blocks of 12 V in a cabinet", RECALLED),
        most=600,
    )
    boost_charge: Flag | None = optional(
        "Whether the charger can boost, so that full cells gas most",
        Default("true", "the charger can boost (2.4 V per cell): full cells gas most", RULE),
    )
    room_airflow: _Airflow | None = optional("Ventilation of all battery rooms together")
    recharge_time: _Time | None = optional(
        "How long the recharge of an empty battery takes",
        Default(None, "ten times the autonomy", RECALLED),
    )
    start_attempts: PositiveCount | None = optional(
        "Attempts to start the generators before they are given up",
        Default(3, "three cranks, as NFPA 110 has them", RECALLED),
        most=20,
    )
    transfer_time: _Time | None = optional(
        "From the load on the generators to the UPS carried by them",
        Default(
            15.0, "from load on the sets to the UPS carried by them: transfer and walk-in", RECALLED
        ),
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
        if not (2 <= len(value) <= _MOST_POINTS and rising and falling):
            raise problem(
                "BATTERY_POINTS",
                f"a discharge table has 2 to {_MOST_POINTS} points whose power falls with time.",
                "Write the shortest time first, e.g. {time: 5 min, block_power: 2510 W}.",
            )
        return value

    @model_validator(mode="after")
    def _consistent(self) -> BatterySection:
        if self.points is not None and self.model is not None:
            raise problem(
                "BATTERY_CONTRADICTION",
                "a catalogue model and points are both given.",
                "Give the model, or the points of your own table.",
                at="model",
            )
        for name in ("cells_per_block", "capacity"):
            if self.points is None and getattr(self, name) is not None:
                raise problem(
                    "BATTERY_CONTRADICTION",
                    f"{name} belongs to points of your own.",
                    "Give points too, or leave it to the catalogue.",
                    at=name,
                )
        for name in ("ageing", "design_margin"):
            factor = getattr(self, name)
            if factor is not None and not 1.0 <= factor.si <= 3.0:
                raise problem("OUT_OF_RANGE", "a sizing factor lies between 1 and 3.", at=name)
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
        "UNKNOWN_BATTERY", f"{value!r} is not a {what} known here.", f"Known: {', '.join(known)}."
    )
